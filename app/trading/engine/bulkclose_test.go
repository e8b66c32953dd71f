package engine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/trading"
)

func (b *bundle) tryReverse(cmd trading.Reverse) (trading.Done, error) {
	b.t.Helper()
	result, err := b.engine.Reverse(b.t.Context(), cmd, b.request(cmd.Owner))
	return result.Value, err
}

func (b *bundle) tryCloseBy(o ledger.Owner, id, by int64) (trading.Done, error) {
	b.t.Helper()
	result, err := b.engine.CloseBy(b.t.Context(), trading.CloseBy{Owner: o, PositionID: id, ByPositionID: by}, b.request(o))
	return result.Value, err
}

func (b *bundle) tryCloseAll(cmd trading.CloseAll) (trading.Done, error) {
	b.t.Helper()
	result, err := b.engine.CloseAll(b.t.Context(), cmd, b.request(cmd.Owner))
	return result.Value, err
}

func TestReverse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	long := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: 10 * cent, StopLoss: ptr[int64](109_000)}).Position
	b.quote(eurusd, "1.10100", "1.10110")
	_, err := b.tryReverse(trading.Reverse{Owner: o, PositionID: long.ID, Seen: 110_200, SlippageBps: 5})
	require.ErrorIs(t, err, trading.ErrSlippage)
	done, err := b.tryReverse(trading.Reverse{Owner: o, PositionID: long.ID, Seen: 110_100, SlippageBps: 5})
	require.NoError(t, err)
	require.Len(t, done.Fills, 2)
	closed, opened := done.Fills[0], done.Fills[1]
	require.Equal(t, []any{trading.EntryClose, int64(110_100), int64(9_000_000)}, []any{closed.Entry, closed.Price, closed.Profit})
	require.Equal(t, []any{trading.EntryOpen, trading.Sell, int64(110_100), int64(10 * cent), opened.ID}, []any{opened.Entry, opened.Side, opened.Price, opened.Lots, done.Fill.ID})
	require.Nil(t, done.Position.StopLoss, "what protected the one would hurt the other")
	require.Equal(t, trading.StateClosed, b.position(o, long.ID).State)
	require.Len(t, b.value(o).Positions, 1)
	_, err = b.tryReverse(trading.Reverse{Owner: o, PositionID: long.ID})
	require.ErrorIs(t, err, trading.ErrPosition)
	b.proves()
}

func TestReverseThatTheAccountCannotCarryClosesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(111 * unit)
	long := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: 10 * cent}).Position
	b.quote(eurusd, "1.09980", "1.09990")
	_, err := b.tryReverse(trading.Reverse{Owner: o, PositionID: long.ID})
	require.ErrorIs(t, err, trading.ErrMargin)
	require.Equal(t, trading.StateOpen, b.position(o, long.ID).State)
	require.Len(t, b.fills(o), 1)
	b.proves()
}

func TestCloseBy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(10_000 * unit)
	long := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: 30 * cent}).Position // at 1.10010
	b.quote(eurusd, "1.10200", "1.10210")
	short := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: 10 * cent}).Position // at 1.10200
	gold := b.opens(trading.Open{Owner: o, ProductID: xauusd, Side: trading.Sell, Lots: cent}).Position
	other := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent}).Position
	for _, pair := range [][2]int64{{long.ID, gold.ID}, {long.ID, other.ID}, {long.ID, long.ID}} {
		_, err := b.tryCloseBy(o, pair[0], pair[1])
		require.ErrorIs(t, err, trading.ErrNotOpposite)
	}
	_, err := b.tryCloseBy(o, long.ID, 99_999)
	require.ErrorIs(t, err, trading.ErrPosition)

	before := b.account(o).Cash
	b.jump(eurusd, "1.11000", "1.11010") // the market price does not matter
	done, err := b.tryCloseBy(o, long.ID, short.ID)
	require.NoError(t, err)
	require.Len(t, done.Fills, 2)
	require.Equal(t, []any{int64(110_200), int64(19_000_000), trading.CloseByRule, short.ID}, []any{done.Fills[0].Price, done.Fills[0].Profit, done.Fills[0].Rule, *done.Fills[0].ByPosition}, "the whole difference, 19 points of 10,000 EUR")
	require.Equal(t, []any{int64(110_200), int64(0)}, []any{done.Fills[1].Price, done.Fills[1].Profit}, "closes where it opened")
	require.EqualValues(t, before+19_000_000, b.account(o).Cash)
	require.EqualValues(t, 20*cent, b.position(o, long.ID).Lots)
	require.Equal(t, []any{trading.StateClosed, trading.CloseByClose}, []any{b.position(o, short.ID).State, *b.position(o, short.ID).CloseReason})
	b.stop()
	for sql, what := range map[string]string{
		`UPDATE fills SET price = price + 1 WHERE rule = 'close_by' AND position_id = 1`:   "but it was settled at 1.10200",
		`UPDATE fills SET by_position = 3 WHERE rule = 'close_by' AND position_id = 1`:     "does not face it",
		`UPDATE fills SET by_position = 4 WHERE rule = 'close_by' AND position_id = 1`:     "does not face it",
		`UPDATE fills SET profit = profit + 1 WHERE rule = 'close_by' AND position_id = 1`: "its profit is not what its sums give",
	} {
		tx, err := b.super.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), sql)
		require.NoError(t, err)
		problem, _ := b.verify(tx)
		require.NotNil(t, problem, sql)
		require.Contains(t, problem.What, what, sql)
		require.NoError(t, tx.Rollback(t.Context()))
	}
	b.proves()
}

func TestCloseAll(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(10_000 * unit)
	_, err := b.tryCloseAll(trading.CloseAll{Owner: o})
	require.ErrorIs(t, err, trading.ErrNothingOpen)
	open := func(id int, side trading.Side) int64 {
		return b.opens(trading.Open{Owner: o, ProductID: id, Side: side, Lots: cent}).Position.ID
	}
	first, second, gold, coin := open(eurusd, trading.Buy), open(eurusd, trading.Sell), open(xauusd, trading.Buy), open(btcusd, trading.Buy)
	done, err := b.tryCloseAll(trading.CloseAll{Owner: o, ProductID: eurusd, Side: trading.Sell})
	require.NoError(t, err)
	require.Len(t, done.Fills, 1)
	require.Equal(t, second, done.Fills[0].PositionID)
	b.time.Set(saturday)
	b.jump(btcusd, "50000.00", "50010.00")
	done, err = b.tryCloseAll(trading.CloseAll{Owner: o})
	require.NoError(t, err)
	require.Len(t, done.Fills, 1)
	require.Equal(t, coin, done.Fills[0].PositionID)
	require.Equal(t, []trading.Skip{{PositionID: first, Code: "market.closed"}, {PositionID: gold, Code: "market.closed"}}, done.Skipped)
	b.time.Set(tuesday.Add(7 * 24 * time.Hour))
	b.jump(eurusd, "1.10000", "1.10010")
	b.jump(xauusd, "2000.00", "2000.50")
	done, err = b.tryCloseAll(trading.CloseAll{Owner: o})
	require.NoError(t, err)
	require.Len(t, done.Fills, 2)
	require.Empty(t, done.Skipped)
	require.Empty(t, b.value(o).Positions)
	b.proves()
}
