package reconciliation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Refusals, shown only to staff.
var (
	ErrAlready = errs.New(errs.Conflict, "money_out.stopped_already")
	ErrUnknown = errs.New(errs.NotFound, "money_out.no_stop")     // no stop is in force, or only another one
	ErrWrong   = errs.New(errs.Conflict, "money_out.still_wrong") // no reconciliation has passed since
	ErrAsked   = errs.New(errs.Conflict, "money_out.asked")       // the same person has already asked
	ErrUnasked = errs.New(errs.Conflict, "money_out.not_asked")   // nobody has asked for the end since the last failure
	ErrSelf    = errs.New(errs.Forbidden, "money_out.same_person")
	ErrBusy    = errs.New(errs.Unavailable, "money_out.proving") // a requested reconciliation is running
)

// living is the condition of a stop in force at a moment.
const living = `m.ended_at IS NULL AND (m.until_at IS NULL OR m.until_at > $1)`

// HaltedTx returns ErrStopped while the books do not agree, or a person has stopped withdrawals.
func (s *Service) HaltedTx(ctx context.Context, tx *db.Tx) error {
	var stopped bool
	if err := tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM withdrawal_halts m WHERE `+living+`)`, s.clock.Now()).Scan(&stopped); err != nil {
		return fmt.Errorf("ask whether money goes out: %w", err)
	}
	if stopped {
		return ErrStopped
	}
	return nil
}

// proofs is the actor of reconciliations.
var proofs = audit.Actor{Kind: audit.System, Name: "reconciliation"}

const stops = `SELECT m.id, m.reconciliation_id, m.at, coalesce(r.wrong_table, ''), coalesce(r.wrong_row, ''), coalesce(r.wrong_what, ''),
		m.stopped_by, coalesce(m.reason, ''), m.until_at, m.asked_by, m.asked_at, m.ended_by, m.ended_at
	FROM withdrawal_halts m LEFT JOIN reconciliations r ON r.id = m.reconciliation_id `

func scanStop(row pgx.CollectableRow) (s Stop, err error) {
	err = row.Scan(&s.ID, &s.FoundID, &s.At, &s.Wrong.Table, &s.Wrong.Row, &s.Wrong.What, &s.StoppedBy, &s.Reason, &s.UntilAt, &s.AskedBy, &s.AskedAt, &s.EndedBy, &s.EndedAt)
	return s, err
}

// Living returns the stop in force, one by a reconciliation first; ok is false if there is none.
func (s *Service) Living(ctx context.Context) (stop Stop, ok bool, err error) {
	list, err := s.stops(ctx, `WHERE `+living+` ORDER BY m.stopped_by IS NOT NULL LIMIT 1`, s.clock.Now())
	if err != nil || len(list) == 0 {
		return stop, false, err
	}
	return list[0], true, nil
}

// Find returns a stop in force. It returns ErrUnknown for any other.
func (s *Service) Find(ctx context.Context, id int64) (stop Stop, err error) {
	list, err := s.stops(ctx, `WHERE `+living, s.clock.Now())
	if err != nil {
		return stop, err
	}
	for _, one := range list {
		if one.ID == id {
			return one, nil
		}
	}
	return stop, ErrUnknown
}

// Stops reads the last stops, newest first.
func (s *Service) Stops(ctx context.Context, limit int) ([]Stop, error) {
	return s.stops(ctx, `ORDER BY m.id DESC LIMIT $1`, limit)
}

func (s *Service) stops(ctx context.Context, which string, argument any) ([]Stop, error) {
	rows, err := s.db.Pool.Query(ctx, stops+which, argument)
	if err != nil {
		return nil, fmt.Errorf("read stops: %w", err)
	}
	return pgx.CollectRows(rows, scanStop)
}

// List reads the reconciliations before a given id, newest first; 0 starts with the newest.
func (s *Service) List(ctx context.Context, before int64, limit int) ([]Result, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT id, at, took_ms, proved, wrong_table, wrong_row, wrong_what FROM reconciliations WHERE $1::bigint = 0 OR id < $1 ORDER BY id DESC LIMIT $2`, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list reconciliations: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r Result, err error) {
		var took int64
		var table, at, what *string
		err = row.Scan(&r.ID, &r.At, &took, &r.Proved, &table, &at, &what)
		r.Took = time.Duration(took) * time.Millisecond
		if table != nil {
			r.Wrong = &audit.Problem{Table: *table, Row: *at, What: *what}
		}
		return r, err
	})
}

// Lengths lists how long a person may stop withdrawals.
var Lengths = []time.Duration{time.Hour, 4 * time.Hour, 24 * time.Hour, 72 * time.Hour}

// Length limits of a person's reason to stop, in bytes.
const (
	ShortestReason = 10
	LongestReason  = 500
)

