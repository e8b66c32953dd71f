package staff_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/staff"
)

func TestClaimHoldsForAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	columns := staff.Claimed(map[string]any{"state": "in_review"}, 7, start)
	who, until := columns["claimed_by"].(int64), columns["claimed_until"].(time.Time)
	require.Equal(t, "in_review", columns["state"])
	c := staff.Claim{ClaimedBy: &who, ClaimedUntil: &until}
	last := start.Add(15*time.Minute - time.Nanosecond)
	require.True(t, c.ClaimActiveBy(7, last))
	require.False(t, c.ClaimActiveByOther(7, last))
	require.True(t, c.ClaimActiveByOther(8, last))
	require.False(t, c.ClaimActiveBy(8, last))
	for _, over := range []staff.Claim{{}, {ClaimedBy: &who}, c} {
		later := start.Add(15 * time.Minute)
		require.False(t, over.ClaimActive(later) || over.ClaimActiveBy(7, later) || over.ClaimActiveByOther(8, later))
	}
	columns = staff.Released(columns)
	require.Nil(t, columns["claimed_by"])
	require.Nil(t, columns["claimed_until"])
}
