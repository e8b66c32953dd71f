package complaint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/staff/member"
	"candor/app/trader"
)

// answerLasts is how long a proposed answer waits for its second person.
const answerLasts = 30 * 24 * time.Hour

// Service keeps the register.
type Service struct {
	db        *db.DB
	clock     clock.Clock
	messenger *trader.Messenger
	answers   *approval.Service
}

// New makes the service.
func New(d *db.DB, c clock.Clock, m *trader.Messenger, e *approval.Engine) *Service {
	s := &Service{db: d, clock: c, messenger: m}
	s.answers = e.For(approval.Use{
		Name: "complaint_answer", Area: "complaint", About: "answer", Target: "complaint", Duty: member.IdentityDuty, Lasts: answerLasts, Apply: s.answerTx, Closed: s.unansweredTx,
	})
	return s
}

// Request is a complaint as it is registered.
type Request struct {
	TraderID       int64
	ConversationID *int64 // of the trader; the caller has checked that
	Channel        Channel
	Category       Category
	Product        string
	Summary        string
	ReceivedOn     time.Time
	Zone           *time.Location // in which the member reads the calendar; nil is UTC
	Claimed        *int64         // 10^-6 USDT
	Key            string         // of the form; a repeated key returns the first complaint
}

func (r *Request) check(now time.Time) error {
	r.Summary = strings.TrimSpace(r.Summary)
	switch {
	case !slices.Contains(Channels, r.Channel), r.ConversationID != nil && r.Channel != ChannelChat:
		return ErrChannel
	case !slices.Contains(Categories, r.Category):
		return ErrCategory
	case len(r.Product) > maxProduct || !db.IsText(r.Product):
		return ErrProduct
	case !isText(r.Summary, shortest):
		return ErrSummary
	case r.ReceivedOn.After(Day(now, r.Zone)), r.ReceivedOn.Before(Day(now, r.Zone).AddDate(-1, 0, 0)):
		return ErrReceived
	case r.Claimed != nil && *r.Claimed <= 0:
		return ErrClaimed
	case len(r.Key) < 16 || len(r.Key) > 64:
		return ErrKey
	}
	return nil
}

func isText(text string, shortest int) bool {
	n := utf8.RuneCountInString(text)
	return n >= shortest && n <= LongestText && db.IsText(text)
}

// Register adds a complaint to the register, once per key. Refusals: the fields, trader.ErrOwn.
func (s *Service) Register(ctx context.Context, by audit.Actor, r Request) (c Complaint, err error) {
	now := s.clock.Now()
	if err := r.check(now); err != nil {
		return c, err
	}
	register := func(tx *db.Tx) error {
		c, err = s.registerTx(ctx, tx, by, r, now)
		return err
	}
	err = s.db.InTx(ctx, register)
	if db.IsUnique(err, "complaints_key") { // a repeat at the same time was first: it is read
		err = s.db.InTx(ctx, register)
	}
	return c, err
}

func (s *Service) registerTx(ctx context.Context, tx *db.Tx, by audit.Actor, r Request, now time.Time) (c Complaint, err error) {
	if err := tx.Rows.Where("registered_by = ? AND key = ?", by.ID, r.Key).Limit(1).Find(&c).Error; err != nil || c.ID != 0 {
		return c, err
	}
	if err := trader.CheckConflict(ctx, tx.Conn, by.ID, r.TraderID); err != nil {
		return c, err
	}
	c = Complaint{
		TraderID: r.TraderID, ConversationID: r.ConversationID, Channel: r.Channel, Category: r.Category, Product: r.Product, Summary: r.Summary, ReceivedOn: r.ReceivedOn,
		Claimed: r.Claimed, State: Received, RegisteredBy: by.ID, RegisteredAt: now, Key: r.Key, AcknowledgeDue: AfterBusinessDays(r.ReceivedOn, AcknowledgeDays),
		AnswerDue: AfterBusinessDays(r.ReceivedOn, AnswerDays), Version: 1,
	}
	if err := tx.Rows.Create(&c).Error; err != nil {
		return c, fmt.Errorf("register a complaint: %w", err)
	}
	return c, s.recordTx(ctx, tx, by, c, "register")
}

