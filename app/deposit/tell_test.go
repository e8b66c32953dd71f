package deposit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/provider"
)

func TestTradersAreTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	only := func(t *testing.T, o ledger.Owner) string {
		t.Helper()
		list := b.mails(o.TraderID)
		require.Len(t, list, 1)
		require.NotContains(t, list[0].Body, "{{")
		require.Len(t, b.mailbox(o.TraderID), 1)
		return list[0].Subject + "\n" + list[0].Body
	}

	t.Run("OfACredit", func(t *testing.T) {
		o := b.owner(1)
		d := b.claimed(o, 50*usdt)
		require.Empty(t, b.mails(o.TraderID), "what the trader did is no news to them, nor is a claim")
		_, err := b.approve(d, d.Amount)
		require.NoError(t, err)
		require.Contains(t, only(t, o), "50 USDT has been credited to your Candor account")
		require.Equal(t, "message.deposit_credited", b.mailbox(o.TraderID)[0].Key)
		require.Equal(t, "50 USDT", b.mailbox(o.TraderID)[0].Args["credited"])
	})
	t.Run("OfACreditOfTwoOnceItIsConfirmed", func(t *testing.T) {
		o := b.owner(1)
		d := b.approved(o)
		require.Empty(t, b.mails(o.TraderID))
		d = b.claim(b.checker, d.ID)
		_, err := b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
		require.NoError(t, err)
		require.Contains(t, only(t, o), "Your deposit has been credited")
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
	t.Run("NotByMailWhenTheySwitchedItOff", func(t *testing.T) {
		o := b.owner(1)
		b.exec(`INSERT INTO notification_settings (trader_id, category, in_app, mail) VALUES ($1, 'money', true, false)`, o.TraderID)
		d := b.claimed(o, 50*usdt)
		_, err := b.approve(d, d.Amount)
		require.NoError(t, err)
		require.Empty(t, b.mails(o.TraderID))
		require.Len(t, b.mailbox(o.TraderID), 1)
		b.decline(b.maker, b.claimed(o, 50*usdt), true)
		require.Len(t, b.mails(o.TraderID), 1, "a question is mailed always")
	})
	t.Run("OfNothingThatWasRefused", func(t *testing.T) {
		o := b.owner(1)
		d := b.proved(o, 50*usdt)
		_, err := b.approve(d, d.Amount)
		require.ErrorIs(t, err, deposit.ErrState)
		_, err = b.deposits.Decline(t.Context(), b.maker, d.ID, d.Version, false, "not_received", "")
		require.Error(t, err)
		require.Empty(t, b.mails(o.TraderID))
		require.Empty(t, b.mailbox(o.TraderID))
	})
}

// subjects are the subjects of a trader's messages, oldest first. No message may contain an unfilled placeholder.
func (b *bundle) subjects(o ledger.Owner) (subjects []string) {
	b.Helper()
	for _, m := range b.mails(o.TraderID) {
		subjects = append([]string{m.Subject}, subjects...)
		require.NotContains(b, m.Subject+m.Body, "{{")
		require.NotContains(b, m.Body, "deposit.")
	}
	require.Len(b, b.mailbox(o.TraderID), len(subjects), "the app says as much")
	return subjects
}

const (
	mailCredited = "Your deposit has been credited"
	mailHeld     = "Your deposit is under review"
	mailBack     = "Your deposit was reversed"
	mailRefunded = "Your deposit was sent back"
)

func TestTradersAreToldOfPaymentsByProviders(t *testing.T) {
	t.Parallel()
	for _, kind := range []deposit.Kind{deposit.ThirdParty, deposit.OTC} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			h := withProvider(t)
			o := h.owner(2)
			d := h.begin(o, kind, 100*usdt)
			require.Empty(t, h.subjects(o), "they see the page to pay on")
			h.settle(d, provider.Paid, "")
			for range 3 {
				require.NoError(t, h.deposits.Ask(t.Context(), d.ID))
			}
			require.Equal(t, []string{mailCredited}, h.subjects(o), "once, however often the provider is asked")
			require.Contains(t, h.mails(o.TraderID)[0].Body, "100 USDT has been credited to your Candor account")
			require.NoError(t, h.sandbox.Settle(d.Reference, provider.ChargedBack, ""))
			require.NoError(t, h.deposits.Ask(t.Context(), d.ID))
			require.Equal(t, []string{mailCredited}, h.subjects(o), "nobody has taken it back")
			d = h.read(d.ID)
			d, err := h.deposits.RequestReversal(t.Context(), h.maker, d.ID, d.Version, "the card was stolen")
			require.NoError(t, err)
			_, err = h.deposits.ApproveReversal(t.Context(), h.checker, d.ID, d.Version)
			require.NoError(t, err)
			require.NoError(t, h.deposits.Ask(t.Context(), d.ID))
			require.Equal(t, []string{mailCredited, mailBack}, h.subjects(o))
			require.Contains(t, h.mails(o.TraderID)[0].Body, "of 100 USDT: This deposit was credited, then reversed by the payment provider.")
		})
	}
	t.Run("NotOfWhatCameToNothing", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		h.settle(h.begin(o, deposit.ThirdParty, 100*usdt), provider.Failed, "")
		h.settle(h.begin(o, deposit.ThirdParty, 100*usdt), provider.Paid, "40")
		require.Empty(t, h.subjects(o))
	})
}

