package engine

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/trading"
)

// faulty is a product with a broken feed, and accounts that a wrong price would fill or stop out at once.
type faulty struct {
	*bundle
	product  market.Product
	bid, ask int64
	last     market.Quote // the last honest quote
	turn     int64
	fills    int64
	bait     ledger.Owner // with orders and stops on both sides
}

// says has the feed emit prices with a time that is so far from now.
func (f *faulty) says(bid, ask string, after time.Duration) {
	f.t.Helper()
	f.time.Advance(time.Millisecond)
	at := f.time.Now().Add(after)
	f.feed.said <- market.Raw{Symbol: f.product.Symbol, Bid: bid, Ask: ask, At: at, SourceAt: at}
	<-f.feed.heard
}

// price is the honest bid moved by basis points.
func (f *faulty) price(bps int64) int64 { return f.bid + f.bid*bps/10_000 }

func (f *faulty) text(price int64) string { return f.product.FormatPrice(price) }

// honest emits a good price, a point from the one before.
func (f *faulty) honest() {
	f.t.Helper()
	f.turn = 1 - f.turn
	f.says(f.text(f.bid+f.turn), f.text(f.ask+f.turn), 0)
	f.last, _ = f.market.Newest(f.product.ID)
	require.Equal(f.t, []int64{f.bid + f.turn, f.ask + f.turn}, []int64{f.last.Bid, f.last.Ask})
}

// unmoved requires that nothing was filled, no account was warned or stopped out, and the last honest price is still the newest.
func (f *faulty) unmoved() {
	f.t.Helper()
	f.sweep()
	require.Equal(f.t, f.fills, f.number(`SELECT count(*) FROM fills`), "nothing is filled")
	require.Zero(f.t, f.number(`SELECT count(*) FROM margin_calls`), "nobody is warned")
	newest, _ := f.market.Newest(f.product.ID)
	require.Equal(f.t, f.last, newest, "the last honest price stands")
}

// lies emits an impossible quote and requires that the product is halted at once.
func (f *faulty) lies(bid, ask string, after time.Duration) {
	f.t.Helper()
	f.says(bid, ask, after)
	f.refuses(market.ErrHalted)
}

// refuses requires that the product can't be traded, and that its status says so.
func (f *faulty) refuses(why error) {
	f.t.Helper()
	f.unmoved()
	_, err := f.market.Tradable(f.product.ID)
	require.ErrorIs(f.t, err, why)
	_, err = f.try(trading.Open{Owner: f.bait, ProductID: f.product.ID, Side: trading.Buy, Lots: f.product.LotMin})
	require.ErrorIs(f.t, err, why)
	status, err := f.market.Status(f.product.ID)
	require.NoError(f.t, err)
	require.True(f.t, status.Open)
	require.Equal(f.t, why == market.ErrHalted, status.Halted)
	require.Equal(f.t, why == market.ErrStale, status.Stale)
}

// trades requires that the product can be traded.
func (f *faulty) trades() {
	f.t.Helper()
	_, err := f.market.Tradable(f.product.ID)
	require.NoError(f.t, err)
	status, err := f.market.Status(f.product.ID)
	require.NoError(f.t, err)
	require.False(f.t, status.Halted || status.Stale)
}

// recovers requires that two honest prices are not enough, and three are.
func (f *faulty) recovers() {
	f.t.Helper()
	for range 2 {
		f.honest()
		f.refuses(market.ErrHalted)
	}
	f.honest()
	f.unmoved()
	f.trades()
}

