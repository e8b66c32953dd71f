package engine

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/trading"
)

func TestProtectionFires(t *testing.T) {
	t.Parallel()
	// A long is opened at 1.10010, a short at 1.10000.
	tests := []struct {
		name         string
		side         trading.Side
		stop, take   *int64
		holds, fires [2]string // bid and ask
		rule         trading.Rule
		limit, price int64
		profit       int64
	}{
		{"StopLossOfALongOnTheBid", trading.Buy, ptr[int64](109_900), ptr[int64](110_100), [2]string{"1.09901", "1.09901"}, [2]string{"1.09900", "1.10050"}, trading.StopLossRule, 109_900, 109_900, -110 * unit},
		{"StopLossOfALongThroughAGap", trading.Buy, ptr[int64](109_900), nil, [2]string{"1.09950", "1.09960"}, [2]string{"1.09500", "1.09510"}, trading.StopLossRule, 109_900, 109_500, -510 * unit},
		{"TakeProfitOfALongOnTheBid", trading.Buy, ptr[int64](109_900), ptr[int64](110_100), [2]string{"1.10099", "1.10150"}, [2]string{"1.10100", "1.10110"}, trading.TakeProfitRule, 110_100, 110_100, 90 * unit},
		{"TakeProfitOfALongThroughAGap", trading.Buy, nil, ptr[int64](110_100), [2]string{"1.10050", "1.10060"}, [2]string{"1.10400", "1.10410"}, trading.TakeProfitRule, 110_100, 110_400, 390 * unit},
		{"StopLossOfAShortOnTheAsk", trading.Sell, ptr[int64](110_100), ptr[int64](109_900), [2]string{"1.10099", "1.10099"}, [2]string{"1.10050", "1.10100"}, trading.StopLossRule, 110_100, 110_100, -100 * unit},
		{"StopLossOfAShortThroughAGap", trading.Sell, ptr[int64](110_100), nil, [2]string{"1.10050", "1.10060"}, [2]string{"1.10490", "1.10500"}, trading.StopLossRule, 110_100, 110_500, -500 * unit},
		{"TakeProfitOfAShortOnTheAsk", trading.Sell, ptr[int64](110_100), ptr[int64](109_900), [2]string{"1.09850", "1.09901"}, [2]string{"1.09890", "1.09900"}, trading.TakeProfitRule, 109_900, 109_900, 100 * unit},
		{"TakeProfitOfAShortThroughAGap", trading.Sell, nil, ptr[int64](109_900), [2]string{"1.09940", "1.09950"}, [2]string{"1.09600", "1.09610"}, trading.TakeProfitRule, 109_900, 109_610, 390 * unit},
	}
	b := setup(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b.quote(eurusd, "1.10000", "1.10010")
			o := b.fund(10_000 * unit)
			id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: test.side, Lots: unit, StopLoss: test.stop, TakeProfit: test.take}).Position.ID
			b.quote(eurusd, test.holds[0], test.holds[1])
			require.Zero(t, b.engine.monitor.Queued(), "one step before, nothing fires")
			q := b.quote(eurusd, test.fires[0], test.fires[1])
			require.Equal(t, 1, b.engine.monitor.Queued())
			b.quote(eurusd, "1.10000", "1.10010") // the price comes back before a worker is free
			b.quote(eurusd, test.fires[0], test.fires[1])
			require.Equal(t, 1, b.engine.monitor.Queued(), "it fires once")
			b.quote(eurusd, "1.10000", "1.10010")
			b.work()

			fills := b.fills(o)
			require.Len(t, fills, 2)
			fill := fills[1]
			require.Equal(t, []any{test.rule, test.price, test.limit, q.Seq, test.profit}, []any{fill.Rule, fill.Price, *fill.LimitPrice, fill.QuoteSeq, fill.Profit},
				"at the quote that fired, however long it waited")
			closed := b.position(o, id)
			require.Equal(t, []any{trading.StateClosed, trading.CloseReason(test.rule), test.price}, []any{closed.State, *closed.CloseReason, *closed.ClosePrice})
			require.EqualValues(t, 1, b.number(`SELECT count(*) FROM orders WHERE position_id = $1 AND source = 'system'`, id))
			b.quote(eurusd, test.fires[0], test.fires[1])
			require.Zero(t, b.engine.monitor.Queued(), "and never again")
			require.EqualValues(t, 10_000*unit+test.profit, b.account(o).Cash)
		})
	}
	b.proves()
}