func TestTradersAreToldOfCoins(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	ctx := t.Context()
	for name, one := range map[string]struct {
		coin, amount string
		want         []string
		body         string
	}{
		"Credited":   {"USDT", "100", []string{mailCredited}, "100 USDT has been credited to your Candor account"},
		"AMLHold":    {"USDT", "20000", []string{mailHeld}, "of 20000 USDT: Your coins have arrived. We check where they came from"},
		"BelowMin":   {"USDT", "5", []string{mailHeld}, "of 5 USDT: Your coins have arrived, but the amount is below"},
		"Dust":       {"USDT", "0.0000001", []string{mailHeld}, "of 0.0000001 USDT: Your coins have arrived, but the amount is below"},
		"WrongAsset": {"BTC", "0.5", []string{mailHeld}, "of 0.5 BTC: A coin that this address doesn’t support has arrived."},
	} {
		o := c.owner(1)
		a := c.address(o)
		id, err := c.sandbox.Receive(a.Reference, one.coin, "tron", one.amount)
		require.NoError(t, err)
		c.queryCustodian()
		require.Empty(t, c.subjects(o), "%s is on its way", name)
		c.mine(id)
		c.queryCustodian()
		c.queryCustodian()
		require.Equal(t, one.want, c.subjects(o), name)
		require.Contains(t, c.mails(o.TraderID)[0].Body, one.body, name)
	}

	o, _, d := c.missing("50")
	require.Equal(t, []string{mailCredited}, c.subjects(o))
	d, err := c.deposits.RequestReversal(ctx, c.maker, d.ID, d.Version, "the block is gone")
	require.NoError(t, err)
	_, err = c.deposits.ApproveReversal(ctx, c.checker, d.ID, d.Version)
	require.NoError(t, err)
	require.Equal(t, []string{mailCredited, mailBack}, c.subjects(o))
	require.Contains(t, c.mails(o.TraderID)[0].Body, "The network dropped this transaction after we credited it")

	o = c.owner(1)
	id, err := c.sandbox.Receive(c.address(o).Reference, "BTC", "tron", "0.5")
	require.NoError(t, err)
	d = c.mine(id)
	refund := func() deposit.Deposit {
		d, err := c.deposits.Refund(ctx, c.maker, d.ID, d.Version, "0xabcd")
		require.NoError(t, err)
		return d
	}
	d, err = c.deposits.RecallUnderReview(ctx, c.checker, d.ID, refund().Version)
	require.NoError(t, err)
	require.Equal(t, []string{mailHeld}, c.subjects(o), "that they wait they know")
	_, err = c.deposits.ConfirmRefund(ctx, c.checker, d.ID, refund().Version)
	require.NoError(t, err)
	require.Equal(t, []string{mailHeld, mailRefunded}, c.subjects(o))
	require.Contains(t, c.mails(o.TraderID)[0].Body, "Check the wallet they came from.")
}
