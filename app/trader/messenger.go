package trader

import (
	"context"
	"fmt"

	"candor/app/notice"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/mail"
)

// Messenger sends traders messages about decisions, trading and security, as their notification settings say. A nil one sends nothing: benchmarks have no outbox.
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

// Message is a message to one trader. Its texts are the key with ".subject" and ".body".
type Message struct {
	TraderID  int64
	Category  Category
	Key       string
	Words     Words
	Cause     string // the event, told once; a message without one is not in the app
	Essential bool   // mailed whatever the trader's settings say
	AppOnly   bool   // never mailed
}

// SendTx sends a message in the caller's transaction: to the mailbox in the app and to the trader's own contact, as the settings of its category say. A message
// whose event was told before is not sent. A trader without a contact gets it in the app only.
func (m *Messenger) SendTx(ctx context.Context, tx *db.Tx, message Message) error {
	if m == nil {
		return nil
	}
	setting, err := settingTx(tx, message.TraderID, message.Category)
	if err != nil {
		return err
	}
	mailed := !message.AppOnly && (setting.Mail || message.Essential)
	if !setting.InApp && !mailed {
		return nil
	}
	added, err := m.mailboxTx(ctx, tx, message, setting.InApp)
	if err != nil || !added || !mailed {
		return err
	}
	return m.mailTx(ctx, tx, message)
}

// mailboxTx writes a message to the trader's mailbox and reports whether its event is new.
func (m *Messenger) mailboxTx(ctx context.Context, tx *db.Tx, message Message, inApp bool) (added bool, err error) {
	if m.box == nil || message.Cause == "" {
		return true, nil
	}
	args := map[string]string{}
	for name, value := range message.words(func(key string) string { return "{{" + key + "}}" }) {
		args[name] = fmt.Sprint(value)
	}
	return m.box.AddMessageTx(ctx, tx, notice.Message{
		TraderID: message.TraderID, Category: string(message.Category), Key: message.Key, Args: args, Cause: message.Cause + ":" + message.Key, InApp: inApp,
	})
}

// Translate returns a text in the language of a letter.
type Translate func(key string, args map[string]any) string

// Letter is a mail that a trader requested: it goes to their e-mail address whatever the settings say, and not to the mailbox in the app. Its subject is the key
// with ".subject".
type Letter struct {
	TraderID int64
	Key      string
	Write    func(language string, say Translate) (text, html string, err error)
}

// LetterTx sends a letter in the caller's transaction, in the trader's language. Refusal: ErrNoEmail.
func (m *Messenger) LetterTx(ctx context.Context, tx *db.Tx, letter Letter) error {
	if m == nil {
		return nil
	}
	t, err := recipientTx(tx, letter.TraderID)
	if err != nil {
		return err
	}
	if t.Email == nil {
		return ErrNoEmail
	}
	say := func(key string, args map[string]any) string { return m.texts.T(t.Language, key, args) }
	out := mail.Message{Kind: messageKind(letter.Key), Channel: mail.Mail, Recipient: *t.Email, Subject: say(letter.Key+".subject", nil), CreatedAt: m.clock.Now()}
	if out.Body, out.HTML, err = letter.Write(t.Language, say); err != nil {
		return fmt.Errorf("write %s: %w", letter.Key, err)
	}
	to := t.recipient()
	out.Body, out.HTML = to.phrased(m.texts, out.Body), to.phrasedHTML(m.texts, out.HTML)
	return m.outbox.SendTx(ctx, tx, out)
}

// WriteTx mails the words of a member of staff to a trader in the caller's transaction, and returns the mail's id in the outbox. Refusal: ErrNoEmail.
func (m *Messenger) WriteTx(ctx context.Context, tx *db.Tx, traderID int64, subject, text string) (id int64, err error) {
	if m == nil {
		return 0, ErrNoEmail
	}
	t, err := recipientTx(tx, traderID)
	if err != nil {
		return 0, err
	}
	if t.Email == nil {
		return 0, ErrNoEmail
	}
	return m.outbox.PutTx(ctx, tx, mail.Message{Kind: "chat_mail", Channel: mail.Mail, Recipient: *t.Email, Subject: subject, Body: t.recipient().phrased(m.texts, text), CreatedAt: m.clock.Now()})
}

// MailStates reads the delivery states of mails in the outbox, by id.
func (m *Messenger) MailStates(ctx context.Context, ids []int64) (map[int64]mail.State, error) {
	if m == nil || len(ids) == 0 {
		return nil, nil
	}
	return m.outbox.States(ctx, ids)
}

func recipientTx(tx *db.Tx, traderID int64) (t Trader, err error) {
	if err = tx.Rows.Where("id = ?", traderID).First(&t).Error; err != nil {
		return t, fmt.Errorf("read the recipient: %w", err)
	}
	return t, nil
}

// mailTx sends a message to the trader's own contact in the trader's language.
func (m *Messenger) mailTx(ctx context.Context, tx *db.Tx, message Message) error {
	t, err := recipientTx(tx, message.TraderID)
	if err != nil {
		return err
	}
	if t.Email == nil && t.Phone == nil {
		return nil
	}
	to := t.recipient()
	args := message.words(func(key string) string { return m.texts.T(t.Language, key, nil) })
	return m.outbox.SendTx(ctx, tx, mail.Message{
		Kind: messageKind(message.Key), Channel: to.channel(), Recipient: to.text, CreatedAt: m.clock.Now(),
		Subject: m.texts.T(t.Language, message.Key+".subject", args), Body: to.phrased(m.texts, m.texts.T(t.Language, message.Key+".body", args)),
	})
}

func (m Message) words(say func(key string) string) map[string]any {
	if m.Words == nil {
		return nil
	}
	return m.Words(say)
}
