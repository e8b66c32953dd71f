package report

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/mail"
)

// Rhythm is how often a subscribed report comes.
type Rhythm string

// The rhythms. A weekly report comes on Mondays.
const (
	Daily  Rhythm = "daily"
	Weekly Rhythm = "weekly"
)

// Subscription is a report that a member of staff gets by mail.
type Subscription struct {
	ID      int64
	StaffID int64
	Report  string
	Rhythm  Rhythm
	Hour    int    // of the zone
	Zone    string // of the IANA list
	NextAt  time.Time
}

const subscriptionColumns = `SELECT id, staff_id, report, rhythm::text, hour, zone, next_at FROM report_subscriptions WHERE ended_at IS NULL AND `

// next is the first moment after now at which the subscription comes.
func (s Subscription) next(now time.Time) (time.Time, error) {
	zone, err := time.LoadLocation(s.Zone)
	if err != nil || s.Zone == "" || zone == time.Local {
		return time.Time{}, ErrZone
	}
	local := now.In(zone)
	for n := 0; ; n++ {
		at := time.Date(local.Year(), local.Month(), local.Day()+n, s.Hour, 0, 0, 0, zone)
		if at.After(now) && (s.Rhythm == Daily || at.Weekday() == time.Monday) {
			return at, nil
		}
	}
}

// Span is what a subscription that comes at a moment reports on: the day before, or the seven days before.
func (s Subscription) Span(at time.Time) (Span, error) {
	zone, err := time.LoadLocation(s.Zone)
	if err != nil {
		return Span{}, ErrZone
	}
	days, last := 1, at.In(zone).AddDate(0, 0, -1)
	if s.Rhythm == Weekly {
		days = 7
	}
	return NewSpan(last.AddDate(0, 0, 1-days), last, zone)
}

// Subscriptions are those of a member of staff, by report.
func (s *Service) Subscriptions(ctx context.Context, staffID int64) (map[string]Subscription, error) {
	list, err := s.subscriptions(ctx, `staff_id = $1 ORDER BY id LIMIT 100`, staffID)
	out := map[string]Subscription{}
	for _, one := range list {
		out[one.Report] = one
	}
	return out, err
}

func (s *Service) subscriptions(ctx context.Context, condition string, args ...any) ([]Subscription, error) {
	rows, err := s.db.Pool.Query(ctx, subscriptionColumns+condition, args...)
	if err != nil {
		return nil, fmt.Errorf("read subscriptions: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Subscription])
	if err != nil {
		return nil, fmt.Errorf("read subscriptions: %w", err)
	}
	return list, nil
}

// Subscribe lets a report come to the member's own address. Refusals: ErrRhythm, ErrZone, ErrTwice. The caller has checked that the member may read it.
func (s *Service) Subscribe(ctx context.Context, by audit.Actor, report string, rhythm Rhythm, hour int, zone string) error {
	one := Subscription{StaffID: by.ID, Report: report, Rhythm: rhythm, Hour: hour, Zone: zone}
	if rhythm != Daily && rhythm != Weekly || hour < 0 || hour > 23 {
		return ErrRhythm
	}
	now := s.clock.Now()
	next, err := one.next(now)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		err := tx.Conn.QueryRow(ctx, `INSERT INTO report_subscriptions (staff_id, report, rhythm, hour, zone, next_at, created_at) VALUES ($1, $2, $3::text, $4, $5, $6, $7) RETURNING id`,
			by.ID, report, rhythm, hour, zone, next, now).Scan(&one.ID)
		var broken *pgconn.PgError
		if errors.As(err, &broken) && broken.Code == "23505" {
			return ErrTwice
		}
		if err != nil {
			return fmt.Errorf("subscribe the report %s: %w", report, err)
		}
		return record(ctx, tx, by, now, "report.subscribe", one)
	})
}

// Unsubscribe ends the member's own subscription of a report. Refusal: ErrUnknown.
func (s *Service) Unsubscribe(ctx context.Context, by audit.Actor, report string) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		return s.endTx(ctx, tx, by, "report.unsubscribe", by.ID, report)
	})
}

func (s *Service) endTx(ctx context.Context, tx *db.Tx, by audit.Actor, action string, staffID int64, report string) error {
	one, now := Subscription{StaffID: staffID, Report: report}, s.clock.Now()
	err := tx.Conn.QueryRow(ctx, `UPDATE report_subscriptions SET ended_at = $3 WHERE staff_id = $1 AND report = $2 AND ended_at IS NULL RETURNING id`, staffID, report, now).Scan(&one.ID)
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrUnknown
	}
	if err != nil {
		return fmt.Errorf("end the subscription of the report %s: %w", report, err)
	}
	return record(ctx, tx, by, now, action, one)
}

func record(ctx context.Context, tx *db.Tx, by audit.Actor, at time.Time, action string, one Subscription) error {
	entry := audit.By(by, at, action, "report", one.Report)
	return audit.RecordTx(ctx, tx, entry)
}

// mailer is the actor of what happens by itself.
var mailer = audit.Actor{Kind: audit.System, Name: "reports"}

// dueAtOnce is how many subscriptions one run sends.
const dueAtOnce = 200

// Write makes the mail of a subscription that is due. It returns ok false where the member may not read the report any more: that ends the subscription.
type Write func(ctx context.Context, due Subscription) (m mail.Message, ok bool, err error)

// SendDue sends the subscribed reports whose time has come, each once. One that fails is tried again with the next run, and holds up no other.
func (s *Service) SendDue(ctx context.Context, outbox *mail.Outbox, write Write) error {
	due, err := s.subscriptions(ctx, `next_at <= $1 ORDER BY next_at LIMIT $2`, s.clock.Now(), dueAtOnce)
	if err != nil {
		return err
	}
	var failed []error
	for _, one := range due {
		failed = append(failed, s.send(ctx, outbox, one, write))
	}
	return errors.Join(failed...)
}

func (s *Service) send(ctx context.Context, outbox *mail.Outbox, due Subscription, write Write) error {
	m, ok, err := write(ctx, due)
	if err != nil {
		return fmt.Errorf("write the report %s: %w", due.Report, err)
	}
	now := s.clock.Now()
	next, err := due.next(now)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if !ok {
			return s.endTx(ctx, tx, mailer, "report.stop", due.StaffID, due.Report)
		}
		done, err := tx.Conn.Exec(ctx, `UPDATE report_subscriptions SET next_at = $3 WHERE id = $1 AND next_at = $2 AND ended_at IS NULL`, due.ID, due.NextAt, next)
		if err != nil || done.RowsAffected() == 0 { // another server has sent it, or it has ended
			return err
		}
		m.CreatedAt = now
		if err := outbox.SendTx(ctx, tx, m); err != nil {
			return err
		}
		return record(ctx, tx, mailer, now, "report.send", due)
	})
}
