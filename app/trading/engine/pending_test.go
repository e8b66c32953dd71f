package engine

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/trading"
	"candor/app/trading/trigger"
)

func (b *bundle) tryPlace(cmd trading.Place) (trading.Done, error) {
	b.t.Helper()
	if cmd.Leverage == 0 {
		cmd.Leverage = 100
	}
	if cmd.Lots == 0 {
		cmd.Lots = cent
	}
	if cmd.TimeInForce == "" {
		cmd.TimeInForce = trading.GoodTillCancelled
	}
	result, err := b.engine.Place(b.t.Context(), cmd, b.request(cmd.Owner))
	return result.Value, err
}

// places requires that the order is pending.
func (b *bundle) places(cmd trading.Place) trading.Order {
	b.t.Helper()
	done, err := b.tryPlace(cmd)
	require.NoError(b.t, err)
	return *done.Order
}

func (b *bundle) tryRevise(cmd trading.Revise) (trading.Done, error) {
	b.t.Helper()
	result, err := b.engine.Revise(b.t.Context(), cmd, b.request(cmd.Owner))
	return result.Value, err
}

func (b *bundle) tryCancel(o ledger.Owner, id int64) (trading.Done, error) {
	b.t.Helper()
	result, err := b.engine.Cancel(b.t.Context(), trading.Cancel{Owner: o, OrderID: id}, b.request(o))
	return result.Value, err
}

func (b *bundle) order(o ledger.Owner, id int64) trading.Order {
	b.t.Helper()
	order, err := b.engine.Order(b.t.Context(), o.AccountID, id)
	require.NoError(b.t, err)
	return order
}

// priced are terms with a price, good till cancelled.
func priced(price int64) trading.Terms {
	return trading.Terms{Price: price, TimeInForce: trading.GoodTillCancelled}
}

func stopLimit(price, limit int64) trading.Terms {
	return trading.Terms{Price: price, LimitPrice: &limit, TimeInForce: trading.GoodTillCancelled}
}

// TestRestingOrdersTrigger moves the price to one step before an order's price, and then to it or past it. EURUSD starts at 1.10000 / 1.10010.
func TestRestingOrdersTrigger(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name         string
		kind         trading.OrderType
		side         trading.Side
		terms        trading.Terms
		short, reach [2]string
		price        int64
	}{
		{"BuyLimitOnTheAsk", trading.LimitOrder, trading.Buy, priced(109_900), [2]string{"1.09891", "1.09901"}, [2]string{"1.09890", "1.09900"}, 109_900},
		{"BuyLimitThroughAGapIsBetter", trading.LimitOrder, trading.Buy, priced(109_900), [2]string{"1.09891", "1.09901"}, [2]string{"1.09800", "1.09810"}, 109_810},
		{"SellLimitOnTheBid", trading.LimitOrder, trading.Sell, priced(110_100), [2]string{"1.10099", "1.10109"}, [2]string{"1.10100", "1.10110"}, 110_100},
		{"SellLimitThroughAGapIsBetter", trading.LimitOrder, trading.Sell, priced(110_100), [2]string{"1.10099", "1.10109"}, [2]string{"1.10200", "1.10210"}, 110_200},
		{"BuyStopOnTheAsk", trading.StopOrder, trading.Buy, priced(110_100), [2]string{"1.10089", "1.10099"}, [2]string{"1.10090", "1.10100"}, 110_100},
		{"BuyStopThroughAGapIsWorse", trading.StopOrder, trading.Buy, priced(110_100), [2]string{"1.10089", "1.10099"}, [2]string{"1.10190", "1.10200"}, 110_200},
		{"SellStopOnTheBid", trading.StopOrder, trading.Sell, priced(109_900), [2]string{"1.09901", "1.09911"}, [2]string{"1.09900", "1.09910"}, 109_900},
		{"SellStopThroughAGapIsWorse", trading.StopOrder, trading.Sell, priced(109_900), [2]string{"1.09901", "1.09911"}, [2]string{"1.09800", "1.09810"}, 109_800},
		{"BuyStopLimitWhoseLimitIsReachedAtOnce", trading.StopLimitOrder, trading.Buy, stopLimit(110_100, 110_150), [2]string{"1.10089", "1.10099"}, [2]string{"1.10090", "1.10100"}, 110_100},
		{"SellStopLimitWhoseLimitIsReachedAtOnce", trading.StopLimitOrder, trading.Sell, stopLimit(109_900, 109_850), [2]string{"1.09901", "1.09911"}, [2]string{"1.09900", "1.09910"}, 109_900},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.prices()
			o := b.fund(1_000 * unit)
			placed := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: test.kind, Side: test.side, Terms: test.terms})
			require.Equal(t, test.kind.InitialStatus(), placed.Status)
			same(t, placed, b.order(o, placed.ID))
			require.Zero(t, b.value(o).Used, "an order that waits holds no margin")
			b.quote(eurusd, test.short[0], test.short[1])
			require.Zero(t, b.engine.monitor.Queued(), "one step before")
			q := b.quote(eurusd, test.reach[0], test.reach[1])
			b.quote(eurusd, "1.10000", "1.10010")
			b.work()
			fills := b.fills(o)
			require.Len(t, fills, 1)
			fill := fills[0]
			require.Equal(t, []any{placed.FillRule(), test.price, q.Seq, placed.EntryPrice(), test.side, trading.EntryOpen}, []any{fill.Rule, fill.Price, fill.QuoteSeq, *fill.LimitPrice, fill.Side, fill.Entry},
				"at the quote that reached it, however long it waited")
			filled := b.order(o, placed.ID)
			require.Equal(t, []any{trading.Filled, fill.PositionID, placed.ID}, []any{filled.Status, *filled.PositionID, fill.OrderID})
			require.Equal(t, test.price, b.position(o, fill.PositionID).OpenPrice)
			b.quote(eurusd, test.reach[0], test.reach[1])
			require.Zero(t, b.engine.monitor.Queued(), "and never again")
			b.proves()
		})
	}
}

func TestStopLimitWaitsAtItsLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	placed := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.StopLimitOrder, Side: trading.Buy, Terms: stopLimit(110_100, 110_050)})
	q := b.quote(eurusd, "1.10090", "1.10100")
	b.work()
	armed := b.order(o, placed.ID)
	require.Equal(t, []any{trading.Working, q.Seq, 1}, []any{armed.Status, *armed.ArmedSeq, armed.Revision})
	require.Empty(t, b.fills(o))
	b.quote(eurusd, "1.10041", "1.10051")
	require.Zero(t, b.engine.monitor.Queued())

	revised, err := b.tryRevise(trading.Revise{Owner: o, OrderID: placed.ID, Terms: stopLimit(123_456, 110_045)})
	require.NoError(t, err)
	require.Equal(t, []int64{110_100, 110_045}, []int64{*revised.Order.Price, *revised.Order.LimitPrice}, "the stop has done its work, the limit can move")
	b.quote(eurusd, "1.10036", "1.10046")
	require.Zero(t, b.engine.monitor.Queued())
	b.quote(eurusd, "1.10035", "1.10045")
	b.work()
	require.EqualValues(t, 110_045, b.fills(o)[0].Price)
	b.proves()
}

func TestAnOrderIsNotTriggeredByTheQuoteItWasWordedAt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	placed := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.StopOrder, Side: trading.Sell, Terms: priced(109_900)})
	old := b.quote(eurusd, "1.09890", "1.09900") // triggers it, but it is revised before a worker is free
	b.quote(eurusd, "1.10000", "1.10010")
	_, err := b.tryRevise(trading.Revise{Owner: o, OrderID: placed.ID, Terms: priced(109_950)})
	require.NoError(t, err)
	b.work()
	require.Empty(t, b.fills(o), "the new wording is not judged by an old price")
	require.Zero(t, b.engine.monitor.Queued())
	require.Less(t, old.Seq, b.order(o, placed.ID).SinceSeq)
	b.quote(eurusd, "1.09940", "1.09950")
	b.work()
	require.Len(t, b.fills(o), 1)
	b.proves()
}

// TestQuotesDuringTheCommitAreNotMissed remembers an account after the quotes that reach its order.
func TestQuotesDuringTheCommitAreNotMissed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	placed := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_900)})
	late := b.another()
	require.NoError(t, late.Load(t.Context()))
	late.monitor = trigger.New(b.market, late.rules) // as if it didn't know the order yet
	q := b.quote(eurusd, "1.09890", "1.09900")
	late.OnQuote(q)
	require.Zero(t, late.monitor.Queued())
	require.NoError(t, late.reload(t.Context(), o.AccountID))
	require.Equal(t, 1, late.monitor.Queued())
	workOff(t.Context(), late)
	require.Equal(t, trading.Filled, b.order(o, placed.ID).Status)
	b.proves()
}

