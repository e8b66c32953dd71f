package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/trading"
)

// ceiling sets an account's leverage ceiling, as its trader does.
func (b *bundle) ceiling(o ledger.Owner, leverage int) {
	b.t.Helper()
	require.NoError(b.t, b.db.InTx(b.t.Context(), func(tx *db.Tx) error {
		return ledger.SetLeverageCeilingTx(b.t.Context(), tx, o.AccountID, leverage)
	}))
}

func TestLeverageCeiling(t *testing.T) {
	t.Parallel()

	t.Run("AnOrderAboveIsRefusedWithWhatIsLeft", func(t *testing.T) {
		t.Parallel()
		b := setupOn(t, `swap_model = 'none', swap_long = 0, swap_short = 0, tiers = '', multiple = '100,20,50,200'`)
		b.prices()
		o, free := b.fund(100_000*unit), b.fund(100_000*unit)
		b.ceiling(o, 50)
		buy := trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent, Leverage: 100}
		_, err := b.try(buy)
		require.ErrorIs(t, err, trading.ErrLeverage)
		require.Equal(t, "20,50", errs.As(err).Args["list"])
		_, err = b.tryPlace(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Leverage: 100, Terms: priced(109_000)})
		require.ErrorIs(t, err, trading.ErrLeverage, "a pending order, too")
		buy.Leverage = 50
		b.opens(buy)
		b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Leverage: 50, Terms: priced(109_000)})
		b.opens(trading.Open{Owner: free, ProductID: eurusd, Side: trading.Buy, Lots: cent, Leverage: 200})
		b.proves()
	})
	t.Run("TheLowestLeverageIsAlwaysAllowed", func(t *testing.T) {
		t.Parallel()
		b := setupOn(t, `swap_model = 'none', swap_long = 0, swap_short = 0, tiers = '', multiple = '100,20,50'`)
		b.prices()
		o := b.fund(100_000 * unit)
		b.ceiling(o, 5)
		_, err := b.try(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent, Leverage: 50})
		require.ErrorIs(t, err, trading.ErrLeverage)
		require.Equal(t, "20", errs.As(err).Args["list"])
		_, err = b.try(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent, Leverage: 5})
		require.ErrorIs(t, err, trading.ErrLeverage, "what the product does not offer is not")
		b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent, Leverage: 20})
	})
	t.Run("IsOfOneAccountOfATrader", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(100_000 * unit)
		second := o
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			a, err := ledger.OpenAnotherTx(t.Context(), tx, ledger.Another{TraderID: o.TraderID, Book: ledger.Real, Type: 1, LeverageCeiling: 50}, b.real.Now())
			if second.AccountID = a.ID; err != nil {
				return err
			}
			_, err = ledger.PostTx(t.Context(), tx, ledger.Transaction{Kind: "test", Key: "second", Cause: "deposit", Book: ledger.Real, At: b.real.Now(), Entries: a.Receive(1_000 * unit)})
			return err
		}))
		_, err := b.try(trading.Open{Owner: second, ProductID: eurusd, Side: trading.Buy, Lots: cent, Leverage: 100})
		require.ErrorIs(t, err, trading.ErrLeverage)
		held := b.opens(trading.Open{Owner: second, ProductID: eurusd, Side: trading.Buy, Lots: cent, Leverage: 50}).Position
		b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent, Leverage: 100})
		require.Len(t, b.value(o).Positions, 1, "each account has its own positions")
		_, err = b.tryClose(trading.Close{Owner: o, PositionID: held.ID})
		require.ErrorIs(t, err, trading.ErrPosition, "and the session of one does not close another's")
		has, err := HasOpenPosition(t.Context(), b.db.Pool, o.TraderID)
		require.NoError(t, err)
		require.True(t, has)
		b.closes(o, b.value(o).Positions[0].ID, 0)
		has, err = HasOpenPosition(t.Context(), b.db.Pool, o.TraderID)
		require.NoError(t, err)
		require.True(t, has, "the position of the second account keeps the trader from leaving")
		b.proves()
	})
	t.Run("LoweringItLeavesWhatIsOpen", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(100_000 * unit)
		position := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit, Leverage: 100}).Position
		pending := b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Leverage: 100, Terms: priced(109_900)})
		before := b.value(o)
		b.ceiling(o, 20)
		same(t, position, b.position(o, position.ID))
		require.Equal(t, before.Used, b.value(o).Used)
		b.quote(eurusd, "1.09880", "1.09890")
		b.work()
		filled := b.fills(o)[1]
		require.Equal(t, []any{pending.ID, 100}, []any{filled.OrderID, filled.Leverage}, "a pending order fills at the leverage that it was placed with")
		_, err := b.tryReverse(trading.Reverse{Owner: o, PositionID: position.ID})
		require.ErrorIs(t, err, trading.ErrLeverage, "but its opposite would be a new position")
		same(t, position, b.position(o, position.ID))
		b.closes(o, position.ID, 0)
		b.ceiling(o, 0)
		_, err = b.tryReverse(trading.Reverse{Owner: o, PositionID: filled.PositionID})
		require.NoError(t, err)
		b.proves()
	})
	t.Run("SurvivesARestart", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(100_000 * unit)
		b.ceiling(o, 50)
		b.engine = b.another()
		require.NoError(t, b.engine.Load(t.Context()))
		_, err := b.try(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent, Leverage: 100})
		require.ErrorIs(t, err, trading.ErrLeverage)
	})
}
