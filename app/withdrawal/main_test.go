package withdrawal_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/notice"
	"candor/app/payee"
	"candor/app/payee/payeetest"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/platform/events"
	"candor/app/platform/i18n"
	"candor/app/platform/idempotency"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/money"
	"candor/app/platform/vault"
	"candor/app/platform/vault/vaulttest"
	"candor/app/staff"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/withdrawal"
	"candor/locales"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var (
	start     = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	proof     = trader.Proof{PaymentPassword: "271828", Code: "314159"}
	errProof  = errs.New(errs.Refused, "proof.wrong")
	errHalted = errs.New(errs.Refused, "stopped")
)

const (
	usdt  = money.Unit
	known = "asked by telephone"
	payer = 1 // the bank account that pays
)

// bundle is a fixture with traders and staff.
type bundle struct {
	*testing.T
	database    *dbtest.DB
	db          *db.DB
	clock       *clock.Fixed
	switches    *switches.Service
	outbox      *mail.Outbox
	withdrawals *withdrawal.Service
	config      withdrawal.Config
	maker       audit.Actor
	checker     audit.Actor
	lead        audit.Actor

	mu         sync.Mutex
	number     int
	changed    []int64
	asked      int             // calls of Prove
	act        trader.MoneyOut // of the last proof
	needed     int64           // by the positions of each account
	traded     bool            // with real money
	until      time.Time
	halted     error
	restricted error
	payees     *payee.Service
	keys       *vault.Vault
	stranger   string // a holder name that is not the trader's
}

func setup(t *testing.T) *bundle {
	t.Helper()
	database := dbtest.New(t)
	d, err := db.Open(t.Context(), database.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	values, err := switches.Load(t.Context(), d, nil)
	require.NoError(t, err)
	b := &bundle{T: t, database: database, db: d, clock: clock.NewFixed(start), switches: values, keys: vaulttest.New(t)}
	b.payees = payee.New(payee.Config{DB: d, Clock: b.clock, Switches: values, Vault: b.keys})
	b.config = withdrawal.Config{DB: d, Clock: b.clock, Switches: values, Traders: b, Identities: b, Payees: b.payees, Positions: b, Gate: b, Messenger: b.messenger(t), Banks: banks{}, Vault: b.keys, Changed: b.onChanged, Approvals: b.approvals()}
	b.exec(`INSERT INTO bank_accounts (id, name, bank, holder, iban, bic, currency, client, open, created_at) VALUES ($1, 'Clients', 'Bank', 'Candor', $2, 'COBADEFF', 'USD', true, true, now())`, payer, payerIBAN)
	b.withdrawals = withdrawal.New(b.config)
	b.maker, b.checker, b.lead = b.staff("Finance maker 02"), b.staff("Finance checker 01"), b.staff("Finance lead 01")
	for role, who := range map[staff.Role]audit.Actor{staff.FinanceMaker: b.maker, staff.FinanceChecker: b.checker} {
		b.exec(`INSERT INTO staff_roles (staff_id, role, granted_at) VALUES ($1, $2, now())`, who.ID, role)
	}
	return b
}

const payerIBAN = "DE89370400440532013000"

// banks has one account that pays.
type banks struct{}

func (banks) Payers(context.Context) ([]withdrawal.Payer, error) {
	return []withdrawal.Payer{{ID: payer, Name: "Clients", Holder: "Candor", IBAN: payerIBAN, BIC: "COBADEFF", Currency: "USD"}}, nil
}

func (b banks) PayerTx(_ *db.Tx, id int) (withdrawal.Payer, error) {
	if id != payer {
		return withdrawal.Payer{}, withdrawal.ErrPayer
	}
	all, err := b.Payers(context.Background())
	return all[0], err
}

// approvals is a new engine: each service declares its uses once.
func (b *bundle) approvals() *approval.Engine { return approval.New(b.db, b.clock, trader.TakeDutyTx) }

// approvers are who approved a withdrawal, in order; nobody before the first person does.
func (b *bundle) approvers(w withdrawal.Withdrawal) []int64 {
	b.Helper()
	found, err := b.withdrawals.Approvals(b.Context(), w)
	require.NoError(b, err)
	if a, approved := found[w.ID]; approved {
		return a.Approvers()
	}
	return nil
}

// Prove accepts one proof and counts the calls.
func (b *bundle) Prove(_ context.Context, _ int64, given trader.Proof) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked++
	b.act = given.For
	if given.Of(proof.For) != proof {
		return errProof
	}
	return nil
}

