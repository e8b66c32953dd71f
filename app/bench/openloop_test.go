package bench

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOpenLoopCountsTheWait stalls one order of an account: the next ones of it wait too, and those of another account don't.
func TestOpenLoopCountsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := []arrival{{0, 0}, {time.Second, 0}, {2 * time.Second, 0}, {2 * time.Second, 1}}
		var asked atomic.Int64
		took, err := openLoop(t.Context(), list, func(_ context.Context, account int) error {
			if account == 0 && asked.Add(1) == 1 {
				time.Sleep(5 * time.Second)
			}
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, []time.Duration{0, 3 * time.Second, 4 * time.Second, 5 * time.Second}, took)
	})
}

func TestOpenLoopReportsAFailure(t *testing.T) {
	broken := errors.New("broken")
	_, err := openLoop(t.Context(), []arrival{{0, 3}}, func(context.Context, int) error { return broken })
	require.ErrorIs(t, err, broken)
}

func TestArrivalsAreTheSameAgainAndOnAverageAThousandASecond(t *testing.T) {
	list := poissonArrivals(1)
	require.Equal(t, list, poissonArrivals(1))
	require.NotEqual(t, list, poissonArrivals(2))
	require.InEpsilon(t, openPerSecond*openRound.Seconds(), float64(len(list)), 0.05)
}