func TestStopLossWinsOverTakeProfit(t *testing.T) {
	t.Parallel()
	p := trading.Position{ProductID: 1, Side: trading.Buy, StopLoss: ptr[int64](100), TakeProfit: ptr[int64](90)}
	rule, limit := trading.Fires(p, market.Quote{ProductID: 1, Seq: 1, Bid: 95, Ask: 96}, market.Quote{})
	require.Equal(t, trading.StopLossRule, rule)
	require.EqualValues(t, 100, *limit)
	rule, _ = trading.Fires(p, market.Quote{ProductID: 2, Seq: 1, Bid: 95, Ask: 96}, market.Quote{})
	require.Empty(t, rule, "another product's price fires nothing")
}

func TestProtectionThatChangedMeanwhileDoesNotFire(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(10_000 * unit)
	id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit, StopLoss: ptr[int64](109_900)}).Position.ID
	b.quote(eurusd, "1.09900", "1.09910")
	_, err := b.tryProtect(trading.Protect{Owner: o, PositionID: id, StopLoss: ptr[int64](109_800)})
	require.NoError(t, err)
	b.work()
	require.Equal(t, trading.StateOpen, b.position(o, id).State)
	b.quote(eurusd, "1.09800", "1.09810")
	b.closes(o, id, 0) // the trader is faster
	b.work()
	require.Len(t, b.fills(o), 2)
	require.Equal(t, trading.ManualClose, *b.position(o, id).CloseReason)
	b.proves()
}

func TestNothingFiresOutsideSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(10_000 * unit)
	id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit, StopLoss: ptr[int64](109_900)}).Position.ID
	b.time.Set(saturday)
	b.jump(eurusd, "1.09000", "1.09010")
	b.sweep()
	require.Equal(t, trading.StateOpen, b.position(o, id).State)
	require.EqualValues(t, 9_000*unit-10*unit, b.value(o).Equity, "the price is seen all the same")
	b.time.Set(time.Date(2026, 11, 29, 22, 0, 0, 0, time.UTC))
	for _, bid := range []string{"1.08000", "1.08005"} {
		b.quote(eurusd, bid, "1.08010")
		b.sweep()
		require.Equal(t, trading.StateOpen, b.position(o, id).State, "a session begins with three prices that agree")
	}
	q := b.quote(eurusd, "1.08002", "1.08012")
	b.work()
	fill := b.fills(o)[1]
	require.Equal(t, []any{trading.StopLossRule, int64(108_002), q.Seq}, []any{fill.Rule, fill.Price, fill.QuoteSeq}, "the first that is traded on")
	b.proves()
}

func TestWatchSurvivesARestart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(10_000 * unit)
	id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit, StopLoss: ptr[int64](109_900)}).Position.ID
	b.closes(b.fundAndOpenCrypto())
	b.engine = b.another()
	b.quote(eurusd, "1.09900", "1.09910")
	require.Zero(t, b.engine.monitor.Queued(), "it knows nobody yet")
	require.NoError(t, b.engine.Load(t.Context()))
	require.Equal(t, 1, b.engine.monitor.Watched(), "those with open positions")
	b.quote(eurusd, "1.09890", "1.09900")
	b.work()
	require.Equal(t, trading.StopLossClose, *b.position(o, id).CloseReason)
	b.proves()
}

// TestTwoEnginesActOnce sends the same quote to two servers: a stop fires once, and an account is stopped out once.
func TestTwoEnginesActOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	other := b.another()
	b.market.OnQuote(other.OnQuote)
	var owners []ledger.Owner
	for range 10 {
		stop, poor := b.fund(10_000*unit), b.fund(25_500_000)
		b.opens(trading.Open{Owner: stop, ProductID: btcusd, Side: trading.Buy, Lots: cent, StopLoss: ptr[int64](48_800_00)})
		b.opens(trading.Open{Owner: poor, ProductID: btcusd, Side: trading.Buy, Lots: cent})
		owners = append(owners, stop, poor)
	}
	require.NoError(t, other.Load(t.Context()))
	b.quote(btcusd, "48700.00", "48710.00")
	require.Equal(t, 10, b.engine.monitor.Queued())
	require.Equal(t, 10, other.monitor.Queued())
	var group sync.WaitGroup
	for _, engine := range []*Service{b.engine, other} {
		group.Go(func() {
			engine.monitor.Sweep(&recorder{})
			workOff(t.Context(), engine)
		})
	}
	group.Wait()
	for _, o := range owners {
		require.Len(t, b.fills(o), 2)
		require.Empty(t, b.value(o).Positions)
	}
	b.proves()
}

