package support_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/support"
)

func minutes(list ...int) (out []time.Duration) {
	for _, n := range list {
		out = append(out, time.Duration(n)*time.Minute)
	}
	return out
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	intervals := minutes(9, 1, 4, 2, 60) // the median is 4
	for _, c := range []struct {
		what      string
		intervals []time.Duration
		place     int
		want      time.Duration
	}{
		{"the first waits for one reply", intervals, 1, 4 * time.Minute},
		{"the third waits for three", intervals, 3, 12 * time.Minute},
		{"of an even number the mean of the two in the middle", minutes(1, 2, 4, 6, 60, 9), 1, 5 * time.Minute},
		{"too few replies say nothing", intervals[:4], 1, 0},
		{"not in the queue", intervals, 0, 0},
	} {
		require.Equal(t, c.want, support.Estimate(c.intervals, c.place), c.what)
	}
}

// replied begins a conversation that was first answered after a time, some time ago.
func (b *bundle) replied(ago, after time.Duration) {
	b.Helper()
	answered := b.clock.Now().Add(-ago)
	_, err := b.db.Pool.Exec(b.Context(), `
		INSERT INTO conversations (trader_id, language, state, agent_id, resolved_at, created_at, answered_at, moved_at)
		VALUES ($1, 'en', 'closed', $2, $3, $4, $3, $3)`, b.trader().TraderID, b.kim.ID, answered, answered.Add(-after))
	require.NoError(b, err)
}

// TestTheQueueTellsAnEstimate fills the queue of a full agent.
func TestTheQueueTellsAnEstimate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.asks(b.ann)
	b.asks(b.bob)
	for n := range 4 {
		b.replied(time.Duration(n+1)*time.Hour, 3*time.Minute)
	}
	b.replied(8*24*time.Hour, 3*time.Minute) // too long ago
	b.present(b.kim)
	require.Equal(t, []any{2, time.Duration(0)}, []any{b.thread(b.bob).Position, b.thread(b.bob).Estimate}, "four replies say nothing")

	b.replied(5*time.Hour, 3*time.Minute)
	require.Equal(t, []time.Duration{3 * time.Minute, 6 * time.Minute}, []time.Duration{b.thread(b.ann).Estimate, b.thread(b.bob).Estimate})
	require.NoError(t, b.chat.Accept(t.Context(), b.kim, false))
	require.Zero(t, b.thread(b.bob).Estimate, "nobody takes conversations")
	require.NoError(t, b.chat.Accept(t.Context(), b.kim, true))

	c, err := b.chat.Claim(t.Context(), b.kim, b.thread(b.ann).ID)
	require.NoError(t, err)
	require.Zero(t, b.thread(b.ann).Estimate, "who is answered waits no longer")
	b.answers(b.kim, c.ID, "Hello")
	b.clock.Advance(time.Hour)
	require.Zero(t, b.thread(b.bob).Estimate, "no agent is online")
}

// TestAnEstimateCountsWorkingHours has replies to messages that were written in the night before.
func TestAnEstimateCountsWorkingHours(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.sets("", week("UTC", []time.Weekday{time.Friday}, 9*60, 18*60)))
	for n := range 5 {
		b.replied(2*time.Hour+55*time.Minute-time.Duration(n)*5*time.Minute, 11*time.Hour) // answered at 09:05, 09:10 …
	}
	b.present(b.kim)
	b.asks(b.ann)
	require.Equal(t, 5*time.Minute, b.thread(b.ann).Estimate)
}

// TestAnEstimateCountsAWaitOnce has replies every two minutes to customers who had all waited since the morning.
func TestAnEstimateCountsAWaitOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n := range 9 {
		ago := time.Hour - time.Duration(n)*2*time.Minute
		b.replied(ago, 3*time.Hour-ago)
	}
	b.present(b.kim)
	b.asks(b.ann)
	require.Equal(t, 2*time.Minute, b.thread(b.ann).Estimate)
}