// Letter is what is told to a trader, and how.
type Letter struct {
	Way    Way
	SentOn time.Time      // by letter and phone; a mail is sent now
	Zone   *time.Location // in which the member reads the calendar; nil is UTC
	Text   string
}

// Acknowledge tells the trader that their complaint was received. Refusals: the fields, ErrUnknown, ErrState, ErrChanged, trader.ErrOwn.
func (s *Service) Acknowledge(ctx context.Context, by audit.Actor, id int64, version int, l Letter) (Complaint, error) {
	return s.act(ctx, by, id, version, "acknowledge", func(tx *db.Tx, c *Complaint) error {
		if c.State != Received {
			return ErrState
		}
		now := s.clock.Now()
		c.State, c.AcknowledgedAt = Acknowledged, &now
		return s.tellTx(ctx, tx, by, *c, Acknowledgement, l)
	})
}

// Investigate makes the member the handler of an acknowledged complaint. Refusals: ErrUnknown, ErrState, ErrChanged, trader.ErrOwn.
func (s *Service) Investigate(ctx context.Context, by audit.Actor, id int64, version int) (Complaint, error) {
	return s.act(ctx, by, id, version, "investigate", func(_ *db.Tx, c *Complaint) error {
		if c.State != Acknowledged {
			return ErrState
		}
		c.State, c.HandlerID = Investigating, &by.ID
		return nil
	})
}

// Extend moves the last day of the final answer to ExtendedDays, once, and tells the trader why. Refusals: the fields, ErrUnknown, ErrState, ErrChanged,
// ErrExtended, trader.ErrOwn.
func (s *Service) Extend(ctx context.Context, by audit.Actor, id int64, version int, l Letter) (Complaint, error) {
	return s.act(ctx, by, id, version, "extend", func(tx *db.Tx, c *Complaint) error {
		switch {
		case c.State != Acknowledged && c.State != Investigating:
			return ErrState
		case c.ExtendedAt != nil:
			return ErrExtended
		}
		now := s.clock.Now()
		c.ExtendedAt, c.AnswerDue = &now, AfterBusinessDays(c.ReceivedOn, ExtendedDays)
		return s.tellTx(ctx, tx, by, *c, Extension, l)
	})
}

// Close ends an answered complaint. For an answer that no mail carried, sentOn is the day on which it was sent or told, in the zone
// in which the member reads the calendar. Refusals: ErrSent, ErrUnknown, ErrState,
// ErrChanged, trader.ErrOwn.
func (s *Service) Close(ctx context.Context, by audit.Actor, id int64, version int, sentOn time.Time, zone *time.Location) (Complaint, error) {
	return s.act(ctx, by, id, version, "close", func(_ *db.Tx, c *Complaint) error {
		if c.State != Answered {
			return ErrState
		}
		now := s.clock.Now()
		if c.AnswerSentOn == nil {
			if sentOn.Before(Day(*c.AnsweredAt, zone)) || sentOn.After(Day(now, zone)) {
				return ErrSent
			}
			c.AnswerSentOn = &sentOn
		}
		c.State, c.ClosedAt = Closed, &now
		return nil
	})
}

