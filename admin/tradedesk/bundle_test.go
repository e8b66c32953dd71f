package tradedesk_test

import (
	"context"
	"crypto/ed25519"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/admin/tradedesk"
	"candor/app/audit"
	"candor/app/bonus"
	"candor/app/complaint"
	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/notice"
	"candor/app/payee"
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
	"candor/app/support"
	"candor/app/switches"
	"candor/app/task"
	"candor/app/trader"
	"candor/app/trading"
	"candor/app/trading/engine"
	"candor/app/trading/proof"
	"candor/app/withdrawal"
	"candor/locales"
)

const (
	eurusd = 1
	btcusd = 201
)

// scriptedFeed is a feed that emits a test's quotes.
type scriptedFeed struct {
	clock *clock.Fixed
	raw   []market.Raw
}

func (f *scriptedFeed) Name() string       { return "told" }
func (f *scriptedFeed) Clock() clock.Clock { return f.clock }

func (f *scriptedFeed) Start([]market.Product, *market.Hours, map[string]market.Last) error {
	return nil
}

func (f *scriptedFeed) History(_ context.Context, emit func(market.Raw)) ([]market.Candle, error) {
	for _, raw := range f.raw {
		emit(raw)
	}
	f.raw = nil
	return nil, nil
}

func (f *scriptedFeed) Run(context.Context, func(market.Raw)) error { return nil }

func (f *scriptedFeed) StaleLimit(market.Product) time.Duration { return time.Hour }

// bundle is a trade desk with a market and traders.
type bundle struct {
	*testing.T
	*desktest.Office
	test     *dbtest.DB
	feed     *scriptedFeed
	market   *market.Service
	trading  *engine.Service
	notices  *notice.Service
	sessions *session.Service
	traders  *trader.Service
	kyc      *kyc.Service
	values   *switches.Service
	log      *audit.Log
	scores   *score.Service
	made     int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	test := dbtest.New(t)
	o := desktest.New(t, test.URL, func(c *desk.Config) { c.Health = desktest.Healthy })
	b := &bundle{T: t, Office: o, test: test, feed: &scriptedFeed{clock: o.Clock}, log: audit.NewLog(o.DB), sessions: session.New(o.DB, o.Clock, nil), scores: score.New(score.Config{DB: o.DB, Clock: o.Clock})}
	require.NoError(t, market.Seed(t.Context(), o.DB))
	public, key, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	b.market = market.New(market.Config{DB: o.DB, Feed: b.feed, Clock: o.Clock, Key: key, Checkpoints: seal.NewCheckpointStore(t.TempDir(), "tape")})
	require.NoError(t, b.market.Load(t.Context()))
	bus, err := events.Open("")
	require.NoError(t, err)
	t.Cleanup(bus.Close)
	b.trading = engine.New(o.DB, b.market, o.Clock, bus)
	values, err := switches.Load(t.Context(), o.DB, nil)
	require.NoError(t, err)
	b.values = values
	nobody := func(int64) {}
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	b.traders = trader.New(trader.Config{DB: o.DB, Clock: o.Clock, Sessions: b.sessions, Outbox: o.Outbox, Switches: values, Hasher: trader.NewHasherWith(passwordstest.Quick{}), Texts: o.Texts, Changed: nobody})
	keys, err := vault.Load(t.TempDir(), false)
	require.NoError(t, err)
	b.kyc = kyc.New(kyc.Config{DB: o.DB, Clock: o.Clock, Vault: keys, Switches: values})
	payees, withdrawals := payee.New(payee.Config{DB: o.DB, Clock: o.Clock, Switches: values, Vault: o.Keys}), withdrawal.New(withdrawal.Config{DB: o.DB, Clock: o.Clock, Switches: values, Changed: nobody})
	b.notices = notice.New(o.DB, o.Clock, values, bus, trader.Readers{DB: o.DB}, o.Approvals)
	o.Mount(tradedesk.Routes(tradedesk.Services{
		Traders:  b.traders,
		Deposits: deposit.New(deposit.Config{DB: o.DB, Clock: o.Clock, Switches: values, Pictures: upload.NewStore(t.TempDir()), Changed: nobody}),
		Sessions: b.sessions, Ledger: o.DB.Pool, Trading: b.trading, Market: b.market, Audit: b.log, Staff: o.Staff,
		Withdrawals: withdrawals, Payees: payees, Identities: b.kyc, Chat: support.New(o.DB, o.Clock, bus, nil, nil, nil), Tasks: task.New(o.DB, o.Clock, nil), Complaints: complaint.New(o.DB, o.Clock, nil, o.Approvals), Outbox: o.Outbox, Scores: b.scores, Bonuses: bonus.New(bonus.Config{DB: o.DB, Clock: o.Clock, Switches: values, Approvals: o.Approvals, Traders: b.traders, Changed: nobody}),
		Notices: b.notices, Proofs: proof.NewReader(o.DB.Pool, b.market), SealKey: public, Texts: texts, Owners: []tradedesk.Owners{payees.Owners, withdrawals.TradersByHash},
	}))
	return b
}

