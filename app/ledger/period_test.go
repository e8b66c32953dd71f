package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
)

func TestReadPeriod(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.open(ledger.Real), b.open(ledger.Real)
	post := func(id int64, kind string, at time.Time, entries func(ledger.Account) []ledger.Entry) {
		b.Helper()
		account := b.load(id)
		b.inTx(func(tx *db.Tx) error {
			_, err := ledger.PostTx(b.Context(), tx, ledger.Transaction{Kind: kind, Key: kind + at.String(), Cause: kind, Book: account.Book, At: at, Entries: entries(account)})
			return err
		})
	}
	in := func(amount int64) func(ledger.Account) []ledger.Entry {
		return func(a ledger.Account) []ledger.Entry { return a.Receive(amount) }
	}
	month, next := start, start.AddDate(0, 1, 0)
	post(a.ID, "before", month.Add(-time.Microsecond), in(1_000))
	post(a.ID, "first", month, in(200))
	post(a.ID, "loss", month.Add(time.Hour), func(a ledger.Account) []ledger.Entry { return a.Result(-1_500, 0) })
	post(a.ID, "last", next.Add(-time.Microsecond), in(50))
	post(a.ID, "after", next, in(50_000))
	post(other.ID, "other", month.Add(time.Minute), in(7))

	t.Run("OpensAndClosesAsTheSumsDo", func(t *testing.T) {
		p, err := ledger.ReadPeriod(t.Context(), b.db.Pool, a.ID, month, next)
		require.NoError(t, err)
		sums, err := ledger.StatementOf(t.Context(), b.db.Pool, a.ID, month, next)
		require.NoError(t, err)
		require.Equal(t, ledger.Buckets{ledger.Cash: 1_000}, p.Opening)
		require.Equal(t, []int64{sums.Opening, sums.Closing}, []int64{p.Opening.Total(), p.Closing.Total()})
		require.Equal(t, int64(-250), p.Closing.Total())
	})
	t.Run("EachEntryHasWhatItsBucketHeldAfterIt", func(t *testing.T) {
		p, err := ledger.ReadPeriod(t.Context(), b.db.Pool, a.ID, month, next)
		require.NoError(t, err)
		held := ledger.Buckets{}
		for bucket, value := range p.Opening {
			held[bucket] = value
		}
		var kinds []string
		for _, l := range p.Lines {
			held[l.Bucket] += l.Amount
			require.Equal(t, held[l.Bucket], l.Held)
			kinds = append(kinds, l.Kind)
		}
		require.Equal(t, held, p.Closing)
		require.Equal(t, []string{"first", "loss", "loss", "last"}, kinds, "oldest first")
	})
	t.Run("APeriodWithoutEntries", func(t *testing.T) {
		p, err := ledger.ReadPeriod(t.Context(), b.db.Pool, a.ID, month.AddDate(-1, 0, 0), month.AddDate(0, -1, 0))
		require.NoError(t, err)
		require.Equal(t, ledger.Period{Opening: ledger.Buckets{}, Closing: ledger.Buckets{}}, p)
	})
	t.Run("AnUnknownAccountIsRefused", func(t *testing.T) {
		_, err := ledger.ReadPeriod(t.Context(), b.db.Pool, 999_999, month, next)
		require.ErrorIs(t, err, ledger.ErrAccount)
	})
	t.Run("MoreEntriesThanAStatementMayHaveAreRefused", func(t *testing.T) {
		_, err := b.db.Pool.Exec(t.Context(), `
			WITH t AS (INSERT INTO ledger_transactions (kind, key, cause, book, created_at)
				SELECT 'deposit', 'many:' || n, 'deposit:' || n, 'real', $2 FROM generate_series(1, $3) n RETURNING id, created_at)
			INSERT INTO postings (transaction_id, created_at, account_id, bucket, book, currency, amount)
			SELECT id, created_at, a, CASE a WHEN 1 THEN 'house' ELSE 'cash' END, 'real', 'USDT', CASE a WHEN 1 THEN -1 ELSE 1 END FROM t, unnest(ARRAY[1, $1::bigint]) a`,
			other.ID, month.Add(time.Hour), ledger.MaxPeriod)
		require.NoError(t, err)
		_, err = ledger.ReadPeriod(t.Context(), b.db.Pool, other.ID, month, next)
		require.ErrorIs(t, err, ledger.ErrPeriod)
	})
}
