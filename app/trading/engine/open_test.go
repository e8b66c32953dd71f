package engine

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/trading"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	t.Run("BuysAtTheAskAndSellsAtTheBid", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(10_000 * unit)
		bought := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: 10 * cent, StopLoss: ptr[int64](109_000), TakeProfit: ptr[int64](111_000)})
		sold := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: 10 * cent})
		q, _ := b.market.Newest(eurusd)

		require.EqualValues(t, 110_010, bought.Fill.Price)
		require.EqualValues(t, 110_000, sold.Fill.Price)
		require.Equal(t, q.Seq, bought.Fill.QuoteSeq)
		require.EqualValues(t, 110_010_000, bought.Fill.Margin, "10,000 EUR at 1:100, converted at the ask")
		require.EqualValues(t, 110_000_000, sold.Fill.Margin, "and at the bid")
		require.Equal(t, []any{trading.EntryOpen, trading.MarketRule, 100, int64(0), int64(10_000 * unit), int64(0)}, []any{
			bought.Fill.Entry, bought.Fill.Rule, bought.Fill.Leverage, bought.Fill.Profit, bought.Fill.Equity, bought.Fill.UsedMargin,
		})
		require.Equal(t, b.time.Now().UnixMilli(), bought.Fill.AtMS, "market time")
		require.Equal(t, b.real.Now(), bought.Fill.CreatedAt, "real time")

		stored := b.position(o, bought.Position.ID)
		same(t, bought.Position, stored)
		same(t, trading.Position{
			ID: stored.ID, AccountID: o.AccountID, ProductID: eurusd, Side: trading.Buy, Lots: 10 * cent, LotsOpened: 10 * cent, OpenPrice: 110_010, OpenValue: 110_010 * 10 * cent, Leverage: 100,
			Margin: 110_010_000, StopLoss: ptr[int64](109_000), TakeProfit: ptr[int64](111_000), SinceSeq: 1, State: trading.StateOpen, Version: 1, OpenedAt: b.real.Now(), OpenedBy: trading.MarketRule,
			RolledDay: time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC),
		}, stored)
		same(t, bought.Fill, b.fills(o)[0])
		v := b.value(o)
		require.Equal(t, sold.Totals.Equity, v.Equity)
		require.EqualValues(t, 10_000*unit-2*unit, v.Equity, "each pays the spread of a dollar")
		require.EqualValues(t, 110_005_000, v.Used, "equal legs pay one, the mean of both")
		require.Equal(t, v.Equity-v.Used, v.Free)
		b.proves()
	})
	t.Run("ConvertsMarginAndProfitThroughOtherProducts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(10_000 * unit)
		cross := b.opens(trading.Open{Owner: o, ProductID: eurgbp, Side: trading.Buy, Lots: unit})
		require.EqualValues(t, 1_100_050_000, cross.Fill.Margin, "1,000 EUR at EURUSD's mid of 1.10005")
		require.Equal(t, []int{eurusd, 2}, []int{*cross.Fill.MarginProduct, *cross.Fill.ConversionProduct})
		require.False(t, cross.Fill.ConversionInverse || cross.Fill.MarginInverse)
		yen := b.opens(trading.Open{Owner: o, ProductID: usdjpy, Side: trading.Sell, Lots: unit})
		require.EqualValues(t, 1_000*unit, yen.Fill.Margin, "its base is the dollar")
		require.Nil(t, yen.Fill.MarginProduct)
		require.Equal(t, usdjpy, *yen.Fill.ConversionProduct)
		require.True(t, yen.Fill.ConversionInverse)

		b.quote(eurgbp, "0.88110", "0.88120")
		b.jump(2, "1.26000", "1.26020")
		closed := b.closes(o, cross.Position.ID, 0)
		require.EqualValues(t, 126_010_000, closed.Fill.Profit, "0.00100 × 100,000 GBP × 1.26010")
		b.quote(usdjpy, "149.480", "149.500")
		closed = b.closes(o, yen.Position.ID, 0)
		require.EqualValues(t, 334_470_533, closed.Fill.Profit, "0.500 × 100,000 JPY ÷ 149.490 = 334.470533…")
		b.proves()
	})
	t.Run("ChargesCommission", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(10_000 * unit)
		gold := b.opens(trading.Open{Owner: o, ProductID: xauusd, Side: trading.Buy, Lots: 10 * cent})
		require.EqualValues(t, 350_000, gold.Fill.Commission, "3.5 a lot")
		share := b.opens(trading.Open{Owner: o, ProductID: aapl, Side: trading.Buy, Lots: 10 * unit})
		require.EqualValues(t, unit+500, share.Fill.Commission, "5 basis points of 2,001, rounded up")
		least := b.opens(trading.Open{Owner: o, ProductID: aapl, Side: trading.Buy, Lots: unit})
		require.EqualValues(t, unit, least.Fill.Commission, "the minimum")
		require.EqualValues(t, 10_000*unit-350_000-unit-500-unit, b.account(o).Cash)
		require.EqualValues(t, 350_000+unit+500+unit, b.house("fees"))
		require.NotNil(t, gold.Fill.TransactionID)
		b.proves()
	})
	t.Run("OfAMockAccountStaysInItsBook", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fundIn(ledger.Mock, 10_000*unit)
		done := b.opens(trading.Open{Owner: o, ProductID: xauusd, Side: trading.Buy, Lots: 10 * cent})
		b.closes(o, done.Position.ID, 0)
		require.Zero(t, b.number(`SELECT count(*) FROM postings WHERE book = 'real'`))
		require.Positive(t, b.number(`SELECT count(*) FROM postings WHERE book = 'mock' AND bucket = 'house'`))
		b.proves()
	})
}

