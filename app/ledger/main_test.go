package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// The house accounts that the tests post to directly, and their bucket.
const (
	houseTrading     = 2
	houseBonus       = 4
	houseMockTrading = 12
	house            = ledger.Bucket("house")
)

type bundle struct {
	*testing.T
	db       *db.DB
	superURL string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	addresses := dbtest.New(t)
	d, err := db.Open(t.Context(), addresses.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return &bundle{T: t, db: d, superURL: addresses.SuperURL}
}

// trader creates a customer.
func (b *bundle) trader() (id int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at)
		SELECT 't' || n || '@example.com', 'T', '', 'DE', 'I' || n, now() FROM (SELECT count(*) AS n FROM traders) counted RETURNING id`).Scan(&id))
	return id
}

// guest creates a trader who has not registered.
func (b *bundle) guest() (id int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `INSERT INTO traders (name, type) VALUES ('Guest', 8) RETURNING id`).Scan(&id))
	return id
}

// open opens an account for a new trader.
func (b *bundle) open(book ledger.Book) ledger.Account {
	b.Helper()
	return b.openFor(b.trader(), book)
}

func (b *bundle) openFor(traderID int64, book ledger.Book) (a ledger.Account) {
	b.Helper()
	accountType := 1
	if book == ledger.Mock {
		accountType = 5
	}
	b.inTx(func(tx *db.Tx) (err error) {
		a, err = ledger.OpenTx(b.Context(), tx, traderID, book, accountType, start)
		return err
	})
	return a
}

// funded opens a real account with cash.
func (b *bundle) funded(cash int64) ledger.Account {
	b.Helper()
	a := b.open(ledger.Real)
	require.NoError(b, b.post(a.Book, fmt.Sprint("fund:", a.ID), a.Receive(cash)...))
	return b.load(a.ID)
}

func (b *bundle) inTx(work func(*db.Tx) error) {
	b.Helper()
	require.NoError(b, b.db.InTx(b.Context(), work))
}

func (b *bundle) post(book ledger.Book, key string, entries ...ledger.Entry) error {
	return b.db.InTx(b.Context(), func(tx *db.Tx) error {
		_, err := ledger.PostTx(b.Context(), tx, ledger.Transaction{Kind: "test", Key: key, Cause: "test", Book: book, At: start, Entries: entries})
		return err
	})
}

func (b *bundle) load(id int64) ledger.Account {
	b.Helper()
	a, err := ledger.Load(b.Context(), b.db.Pool, id)
	require.NoError(b, err)
	return a
}

// requireBuckets compares cash, bonus and deficit.
func (b *bundle) requireBuckets(id, cash, bonus, deficit int64) {
	b.Helper()
	a := b.load(id)
	require.Equal(b, []int64{cash, bonus, deficit}, []int64{a.Cash, a.Bonus, a.Deficit}, "cash, bonus, deficit")
}

func (b *bundle) count(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

// requireProved requires that the whole ledger verifies.
func (b *bundle) requireProved() {
	b.Helper()
	problem, proved, err := ledger.Verify(b.Context(), b.db.Pool)
	require.NoError(b, err)
	require.Nil(b, problem)
	require.Equal(b, b.count(`SELECT count(*) FROM postings`), proved)
}