// Stop stops withdrawals for a time; one person is enough. Refusals: fields, ErrAlready.
func (s *Service) Stop(ctx context.Context, by audit.Actor, reason string, life time.Duration) error {
	reason = strings.TrimSpace(reason)
	switch {
	case len(reason) < ShortestReason || len(reason) > LongestReason || !db.IsText(reason):
		return errs.Field("reason", "field.length")
	case !slices.Contains(Lengths, life):
		return errs.Field("life", "field.choice")
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		_, err := tx.Conn.Exec(ctx, `UPDATE withdrawal_halts SET ended_at = until_at WHERE stopped_by IS NOT NULL AND ended_at IS NULL AND until_at <= $1`, now)
		if err != nil {
			return fmt.Errorf("end the stops whose time is over: %w", err)
		}
		var id int64
		err = tx.Conn.QueryRow(ctx, `INSERT INTO withdrawal_halts (at, stopped_by, reason, until_at) VALUES ($1, $2, $3, $4) RETURNING id`,
			now, by.ID, reason, now.Add(life)).Scan(&id)
		if db.IsUnique(err, "withdrawal_halts_living") {
			return ErrAlready
		}
		if err != nil {
			return fmt.Errorf("stop money out: %w", err)
		}
		entry := audit.By(by, now, "money_out.stop", "money_out_stop", id)
		entry.After = reason
		return audit.RecordTx(ctx, tx, entry)
	})
}

// AskEnd requests the end of a stop; another person must agree. After a failed reconciliation, a later one must have passed. A request by a second person
// replaces the first. Refusals: ErrUnknown, ErrWrong, ErrAsked.
func (s *Service) AskEnd(ctx context.Context, by audit.Actor, stopID int64) error {
	return s.onStop(ctx, by, stopID, "money_out.ask", func(tx *db.Tx, stop Stop) error {
		if stop.AskedBy != nil && *stop.AskedBy == by.ID {
			return ErrAsked
		}
		_, err := tx.Conn.Exec(ctx, `UPDATE withdrawal_halts SET asked_at = $2, asked_by = $3 WHERE id = $1`, stop.ID, s.clock.Now(), by.ID)
		return err
	})
}

// Lift ends a stop as the second person, if the last reconciliation passed. Refusals: ErrUnknown, ErrWrong, ErrUnasked, ErrSelf.
func (s *Service) Lift(ctx context.Context, by audit.Actor, stopID int64) error {
	return s.onStop(ctx, by, stopID, "money_out.lift", func(tx *db.Tx, stop Stop) error {
		switch {
		case stop.AskedBy == nil:
			return ErrUnasked
		case *stop.AskedBy == by.ID:
			return ErrSelf
		}
		_, err := tx.Conn.Exec(ctx, `UPDATE withdrawal_halts SET ended_at = $2, ended_by = $3 WHERE id = $1`, stop.ID, s.clock.Now(), by.ID)
		return err
	})
}

// onStop runs act on a locked stop in force; after a failed reconciliation, the last one must have passed.
func (s *Service) onStop(ctx context.Context, by audit.Actor, stopID int64, action string, act func(*db.Tx, Stop) error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		rows, err := tx.Conn.Query(ctx, stops+`WHERE `+living+` AND m.id = $2 FOR UPDATE OF m`, s.clock.Now(), stopID)
		if err != nil {
			return fmt.Errorf("read a stop: %w", err)
		}
		stop, err := pgx.CollectExactlyOneRow(rows, scanStop)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrUnknown
		}
		if err != nil {
			return fmt.Errorf("read a stop: %w", err)
		}
		if err := provedSinceTx(ctx, tx, stop); err != nil {
			return err
		}
		if err := act(tx, stop); err != nil {
			return err
		}
		return audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), action, "money_out_stop", stopID))
	})
}

// provedSinceTx requires that the last reconciliation has passed after the one that caused the stop.
func provedSinceTx(ctx context.Context, tx *db.Tx, stop Stop) error {
	if stop.FoundID == nil {
		return nil
	}
	var last int64
	var right bool
	if err := tx.Conn.QueryRow(ctx, `SELECT id, wrong_what IS NULL FROM reconciliations ORDER BY id DESC LIMIT 1`).Scan(&last, &right); err != nil {
		return fmt.Errorf("read the last reconciliation: %w", err)
	}
	if last == *stop.FoundID || !right {
		return ErrWrong
	}
	return nil
}

// unaskTx removes the request to end a stop, since the books are wrong again.
func (s *Service) unaskTx(ctx context.Context, tx *db.Tx) error {
	var id int64
	err := tx.Conn.QueryRow(ctx, `UPDATE withdrawal_halts SET asked_at = NULL, asked_by = NULL WHERE ended_at IS NULL AND asked_by IS NOT NULL AND stopped_by IS NULL RETURNING id`).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("take back what was asked of a stop: %w", err)
	}
	return audit.RecordTx(ctx, tx, audit.By(proofs, s.clock.Now(), "money_out.unask", "money_out_stop", id))
}
