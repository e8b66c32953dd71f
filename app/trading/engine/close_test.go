package engine

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/errs"
	"candor/app/trading"
)

func TestClose(t *testing.T) {
	t.Parallel()
	t.Run("SellsAtTheBidAndBuysBackAtTheAsk", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(10_000 * unit)
		long := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit, StopLoss: ptr[int64](100_000)}).Position.ID
		short := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: unit}).Position.ID
		b.quote(eurusd, "1.10100", "1.10115")
		q, _ := b.market.Newest(eurusd)
		b.real.Advance(time.Minute)

		won := b.closes(o, long, 0)
		require.EqualValues(t, 110_100, won.Fill.Price)
		require.EqualValues(t, 90*unit, won.Fill.Profit)
		require.Equal(t, []any{trading.EntryClose, trading.MarketRule, trading.Sell, q.Seq, int64(110_010), int64(1_100_100_000)}, []any{
			won.Fill.Entry, won.Fill.Rule, won.Fill.Side, won.Fill.QuoteSeq, *won.Fill.OpenPrice, won.Fill.Margin,
		})
		require.Nil(t, won.Fill.LimitPrice, "no rule fired")
		lost := b.closes(o, short, 0)
		require.EqualValues(t, 110_115, lost.Fill.Price)
		require.EqualValues(t, -115*unit, lost.Fill.Profit)

		closed := b.position(o, long)
		same(t, won.Position, closed)
		require.Equal(t, []any{trading.StateClosed, trading.ManualClose, int64(110_100), int64(0), int64(0), int64(90 * unit), 2}, []any{
			closed.State, *closed.CloseReason, *closed.ClosePrice, closed.Lots, closed.Margin, closed.Realised, closed.Version,
		})
		require.True(t, closed.ClosedAt.Equal(b.real.Now()))
		require.EqualValues(t, 9_975*unit, b.account(o).Cash)
		require.EqualValues(t, 25*unit, b.house("trading"), "the other side of every profit and loss")
		require.Equal(t, trading.Valuation{Account: b.account(o), Positions: []trading.Valued{}, Equity: 9_975 * unit, Free: 9_975 * unit}, b.value(o))
		require.Equal(t, []int64{short, long}, b.history(o, HistoryFilter{}))
		b.proves()
	})
	t.Run("InParts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.jump(2, "1.62630", "1.62638")
		o := b.fund(10_000 * unit)
		// The published example: 0.5 lots of GBPUSD at 1.62638, 0.3 of them closed.
		// Source: https://hercules-finance.com/faq/how-to-close-fx-positions-partially-in-metatrader4
		id := b.opens(trading.Open{Owner: o, ProductID: 2, Side: trading.Buy, Lots: 50 * cent}).Position.ID
		part := b.closes(o, id, 30*cent)
		left := part.Position
		require.Equal(t, []any{trading.StateOpen, int64(20 * cent), int64(50 * cent), int64(162_638)}, []any{left.State, left.Lots, left.LotsOpened, left.OpenPrice})
		require.EqualValues(t, 813_190_000-487_914_000, left.Margin)
		require.EqualValues(t, 487_914_000, part.Fill.Margin)
		require.Nil(t, left.CloseReason)
		last := b.closes(o, id, 20*cent)
		require.Equal(t, left.Margin, last.Fill.Margin, "the last part takes the rest")
		require.EqualValues(t, 813_190_000, part.Fill.Margin+last.Fill.Margin)
		require.Equal(t, trading.StateClosed, last.Position.State)
		require.Equal(t, part.Fill.Profit+last.Fill.Profit, last.Position.Realised)
		b.proves()
	})
	t.Run("ChargesItsCommission", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(10_000 * unit)
		id := b.opens(trading.Open{Owner: o, ProductID: xauusd, Side: trading.Buy, Lots: unit}).Position.ID
		part := b.closes(o, id, 40*cent)
		require.EqualValues(t, 1_400_000, part.Fill.Commission)
		require.EqualValues(t, 4_900_000, part.Position.Commission, "charged so far")
		last := b.closes(o, id, 0)
		require.EqualValues(t, 7*unit, last.Position.Commission)
		require.EqualValues(t, 7*unit, b.house("fees"))
		require.EqualValues(t, 10_000*unit-7*unit-50*unit, b.account(o).Cash)
		b.proves()
	})
	t.Run("AProfitThatIsItsCommissionMovesNoCash", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(10_000 * unit)
		id := b.opens(trading.Open{Owner: o, ProductID: aapl, Side: trading.Buy, Lots: unit}).Position.ID
		before := b.account(o)
		b.quote(aapl, "201.10", "201.20")
		done := b.closes(o, id, 0)
		require.EqualValues(t, unit, done.Fill.Profit)
		require.EqualValues(t, unit, done.Fill.Commission)
		require.NotNil(t, done.Fill.TransactionID, "the house's two accounts move")
		after := b.account(o)
		require.Equal(t, before.Cash, after.Cash)
		require.Equal(t, before.Version+1, after.Version, "or a server would take the older state for the newer")
		require.Equal(t, after.Version, b.known(o).Version)
		b.proves()
	})
	t.Run("AtTheOpenPriceMovesNoMoney", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.quote(eurusd, "1.10000", "1.10000")
		o := b.fund(10_000 * unit)
		done := b.closes(o, b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position.ID, 0)
		require.Zero(t, done.Fill.Profit)
		require.Nil(t, done.Fill.TransactionID)
		require.Equal(t, b.account(o).Version, b.known(o).Version)
		b.proves()
	})
}

func TestCloseRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(100_000 * unit)
	id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position.ID
	lots := func(n int64) trading.Close { return trading.Close{Owner: o, PositionID: id, Lots: n} }
	tests := []struct {
		name string
		cmd  trading.Close
		want error
	}{
		{"MoreThanThereIs", lots(unit + cent), trading.ErrLots},
		{"NegativeLots", lots(-cent), trading.ErrLots},
		{"APartBelowTheMinimum", lots(cent - 1), trading.ErrLots},
		{"ARestBelowTheMinimum", lots(unit - cent/2), trading.ErrLots},
		{"APartOffTheStep", lots(10*cent + 1), trading.ErrLots},
		{"AnUnknownPosition", trading.Close{Owner: o, PositionID: 999}, trading.ErrPosition},
		{"Slippage", trading.Close{Owner: o, PositionID: id, Seen: 110_002, SlippageBps: 0}, trading.ErrSlippage},
		{"ATooLargeTolerance", trading.Close{Owner: o, PositionID: id, SlippageBps: trading.MaxSlippageBps + 1}, errs.Field("slippageBps", "field.range")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := b.tryClose(test.cmd)
			require.ErrorIs(t, err, test.want)
			require.EqualValues(t, 1, b.position(o, id).Version, "nothing is written")
		})
	}
	t.Run("WhatIsAllowed", func(t *testing.T) {
		b.closes(o, id, cent)
		done, err := b.tryClose(trading.Close{Owner: o, PositionID: id, Lots: 98 * cent, Seen: 110_001, SlippageBps: 1})
		require.NoError(t, err)
		require.EqualValues(t, cent, done.Position.Lots, "the smallest rest")
		b.closes(o, id, 0)
		_, err = b.tryClose(lots(0))
		require.ErrorIs(t, err, trading.ErrPosition, "it is closed")
	})
	t.Run("WithoutATradablePrice", func(t *testing.T) {
		id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position.ID
		b.quote(eurusd, "1.20000", "1.20010")
		_, err := b.tryClose(trading.Close{Owner: o, PositionID: id})
		require.ErrorIs(t, err, market.ErrHalted)
		b.jump(eurusd, "1.10000", "1.10010")
		b.time.Advance(time.Minute)
		_, err = b.tryClose(trading.Close{Owner: o, PositionID: id})
		require.ErrorIs(t, err, market.ErrStale)
		b.time.Set(saturday)
		_, err = b.tryClose(trading.Close{Owner: o, PositionID: id})
		require.ErrorIs(t, err, market.ErrClosed)
	})
	b.proves()
}

