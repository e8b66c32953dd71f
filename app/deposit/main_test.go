package deposit_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/notice"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/events"
	"candor/app/platform/i18n"
	"candor/app/platform/idempotency"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/money"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/platform/vault/vaulttest"
	"candor/app/switches"
	"candor/app/trader"
	"candor/locales"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const (
	usdt    = money.Unit
	channel = 7
)

type bundle struct {
	*testing.T
	*fixture
}

// fixture is shared by the subtests of one test.
type fixture struct {
	db       *db.DB
	keeper   *db.DB // owner of the tables, for statements that the server's role may not run
	clock    *clock.Fixed
	switches *switches.Service
	keys     *vault.Vault
	outbox   *mail.Outbox
	deposits *deposit.Service
	config   deposit.Config
	maker    audit.Actor
	checker  audit.Actor

	mu      sync.Mutex
	number  int
	changed []int64
	test    *dbtest.DB
}

// start makes the service by the configuration of now.
func (b *bundle) start() {
	b.config.Approvals = approval.New(b.db, b.clock, trader.TakeDutyTx)
	b.deposits = deposit.New(b.config)
}

func setup(t *testing.T) *bundle {
	t.Helper()
	addresses := dbtest.New(t)
	d, err := db.Open(t.Context(), addresses.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	keeper, err := db.Open(t.Context(), addresses.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(keeper.Close)
	values, err := switches.Load(t.Context(), d, nil)
	require.NoError(t, err)
	b := &bundle{t, &fixture{test: addresses, db: d, keeper: keeper, clock: clock.NewFixed(start), switches: values, keys: vaulttest.New(t)}}
	b.config = deposit.Config{
		DB: d, Clock: b.clock, Switches: values, Pictures: upload.NewStore(t.TempDir()), Messenger: b.messenger(t), Identities: named{}, Vault: b.keys, Changed: b.onChanged,
	}
	b.start()
	b.exec(`
		INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, bank, holder, iban, bic, sort, enabled)
		VALUES ($1, 'bank', 'SEPA', 'USDT', 20000000, 100000000000, 'Bank', 'Candor', 'DE00', 'XXXX', 1, true),
		       (8, 'bank', 'Closed', 'USDT', 20000000, 100000000000, 'Bank', 'Candor', 'DE00', 'XXXX', 2, false)`, channel)
	b.maker, b.checker = b.staff("Finance maker 02"), b.staff("Finance checker 01")
	return b
}

// in is the same world for a subtest.
func (b *bundle) in(t *testing.T) *bundle { return &bundle{t, b.fixture} }

func (b *fixture) onChanged(accountID int64) {
	b.mu.Lock()
	b.changed = append(b.changed, accountID)
	b.mu.Unlock()
}

// next is a unique number.
func (b *fixture) next() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.number++
	return b.number
}

func (b *bundle) exec(sql string, args ...any) {
	b.Helper()
	_, err := b.keeper.Pool.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

func (b *bundle) count(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

func (b *bundle) staff(name string) audit.Actor {
	b.Helper()
	id := b.count(`INSERT INTO staff (email, name, state, created_at) VALUES ($1, $2, 'invited', now()) RETURNING id`, fmt.Sprintf("s%d@example.com", b.next()), name)
	return audit.Actor{Kind: audit.Staff, ID: id, Name: name, IP: "192.0.2.9", TraceID: "trace-desk"}
}

// owner makes a trader of a verification level with a real account.
func (b *bundle) owner(level int) ledger.Owner {
	b.Helper()
	n := b.next()
	trader := b.count(`
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at, level)
		VALUES ($1, 'T', '', 'DE', $2, now(), $3) RETURNING id`, fmt.Sprintf("t%d@example.com", n), fmt.Sprint("I", n), level)
	return ledger.Owner{TraderID: trader, AccountID: b.account(trader, ledger.Real), Name: "t***", IP: "192.0.2.7", TraceID: "trace-owner"}
}

func (b *bundle) account(trader int64, book ledger.Book) int64 {
	b.Helper()
	accountType := map[ledger.Book]int{ledger.Real: 1, ledger.Mock: 5}[book]
	var account ledger.Account
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		account, err = ledger.OpenTx(b.Context(), tx, trader, book, accountType, start)
		return err
	}))
	return account.ID
}

// another opens another real account of a trader.
func (b *bundle) another(o ledger.Owner) int64 {
	b.Helper()
	var account ledger.Account
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		account, err = ledger.OpenAnotherTx(b.Context(), tx, ledger.Another{TraderID: o.TraderID, Book: ledger.Real, Type: 1}, start)
		return err
	}))
	return account.ID
}

func (b *bundle) cash(accountID int64) int64 {
	b.Helper()
	a, err := ledger.Load(b.Context(), b.db.Pool, accountID)
	require.NoError(b, err)
	return a.Cash
}

