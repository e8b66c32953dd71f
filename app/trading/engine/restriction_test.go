package engine

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/trading"
)

// restrict keeps a trader from new positions, as staff do; a life of zero has no end.
func (b *bundle) restrict(o ledger.Owner, life time.Duration) {
	b.t.Helper()
	var until *time.Time
	if life != 0 {
		until = ptr(b.real.Now().Add(life))
	}
	_, err := b.super.Exec(b.t.Context(), `
		WITH s AS (INSERT INTO staff (email, name, state, created_at) VALUES ('sets@example.com', 'S', 'active', now()) RETURNING id)
		INSERT INTO trader_restrictions (trader_id, kind, reason, note, set_by, set_at, until_at) SELECT $1, 'trade', 'legal_order', 'x', id, $2, $3 FROM s`,
		o.TraderID, b.real.Now(), until)
	require.NoError(b.t, err)
	b.restale(o)
}

// unrestrict ends the restriction.
func (b *bundle) unrestrict(o ledger.Owner) {
	b.t.Helper()
	_, err := b.super.Exec(b.t.Context(), `
		WITH s AS (INSERT INTO staff (email, name, state, created_at) VALUES ('lifts@example.com', 'L', 'active', now()) RETURNING id)
		UPDATE trader_restrictions SET ended_at = $2, lifted_by = s.id, lift_note = 'x' FROM s WHERE trader_id = $1 AND ended_at IS NULL`, o.TraderID, b.real.Now())
	require.NoError(b.t, err)
	b.restale(o)
}

func (b *bundle) restale(o ledger.Owner) {
	b.t.Helper()
	require.NoError(b.t, b.db.InTx(b.t.Context(), func(tx *db.Tx) error {
		_, err := ledger.TouchTx(b.t.Context(), tx, o.TraderID)
		return err
	}))
}

func TestRestrictedTrading(t *testing.T) {
	t.Parallel()

	t.Run("TakesNoNewOrdersAndLetsEveryPositionGo", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(100_000 * unit)
		other := b.fund(10_000 * unit)
		first := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position
		second := b.opens(trading.Open{Owner: o, ProductID: xauusd, Side: trading.Sell, Lots: unit}).Position
		resting := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Lots: unit, Terms: trading.Terms{Price: 109_000, TimeInForce: trading.GoodTillCancelled}})
		b.restrict(o, 0)

		limit := trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Lots: unit, Terms: trading.Terms{Price: 108_000, TimeInForce: trading.GoodTillCancelled}}
		stop := trading.Place{Owner: o, ProductID: eurusd, Type: trading.StopOrder, Side: trading.Buy, Lots: unit, Terms: trading.Terms{Price: 112_000, TimeInForce: trading.GoodTillCancelled}}
		for name, act := range map[string]func() error{
			"open": func() error {
				_, err := b.try(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent})
				return err
			},
			"place": func() error { _, err := b.tryPlace(limit); return err },
			"pair": func() error {
				orders := [2]trading.Place{limit, stop}
				for i := range orders {
					orders[i].Leverage = 100
				}
				_, err := b.engine.Pair(t.Context(), trading.Pair{Owner: o, Orders: orders}, b.request(o))
				return err
			},
			"reverse": func() error {
				_, err := b.engine.Reverse(t.Context(), trading.Reverse{Owner: o, PositionID: first.ID}, b.request(o))
				return err
			},
		} {
			err := act()
			require.ErrorIs(t, err, trading.ErrRestricted, name)
			require.Equal(t, map[string]string{"why": "legal_order"}, errs.As(err).Args, name)
		}
		require.Len(t, b.value(o).Positions, 2, "a reversal that may not open does not close either")
		b.opens(trading.Open{Owner: other, ProductID: eurusd, Side: trading.Buy, Lots: cent})

		b.closes(o, first.ID, unit/2)
		b.closes(o, first.ID, 0)
		_, err := b.tryProtect(trading.Protect{Owner: o, PositionID: second.ID, TakeProfit: ptr[int64](190_000)})
		require.NoError(t, err)
		_, err = b.engine.CloseAll(t.Context(), trading.CloseAll{Owner: o}, b.request(o))
		require.NoError(t, err)
		require.Empty(t, b.value(o).Positions)
		_, err = b.tryCancel(o, resting.ID)
		require.NoError(t, err)

		b.unrestrict(o)
		b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent})
		b.places(limit)
	})
	t.Run("AWaitingOrderIsCancelledWithThatReasonWhenItTriggers", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(100_000 * unit)
		terms := func(price int64) trading.Terms {
			return trading.Terms{Price: price, TimeInForce: trading.GoodTillCancelled}
		}
		near := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Lots: unit, Terms: terms(109_900)})
		far := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Lots: unit, Terms: terms(100_000)})
		pair := b.pairs(o, [2]trading.Place{
			{ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: terms(109_890)}, {ProductID: eurusd, Type: trading.StopOrder, Side: trading.Buy, Terms: terms(120_000)},
		})
		b.restrict(o, time.Hour)
		b.quote(eurusd, "1.09870", "1.09880")
		b.work()
		for _, id := range []int64{near.ID, pair[0].ID} {
			ended := b.order(o, id)
			require.Equal(t, []any{trading.Cancelled, trading.Restricted}, []any{ended.Status, *ended.Reason})
		}
		require.Equal(t, trading.OtherEnded, *b.order(o, pair[1].ID).Reason)
		require.True(t, b.order(o, far.ID).Pending(), "what no price has reached waits on")
		require.Empty(t, b.fills(o))
	})
	t.Run("AtTheEndOfItsTimeOrdersAreTakenAgain", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(10_000 * unit)
		b.restrict(o, time.Hour)
		until := b.real.Now().Add(time.Hour)
		_, err := b.try(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent})
		require.ErrorIs(t, err, trading.ErrRestricted)
		require.Equal(t, map[string]string{"why": "legal_order", "until": strconv.FormatInt(until.UnixMilli(), 10)}, errs.As(err).Args)
		b.real.Set(until.Add(-time.Millisecond))
		_, err = b.try(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent})
		require.ErrorIs(t, err, trading.ErrRestricted)
		b.real.Set(until)
		b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent})
	})
	t.Run("StopsStillFire", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(100_000 * unit)
		p := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit, StopLoss: ptr[int64](109_900)}).Position
		b.restrict(o, 0)
		b.quote(eurusd, "1.09890", "1.09900")
		b.work()
		require.Equal(t, trading.StopLossClose, *b.position(o, p.ID).CloseReason)
	})
	t.Run("InANettingAccountWhatReducesIsTaken", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.netting(b.fund(100_000 * unit))
		p := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position
		b.restrict(o, 0)
		_, err := b.try(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent})
		require.ErrorIs(t, err, trading.ErrRestricted, "it would join")
		_, err = b.try(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: 2 * unit})
		require.ErrorIs(t, err, trading.ErrRestricted, "it would turn round")
		b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: unit / 2})
		require.EqualValues(t, unit/2, b.position(o, p.ID).Lots)
		b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: unit / 2})
		require.Empty(t, b.value(o).Positions)
	})
	t.Run("PracticeMoneyIsNotConcerned", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fundIn(ledger.Mock, 10_000*unit)
		b.restrict(o, 0)
		b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent})
	})
}
