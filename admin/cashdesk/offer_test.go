package cashdesk_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/deposit"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
	"candor/app/provider"
)

// TestAnOfferAtTheDesk pays half of an over-the-counter payment: staff see the requested amount in the currency it was paid in, and the value of the received
// amount.
func TestAnOfferAtTheDesk(t *testing.T) {
	t.Parallel()
	b := setup(t)
	box := b.payments()
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	owner := b.trader("offer@example.com")
	d := b.did(owner, func(r idempotency.Request) (deposit.Result, error) {
		return b.deposits.RequestProviderDeposit(b.Context(), owner, deposit.OTC, 102, 100*money.Unit, r)
	})
	require.Contains(t, maker.Part(path(d)).Body.String(), "at 0.9267 EUR/USDT, not accepted")
	b.did(owner, func(r idempotency.Request) (deposit.Result, error) {
		return b.deposits.Agree(b.Context(), owner, d.ID, r)
	})
	require.NoError(t, box.Settle(d.Reference, provider.Paid, "46.335"))
	require.Equal(t, http.StatusOK, maker.Send(path(d, "provider"), nil).Code)
	require.Equal(t, http.StatusOK, maker.claim(d).Code)

	page := maker.Part(path(d)).Body.String()
	for _, want := range []string{"92.67 EUR", "46.335 EUR", "at 0.9267 EUR/USDT, accepted ", "Trader accepted the offer"} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, page, "not accepted")
	dialog := maker.Part(path(d, "approval")).Body.String()
	for _, want := range []string{"92.67 EUR", "The provider’s amount at the offered rate", "50.00"} {
		require.Contains(t, dialog, want)
	}
	third := b.pays(box, "40")
	require.Equal(t, http.StatusOK, maker.Send(path(third, "provider"), nil).Code)
	require.Equal(t, http.StatusOK, maker.claim(third).Code)
	require.NotContains(t, maker.Part(path(third)).Body.String(), "EUR/USDT", "it has no offer")
	require.Contains(t, maker.Part(path(third, "approval")).Body.String(), "As in the provider’s answer.")
}
