package trigger

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/trading"
	"candor/app/trading/sums"
	"candor/app/trading/tradingtest"
)

// warnable is an account with one long lot of EURUSD whose equity is 0.01 USDT above the margin call.
func warnable(w *world) trading.Portfolio {
	f := trading.Portfolio{Account: ledger.Account{ID: 99}}
	q := w.x.Quotes[tradingtest.EURUSD]
	f.Positions = []trading.Position{{ID: 1, AccountID: 99, ProductID: tradingtest.EURUSD, Side: trading.Buy, Lots: money.Unit, OpenValue: money.Unit * q.Bid, Leverage: 100, Margin: 1_000 * money.Unit, RolledDay: market.LastRollover(w.x.At).Day}}
	f.Account.Cash = 1_000*money.Unit + (money.Unit / 100)
	return f
}

// tell sends a quote of EURUSD, moved from its first price.
func (w *world) tell(move int64) {
	w.quote(tradingtest.EURUSD, roamed[tradingtest.EURUSD]+move)
}

func TestAnAccountNextToItsThresholdIsLeftAloneWhileNoPriceMoves(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	require.Empty(t, w.monitor.put(warnable(w)))
	require.Equal(t, 1, w.monitor.Sweep(nil), "when it comes")
	bands := w.monitor.accounts[99].bands
	require.Len(t, bands, 1, "only a falling bid can warn it")
	require.Equal(t, bidFalls.along(roamed[tradingtest.EURUSD]-1), bands[0].level, "a whole money.Unit away: less would be left before it is entered")
	require.Zero(t, w.monitor.Sweep(nil))
	w.tell(0)
	require.Zero(t, w.monitor.Sweep(nil), "the same price")
	w.tell(50)
	require.Zero(t, w.monitor.Sweep(nil), "a better one")
	w.tell(-1)
	require.Equal(t, 1, w.monitor.Sweep(nil), "a worse one")
	require.Len(t, w.monitor.tasks.tasks, 1)
}

func TestABandThatWasLeftBeforeItWasThereCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	f := warnable(w)
	w.monitor.put(f)
	v, err := w.rules.Value(f)
	require.NoError(t, err)
	edges, certain := bandsOf(v, nil)
	require.True(t, certain)
	_, _ = w.monitor.changedAccounts() // a sweep has begun to value it
	w.tell(-5)
	w.monitor.watchBands(f, nil, edges)
	require.Equal(t, 1, w.monitor.Sweep(nil), "the next sweep looks again")
	require.Len(t, w.monitor.tasks.tasks, 1)
}

func TestBandsGoToBothSidesOnceAnAccountIsWarned(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	f := warnable(w)
	f.Call, f.Account.Cash = &trading.MarginCall{}, 900*money.Unit
	w.monitor.put(f)
	require.Equal(t, 1, w.monitor.Sweep(nil))
	require.Len(t, w.monitor.accounts[99].bands, 2)
	for _, level := range w.monitor.accounts[99].bands {
		require.Greater(t, level.level-level.direction.of(w.x.Quotes[tradingtest.EURUSD].Bid, w.x.Quotes[tradingtest.EURUSD].Ask), int64(1), "with room on both")
	}
	w.tell(151)
	w.monitor.Sweep(nil)
	require.Len(t, w.monitor.tasks.tasks, 1, "105 percent: it has recovered")
}

func TestAConversionIsAnExposure(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	q := w.x.Quotes[tradingtest.EURGBP]
	f := trading.Portfolio{Account: ledger.Account{ID: 99, Cash: 2_251 * money.Unit}}
	f.Positions = []trading.Position{{ID: 1, AccountID: 99, ProductID: tradingtest.EURGBP, Side: trading.Buy, Lots: money.Unit, OpenValue: money.Unit * (q.Bid + 1_000), Leverage: 100, Margin: 1_000 * money.Unit, RolledDay: market.LastRollover(w.x.At).Day}}
	w.monitor.put(f)
	require.Equal(t, 1, w.monitor.Sweep(nil))
	require.Empty(t, w.monitor.tasks.tasks, "a loss of 1,250 leaves it above")
	w.quote(2, 125_600) // the same loss in pounds is larger in dollars
	w.monitor.Sweep(nil)
	require.Len(t, w.monitor.tasks.tasks, 1, "the loss is dearer in dollars")
}

// TestProfitMovesOneWay checks the assumption of bands: a long gains at a higher price, and at one price a profit and a loss grow with the rate.
func TestProfitMovesOneWay(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	x := tradingtest.NewExchange()
	for range 20_000 {
		p := x.Catalogue[tradingtest.Listed[random.IntN(len(tradingtest.Listed))]]
		long, lots, price := random.IntN(2) == 0, 1+random.Int64N(10*money.Unit), 10_000+random.Int64N(100_000)
		opened := lots * (price + random.Int64N(2_001) - 1_000)
		r := sums.Rate{Double: 100_000 + random.Int64N(200_000), Point: 5, Inverse: random.IntN(2) == 0}
		profit := func(price int64, r sums.Rate) int64 {
			v, err := sums.Profit(p, long, lots, opened, price, r)
			require.NoError(t, err)
			return v
		}
		here, up := profit(price, r), profit(price+1+random.Int64N(3), r)
		if !long {
			here, up = up, here
		}
		require.GreaterOrEqual(t, up, here, "by its price")
		here = profit(price, r)
		higher := r
		if higher.Double += 1 + random.Int64N(3); r.Inverse {
			higher.Double = r.Double - 1
		}
		require.GreaterOrEqual(t, profit(price, higher)*sign(here), here*sign(here), "by its rate")
	}
}

func sign(v int64) int64 {
	if v < 0 {
		return -1
	}
	return 1
}
