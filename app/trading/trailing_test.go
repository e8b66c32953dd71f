package trading

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/market"
)

func (b *bundle) trails(o Owner, id, distance int64) {
	b.t.Helper()
	done, err := b.tryProtect(Protect{Owner: o, PositionID: id, Trail: &distance})
	require.NoError(b.t, err)
	require.Equal(b.t, distance, *done.Position.Trail)
}

// TestTrailingStop follows EURUSD from 1.10000 / 1.10010 and waits until it has fallen back by 50 points.
func TestTrailingStop(t *testing.T) {
	t.Parallel()
	t.Run("OfALongFollowsTheBid", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(1_000 * unit)
		id := b.opens(Open{Owner: o, ProductID: eurusd, Side: Buy, Lots: cent}).Position.ID
		b.trails(o, id, 50)
		b.quote(eurusd, "1.09951", "1.09961")
		require.Empty(t, b.engine.tasks.tasks, "49 points from where it was set")
		best := b.quote(eurusd, "1.10200", "1.10210")
		b.quote(eurusd, "1.10180", "1.10190")
		b.quote(eurusd, "1.10151", "1.10161")
		require.Empty(t, b.engine.tasks.tasks, "49 points from the best")
		q := b.quote(eurusd, "1.10150", "1.10160")
		b.quote(eurusd, "1.10300", "1.10310")
		b.work()
		fill := b.fills(o)[1]
		require.Equal(t, []any{TrailingRule, int64(110_150), int64(110_150), q.Seq, best.Seq}, []any{fill.Rule, fill.Price, *fill.LimitPrice, fill.QuoteSeq, *fill.BestSeq})
		require.Equal(t, TrailingClose, *b.position(o, id).CloseReason)
		b.proves()
	})
	t.Run("OfAShortFollowsTheAskAndFillsThroughAGap", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(1_000 * unit)
		id := b.opens(Open{Owner: o, ProductID: eurusd, Side: Sell, Lots: cent}).Position.ID
		b.trails(o, id, 50)
		b.quote(eurusd, "1.09800", "1.09810")
		b.quote(eurusd, "1.09900", "1.09910")
		b.work()
		fill := b.fills(o)[1]
		require.Equal(t, []any{TrailingRule, int64(109_910), int64(109_860)}, []any{fill.Rule, fill.Price, *fill.LimitPrice})
		b.proves()
	})
	t.Run("BeginsAnewWhenItIsSetAgain", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(1_000 * unit)
		id := b.opens(Open{Owner: o, ProductID: eurusd, Side: Buy, Lots: cent}).Position.ID
		b.trails(o, id, 50)
		b.quote(eurusd, "1.10200", "1.10210")
		b.quote(eurusd, "1.10160", "1.10170")
		b.trails(o, id, 50)
		b.quote(eurusd, "1.10111", "1.10121")
		require.Empty(t, b.engine.tasks.tasks, "49 points from where it was set again")
		_, err := b.tryProtect(Protect{Owner: o, PositionID: id})
		require.NoError(t, err)
		b.quote(eurusd, "1.09900", "1.09910")
		b.work()
		require.Len(t, b.fills(o), 1, "it was taken away")
		b.proves()
	})
	t.Run("SurvivesARestart", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(1_000 * unit)
		id := b.opens(Open{Owner: o, ProductID: eurusd, Side: Buy, Lots: cent}).Position.ID
		b.trails(o, id, 50)
		best := b.quote(eurusd, "1.10200", "1.10210")
		b.quote(eurusd, "1.10190", "1.10200")
		b.stop() // the tape is written
		b.open()
		b.engine = b.another()
		require.NoError(t, b.engine.Load(t.Context()))
		b.quote(eurusd, "1.10151", "1.10161")
		require.Empty(t, b.engine.tasks.tasks)
		b.quote(eurusd, "1.10150", "1.10160")
		b.work()
		require.Equal(t, best.Seq, *b.fills(o)[1].BestSeq)
		b.proves()
	})
	t.Run("AStopLossComesFirst", func(t *testing.T) {
		t.Parallel()
		p := Position{ProductID: 1, Side: Buy, StopLoss: ptr[int64](100), Trail: ptr[int64](10)}
		from := market.Quote{ProductID: 1, Seq: 1, Bid: 120, Ask: 121}
		rule, at := fires(p, market.Quote{ProductID: 1, Seq: 2, Bid: 110, Ask: 111}, from)
		require.Equal(t, []any{TrailingRule, int64(110)}, []any{rule, *at})
		rule, _ = fires(p, market.Quote{ProductID: 1, Seq: 2, Bid: 100, Ask: 101}, from)
		require.Equal(t, StopLossRule, rule)
		rule, _ = fires(p, from, from)
		require.Empty(t, rule, "the best quote itself fires nothing")
	})
}

func TestTrailingStopRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	id := b.opens(Open{Owner: o, ProductID: eurusd, Side: Buy, Lots: cent}).Position.ID
	for _, distance := range []int64{0, -1, 110_000} {
		_, err := b.tryProtect(Protect{Owner: o, PositionID: id, Trail: &distance})
		require.ErrorIs(t, err, ErrTrail, fmt.Sprint(distance))
	}
	require.Nil(t, b.position(o, id).Trail)
}

func TestVerifyKnowsWhereATrailingStopStood(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	id := b.opens(Open{Owner: o, ProductID: eurusd, Side: Buy, Lots: cent}).Position.ID
	b.trails(o, id, 50)
	b.quote(eurusd, "1.10200", "1.10210")
	between := b.quote(eurusd, "1.10180", "1.10190")
	b.quote(eurusd, "1.10150", "1.10160")
	b.work()
	b.stop()
	for _, sql := range []string{
		`UPDATE fills SET limit_price = limit_price + 1 WHERE rule = 'trailing'`,
		`UPDATE fills SET best_seq = 1 WHERE rule = 'trailing'`,
		`UPDATE positions SET trail = 60`,
		`UPDATE positions SET trail = NULL`,
		`UPDATE positions SET since_seq = 99`,
		fmt.Sprint(`UPDATE tape_quotes SET bid = 110300, ask = 110310 WHERE product_id = 1 AND seq = `, between.Seq),
	} {
		tx, err := b.super.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
		problem, _ := b.verify(tx)
		require.NotNil(t, problem, sql)
		require.Equal(t, []string{"fills", "id 2"}, []string{problem.Table, problem.Row}, sql)
		require.NoError(t, tx.Rollback(t.Context()))
	}
	b.proves()
}
