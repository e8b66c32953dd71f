// Package mail sends messages to people through an outbox: written in the transaction that causes them, then delivered, or kept where no sender is configured.
package mail

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"

	"candor/app/platform/db"
	"candor/app/platform/jobs"
)

// Channel is the way a message takes.
type Channel string

// The channels.
const (
	Mail Channel = "mail"
	SMS  Channel = "sms"
)

// Message is one message to one person. Kept means that no sender is configured; the body of a sent one is emptied.
type Message struct {
	ID        int64
	Channel   Channel
	Recipient string
	Subject   string
	Body      string
	State     string
	CreatedAt time.Time
	SentAt    *time.Time
}

// TableName is GORM's name of the table.
func (Message) TableName() string { return "outbox" }

// Sender delivers one message to the outside world.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// Outbox takes messages. Channels without a sender keep theirs.
type Outbox struct {
	db      *db.DB
	queue   *jobs.Queue
	senders map[Channel]Sender
}

// deliver is the job of sending one message.
type deliver struct {
	ID int64 `json:"id"`
}

// Kind names the job.
func (deliver) Kind() string { return "deliver_message" }

// New makes the outbox; senders may lack channels.
func New(d *db.DB, queue *jobs.Queue, senders map[Channel]Sender) *Outbox {
	o := &Outbox{db: d, queue: queue, senders: senders}
	jobs.Handle(queue, func(ctx context.Context, args deliver) error { return o.deliver(ctx, args.ID) })
	return o
}

// SendTx puts a message in the outbox of the caller's transaction.
func (o *Outbox) SendTx(ctx context.Context, tx *db.Tx, m Message) error {
	m.State = "kept"
	if o.senders[m.Channel] != nil {
		m.State = "queued"
	}
	if err := tx.Rows.Create(&m).Error; err != nil {
		return fmt.Errorf("write to the outbox: %w", err)
	}
	if m.State == "kept" {
		return nil
	}
	return o.queue.AddTx(ctx, tx, deliver{m.ID})
}

func (o *Outbox) deliver(ctx context.Context, id int64) error {
	var m Message
	if err := o.db.Rows(ctx).Where("id = ? AND state = ?", id, "queued").Limit(1).Find(&m).Error; err != nil {
		return err
	}
	sender := o.senders[m.Channel]
	switch {
	case m.ID == 0:
		return nil
	case sender == nil: // it was configured when the message was queued
		return o.db.Rows(ctx).Exec(`UPDATE outbox SET state = 'kept' WHERE id = ?`, id).Error
	}
	if err := sender.Send(ctx, m); err != nil {
		return fmt.Errorf("send message %d: %w", id, err)
	}
	return o.db.Rows(ctx).Exec(`UPDATE outbox SET state = 'sent', body = '', sent_at = now() WHERE id = ?`, id).Error
}

// List reads the newest messages, at most limit, to one recipient when it is named.
func (o *Outbox) List(ctx context.Context, recipient string, limit int) (list []Message, err error) {
	return List(ctx, o.db, recipient, limit)
}

// List reads the newest messages of a database's outbox, at most limit, to one recipient when it is named.
func List(ctx context.Context, d *db.DB, recipient string, limit int) (list []Message, err error) {
	rows := d.Rows(ctx).Order("id DESC").Limit(limit)
	if recipient != "" {
		rows = rows.Where("recipient = ?", recipient)
	}
	return list, rows.Find(&list).Error
}

// SMTP sends mail through a server.
type SMTP struct {
	client *gomail.Client
	from   string
}

// NewSMTP reads an address such as smtp://user:password@mail.example.com:587?from=desk@example.com; smtps:// speaks TLS from the first byte.
func NewSMTP(address string) (*SMTP, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Query().Get("from") == "" {
		return nil, fmt.Errorf("SMTP_URL must look like smtp://user:password@host:587?from=desk@example.com")
	}
	options := []gomail.Option{gomail.WithTimeout(20 * time.Second), gomail.WithTLSPolicy(gomail.TLSMandatory)}
	if port, err := strconv.Atoi(u.Port()); err == nil {
		options = append(options, gomail.WithPort(port))
	}
	switch {
	case u.Scheme == "smtps":
		options = append(options, gomail.WithSSL())
	case u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1":
		options = append(options, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	}
	if password, ok := u.User.Password(); ok {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	client, err := gomail.NewClient(u.Hostname(), options...)
	if err != nil {
		return nil, fmt.Errorf("SMTP_URL: %w", err)
	}
	return &SMTP{client: client, from: u.Query().Get("from")}, nil
}

// Send delivers one mail.
func (s *SMTP) Send(ctx context.Context, m Message) error {
	msg := gomail.NewMsg()
	if err := msg.From(s.from); err != nil {
		return err
	}
	if err := msg.To(m.Recipient); err != nil {
		return err
	}
	msg.Subject(m.Subject)
	msg.SetBodyString(gomail.TypeTextPlain, m.Body)
	return s.client.DialAndSendWithContext(ctx, msg)
}
