package tradedesk_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
)

// TestAdjustmentsBeginAtTheFunds: the form is offered only to makers, and only for real money.
func TestAdjustmentsBeginAtTheFunds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	who := b.register("marta@example.com", "", 100)
	maker := b.SignInAs(t, b.Hire(t, "Finance maker 02", access.FinanceMaker))
	require.Contains(t, maker.Get(path(who, "funds")).Body.String(), path(who, "adjustment"))
	require.NotContains(t, maker.Get(path(who, "funds")+"?account="+strconv.FormatInt(who.mock.ID, 10)).Body.String(), path(who, "adjustment"))
	require.NotContains(t, b.agent().Get(path(who, "funds")).Body.String(), path(who, "adjustment"))
}
