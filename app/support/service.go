package support

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/events"
)

// Hours tell when agents work.
type Hours interface {
	// Working tells whether a language's agents work at a moment, and when that changes.
	Working(language string, at time.Time) (now bool, until time.Time)
}

// Service is what the doors call.
type Service struct {
	db    *db.DB
	clock clock.Clock
	bus   *events.Bus
	hours Hours
}

// New makes the service.
func New(d *db.DB, c clock.Clock, bus *events.Bus, h Hours) *Service { return &Service{d, c, bus, h} }

// Draft is a message as its sender hands it in.
type Draft struct {
	ID       string // a UUID of the sender's making: the same one is the same message
	Text     string
	Picture  string // the name of an uploaded picture
	CardKind string
	CardID   int64
}

func (d *Draft) read() error {
	id, err := uuid.Parse(d.ID)
	if err != nil {
		return ErrMessageID
	}
	d.ID = id.String()
	d.Text = strings.TrimSpace(d.Text)
	n := utf8.RuneCountInString(d.Text)
	if n > LongestText || !db.IsText(d.Text) || n == 0 && d.Picture == "" && d.CardID == 0 {
		return ErrText
	}
	return nil
}

// Say keeps a message of a customer, once for its id, in the customer's living conversation, or in a new one. The thread is told of it before Say returns.
// Refusals: ErrMessageID, ErrText, ErrReused, ErrOften, ErrVisitor, ErrPicture.
func (s *Service) Say(ctx context.Context, from Customer, d Draft) (m Message, err error) {
	if err := d.read(); err != nil {
		return m, err
	}
	if from.TraderID == 0 {
		id, err := uuid.Parse(from.Visitor)
		if err != nil {
			return m, ErrVisitor
		}
		from.Visitor = id.String()
	}
	body, masked := mask(d.Text)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		c, err := s.livingTx(ctx, tx, from)
		if err != nil {
			return err
		}
		if again, found, err := sentTx(ctx, tx, c.ID, d.ID); err != nil || found {
			m = again
			if err == nil && again.Body != body {
				err = ErrReused
			}
			return err
		}
		if err := s.throttleTx(ctx, tx, c.ID); err != nil {
			return err
		}
		m = Message{ConversationID: c.ID, ClientID: d.ID, Author: ByCustomer, Kind: Text, Body: body, Masked: masked, At: s.clock.Now()}
		if err := s.writeTx(ctx, tx, &m); err != nil {
			return err
		}
		return s.heardTx(ctx, tx, c, m)
	})
	return m, err
}

// livingTx locks the customer's conversation that is not closed; where there is none it begins one. Two at once begin one.
func (s *Service) livingTx(ctx context.Context, tx *db.Tx, from Customer) (c Conversation, err error) {
	where, who := "trader_id = ?", any(from.TraderID)
	if from.TraderID == 0 {
		where, who = "visitor = ?", from.Visitor
	}
	find := func() error {
		return tx.Rows.Raw(`SELECT * FROM conversations WHERE `+where+` AND state <> 'closed' FOR UPDATE`, who).Scan(&c).Error
	}
	if err = find(); err != nil || c.ID != 0 {
		return c, err
	}
	now := s.clock.Now()
	_, err = tx.Conn.Exec(ctx, `
		INSERT INTO conversations (trader_id, visitor, language, state, created_at, moved_at)
		VALUES (nullif($1, 0), nullif($2, '')::uuid, $3, 'queued', $4, $4) ON CONFLICT DO NOTHING`, from.TraderID, from.Visitor, from.Language, now)
	if err != nil {
		return c, fmt.Errorf("begin a conversation: %w", err)
	}
	if err = find(); err == nil && c.ID == 0 {
		err = errors.New("a conversation that was begun is not there")
	}
	return c, err
}

func sentTx(ctx context.Context, tx *db.Tx, conversationID int64, clientID string) (m Message, found bool, err error) {
	err = tx.Rows.Raw(`SELECT * FROM chat_messages WHERE conversation_id = ? AND client_id = ?`, conversationID, clientID).Scan(&m).Error
	return m, m.ID != 0, err
}

// throttleTx lets a customer write as often as a person does.
func (s *Service) throttleTx(ctx context.Context, tx *db.Tx, conversationID int64) error {
	var n int
	err := tx.Conn.QueryRow(ctx, `SELECT count(*) FROM chat_messages WHERE conversation_id = $1 AND author = 'customer' AND at > $2`, conversationID, s.clock.Now().Add(-time.Minute)).Scan(&n)
	if err == nil && n >= sendsAMinute {
		err = ErrOften
	}
	return err
}

// writeTx adds a message to a thread that the caller has locked, so the ids of a thread grow in the order in which they are committed.
func (s *Service) writeTx(ctx context.Context, tx *db.Tx, m *Message) error {
	err := tx.Conn.QueryRow(ctx, `
		INSERT INTO chat_messages (conversation_id, client_id, author, staff_id, kind, body, masked, file_id, card_kind, card_id, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id`,
		m.ConversationID, m.ClientID, m.Author, m.StaffID, m.Kind, m.Body, m.Masked, m.FileID, m.CardKind, m.CardID, m.At).Scan(&m.ID)
	if err != nil {
		return fmt.Errorf("write a message: %w", err)
	}
	tx.AfterCommit(func() { s.tell(*m) })
	return nil
}

// heardTx is what a customer's word makes of the conversation: it waits, and whoever had resolved or put it off has it again.
func (s *Service) heardTx(ctx context.Context, tx *db.Tx, c Conversation, m Message) error {
	now := s.clock.Now()
	changes := map[string]any{"last_message_id": m.ID, "customer_read": m.ID, "moved_at": now}
	if c.WaitingSince == nil {
		changes["waiting_since"] = now
	}
	working, _ := s.hours.Working(c.Language, now)
	switch c.State {
	case WaitingCustomer, Snoozed:
		changes["state"], changes["snoozed_until"] = Open, nil
	case Resolved:
		changes["state"], changes["agent_id"], changes["reopened_at"] = Queued, nil, now
		if !working {
			changes["state"] = OfflineMessage
		}
	case Queued:
		if !working && c.LastMessageID == 0 {
			changes["state"] = OfflineMessage
		}
	case Open, Closed, OfflineMessage:
	}
	return moveTx(tx, &c, changes)
}

// moveTx writes changed columns if the row still has the version that was read. A change of state that the lifecycle does not know is refused, whoever asks.
func moveTx(tx *db.Tx, c *Conversation, columns map[string]any) error {
	if next, moving := columns["state"].(State); moving && next != c.State && !c.May(next) {
		return ErrState
	}
	columns["version"] = c.Version + 1
	if err := db.MustAffect(tx.Rows.Model(&Conversation{}).Where("id = ? AND version = ?", c.ID, c.Version).Updates(columns)); err != nil {
		return fmt.Errorf("move conversation %d: %w", c.ID, err)
	}
	return tx.Rows.Raw(`SELECT * FROM conversations WHERE id = ?`, c.ID).Scan(c).Error
}

// Thread reads messages after an id, the oldest first, at most limit; without notes for a customer.
func (s *Service) Thread(ctx context.Context, conversationID, after int64, limit int, desk bool) (list []Message, err error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT id, conversation_id, client_id::text, author, staff_id, kind, body, masked, file_id, card_kind, card_id, at FROM chat_messages
		WHERE conversation_id = $1 AND id > $2 AND ($3 OR kind <> 'note') ORDER BY id LIMIT $4`, conversationID, after, desk, limit)
	if err != nil {
		return nil, fmt.Errorf("read thread %d: %w", conversationID, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Message])
}
