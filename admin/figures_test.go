package admin_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/accountdesk"
	"candor/admin/adjustdesk"
	"candor/admin/bankdesk"
	"candor/admin/bonusdesk"
	"candor/admin/cashdesk"
	"candor/admin/changedesk"
	"candor/admin/chatdesk"
	"candor/admin/complaintdesk"
	"candor/admin/controldesk"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/admin/finddesk"
	"candor/admin/kycdesk"
	"candor/admin/ledgerdesk"
	"candor/admin/newsdesk"
	"candor/admin/paydesk"
	"candor/admin/reportdesk"
	"candor/admin/switchdesk"
	"candor/admin/tagdesk"
	"candor/admin/taskdesk"
	"candor/admin/tradedesk"
	"candor/app/adjustment"
	"candor/app/audit"
	"candor/app/banking"
	"candor/app/bonus"
	"candor/app/complaint"
	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/notice"
	"candor/app/payee"
	"candor/app/payee/payeetest"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/events"
	"candor/app/platform/i18n"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/platform/seal"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/score"
	"candor/app/session"
	"candor/app/staff"
	"candor/app/support"
	"candor/app/switches"
	"candor/app/task"
	"candor/app/trader"
	"candor/app/trading"
	"candor/app/trading/engine"
	"candor/app/trading/proof"
	"candor/app/wallet"
	"candor/app/withdrawal"
	"candor/locales"
)

// priced is a feed with one price.
type priced struct{ clock clock.Clock }

func (f priced) Name() string                                                        { return "priced" }
func (f priced) Clock() clock.Clock                                                  { return f.clock }
func (f priced) Start([]market.Product, *market.Hours, map[string]market.Last) error { return nil }
func (f priced) Run(context.Context, func(market.Raw)) error                         { return nil }
func (f priced) StaleLimit(market.Product) time.Duration                             { return time.Hour }
func (f priced) History(_ context.Context, emit func(market.Raw)) ([]market.Candle, error) {
	emit(market.Raw{Symbol: "EURUSD", Bid: "1.08000", Ask: "1.08010", At: f.clock.Now(), SourceAt: f.clock.Now()})
	return nil, nil
}

// rich is a back office with one trader, whose amounts are all known and occur nowhere else.
type rich struct {
	*testing.T
	*desktest.Office
	trader, account, conversation int64
	withdrawal                    withdrawal.Withdrawal
	position                      trading.Position
	fillID                        int64 // a closing fill, which has a profit
	routes                        []desk.Route
	trading                       *engine.Service
	identities                    *kyc.Service
	notices                       *notice.Service
	adjustments                   *adjustment.Service
}

