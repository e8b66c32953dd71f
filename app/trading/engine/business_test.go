package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/trading"
)

// TestHasOpenPosition leaves positions on mock accounts out.
func TestHasOpenPosition(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	has := func(o ledger.Owner) bool {
		found, err := HasOpenPosition(t.Context(), b.db.Pool, o.TraderID)
		require.NoError(t, err)
		return found
	}
	o, mock := b.fund(10_000*unit), b.fundIn(ledger.Mock, 10_000*unit)
	require.False(t, has(o))
	position := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position.ID
	b.opens(trading.Open{Owner: mock, ProductID: eurusd, Side: trading.Buy, Lots: unit})
	require.True(t, has(o))
	require.False(t, has(mock))
	b.closes(o, position, 0)
	require.False(t, has(o))
}

// TestTradedTx counts fills on real accounts only, also of closed positions.
func TestTradedTx(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	traded := func(o ledger.Owner) (found bool) {
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) (err error) {
			found, err = b.engine.TradedTx(t.Context(), tx, o.TraderID)
			return err
		}))
		return found
	}
	o, mock := b.fund(10_000*unit), b.fundIn(ledger.Mock, 10_000*unit)
	require.False(t, traded(o))
	b.closes(o, b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position.ID, 0)
	b.opens(trading.Open{Owner: mock, ProductID: eurusd, Side: trading.Buy, Lots: unit})
	require.True(t, traded(o))
	require.False(t, traded(mock))
}

// TestOpenTx asks about one account, whichever its book.
func TestOpenTx(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	open := func(o ledger.Owner) (found bool) {
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) (err error) {
			found, err = b.engine.OpenTx(t.Context(), tx, o.AccountID)
			return err
		}))
		return found
	}
	mock := b.fundIn(ledger.Mock, 10_000*unit)
	require.False(t, open(mock))
	position := b.opens(trading.Open{Owner: mock, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position.ID
	require.True(t, open(mock))
	b.closes(mock, position, 0)
	require.False(t, open(mock))
}

// TestOwnsOrder knows the trader's own orders, and nobody else's.
func TestOwnsOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o, other := b.fund(10_000*unit), b.fund(10_000*unit)
	order := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Fill.OrderID
	for _, c := range []struct {
		trader, order int64
		own           bool
	}{{o.TraderID, order, true}, {other.TraderID, order, false}, {o.TraderID, order + 1, false}} {
		own, err := b.engine.OwnsOrder(t.Context(), c.trader, c.order)
		require.NoError(t, err)
		require.Equal(t, c.own, own)
	}
}
