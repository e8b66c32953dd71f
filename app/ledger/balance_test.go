package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
)

func TestStatementOf(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.open(ledger.Real), b.open(ledger.Real)
	post := func(a ledger.Account, kind string, at time.Time, amount int64) {
		b.Helper()
		entries := b.load(a.ID).Receive(amount)
		b.inTx(func(tx *db.Tx) error {
			_, err := ledger.PostTx(b.Context(), tx, ledger.Transaction{Kind: kind, Key: kind + at.String(), Cause: "test", Book: a.Book, At: at, Entries: entries})
			return err
		})
	}
	month, next := start, start.AddDate(0, 1, 0)
	post(a, "deposit", month.Add(-time.Microsecond), 1_000)
	post(a, "deposit", month, 200)
	post(a, "adjustment", month.Add(time.Hour), 30)
	post(a, "deposit", next.Add(-time.Microsecond), 4)
	post(a, "deposit", next, 50_000)
	post(other, "deposit", month.Add(time.Minute), 7)

	t.Run("BalancesBeforeAndAfterAndTheMovementsBetween", func(t *testing.T) {
		s, err := ledger.StatementOf(t.Context(), b.db.Pool, a.ID, month, next)
		require.NoError(t, err)
		require.Equal(t, ledger.PeriodStatement{
			Opening: 1_000, Closing: 1_234, Movements: []ledger.Movement{{Kind: "adjustment", Entries: 1, Amount: 30}, {Kind: "deposit", Entries: 2, Amount: 204}},
		}, s)
	})
	t.Run("APeriodWithoutEntries", func(t *testing.T) {
		s, err := ledger.StatementOf(t.Context(), b.db.Pool, a.ID, next.AddDate(0, 1, 0), next.AddDate(0, 2, 0))
		require.NoError(t, err)
		require.Equal(t, ledger.PeriodStatement{Opening: 51_234, Closing: 51_234}, s)
		s, err = ledger.StatementOf(t.Context(), b.db.Pool, a.ID, month.AddDate(0, -2, 0), month.AddDate(0, -1, 0))
		require.NoError(t, err)
		require.Equal(t, ledger.PeriodStatement{}, s)
	})
	t.Run("AnUnknownAccountIsRefused", func(t *testing.T) {
		_, err := ledger.StatementOf(t.Context(), b.db.Pool, 999_999, month, next)
		require.ErrorIs(t, err, ledger.ErrAccount)
	})
}
