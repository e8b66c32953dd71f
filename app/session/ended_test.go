package session_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/events"
	"candor/app/session"
)

// heard subscribes to the ended sessions that servers publish.
func (b *bundle) heard() (bus *events.Bus, named <-chan []int64) {
	b.Helper()
	bus, err := events.Open("")
	require.NoError(b, err)
	b.Cleanup(bus.Close)
	heard := make(chan []int64, 16)
	_, err = bus.Subscribe(session.Ended, func(_ string, data []byte) { heard <- session.ReadEnded(data) })
	require.NoError(b, err)
	b.sessions = session.New(b.db, b.clock, bus)
	return bus, heard
}

func (b *bundle) next(named <-chan []int64) []int64 {
	b.Helper()
	select {
	case ids := <-named:
		return ids
	case <-time.After(10 * time.Second):
		require.Fail(b, "nothing was published")
		return nil
	}
}

func TestEnded(t *testing.T) {
	t.Parallel()

	t.Run("EveryWayToEndIsPublishedAfterTheCommit", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, named := b.heard()
		a := b.account()
		out, switched, byStaff, rest := b.requireAlive(b.login(a, 1)), b.requireAlive(b.login(a, 2)), b.requireAlive(b.login(a, 3)), b.requireAlive(b.login(a, 4))
		require.NoError(t, b.sessions.End(t.Context(), out.SessionID))
		require.Equal(t, []int64{out.SessionID}, b.next(named))
		token, err := b.switchTo(switched, a.ID)
		require.NoError(t, err)
		require.Equal(t, []int64{switched.SessionID}, b.next(named))
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := b.sessions.EndOfTx(t.Context(), tx, a.TraderID, byStaff.SessionID)
			return err
		}))
		require.Equal(t, []int64{byStaff.SessionID}, b.next(named))
		after := b.requireAlive(token)
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := b.sessions.EndAllTx(t.Context(), tx, a.TraderID)
			return err
		}))
		require.ElementsMatch(t, []int64{rest.SessionID, after.SessionID}, b.next(named))
	})
	t.Run("WhatIsRolledBackOrNotTheirsIsNotPublished", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		bus, named := b.heard()
		mine, theirs := b.requireAlive(b.login(b.account(), 1)), b.requireAlive(b.login(b.account(), 2))
		refusal := errors.New("no")
		require.ErrorIs(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			require.NoError(t, b.sessions.EndTx(t.Context(), tx, mine.SessionID))
			return refusal
		}), refusal)
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			ended, err := b.sessions.EndOfTx(t.Context(), tx, theirs.TraderID, mine.SessionID)
			require.False(t, ended)
			return err
		}))
		require.NoError(t, bus.Publish(session.Ended, []byte("[424242]")))
		require.Equal(t, []int64{424242}, b.next(named), "nothing came before it")
	})
	t.Run("AMalformedEventNamesNobody", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{"", "7", "null", "{}", `["7"]`, "[1,", "[1e99]"} {
			require.Empty(t, session.ReadEnded([]byte(text)), text)
		}
		require.Equal(t, []int64{7, 8}, session.ReadEnded([]byte("[7,8]")))
	})
}

func TestLives(t *testing.T) {
	t.Parallel()
	lives := func(b *bundle, ids ...int64) map[int64]time.Time {
		b.Helper()
		found, err := b.sessions.Lives(b.Context(), ids)
		require.NoError(b, err)
		for _, id := range ids {
			end, alive, err := b.sessions.Life(context.Background(), id)
			require.NoError(b, err)
			require.Equal(b, found[id], end)
			_, listed := found[id]
			require.Equal(b, listed, alive)
		}
		return found
	}

	t.Run("LeavesOutWhatAnotherProcessEnded", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.account()
		over, alive := b.requireAlive(b.login(a, 1)).SessionID, b.requireAlive(b.login(a, 2)).SessionID
		require.Len(t, lives(b, over, alive, 424242), 2)
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE trader_sessions SET ended_at = $2 WHERE id = $1`, over, b.clock.Now())
		require.NoError(t, err)
		require.Equal(t, map[int64]time.Time{alive: start.Add(7 * day)}, lives(b, over, alive))
	})
	t.Run("EndsWithSevenIdleDaysOrThirtyInAll", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		token := b.login(b.account(), 1)
		id := b.requireAlive(token).SessionID
		for range 4 {
			require.Equal(t, b.clock.Now().Add(7*day), lives(b, id)[id])
			b.clock.Advance(7 * day)
			b.requireAlive(token)
		}
		require.Equal(t, start.Add(30*day), lives(b, id)[id], "use does not prolong the thirty days")
		b.clock.Advance(2 * day)
		require.Len(t, lives(b, id), 1)
		b.clock.Advance(time.Millisecond)
		require.Empty(t, lives(b, id))
	})
	t.Run("ASocketIsNoUse", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.account()
		watched, called := b.login(a, 1), b.login(a, 2)
		for range 7 {
			b.clock.Advance(day)
			b.requireAlive(called)
			p, err := b.sessions.Identify(t.Context(), watched, session.Device{})
			require.NoError(t, err)
			require.Equal(t, a.ID, p.AccountID)
		}
		b.clock.Advance(time.Millisecond)
		_, err := b.sessions.Identify(t.Context(), watched, session.Device{})
		require.ErrorIs(t, err, session.ErrToken)
		b.requireDead(watched)
		b.requireAlive(called)
	})
}