func newRich(t *testing.T) *rich {
	t.Helper()
	b := &rich{T: t, Office: desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) { c.Health = desktest.Healthy })}
	o, ctx, nobody := b.Office, t.Context(), func(int64) {}
	must := func(err error) { t.Helper(); require.NoError(t, err) }
	must(market.Seed(ctx, o.DB))
	public, key, err := ed25519.GenerateKey(nil)
	must(err)
	prices := market.New(market.Config{DB: o.DB, Feed: priced{o.Clock}, Clock: o.Clock, Key: key, Checkpoints: seal.NewCheckpointStore(t.TempDir(), "tape")})
	must(prices.Load(ctx))
	bus, err := events.Open("")
	must(err)
	t.Cleanup(bus.Close)
	values, err := switches.Load(ctx, o.DB, nil)
	must(err)
	texts, err := i18n.Load(locales.Customer())
	must(err)
	keys, err := vault.Load(t.TempDir(), false)
	must(err)
	b.trading = engine.New(o.DB, prices, o.Clock, bus)
	pictures, sessions, identities := upload.NewStore(t.TempDir()), session.New(o.DB, o.Clock, nil), kyc.New(kyc.Config{DB: o.DB, Clock: o.Clock, Vault: keys})
	traders := trader.New(trader.Config{DB: o.DB, Clock: o.Clock, Sessions: sessions, Outbox: o.Outbox, Switches: values, Hasher: trader.NewHasherWith(passwordstest.Quick{}), Texts: texts, Changed: nobody})
	payees := payee.New(payee.Config{DB: o.DB, Clock: o.Clock, Switches: values, Vault: o.Keys})
	withdrawals := withdrawal.New(withdrawal.Config{DB: o.DB, Clock: o.Clock, Switches: values, Traders: agreed{}, Identities: agreed{}, Payees: payees, Positions: agreed{}, Gate: agreed{}, Vault: o.Keys, Approvals: o.Approvals, Changed: nobody})
	deposits := deposit.New(deposit.Config{DB: o.DB, Clock: o.Clock, Switches: values, Pictures: pictures, Vault: o.Keys, Changed: nobody})
	chat := support.New(o.DB, o.Clock, bus, pictures, func(context.Context, string, int64, int64) (bool, error) { return true, nil }, nil)
	stop, err := chat.FollowActivities()
	must(err)
	t.Cleanup(stop)
	log, tasks, complaints := audit.NewLog(o.DB), task.New(o.DB, o.Clock, nil), complaint.New(o.DB, o.Clock, nil, o.Approvals)
	notices, changes := notice.New(o.DB, o.Clock, values, bus, trader.Readers{DB: o.DB}, o.Approvals), switches.NewChanges(o.DB, values, o.Clock, o.Approvals, bus, nil)
	wallets := wallet.New(o.DB, o.Clock, values, prices, b.trading, nobody)
	scores := score.New(score.Config{DB: o.DB, Clock: o.Clock, Conversation: chat.Get})
	persons := tradedesk.Services{
		Traders: traders, Deposits: deposits, Sessions: sessions, Ledger: o.DB.Pool, Trading: b.trading, Market: prices, Audit: log, Staff: o.Staff,
		Withdrawals: withdrawals, Payees: payees, Identities: identities, Chat: chat, Tasks: tasks, Complaints: complaints, Outbox: o.Outbox, Scores: scores, Bonuses: bonus.New(bonus.Config{DB: o.DB, Clock: o.Clock, Switches: values, Approvals: o.Approvals, Traders: traders, Changed: nobody}), Wallets: wallets, Owners: []tradedesk.Owners{payees.Owners, withdrawals.TradersByHash},
		Notices: notices, Proofs: proof.NewReader(o.DB.Pool, prices), SealKey: public, Texts: texts,
	}
	out := paydesk.Services{Withdrawals: withdrawals, Traders: traders, Trading: agreed{}, Staff: o.Staff, Audit: log, Texts: texts}
	chats := chatdesk.Services{
		Chat: chat, Trading: b.trading, Sessions: sessions, Ledger: o.DB.Pool, Texts: texts, Identities: identities, Traders: traders, Deposits: deposits, Withdrawals: withdrawals, Tasks: tasks,
		Scores: scores,
	}
	b.adjustments = adjustment.New(adjustment.Config{DB: o.DB, Clock: o.Clock, Switches: values, Approvals: o.Approvals, Positions: b.trading, Changed: nobody, Owners: map[adjustment.CaseKind]adjustment.Owner{
		adjustment.Conversation: func(context.Context, int64) (*int64, error) { return &b.trader, nil },
	}})
	b.routes = slices.Concat(tradedesk.Routes(persons), paydesk.Routes(out), chatdesk.Routes(chats), finddesk.Routes())
	o.Frame.AddFinders(
		tradedesk.Finders(persons), cashdesk.Finders(cashdesk.Services{Deposits: deposits}), paydesk.Finders(out), chatdesk.Finders(chats),
		adjustdesk.Finders(adjustdesk.Services{Adjustments: b.adjustments}),
		bankdesk.Finders(bankdesk.Services{Banking: banking.New(o.DB, o.Clock, o.Keys, deposits, withdrawals, o.Approvals), Deposits: deposits}),
		kycdesk.Finders(kycdesk.Services{Identities: identities}), newsdesk.Finders(newsdesk.Services{Notices: notices}), switchdesk.Finders(switchdesk.Services{Changes: changes}),
	)
	b.identities, b.notices = identities, notices
	o.Mount(b.routes)
	must(prices.Backfill(ctx))
	o.Hire(t, "Finance maker 01", access.FinanceMaker)
	o.Hire(t, "Finance checker 01", access.FinanceChecker)
	b.fill(chat, withdrawals)
	return b
}

// agreed stubs the checks of a withdrawal: every trader's proof is right, every name matches, and positions need no margin.
type agreed struct{}

// Value values no account: a price is missing.
func (agreed) Value(context.Context, int64) (trading.Valuation, error) {
	return trading.Valuation{}, market.ErrNoPrice
}

