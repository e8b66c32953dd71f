package trader_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/trader"
)

// TestRegistered limits the traders after it has left out the guests.
func TestRegistered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	guest := b.guest().Trader.ID
	one, two := b.register(anna).Trader.ID, b.register("bea@example.com").Trader.ID
	require.Less(t, guest, one)
	registered := func(limit int, ids ...int64) []int64 {
		list, err := trader.Registered(t.Context(), b.db.Pool, ids, limit)
		require.NoError(t, err)
		return list
	}
	require.Equal(t, []int64{one, two}, registered(2, two, guest, one))
	require.Equal(t, []int64{one}, registered(1, guest, two, one))
	require.Equal(t, []int64{two}, registered(2, two))
	require.Empty(t, registered(2, guest))
	require.Empty(t, registered(2))
}

func TestLockRegisteredTx(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lock := func(traderID int64) (country string, err error) {
		err = b.db.InTx(t.Context(), func(tx *db.Tx) (err error) {
			country, err = trader.LockRegisteredTx(tx, traderID)
			return err
		})
		return country, err
	}
	country, err := lock(b.register(anna).Trader.ID)
	require.NoError(t, err)
	require.Equal(t, "DE", country)
	_, err = lock(b.guest().Trader.ID)
	require.ErrorIs(t, err, trader.ErrGuest)
	_, err = lock(1 << 40)
	require.ErrorIs(t, err, ledger.ErrAccount)
}
