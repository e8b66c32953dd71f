package trader_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/notice"
	"candor/app/platform/db"
	"candor/app/platform/events"
	"candor/app/platform/mail"
	"candor/app/session"
	"candor/app/trader"
)

// messenger is a messenger with mailboxes.
func (b *bundle) messenger() (*trader.Messenger, *notice.Service) {
	b.Helper()
	bus, err := events.Open("")
	require.NoError(b, err)
	b.Cleanup(bus.Close)
	box := notice.New(b.db, b.clock, nil, bus, nil, nil)
	return trader.NewMessenger(b.clock, b.outbox, words{}, box), box
}

func (b *bundle) setNotification(p session.Principal, c trader.Category, inApp, mail bool) error {
	return b.traders.SetNotification(b.Context(), p, c, inApp, mail, audit.Actor{IP: ip})
}

func (b *bundle) setting(p session.Principal, c trader.Category) trader.NotificationSetting {
	b.Helper()
	list, err := b.traders.NotificationSettings(b.Context(), p)
	require.NoError(b, err)
	require.Len(b, list, len(trader.Categories))
	for _, one := range list {
		if one.Category == c {
			return one
		}
	}
	b.Fatal("no setting of", c)
	return trader.NotificationSetting{}
}

// TestNotificationSettings changes settings, those that are always on included.
func TestNotificationSettings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p, other := b.principal(b.register(anna).Token), b.principal(b.register("bea@example.com").Token)

	require.Equal(t, trader.NotificationSetting{TraderID: p.TraderID, Category: trader.OrderMessages, InApp: true}, b.setting(p, trader.OrderMessages))
	require.True(t, b.setting(p, trader.ProtectionMessages).Mail)
	require.False(t, b.setting(p, trader.ChargeMessages).Mail)
	require.NoError(t, b.setNotification(p, trader.OrderMessages, false, true))
	require.NoError(t, b.setNotification(p, trader.OrderMessages, false, true), "once more changes nothing")
	require.NoError(t, b.setNotification(p, trader.MoneyMessages, true, false))
	require.Equal(t, trader.NotificationSetting{TraderID: p.TraderID, Category: trader.OrderMessages, Mail: true}, b.setting(p, trader.OrderMessages))
	require.False(t, b.setting(p, trader.MoneyMessages).Mail)
	require.True(t, b.setting(other, trader.OrderMessages).InApp, "another trader's settings stay")
	require.True(t, b.setting(other, trader.MoneyMessages).Mail)
	require.EqualValues(t, 2, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.notifications'`))

	for _, c := range []trader.Category{trader.MarginMessages, trader.SecurityMessages} {
		require.ErrorIs(t, b.setNotification(p, c, false, true), trader.ErrInAppLocked, "%s", c)
		require.ErrorIs(t, b.setNotification(p, c, true, false), trader.ErrMailLocked, "%s", c)
		require.NoError(t, b.setNotification(p, c, true, true))
	}
	for _, c := range []trader.Category{trader.MoneyMessages, trader.IdentityMessages} {
		require.ErrorIs(t, b.setNotification(p, c, false, true), trader.ErrInAppLocked, "%s", c)
	}
	require.ErrorIs(t, b.setNotification(p, "news", true, true), trader.ErrCategory)
	_, err := b.db.Pool.Exec(t.Context(), `UPDATE notification_settings SET mail = false WHERE category = 'margin'`)
	require.ErrorContains(t, err, "notification_settings_always", "the database refuses it too")
	require.Len(t, trader.TradingGroup.Categories(), 4)
	require.Empty(t, trader.MessageGroup("").Categories())

	guest := p
	guest.AccountType = trader.GuestType
	require.ErrorIs(t, b.setNotification(guest, trader.OrderMessages, true, true), trader.ErrGuest)
	_, err = b.traders.NotificationSettings(t.Context(), guest)
	require.ErrorIs(t, err, trader.ErrGuest)
}

// TestMessagesFollowTheSettings sends messages in all combinations of settings.
func TestMessagesFollowTheSettings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.principal(b.register(anna).Token)
	messenger, box := b.messenger()
	send := func(m trader.Message) {
		t.Helper()
		m.TraderID, m.Key = p.TraderID, "message.example"
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error { return messenger.SendTx(t.Context(), tx, m) }))
	}
	counts := func() [2]int {
		t.Helper()
		list, _, err := box.Messages(context.WithoutCancel(t.Context()), p.TraderID, nil, 0, 0, 100)
		require.NoError(t, err)
		mailed := 0
		for _, m := range b.messages(anna) {
			if m.Kind == "example" && m.Channel == mail.Mail {
				mailed++
			}
		}
		return [2]int{len(list), mailed}
	}

	send(trader.Message{Category: trader.ProtectionMessages, Cause: "fill:1"})
	require.Equal(t, [2]int{1, 1}, counts(), "by default to both")
	send(trader.Message{Category: trader.ProtectionMessages, Cause: "fill:1"})
	require.Equal(t, [2]int{1, 1}, counts(), "an event is told once")
	send(trader.Message{Category: trader.ProtectionMessages, Cause: "fill:2", AppOnly: true})
	require.Equal(t, [2]int{2, 1}, counts())

	require.NoError(t, b.setNotification(p, trader.ProtectionMessages, false, true))
	send(trader.Message{Category: trader.ProtectionMessages, Cause: "fill:3"})
	require.Equal(t, [2]int{2, 2}, counts(), "mailed only")
	send(trader.Message{Category: trader.ProtectionMessages, Cause: "fill:3"})
	require.Equal(t, [2]int{2, 2}, counts(), "mailed once too")
	send(trader.Message{Category: trader.ProtectionMessages, Cause: "fill:4", AppOnly: true})
	require.Equal(t, [2]int{2, 2}, counts(), "nowhere")

	require.NoError(t, b.setNotification(p, trader.MoneyMessages, true, false))
	send(trader.Message{Category: trader.MoneyMessages, Cause: "deposit:1"})
	require.Equal(t, [2]int{3, 2}, counts(), "in the app only")
	send(trader.Message{Category: trader.MoneyMessages, Cause: "deposit:2", Essential: true})
	require.Equal(t, [2]int{4, 3}, counts(), "an essential message is mailed always")
	send(trader.Message{Category: trader.SecurityMessages})
	require.Equal(t, [2]int{4, 4}, counts(), "without an event only mailed")

	list, next, err := box.Messages(t.Context(), p.TraderID, trader.MoneyGroup.Categories(), 0, 0, 1)
	require.NoError(t, err)
	require.Equal(t, "deposit:2:message.example", list[0].Cause)
	list, next, err = box.Messages(t.Context(), p.TraderID, trader.MoneyGroup.Categories(), next, 0, 1)
	require.NoError(t, err)
	require.Equal(t, "deposit:1:message.example", list[0].Cause)
	require.Zero(t, next, "the pages of a group end with its last message")
	total, more, err := box.CountMessages(t.Context(), p.TraderID, trader.TradingGroup.Categories())
	require.NoError(t, err)
	require.Equal(t, 2, total)
	require.False(t, more)
}