// bet places everything that a wrong price would trigger: stop losses, take profits and orders on both sides, near and far, and two accounts that a crash or a
// rally would stop out.
func (f *faulty) bet(lots int64) {
	f.t.Helper()
	near := int64(f.product.SpikeBps) / 5
	f.bait = f.fund(1_000_000 * unit)
	order := trading.Open{Owner: f.bait, ProductID: f.product.ID, Lots: f.product.LotMin}
	for _, far := range []int64{near, 5_000} {
		long, short := order, order
		long.Side, long.StopLoss, long.TakeProfit = trading.Buy, ptr(f.price(-far)), ptr(f.price(far))
		short.Side, short.StopLoss, short.TakeProfit = trading.Sell, ptr(f.price(far)), ptr(f.price(-far))
		f.opens(long)
		f.opens(short)
	}
	for _, o := range []trading.Place{
		{Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(f.price(-near))}, {Type: trading.LimitOrder, Side: trading.Sell, Terms: priced(f.price(near))},
		{Type: trading.StopOrder, Side: trading.Buy, Terms: priced(f.price(near))}, {Type: trading.StopOrder, Side: trading.Sell, Terms: priced(f.price(-near))},
	} {
		o.Owner, o.ProductID, o.Lots, o.Leverage = f.bait, f.product.ID, f.product.LotMin, f.product.Leverages()[0]
		f.places(o)
	}
	for _, side := range []trading.Side{trading.Buy, trading.Sell} {
		f.opens(trading.Open{Owner: f.fund(400 * unit), ProductID: f.product.ID, Side: side, Lots: lots})
	}
	f.fills = f.number(`SELECT count(*) FROM fills`)
}

