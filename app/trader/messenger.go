package trader

import (
	"context"
	"fmt"

	"candor/app/notice"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/mail"
)

// Messenger sends traders the outcomes of money and identity decisions. A nil one sends nothing: benchmarks have no outbox.
type Messenger struct {
	clock  clock.Clock
	outbox *mail.Outbox
	texts  Texts
	box    *notice.Service
}

// NewMessenger makes a messenger. Its messages also go to the traders' mailboxes in the app; with nil mailboxes only to the outbox.
func NewMessenger(c clock.Clock, o *mail.Outbox, t Texts, mailboxes *notice.Service) *Messenger {
	return &Messenger{clock: c, outbox: o, texts: t, box: mailboxes}
}

// Words are the arguments of a message; say returns a text in the message's language, or a placeholder that the app translates later.
type Words func(say func(key string) string) map[string]any

// SendTx sends a message to a trader's own contact in the caller's transaction, and to the mailbox in the app when cause names an event. Its texts are key
// with ".subject" and ".body". A trader without a contact gets it in the app only.
func (m *Messenger) SendTx(ctx context.Context, tx *db.Tx, traderID int64, key string, words Words, cause string) error {
	if m == nil {
		return nil
	}
	if err := m.MailboxTx(ctx, tx, traderID, key, words, cause); err != nil {
		return err
	}
	var t Trader
	if err := tx.Rows.Where("id = ?", traderID).First(&t).Error; err != nil {
		return fmt.Errorf("read whom to tell: %w", err)
	}
	message := mail.Message{Kind: messageKind(key), Channel: mail.Mail, CreatedAt: m.clock.Now()}
	switch {
	case t.Email != nil:
		message.Recipient = *t.Email
	case t.Phone != nil:
		message.Channel, message.Recipient = mail.SMS, *t.Phone
	default:
		return nil
	}
	var args map[string]any
	if words != nil {
		args = words(func(key string) string { return m.texts.T(t.Language, key, nil) })
	}
	message.Subject, message.Body = m.texts.T(t.Language, key+".subject", args), m.texts.T(t.Language, key+".body", args)
	return m.outbox.SendTx(ctx, tx, message)
}

// MailboxTx writes a message to a trader's mailbox in the app only. The cause names the event and makes it idempotent; without one nothing is written.
func (m *Messenger) MailboxTx(ctx context.Context, tx *db.Tx, traderID int64, key string, words Words, cause string) error {
	if m == nil || m.box == nil || cause == "" {
		return nil
	}
	args := map[string]string{}
	if words != nil {
		for name, value := range words(func(key string) string { return "{{" + key + "}}" }) {
			args[name] = fmt.Sprint(value)
		}
	}
	return m.box.AddMessageTx(ctx, tx, traderID, key, args, cause+":"+key)
}
