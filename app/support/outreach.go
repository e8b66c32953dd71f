package support

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/mail"
	"candor/app/staff/member"
	"candor/app/trader"
)

// Limits of what agents begin by themselves.
const (
	LongestSubject = 150 // characters
	LongestCall    = 600 // minutes
	startsAnHour   = 30  // conversations that an agent begins
	mailsAnHour    = 30  // mails that an agent sends
	mailsToOne     = 5   // mails an hour to a trader, from all agents
)

// Refusals of what agents begin.
var (
	ErrAnswered = errs.New(errs.Conflict, "chat.answered")  // another agent owns the trader's conversation; Args name
	ErrStarts   = errs.New(errs.TooMany, "chat.starts")     // too many conversations begun
	ErrMails    = errs.New(errs.TooMany, "chat.mails")      // too many mails
	ErrVisitors = errs.New(errs.Refused, "chat.no_account") // a visitor has no e-mail address
	ErrSubject  = errs.Field("subject", "field.length")     // empty, too long, or of several lines
	ErrMinutes  = errs.Field("minutes", "field.range")      // not 0 to LongestCall
	ErrWay      = errs.Field("direction", "field.unknown")
)

// Direction says who called.
type Direction string

// The directions.
const (
	Incoming Direction = "in"
	Outgoing Direction = "out"
)

// started is the event of a conversation that an agent began; customers don't see it.
const started = "chat.start"

// Start sends the first message of an agent to a trader, once per id: in their current conversation, which becomes the agent's, or in a new one. It reaches
// the trader like any answer. Refusals: ErrUnknown for an unknown trader, ErrAnswered, ErrStarts, ErrMessageID, ErrText, ErrReused, ErrVariable, trader.ErrOwn.
func (s *Service) Start(ctx context.Context, by audit.Actor, traderID int64, d Draft) (m Message, err error) {
	if left := Variables(d.Text); len(left) > 0 {
		return m, ErrVariable.With("name", left[0])
	}
	d.Picture = ""
	if err := d.read(); err != nil {
		return m, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		language, err := trader.Language(ctx, tx.Conn, traderID)
		if err != nil {
			return err
		}
		if language == "" {
			return ErrUnknown
		}
		c, err := s.activeConversationTx(ctx, tx, Customer{TraderID: traderID, Language: language})
		if err != nil {
			return err
		}
		m = d.message(c, ByAgent, s.clock.Now())
		m.StaffID = &by.ID
		before, err := sentTx(ctx, tx, m)
		if err != nil || before.ID != 0 {
			m = before
			return err
		}
		if err := s.takeUpTx(ctx, tx, by, &c); err != nil {
			return err
		}
		if _, err := s.writeTx(ctx, tx, &m); err != nil {
			return err
		}
		changes := map[string]any{}
		if c.AnsweredAt == nil && c.CustomerRead > 0 { // the first answer of a conversation that its trader began
			if changes, err = s.firstAnswerTx(ctx, tx, c, m.At); err != nil {
				return err
			}
		}
		maps.Copy(changes, map[string]any{
			"state": WaitingCustomer, "waiting_since": nil, "snoozed_until": nil, "woken_at": nil, "last_message_id": m.ID, "agent_got": m.ID, "agent_read": m.ID,
		})
		return s.moveTx(tx, &c, changes, m)
	})
	return m, err
}

// takeUpTx makes an agent the owner of the locked conversation that they begin or go on with.
func (s *Service) takeUpTx(ctx context.Context, tx *db.Tx, by audit.Actor, c *Conversation) error {
	if err := trader.CheckConflict(ctx, tx.Conn, by.ID, *c.TraderID); err != nil {
		return err
	}
	if c.Live() && c.OwnedBy(by.ID) {
		return nil
	}
	if c.Live() && c.AgentID != nil {
		name, err := member.Name(ctx, tx.Conn, *c.AgentID)
		return firstOf(err, ErrAnswered.With("name", name))
	}
	if err := s.countTx(ctx, tx, startsAnHour, ErrStarts, `staff_id = $1 AND kind = 'event' AND body = $3`, by.ID, started); err != nil {
		return err
	}
	changes := map[string]any{"state": Open, "agent_id": by.ID}
	if c.State == Resolved {
		changes["reopened_at"] = s.clock.Now()
	}
	return s.doTx(ctx, tx, by, c, started, changes)
}

