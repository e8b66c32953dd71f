package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/session"
)

func TestSharingDevices(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two, three, alone := b.account(), b.account(), b.account(), b.account()
	b.login(three, 1)
	b.login(three, 2)
	b.login(one, 1)
	b.login(one, 2)
	b.login(two, 2)
	b.login(alone, 3)
	sharing := func(traderID int64) []int64 {
		ids, err := session.SharingDevices(t.Context(), b.db.Pool, traderID)
		require.NoError(t, err)
		return ids
	}
	require.Equal(t, []int64{two.TraderID, three.TraderID}, sharing(one.TraderID), "each once")
	require.Equal(t, []int64{one.TraderID, three.TraderID}, sharing(two.TraderID))
	require.Empty(t, sharing(alone.TraderID))
}
