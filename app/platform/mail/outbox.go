package mail

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/jobs"
	"candor/app/platform/vault"
)

// Lives of messages: a message without a code can be sent for Life, and is given up after giveUpAfter.
const (
	Life        = 7 * 24 * time.Hour
	giveUpAfter = 24 * time.Hour
)

// Refusals of SendAgain.
var (
	ErrSent     = errs.New(errs.Conflict, "outbox.sent")     // nothing to resend: its body was deleted
	ErrGone     = errs.New(errs.Conflict, "outbox.gone")     // its body was deleted, or its code has expired: the recipient requests a new one
	ErrNoSender = errs.New(errs.Refused, "outbox.no_sender") // its channel has no sender
)

// SealedColumns are the columns of wrapped keys.
var SealedColumns = []vault.Column{bodyKey}

var bodyKey = vault.Column{Table: "outbox", Name: "body_key"}

// Outbox stores and delivers messages. The vault seals their bodies, bound to message and recipient.
type Outbox struct {
	db      *db.DB
	clock   clock.Clock
	queue   *jobs.Queue
	vault   *vault.Vault
	senders map[Channel]Sender
	keeps   bool
}

// deliver is the job of sending one message. Sending it again starts another round, in which older jobs do nothing.
type deliver struct {
	ID    int64 `json:"id"`
	Round int   `json:"round"`
}

// Kind names the job.
func (deliver) Kind() string { return "deliver_message" }

// Config configures the outbox.
type Config struct {
	DB      *db.DB
	Clock   clock.Clock
	Queue   *jobs.Queue
	Vault   *vault.Vault // seals the bodies
	Senders map[Channel]Sender
	// KeepUnsent keeps the messages of channels without a sender, never in production. Else such a channel is not offered; its messages fail and keep no body.
	KeepUnsent bool
}

// New makes the outbox.
func New(c Config) *Outbox {
	o := &Outbox{db: c.DB, clock: c.Clock, queue: c.Queue, vault: c.Vault, senders: c.Senders, keeps: c.KeepUnsent}
	jobs.Handle(o.queue, o.deliver)
	return o
}

// Offers reports whether messages of a channel reach anyone: they are sent, or kept on a development server.
func (o *Outbox) Offers(c Channel) bool { return o.keeps || o.senders[c] != nil }

// stored is a message as its row holds it.
type stored struct {
	Message
	BodyKey, BodySealed []byte
	Round               int
}

// SendTx puts a message in the outbox of the caller's transaction.
func (o *Outbox) SendTx(ctx context.Context, tx *db.Tx, m Message) error {
	_, err := o.PutTx(ctx, tx, m)
	return err
}

// PutTx is SendTx, and returns the message's id.
func (o *Outbox) PutTx(ctx context.Context, tx *db.Tx, m Message) (id int64, err error) {
	if m.ExpiresAt.IsZero() {
		m.ExpiresAt = m.CreatedAt.Add(Life)
	}
	m.State = Queued
	if o.senders[m.Channel] == nil {
		m.State = o.unsent()
	}
	if err := o.writeTx(ctx, tx, &m); err != nil {
		return 0, fmt.Errorf("write to the outbox: %w", err)
	}
	return m.ID, nil
}

// unsent is the state of a message whose channel has no sender.
func (o *Outbox) unsent() State {
	if !o.keeps {
		return Failed
	}
	return Kept
}

