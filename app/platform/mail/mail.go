// Package mail sends messages to people through an outbox: each is written in the transaction that causes it, with its body sealed, then delivered.
package mail

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// Channel is the way a message is sent.
type Channel string

// The channels.
const (
	Mail Channel = "mail"
	SMS  Channel = "sms"
)

// State is the delivery state of a message.
type State string

// The states. Only kept, queued and failed messages can have a body.
const (
	Kept    State = "kept"   // no sender is configured; only in development
	Queued  State = "queued" // a job sends it
	Failed  State = "failed" // it could not be sent, and is not retried any more
	Sent    State = "sent"
	Expired State = "expired" // it expired before it could be sent
)

// Message is one message to one person. Kind names its text: the locale key without "message.".
type Message struct {
	ID          int64
	Kind        string
	Channel     Channel
	Recipient   string
	Subject     string
	Body        string `gorm:"-"` // stored sealed only
	HTML        string `gorm:"-"` // the HTML alternative of Body; empty for most; stored sealed only
	State       State
	CreatedAt   time.Time
	ExpiresAt   time.Time // zero for Life; nothing is sent from then on
	SentAt      *time.Time
	HasBody     bool `gorm:"->"`
	LowPriority bool `gorm:"-"` // requested by a stranger: other messages go first
}

// TableName is GORM's name of the table.
func (Message) TableName() string { return "outbox" }

// Sender delivers one message to the outside world.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// SMTP sends mail through a server.
type SMTP struct {
	client *gomail.Client
	from   string
}

// NewSMTP reads an address such as smtp://user:password@mail.example.com:587?from=desk@example.com; smtps:// uses TLS from the first byte.
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
	if m.HTML != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	return s.client.DialAndSendWithContext(ctx, msg)
}
