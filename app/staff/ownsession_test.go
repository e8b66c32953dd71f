package staff_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/staff"
)

func TestOwnSessions(t *testing.T) {
	t.Parallel()
	t.Run("OneEndsAtOnceAndTheOthersStay", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		own, other, third := b.browse(t, p), b.browse(t, p), b.browse(t, p)
		require.NoError(t, b.EndOwnSession(ctx, by(p), own, other))
		require.True(t, b.lives(t, p, own))
		require.False(t, b.lives(t, p, other))
		require.True(t, b.lives(t, p, third))
		require.ErrorIs(t, b.EndOwnSession(ctx, by(p), own, other), staff.ErrNoSession)
		list, _, err := audit.NewLog(b.db).List(ctx, audit.Filter{Action: "staff.end_session"})
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Contains(t, list[0].Before, "Chrome, Linux")
	})
	t.Run("AllOthersEndEachRecorded", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p, colleague, _ := b.admins(t)
		own, other, third, theirs := b.browse(t, p), b.browse(t, p), b.browse(t, p), b.browse(t, colleague)
		require.NoError(t, b.EndOtherSessions(ctx, by(p), own))
		require.True(t, b.lives(t, p, own))
		require.False(t, b.lives(t, p, other))
		require.False(t, b.lives(t, p, third))
		require.True(t, b.lives(t, colleague, theirs))
		require.Equal(t, 2, b.logged(t, "staff.end_session", audit.Done))
		require.NoError(t, b.EndOtherSessions(ctx, by(p), own))
		require.Equal(t, 2, b.logged(t, "staff.end_session", audit.Done), "nothing was left to end")
	})
	t.Run("AColleaguesIsOutOfReach", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p, colleague, _ := b.admins(t)
		own, theirs := b.browse(t, p), b.browse(t, colleague)
		require.ErrorIs(t, b.EndOwnSession(ctx, by(p), own, theirs), staff.ErrNoSession)
		require.ErrorIs(t, b.EndOwnSession(ctx, by(p), theirs, own), staff.ErrSignedOut, "nor is it a session to act from")
		require.ErrorIs(t, b.EndOtherSessions(ctx, by(p), theirs), staff.ErrSignedOut)
		require.True(t, b.lives(t, p, own))
		require.True(t, b.lives(t, colleague, theirs))
		require.Zero(t, b.logged(t, "staff.end_session", audit.Done))
	})
	t.Run("TheOneThatAsksStays", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		own := b.browse(t, p)
		require.ErrorIs(t, b.EndOwnSession(ctx, by(p), own, own), staff.ErrNoSession)
		require.True(t, b.lives(t, p, own))
	})
	t.Run("OfTwoThatEndEachOtherOneStays", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		one, two := b.browse(t, p), b.browse(t, p)
		var ended atomic.Int32
		var group sync.WaitGroup
		for _, own := range []int64{one, two} {
			group.Go(func() {
				switch err := b.EndOtherSessions(ctx, by(p), own); {
				case err == nil:
					ended.Add(1)
				case !errors.Is(err, staff.ErrSignedOut):
					t.Error(err)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, ended.Load())
		require.NotEqual(t, b.lives(t, p, one), b.lives(t, p, two))
	})
}

// TestAMovedSessionEnds: a stolen cookie is worth nothing in another browser elsewhere, and its person hears of it.
func TestAMovedSessionEnds(t *testing.T) {
	t.Parallel()
	home, away := "192.0.2.9", "198.51.100.7"
	t.Run("AnotherBrowserInAnotherNetworkEndsIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		stolen, other := b.browse(t, p), b.browse(t, p)
		require.False(t, b.comes(t, p, stolen, audit.Actor{IP: away, Agent: firefox}))
		require.False(t, b.lives(t, p, stolen), "for its owner too")
		require.True(t, b.lives(t, p, other))
		require.Equal(t, 1, b.logged(t, "staff.end_moved_session", audit.Done))
		list, err := b.outbox.List(ctx, p.Email, 1)
		require.NoError(t, err)
		require.Equal(t, "staff_session_moved", list[0].Kind)
		require.Contains(t, list[0].Body, "Firefox, Windows")
		require.Contains(t, list[0].Body, away)
	})
	t.Run("EitherAloneIsDailyUse", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		id := b.browse(t, p)
		require.True(t, b.comes(t, p, id, audit.Actor{IP: away, Agent: chrome}), "a laptop changes networks")
		require.True(t, b.comes(t, p, id, audit.Actor{IP: home, Agent: firefox}))
		require.Zero(t, b.logged(t, "staff.end_moved_session", audit.Done))
		require.NotContains(t, b.kinds(t, p.Email), "staff_session_moved")
	})
	t.Run("OneThatHasEndedBeforeIsNotAnnounced", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p, colleague, _ := b.admins(t)
		id := b.browse(t, p)
		require.NoError(t, b.Disable(ctx, by(colleague), p.ID, b.read(t, p.ID).Version))
		require.False(t, b.comes(t, p, id, audit.Actor{IP: away, Agent: firefox}))
		require.Zero(t, b.logged(t, "staff.end_moved_session", audit.Done))
		require.NotContains(t, b.kinds(t, p.Email), "staff_session_moved")
	})
	t.Run("ManyRequestsOfAThiefAreToldOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		id := b.browse(t, p)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				_, err := b.InSession(ctx, staff.Visit{SessionID: id, StaffID: p.ID, Epoch: p.SessionEpoch, From: audit.Actor{IP: away, Agent: firefox}})
				if !errors.Is(err, staff.ErrSignedOut) {
					t.Errorf("a thief: %v", err)
				}
			})
		}
		all.Wait()
		require.Equal(t, 1, b.logged(t, "staff.end_moved_session", audit.Done))
		require.Equal(t, 1, countOf(b.kinds(t, p.Email), "staff_session_moved"))
	})
}