// writeTx stores a message with its body sealed, unless it has failed already, and queues the delivery of a queued one.
func (o *Outbox) writeTx(ctx context.Context, tx *db.Tx, m *Message) error {
	if err := tx.Conn.QueryRow(ctx, `SELECT nextval('outbox_id_seq')`).Scan(&m.ID); err != nil {
		return err
	}
	var body vault.Sealed
	if m.State != Failed {
		if err := vault.LockTx(ctx, tx); err != nil {
			return err
		}
		var err error
		if body, err = o.seal(*m); err != nil {
			return err
		}
	}
	_, err := tx.Conn.Exec(ctx, `
		INSERT INTO outbox (id, kind, channel, recipient, subject, state, created_at, expires_at, body_key, body_sealed) OVERRIDING SYSTEM VALUE
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		m.ID, m.Kind, m.Channel, m.Recipient, m.Subject, m.State, m.CreatedAt, m.ExpiresAt, body.WrappedKey, body.Ciphertext)
	if err != nil || m.State != Queued {
		return err
	}
	priority := jobs.High
	if m.LowPriority {
		priority = jobs.Normal
	}
	return o.queue.AddToTx(ctx, tx, jobs.Messages, priority, deliver{ID: m.ID})
}

// owner binds a sealed body to its message and its recipient.
func (m Message) owner() string { return fmt.Sprintf("message:%d|%s|body", m.ID, m.Recipient) }

// deliver sends a message that has not expired. A failed attempt is repeated until giveUpAfter, unless the provider will never take the message.
func (o *Outbox) deliver(ctx context.Context, job deliver) error {
	var m stored
	if err := o.db.Rows(ctx).Where("id = ? AND round = ? AND state = 'queued'", job.ID, job.Round).Limit(1).Find(&m).Error; err != nil {
		return fmt.Errorf("read message %d: %w", job.ID, err)
	}
	now := o.clock.Now()
	sender := o.senders[m.Channel]
	switch {
	case m.ID == 0:
		return nil
	case !m.ExpiresAt.After(now):
		return o.end(ctx, m.ID, Expired)
	case sender == nil: // it was configured when the message was queued
		return o.setState(ctx, m, o.unsent())
	}
	err := o.hand(ctx, sender, m)
	switch {
	case err == nil:
		return o.end(ctx, m.ID, Sent)
	case now.Sub(m.CreatedAt) >= giveUpAfter || errors.Is(err, ErrRefused):
		return errors.Join(err, o.setState(ctx, m, Failed))
	}
	return err
}

// hand decrypts a body and passes the message to its sender.
func (o *Outbox) hand(ctx context.Context, sender Sender, m stored) (err error) {
	if err = o.open(ctx, &m); err == nil {
		err = sender.Send(ctx, m.Message)
	}
	if err != nil {
		return fmt.Errorf("send message %d: %w", m.ID, err)
	}
	return nil
}

// sealedBody is what is sealed of a message.
type sealedBody struct{ Text, HTML string }

func (o *Outbox) seal(m Message) (vault.Sealed, error) {
	body, err := json.Marshal(sealedBody{m.Body, m.HTML})
	if err != nil {
		return vault.Sealed{}, fmt.Errorf("write a body: %w", err)
	}
	return o.vault.Seal(m.owner(), body)
}

// open decrypts a message's body.
func (o *Outbox) open(ctx context.Context, m *stored) error {
	raw, err := bodyKey.Open(ctx, o.db.Pool, o.vault, m.ID, m.owner(), vault.Sealed{WrappedKey: m.BodyKey, Ciphertext: m.BodySealed})
	if err != nil {
		return err
	}
	var body sealedBody
	if err := json.Unmarshal(raw, &body); err != nil {
		return fmt.Errorf("read a body: %w", err)
	}
	m.Body, m.HTML = body.Text, body.HTML
	return nil
}

func (o *Outbox) setState(ctx context.Context, m stored, to State) error {
	_, err := o.db.Pool.Exec(ctx, `UPDATE outbox SET state = $3 WHERE id = $1 AND round = $2 AND state = 'queued'`, m.ID, m.Round, to)
	return err
}

// end sets the final state and deletes the body of a message that was sent or has expired.
func (o *Outbox) end(ctx context.Context, id int64, to State) error {
	_, err := o.db.Pool.Exec(ctx, `
		UPDATE outbox SET state = $2, body_key = NULL, body_sealed = NULL, sent_at = CASE WHEN $2::outbox_state = 'sent' THEN $3::timestamptz END
		WHERE id = $1 AND state IN ('queued', 'failed')`, id, to, o.clock.Now())
	return err
}

// Expire deletes the bodies of all expired messages, and returns how many there were.
func (o *Outbox) Expire(ctx context.Context) (int64, error) {
	tag, err := o.db.Pool.Exec(ctx, `
		UPDATE outbox SET state = 'expired', body_key = NULL, body_sealed = NULL WHERE body_key IS NOT NULL AND expires_at <= $1`, o.clock.Now())
	if err != nil {
		return 0, fmt.Errorf("expire messages: %w", err)
	}
	return tag.RowsAffected(), nil
}

// SendAgain requeues a message that could not be sent or still waits; recordTx records who did it in the same transaction.
// Refusals: ErrUnknown, ErrSent, ErrGone, ErrNoSender.
func (o *Outbox) SendAgain(ctx context.Context, id int64, recordTx func(*db.Tx, Message) error) error {
	return o.db.InTx(ctx, func(tx *db.Tx) error {
		var m stored
		if err := tx.Rows.Raw(`SELECT * FROM outbox WHERE id = ? FOR NO KEY UPDATE`, id).Scan(&m).Error; err != nil {
			return fmt.Errorf("lock message %d: %w", id, err)
		}
		if err := o.mayRepeat(m); err != nil {
			return err
		}
		m.Round++
		if _, err := tx.Conn.Exec(ctx, `UPDATE outbox SET state = 'queued', round = $2 WHERE id = $1`, id, m.Round); err != nil {
			return fmt.Errorf("queue message %d again: %w", id, err)
		}
		if err := o.queue.AddToTx(ctx, tx, jobs.Messages, jobs.High, deliver{id, m.Round}); err != nil {
			return err
		}
		return recordTx(tx, m.Message)
	})
}

func (o *Outbox) mayRepeat(m stored) error {
	switch {
	case m.ID == 0:
		return ErrUnknown
	case m.State == Sent:
		return ErrSent
	case m.BodyKey == nil || !m.ExpiresAt.After(o.clock.Now()):
		return ErrGone
	case o.senders[m.Channel] == nil:
		return ErrNoSender
	}
	return nil
}
