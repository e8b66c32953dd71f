package upload

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// newGate admits two uploads and ten bytes in all, and one upload of strangers.
func newGate() *gate {
	return &gate{
		limit: 10, own: 10, share: [classes]int64{10, 10, 10}, places: [classes]int{2, 2, 1}, inside: 1, pending: 3, queue: 4, wait: 10 * time.Second,
	}
}

func stranger(n int) Sender { return Sender{Stranger, fmt.Sprint("network ", n)} }

// line records the order in which senders are admitted. Each stays until it is released.
type line struct {
	*gate
	ctx      context.Context
	arrivals map[string]*arrival

	mu    sync.Mutex
	order []string
	leave map[string]func()
	fails map[string]error
}

func (l *line) enter(from Sender, weight int64) {
	go func() {
		leave, err := l.gate.enter(l.ctx, from, weight, l.arrivals[from.Person])
		l.mu.Lock()
		defer l.mu.Unlock()
		if err != nil {
			l.fails[from.Person] = err
			return
		}
		l.order = append(l.order, from.Person)
		l.leave[from.Person] = leave
	}()
	synctest.Wait()
}

func (l *line) leaves(person string) {
	l.release(person)
	synctest.Wait()
}

func (l *line) release(person string) {
	l.mu.Lock()
	leave := l.leave[person]
	l.mu.Unlock()
	leave()
}

func (l *line) admitted() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.order)
}

func (l *line) refused() map[string]error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.fails)
}

func (l *line) leavers() map[string]func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.leave)
}

func newLine(t *testing.T) *line {
	return &line{gate: newGate(), ctx: t.Context(), leave: map[string]func(){}, fails: map[string]error{}, arrivals: map[string]*arrival{}}
}

// slow admits an upload of which so many bytes arrive in the first seconds.
func (l *line) slow(from Sender, weight, bytes int64) {
	a := &arrival{abort: func() { go l.release(from.Person) }}
	l.arrivals[from.Person] = a
	l.enter(from, weight)
	a.bytes.Store(bytes)
}

func TestGate(t *testing.T) {
	t.Parallel()

	t.Run("AProofWaitsForTheOneStrangerInsideAndNoMore", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := newLine(t)
			for n := range 4 {
				l.enter(stranger(n), 10)
			}
			l.enter(Sender{Message, "trader 7"}, 10)
			l.enter(trader("1"), 10)
			require.Equal(t, []string{"network 0"}, l.admitted())
			l.leaves("network 0")
			require.Equal(t, []string{"network 0", "trader 1"}, l.admitted())
			l.leaves("trader 1")
			l.leaves("trader 7")
			l.leaves("network 1")
			require.Equal(t, []string{"network 0", "trader 1", "trader 7", "network 1", "network 2"}, l.admitted())
		})
	})
	t.Run("StrangersAreOneAtATimeAndLeaveRoom", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := newLine(t)
			l.enter(stranger(1), 2)
			l.enter(stranger(2), 2)
			l.enter(trader("1"), 2)
			require.Equal(t, []string{"network 1", "trader 1"}, l.admitted())
			l.enter(trader("2"), 2)
			require.Len(t, l.admitted(), 2, "two are decoded at once")
		})
	})
	t.Run("NobodyOvertakesAHigherClassThatWaitsForRoom", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := newLine(t)
			l.enter(Sender{Message, "trader 7"}, 6)
			l.enter(trader("1"), 6)
			l.enter(stranger(1), 4) // it would fit beside the first one
			require.Equal(t, []string{"trader 7"}, l.admitted())
			l.limit = 6 // so that they are admitted one by one
			l.leaves("trader 7")
			require.Contains(t, l.admitted(), "trader 1")
			l.leaves("trader 1")
			require.Contains(t, l.admitted(), "network 1")
		})
	})
	t.Run("OnePersonIsServedOnceInARound", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := newLine(t)
			l.places = [classes]int{1, 1, 1}
			one := trader("1")
			l.enter(one, 1)
			l.enter(one, 1)
			l.enter(one, 1)
			l.enter(trader("2"), 1)
			l.enter(one, 1)
			require.ErrorIs(t, l.refused()["trader 1"], ErrBusy, "one inside and two that wait are all of one person")
			require.Equal(t, []string{"trader 1"}, l.admitted())
			l.leaves("trader 1")
			require.Equal(t, []string{"trader 1", "trader 1"}, l.admitted(), "in order of arrival")
		})
		synctest.Test(t, func(t *testing.T) {
			l := newLine(t)
			l.enter(trader("1"), 1)
			l.enter(trader("1"), 1)
			l.enter(trader("2"), 1)
			require.Equal(t, []string{"trader 1", "trader 2"}, l.admitted(), "a second picture of the same person waits behind others")
		})
	})
	t.Run("WhoWaitsTooLongIsRefusedAndForgotten", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := newLine(t)
			l.enter(trader("1"), 10)
			l.enter(trader("2"), 10)
			time.Sleep(l.wait)
			synctest.Wait()
			require.ErrorIs(t, l.refused()["trader 2"], ErrBusy)
			l.leaves("trader 1")
			require.True(t, l.idle())
			require.Zero(t, l.used)
			require.Empty(t, l.held)
			require.Empty(t, l.weights)
		})
	})
	t.Run("WhoGivesUpLeavesTheQueue", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			g := newGate()
			leave, err := g.enter(t.Context(), trader("1"), 10, nil)
			require.NoError(t, err)
			gone, cancel := context.WithCancel(t.Context())
			cancel()
			_, err = g.enter(gone, trader("2"), 10, nil)
			require.ErrorIs(t, err, context.Canceled)
			leave()
			leave() // further calls do nothing
			require.True(t, g.idle())
		})
	})
	t.Run("AFullQueueRefusesItsClassAlone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := newLine(t)
			for n := range 6 {
				l.enter(stranger(n), 10)
			}
			require.ErrorIs(t, l.refused()["network 5"], ErrBusy)
			require.Len(t, l.refused(), 1)
			l.enter(trader("1"), 10)
			require.NotContains(t, l.refused(), "trader 1")
		})
	})
	t.Run("AClassHasItsShareAndAPersonTheirs", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := newLine(t)
			l.share[Stranger], l.own, l.inside, l.places = 4, 8, 3, [classes]int{9, 9, 9}
			l.enter(stranger(1), 3)
			l.enter(stranger(2), 3)
			l.enter(trader("1"), 5)
			require.Equal(t, []string{"network 1", "trader 1"}, l.admitted(), "a class that has its share keeps no other one waiting")
			l.enter(stranger(3), 5)
			require.ErrorIs(t, l.refused()["network 3"], ErrBusy, "it will never fit")
			l.leaves("network 1")
			l.leaves("network 2")
			l.enter(trader("1"), 4)
			require.Equal(t, []string{"network 1", "trader 1", "network 2"}, l.admitted(), "there is room, but not for one person")
		})
	})
}