// TestOpenRefuses tests each rule with an order that breaks only this rule, and with the nearest one that doesn't.
func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	rich := b.fund(1_000_000 * unit)
	eur := trading.Open{Owner: rich, ProductID: eurusd, Side: trading.Buy, Lots: 10 * cent, Leverage: 100}
	with := func(change func(*trading.Open)) trading.Open {
		cmd := eur
		change(&cmd)
		return cmd
	}
	tests := []struct {
		name   string
		cmd    trading.Open
		want   error
		passes trading.Open
	}{
		{"NoSide", with(func(c *trading.Open) { c.Side = "" }), trading.ErrSide, eur},
		{"AnotherSide", with(func(c *trading.Open) { c.Side = "BUY" }), trading.ErrSide, eur},
		{"AnUnknownProduct", with(func(c *trading.Open) { c.ProductID = 999 }), market.ErrProduct, eur},
		{"NoLots", with(func(c *trading.Open) { c.Lots = 0 }), trading.ErrLots, eur},
		{"NegativeLots", with(func(c *trading.Open) { c.Lots = -10 * cent }), trading.ErrLots, eur},
		{"LotsBelowTheMinimum", with(func(c *trading.Open) { c.Lots = cent - 1 }), trading.ErrLots, with(func(c *trading.Open) { c.Lots = cent })},
		{"LotsOffTheStep", with(func(c *trading.Open) { c.Lots = 10*cent + 1 }), trading.ErrLots, with(func(c *trading.Open) { c.Lots = 11 * cent })},
		{"LotsAboveTheMaximum", with(func(c *trading.Open) { c.Lots = 50*unit + cent }), trading.ErrLots, with(func(c *trading.Open) { c.Lots, c.Leverage = 50*unit, 500 })},
		{"ALeverageOutsideTheList", with(func(c *trading.Open) { c.Leverage = 400 }), trading.ErrLeverage, with(func(c *trading.Open) { c.Leverage = 500 })},
		{"NoLeverage", with(func(c *trading.Open) { c.Leverage = 0 }), trading.ErrLeverage, eur},
		{"ANegativeLeverage", with(func(c *trading.Open) { c.Leverage = -100 }), trading.ErrLeverage, eur},
		{"SlippageToABuyer", with(func(c *trading.Open) { c.Seen, c.SlippageBps = 109_899, 10 }), trading.ErrSlippage, with(func(c *trading.Open) { c.Seen, c.SlippageBps = 109_901, 10 })},
		{"SlippageToASeller", with(func(c *trading.Open) { c.Side, c.Seen, c.SlippageBps = trading.Sell, 110_112, 10 }), trading.ErrSlippage, with(func(c *trading.Open) { c.Side, c.Seen, c.SlippageBps = trading.Sell, 110_110, 10 })},
		{"NoToleranceAndAWorsePrice", with(func(c *trading.Open) { c.Seen = 110_009 }), trading.ErrSlippage, with(func(c *trading.Open) { c.Seen = 110_010 })},
		{"AnyBetterPriceIsTaken", with(func(c *trading.Open) { c.Side, c.Seen = trading.Sell, 110_001 }), trading.ErrSlippage, with(func(c *trading.Open) { c.Seen = 999_999 })},
		{"ANegativeTolerance", with(func(c *trading.Open) { c.SlippageBps = -1 }), errs.Field("slippageBps", "field.range"), with(func(c *trading.Open) { c.SlippageBps = 0 })},
		{"ATooLargeTolerance", with(func(c *trading.Open) { c.SlippageBps = trading.MaxSlippageBps + 1 }), errs.Field("slippageBps", "field.range"), with(func(c *trading.Open) { c.SlippageBps = trading.MaxSlippageBps })},
		{"AStopLossTooNear", with(func(c *trading.Open) { c.StopLoss = ptr[int64](109_981) }), trading.ErrStopLoss, with(func(c *trading.Open) { c.StopLoss = ptr[int64](109_980) })},
		{"AStopLossOnTheWinningSide", with(func(c *trading.Open) { c.StopLoss = ptr[int64](111_000) }), trading.ErrStopLoss, with(func(c *trading.Open) { c.StopLoss = ptr[int64](1) })},
		{"AStopLossOfZero", with(func(c *trading.Open) { c.StopLoss = ptr[int64](0) }), trading.ErrStopLoss, eur},
		{"ANegativeStopLoss", with(func(c *trading.Open) { c.StopLoss = ptr[int64](-1) }), trading.ErrStopLoss, eur},
		{"ATakeProfitTooNear", with(func(c *trading.Open) { c.TakeProfit = ptr[int64](110_019) }), trading.ErrTakeProfit, with(func(c *trading.Open) { c.TakeProfit = ptr[int64](110_020) })},
		{"ATakeProfitOnTheLosingSide", with(func(c *trading.Open) { c.TakeProfit = ptr[int64](109_000) }), trading.ErrTakeProfit, with(func(c *trading.Open) { c.TakeProfit = ptr[int64](999_999) })},
		{"ASellersStopLossTooNear", with(func(c *trading.Open) { c.Side, c.StopLoss = trading.Sell, ptr[int64](110_029) }), trading.ErrStopLoss, with(func(c *trading.Open) { c.Side, c.StopLoss = trading.Sell, ptr[int64](110_030) })},
		{"ASellersTakeProfitTooNear", with(func(c *trading.Open) { c.Side, c.TakeProfit = trading.Sell, ptr[int64](109_991) }), trading.ErrTakeProfit, with(func(c *trading.Open) { c.Side, c.TakeProfit = trading.Sell, ptr[int64](109_990) })},
		{"ASellersTakeProfitOfZero", with(func(c *trading.Open) { c.Side, c.TakeProfit = trading.Sell, ptr[int64](0) }), trading.ErrTakeProfit, with(func(c *trading.Open) { c.Side, c.TakeProfit = trading.Sell, ptr[int64](1) })},
		{"NoPriceYet", with(func(c *trading.Open) { c.ProductID, c.Leverage = 4, 100 }), market.ErrNoPrice, eur},
	}
	fills := int64(0)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result, err := b.engine.Open(t.Context(), test.cmd, b.request(rich))
			require.ErrorIs(t, err, test.want)
			require.Zero(t, result)
			require.Equal(t, fills, b.number(`SELECT count(*) FROM fills`), "nothing is written")
			require.Equal(t, fills, b.number(`SELECT count(*) FROM orders`))
			done, err := b.try(test.passes)
			require.NoError(t, err)
			b.closes(rich, done.Position.ID, 0)
			fills += 2
		})
	}
	t.Run("ALimitIsNamed", func(t *testing.T) {
		_, err := b.try(with(func(c *trading.Open) { c.StopLoss = ptr[int64](110_000) }))
		require.Equal(t, "1.09980", errs.As(err).Args["limit"])
		_, err = b.try(with(func(c *trading.Open) { c.Lots = 1 }))
		require.Equal(t, map[string]string{"min": "0.01", "max": "50", "step": "0.01"}, errs.As(err).Args)
		_, err = b.try(with(func(c *trading.Open) { c.Leverage = 3 }))
		require.Equal(t, map[string]string{"list": "100,50,200,20,500"}, errs.As(err).Args)
		_, err = b.try(with(func(c *trading.Open) { c.Seen = 100_000 }))
		require.Equal(t, map[string]string{"price": "1.10010"}, errs.As(err).Args)
	})
	b.proves()
}

