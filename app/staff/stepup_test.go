package staff_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/session"
	"candor/app/staff"
)

var step = staff.Step{Act: "withdrawal.approve", About: "withdrawal 7"}

func TestCover(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	covered := func(t *testing.T, covers int) (*bundle, staff.Person, int64) {
		t.Helper()
		b := setup(t)
		p := b.first(t)
		sessionID, err := b.OpenSession(ctx, p, session.Device{IP: "192.0.2.9"})
		require.NoError(t, err)
		require.NoError(t, b.CheckCode(ctx, by(p), staff.Step{Session: sessionID, Act: "deposit.approve", Covers: covers}, b.code(t, b.secret[p.ID])))
		return b, p, sessionID
	}
	use := func(t *testing.T, b *bundle, sessionID int64) bool {
		t.Helper()
		used, err := b.UseCover(ctx, sessionID)
		require.NoError(t, err)
		return used
	}
	t.Run("AStatedNumberOfDecisions", func(t *testing.T) {
		t.Parallel()
		b, _, sessionID := covered(t, 2)
		left, err := b.Covered(ctx, sessionID)
		require.NoError(t, err)
		require.Equal(t, 2, left.Left)
		require.True(t, use(t, b, sessionID))
		require.True(t, use(t, b, sessionID))
		require.False(t, use(t, b, sessionID), "the third needs a code")
		require.Equal(t, 1, b.logged(t, "staff.step_up_covers", audit.Done))
	})
	t.Run("ForFiveMinutes", func(t *testing.T) {
		t.Parallel()
		b, _, sessionID := covered(t, 2)
		b.clock.Advance(staff.CoverFor - time.Second)
		require.True(t, use(t, b, sessionID))
		b.clock.Advance(time.Second)
		require.False(t, use(t, b, sessionID))
		left, err := b.Covered(ctx, sessionID)
		require.NoError(t, err)
		require.Zero(t, left)
	})
	t.Run("InTheSameSessionOnly", func(t *testing.T) {
		t.Parallel()
		b, p, _ := covered(t, 2)
		other, err := b.OpenSession(ctx, p, session.Device{IP: "192.0.2.9"})
		require.NoError(t, err)
		require.False(t, use(t, b, other))
	})
	t.Run("OneThatCoversNothing", func(t *testing.T) {
		t.Parallel()
		b, _, sessionID := covered(t, 0)
		require.False(t, use(t, b, sessionID))
		require.Zero(t, b.logged(t, "staff.step_up_covers", audit.Done))
	})
	t.Run("NeverMoreAtOnce", func(t *testing.T) {
		t.Parallel()
		b, _, sessionID := covered(t, 3)
		var done atomic.Int32
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if used, err := b.UseCover(ctx, sessionID); err == nil && used {
					done.Add(1)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 3, done.Load())
	})
	t.Run("SmallIsUpToTheAmount", func(t *testing.T) {
		t.Parallel()
		small := staff.SmallStep{Amount: 500, Decisions: 10}
		require.Equal(t, 10, small.Covers(500))
		require.Zero(t, small.Covers(501))
		require.Zero(t, small.Covers(0), "an act about no amount")
		require.Zero(t, staff.SmallStep{Decisions: 10}.Covers(1), "switched off")
	})
}