func TestPartsKeepTheMinimumOnBothSides(t *testing.T) {
	t.Parallel()
	p := market.Product{Terms: market.Terms{LotMin: 10 * cent, LotStep: cent}}
	for lots, want := range map[int64]error{9 * cent: trading.ErrLots, 10 * cent: nil, 20 * cent: nil, 21 * cent: trading.ErrLots, 30 * cent: nil, 31 * cent: trading.ErrLots, 0: trading.ErrLots} {
		require.ErrorIs(t, trading.CheckPart(p, lots, 30*cent), want, "%d", lots)
	}
}

func TestProtect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(100_000 * unit)
	id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position.ID
	version := b.account(o).Version
	done, err := b.tryProtect(trading.Protect{Owner: o, PositionID: id, StopLoss: ptr[int64](109_980), TakeProfit: ptr[int64](110_020)})
	require.NoError(t, err)
	require.Nil(t, done.Fill)
	same(t, done.Position, b.position(o, id))
	require.Equal(t, []any{int64(109_980), int64(110_020), 2}, []any{*done.Position.StopLoss, *done.Position.TakeProfit, done.Position.Version})
	require.Equal(t, version+1, b.account(o).Version)
	for name, test := range map[string]struct {
		cmd  trading.Protect
		want error
	}{
		"StopLossTooNear":    {trading.Protect{StopLoss: ptr[int64](109_981)}, trading.ErrStopLoss},
		"TakeProfitTooNear":  {trading.Protect{TakeProfit: ptr[int64](110_019)}, trading.ErrTakeProfit},
		"BothOnTheWrongSide": {trading.Protect{StopLoss: ptr[int64](120_000), TakeProfit: ptr[int64](100_000)}, trading.ErrStopLoss},
	} {
		test.cmd.Owner, test.cmd.PositionID = o, id
		_, err := b.tryProtect(test.cmd)
		require.ErrorIs(t, err, test.want, name)
	}
	require.Equal(t, 2, b.position(o, id).Version)
	done, err = b.tryProtect(trading.Protect{Owner: o, PositionID: id})
	require.NoError(t, err)
	require.True(t, done.Position.StopLoss == nil && done.Position.TakeProfit == nil, "nothing clears both")
	b.time.Set(saturday)
	_, err = b.tryProtect(trading.Protect{Owner: o, PositionID: id, StopLoss: ptr[int64](100_000)})
	require.NoError(t, err, "a closed market lets a trader prepare")
	b.closes(b.fundAndOpenCrypto())
	_, err = b.tryProtect(trading.Protect{Owner: o, PositionID: 999, StopLoss: ptr[int64](100_000)})
	require.ErrorIs(t, err, trading.ErrPosition)
	b.proves()
}

// fundAndOpenCrypto is an account with a position that can be closed at any time.
func (b *bundle) fundAndOpenCrypto() (ledger.Owner, int64, int64) {
	b.t.Helper()
	b.jump(btcusd, "50000.00", "50010.00")
	o := b.fund(1_000 * unit)
	return o, b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent}).Position.ID, 0
}

// TestPartsOfAPosition closes positions in random parts on the database: margin and lots of the parts add up to those of the whole.
func TestPartsOfAPosition(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000_000 * unit)
	random := rand.New(rand.NewPCG(5, 6))
	for range 30 {
		cmd := trading.Open{Owner: o, ProductID: []int{eurgbp, usdjpy, xauusd}[random.IntN(3)], Side: []trading.Side{trading.Buy, trading.Sell}[random.IntN(2)], Lots: (1 + random.Int64N(60)) * cent}
		opened := b.opens(cmd)
		left, released, profit, fees := cmd.Lots, int64(0), int64(0), opened.Fill.Commission
		for left > 0 {
			step := min((1+random.Int64N(30))*cent, left)
			done := b.closes(o, opened.Position.ID, step)
			left, released = left-step, released+done.Fill.Margin
			profit, fees = profit+done.Fill.Profit, fees+done.Fill.Commission
			require.Equal(t, step, done.Fill.Lots)
			require.Equal(t, []int64{left, opened.Fill.Margin - released, profit, fees},
				[]int64{done.Position.Lots, done.Position.Margin, done.Position.Realised, done.Position.Commission}, "%+v", cmd)
		}
		require.Equal(t, opened.Fill.Margin, released, "%+v", cmd)
	}
	b.proves()
}