// TestFeedFaults breaks the feed of a product of each class in twelve ways. No wrong price fills an order, fires a stop or stops an account out. The product is
// halted or stale from the fault on, and its status says so; three honest prices in a row end it. Then honest prices trigger what the wrong ones did not.
func TestFeedFaults(t *testing.T) {
	t.Parallel()
	classes := []struct {
		id       int
		bid, ask string
		lots     int64 // 400 USDT carries them, but not through a crash or a rally
	}{
		{eurusd, "1.10000", "1.10010", 10 * cent},
		{xauusd, "2000.00", "2000.50", cent},
		{us500, "5000.0", "5000.5", unit},
		{btcusd, "50000.00", "50010.00", 10 * cent},
		{aapl, "200.00", "200.10", 5 * unit},
	}
	faults := []struct {
		name string
		tell func(f *faulty, stale time.Duration)
	}{
		{"Stopped", func(f *faulty, stale time.Duration) {
			f.time.Set(f.last.At().Add(stale))
			f.trades()
			f.time.Advance(time.Millisecond)
			f.refuses(market.ErrStale)
		}},
		{"Frozen", func(f *faulty, stale time.Duration) {
			bid, ask, since := f.text(f.last.Bid), f.text(f.last.Ask), f.last.At()
			for !f.time.Now().Add(stale / 2).After(since.Add(30 * stale)) {
				f.time.Advance(stale / 2)
				f.says(bid, ask, 0)
				f.trades()
				f.last, _ = f.market.Newest(f.product.ID)
			}
			f.time.Set(since.Add(30 * stale))
			f.lies(bid, ask, 0)
			f.time.Advance(time.Second)
			f.lies(bid, ask, 0)
		}},
		{"AThousandTimes", func(f *faulty, _ time.Duration) {
			for range 5 {
				f.lies(f.text(1_000*f.bid), f.text(1_000*f.ask), 0)
				f.lies(f.text(f.bid/1_000), f.text(f.bid/1_000), 0)
			}
			for range 5 {
				f.lies(f.text(1_000*f.bid), f.text(1_000*f.ask), 0)
			}
		}},
		{"Zero", func(f *faulty, _ time.Duration) {
			f.lies("0", "0", 0)
			f.lies(f.text(f.bid), "0", 0)
		}},
		{"Negative", func(f *faulty, _ time.Duration) { f.lies("-"+f.text(f.ask), "-"+f.text(f.bid), 0) }},
		{"NotANumber", func(f *faulty, _ time.Duration) {
			for _, text := range []string{"NaN", "Inf", "", "n/a", "1e9"} {
				f.lies(text, text, 0)
			}
		}},
		{"Crossed", func(f *faulty, _ time.Duration) {
			f.lies(f.text(f.price(6_000)), f.text(f.price(-6_000)), 0)
			f.lies(f.text(f.ask), f.text(f.bid), 0)
		}},
		{"OutOfOrder", func(f *faulty, _ time.Duration) {
			f.lies(f.text(f.price(-6_000)), f.text(f.price(-6_000)), -2*time.Millisecond)
			f.lies(f.text(f.bid), f.text(f.ask), -time.Minute)
		}},
		{"Duplicated", func(f *faulty, stale time.Duration) {
			bid, ask := f.text(f.last.Bid), f.text(f.last.Ask)
			again := func() {
				f.time.Advance(stale/10 - time.Millisecond)
				f.says(bid, ask, f.last.At().Sub(f.time.Now().Add(time.Millisecond)))
				f.unmoved()
			}
			for range 10 {
				again()
				f.trades()
			}
			again()
			f.refuses(market.ErrStale)
		}},
		{"SpikeAndBack", func(f *faulty, _ time.Duration) {
			for _, bps := range []int64{-4_000, -4_000, 4_000} {
				f.lies(f.text(f.price(bps)), f.text(f.price(bps)), 0)
				f.lies(f.text(f.price(bps)), f.text(f.price(bps)), 0)
				f.honest()
				f.refuses(market.ErrHalted)
			}
			f.lies(f.text(f.price(5_000)), f.text(f.price(5_000)), 0)
		}},
		{"SpreadBlowsOut", func(f *faulty, _ time.Duration) {
			half := int64(f.product.SpikeBps) * 3 / 10
			for range 5 {
				f.lies(f.text(f.price(-half)), f.text(f.price(half)), 0)
			}
			f.lies(f.text(f.price(-6_000)), f.text(f.price(6_000)), 0)
		}},
		{"ClockJumps", func(f *faulty, _ time.Duration) {
			f.lies(f.text(f.price(-6_000)), f.text(f.price(-6_000)), time.Hour)
			f.lies(f.text(f.bid), f.text(f.ask), time.Hour)
			f.lies(f.text(f.bid), f.text(f.ask), -time.Hour)
		}},
	}
	require.Len(t, faults, 12)
	var tried []market.Class
	for _, c := range classes {
		p := market.Catalogue()[slices.IndexFunc(market.Catalogue(), func(p market.Product) bool { return p.ID == c.id })]
		tried = append(tried, p.Class)
		t.Run(string(p.Class), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			f := &faulty{bundle: b, product: p, bid: units(t, c.bid, p.Point), ask: units(t, c.ask, p.Point)}
			stale := b.market.StaleLimit(p)
			f.honest()
			f.bet(c.lots)
			for _, fault := range faults {
				f.honest()
				f.unmoved()
				f.trades()
				fault.tell(f, stale)
				f.recovers()
				require.Equal(t, f.fills, b.number(`SELECT count(*) FROM fills`), fault.name)
			}
			low := f.price(-int64(p.SpikeBps) * 3 / 10)
			f.says(f.text(low), f.text(low), 0)
			f.sweep()
			require.Equal(t, f.fills+4, b.number(`SELECT count(*) FROM fills`), "a stop loss, a take profit, a limit and a stop order")
			for bps := int64(p.SpikeBps); bps < 8_000 && b.number(`SELECT count(*) FROM margin_calls`) == 0; bps += int64(p.SpikeBps) {
				b.jump(p.ID, f.text(f.price(-bps)), f.text(f.price(-bps)))
				f.sweep()
			}
			require.EqualValues(t, 1, b.number(`SELECT count(*) FROM margin_calls`), "an honest fall comes to the one who can't bear it")
			b.proves()
		})
	}
	for _, p := range market.Catalogue() {
		require.Contains(t, tried, p.Class)
	}
}