func TestRevise(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	placed := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_900)})
	until := b.time.Now().Add(time.Hour)
	terms := trading.Terms{Price: 109_800, StopLoss: ptr[int64](109_000), TakeProfit: ptr[int64](111_000), TimeInForce: trading.GoodTillDate, ExpiresAt: &until}
	done, err := b.tryRevise(trading.Revise{Owner: o, OrderID: placed.ID, Terms: terms})
	require.NoError(t, err)
	want := placed
	want.Price, want.StopLoss, want.TakeProfit, want.TimeInForce, want.ExpiresAt, want.Revision = &terms.Price, terms.StopLoss, terms.TakeProfit, trading.GoodTillDate, &until, 2
	same(t, want, *done.Order)
	same(t, want, b.order(o, placed.ID))
	require.EqualValues(t, 2, b.number(`SELECT count(*) FROM order_revisions WHERE order_id = $1`, placed.ID))
	require.EqualValues(t, 109_900, b.number(`SELECT price FROM order_revisions WHERE order_id = $1 AND revision = 1`, placed.ID))
	b.quote(eurusd, "1.09880", "1.09890")
	require.Zero(t, b.engine.monitor.Queued(), "the old price is gone")
	b.quote(eurusd, "1.09780", "1.09790")
	b.work()
	position := b.position(o, b.fills(o)[0].PositionID)
	require.Equal(t, []int64{109_000, 111_000}, []int64{*position.StopLoss, *position.TakeProfit})
	_, err = b.tryRevise(trading.Revise{Owner: o, OrderID: placed.ID, Terms: terms})
	require.ErrorIs(t, err, trading.ErrOrderEnded)
	b.proves()
}

func TestCancel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o, other := b.fund(1_000*unit), b.fund(1_000*unit)
	placed := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_900)})
	_, err := b.tryCancel(other, placed.ID)
	require.ErrorIs(t, err, trading.ErrOrder, "somebody else's does not exist")
	done, err := b.tryCancel(o, placed.ID)
	require.NoError(t, err)
	require.Equal(t, []any{trading.Cancelled, trading.ByTrader, b.real.Now()}, []any{done.Order.Status, *done.Order.Reason, done.Order.EndedAt.UTC()})
	_, err = b.tryCancel(o, placed.ID)
	require.ErrorIs(t, err, trading.ErrOrderEnded)
	b.quote(eurusd, "1.09880", "1.09890")
	b.work()
	require.Empty(t, b.fills(o))

	for range 2 {
		b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_700)})
		b.places(trading.Place{Owner: o, ProductID: xauusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(190_000)})
	}
	b.places(trading.Place{Owner: other, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_700)})
	for product, want := range map[int]int{eurusd: 2, 0: 2} {
		if product == 0 {
			continue
		}
		require.Len(t, b.cancelAll(o, product).Cancelled, want)
	}
	require.Len(t, b.cancelAll(o, 0).Cancelled, 2)
	require.Empty(t, b.cancelAll(o, 0).Cancelled)
	require.EqualValues(t, 1, b.number(`SELECT count(*) FROM orders WHERE status IN ('untriggered', 'working')`), "the other trader's")
	b.proves()
}

func (b *bundle) cancelAll(o ledger.Owner, productID int) trading.Done {
	b.t.Helper()
	result, err := b.engine.CancelAll(b.t.Context(), trading.CancelAll{Owner: o, ProductID: productID}, b.request(o))
	require.NoError(b.t, err)
	return result.Value
}