func (agreed) Prove(context.Context, int64, trader.Proof) error { return nil }
func (agreed) WithdrawalLock(context.Context, int64) (time.Time, string, error) {
	return time.Time{}, "", nil
}
func (agreed) WithdrawalLockTx(*db.Tx, int64) (time.Time, string, error) {
	return time.Time{}, "", nil
}
func (agreed) HolderIsTx(context.Context, *db.Tx, int64, string) (bool, error) { return true, nil }
func (agreed) HaltedTx(*db.Tx) error                                           { return nil }
func (agreed) HolderIs(context.Context, int64, string) (bool, error)           { return true, nil }
func (agreed) WithdrawableTx(_ context.Context, _ *db.Tx, a ledger.Account) (int64, error) {
	return a.Cash, nil
}

func (agreed) TradedTx(context.Context, *db.Tx, int64) (bool, error) { return true, nil }

// The amounts, in units of 10^-6.
const (
	richCash     = 73_219_410_000
	richDeposit  = 6_481_370_000
	richReceived = 6_479_130_000
	richOut      = 2_357_190_000
)

func (b *rich) fill(chat *support.Service, withdrawals *withdrawal.Service) {
	b.Helper()
	ctx, now := b.Context(), b.Clock.Now()
	scan := func(sql string, args ...any) (id int64) {
		b.Helper()
		require.NoError(b, b.DB.Pool.QueryRow(ctx, sql, args...).Scan(&id))
		return id
	}
	b.trader = scan(`INSERT INTO traders (email, phone, name, password_hash, country, language, level, invite_code, accepted_at)
		VALUES ('rich@example.com', '+34600123418', 'Rich', 'x', 'ES', 'en', 2, 'RICH', $1) RETURNING id`, now)
	require.NoError(b, b.DB.InTx(ctx, func(tx *db.Tx) error {
		account, err := ledger.OpenTx(ctx, tx, b.trader, ledger.Real, trader.Ordinary, now)
		if err != nil {
			return err
		}
		b.account = account.ID
		_, err = ledger.PostTx(ctx, tx, ledger.Transaction{Kind: "deposit", Key: "in", Cause: "deposit:50001", Book: ledger.Real, At: now, Entries: account.Receive(richCash)})
		return err
	}))
	require.NoError(b, deposit.SeedSpecimen(ctx, b.DB))
	scan(`INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, received, bank_reference, maker_id, shown_hash, reference, state, proof_at, created_at, expires_at)
		SELECT $1, $2, 1, 'bank', 'USD', $3, $4, 'BANK-1', min(id), 'x', 'RICHREF', 'approved', $5, $5, $5 FROM staff RETURNING id`,
		b.trader, b.account, int64(richDeposit), int64(richReceived), now)
	to, err := payeetest.Bank(ctx, b.DB, b.Keys, payee.Payee{
		TraderID: b.trader, Label: "Mine", Bank: "Specimen Bank", IBAN: "DE02120300000000000001", BIC: "BYLADEM1001", UsableFrom: now.Add(-time.Hour), CreatedAt: now.Add(-26 * time.Hour),
	}, "Rich")
	require.NoError(b, err)
	owner := ledger.Owner{TraderID: b.trader, AccountID: b.account}
	request := func(key string) idempotency.Request {
		return idempotency.Request{TraderID: b.trader, Call: "test", Key: key}
	}
	defer func() {
		b.fillID = scan(`SELECT id FROM fills WHERE account_id = $1 AND entry = 'close' LIMIT 1`, b.account)
	}()
	for i, end := range []bool{true, false} {
		done, err := b.trading.Open(ctx, trading.Open{Owner: owner, ProductID: 1, Side: trading.Buy, Lots: 4_370_000, Leverage: 100}, request(fmt.Sprint("open", i)))
		require.NoError(b, err)
		if b.position = done.Value.Position; end {
			_, err = b.trading.Close(ctx, trading.Close{Owner: owner, PositionID: b.position.ID}, request("close"))
			require.NoError(b, err)
		}
	}
	requested, err := withdrawals.Request(ctx, ledger.Owner{TraderID: b.trader, AccountID: b.account, Name: "Rich"}, withdrawal.ByBank, to, richOut, trader.Proof{}, request("out"))
	require.NoError(b, err)
	b.withdrawal = requested.Value
	for _, draft := range []support.Draft{{ID: uuid.NewString(), Text: "Where is my money?"}, {ID: uuid.NewString(), CardKind: "withdrawal", CardID: b.withdrawal.ID}} {
		m, err := chat.Send(ctx, support.Customer{TraderID: b.trader, Language: "en", IP: "192.0.2.1"}, draft)
		require.NoError(b, err)
		b.conversation = m.ConversationID
	}
	scan(`INSERT INTO chat_replies (slug, language, category, body, version, changed_by, changed_at)
		SELECT 'status', 'en', 'withdrawal', 'It is {{withdrawal.amount}} and {{deposit.amount}}.', 1, min(id), $1 FROM staff RETURNING id`, now)
}

