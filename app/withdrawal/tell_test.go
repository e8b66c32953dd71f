package withdrawal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/i18n"
	"candor/app/withdrawal"
	"candor/locales"
)

// TestTradersAreTold brings a withdrawal into every state, and checks the messages in the trader's language.
func TestTradersAreTold(t *testing.T) {
	t.Parallel()
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	asked, sent := "withdrawal_requested", "withdrawal_sent"
	for state, keys := range map[withdrawal.State][]string{
		withdrawal.Review: {asked}, withdrawal.MoreInfo: {asked, "withdrawal_asked"}, withdrawal.Approved1: {asked}, withdrawal.Approved2: {asked},
		withdrawal.Queued: {asked}, withdrawal.Processing: {asked}, withdrawal.OutcomeUnknown: {asked}, withdrawal.Frozen: {asked},
		withdrawal.Sent: {asked, sent}, withdrawal.Completed: {asked, sent, "withdrawal_completed"}, withdrawal.Returned: {asked, sent, "withdrawal_returned"},
		withdrawal.Failed: {asked, "withdrawal_failed"}, withdrawal.Rejected: {asked, "withdrawal_rejected"}, withdrawal.Cancelled: {asked, "withdrawal_cancelled"},
	} {
		t.Run(string(state), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			o := b.owner(1, 10_000*usdt)
			b.exec(`UPDATE traders SET language = 'zh_CN' WHERE id = $1`, o.TraderID)
			w := b.in(o, state)
			var subjects []string
			for _, m := range b.mails(o.TraderID) {
				subjects = append([]string{m.Subject}, subjects...)
				require.Contains(t, m.Body, w.Number())
				require.NotContains(t, m.Body, "{{")
				require.NotContains(t, m.Body, w.IBAN, "the end of the account number is enough")
				require.NotContains(t, m.Body, "http")
			}
			var want []string
			for _, key := range keys {
				want = append(want, texts.T("zh_CN", "message."+key+".subject", nil))
			}
			require.Equal(t, want, subjects)
			var inApp []string
			for _, m := range b.mailbox(o.TraderID) {
				inApp = append(inApp, m.Key)
				require.Equal(t, w.Number(), m.Args["number"])
				require.NotContains(t, m.Args["payee"], w.IBAN)
			}
			for i, key := range keys {
				require.Equal(t, "message."+key, inApp[i])
			}
			require.Len(t, inApp, len(keys))
		})
	}
}

func TestWhatTradersAreTold(t *testing.T) {
	t.Parallel()

	t.Run("ARefusedActTellsNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 10_000*usdt)
		_, err := b.request(o, 20_000*usdt)
		require.Error(t, err)
		require.Empty(t, b.mails(o.TraderID))
		w := b.in(o, withdrawal.Rejected)
		before := len(b.mails(o.TraderID))
		_, err = b.withdrawals.Reject(t.Context(), b.maker, w.ID, w.Version, "other", "")
		require.ErrorIs(t, err, withdrawal.ErrState)
		_, err = b.withdrawals.Ask(t.Context(), b.maker, w.ID, w.Version, "no such reason", "")
		require.ErrorIs(t, err, withdrawal.ErrReason)
		require.Len(t, b.mails(o.TraderID), before)
		require.Len(t, b.mailbox(o.TraderID), before)
	})
	t.Run("TheReasonInTheirWords", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 10_000*usdt)
		b.in(o, withdrawal.MoreInfo)
		require.Contains(t, b.mails(o.TraderID)[0].Body, "We need to know where the money came from.")
		require.Contains(t, b.mails(o.TraderID)[0].Body, "100 USDT")
		boxed := b.mailbox(o.TraderID)
		require.Regexp(t, `^\{\{withdraw\.reason\.\w+\}\}$`, boxed[len(boxed)-1].Args["reason"], "the app says it in its reader's language")
	})
	t.Run("WhatGoesOnAfterAStopIsNoNews", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 10_000*usdt)
		w := b.in(o, withdrawal.MoreInfo)
		before := len(b.mails(o.TraderID))
		w, err := b.withdrawals.Freeze(t.Context(), b.lead, w.ID, w.Version, "under_examination", "")
		require.NoError(t, err)
		_, err = b.withdrawals.Unfreeze(t.Context(), b.lead, w.ID, w.Version)
		require.NoError(t, err)
		require.Len(t, b.mails(o.TraderID), before, "nor that it was stopped")
	})
	t.Run("AsTextWhereThereIsOnlyAPhone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 10_000*usdt)
		b.exec(`UPDATE traders SET email = NULL, phone = '+4915100000000' WHERE id = $1`, o.TraderID)
		b.in(o, withdrawal.Review)
		require.Equal(t, int64(1), b.count(`SELECT count(*) FROM outbox WHERE channel = 'sms' AND recipient = '+4915100000000'`))
	})
}