func TestOrdersExpire(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	until := b.time.Now().Add(time.Hour)
	dated := b.places(trading.Place{Owner: o, ProductID: btcusd, Type: trading.LimitOrder, Side: trading.Buy, Leverage: 20, Terms: trading.Terms{Price: 4_900_000, TimeInForce: trading.GoodTillDate, ExpiresAt: &until}})
	day := b.places(trading.Place{Owner: o, ProductID: btcusd, Type: trading.LimitOrder, Side: trading.Buy, Leverage: 20, Terms: trading.Terms{Price: 4_900_000, TimeInForce: trading.GoodForDay}})
	open := b.places(trading.Place{Owner: o, ProductID: btcusd, Type: trading.LimitOrder, Side: trading.Buy, Leverage: 20, Terms: priced(4_800_000)})
	require.Equal(t, time.Date(2026, 11, 24, 22, 0, 0, 0, time.UTC), day.ExpiresAt.UTC(), "17:00 New York")
	b.time.Advance(time.Hour - time.Second)
	b.sweep()
	require.Equal(t, trading.Working, b.order(o, dated.ID).Status)
	b.time.Advance(time.Second)
	b.sweep()
	expired := b.order(o, dated.ID)
	require.Equal(t, []any{trading.Expired, trading.TimeIsUp}, []any{expired.Status, *expired.Reason})
	b.time.Set(time.Date(2026, 11, 24, 22, 0, 0, 0, time.UTC))
	b.jump(btcusd, "48990.00", "48999.00") // reaches the day order, just after it expired
	b.work()
	require.Equal(t, trading.Expired, b.order(o, day.ID).Status)
	require.Empty(t, b.fills(o))
	require.Equal(t, trading.Working, b.order(o, open.ID).Status)
}

func TestTriggeredOrderThatTheAccountCannotCarry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(100 * unit)
	placed := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Lots: 10 * cent, Terms: priced(109_900)})
	b.quote(eurusd, "1.09880", "1.09890")
	b.work()
	ended := b.order(o, placed.ID)
	require.Equal(t, []any{trading.Cancelled, trading.NoMargin}, []any{ended.Status, *ended.Reason})
	require.Empty(t, b.fills(o))
	require.EqualValues(t, 100*unit, b.account(o).Cash)
	b.proves()
}

func TestPlaceRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	good := trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_900)}
	yesterday := b.time.Now().Add(-time.Second)
	tests := []struct {
		name   string
		change func(*trading.Place)
		want   error
	}{
		{"NoSide", func(p *trading.Place) { p.Side = "both" }, trading.ErrSide},
		{"AMarketOrder", func(p *trading.Place) { p.Type = trading.MarketOrder }, trading.ErrOrderType},
		{"AnUnknownType", func(p *trading.Place) { p.Type = "iceberg" }, trading.ErrOrderType},
		{"AnUnknownProduct", func(p *trading.Place) { p.ProductID = 99_999 }, market.ErrProduct},
		{"AProductWithoutAPrice", func(p *trading.Place) { p.ProductID = 4 }, market.ErrNoPrice},
		{"OffTheStep", func(p *trading.Place) { p.Lots = cent + 1 }, trading.ErrLots},
		{"ALeverageThatIsNotOffered", func(p *trading.Place) { p.Leverage = 77 }, trading.ErrLeverage},
		{"ABuyLimitAtTheMarket", func(p *trading.Place) { p.Price = 110_010 }, trading.ErrPriceBelow},
		{"ABuyLimitAboveTheMarket", func(p *trading.Place) { p.Price = 111_000 }, trading.ErrPriceBelow},
		{"ANegativePrice", func(p *trading.Place) { p.Price = -1 }, trading.ErrPriceBelow},
		{"ASellLimitBelowTheMarket", func(p *trading.Place) { p.Side = trading.Sell }, trading.ErrPriceAbove},
		{"ABuyStopBelowTheMarket", func(p *trading.Place) { p.Type = trading.StopOrder }, trading.ErrPriceAbove},
		{"ASellStopAboveTheMarket", func(p *trading.Place) { p.Type, p.Side, p.Price = trading.StopOrder, trading.Sell, 110_100 }, trading.ErrPriceBelow},
		{"AStopLimitWithoutALimit", func(p *trading.Place) { p.Type, p.Price = trading.StopLimitOrder, 110_100 }, trading.ErrOrderType},
		{"ALimitOrderWithASecondLimit", func(p *trading.Place) { p.LimitPrice = ptr[int64](109_900) }, trading.ErrOrderType},
		{"AStopLimitWithANegativeLimit", func(p *trading.Place) { p.Type, p.Terms = trading.StopLimitOrder, stopLimit(110_100, 0) }, trading.ErrPriceAbove},
		{"AStopLossAboveABuysPrice", func(p *trading.Place) { p.StopLoss = ptr[int64](109_901) }, trading.ErrStopLoss},
		{"ATakeProfitBelowABuysPrice", func(p *trading.Place) { p.TakeProfit = ptr[int64](109_899) }, trading.ErrTakeProfit},
		{"AnUnknownTime", func(p *trading.Place) { p.TimeInForce = "fok" }, trading.ErrTime},
		{"ADateWithoutADate", func(p *trading.Place) { p.TimeInForce = trading.GoodTillDate }, trading.ErrExpiry},
		{"ADateInThePast", func(p *trading.Place) { p.TimeInForce, p.ExpiresAt = trading.GoodTillDate, &yesterday }, trading.ErrExpiry},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cmd := good
			test.change(&cmd)
			_, err := b.tryPlace(cmd)
			require.ErrorIs(t, err, test.want)
		})
	}
	require.Zero(t, b.number(`SELECT count(*) FROM orders`))
	id := b.places(good).ID
	_, err := b.tryRevise(trading.Revise{Owner: o, OrderID: id, Terms: priced(110_010)})
	require.ErrorIs(t, err, trading.ErrPriceBelow)
	require.Equal(t, 1, b.order(o, id).Revision)
}

func TestOrdersWaitOutsideSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	b.time.Set(saturday)
	placed := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: trading.Terms{Price: 109_900, TimeInForce: trading.GoodForDay}})
	require.Equal(t, time.Date(2026, 11, 30, 22, 0, 0, 0, time.UTC), placed.ExpiresAt.UTC(), "Monday's end: the week opens on Sunday evening")
	b.engine.OnQuote(market.Quote{ProductID: eurusd, Seq: 99, Bid: 109_000, Ask: 109_010, AtMS: b.time.Now().UnixMilli()})
	require.Zero(t, b.engine.monitor.Queued())
	require.Equal(t, trading.Working, b.order(o, placed.ID).Status)
}

func TestTooManyOrders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	_, err := b.super.Exec(t.Context(), `
		INSERT INTO orders (account_id, product_id, type, intent, side, lots, leverage, price, slippage_bps, source, status, created_at)
		SELECT $1, 1, 'limit', 'open', 'buy', 10000, 100, 100000, 0, 'user', 'working', now() FROM generate_series(1, $2)`, o.AccountID, trading.MaxOrders)
	require.NoError(t, err)
	_, err = b.tryPlace(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_900)})
	require.ErrorIs(t, err, trading.ErrManyOrders)
}

// TestTraderAndEngineRaceForAnOrder has two engines fill an order that the trader cancels and revises at the same time.
func TestTraderAndEngineRaceForAnOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	second := b.another()
	require.NoError(t, second.Load(t.Context()))
	won := map[trading.OrderStatus]int{}
	for trial := range 30 {
		b.jump(eurusd, "1.10000", "1.10010")
		o := b.fund(1_000 * unit)
		placed := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_900)})
		require.NoError(t, second.reload(t.Context(), o.AccountID))
		second.OnQuote(b.quote(eurusd, "1.09880", "1.09890"))
		worked, cancelled := make(chan struct{}, 2), make(chan struct{})
		race(t, trading.ErrOrderEnded, func(n int) error {
			switch n {
			case 0:
				defer close(cancelled)
				if trial == 0 { // the engines come first
					<-worked
					<-worked
				}
				_, err := b.engine.Cancel(t.Context(), trading.Cancel{Owner: o, OrderID: placed.ID}, parallel(o, fmt.Sprint(trial)))
				return err
			case 1, 2:
				if trial == 1 { // the trader does
					<-cancelled
				}
				workOff(t.Context(), []*Service{b.engine, second}[n-1])
				worked <- struct{}{}
			}
			return nil
		})
		ended := b.order(o, placed.ID)
		won[ended.Status]++
		require.Len(t, b.fills(o), map[trading.OrderStatus]int{trading.Filled: 1, trading.Cancelled: 0}[ended.Status])
		b.cancelAll(o, 0)
	}
	require.Len(t, won, 2, "each comes first at least where it may: %v", won)
	b.proves()
}

