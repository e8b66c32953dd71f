package tradedesk_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/platform/db"
	"candor/app/platform/mail"
)

// TestMessagesToATraderAreListed shows an agent whether a trader's messages went out, and nothing of what they say.
func TestMessagesToATraderAreListed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta, lena := b.register("marta@example.com", "+49301234567", 0), b.register("lena@example.com", "", 0)
	agent := b.SignIn(t, access.SupportAgent)
	require.Contains(t, text(b.page(agent, path(marta, "devices"))), "No messages yet.")
	require.NoError(t, b.DB.InTx(t.Context(), func(tx *db.Tx) error {
		for _, m := range []mail.Message{
			{Kind: "identity_asked", Channel: mail.Mail, Recipient: "marta@example.com", Subject: "A subject of ours", Body: "A body of ours"},
			{Kind: "login_code", Channel: mail.SMS, Recipient: "+49301234567", Body: "Your code is 482913"},
			{Kind: "margin_call", Channel: mail.Mail, Recipient: "lena@example.com", Subject: "Another subject", Body: "Another body"},
		} {
			if _, err := b.Outbox.PutTx(t.Context(), tx, m); err != nil {
				return err
			}
		}
		return nil
	}))
	page := text(b.page(agent, path(marta, "devices")))
	for _, want := range []string{"Identity: more information needed", "Log-in code", "SMS", "Email"} {
		require.Contains(t, page, want)
	}
	for _, secret := range []string{"A subject of ours", "A body of ours", "482913", "Margin call", "+49301234567"} {
		require.NotContains(t, page, secret)
	}
	require.Contains(t, text(b.page(agent, path(lena, "devices"))), "Margin call")
}