func TestOpenNeedsATradablePrice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000_000 * unit)
	order := trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent}
	b.opens(order)
	b.quote(eurusd, "1.20000", "1.20010")
	_, err := b.try(order)
	require.ErrorIs(t, err, market.ErrHalted, "a spike is held")
	b.jump(eurusd, "1.10000", "1.10010")
	b.opens(order)
	b.time.Advance(10 * time.Second)
	b.opens(order)
	b.time.Advance(time.Millisecond)
	_, err = b.try(order)
	require.ErrorIs(t, err, market.ErrStale)
	b.jump(eurusd, "1.10000", "1.10010")
	b.opens(order)
	b.time.Set(saturday)
	b.quote(eurusd, "1.10000", "1.10010") // fresh, but the market is closed
	_, err = b.try(order)
	require.ErrorIs(t, err, market.ErrClosed)
	b.jump(btcusd, "50000.00", "50010.00")
	b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent})
	require.EqualValues(t, 5, b.number(`SELECT count(*) FROM fills`))
}

func TestOpenNeedsMargin(t *testing.T) {
	t.Parallel()
	// A hundredth of a bitcoin at 50,010 and 1:20 needs 25.005 USDT.
	const needed = 25_005_000
	order := trading.Open{ProductID: btcusd, Side: trading.Buy, Lots: cent}
	t.Run("ExactlyEnoughIsEnough", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		order.Owner = b.fund(needed)
		done := b.opens(order)
		require.EqualValues(t, needed, done.Fill.Margin)
		require.EqualValues(t, -100_000, done.Totals.Free, "the spread is what is missing now")
		order.Owner = b.fund(needed - 1)
		_, err := b.try(order)
		require.ErrorIs(t, err, trading.ErrMargin)
		require.Equal(t, map[string]string{"needed": "25.005", "free": "25.004999"}, errs.As(err).Args)
		order.Owner = b.fund(0)
		_, err = b.try(order)
		require.ErrorIs(t, err, trading.ErrMargin)
		b.proves()
	})
	t.Run("TheCommissionComesOnTop", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		// 0.01 lots of gold at 2,000.50 and 1:100 need 20.005, and 0.035 are charged.
		gold := trading.Open{ProductID: xauusd, Side: trading.Buy, Lots: cent}
		gold.Owner = b.fund(20_040_000)
		b.opens(gold)
		gold.Owner = b.fund(20_039_999)
		_, err := b.try(gold)
		require.ErrorIs(t, err, trading.ErrMargin)
		b.proves()
	})
	t.Run("FloatingProfitAndLossCount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		order := order
		order.Owner = b.fund(2 * needed)
		b.opens(order)
		_, err := b.try(order)
		require.ErrorIs(t, err, trading.ErrMargin, "the first one's spread is missing")
		b.quote(btcusd, "50020.00", "50010.00") // crossed: rejected
		_, err = b.try(order)
		require.ErrorIs(t, err, market.ErrHalted)
		b.jump(btcusd, "50010.00", "50010.00")
		b.opens(order)
		b.proves()
	})
	t.Run("ABonusCounts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		order := order
		order.Owner = b.fund(0)
		b.credit(order.Owner, needed)
		b.opens(order)
		gold := trading.Open{Owner: b.fund(0), ProductID: xauusd, Side: trading.Buy, Lots: cent}
		b.credit(gold.Owner, 1_000*unit)
		_, err := b.try(gold)
		require.ErrorIs(t, err, trading.ErrCash, "but a commission is paid in cash")
		b.proves()
	})
	t.Run("AHedgeNeedsLess", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.quote(btcusd, "50000.00", "50000.00")
		order := order
		order.Owner = b.fund(30 * unit)
		b.opens(order) // 25 of 30
		_, err := b.try(order)
		require.ErrorIs(t, err, trading.ErrMargin)
		order.Side = trading.Sell
		done := b.opens(order)
		require.EqualValues(t, 25*unit, done.Totals.Used)
		b.proves()
	})
	t.Run("ADeficitCounts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		order := order
		order.Owner = b.fund(needed)
		b.test.Tamper(t, fmt.Sprintf(`UPDATE accounts SET deficit = -1 WHERE id = %d`, order.Owner.AccountID))
		_, err := b.try(order)
		require.ErrorIs(t, err, trading.ErrMargin)
	})
}

