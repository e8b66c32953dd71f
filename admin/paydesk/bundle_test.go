package paydesk_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/admin/paydesk"
	"candor/app/audit"
	"candor/app/banking"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/payee"
	"candor/app/payee/payeetest"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/i18n"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/trading"
	"candor/app/withdrawal"
	"candor/locales"
)

const usdt = money.Unit

// bundle is a desk with withdrawals and staff.
type bundle struct {
	*testing.T
	*desktest.Office
	database    *dbtest.DB
	withdrawals *withdrawal.Service
	config      withdrawal.Config
	switches    *switches.Service
	log         *audit.Log
	texts       *i18n.Catalogue // of the trader app
	stranger    string          // a holder whose name matches no trader
	made        int
}

// willing stubs the checks of a withdrawal: every trader's proof is right, and positions need no margin.
type willing struct{}

func (willing) Prove(context.Context, int64, trader.Proof) error { return nil }

func (willing) WithdrawalLock(context.Context, int64) (time.Time, string, error) {
	return time.Time{}, "", nil
}

// WithdrawalLockTx is WithdrawalLock inside a transaction.
func (w willing) WithdrawalLockTx(_ *db.Tx, traderID int64) (time.Time, string, error) {
	return w.WithdrawalLock(context.Background(), traderID)
}

func (willing) HaltedTx(*db.Tx) error { return nil }

// HolderIs accepts every holder but the stranger.
func (b *bundle) HolderIs(_ context.Context, _ int64, holder string) (bool, error) {
	return holder != b.stranger, nil
}

// HolderIsTx is HolderIs inside a transaction.
func (b *bundle) HolderIsTx(ctx context.Context, _ *db.Tx, traderID int64, holder string) (bool, error) {
	return b.HolderIs(ctx, traderID, holder)
}

func (willing) WithdrawableTx(_ context.Context, _ *db.Tx, account ledger.Account) (int64, error) {
	return account.Cash, nil
}

// Value values an account without positions.
func (willing) Value(context.Context, int64) (trading.Valuation, error) {
	return trading.Valuation{Equity: 1_234 * usdt, Free: 1_000 * usdt}, nil
}

func (willing) TradedTx(context.Context, *db.Tx, int64) (bool, error) { return false, nil }

func setup(t *testing.T) *bundle {
	t.Helper()
	database := dbtest.New(t)
	o := desktest.New(t, database.URL, func(c *desk.Config) { c.Health = desktest.Healthy })
	b := &bundle{T: t, Office: o, database: database, log: audit.NewLog(o.DB)}
	var err error
	b.switches, err = switches.Load(t.Context(), o.DB, nil)
	require.NoError(t, err)
	b.config = withdrawal.Config{DB: o.DB, Clock: o.Clock, Switches: b.switches, Traders: willing{}, Identities: b, Payees: payee.New(payee.Config{DB: o.DB, Clock: o.Clock, Switches: b.switches, Vault: o.Keys}), Positions: willing{}, Gate: willing{}, Banks: banking.Payers{DB: o.DB}, Vault: o.Keys, Approvals: o.Approvals, Changed: func(int64) {}}
	b.withdrawals = withdrawal.New(b.config)
	require.NoError(t, deposit.SeedSpecimen(t.Context(), o.DB))
	require.NoError(t, banking.SeedSpecimen(t.Context(), o.DB))
	b.texts, err = i18n.Load(locales.Customer())
	require.NoError(t, err)
	traders := trader.New(trader.Config{DB: o.DB, Clock: o.Clock, Sessions: session.New(o.DB, o.Clock, nil), Outbox: o.Outbox, Switches: b.switches, Hasher: trader.NewHasherWith(passwordstest.Quick{}), Texts: b.texts, Changed: func(int64) {}})
	o.Hire(t, "Approver 01", access.FinanceMaker)
	o.Hire(t, "Approver 02", access.FinanceChecker)
	o.Mount(paydesk.Routes(paydesk.Services{Withdrawals: b.withdrawals, Traders: traders, Trading: willing{}, Staff: o.Staff, Audit: b.log, Texts: b.texts}))
	return b
}

// approvers are who approved a withdrawal, in order; nobody before the first person does.
func (b *bundle) approvers(id int64) []int64 {
	b.Helper()
	found, err := b.withdrawals.Approvals(b.Context(), b.now(id))
	require.NoError(b, err)
	if a, approved := found[id]; approved {
		return a.Approvers()
	}
	return nil
}

