package tradedesk

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/trading"
	"candor/app/trading/engine"
)

// TestOnlyAMissingPriceLeavesAnAccountUnpriced: a busy database is not a missing price; the page asks to try again.
func TestOnlyAMissingPriceLeavesAnAccountUnpriced(t *testing.T) {
	t.Parallel()
	for _, err := range []error{market.ErrProduct, market.ErrNoPrice, trading.ErrConversion, trading.ErrTooLarge} {
		require.True(t, isUnpriced(fmt.Errorf("value an account: %w", err)), err)
	}
	for _, err := range []error{nil, db.ErrBusy, engine.ErrBusy, trading.ErrPausedMoney, errors.New("away")} {
		require.False(t, isUnpriced(err), err)
	}
}