func TestOpenStopsAtTheLimitOfPositions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000_000 * unit)
	order := trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent}
	first := b.opens(order).Position.ID
	_, err := b.super.Exec(t.Context(), `
		INSERT INTO positions (account_id, product_id, side, lots, lots_opened, open_price, open_value, leverage, margin, state, opened_at, rolled_day, opened_by)
		SELECT account_id, product_id, side, lots, lots_opened, open_price, open_value, leverage, margin, state, opened_at, rolled_day, opened_by
		FROM positions, generate_series(1, $2) WHERE id = $1`, first, trading.MaxPositions-2)
	require.NoError(t, err)
	b.touched(o)
	last := b.opens(order)
	require.Len(t, b.value(o).Positions, trading.MaxPositions)
	require.EqualValues(t, trading.MaxPositions*25_005_000, last.Totals.Used)
	_, err = b.try(order)
	require.ErrorIs(t, err, trading.ErrTooMany)
	b.closes(o, first, 0)
	b.opens(order)
	_, err = b.try(order)
	require.ErrorIs(t, err, trading.ErrTooMany)
}

func TestForeignAccountsAreUnknown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	mine, theirs := b.fund(1_000*unit), b.fund(1_000*unit)
	order := trading.Open{Owner: theirs, ProductID: btcusd, Side: trading.Buy, Lots: cent}
	position := b.opens(order).Position.ID
	fill := b.fills(theirs)[0].ID
	before := b.account(theirs)

	order.Owner = ledger.Owner{TraderID: mine.TraderID, AccountID: theirs.AccountID}
	_, err := b.try(order)
	require.ErrorIs(t, err, ledger.ErrAccount)
	order.Owner.AccountID = 999_999
	_, err = b.try(order)
	require.ErrorIs(t, err, ledger.ErrAccount, "the same answer as for none")
	order.Owner.AccountID = 2
	_, err = b.try(order)
	require.ErrorIs(t, err, ledger.ErrAccount, "nor is the house's")

	for _, owner := range []ledger.Owner{mine, {TraderID: mine.TraderID, AccountID: theirs.AccountID}} {
		want := map[bool]error{true: trading.ErrPosition, false: ledger.ErrAccount}[owner == mine]
		_, err = b.tryClose(trading.Close{Owner: owner, PositionID: position})
		require.ErrorIs(t, err, want)
		_, err = b.tryProtect(trading.Protect{Owner: owner, PositionID: position, StopLoss: ptr[int64](1)})
		require.ErrorIs(t, err, want)
	}
	_, err = b.engine.Position(t.Context(), mine.AccountID, position)
	require.ErrorIs(t, err, trading.ErrPosition)
	_, _, err = b.engine.FillWithPosition(t.Context(), mine.AccountID, fill)
	require.ErrorIs(t, err, trading.ErrFill)
	_, err = b.reader().Receipt(t.Context(), mine.AccountID, fill)
	require.ErrorIs(t, err, trading.ErrFill)
	require.Empty(t, b.fills(mine))
	require.Equal(t, before, b.account(theirs))
	b.closes(theirs, position, 0)
	b.proves()
}