// countingClock signals every reading of the time: each attempt to close reads it once.
type countingClock struct {
	clock.Clock
	asked chan struct{}
}

func (c countingClock) Now() time.Time {
	c.asked <- struct{}{}
	return c.Clock.Now()
}

func TestTriggeredCloseWaitsForTheDatabase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(10_000 * unit)
	b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit, StopLoss: ptr[int64](109_900)})
	q := b.quote(eurusd, "1.09900", "1.09910")
	asked := make(chan struct{})
	b.engine.rules = trading.NewRules(b.market, countingClock{b.real, asked})
	_, err := b.super.Exec(t.Context(), `ALTER TABLE fills RENAME TO hidden`)
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.work()
	}()
	<-asked
	<-asked // it failed once and tries again
	b.quote(eurusd, "1.10000", "1.10010")
	_, err = b.super.Exec(t.Context(), `ALTER TABLE hidden RENAME TO fills`)
	require.NoError(t, err)
	for ended := false; !ended; {
		select {
		case <-asked:
		case <-done:
			ended = true
		}
	}
	fill := b.fills(o)[1]
	require.Equal(t, []any{int64(109_900), q.Seq}, []any{fill.Price, fill.QuoteSeq})
	require.EqualValues(t, 1, b.number(`SELECT count(*) FROM orders WHERE source = 'system'`), "nothing of the attempt that failed is left")
	b.proves()
}

// withoutPrice is a market without the price of one product.
type withoutPrice struct {
	trading.Market
	product int
}

func (m withoutPrice) Confirmed(id int) (market.Quote, bool) {
	if id == m.product {
		return market.Quote{}, false
	}
	return m.Market.Confirmed(id)
}

// TestRefusedTaskFreesItsWorker has an account that can't be valued: it must not block a worker forever.
func TestRefusedTaskFreesItsWorker(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(10_000 * unit)
	id := b.opens(trading.Open{Owner: o, ProductID: eurgbp, Side: trading.Buy, Lots: unit, StopLoss: ptr[int64](87_900)}).Position.ID
	b.engine.rules = trading.NewRules(withoutPrice{b.market, 2}, b.real)
	b.quote(eurgbp, "0.87900", "0.87910")
	require.Equal(t, 1, b.engine.monitor.Queued())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	workOff(ctx, b.engine)
	require.NoError(t, ctx.Err(), "it tried until it was told to end")
	require.Equal(t, trading.StateOpen, b.position(o, id).State)
	b.engine.rules = trading.NewRules(b.market, b.real)
	q := b.quote(eurgbp, "0.87890", "0.87900")
	b.work()
	require.Equal(t, q.Seq, b.fills(o)[1].QuoteSeq, "the next price fires again")
	b.proves()
}

func TestObserve(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o, other := b.fund(1_000*unit), b.fund(1_000*unit)
	take := func() []trading.Valuation {
		b.seen.valued = nil
		b.sweep()
		return b.seen.valued
	}
	require.Empty(t, take(), "nobody looks")
	stop, err := b.engine.Observe(t.Context(), o.AccountID)
	require.NoError(t, err)
	stopToo, err := b.engine.Observe(t.Context(), o.AccountID)
	require.NoError(t, err)
	valued := take()
	require.Len(t, valued, 1, "at once, though it has no position")
	require.Equal(t, b.value(o), valued[0])
	require.Empty(t, take(), "and not again while nothing moves")

	b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent})
	b.opens(trading.Open{Owner: other, ProductID: btcusd, Side: trading.Buy, Lots: cent})
	require.Len(t, take(), 1, "a fill is news")
	b.quote(eurusd, "1.10001", "1.10011")
	require.Empty(t, take(), "another product's price is none")
	b.quote(btcusd, "50100.00", "50110.00")
	valued = take()
	require.Len(t, valued, 1, "its own is, and only of who is looked at")
	require.EqualValues(t, 1_000*unit+900_000, valued[0].Equity)
	require.Equal(t, o.AccountID, valued[0].Account.ID)

	stop()
	stop() // a second call has no effect
	b.quote(btcusd, "50101.00", "50111.00")
	require.Len(t, take(), 1, "the second one still looks")
	stopToo()
	b.quote(btcusd, "50102.00", "50112.00")
	require.Empty(t, take())
	_, err = b.engine.Observe(t.Context(), 999)
	require.Error(t, err)
	require.Zero(t, b.engine.monitor.Observed())
}

