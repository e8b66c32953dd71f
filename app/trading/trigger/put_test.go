package trigger

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/trading"
	"candor/app/trading/tradingtest"
)

// newWatch makes a monitor without accounts, on a market in memory.
func newWatch() *Monitor {
	x := tradingtest.NewExchange()
	return New(x, trading.NewRules(x, x))
}

func TestWatchKeepsTheNewerState(t *testing.T) {
	t.Parallel()
	tm := newWatch()
	state := func(version int64, lots ...int64) trading.Portfolio {
		f := trading.Portfolio{}
		f.Account.ID, f.Account.Version = 1, version
		for i, n := range lots {
			f.Positions = append(f.Positions, trading.Position{ID: int64(i + 1), ProductID: 1, Side: trading.Buy, Lots: n, StopLoss: new(int64(1))})
		}
		return f
	}
	tm.put(state(2, 5))
	tm.put(state(1, 9))
	require.EqualValues(t, 5, tm.accounts[1].Positions[0].Lots, "an older state that comes late is passed over")
	tm.put(state(3))
	require.Empty(t, tm.accounts, "a flat account is not watched")
	require.Zero(t, tm.book(1).levels[triggers][bidFalls].tree.Len(), "nor waits anything for it")
}

// TestATrailingStopKnowsTheQuotesBeforeItWasLearnt sends quotes after a trailing stop began and before the monitor learns of it.
func TestATrailingStopKnowsTheQuotesBeforeItWasLearnt(t *testing.T) {
	t.Parallel()
	tm := newWatch()
	p := trading.Position{ID: 7, ProductID: 1, Side: trading.Buy, State: trading.StateOpen, Trail: new(int64(10)), TrailSince: 1}
	set := market.Quote{ProductID: 1, Seq: 1, Bid: 100, Ask: 101}
	for _, q := range []market.Quote{set, {ProductID: 1, Seq: 2, Bid: 120, Ask: 121}, {ProductID: 1, Seq: 3, Bid: 115, Ask: 116}} {
		require.Empty(t, tm.triggered(&q))
	}
	tm.Learn(map[int64]Extreme{7: {Side: trading.Buy, Since: 1, Quote: set, Last: 1}})
	require.Empty(t, tm.put(trading.Portfolio{Account: ledger.Account{ID: 1}, Positions: []trading.Position{p}}))
	valued := []trading.Valued{{Position: p}}
	tm.SetTrailLevels(valued, nil)
	require.Equal(t, int64(110), *valued[0].TrailLevel, "behind the best of the quotes that came between")
	tm.Learn(map[int64]Extreme{7: {Side: trading.Buy, Since: 0, Quote: set, Last: 1}})
	require.Equal(t, int64(1), tm.best[7].Since, "what was read before it began is late")
	valued[0].TrailSince, valued[0].TrailLevel = 3, nil
	tm.SetTrailLevels(valued, nil)
	require.Nil(t, valued[0].TrailLevel, "one that has begun since is not known yet")
}
