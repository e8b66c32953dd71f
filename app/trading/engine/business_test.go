package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/trading"
)

// TestHasOpenPosition leaves positions on practice accounts out.
func TestHasOpenPosition(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	has := func(o ledger.Owner) bool {
		found, err := HasOpenPosition(t.Context(), b.db.Pool, o.TraderID)
		require.NoError(t, err)
		return found
	}
	o, practice := b.fund(10_000*unit), b.fundIn(ledger.Mock, 10_000*unit)
	require.False(t, has(o))
	position := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position.ID
	b.opens(trading.Open{Owner: practice, ProductID: eurusd, Side: trading.Buy, Lots: unit})
	require.True(t, has(o))
	require.False(t, has(practice))
	b.closes(o, position, 0)
	require.False(t, has(o))
}
