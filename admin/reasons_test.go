package admin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/platform/i18n"
	"candor/app/withdrawal"
	"candor/locales"
)

// TestTradersReadEveryReason checks that every coded reason has a text for traders and one for the desk.
func TestTradersReadEveryReason(t *testing.T) {
	t.Parallel()
	customer, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	desk, err := i18n.Load(locales.Backoffice())
	require.NoError(t, err)
	public, own := map[string]bool{}, map[string]bool{}
	for _, code := range withdrawal.Reasons {
		public["withdraw.reason."+code], own["withdrawal.reason."+code] = true, true
	}
	for _, code := range deposit.Reasons {
		public["deposit.reason."+code], own["deposit.reason."+code] = true, true
	}
	for _, reason := range kyc.Reasons {
		public["kyc.reason."+reason.Public], own["identity.reason."+reason.Code] = true, true
	}
	require.Greater(t, len(public), 25)
	for key := range public {
		for _, lang := range []string{"en", "zh_CN", "ar"} {
			require.True(t, customer.Has(lang, key), "%s has no words for %s", lang, key)
		}
	}
	for key := range own {
		require.True(t, desk.Has(i18n.Reference, key), "the desk has no words for %s", key)
	}
	require.False(t, customer.Has("en", "withdraw.reason.nothing"))
}