func TestTheDatabaseKeepsOrdersAsTheyWere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	placed := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_900)})
	for _, set := range []string{"account_id = 1", "product_id = 2", "type = 'stop'", "intent = 'close'", "side = 'sell'", "lots = lots + 1", "leverage = 50", "source = 'system'", "created_at = now()"} {
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE orders SET `+set+` WHERE id = $1`, placed.ID)
		require.ErrorContains(t, err, "permission denied", set)
		_, err = b.super.Exec(t.Context(), `UPDATE orders SET `+set+` WHERE id = $1`, placed.ID)
		require.ErrorContains(t, err, "is what it was placed as", set)
	}
	_, err := b.tryCancel(o, placed.ID)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE orders SET status = 'working', reason = NULL, ended_at = NULL WHERE id = $1`, placed.ID)
	require.ErrorContains(t, err, "has ended")
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE order_revisions SET price = 1`)
	require.ErrorContains(t, err, "permission denied")
}

func TestTheDatabaseKeepsPositionsAndMoneyToTheirFills(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	opened := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: 10 * cent})
	change := func(set string) error {
		_, err := b.super.Exec(t.Context(), `UPDATE positions SET `+set+` WHERE id = $1`, opened.Position.ID)
		return err
	}
	for _, set := range []string{"account_id = 1", "product_id = 2", "opened_at = now()", "opened_by = 'limit'"} {
		require.ErrorContains(t, change(set), "is what it was opened as", set)
	}
	for _, set := range []string{"side = 'sell'", "lots = lots - 1", "open_price = open_price + 1", "leverage = 50", "margin = margin - 1", "commission = 1", "realised = 1"} {
		require.ErrorContains(t, change(set), "changes by fills alone", set)
	}
	require.NoError(t, change("stop_loss = 109000, since_seq = 99, version = version + 1"), "its protection is the trader's")
	b.touched(o)
	b.closes(o, opened.Position.ID, 0)
	require.ErrorContains(t, change("stop_loss = NULL"), "is closed")
	for _, set := range []string{"cash = cash + 1", "bonus = 1", "deficit = -1"} {
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE accounts SET `+set+` WHERE id = $1`, o.AccountID)
		require.ErrorContains(t, err, "changes by postings alone", set)
	}
}

func TestVerifyKnowsWhatTriggered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_900)})
	b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.StopOrder, Side: trading.Buy, Terms: priced(110_100)})
	b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.StopLimitOrder, Side: trading.Buy, Terms: stopLimit(110_200, 110_150)})
	b.quote(eurusd, "1.09880", "1.09890")
	b.quote(eurusd, "1.10190", "1.10200")
	b.quote(eurusd, "1.10130", "1.10140")
	b.work()
	require.Len(t, b.fills(o), 3)
	b.stop()
	for _, tamper := range []struct{ sql, what string }{
		{`UPDATE fills SET rule = 'market' WHERE rule = 'limit'`, "its rule is not its order's"},
		{`UPDATE fills SET limit_price = limit_price + 1 WHERE rule = 'limit'`, "not its order's"},
		{`UPDATE orders SET price = 109800 WHERE type = 'limit'`, "not its order's"},
		{`UPDATE orders SET since_seq = 99 WHERE type = 'limit'`, "had not reached the limit"},
		{`UPDATE orders SET since_seq = 99 WHERE type = 'stop'`, "had not reached the stop"},
		{`UPDATE orders SET armed_seq = NULL WHERE type = 'stop_limit'`, "the stop and then the limit"},
		{`UPDATE orders SET armed_seq = 1 WHERE type = 'stop_limit'`, "the stop and then the limit"},
	} {
		tx, err := b.super.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), `SET LOCAL session_replication_role = replica`)
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), tamper.sql)
		require.NoError(t, err)
		problem, _ := b.verify(tx)
		require.NotNil(t, problem, tamper.sql)
		require.Contains(t, problem.What, tamper.what, tamper.sql)
		require.NoError(t, tx.Rollback(t.Context()))
	}
	b.proves()
}

