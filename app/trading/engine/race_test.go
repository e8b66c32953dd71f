package engine

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/dbtest"
	"candor/app/platform/idempotency"
	"candor/app/trading"
)

const racers = 8

// race runs act in several goroutines at once and counts the successes; every other run must fail with want.
func race(t *testing.T, want error, act func(n int) error) (succeeded int) {
	t.Helper()
	var group sync.WaitGroup
	var passed atomic.Int64
	start := make(chan struct{})
	errs := make([]error, racers)
	for n := range racers {
		group.Go(func() {
			<-start
			if errs[n] = act(n); errs[n] == nil {
				passed.Add(1)
			}
		})
	}
	close(start)
	group.Wait()
	for _, err := range errs {
		if err != nil {
			require.ErrorIs(t, err, want)
		}
	}
	return int(passed.Load())
}

// parallel is a request that goroutines may make at the same time.
func parallel(o ledger.Owner, key string) idempotency.Request {
	return idempotency.Request{TraderID: o.TraderID, Call: "race", Key: key}
}

func TestParallelClosesOfAPositionCloseItOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	for trial := range 20 {
		o := b.fund(1_000 * unit)
		id := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent}).Position.ID
		passed := race(t, trading.ErrPosition, func(n int) error {
			_, err := b.engine.Close(t.Context(), trading.Close{Owner: o, PositionID: id}, parallel(o, fmt.Sprint(trial, "-", n)))
			return err
		})
		require.Equal(t, 1, passed)
		require.Len(t, b.fills(o), 2)
		require.EqualValues(t, 1_000*unit-unit/10, b.account(o).Cash)
	}
	b.proves()
}

func TestParallelPartsNeverCloseMoreThanThereIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	for trial := range 10 {
		o := b.fund(1_000 * unit)
		id := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: 5 * cent}).Position.ID
		passed := race(t, trading.ErrLots, func(n int) error {
			_, err := b.engine.Close(t.Context(), trading.Close{Owner: o, PositionID: id, Lots: 2 * cent}, parallel(o, fmt.Sprint(trial, "-", n)))
			return err
		})
		require.Equal(t, 2, passed)
		require.EqualValues(t, cent, b.position(o, id).Lots)
		require.Len(t, b.fills(o), 3)
	}
	b.proves()
}

// TestParallelOrdersNeverOverspend sends eight orders that each take the whole balance, a hundred times.
func TestParallelOrdersNeverOverspend(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	other := b.another() // two servers share the load
	overspent := 0
	for trial := range 100 {
		o := b.fund(26 * unit)
		order := trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent, Leverage: 20}
		passed := race(t, trading.ErrMargin, func(n int) error {
			engine := []*Service{b.engine, other}[n%2]
			_, err := engine.Open(t.Context(), order, parallel(o, fmt.Sprint(trial, "-", n)))
			return err
		})
		v := b.value(o)
		if passed != 1 || len(v.Positions) != 1 || v.Used > v.Equity+unit/10 { // 0.10 USDT is the spread
			overspent++
		}
	}
	require.Zero(t, overspent)
	require.EqualValues(t, 100, b.number(`SELECT count(*) FROM fills`))
	b.proves()
}

func TestParallelRequestsOfOneKeyHaveOneAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	for trial := range 20 {
		o := b.fund(1_000 * unit)
		order := trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent, Leverage: 20}
		answers := make([]Result, racers)
		passed := race(t, nil, func(n int) (err error) {
			answers[n], err = b.engine.Open(t.Context(), order, parallel(o, fmt.Sprint(trial)))
			return err
		})
		require.Equal(t, racers, passed)
		for _, answer := range answers {
			require.Equal(t, dbtest.JSON(t, answers[0]), dbtest.JSON(t, answer))
		}
		require.Len(t, b.fills(o), 1)
	}
	b.proves()
}

// TestTraderAndEngineRaceForAPosition has a trader close, and the engine stop out, a position whose stop loss has fired.
func TestTraderAndEngineRaceForAPosition(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	for trial := range 20 {
		b.jump(btcusd, "50000.00", "50010.00")
		o := b.fund(25_500_000)
		id := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent, StopLoss: ptr[int64](48_800_00)}).Position.ID
		b.quote(btcusd, "48700.00", "48710.00")
		b.engine.monitor.Sweep(b.seen)
		require.Equal(t, 2, b.engine.monitor.Queued())
		race(t, trading.ErrPosition, func(n int) error {
			switch n {
			case 0:
				_, err := b.engine.Close(t.Context(), trading.Close{Owner: o, PositionID: id}, parallel(o, fmt.Sprint(trial)))
				return err
			case 1, 2:
				work, ok := b.engine.monitor.Next(t.Context())
				require.True(t, ok)
				b.engine.perform(t.Context(), work)
			}
			return nil
		})
		require.Len(t, b.fills(o), 2)
		require.Equal(t, trading.StateClosed, b.position(o, id).State)
	}
	b.proves()
}
