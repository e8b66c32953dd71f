package db_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
)

func TestGather(t *testing.T) {
	t.Parallel()
	away := errors.New("away")
	var mu sync.Mutex
	var asked [][]int
	gate := make(chan error)
	g := db.NewGather(func(_ context.Context, keys []int) (map[int]string, error) {
		mu.Lock()
		asked = append(asked, slices.Sorted(slices.Values(keys)))
		mu.Unlock()
		err := <-gate
		return map[int]string{1: "one", 2: "two"}, err
	})
	type answer struct {
		value string
		found bool
		err   error
	}
	ask := func(ctx context.Context, key int) chan answer {
		to := make(chan answer, 1)
		go func() {
			v, ok, err := g.Find(ctx, key)
			to <- answer{v, ok, err}
		}()
		return to
	}
	queries := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(asked)
	}
	first := ask(t.Context(), 1)
	require.Eventually(t, func() bool { return queries() == 1 }, 5*time.Second, time.Millisecond, "a lone question is asked at once")
	gone, cancel := context.WithCancel(t.Context())
	others := []chan answer{ask(t.Context(), 2), ask(t.Context(), 2), ask(t.Context(), 3)}
	left := ask(gone, 1)
	cancel()
	require.ErrorIs(t, (<-left).err, context.Canceled)
	require.Never(t, func() bool { return queries() > 1 }, 20*time.Millisecond, 5*time.Millisecond)
	gate <- nil
	require.Equal(t, answer{"one", true, nil}, <-first)
	gate <- nil
	require.Equal(t, answer{"two", true, nil}, <-others[0])
	require.Equal(t, answer{"two", true, nil}, <-others[1])
	require.Equal(t, answer{"", false, nil}, <-others[2])
	require.Equal(t, [][]int{{1}, {1, 2, 2, 3}}, asked)
	failing := ask(t.Context(), 1)
	gate <- away
	require.ErrorIs(t, (<-failing).err, away)
	again := ask(t.Context(), 1)
	gate <- nil
	require.Equal(t, answer{"one", true, nil}, <-again, "an error is nobody else's")
}

func TestAQueryThatTakesTooLongIsBusy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stalls := db.NewGather(func(ctx context.Context, _ []int) (map[int]int, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		_, _, err := stalls.Find(t.Context(), 1)
		require.True(t, db.IsBusy(err), "whoever asked is told to try again: %v", err)
		broken := db.NewGather(func(context.Context, []int) (map[int]int, error) { return nil, context.DeadlineExceeded })
		_, _, err = broken.Find(t.Context(), 1)
		require.False(t, db.IsBusy(err), "another limit's end is no answer of this one")
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}
