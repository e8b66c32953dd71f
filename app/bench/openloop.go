package bench

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

const (
	openPerSecond = 1_000            // orders that arrive, on average
	openRound     = 12 * time.Second // of each variant in each round: a minute in all
)

// arrival is an order that somebody sends at a moment, whoever is still waiting then.
type arrival struct {
	after time.Duration // since the start
	by    int           // the account's number
}

// poissonArrivals is a Poisson process; a round's variants get the same.
func poissonArrivals(round int) (list []arrival) {
	random := rand.New(rand.NewPCG(20, uint64(round))) //nolint:gosec // a seed makes the arrivals the same again
	for after := time.Duration(0); after < openRound; after += time.Duration(random.ExpFloat64() * float64(time.Second) / openPerSecond) {
		list = append(list, arrival{after, random.IntN(benchAccounts)})
	}
	return list
}

// openLoop runs an operation at each arrival. An account's orders are sent one after the other; the time that one waits for the account's former counts, as
// all waiting does. The result is the time of each from its arrival to its answer.
func openLoop(ctx context.Context, list []arrival, operation func(ctx context.Context, account int) error) (took []time.Duration, err error) {
	var group sync.WaitGroup
	var mu sync.Mutex
	accounts := make([]chan time.Time, benchAccounts)
	for account := range accounts {
		due := make(chan time.Time, len(list))
		accounts[account] = due
		group.Go(func() {
			var own []time.Duration
			var failed error
			for at := range due {
				failed = errors.Join(failed, operation(ctx, account))
				own = append(own, time.Since(at))
			}
			mu.Lock()
			defer mu.Unlock()
			took, err = append(took, own...), errors.Join(err, failed)
		})
	}
	start := time.Now()
	for _, a := range list {
		at := start.Add(a.after)
		time.Sleep(time.Until(at))
		accounts[a.by] <- at
	}
	for _, due := range accounts {
		close(due)
	}
	group.Wait()
	slices.Sort(took)
	return took, err
}
