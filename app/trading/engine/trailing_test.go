package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/trading"
)

func (b *bundle) trails(o ledger.Owner, id, distance int64) {
	b.t.Helper()
	done, err := b.tryProtect(trading.Protect{Owner: o, PositionID: id, Trail: &distance})
	require.NoError(b.t, err)
	require.Equal(b.t, distance, *done.Position.Trail)
}

// TestTrailingStop follows EURUSD from 1.10000 / 1.10010 until it has fallen back by 50 points.
func TestTrailingStop(t *testing.T) {
	t.Parallel()
	t.Run("OfALongFollowsTheBid", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(1_000 * unit)
		id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent}).Position.ID
		b.trails(o, id, 50)
		b.quote(eurusd, "1.09951", "1.09961")
		require.Zero(t, b.engine.monitor.Queued(), "49 points from where it was set")
		best := b.quote(eurusd, "1.10200", "1.10210")
		b.quote(eurusd, "1.10180", "1.10190")
		b.quote(eurusd, "1.10151", "1.10161")
		require.Zero(t, b.engine.monitor.Queued(), "49 points from the best")
		q := b.quote(eurusd, "1.10150", "1.10160")
		b.quote(eurusd, "1.10300", "1.10310")
		b.work()
		fill := b.fills(o)[1]
		require.Equal(t, []any{trading.TrailingRule, int64(110_150), int64(110_150), q.Seq, best.Seq}, []any{fill.Rule, fill.Price, *fill.LimitPrice, fill.QuoteSeq, *fill.BestSeq})
		require.Equal(t, trading.TrailingClose, *b.position(o, id).CloseReason)
		b.proves()
	})
	t.Run("OfAShortFollowsTheAskAndFillsThroughAGap", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(1_000 * unit)
		id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: cent}).Position.ID
		b.trails(o, id, 50)
		b.quote(eurusd, "1.09800", "1.09810")
		b.quote(eurusd, "1.09900", "1.09910")
		b.work()
		fill := b.fills(o)[1]
		require.Equal(t, []any{trading.TrailingRule, int64(109_910), int64(109_860)}, []any{fill.Rule, fill.Price, *fill.LimitPrice})
		b.proves()
	})
	t.Run("BeginsAnewWhenItsDistanceChanges", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(1_000 * unit)
		id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent}).Position.ID
		b.trails(o, id, 50)
		b.quote(eurusd, "1.10200", "1.10210")
		anew := b.quote(eurusd, "1.10160", "1.10170")
		b.trails(o, id, 60)
		require.Equal(t, []any{anew.Seq, int64(110_100)}, []any{b.position(o, id).TrailSince, *b.level(o, id)})
		b.quote(eurusd, "1.10101", "1.10111")
		require.Zero(t, b.engine.monitor.Queued(), "59 points from where it was set again")
		_, err := b.tryProtect(trading.Protect{Owner: o, PositionID: id})
		require.NoError(t, err)
		b.quote(eurusd, "1.09900", "1.09910")
		b.work()
		require.Len(t, b.fills(o), 1, "it was taken away")
		require.Equal(t, []any{int64(0), (*int64)(nil)}, []any{b.position(o, id).TrailSince, b.level(o, id)})
		b.proves()
	})
	t.Run("StaysWhereItStandsWhenTheRestIsSaved", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(1_000 * unit)
		id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent}).Position.ID
		require.Nil(t, b.level(o, id), "there is none")
		b.trails(o, id, 50)
		began := b.position(o, id).TrailSince
		require.Equal(t, int64(109_950), *b.level(o, id))
		best := b.quote(eurusd, "1.10200", "1.10210")
		b.quote(eurusd, "1.10160", "1.10170")
		require.Equal(t, int64(110_150), *b.level(o, id))
		done, err := b.tryProtect(trading.Protect{Owner: o, PositionID: id, StopLoss: ptr[int64](109_000), TakeProfit: ptr[int64](111_000), Trail: ptr[int64](50)})
		require.NoError(t, err)
		require.Equal(t, []any{began, int64(110_150)}, []any{done.Position.TrailSince, *done.Value.TrailLevel})
		require.Greater(t, b.position(o, id).SinceSeq, best.Seq, "what was saved beside it begins anew")
		b.quote(eurusd, "1.10151", "1.10161")
		require.Zero(t, b.engine.monitor.Queued(), "49 points from the best")
		b.quote(eurusd, "1.10150", "1.10160")
		b.work()
		fill := b.fills(o)[1]
		require.Equal(t, []any{trading.TrailingRule, int64(110_150), best.Seq, began}, []any{fill.Rule, *fill.LimitPrice, *fill.BestSeq, *fill.TrailSince})
		b.proves()
	})
	t.Run("FiresAtAQuoteThatTheRestWasSavedAt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(1_000 * unit)
		id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent}).Position.ID
		b.trails(o, id, 50)
		q := b.quote(eurusd, "1.09950", "1.09960")
		_, err := b.tryProtect(trading.Protect{Owner: o, PositionID: id, StopLoss: ptr[int64](109_000), Trail: ptr[int64](50)})
		require.NoError(t, err)
		require.Equal(t, q.Seq, b.position(o, id).SinceSeq)
		b.work()
		require.Equal(t, []any{trading.TrailingRule, q.Seq}, []any{b.fills(o)[1].Rule, b.fills(o)[1].QuoteSeq}, "saving a stop loss saves nobody from what had been reached")
		b.proves()
	})
	t.Run("KeepsItsBeginningWhenItsPositionGrowsOrShrinks", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.netting(b.fund(1_000 * unit))
		id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: 2 * cent}).Position.ID
		b.trails(o, id, 50)
		began := b.position(o, id).TrailSince
		b.quote(eurusd, "1.10200", "1.10210")
		b.quote(eurusd, "1.10190", "1.10200")
		b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent, StopLoss: ptr[int64](109_000)})
		require.Equal(t, []any{began, int64(110_150)}, []any{b.position(o, id).TrailSince, *b.level(o, id)})
		b.closes(o, id, cent)
		require.Equal(t, []any{began, int64(110_150)}, []any{b.position(o, id).TrailSince, *b.level(o, id)})
		turned := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: 3 * cent}).Position
		require.NotEqual(t, id, turned.ID)
		require.Equal(t, []any{int64(0), (*int64)(nil)}, []any{turned.TrailSince, b.level(o, turned.ID)}, "the other side has none of it")
		b.proves()
	})
	t.Run("SurvivesARestart", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(1_000 * unit)
		id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent}).Position.ID
		b.trails(o, id, 50)
		best := b.quote(eurusd, "1.10200", "1.10210")
		b.quote(eurusd, "1.10190", "1.10200")
		_, err := b.tryProtect(trading.Protect{Owner: o, PositionID: id, TakeProfit: ptr[int64](111_000), Trail: ptr[int64](50)})
		require.NoError(t, err)
		b.stop() // the tape is written
		b.open()
		b.engine = b.another()
		require.Nil(t, b.level(o, id), "not known before the tape is read")
		require.NoError(t, b.engine.Load(t.Context()))
		require.Equal(t, int64(110_150), *b.level(o, id))
		b.quote(eurusd, "1.10151", "1.10161")
		require.Zero(t, b.engine.monitor.Queued())
		b.quote(eurusd, "1.10150", "1.10160")
		b.work()
		require.Equal(t, best.Seq, *b.fills(o)[1].BestSeq)
		b.proves()
	})
	t.Run("AStopLossComesFirst", func(t *testing.T) {
		t.Parallel()
		p := trading.Position{ProductID: 1, Side: trading.Buy, StopLoss: ptr[int64](100), Trail: ptr[int64](10)}
		from := market.Quote{ProductID: 1, Seq: 1, Bid: 120, Ask: 121}
		rule, at := trading.Fires(p, market.Quote{ProductID: 1, Seq: 2, Bid: 110, Ask: 111}, from)
		require.Equal(t, []any{trading.TrailingRule, int64(110)}, []any{rule, *at})
		rule, _ = trading.Fires(p, market.Quote{ProductID: 1, Seq: 2, Bid: 100, Ask: 101}, from)
		require.Equal(t, trading.StopLossRule, rule)
		rule, _ = trading.Fires(p, from, from)
		require.Empty(t, rule, "the best quote itself fires nothing")
	})
}