// TestOrdersSurviveARestart loads the pending orders into a new engine.
func TestOrdersSurviveARestart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	placed := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_900)})
	b.engine = b.another()
	require.NoError(t, b.engine.Load(t.Context()))
	b.quote(eurusd, "1.09880", "1.09890")
	b.work()
	require.Equal(t, trading.Filled, b.order(o, placed.ID).Status)
	list, _, err := b.engine.Orders(t.Context(), o.AccountID, OrderFilter{Limit: 10})
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(list, func(one trading.Order) bool { return one.ID == placed.ID }))
	list, _, err = b.engine.Orders(t.Context(), o.AccountID, OrderFilter{Group: WaitingOrders, Limit: 10})
	require.NoError(t, err)
	require.Empty(t, list)
}

func TestPlacingIsReplayed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	r := b.request(o)
	cmd := trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Lots: cent, Leverage: 100, Terms: priced(109_900)}
	first, err := b.engine.Place(t.Context(), cmd, r)
	require.NoError(t, err)
	again, err := b.engine.Place(t.Context(), cmd, r)
	require.NoError(t, err)
	require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again))
	require.EqualValues(t, 1, b.number(`SELECT count(*) FROM orders`))
	require.False(t, errors.Is(err, trading.ErrOrder))
}

func (b *bundle) pairs(o ledger.Owner, orders [2]trading.Place) []trading.Order {
	b.t.Helper()
	for i := range orders {
		orders[i].Owner, orders[i].Lots, orders[i].Leverage = o, cent, 100
	}
	result, err := b.engine.Pair(b.t.Context(), trading.Pair{Owner: o, Orders: orders}, b.request(o))
	require.NoError(b.t, err)
	require.Len(b.t, result.Value.Orders, 2)
	return result.Value.Orders
}

func TestOneCancelsTheOther(t *testing.T) {
	t.Parallel()
	bracket := [2]trading.Place{
		{ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_900)},
		{ProductID: eurusd, Type: trading.StopOrder, Side: trading.Buy, Terms: priced(110_100)},
	}
	t.Run("AFillEndsTheOther", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(1_000 * unit)
		pair := b.pairs(o, bracket)
		require.Equal(t, []int64{pair[0].ID, pair[0].ID}, []int64{*pair[0].OCO, *pair[1].OCO})
		same(t, pair[1], b.order(o, pair[1].ID))
		b.quote(eurusd, "1.10090", "1.10100")
		b.quote(eurusd, "1.09880", "1.09890") // reaches the other one before a worker runs
		b.work()
		require.Len(t, b.fills(o), 1)
		require.Equal(t, []trading.OrderStatus{trading.Cancelled, trading.Filled}, []trading.OrderStatus{b.order(o, pair[0].ID).Status, b.order(o, pair[1].ID).Status})
		require.Equal(t, trading.OtherEnded, *b.order(o, pair[0].ID).Reason)
		b.proves()
	})
	t.Run("ACancelEndsBoth", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(1_000 * unit)
		pair := b.pairs(o, bracket)
		_, err := b.tryCancel(o, pair[1].ID)
		require.NoError(t, err)
		require.Equal(t, []trading.EndReason{trading.OtherEnded, trading.ByTrader}, []trading.EndReason{*b.order(o, pair[0].ID).Reason, *b.order(o, pair[1].ID).Reason})
		pair = b.pairs(o, bracket)
		alone := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_800)})
		require.ElementsMatch(t, []int64{pair[0].ID, pair[1].ID, alone.ID}, b.cancelAll(o, 0).Cancelled)
	})
	t.Run("AnEndWithoutMarginEndsBoth", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(unit)
		pair := b.pairs(o, bracket)
		b.quote(eurusd, "1.10090", "1.10100")
		b.work()
		require.Equal(t, []trading.EndReason{trading.OtherEnded, trading.NoMargin}, []trading.EndReason{*b.order(o, pair[0].ID).Reason, *b.order(o, pair[1].ID).Reason})
	})
	t.Run("ARefusedOnePlacesNeither", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(1_000 * unit)
		bad := bracket
		bad[1].Price = 109_000
		for i := range bad {
			bad[i].Owner, bad[i].Lots, bad[i].Leverage = o, cent, 100
		}
		_, err := b.engine.Pair(t.Context(), trading.Pair{Owner: o, Orders: bad}, b.request(o))
		require.ErrorIs(t, err, trading.ErrPriceAbove)
		require.Zero(t, b.number(`SELECT count(*) FROM orders`))
	})
	t.Run("TwoEnginesFillOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		second := b.another()
		for trial := range 20 {
			b.jump(eurusd, "1.10000", "1.10010")
			o := b.fund(1_000 * unit)
			pair := b.pairs(o, bracket)
			require.NoError(t, second.reload(t.Context(), o.AccountID))
			up := b.quote(eurusd, "1.10090", "1.10100")
			down := b.quote(eurusd, "1.09880", "1.09890")
			race(t, nil, func(n int) error {
				switch n {
				case 0:
					b.engine.perform(t.Context(), trigger.Task{Subject: trigger.Subject{Account: o.AccountID, Order: pair[1].ID}, Quote: up})
				case 1:
					second.perform(t.Context(), trigger.Task{Subject: trigger.Subject{Account: o.AccountID, Order: pair[0].ID}, Quote: down})
				}
				return nil
			})
			require.Len(t, b.fills(o), 1, "trial %d", trial)
		}
		b.proves()
	})
}