func (b *bundle) WithdrawalLock(context.Context, int64) (time.Time, string, error) {
	if b.restricted != nil {
		return time.Time{}, "", b.restricted
	}
	if b.until.After(b.clock.Now()) {
		return b.until, "password_change", nil
	}
	return time.Time{}, "", nil
}

// WithdrawalLockTx is WithdrawalLock inside a transaction.
func (b *bundle) WithdrawalLockTx(_ *db.Tx, traderID int64) (time.Time, string, error) {
	return b.WithdrawalLock(b.Context(), traderID)
}

// HolderIs is false for one holder name.
func (b *bundle) HolderIs(_ context.Context, _ int64, holder string) (bool, error) {
	return holder != b.stranger, nil
}

// HolderIsTx is HolderIs inside a transaction.
func (b *bundle) HolderIsTx(ctx context.Context, _ *db.Tx, traderID int64, holder string) (bool, error) {
	return b.HolderIs(ctx, traderID, holder)
}

func (b *bundle) WithdrawableTx(_ context.Context, _ *db.Tx, account ledger.Account) (int64, error) {
	return max(0, account.Cash-b.needed), nil
}

func (b *bundle) TradedTx(context.Context, *db.Tx, int64) (bool, error) { return b.traded, nil }

func (b *bundle) HaltedTx(*db.Tx) error { return b.halted }

func (b *bundle) onChanged(accountID int64) {
	b.mu.Lock()
	b.changed = append(b.changed, accountID)
	b.mu.Unlock()
}

// next is a unique number.
func (b *bundle) next() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.number++
	return b.number
}

func (b *bundle) exec(sql string, args ...any) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

