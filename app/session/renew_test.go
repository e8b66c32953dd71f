package session_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/session"
)

func TestRenew(t *testing.T) {
	t.Parallel()
	t.Run("OnceADay", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.requireAlive(b.login(b.account(), 1))
		b.clock.Advance(day - time.Second)
		_, err := b.sessions.Renew(b.Context(), p)
		require.ErrorIs(t, err, session.ErrRenewed)
		b.clock.Advance(time.Second)
		fresh, err := b.sessions.Renew(b.Context(), p)
		require.NoError(t, err)
		require.Equal(t, p, b.requireAlive(fresh), "the session stays the same")
		_, err = b.sessions.Renew(b.Context(), p)
		require.ErrorIs(t, err, session.ErrRenewed)
	})
	t.Run("TheOldOneLivesForAMinuteAfterTheFirstUseOfTheNewOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		old := b.login(b.account(), 1)
		p := b.requireAlive(old)
		b.clock.Advance(day)
		fresh, err := b.sessions.Renew(b.Context(), p)
		require.NoError(t, err)
		b.clock.Advance(day)
		b.requireAlive(old) // the answer may have been lost
		b.requireAlive(fresh)
		b.clock.Advance(time.Minute)
		b.requireAlive(old)
		b.clock.Advance(time.Second)
		b.requireDead(old)
		b.requireAlive(fresh)
	})
	t.Run("AnAnswerThatWasLostCanBeAskedForAgain", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		old := b.login(b.account(), 1)
		p := b.requireAlive(old)
		b.clock.Advance(day)
		lost, err := b.sessions.Renew(b.Context(), p)
		require.NoError(t, err)
		b.clock.Advance(day)
		fresh, err := b.sessions.Renew(b.Context(), p)
		require.NoError(t, err)
		b.requireDead(lost)
		b.requireAlive(fresh)
	})
	t.Run("ItEndsWithTheSession", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		old := b.login(b.account(), 1)
		p := b.requireAlive(old)
		b.clock.Advance(day)
		fresh, err := b.sessions.Renew(b.Context(), p)
		require.NoError(t, err)
		require.NoError(t, b.sessions.End(b.Context(), p.SessionID))
		b.requireDead(old)
		b.requireDead(fresh)
		b.clock.Advance(day)
		_, err = b.sessions.Renew(b.Context(), p)
		require.ErrorIs(t, err, session.ErrRenewed)
	})
	t.Run("ItDoesNotLengthenTheSession", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		token := b.login(b.account(), 1)
		for range 30 {
			p := b.requireAlive(token)
			b.clock.Advance(day)
			var err error
			token, err = b.sessions.Renew(b.Context(), p)
			require.NoError(t, err)
		}
		b.clock.Advance(time.Second)
		b.requireDead(token)
	})
	t.Run("TwoAtOnceMakeOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.requireAlive(b.login(b.account(), 1))
		b.clock.Advance(day)
		var made atomic.Int64
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if _, err := b.sessions.Renew(b.Context(), p); err == nil {
					made.Add(1)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, made.Load())
	})
	t.Run("UsedFromElsewhereItEndsTheSession", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.requireAlive(b.login(b.account(), 1))
		b.clock.Advance(day)
		fresh, err := b.sessions.Renew(b.Context(), p)
		require.NoError(t, err)
		_, err = b.sessions.Check(b.Context(), fresh, session.Device{IP: "203.0.113.9", UserAgent: "curl/8.0"})
		require.ErrorIs(t, err, session.ErrToken)
		b.requireDead(fresh)
	})
}