func TestSameKeyIsReplayed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	order := trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent, Leverage: 20}
	r := idempotency.Request{TraderID: o.TraderID, Call: "order", Key: "key", Body: []byte("a")}
	first, err := b.engine.Open(t.Context(), order, r)
	require.NoError(t, err)
	b.quote(btcusd, "50100.00", "50110.00")
	again, err := b.another().Open(t.Context(), order, r)
	require.NoError(t, err)
	require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again), "whatever the price is now")
	require.EqualValues(t, 1, b.number(`SELECT count(*) FROM fills`))

	r.Body = []byte("b")
	_, err = b.engine.Open(t.Context(), order, r)
	require.ErrorIs(t, err, idempotency.ErrKeyReused)
	r.Key = ""
	_, err = b.engine.Open(t.Context(), order, r)
	require.ErrorIs(t, err, idempotency.ErrKeyMissing)

	r.Key, order.Lots = "refused", 100*unit
	_, err = b.engine.Open(t.Context(), order, r)
	require.ErrorIs(t, err, trading.ErrLots)
	order.Lots = cent
	_, err = b.engine.Open(t.Context(), order, r)
	require.NoError(t, err, "a refusal leaves the key free")
	require.EqualValues(t, 2, b.number(`SELECT count(*) FROM fills`))
}