func (b *bundle) count(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

func (b *bundle) set(key, value string) {
	b.Helper()
	b.exec(`INSERT INTO switches (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2`, key, value)
	require.NoError(b, b.switches.Reload(b.Context()))
}

func (b *bundle) staff(name string) audit.Actor {
	b.Helper()
	id := b.count(`INSERT INTO staff (email, name, state, created_at) VALUES ($1, $2, 'invited', now()) RETURNING id`, fmt.Sprintf("s%d@example.com", b.next()), name)
	b.exec(`UPDATE staff SET state = 'active' WHERE id = $1`, id)
	return audit.Actor{Kind: audit.Staff, ID: id, Name: name, IP: "192.0.2.9", TraceID: "trace-desk"}
}

// owner is a trader with money and a payee.
type owner struct {
	ledger.Owner
	payee   int64
	onChain bool
}

func (o owner) kind() withdrawal.Kind {
	if o.onChain {
		return withdrawal.Crypto
	}
	return withdrawal.ByBank
}

// owner makes a verified trader with cash on the real account and a usable bank account.
func (b *bundle) owner(level int, cash int64) owner {
	b.Helper()
	n := b.next()
	id := b.count(`INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at, level) VALUES ($1, 'T', '', 'DE', $2, now(), $3) RETURNING id`,
		fmt.Sprintf("t%d@example.com", n), fmt.Sprint("I", n), level)
	o := owner{Owner: ledger.Owner{TraderID: id, AccountID: b.account(id, ledger.Real, 1), Name: "t***", IP: "192.0.2.7", TraceID: "trace-owner"}}
	b.receive(o.AccountID, cash)
	o.payee = b.payee(id, start.Add(-25*time.Hour))
	return o
}

func (b *bundle) payee(traderID int64, created time.Time) int64 {
	b.Helper()
	return b.payeeOf(traderID, holder, created)
}

// holder is the name on every bank account.
const holder = "Marta Ada"

func (b *bundle) payeeOf(traderID int64, holder string, created time.Time) int64 {
	b.Helper()
	return b.payeeAt(traderID, holder, fmt.Sprintf("DE%020d", b.next()), created)
}

func (b *bundle) payeeAt(traderID int64, holder, iban string, created time.Time) int64 {
	b.Helper()
	id, err := payeetest.Bank(b.Context(), b.db, b.keys, payee.Payee{
		TraderID: traderID, Label: "Mine", Bank: "Specimen Bank", IBAN: iban, BIC: "BYLADEM1001", UsableFrom: created.Add(payee.Cooldown), CreatedAt: created,
	}, holder)
	require.NoError(b, err)
	return id
}

// address saves an address that is usable since yesterday.
func (b *bundle) address(traderID int64, coin, chain, text string) int64 {
	b.Helper()
	return b.count(`INSERT INTO payees (trader_id, kind, coin, chain, address, label, usable_from, created_at) VALUES ($1, 'address', $2, $3, $4, 'Mine', $5, $6) RETURNING id`,
		traderID, coin, chain, text, start, start.Add(-payee.Cooldown))
}

func (b *bundle) account(traderID int64, book ledger.Book, accountType int) int64 {
	b.Helper()
	var account ledger.Account
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		account, err = ledger.OpenTx(b.Context(), tx, traderID, book, accountType, start)
		return err
	}))
	return account.ID
}

func (b *bundle) receive(accountID, amount int64) {
	b.Helper()
	if amount == 0 {
		return
	}
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) error {
		a, err := ledger.LockTx(b.Context(), tx, accountID)
		if err != nil {
			return err
		}
		_, err = ledger.PostTx(b.Context(), tx, ledger.Transaction{Kind: "deposit", Key: fmt.Sprint("in:", b.next()), Cause: "test", Book: a.Book, At: start, Entries: a.Receive(amount)})
		return err
	}))
}

func (b *bundle) cash(accountID int64) int64 {
	b.Helper()
	a, err := ledger.Load(b.Context(), b.db.Pool, accountID)
	require.NoError(b, err)
	return a.Cash
}

// house is the balance of a house account.
func (b *bundle) house(name string) int64 {
	b.Helper()
	return b.count(`SELECT coalesce(sum(p.amount), 0) FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.name = $1 AND a.book = 'real'`, name)
}

// keyed is a write request with a unique key.
func (b *bundle) keyed(o owner) idempotency.Request {
	return idempotency.Request{TraderID: o.TraderID, Call: "call", Key: fmt.Sprint("key-", b.next())}
}

// valueOf is the value of a keyed write's result.
func valueOf(r idempotency.Result[withdrawal.Withdrawal], err error) (withdrawal.Withdrawal, error) {
	return r.Value, err
}

func (b *bundle) request(o owner, amount int64) (withdrawal.Withdrawal, error) {
	return valueOf(b.withdrawals.Request(b.Context(), o.Owner, o.kind(), o.payee, amount, proof, b.keyed(o)))
}

func (b *bundle) requested(o owner, amount int64) withdrawal.Withdrawal {
	b.Helper()
	w, err := b.request(o, amount)
	require.NoError(b, err)
	return w
}

func (b *bundle) read(id int64) withdrawal.Withdrawal {
	b.Helper()
	w, err := b.withdrawals.Read(b.Context(), id)
	require.NoError(b, err)
	return w
}

