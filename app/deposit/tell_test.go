package deposit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/deposit"
)

func TestTradersAreTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	only := func(t *testing.T, o deposit.Owner) string {
		t.Helper()
		list := b.mails(o.TraderID)
		require.Len(t, list, 1)
		require.NotContains(t, list[0].Body, "{{")
		return list[0].Subject + "\n" + list[0].Body
	}

	t.Run("OfACredit", func(t *testing.T) {
		o := b.owner(1)
		d := b.claimed(o, 50*usdt)
		require.Empty(t, b.mails(o.TraderID), "what the trader did is no news to them, nor is a claim")
		_, err := b.approve(d, d.Amount)
		require.NoError(t, err)
		require.Contains(t, only(t, o), "50 USDT is on your Candor account now")
	})
	t.Run("OfACreditOfTwoOnceItIsConfirmed", func(t *testing.T) {
		o := b.owner(1)
		d := b.approved(o)
		require.Empty(t, b.mails(o.TraderID))
		d = b.claim(b.checker, d.ID)
		_, err := b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
		require.NoError(t, err)
		require.Contains(t, only(t, o), "Your deposit is on your account")
	})
	t.Run("OfARejectionWithItsReasonInTheirLanguage", func(t *testing.T) {
		o := b.owner(1)
		b.exec(`UPDATE traders SET language = 'zh_CN' WHERE id = $1`, o.TraderID)
		b.decline(b.maker, b.claimed(o, 50*usdt), false)
		require.Contains(t, only(t, o), "未入账")
		require.NotContains(t, only(t, o), "The money")
	})
	t.Run("OfAQuestion", func(t *testing.T) {
		o := b.owner(1)
		b.decline(b.maker, b.claimed(o, 50*usdt), true)
		require.Contains(t, only(t, o), "The money has not reached our account.")
	})
	t.Run("OfNothingThatWasRefused", func(t *testing.T) {
		o := b.owner(1)
		d := b.proved(o, 50*usdt)
		_, err := b.approve(d, d.Amount)
		require.ErrorIs(t, err, deposit.ErrState)
		_, err = b.deposits.Decline(t.Context(), b.maker, d.ID, d.Version, false, "not_received", "")
		require.Error(t, err)
		require.Empty(t, b.mails(o.TraderID))
	})
}
