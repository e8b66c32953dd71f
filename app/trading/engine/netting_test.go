package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/trading"
)

// netting switches an account to netting.
func (b *bundle) netting(o ledger.Owner) ledger.Owner {
	b.t.Helper()
	_, err := b.tryKeep(trading.SetPositionMode{Owner: o, Netting: true, By: audit.Actor{Kind: audit.Trader, ID: o.TraderID}})
	require.NoError(b.t, err)
	return o
}

func (b *bundle) tryKeep(cmd trading.SetPositionMode) (trading.Done, error) {
	b.t.Helper()
	result, err := b.engine.SetPositionMode(b.t.Context(), cmd, b.request(cmd.Owner))
	return result.Value, err
}

func TestKeeping(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.netting(b.fund(10_000 * unit))
	require.True(t, b.account(o).Netting)
	require.EqualValues(t, 1, b.number(`SELECT count(*) FROM audit_entries WHERE action = 'account.keep' AND before = 'false' AND after = 'true'`))
	b.netting(o)
	require.EqualValues(t, 1, b.number(`SELECT count(*) FROM audit_entries`), "what is so already changes nothing")

	id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position.ID
	_, err := b.tryKeep(trading.SetPositionMode{Owner: o})
	require.ErrorIs(t, err, trading.ErrNotFlat, "with a position")
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE accounts SET netting = false WHERE id = $1`, o.AccountID)
	require.ErrorContains(t, err, "is not flat", "nor behind the engine's back")
	b.closes(o, id, 0)
	b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Lots: unit, Terms: trading.Terms{Price: 109_000, TimeInForce: trading.GoodTillCancelled}})
	_, err = b.tryKeep(trading.SetPositionMode{Owner: o})
	require.ErrorIs(t, err, trading.ErrNotFlat, "with an order that would make one")
}

func TestNettingJoinsAtTheMean(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.netting(b.fund(100_000 * unit))
	first := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit, StopLoss: ptr[int64](109_000)}).Position
	b.quote(eurusd, "1.10098", "1.10107")
	joined := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: 2 * unit, Leverage: 500})
	p := b.position(o, first.ID)
	same(t, joined.Position, p)
	require.Equal(t, []any{first.ID, 3 * unit, 3 * unit, int64(110_075)}, []any{p.ID, int(p.Lots), int(p.LotsOpened), p.OpenPrice}, "(110010 + 2 × 110107) ÷ 3 is 110074.67")
	require.EqualValues(t, 110_010*unit+2*110_107*unit, p.OpenValue, "exact")
	require.Equal(t, 100, joined.Fill.Leverage, "at the leverage of the position")
	require.EqualValues(t, first.Margin+2*110_107*unit/100, p.Margin)
	require.EqualValues(t, 109_000, *p.StopLoss, "it stays as it was")
	require.Len(t, b.value(o).Positions, 1)

	b.quote(eurusd, "1.10200", "1.10210")
	done := b.closes(o, p.ID, unit)
	require.EqualValues(t, 125_333_333, done.Fill.Profit, "a third of the exact mean, to the sixth decimal: 110200 − 110074.666667")
	done = b.closes(o, p.ID, 0)
	require.EqualValues(t, 250_666_667, done.Fill.Profit, "and the rest")
	require.EqualValues(t, 3*110_200*unit-(110_010+2*110_107)*unit, done.Position.Realised, "in all what was earned")
	b.proves()
}

func TestNettingReplacesProtection(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.netting(b.fund(100_000 * unit))
	id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: unit, StopLoss: ptr[int64](111_000)}).Position.ID
	b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: unit, TakeProfit: ptr[int64](109_000)})
	p := b.position(o, id)
	require.Nil(t, p.StopLoss)
	require.EqualValues(t, 109_000, *p.TakeProfit)
	q := b.jump(eurusd, "1.08990", "1.09000")
	b.work()
	fill := b.fills(o)[2]
	require.Equal(t, []any{trading.TakeProfitRule, int64(2 * unit), int64(109_000)}, []any{fill.Rule, fill.Lots, fill.Price})
	require.LessOrEqual(t, fill.QuoteSeq, q.Seq)
	b.proves()
}

// TestNettingKeepsWhatOpened joins a market order to a position that a limit order opened, and reverses it.
func TestNettingKeepsWhatOpened(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.netting(b.fund(100_000 * unit))
	b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Lots: unit, Terms: priced(109_900)})
	b.quote(eurusd, "1.09880", "1.09890")
	b.work()
	joined := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position
	require.Equal(t, []any{2 * unit, trading.LimitRule}, []any{int(joined.Lots), joined.OpenedBy})
	same(t, joined, b.position(o, joined.ID))
	turned := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: 3 * unit}).Position
	require.Equal(t, trading.MarketRule, b.position(o, turned.ID).OpenedBy)
	b.closes(o, turned.ID, 0)
	require.Equal(t, []int64{joined.ID}, b.history(o, HistoryFilter{OpenedBy: trading.LimitRule}))
	require.Equal(t, []int64{turned.ID}, b.history(o, HistoryFilter{OpenedBy: trading.MarketRule}))
	b.proves()
}

// TestNettingReversal checks the example of https://www.ifcmarkets.com/en/start/09/: long 60,000 euros, then 100,000 sold.
func TestNettingReversal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.netting(b.fund(100_000 * unit))
	long := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: 60 * cent}).Position
	b.quote(eurusd, "1.10110", "1.10120")
	done := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: unit, StopLoss: ptr[int64](112_000)})
	require.Len(t, done.Fills, 2)
	closed, opened := done.Fills[0], done.Fills[1]
	require.Equal(t, []any{trading.EntryClose, long.ID, int64(60 * cent), int64(60 * unit), trading.MarketRule}, []any{closed.Entry, closed.PositionID, closed.Lots, closed.Profit, closed.Rule})
	require.Equal(t, []any{trading.EntryOpen, trading.Sell, int64(40 * cent), int64(110_110)}, []any{opened.Entry, done.Position.Side, done.Position.Lots, done.Position.OpenPrice})
	require.Equal(t, closed.OrderID, opened.OrderID, "one order")
	require.EqualValues(t, 112_000, *done.Position.StopLoss)
	require.Equal(t, trading.ManualClose, *b.position(o, long.ID).CloseReason)
	require.EqualValues(t, 100_060*unit, opened.Equity, "the rest is decided on what the close left")
	require.EqualValues(t, 1, b.number(`SELECT count(*) FROM orders WHERE id = $1 AND lots = 1000000 AND position_id = $2`, closed.OrderID, done.Position.ID))

	t.Run("OfExactlyTheSameLotsLeavesNothing", func(t *testing.T) {
		done := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: 40 * cent})
		require.Equal(t, trading.StateClosed, done.Position.State)
		require.Nil(t, done.Fills)
		require.Empty(t, b.value(o).Positions)
	})
	b.proves()
}

func TestNettingReversalThatCantBeCarriedChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.netting(b.fund(1_200 * unit))
	id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position.ID
	_, err := b.try(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: 3 * unit})
	require.ErrorIs(t, err, trading.ErrMargin)
	require.EqualValues(t, unit, b.position(o, id).Lots, "not even the part that only closes")
	order := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.StopOrder, Side: trading.Sell, Lots: 3 * unit, Terms: trading.Terms{Price: 109_900, TimeInForce: trading.GoodTillCancelled}})
	b.quote(eurusd, "1.09900", "1.09910")
	b.work()
	ended := b.order(o, order.ID)
	require.Equal(t, []any{trading.Cancelled, trading.NoMargin}, []any{ended.Status, *ended.Reason})
	require.EqualValues(t, unit, b.position(o, id).Lots)
	b.proves()
}

func TestARestingOrderTurnsANettedPositionRound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.netting(b.fund(100_000 * unit))
	id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position.ID
	order := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Sell, Lots: 3 * unit, Terms: trading.Terms{Price: 110_100, TimeInForce: trading.GoodTillCancelled}})
	b.quote(eurusd, "1.10110", "1.10120")
	b.work()
	filled := b.order(o, order.ID)
	require.Equal(t, trading.Filled, filled.Status)
	require.NotEqual(t, id, *filled.PositionID)
	require.EqualValues(t, 2*unit, b.position(o, *filled.PositionID).Lots)
	fills := b.fills(o)
	require.Len(t, fills, 3)
	for _, fill := range fills[1:] {
		require.Equal(t, []any{trading.LimitRule, int64(110_110), int64(110_100)}, []any{fill.Rule, fill.Price, *fill.LimitPrice})
	}
	b.proves()
}

// TestHedgingIsUntouched is the negative twin: without netting every fill is its own position.
func TestHedgingIsUntouched(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(100_000 * unit)
	b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit})
	b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit})
	b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: unit})
	require.Len(t, b.value(o).Positions, 3)
	b.proves()
}