// by claims a withdrawal and acts on its current version.
func (b *bundle) by(who audit.Actor, id int64, act func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error)) (withdrawal.Withdrawal, error) {
	b.Helper()
	w, err := b.withdrawals.Claim(b.Context(), who, id)
	if err != nil {
		return w, err
	}
	return act(w)
}

func (b *bundle) approve(who audit.Actor, id int64) (withdrawal.Withdrawal, error) {
	b.Helper()
	return b.by(who, id, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
		return b.withdrawals.Approve(b.Context(), who, w.ID, w.Version, w.State, w.Facts())
	})
}

// in brings a withdrawal of 100 USDT into a state.
func (b *bundle) in(o owner, state withdrawal.State) withdrawal.Withdrawal {
	b.Helper()
	w := b.requested(o, 100*usdt)
	must := func(moved withdrawal.Withdrawal, err error) {
		b.Helper()
		require.NoError(b, err)
		w = moved
	}
	ctx := b.Context()
	steps := map[withdrawal.State]func(){
		withdrawal.Approved1: func() { must(b.approve(b.maker, w.ID)) },
		withdrawal.Queued:    func() { must(b.approve(b.checker, w.ID)) },
		withdrawal.Approved2: func() {
			b.set(switches.LeadAboveKey, "50")
			must(b.approve(b.checker, w.ID))
			b.set(switches.LeadAboveKey, "25000")
		},
		withdrawal.Processing: func() {
			must(b.by(b.maker, w.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
				return b.withdrawals.Begin(ctx, b.maker, w.ID, w.Version, payer)
			}))
		},
		withdrawal.Sent: func() {
			must(b.withdrawals.Finish(ctx, b.maker, w.ID, w.Version, fmt.Sprint("PAY-", b.next()), true))
		},
		withdrawal.OutcomeUnknown: func() { must(b.withdrawals.Finish(ctx, b.maker, w.ID, w.Version, "", false)) },
		withdrawal.MoreInfo: func() {
			must(b.by(b.maker, w.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
				return b.withdrawals.Ask(ctx, b.maker, w.ID, w.Version, "source_of_funds", "")
			}))
		},
		withdrawal.Rejected: func() {
			must(b.by(b.maker, w.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
				return b.withdrawals.Reject(ctx, b.maker, w.ID, w.Version, "other", "")
			}))
		},
		withdrawal.Cancelled: func() { must(valueOf(b.withdrawals.Cancel(ctx, o.Owner, w.ID, b.keyed(o)))) },
		withdrawal.Frozen:    func() { must(b.withdrawals.Freeze(ctx, b.lead, w.ID, w.Version, "under_examination", "")) },
		withdrawal.Failed: func() {
			must(b.by(b.maker, w.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
				return b.withdrawals.RecordFinding(ctx, b.maker, w.ID, w.Version, false, "", known)
			}))
			must(b.by(b.checker, w.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
				return b.withdrawals.ConfirmFinding(ctx, b.checker, w.ID, w.Version)
			}))
		},
		withdrawal.Returned: func() {
			must(b.by(b.maker, w.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
				return b.withdrawals.RecordReturn(ctx, b.maker, w.ID, w.Version, "account_closed", "")
			}))
		},
		withdrawal.Completed: func() {
			b.exec(`UPDATE withdrawals SET sent_at = sent_at - interval '6 days' WHERE id = $1`, w.ID)
			_, err := b.withdrawals.Complete(ctx)
			require.NoError(b, err)
			w = b.read(w.ID)
		},
	}
	paths := map[withdrawal.State][]withdrawal.State{
		withdrawal.Review: {}, withdrawal.MoreInfo: {withdrawal.MoreInfo}, withdrawal.Approved1: {withdrawal.Approved1},
		withdrawal.Approved2: {withdrawal.Approved1, withdrawal.Approved2}, withdrawal.Queued: {withdrawal.Approved1, withdrawal.Queued},
		withdrawal.Processing:     {withdrawal.Approved1, withdrawal.Queued, withdrawal.Processing},
		withdrawal.Sent:           {withdrawal.Approved1, withdrawal.Queued, withdrawal.Processing, withdrawal.Sent},
		withdrawal.OutcomeUnknown: {withdrawal.Approved1, withdrawal.Queued, withdrawal.Processing, withdrawal.OutcomeUnknown},
		withdrawal.Failed:         {withdrawal.Approved1, withdrawal.Queued, withdrawal.Processing, withdrawal.OutcomeUnknown, withdrawal.Failed},
		withdrawal.Completed:      {withdrawal.Approved1, withdrawal.Queued, withdrawal.Processing, withdrawal.Sent, withdrawal.Completed},
		withdrawal.Returned:       {withdrawal.Approved1, withdrawal.Queued, withdrawal.Processing, withdrawal.Sent, withdrawal.Returned},
		withdrawal.Cancelled:      {withdrawal.Cancelled}, withdrawal.Rejected: {withdrawal.Rejected}, withdrawal.Frozen: {withdrawal.Frozen},
	}
	for _, next := range paths[state] {
		steps[next]()
	}
	require.Equal(b, state, w.State)
	return w
}

