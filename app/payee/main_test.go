package payee_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/payee"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/vault"
	"candor/app/platform/vault/vaulttest"
	"candor/app/switches"
	"candor/app/trader"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var (
	start     = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	proof     = trader.Proof{PaymentPassword: "271828", Code: "314159"}
	errProof  = errs.New(errs.Refused, "proof.wrong")
	houseIBAN = "GB82 WEST 1234 5698 7654 32"
)

// words translates to the key and the arguments, in order.
type words struct{}

func (words) Languages() []string { return []string{"en", "zh_CN", "ar"} }

func (words) T(lang, key string, args map[string]any) string {
	return fmt.Sprint(lang, " ", key, " ", args)
}

// prover accepts one proof and counts how often it was asked.
type prover struct {
	mu    sync.Mutex
	asked int
	acts  []trader.MoneyOut
	spent bool // a code works once
	once  bool
}

func (p *prover) Prove(_ context.Context, _ int64, given trader.Proof) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	p.acts = append(p.acts, given.For)
	if given.Of(proof.For) != proof || p.once && p.spent {
		return errProof
	}
	p.spent = true
	return nil
}

type bundle struct {
	*testing.T
	database *dbtest.DB
	db       *db.DB
	clock    *clock.Fixed
	switches *switches.Service
	prover   *prover
	keys     *vault.Vault
	payees   *payee.Service

	mu     sync.Mutex
	number int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	database := dbtest.New(t)
	d, err := db.Open(t.Context(), database.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	queue, err := jobs.New(d.Pool)
	require.NoError(t, err)
	values, err := switches.Load(t.Context(), d, nil)
	require.NoError(t, err)
	b := &bundle{T: t, database: database, db: d, clock: clock.NewFixed(start), switches: values, prover: &prover{}, keys: vaulttest.New(t)}
	outbox := mail.New(mail.Config{DB: d, Clock: b.clock, Queue: queue, Vault: b.keys, KeepUnsent: true})
	b.payees = payee.New(payee.Config{
		DB: d, Clock: b.clock, Switches: values, Outbox: outbox, Vault: b.keys, Texts: words{}, Prover: b.prover,
		House: deposit.New(deposit.Config{DB: d, Clock: b.clock, Switches: values}),
	})
	b.turn("true")
	b.exec(`
		INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, bank, holder, iban, bic, sort, enabled)
		VALUES (7, 'bank', 'SEPA', 'USDT', 20000000, 100000000000, 'Bank', 'Candor', $1, 'XXXX', 1, true)`, houseIBAN)
	return b
}

// turn sets the switch of the module.
func (b *bundle) turn(value string) {
	b.Helper()
	b.exec(`INSERT INTO switches (key, value) VALUES ('address.enabled', $1) ON CONFLICT (key) DO UPDATE SET value = $1`, value)
	require.NoError(b, b.switches.Reload(b.Context()))
}

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

// owner makes a trader with a real account.
func (b *bundle) owner() ledger.Owner {
	b.Helper()
	n := b.next()
	id := b.count(`
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ($1, 'T', '', 'DE', $2, now()) RETURNING id`,
		fmt.Sprintf("t%d@example.com", n), fmt.Sprint("I", n))
	return ledger.Owner{TraderID: id, AccountID: b.account(id, ledger.Real), Name: "t***", IP: "192.0.2.7", TraceID: "trace-owner"}
}

func (b *bundle) account(traderID int64, book ledger.Book) int64 {
	b.Helper()
	var account ledger.Account
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		account, err = ledger.OpenTx(b.Context(), tx, traderID, book, map[ledger.Book]int{ledger.Real: 1, ledger.Mock: 5}[book], start)
		return err
	}))
	return account.ID
}

// keyed returns a write request with a new idempotency key.
func (b *bundle) keyed(o ledger.Owner) idempotency.Request {
	return idempotency.Request{TraderID: o.TraderID, Call: "call", Key: fmt.Sprint("key-", b.next())}
}

// valueOf is the value of a keyed write's result.
func valueOf[T any](r idempotency.Result[T], err error) (T, error) { return r.Value, err }

func (b *bundle) tryAdd(o ledger.Owner, a payee.Address) (payee.Payee, error) {
	return valueOf(b.payees.Add(b.Context(), o, a, proof, b.keyed(o)))
}

func (b *bundle) add(o ledger.Owner, a payee.Address) payee.Payee {
	b.Helper()
	p, err := b.tryAdd(o, a)
	require.NoError(b, err)
	return p
}

func (b *bundle) tryBind(o ledger.Owner, a payee.Account) (payee.Payee, error) {
	return valueOf(b.payees.Bind(b.Context(), o, a, proof, b.keyed(o)))
}

func (b *bundle) bind(o ledger.Owner, a payee.Account) payee.Payee {
	b.Helper()
	p, err := b.tryBind(o, a)
	require.NoError(b, err)
	return p
}

func (b *bundle) tryRemove(o ledger.Owner, kind payee.Kind, id int64) (payee.Payee, error) {
	return valueOf(b.payees.Remove(b.Context(), o, kind, id, proof, b.keyed(o)))
}

func (b *bundle) tryRestore(o ledger.Owner, kind payee.Kind, id int64) (payee.Payee, error) {
	return valueOf(b.payees.Restore(b.Context(), o, kind, id, proof, b.keyed(o)))
}

func (b *bundle) only(o ledger.Owner, on bool) payee.Settings {
	b.Helper()
	s, err := valueOf(b.payees.SetWhitelistOnly(b.Context(), o, on, proof, b.keyed(o)))
	require.NoError(b, err)
	return s
}

// acts lists the actions in the audit log about the owner's payees and settings, in order.
func (b *bundle) acts(o ledger.Owner) (list []string) {
	b.Helper()
	rows, err := b.db.Pool.Query(b.Context(), `SELECT action FROM audit_entries WHERE actor_id = $1 ORDER BY id`, o.TraderID)
	require.NoError(b, err)
	defer rows.Close()
	for rows.Next() {
		var action string
		require.NoError(b, rows.Scan(&action))
		list = append(list, action)
	}
	return list
}

// told lists the subjects of the messages to the owner, in order.
func (b *bundle) told(o ledger.Owner) (list []string) {
	b.Helper()
	require.NoError(b, b.db.Rows(b.Context()).Raw(`
		SELECT subject FROM outbox JOIN traders t ON t.email = recipient WHERE t.id = ? ORDER BY outbox.id`, o.TraderID).Scan(&list).Error)
	return list
}

var (
	home  = payee.Address{Coin: "USDT", Chain: "ethereum", Address: evm, Label: "Home"}
	other = payee.Address{Coin: "USDT", Chain: "tron", Address: tronOne, Label: "Other"}
	bank  = payee.Account{Holder: "Anna Muster", Bank: "Sparkasse", IBAN: "DE89 3704 0044 0532 0130 00", BIC: "cobadeff xxx", Label: "Salary"}
)