func (b *bundle) exec(sql string, args ...any) {
	b.Helper()
	_, err := b.DB.Pool.Exec(context.Background(), sql, args...)
	require.NoError(b, err)
}

func (b *bundle) count(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.DB.Pool.QueryRow(context.Background(), sql, args...).Scan(&n))
	return n
}

// owner is a trader with money and a payee.
type owner struct {
	ledger.Owner
	payee int64
}

// owner creates a verified trader with this name, a million on the account, and a bank account of the holder.
func (b *bundle) owner(name, holder string) owner {
	b.Helper()
	b.made++
	now := b.Clock.Now()
	id := b.count(`INSERT INTO traders (email, name, password_hash, country, language, level, invite_code, accepted_at)
		VALUES ($1, $2, 'x', 'ES', 'zh_CN', 2, $3, now()) RETURNING id`, fmt.Sprintf("t%d@example.com", b.made), name, fmt.Sprint("I", b.made))
	o := owner{Owner: ledger.Owner{TraderID: id, Name: "m***a"}}
	require.NoError(b, b.DB.InTx(context.Background(), func(tx *db.Tx) error {
		account, err := ledger.OpenTx(context.Background(), tx, id, ledger.Real, trader.Ordinary, now)
		if err != nil {
			return err
		}
		o.AccountID = account.ID
		_, err = ledger.PostTx(context.Background(), tx, ledger.Transaction{Kind: "deposit", Key: fmt.Sprint("in:", id), Cause: "test", Book: ledger.Real, At: now, Entries: account.Receive(1_000_000 * usdt)})
		return err
	}))
	o.payee = b.saved(payee.Payee{TraderID: id, Label: "Mine", Bank: "Specimen Bank", IBAN: fmt.Sprintf("DE0212030000%010d", b.made), BIC: "BYLADEM1001"}, holder)
	return o
}

// saved adds a bank account that has been usable for an hour.
func (b *bundle) saved(p payee.Payee, holder string) int64 {
	b.Helper()
	p.UsableFrom, p.CreatedAt = b.Clock.Now().Add(-time.Hour), b.Clock.Now().Add(-26*time.Hour)
	id, err := payeetest.Bank(context.Background(), b.DB, b.Keys, p, holder)
	require.NoError(b, err)
	return id
}

// ask requests a withdrawal of whole dollars.
func (b *bundle) ask(o owner, dollars int64) withdrawal.Withdrawal {
	b.Helper()
	b.made++
	request := idempotency.Request{TraderID: o.TraderID, Call: "test", Key: strconv.Itoa(b.made)}
	done, err := b.withdrawals.Request(context.Background(), o.Owner, withdrawal.ByBank, o.payee, dollars*usdt, trader.Proof{}, request)
	require.NoError(b, err)
	return done.Value
}

// cryptoWithdrawal requests a crypto withdrawal to an address that a new trader has saved.
func (b *bundle) cryptoWithdrawal(dollars int64) withdrawal.Withdrawal {
	b.Helper()
	o := b.owner("Marta Specimen", "Marta Specimen")
	now := b.Clock.Now()
	o.payee = b.count(`INSERT INTO payees (trader_id, kind, coin, chain, address, label, usable_from, created_at)
		VALUES ($1, 'address', 'USDT', 'tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'Exchange', $2, $3) RETURNING id`, o.TraderID, now.Add(-time.Hour), now.Add(-26*time.Hour))
	request := idempotency.Request{TraderID: o.TraderID, Call: "test", Key: strconv.Itoa(b.made)}
	done, err := b.withdrawals.Request(context.Background(), o.Owner, withdrawal.Crypto, o.payee, dollars*usdt, trader.Proof{}, request)
	require.NoError(b, err)
	return done.Value
}

// waiting is a new trader's withdrawal that no member has worked on.
func (b *bundle) waiting(dollars int64) withdrawal.Withdrawal {
	b.Helper()
	return b.ask(b.owner("Marta Specimen", "Marta Specimen"), dollars)
}

func (b *bundle) now(id int64) withdrawal.Withdrawal {
	b.Helper()
	w, err := b.withdrawals.Read(context.Background(), id)
	require.NoError(b, err)
	return w
}

func (b *bundle) cash(accountID int64) int64 {
	b.Helper()
	a, err := ledger.Load(context.Background(), b.DB.Pool, accountID)
	require.NoError(b, err)
	return a.Cash
}