// amounts lists the trader's amounts in every form that a page or a file may write them in. Forms too short to be distinctive are left out.
func (b *rich) amounts() (forms []string) {
	b.Helper()
	value, err := b.trading.Value(b.Context(), b.account)
	require.NoError(b, err)
	list := []int64{richDeposit, richReceived, richOut, b.withdrawal.Fee, b.withdrawal.Net(), value.Equity, value.Free, value.Used, value.Floating}
	for _, sql := range []string{
		`SELECT cash FROM accounts WHERE trader_id = $1`, `SELECT p.amount FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.trader_id = $1`,
		`SELECT unnest(ARRAY[p.lots_opened, p.realised, p.commission]) FROM positions p JOIN accounts a ON a.id = p.account_id WHERE a.trader_id = $1`,
		`SELECT unnest(ARRAY[f.lots, f.profit]) FROM fills f JOIN accounts a ON a.id = f.account_id WHERE a.trader_id = $1`,
	} {
		rows, err := b.DB.Pool.Query(b.Context(), sql, b.trader)
		require.NoError(b, err)
		for rows.Next() {
			var n int64
			require.NoError(b, rows.Scan(&n))
			list = append(list, n)
		}
		require.NoError(b, rows.Err())
	}
	for _, n := range list {
		if n = max(n, -n); n < money.Unit { // a smaller amount is too short to be distinctive
			continue
		}
		plain := money.Trim(n, money.Scale)
		forms = append(forms, strconv.FormatInt(n, 10), money.Format(n, money.Scale), money.Format(n/10_000, 2))
		forms = append(forms, grouped(plain), grouped(money.Format(n/10_000, 2)))
		if whole, _, _ := strings.Cut(plain, "."); len(whole) > 3 {
			forms = append(forms, whole, grouped(whole))
		}
	}
	slices.Sort(forms)
	return slices.DeleteFunc(slices.Compact(forms), func(s string) bool { return len(s) < 4 })
}

// grouped writes a plain decimal with commas.
func grouped(text string) string {
	whole, fraction, point := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		return whole + "." + fraction
	}
	return whole
}

// random matches the parts of an answer that are drawn anew for each request: their digits could match an amount by chance.
var random = regexp.MustCompile(`nonce-[A-Z2-7]{26}|nonce="[A-Z2-7]{26}"|X-Trace-Id:\[[a-z2-7]{16}\]`)

// found lists the amounts in an answer, with the text around them. A form counts only as a whole number, not as a part of a longer one.
func found(a *httptest.ResponseRecorder, forms []string) (matches []string) {
	text := random.ReplaceAllString(a.Body.String()+fmt.Sprint(a.Header()), "")
	for _, form := range forms {
		if !strings.Contains(text, form) {
			continue
		}
		before := `(^|[^0-9.])`
		if whole, _, _ := strings.Cut(form, "."); len(whole) <= 3 { // it could be the end of a longer number with commas
			before = `(^|[^0-9.,])`
		}
		if at := regexp.MustCompile(before + regexp.QuoteMeta(form) + `($|[^0-9])`).FindStringIndex(text); at != nil {
			matches = append(matches, text[max(at[0]-40, 0):min(at[1]+40, len(text))])
		}
	}
	return matches
}