// TestWritesWantWhatWasRead writes an order and a position that were changed after they were read, as a write without the account's lock would.
func TestWritesWantWhatWasRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	order := b.places(trading.Place{Owner: o, ProductID: btcusd, Type: trading.LimitOrder, Side: trading.Buy, Leverage: 20, Terms: trading.Terms{Price: 40_000_00}})
	position := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent}).Position
	_, err := b.tryRevise(trading.Revise{Owner: o, OrderID: order.ID, Terms: trading.Terms{Price: 41_000_00, TimeInForce: trading.GoodTillCancelled}})
	require.NoError(t, err)
	_, err = b.tryProtect(trading.Protect{Owner: o, PositionID: position.ID, StopLoss: ptr[int64](30_000_00)})
	require.NoError(t, err)
	write := func(note func(*writeBatch)) error {
		var wb writeBatch
		note(&wb)
		return b.db.InTx(t.Context(), func(tx *db.Tx) error {
			var batch pgx.Batch
			require.NoError(t, wb.queue(&batch))
			return tx.Conn.SendBatch(t.Context(), &batch).Close()
		})
	}
	writeOrder := func() error { return write(func(wb *writeBatch) { _ = wb.UpdateOrder(order, order.Revision) }) }
	writePosition := func() error { return write(func(wb *writeBatch) { _ = wb.UpdatePosition(position, position.Version) }) }
	require.True(t, db.Raised(writeOrder(), db.ChangedMeanwhile))
	require.True(t, db.Raised(writePosition(), db.ChangedMeanwhile))
	require.EqualValues(t, 41_000_00, b.number(`SELECT price FROM orders WHERE id = $1`, order.ID))
	require.EqualValues(t, 30_000_00, *b.position(o, position.ID).StopLoss)
	order.Revision++
	position.Version++
	require.NoError(t, writeOrder(), "what was read last may be written")
	require.NoError(t, writePosition())
}

// TestOnlyALaterQuoteTriggers tests each kind of order and protection with the quote at which it was set, and with the next.
func TestOnlyALaterQuoteTriggers(t *testing.T) {
	t.Parallel()
	price := int64(100)
	at := func(seq int64) market.Quote {
		return market.Quote{ProductID: btcusd, Seq: seq, Bid: price, Ask: price}
	}
	for _, o := range []trading.Order{
		{ProductID: btcusd, Type: trading.LimitOrder, Status: trading.Working, Side: trading.Buy, Price: &price, SinceSeq: 7},
		{ProductID: btcusd, Type: trading.StopOrder, Status: trading.Untriggered, Side: trading.Sell, Price: &price, SinceSeq: 7},
	} {
		require.False(t, o.Triggers(at(6)))
		require.False(t, o.Triggers(at(7)), "the quote it was worded at")
		worse := at(8)
		worse.Bid, worse.Ask = 2*price, 2*price
		require.False(t, o.Triggers(worse), "a price that is worse for a limit, or has not come to a stop")
		require.True(t, o.Triggers(at(8)))
	}
	position := trading.Position{ProductID: btcusd, Side: trading.Buy, StopLoss: &price, SinceSeq: 7}
	rule, _ := trading.Fires(position, at(7), market.Quote{})
	require.Empty(t, rule)
	rule, _ = trading.Fires(position, at(8), market.Quote{})
	require.Equal(t, trading.StopLossRule, rule)
}