// countTx refuses when at least limit messages of the last hour match; $2 is the beginning of the hour. The agents' own acts are few: none is counted twice
// at the same moment, because each locks its agent.
func (s *Service) countTx(ctx context.Context, tx *db.Tx, limit int, refusal error, matching string, who int64, values ...any) error {
	if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('chat.outreach', $1))`, who); err != nil {
		return fmt.Errorf("lock what %d begins: %w", who, err)
	}
	var n int
	err := tx.Conn.QueryRow(ctx, `SELECT count(*) FROM (SELECT 1 FROM chat_messages WHERE at > $2 AND `+matching+fmt.Sprintf(` LIMIT %d) last`, limit),
		append([]any{who, s.clock.Now().Add(-time.Hour)}, values...)...).Scan(&n)
	switch {
	case err != nil:
		return fmt.Errorf("count what %d begins: %w", who, err)
	case n >= limit:
		return refusal
	}
	return nil
}

// Letter is a mail to a conversation's trader. ID is a UUID: the same one is sent once.
type Letter struct{ ID, Subject, Text string }

// Mail sends the owner's mail to the trader of a conversation, once per id, and keeps it in the thread for staff.
// Refusals: ErrUnknown, ErrNotOwned, ErrVisitors, ErrSubject, ErrText, ErrMessageID, ErrReused, ErrMails, ErrVariable, trader.ErrNoEmail, trader.ErrOwn.
func (s *Service) Mail(ctx context.Context, by audit.Actor, id int64, l Letter) (Message, error) {
	l.Subject = strings.TrimSpace(l.Subject)
	if n := utf8.RuneCountInString(l.Subject); n == 0 || n > LongestSubject || !db.IsText(l.Subject) || strings.ContainsAny(l.Subject, "\r\n") {
		return Message{}, ErrSubject
	}
	if left := Variables(l.Text); len(left) > 0 {
		return Message{}, ErrVariable.With("name", left[0])
	}
	return s.log(ctx, by, id, Draft{ID: l.ID, Text: l.Text}, "chat.mail", func(tx *db.Tx, c Conversation, m *Message) error {
		m.Kind, m.Subject = Mail, l.Subject
		switch {
		case c.TraderID == nil:
			return ErrVisitors
		case !c.OwnedBy(by.ID) || !c.Live():
			return ErrNotOwned
		}
		before, err := sentTx(ctx, tx, *m)
		if err != nil || before.ID != 0 {
			m.MailID = before.MailID
			return err
		}
		if err := s.countTx(ctx, tx, mailsAnHour, ErrMails, `staff_id = $1 AND kind = 'mail'`, by.ID); err != nil {
			return err
		}
		if err := s.countTx(ctx, tx, mailsToOne, ErrMails, `kind = 'mail' AND conversation_id IN (SELECT id FROM conversations WHERE trader_id = $1)`, *c.TraderID); err != nil {
			return err
		}
		sent, err := s.messenger.WriteTx(ctx, tx, *c.TraderID, l.Subject, m.Body)
		m.MailID = &sent
		return err
	})
}

// CallNote is a telephone call with a conversation's customer, as the agent writes it down.
type CallNote struct {
	ID        string // a UUID: the same one is written once
	Direction Direction
	Minutes   int
	Said      string
}

// LogCall keeps a telephone call in a thread for staff. Refusals: ErrUnknown, ErrWay, ErrMinutes, ErrText, ErrMessageID, ErrReused, trader.ErrOwn.
func (s *Service) LogCall(ctx context.Context, by audit.Actor, id int64, call CallNote) (Message, error) {
	switch {
	case call.Direction != Incoming && call.Direction != Outgoing:
		return Message{}, ErrWay
	case call.Minutes < 0 || call.Minutes > LongestCall:
		return Message{}, ErrMinutes
	}
	return s.log(ctx, by, id, Draft{ID: call.ID, Text: call.Said}, "chat.call", func(_ *db.Tx, _ Conversation, m *Message) error {
		m.Kind, m.Direction, m.Minutes = PhoneCall, call.Direction, &call.Minutes
		return nil
	})
}

// log stores an audited entry of an agent that stays with staff, once per id.
func (s *Service) log(ctx context.Context, by audit.Actor, id int64, d Draft, action string, fill func(*db.Tx, Conversation, *Message) error) (m Message, err error) {
	if err := d.read(); err != nil {
		return m, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		c, err := lockTx(tx, id)
		if err != nil {
			return err
		}
		if c.TraderID != nil {
			if err := trader.CheckConflict(ctx, tx.Conn, by.ID, *c.TraderID); err != nil {
				return err
			}
		}
		m = d.message(c, ByAgent, s.clock.Now())
		m.StaffID, m.Private = &by.ID, true
		if err := fill(tx, c, &m); err != nil {
			return err
		}
		again, err := s.writeTx(ctx, tx, &m)
		if err != nil || again {
			return err
		}
		s.publishTx(tx, c, m)
		entry := audit.By(by, m.At, action, "conversation", c.ID)
		entry.After = fmt.Sprintf(`{"message":%d}`, m.ID)
		return audit.RecordTx(ctx, tx, entry)
	})
	return m, err
}

// MailStates are the delivery states of the mails among messages, by the mail's id.
func (s *Service) MailStates(ctx context.Context, list []Message) (map[int64]mail.State, error) {
	var ids []int64
	for _, m := range list {
		if m.MailID != nil {
			ids = append(ids, *m.MailID)
		}
	}
	return s.messenger.MailStates(ctx, ids)
}

// NewID is an id for a message that a form will send.
func NewID() string { return uuid.NewString() }