// quote emits a quote.
func (b *bundle) quote(symbol, bid, ask string) {
	b.Helper()
	b.Clock.Advance(time.Second)
	b.feed.raw = []market.Raw{{Symbol: symbol, Bid: bid, Ask: ask, At: b.Clock.Now(), SourceAt: b.Clock.Now()}}
	require.NoError(b, b.market.Backfill(b.Context()))
}

type someone struct {
	ledger.Owner
	real, mock ledger.Account
}

// register creates a trader with a real account that has this many dollars, and a practice account.
func (b *bundle) register(mail, phone string, dollars int64) (who someone) {
	b.Helper()
	ctx := b.Context()
	var optional *string
	if phone != "" {
		optional = &phone
	}
	err := b.DB.Pool.QueryRow(ctx, `INSERT INTO traders (email, phone, name, password_hash, country, language, invite_code, accepted_at, created_at)
		VALUES ($1, $2, $1, 'secret-hash', 'ES', 'es', md5($1), $3, $3) RETURNING id`, mail, optional, b.Clock.Now()).Scan(&who.TraderID)
	require.NoError(b, err)
	require.NoError(b, b.DB.InTx(ctx, func(tx *db.Tx) error {
		if who.real, err = ledger.OpenTx(ctx, tx, who.TraderID, ledger.Real, trader.Ordinary, b.Clock.Now()); err != nil {
			return err
		}
		if who.mock, err = ledger.OpenTx(ctx, tx, who.TraderID, ledger.Mock, trader.MockType, b.Clock.Now()); err != nil || dollars == 0 {
			return err
		}
		_, err = ledger.PostTx(ctx, tx, ledger.Transaction{
			Kind: "deposit", Key: "deposit:" + mail, Cause: "deposit:50001", Book: ledger.Real, At: b.Clock.Now(), Entries: who.real.Receive(dollars * money.Unit),
		})
		return err
	}))
	who.AccountID = who.real.ID
	return who
}

// guest creates a trader who has not registered.
func (b *bundle) guest() (who someone) {
	b.Helper()
	err := b.DB.Pool.QueryRow(b.Context(), `INSERT INTO traders (name, language, type, created_at) VALUES ('Guest 4F2A', 'es', 8, $1) RETURNING id`, b.Clock.Now()).Scan(&who.TraderID)
	require.NoError(b, err)
	require.NoError(b, b.DB.InTx(b.Context(), func(tx *db.Tx) error {
		who.mock, err = ledger.OpenTx(b.Context(), tx, who.TraderID, ledger.Mock, trader.GuestType, b.Clock.Now())
		return err
	}))
	who.AccountID = who.mock.ID
	return who
}

// login opens a session on a device.
func (b *bundle) login(who someone, agent, ip string) {
	b.Helper()
	require.NoError(b, b.DB.InTx(b.Context(), func(tx *db.Tx) error {
		actor := audit.Actor{Kind: audit.Trader, ID: who.TraderID, Name: "ma***a@example.com", IP: ip}
		if err := audit.RecordTx(b.Context(), tx, audit.By(actor, b.Clock.Now(), "trader.login", "trader", who.TraderID)); err != nil {
			return err
		}
		_, err := b.sessions.OpenTx(b.Context(), tx, who.TraderID, who.AccountID, session.Device{Fingerprint: agent + ip, UserAgent: agent, IP: ip})
		return err
	}))
}

func (b *bundle) once(who someone) idempotency.Request {
	b.made++
	return idempotency.Request{TraderID: who.TraderID, Call: "test", Key: strconv.Itoa(b.made)}
}

// buy opens a position; its lots are in hundredths.
func (b *bundle) buy(who someone, product int, hundredths int64, leverage int) trading.Position {
	b.Helper()
	done, err := b.trading.Open(b.Context(), trading.Open{Owner: who.Owner, ProductID: product, Side: trading.Buy, Lots: hundredths * 10_000, Leverage: leverage}, b.once(who))
	require.NoError(b, err)
	return done.Value.Position
}

func (b *bundle) close(who someone, p trading.Position) {
	b.Helper()
	_, err := b.trading.Close(b.Context(), trading.Close{Owner: who.Owner, PositionID: p.ID}, b.once(who))
	require.NoError(b, err)
}

func path(who someone, words ...string) string {
	return strings.Join(append([]string{"/admin/traders/" + strconv.FormatInt(who.TraderID, 10)}, words...), "/")
}

func (b *bundle) agent() *desktest.Browser {
	b.Helper()
	return b.SignInAs(b.T, b.Hire(b.T, "Support agent 03", access.SupportAgent))
}

// auditor signs in a member who may view everything, with exact amounts.
func (b *bundle) auditor() *desktest.Browser {
	b.Helper()
	return b.SignInAs(b.T, b.Hire(b.T, "Auditor 01", access.Auditor))
}
