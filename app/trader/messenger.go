package trader

import (
	"context"
	"fmt"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/mail"
)

// Messenger writes to traders what became of their money and their identity. A nil one writes nothing: what only measures has no outbox.
type Messenger struct {
	clock  clock.Clock
	outbox *mail.Outbox
	texts  Texts
}

// NewMessenger makes a messenger.
func NewMessenger(c clock.Clock, o *mail.Outbox, t Texts) *Messenger { return &Messenger{c, o, t} }

// Words are the arguments of a message; say gives a text in its language.
type Words func(say func(key string) string) map[string]any

// TellTx writes a message to a trader's own contact in the caller's transaction. Its texts are key with ".subject" and ".body". Who has no contact is told
// nothing.
func (m *Messenger) TellTx(ctx context.Context, tx *db.Tx, traderID int64, key string, words Words) error {
	if m == nil {
		return nil
	}
	var t Trader
	if err := tx.Rows.Where("id = ?", traderID).First(&t).Error; err != nil {
		return fmt.Errorf("read whom to tell: %w", err)
	}
	message := mail.Message{Channel: mail.Mail, CreatedAt: m.clock.Now()}
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