func TestObservedAccountIsForgottenAfterwards(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.fund(unit)
	stop, err := b.engine.Observe(t.Context(), o.AccountID)
	require.NoError(t, err)
	require.Equal(t, 1, b.engine.monitor.Watched())
	stop()
	require.Zero(t, b.engine.monitor.Watched(), "it has no position to watch")
}

// channelObserver sends the valuations of a running engine to a channel.
type channelObserver struct{ valued chan trading.Valuation }

func (c channelObserver) Valued(v trading.Valuation) { c.valued <- v }

// TestRun runs a second server: it receives the first one's fills, values, warns, fires and stops out.
func TestRun(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	runner := b.another()
	b.market.OnQuote(runner.OnQuote)
	ctx, cancel := context.WithCancel(t.Context())
	seen := channelObserver{make(chan trading.Valuation, 10_000)}
	called := make(chan trading.Change, 1)
	stop, err := b.bus.Subscribe(trading.AnyChanged, func(subject string, data []byte) {
		if c, err := trading.ReadChange(subject, data); err == nil && c.CallID != 0 {
			called <- c
		}
	})
	require.NoError(t, err)
	t.Cleanup(stop)
	done := make(chan error)
	go func() { done <- runner.Run(ctx, seen) }()

	o := b.fund(27_005_000)
	_, err = runner.Observe(t.Context(), o.AccountID)
	require.NoError(t, err)
	until := func(what string, holds func(trading.Valuation) bool) {
		t.Helper()
		for {
			select {
			case v := <-seen.valued:
				if holds(v) {
					return
				}
			case <-time.After(time.Minute):
				require.FailNow(t, "never came: "+what)
			}
		}
	}
	until("the account without positions", func(v trading.Valuation) bool { return v.Equity == 27_005_000 })
	position := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent}).Position.ID
	until("the position that the other server opened", func(v trading.Valuation) bool { return len(v.Positions) == 1 })
	b.quote(btcusd, "49810.00", "49820.00")
	require.Equal(t, o.AccountID, (<-called).AccountID)
	b.quote(btcusd, "48500.00", "48510.00")
	until("the stop-out", func(v trading.Valuation) bool { return len(v.Positions) == 0 })
	require.Equal(t, trading.StopOutClose, *b.position(o, position).CloseReason)
	cancel()
	require.NoError(t, <-done)
	b.proves()
}

func TestChangesTravelAsMessages(t *testing.T) {
	t.Parallel()
	for _, c := range []trading.Change{{AccountID: 42, FillID: 7, OrderID: 9}, {AccountID: 42}} {
		subject, data := c.Message()
		read, err := trading.ReadChange(subject, data)
		require.NoError(t, err)
		require.Equal(t, c, read)
	}
	_, data := trading.Change{AccountID: 42}.Message()
	for _, bad := range []string{"", "account", "account.changed.", "account.changed.x"} {
		_, err := trading.ReadChange(bad, data)
		require.Error(t, err, bad)
	}
	for _, bad := range []string{"", "x", "7", "7 x"} {
		_, err := trading.ReadChange("account.changed.42", []byte(bad))
		require.Error(t, err, bad)
	}
}

// TestWhatFiresIsClaimedOnce sends two quotes past a stop loss before a worker handles the first.
func TestWhatFiresIsClaimedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent, StopLoss: ptr[int64](49_900_00)})
	first := b.quote(btcusd, "49800.00", "49810.00")
	b.quote(btcusd, "49700.00", "49710.00")
	require.Equal(t, 1, b.engine.monitor.Queued())
	b.work()
	fills := b.fills(o)
	require.Len(t, fills, 2)
	require.Equal(t, first.Seq, fills[1].QuoteSeq, "the quote that fired it is the one it fills at")
	b.proves()
}