// tellTx writes what the trader is told, and mails it. Refusals: ErrWay, ErrText, ErrSent, ErrNoAddress.
func (s *Service) tellTx(ctx context.Context, tx *db.Tx, by audit.Actor, c Complaint, kind LetterKind, l Letter) error {
	now := s.clock.Now()
	if l.Way == WayMail {
		l.SentOn = Day(now, l.Zone)
	}
	switch {
	case !slices.Contains(Ways, l.Way):
		return ErrWay
	case !isText(l.Text, shortest):
		return ErrText
	case l.SentOn.Before(c.ReceivedOn), l.SentOn.After(Day(now, l.Zone)):
		return ErrSent
	}
	told := Told{ComplaintID: c.ID, Kind: kind, Way: l.Way, SentOn: l.SentOn, Text: l.Text, ByID: by.ID, At: now}
	if err := tx.Rows.Create(&told).Error; err != nil {
		return fmt.Errorf("write what the trader of complaint %d is told: %w", c.ID, err)
	}
	if l.Way != WayMail {
		return nil
	}
	return s.mailTx(ctx, tx, c, l.Text)
}

// mailTx mails a text to the trader, in the words that staff wrote, with the number of the complaint. Refusal: ErrNoAddress.
func (s *Service) mailTx(ctx context.Context, tx *db.Tx, c Complaint, text string) error {
	err := s.messenger.LetterTx(ctx, tx, trader.Letter{TraderID: c.TraderID, Key: "message.complaint", Write: func(_ string, say trader.Translate) (string, string, error) {
		return text + "\n\n" + say("message.complaint.body", map[string]any{"number": c.Number()}), "", nil
	}})
	if errors.Is(err, trader.ErrNoEmail) {
		return ErrNoAddress
	}
	return err
}

// act locks a complaint, lets change decide, and stores the change with its audit entry, if the complaint still is the version that was shown.
func (s *Service) act(ctx context.Context, by audit.Actor, id int64, version int, act string, change func(*db.Tx, *Complaint) error) (c Complaint, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if c, err = lockTx(tx, id); err != nil {
			return err
		}
		if c.Version != version {
			return ErrChanged
		}
		if err := trader.CheckConflict(ctx, tx.Conn, by.ID, c.TraderID); err != nil {
			return err
		}
		if err := change(tx, &c); err != nil {
			return err
		}
		if err := saveTx(tx, &c); err != nil || act == approval.InEngine {
			return err
		}
		return s.recordTx(ctx, tx, by, c, act)
	})
	return c, err
}

func lockTx(tx *db.Tx, id int64) (c Complaint, err error) {
	if err := tx.ForUpdate().Where("id = ?", id).Limit(1).Find(&c).Error; err != nil {
		return c, fmt.Errorf("lock complaint %d: %w", id, err)
	}
	if c.ID == 0 {
		return c, ErrUnknown
	}
	return c, nil
}

// saveTx stores what acts change, if nobody changed the complaint since it was read.
func saveTx(tx *db.Tx, c *Complaint) error {
	read := c.Version
	c.Version++
	result := tx.Rows.Model(&Complaint{}).Where("id = ? AND version = ?", c.ID, read).Select(
		"State", "AnswerDue", "HandlerID", "AcknowledgedAt", "ExtendedAt", "Approval", "Outcome", "Redress", "RootCause", "Answer", "AnswerWay", "AnsweredAt", "AnswerSentOn", "ClosedAt", "Version",
	).Updates(c)
	if err := db.MustAffect(result); err != nil {
		return fmt.Errorf("move complaint %d: %w", c.ID, err)
	}
	return nil
}

// recordTx writes the audit entry of an act, without the texts of the trader.
func (s *Service) recordTx(ctx context.Context, tx *db.Tx, by audit.Actor, c Complaint, act string) error {
	after, err := json.Marshal(map[string]any{
		"state": c.State, "trader": c.TraderID, "channel": c.Channel, "category": c.Category, "acknowledge_due": c.AcknowledgeDue.Format(time.DateOnly),
		"answer_due": c.AnswerDue.Format(time.DateOnly), "extended": c.ExtendedAt != nil,
	})
	if err != nil {
		return err
	}
	e := audit.By(by, s.clock.Now(), "complaint."+act, "complaint", c.ID)
	e.After = string(after)
	return audit.RecordTx(ctx, tx, e)
}