// keyed is a write request with a unique key.
func (b *bundle) keyed(o ledger.Owner) idempotency.Request {
	return idempotency.Request{TraderID: o.TraderID, Call: "call", Key: fmt.Sprint("key-", b.next())}
}

func (b *bundle) tryRequest(o ledger.Owner, amount int64) (d deposit.Deposit, err error) {
	return valueOf(b.deposits.Request(b.Context(), o, channel, amount, b.keyed(o)))
}

// valueOf is the value of a keyed write's result.
func valueOf(r idempotency.Result[deposit.Deposit], err error) (deposit.Deposit, error) {
	return r.Value, err
}

func (b *bundle) request(o ledger.Owner, amount int64) deposit.Deposit {
	b.Helper()
	d, err := b.tryRequest(o, amount)
	require.NoError(b, err)
	return d
}

// file stores a picture; equal texts give equal pictures.
func (b *bundle) file(o ledger.Owner, text string) deposit.File {
	b.Helper()
	f, err := b.deposits.SaveFile(b.Context(), o.TraderID, upload.Picture{Bytes: []byte(text), Width: 3, Height: 4, SHA256: sha256.Sum256([]byte(text))})
	require.NoError(b, err)
	return f
}

func (b *bundle) tryProve(o ledger.Owner, id int64, file string) (deposit.Deposit, error) {
	return valueOf(b.deposits.Prove(b.Context(), o, id, file, b.keyed(o)))
}

func (b *bundle) tryCancel(o ledger.Owner, id int64) (deposit.Deposit, error) {
	return valueOf(b.deposits.Cancel(b.Context(), o, id, b.keyed(o)))
}

// proved is a deposit that waits for staff.
func (b *bundle) proved(o ledger.Owner, amount int64) deposit.Deposit {
	b.Helper()
	d, err := b.tryProve(o, b.request(o, amount).ID, b.file(o, fmt.Sprint("picture ", b.next())).Name)
	require.NoError(b, err)
	return d
}

// claim claims a deposit and clears changed, so that a test finds only later notifications.
func (b *bundle) claim(by audit.Actor, id int64) deposit.Deposit {
	b.Helper()
	d, err := b.deposits.Claim(b.Context(), by, id)
	require.NoError(b, err)
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Contains(b, b.changed, d.AccountID)
	b.changed = nil
	return d
}

// claimed is a deposit with the maker's claim.
func (b *bundle) claimed(o ledger.Owner, amount int64) deposit.Deposit {
	b.Helper()
	return b.claim(b.maker, b.proved(o, amount).ID)
}

// approved is a deposit of 6,000 that waits for the checker.
func (b *bundle) approved(o ledger.Owner) deposit.Deposit {
	b.Helper()
	d := b.claimed(o, 6_000*usdt)
	d, err := b.approve(d, d.Amount)
	require.NoError(b, err)
	require.Equal(b, deposit.Approved, d.State)
	return d
}

// named gives every trader the same verified name.
type named struct{}

const traderName = "Marta Ruiz"

func (named) VerifiedName(context.Context, int64) (string, error) { return traderName, nil }

func (named) HolderIs(_ context.Context, _ int64, holder string) (bool, error) {
	return holder == traderName, nil
}

func (named) HolderIsTx(_ context.Context, _ *db.Tx, _ int64, holder string) (bool, error) {
	return holder == traderName, nil
}

// statementOf is a statement with the trader as sender.
func statementOf(received int64, reference string) deposit.Statement {
	return deposit.Statement{Received: received, Reference: reference, Sender: traderName}
}

// approve is the maker's decision with a unique bank reference.
func (b *bundle) approve(d deposit.Deposit, received int64) (deposit.Deposit, error) {
	return b.deposits.Approve(b.Context(), b.maker, d.ID, d.Version, statementOf(received, fmt.Sprint("BANK-", b.next())))
}

func (b *bundle) read(id int64) deposit.Deposit {
	b.Helper()
	d, err := b.deposits.Read(b.Context(), id)
	require.NoError(b, err)
	return d
}

// acts are the audit entries of a deposit, newest first.
func (b *bundle) acts(id int64) []audit.Entry {
	b.Helper()
	list, _, err := audit.NewLog(b.db).List(context.Background(), audit.Filter{TargetKind: "deposit", TargetID: fmt.Sprint(id)})
	require.NoError(b, err)
	return list
}

func (b *bundle) postings() int64 { b.Helper(); return b.count(`SELECT count(*) FROM postings`) }

func (b *bundle) requireProved() {
	b.Helper()
	problem, _, err := ledger.Verify(b.Context(), b.db.Pool)
	require.NoError(b, err)
	require.Nil(b, problem)
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