// addresses lists the addresses of a route for the rich trader: every parameter must have a value, so that a new route is either walked or fails the test.
func (b *rich) addresses(r desk.Route) []string {
	b.Helper()
	if slices.Contains([]string{"/events", "/chat/:id/pictures/:name"}, r.Path) || strings.HasPrefix(r.Path, "/payout-batches") {
		return nil // a stream of conversation ids, a picture, and what no role of support opens
	}
	if r.Path == desk.FindPath {
		var out []string
		for _, words := range []string{"rich@example.com", "Rich", strconv.FormatInt(b.trader, 10), "BANK-1", b.withdrawal.Number(), strconv.FormatInt(b.fillID, 10), "0001"} {
			out = append(out, "/admin/find?q="+url.QueryEscape(words))
		}
		return out
	}
	ids := map[string]int64{"traders": b.trader, "withdrawals": b.withdrawal.ID, "chat": b.conversation}
	noun := strings.Split(r.Path, "/")[1]
	require.Contains(b, ids, noun, r.Path)
	path := "/admin" + strings.NewReplacer(":id", strconv.FormatInt(ids[noun], 10), ":kind", "mail", ":session", "1", ":reply", "1", ":macro", "1", ":flag", "1", ":restriction", "1", ":name", "x", ":position", strconv.FormatInt(b.position.ID, 10), ":order", "1",
		":fill", strconv.FormatInt(b.fillID, 10)).Replace(r.Path)
	require.NotContains(b, path, ":", "the test must know what to put there")
	return []string{
		path, path + "?account=" + strconv.FormatInt(b.account, 10), path + "?position=" + strconv.FormatInt(b.position.ID, 10), path + "?reason=other&after=0&q=stat",
		path + "?tab=ended",
	}
}

// knowsEveryDesk requires that each route that support may open is either walked or concerns no trader.
func (b *rich) knowsEveryDesk() {
	b.Helper()
	about := []string{"traders", "withdrawals", "chat", "find"}
	others := []string{"", "home", "tags", "products", "switches", "content", "content-images", "content-preview", "tasks", "mentions", "colleagues", "complaints", "reports", "content-order", "content-translations", "account"} // the start page shows conversations, the others no trader's amounts
	for _, r := range routes() {
		if r.Method == http.MethodGet && theirs(r.Permission) {
			noun, _, _ := strings.Cut(strings.TrimPrefix(r.Path, "/"), "/")
			require.Contains(b, slices.Concat(about, others), noun, r.Path)
		}
	}
}

// seesAsTrader gives a member's reason to see what the trader sees.
func (b *rich) seesAsTrader(who *desktest.Browser) {
	b.Helper()
	require.Equal(b, http.StatusNoContent, who.Send(fmt.Sprintf("/admin/traders/%d/view-as", b.trader), url.Values{"reason": {"Asked in chat"}}).Code)
}

// walk requests everything that a role may read of the trader, as pages and as parts, and returns the amounts found by route.
func (b *rich) walk(who *desktest.Browser, role access.Role, forms []string) map[string][]string {
	b.Helper()
	matches := map[string][]string{}
	for _, r := range b.routes {
		if r.Method != http.MethodGet || !slices.Contains(access.PermissionsOf(role), r.Permission) {
			continue
		}
		for _, path := range b.addresses(r) {
			answers := []*httptest.ResponseRecorder{who.Get(path)}
			if !strings.Contains(path, "?") {
				answers = append(answers, who.Part(path))
			}
			for _, a := range answers {
				require.Less(b, a.Code, http.StatusInternalServerError, path)
				if list := found(a, forms); len(list) > 0 {
					matches[r.Path] = list
				}
			}
		}
	}
	return matches
}

// TestSupportReadsNoAmount requests every address of a trader that support may read: no answer has one of the trader's amounts. Finance finds them on the same
// pages.
func TestSupportReadsNoAmount(t *testing.T) {
	t.Parallel()
	b := newRich(t)
	forms := b.amounts()
	require.Contains(t, forms, "2,357.19")
	b.knowsEveryDesk()
	for _, role := range []access.Role{access.SupportAgent, access.SupportLead} {
		who := b.SignIn(t, role)
		if role == access.SupportAgent { // a member who answers also reads the prepared answers
			require.Equal(t, http.StatusOK, who.Send(fmt.Sprintf("/admin/chat/%d/claim", b.conversation), nil).Code)
		}
		b.seesAsTrader(who)
		require.Empty(t, b.walk(who, role, forms), role)
	}
	finance := b.SignIn(t, access.FinanceMaker)
	b.seesAsTrader(finance)
	matches := b.walk(finance, access.FinanceMaker, forms)
	for _, path := range []string{"/traders/:id", "/traders/:id/valuation", "/traders/:id/orders", "/traders/:id/orders/closed", "/traders/:id/orders/fills", "/traders/:id/positions/:position", "/traders/:id/fills/:fill", "/traders/:id/funds", "/traders/:id/view-as", "/withdrawals", "/withdrawals/:id", "/withdrawals/file"} {
		require.Contains(t, matches, path)
	}
	require.Contains(t, b.walk(b.SignIn(t, access.Auditor), access.Auditor, forms), "/chat/:id", "who may see amounts sees them beside a conversation too")
}