// level is the valued level of a position's trailing stop.
func (b *bundle) level(o ledger.Owner, id int64) *int64 {
	b.t.Helper()
	for _, p := range b.value(o).Positions {
		if p.ID == id {
			return p.TrailLevel
		}
	}
	require.Fail(b.t, "the position is not open")
	return nil
}

func TestTrailingStopRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent}).Position.ID
	for _, distance := range []int64{0, -1, 110_000} {
		_, err := b.tryProtect(trading.Protect{Owner: o, PositionID: id, Trail: &distance})
		require.ErrorIs(t, err, trading.ErrTrail, fmt.Sprint(distance))
	}
	require.Nil(t, b.position(o, id).Trail)
}

func TestVerifyKnowsWhereATrailingStopStood(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent}).Position.ID
	b.trails(o, id, 50)
	b.quote(eurusd, "1.10200", "1.10210")
	between := b.quote(eurusd, "1.10180", "1.10190")
	b.quote(eurusd, "1.10150", "1.10160")
	b.work()
	b.stop()
	fill := fmt.Sprint("id ", b.number(`SELECT id FROM fills WHERE rule = 'trailing'`))
	for _, sql := range []string{
		`UPDATE fills SET limit_price = limit_price + 1 WHERE rule = 'trailing'`,
		`UPDATE fills SET best_seq = 1 WHERE rule = 'trailing'`,
		`UPDATE positions SET trail = 60`,
		`UPDATE positions SET trail = NULL`,
		`UPDATE positions SET trail_since_seq = 99`,
		`UPDATE fills SET trail_since_seq = NULL; UPDATE positions SET trail_since_seq = 99`,
		`UPDATE fills SET trail_since_seq = 2 WHERE rule = 'trailing'`,
		`UPDATE positions SET trail_since_seq = 0`,
		fmt.Sprint(`UPDATE tape_quotes SET bid = 110300, ask = 110310 WHERE product_id = 1 AND seq = `, between.Seq),
	} {
		tx, err := b.super.Begin(t.Context())
		require.NoError(t, err)
		alter(t, tx, strings.Split(sql, "; ")...)
		problem, _ := b.verify(tx)
		require.NotNil(t, problem, sql)
		require.Equal(t, []string{"fills", fill}, []string{problem.Table, problem.Row}, sql)
		require.NoError(t, tx.Rollback(t.Context()))
	}
	tx, err := b.super.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `UPDATE fills SET trail_since_seq = NULL`)
	require.NoError(t, err)
	problem, _ := b.verify(tx)
	require.Nil(t, problem, "a fill of before its beginning was sealed goes by the position's")
	require.NoError(t, tx.Rollback(t.Context()))
	b.proves()
}
