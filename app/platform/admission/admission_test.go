package admission_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/admission"
)

var limits = admission.Limits{Running: 2, Waiting: 3, Total: 4, Crowd: 8, Patience: time.Second}

// bundle holds requests that run until they are released.
type bundle struct {
	*testing.T
	limiter *admission.Limiter
	mu      sync.Mutex
	passed  []string
}

// ask sends a request of a caller, which runs until finish is called.
func (b *bundle) ask(name string) (finish func()) {
	done := make(chan struct{})
	go func() {
		leave, err := b.limiter.Enter(b.Context(), name)
		b.mu.Lock()
		if err != nil {
			name = "refused " + name
		}
		b.passed = append(b.passed, name)
		b.mu.Unlock()
		if err == nil {
			<-done
			leave()
			leave() // the second call does nothing
		}
	}()
	synctest.Wait()
	return func() {
		close(done)
		synctest.Wait()
	}
}

func (b *bundle) requirePassed(names ...string) {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Equal(b, names, b.passed)
}

func with(t *testing.T, test func(b *bundle)) {
	synctest.Test(t, func(t *testing.T) { test(&bundle{T: t, limiter: admission.New(limits)}) })
}

func TestLimiter(t *testing.T) {
	t.Parallel()
	t.Run("OneCallerRunsAFewAtATime", func(t *testing.T) {
		with(t, func(b *bundle) {
			first, second := b.ask("anna"), b.ask("anna")
			third := b.ask("anna")
			other := b.ask("bert")
			b.requirePassed("anna", "anna", "bert")
			first()
			b.requirePassed("anna", "anna", "bert", "anna")
			second()
			third()
			other()
			running, waiting := b.limiter.UnderWay()
			require.Equal(t, []int{0, 0}, []int{running, waiting})
		})
	})
	t.Run("CallersTakeTurns", func(t *testing.T) {
		with(t, func(b *bundle) {
			var finish []func()
			for _, name := range []string{"c", "c", "d", "d"} {
				finish = append(finish, b.ask(name))
			}
			for _, name := range []string{"anna", "anna", "anna", "bert"} {
				finish = append(finish, b.ask(name))
			}
			b.requirePassed("c", "c", "d", "d")
			for _, done := range finish {
				done()
			}
			b.requirePassed("c", "c", "d", "d", "anna", "bert", "anna", "anna")
		})
	})
	t.Run("WhoeverWaitsTooLongIsRefused", func(t *testing.T) {
		with(t, func(b *bundle) {
			first, second, third := b.ask("anna"), b.ask("anna"), b.ask("anna")
			time.Sleep(limits.Patience)
			synctest.Wait()
			b.requirePassed("anna", "anna", "refused anna")
			first()
			second()
			third()
			finish := b.ask("anna")
			b.requirePassed("anna", "anna", "refused anna", "anna")
			finish()
		})
	})
	t.Run("ACrowdOfOneCallerIsRefusedAndNobodyElse", func(t *testing.T) {
		with(t, func(b *bundle) {
			var finish []func()
			for range 2 + limits.Waiting + 1 {
				finish = append(finish, b.ask("anna"))
			}
			finish = append(finish, b.ask("bert"))
			b.requirePassed("anna", "anna", "refused anna", "bert")
			for _, done := range finish {
				done()
			}
		})
	})
	t.Run("ACrowdOfAllIsRefused", func(t *testing.T) {
		with(t, func(b *bundle) {
			var finish []func()
			for i := range limits.Total + limits.Crowd + 1 {
				finish = append(finish, b.ask(fmt.Sprint(i)))
			}
			b.requirePassed("0", "1", "2", "3", "refused 12")
			for _, done := range finish {
				done()
			}
		})
	})
	t.Run("WhoeverGivesUpLeavesTheQueue", func(t *testing.T) {
		with(t, func(b *bundle) {
			first, second := b.ask("anna"), b.ask("anna")
			ctx, cancel := context.WithCancel(b.Context())
			gaveUp := make(chan error, 1)
			go func() {
				_, err := b.limiter.Enter(ctx, "anna")
				gaveUp <- err
			}()
			synctest.Wait()
			cancel()
			require.ErrorIs(t, <-gaveUp, context.Canceled)
			_, waiting := b.limiter.UnderWay()
			require.Zero(t, waiting)
			first()
			second()
		})
	})
}

// TestManyAtOnce checks that the limits are never exceeded and that every admitted request leaves.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	limiter := admission.New(admission.Limits{Running: 3, Waiting: 1000, Total: 7, Crowd: 10_000, Patience: time.Minute})
	var mu sync.Mutex
	var group sync.WaitGroup
	all, most, of, mostOf := 0, 0, map[string]int{}, 0
	for i := range 2000 {
		group.Go(func() {
			name := fmt.Sprint(i % 5)
			leave, err := limiter.Enter(t.Context(), name)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			all++
			of[name]++
			most, mostOf = max(most, all), max(mostOf, of[name])
			mu.Unlock()
			mu.Lock()
			all--
			of[name]--
			mu.Unlock()
			leave()
		})
	}
	group.Wait()
	require.LessOrEqual(t, most, 7)
	require.LessOrEqual(t, mostOf, 3)
	running, waiting := limiter.UnderWay()
	require.Equal(t, []int{0, 0}, []int{running, waiting})
}

// TestFewCallersCannotFillTheQueue: in a full queue a newcomer displaces the newest request of the caller that waits with the most; one with as many is refused.
func TestFewCallersCannotFillTheQueue(t *testing.T) {
	t.Parallel()
	l := admission.New(admission.Limits{Running: 1, Waiting: 10, Total: 1, Crowd: 6, Patience: time.Minute})
	leave, err := l.Enter(t.Context(), "first")
	require.NoError(t, err)
	refused := make(chan string, 20)
	passed := make(chan string, 20)
	wait := func(name string, want int) {
		go func() {
			leave, err := l.Enter(t.Context(), name)
			if err != nil {
				refused <- name
				return
			}
			passed <- name
			leave()
		}()
		require.Eventually(t, func() bool { _, waiting := l.UnderWay(); return waiting == want }, 5*time.Second, time.Millisecond)
	}
	for n := range 6 {
		wait("crowd", n+1)
	}
	wait("honest", 6)
	require.Equal(t, "crowd", <-refused)
	leave()
	counts := map[string]int{}
	for range 6 {
		counts[<-passed]++
	}
	require.Equal(t, map[string]int{"crowd": 5, "honest": 1}, counts)

	leave, err = l.Enter(t.Context(), "first")
	require.NoError(t, err)
	defer leave()
	for n := range 6 {
		wait(fmt.Sprint("one of many ", n), n+1)
	}
	_, err = l.Enter(t.Context(), "another")
	require.ErrorIs(t, err, admission.ErrBusy, "nobody has more than one place")
}