// exempt lists the functions that write figures unrelated to a trader, in desks that support may open.
var exempt = []string{"paydesk.bound", "paydesk.level", "tradedesk.level", "controldesk.dividend", "controldesk.percent", "controldesk.termWords", "controldesk.tiers", "controldesk.plain", "controldesk.typed", "controldesk.marginOf", "controldesk.onTime", "controldesk.chatFigures", "controldesk.todayLine", "controldesk.outside", "reportdesk.tick", "reportdesk.figure", "reportdesk.cell"}

// TestDesksOfSupportWriteAmountsInOneWay searches the source of every desk that support may open: its functions write amounts only through Figures.
func TestDesksOfSupportWriteAmountsInOneWay(t *testing.T) {
	t.Parallel()
	desks := map[string][]desk.Route{
		"controldesk": controldesk.Routes(controldesk.Services{}), "cashdesk": cashdesk.Routes(cashdesk.Services{}), "paydesk": paydesk.Routes(paydesk.Services{}),
		"kycdesk": kycdesk.Routes(kycdesk.Services{}), "reportdesk": reportdesk.Routes(reportdesk.Services{}), "ledgerdesk": ledgerdesk.Routes(ledgerdesk.Services{}), "adjustdesk": adjustdesk.Routes(adjustdesk.Services{}), "changedesk": changedesk.Routes(changedesk.Services{}), "bonusdesk": bonusdesk.Routes(bonusdesk.Services{}), "bankdesk": bankdesk.Routes(bankdesk.Services{}),
		"switchdesk": switchdesk.Routes(switchdesk.Services{}), "chatdesk": chatdesk.Routes(chatdesk.Services{}), "tradedesk": tradedesk.Routes(tradedesk.Services{}),
		"newsdesk": newsdesk.Routes(newsdesk.Services{}), "finddesk": finddesk.Routes(),
		"taskdesk": taskdesk.Routes(taskdesk.Services{}), "complaintdesk": complaintdesk.Routes(complaintdesk.Services{}), "tagdesk": tagdesk.Routes(tagdesk.Services{}), "accountdesk": accountdesk.Routes(accountdesk.Services{}),
	}
	all := 0
	for _, list := range desks {
		all += len(list)
	}
	require.Len(t, routes(), all, "every desk is known here")
	var read []string
	for name, list := range desks {
		if slices.ContainsFunc(list, func(r desk.Route) bool { return theirs(r.Permission) }) {
			read = append(read, name)
			require.Empty(t, amountsWritten(t, name, name), "write amounts with desk.Figures")
		}
	}
	require.Subset(t, read, []string{"tradedesk", "paydesk", "chatdesk", "controldesk"})
	require.Empty(t, amountsWritten(t, "desk/auditformat", "telling"))
	require.NotEmpty(t, amountsWritten(t, "cashdesk", "cashdesk"), "the search must find what there is")
}

func theirs(p access.Permission) bool {
	return slices.Contains(access.PermissionsOf(access.SupportAgent), p) || slices.Contains(access.PermissionsOf(access.SupportLead), p)
}

// TestWhoSeesAmounts checks that every role that may open a trader sees exact amounts, except support.
func TestWhoSeesAmounts(t *testing.T) {
	t.Parallel()
	for _, role := range staff.Roles {
		exact := slices.Contains(access.PermissionsOf(role), access.TraderFunds)
		isSupport := role == access.SupportAgent || role == access.SupportLead
		require.Equal(t, slices.Contains(access.PermissionsOf(role), access.TraderView) && !isSupport, exact, role)
	}
}

// amountsWritten lists the functions of a desk that write an amount without Figures.
func amountsWritten(t *testing.T, folder, name string) (list []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	writers := []string{"ui.Amount", "ui.Coins", "ui.RoundedAmount", "ui.Signed", "ui.SignedCoins", "money.Format", "money.Trim"}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), folder+"/"+f.Name(), nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			function, ok := d.(*ast.FuncDecl)
			if !ok || slices.Contains(exempt, name+"."+function.Name.Name) {
				continue
			}
			ast.Inspect(function, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if pkg, ok := s.X.(*ast.Ident); ok && slices.Contains(writers, pkg.Name+"."+s.Sel.Name) {
						list = append(list, name+"."+function.Name.Name+": "+pkg.Name+"."+s.Sel.Name)
					}
				}
				return true
			})
		}
	}
	return list
}