// TestSlowUploadsGiveWay: the slowest upload is aborted when another one waits for its room, and for no other reason.
func TestSlowUploadsGiveWay(t *testing.T) {
	t.Parallel()
	const enough = 100 * slowRate
	for name, one := range map[string]struct {
		inside   Sender
		bytes    int64
		waits    Sender
		makesWay bool
	}{
		"ASlowOne":                   {trader("1"), 10, trader("2"), true},
		"ASlowStranger":              {stranger(1), 10, trader("2"), true},
		"NotAQuickOne":               {trader("1"), enough, trader("2"), false},
		"NotForALowerClass":          {trader("1"), 10, stranger(2), false},
		"NotForItsOwnPersonsNextOne": {trader("1"), 10, trader("1"), false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLine(t)
				l.slow(one.inside, 10, one.bytes)
				l.arrivals = nil
				time.Sleep(slowAfter - 2*time.Second)
				l.enter(one.waits, 10)
				require.Equal(t, []string{one.inside.Person}, l.admitted(), "it has just come")
				time.Sleep(5 * time.Second)
				synctest.Wait()
				require.Equal(t, one.makesWay, len(l.admitted()) == 2)
				time.Sleep(10 * time.Second)
				for _, leave := range l.leavers() {
					leave()
				}
			})
		})
	}
}

// TestWhoWasSlowWaitsBehindOthers: accounts that upload slowly again and again delay only each other.
func TestWhoWasSlowWaitsBehindOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t)
		l.slow(trader("1"), 10, 10)
		l.slow(trader("2"), 10, 10)
		l.arrivals = nil
		for range 2 { // of each: one inside or aborted, two that wait
			l.enter(trader("1"), 10)
		}
		time.Sleep(slowAfter + time.Second)
		synctest.Wait()
		require.Equal(t, []string{"trader 1", "trader 2"}, l.admitted(), "the first one was aborted")
		l.enter(trader("3"), 10)
		l.enter(trader("4"), 10)
		require.Empty(t, l.refused(), "the queue is full now")
		l.enter(trader("5"), 10)
		require.ErrorIs(t, l.refused()["trader 1"], ErrBusy, "whoever was slow gives up their place in a full queue")
		l.leaves("trader 2")
		l.leaves("trader 3")
		l.leaves("trader 4")
		l.leaves("trader 5")
		require.Equal(t, []string{"trader 1", "trader 2", "trader 3", "trader 4", "trader 5", "trader 1"}, l.admitted())
		l.leaves("trader 1")
		require.True(t, l.idle())
		time.Sleep(asideFor)
		l.enter(trader("2"), 10)
		l.enter(trader("1"), 10)
		l.enter(trader("3"), 10)
		l.leaves("trader 2")
		l.leaves("trader 1")
		require.Equal(t, "trader 3", l.admitted()[len(l.admitted())-1], "in order of arrival, as it is forgotten by then")
		l.leaves("trader 3")
	})
}
