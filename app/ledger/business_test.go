package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
)

// TestBusiness leaves a trader's practice money out.
func TestBusiness(t *testing.T) {
	t.Parallel()
	b := setup(t)
	traderID := b.trader()
	practice, real := b.openFor(traderID, ledger.Mock), b.openFor(traderID, ledger.Real)
	requireBusiness := func(has bool, last time.Time) {
		t.Helper()
		found, err := ledger.HasBalance(t.Context(), b.db.Pool, traderID)
		require.NoError(t, err)
		require.Equal(t, has, found)
		at, err := ledger.LastPosted(t.Context(), b.db.Pool, traderID)
		require.NoError(t, err)
		require.True(t, at.Equal(last), at)
	}
	moves := func(a ledger.Account, at time.Time, entries func(ledger.Account) []ledger.Entry) {
		t.Helper()
		b.inTx(func(tx *db.Tx) error {
			a, err := ledger.LockTx(t.Context(), tx, a.ID)
			if err != nil {
				return err
			}
			_, err = ledger.PostTx(t.Context(), tx, ledger.Transaction{Kind: "test", Key: at.String(), Cause: "test", Book: a.Book, At: at, Entries: entries(a)})
			return err
		})
	}
	later := func(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }
	moves(practice, later(1), func(a ledger.Account) []ledger.Entry { return a.Receive(5) })
	requireBusiness(false, time.Time{})
	moves(real, later(2), func(a ledger.Account) []ledger.Entry { return a.Receive(5) })
	requireBusiness(true, later(2))
	moves(real, later(3), func(a ledger.Account) []ledger.Entry { return a.DebitToPayouts(5) })
	requireBusiness(false, later(3))
	moves(real, later(4), func(a ledger.Account) []ledger.Entry { return a.Reverse(5, 0) })
	requireBusiness(true, later(4))
}