// atOnce runs do eight times concurrently and counts the successes; the others must fail with one of refusals.
func (b *bundle) atOnce(do func(n int) error, refusals ...error) int {
	b.Helper()
	var worked atomic.Int32
	var group errgroup.Group
	for n := range 8 {
		group.Go(func() error {
			err := do(n)
			if err == nil {
				worked.Add(1)
				return nil
			}
			for _, refusal := range refusals {
				if errors.Is(err, refusal) {
					return nil
				}
			}
			return err
		})
	}
	require.NoError(b, group.Wait())
	return int(worked.Load())
}

// requireProved requires that the ledger verifies, and that the ledger and the withdrawals agree on the money under way.
func (b *bundle) requireProved() {
	b.Helper()
	problem, _, err := ledger.Verify(b.Context(), b.db.Pool)
	require.NoError(b, err)
	require.Nil(b, problem)
	require.Equal(b, b.count(`SELECT coalesce(sum(amount), 0) FROM withdrawals WHERE sent_id IS NULL AND back_id IS NULL`), b.house("payouts"))
}

// messenger writes to traders through an outbox that keeps everything.
func (b *bundle) messenger(t *testing.T) *trader.Messenger {
	t.Helper()
	queue, err := jobs.New(b.db.Pool)
	require.NoError(t, err)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	bus, err := events.Open("")
	require.NoError(t, err)
	t.Cleanup(bus.Close)
	if b.outbox == nil {
		b.outbox = mail.New(mail.Config{DB: b.db, Clock: b.clock, Queue: queue, Vault: vaulttest.New(t), KeepUnsent: true})
	}
	return trader.NewMessenger(b.clock, b.outbox, texts, notice.New(b.db, b.clock, nil, bus, nil, nil))
}

// mailbox are a trader's messages in the app, oldest first.
func (b *bundle) mailbox(traderID int64) (list []notice.Message) {
	b.Helper()
	list, _, err := notice.New(b.db, b.clock, nil, nil, nil, nil).Messages(b.Context(), traderID, nil, 0, 0, 100)
	require.NoError(b, err)
	slices.Reverse(list)
	return list
}

// mails are the mails to a trader, newest first.
func (b *bundle) mails(traderID int64) (list []mail.Message) {
	b.Helper()
	var address string
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT email FROM traders WHERE id = $1`, traderID).Scan(&address))
	list, err := b.outbox.List(b.Context(), address, 50)
	require.NoError(b, err)
	return list
}

// execAsOwner runs a statement that the server's role may not run.
func (b *bundle) execAsOwner(sql string, args ...any) {
	b.Helper()
	owner, err := db.Open(b.Context(), b.database.OwnerURL)
	require.NoError(b, err)
	defer owner.Close()
	_, err = owner.Pool.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}