// seat is a member of staff at the desk.
type seat struct {
	*desktest.Browser
	b *bundle
}

func (b *bundle) seat(name string, roles ...access.Role) seat {
	b.Helper()
	return seat{b.SignInAs(b.T, b.Hire(b.T, name, roles...)), b}
}

// team is one member of each role that works on withdrawals.
type team struct{ maker, checker, lead, compliance seat }

func (b *bundle) team() team {
	return team{
		b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance checker 01", access.FinanceChecker),
		b.seat("Finance lead 01", access.FinanceLead), b.seat("Compliance lead 01", access.ComplianceLead),
	}
}

func path(w withdrawal.Withdrawal, words ...string) string {
	return strings.Join(append([]string{fmt.Sprint("/admin/withdrawals/", w.ID)}, words...), "/")
}

func (s seat) claim(w withdrawal.Withdrawal) *httptest.ResponseRecorder {
	return s.Send(path(w, "claim"), nil)
}

func (s seat) release(w withdrawal.Withdrawal) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodDelete, path(w, "claim"), nil)
	r.Header.Set("HX-Request", "true")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return s.Do(r)
}

// form is the posted form of an act on a withdrawal in its current state.
func (s seat) form(w withdrawal.Withdrawal) url.Values {
	now := s.b.now(w.ID)
	to := now.Destination()
	return url.Values{
		"version": {strconv.Itoa(now.Version)}, "facts": {hex.EncodeToString(now.Facts())}, "proof": {to[len(to)-4:]},
		"reason": {"other"}, "payment": {fmt.Sprint("BANK-", w.ID)}, "code": {s.Code(s.b.T)}, "from": {strconv.Itoa(banking.SpecimenID)}, "amount": {money.Format(now.Net()/10_000, 2)},
		"note": {"asked by telephone"},
	}
}

// act posts a dialog about a withdrawal in its current state.
func (s seat) act(w withdrawal.Withdrawal, noun string) *httptest.ResponseRecorder {
	return s.Send(path(w, noun), s.form(w))
}

// did claims a withdrawal and posts a dialog; both must succeed.
func (s seat) did(w withdrawal.Withdrawal, noun string) {
	s.b.Helper()
	answer := s.claim(w)
	require.Equal(s.b, http.StatusOK, answer.Code, answer.Body.String())
	answer = s.act(w, noun)
	require.Equal(s.b, http.StatusOK, answer.Code, answer.Body.String())
}

// in brings a withdrawal of this many dollars into a state.
func (b *bundle) in(p team, state withdrawal.State, dollars int64) withdrawal.Withdrawal {
	b.Helper()
	w := b.waiting(dollars)
	type step struct {
		who  seat
		noun string
	}
	approved := []step{{p.maker, "approval"}}
	queued := slices.Concat(approved, []step{{p.checker, "confirmation"}})
	if dollars*usdt > b.withdrawals.LeadAbove() && state != withdrawal.Approved2 {
		queued = append(queued, step{p.lead, "third-approval"})
	}
	sending := slices.Concat(queued, []step{{p.maker, "sending"}})
	paths := map[withdrawal.State][]step{
		withdrawal.MoreInfo: {{p.maker, "question"}}, withdrawal.Approved1: approved, withdrawal.Approved2: queued, withdrawal.Queued: queued, withdrawal.Processing: sending,
		withdrawal.Sent: slices.Concat(sending, []step{{p.maker, "payment"}}), withdrawal.OutcomeUnknown: slices.Concat(sending, []step{{p.maker, "unknown-outcome"}}),
	}
	for _, s := range paths[state] {
		s.who.did(w, s.noun)
	}
	if state == withdrawal.Frozen {
		require.Equal(b, http.StatusOK, p.compliance.act(w, "freeze").Code)
	}
	require.Equal(b, state, b.now(w.ID).State)
	return b.now(w.ID)
}

// unchanged runs a request that must be refused, and requires that the withdrawal and its account stay as they were.
func (b *bundle) unchanged(w withdrawal.Withdrawal, status int, request func() *httptest.ResponseRecorder) string {
	b.Helper()
	before, cash := b.now(w.ID), b.cash(w.AccountID)
	answer := request()
	require.Equal(b, status, answer.Code, answer.Body.String())
	require.Equal(b, before, b.now(w.ID), "nothing changed")
	require.Equal(b, cash, b.cash(w.AccountID), "no money moved")
	return answer.Body.String()
}
