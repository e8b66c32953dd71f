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

// Refusals, which only staff read.
var (
	ErrAlready = errs.New(errs.Conflict, "money_out.stopped_already")
	ErrUnknown = errs.New(errs.NotFound, "money_out.no_stop")     // nothing is stopped, or another stop is
	ErrWrong   = errs.New(errs.Conflict, "money_out.still_wrong") // it was not proved since that all is right
	ErrAsked   = errs.New(errs.Conflict, "money_out.asked")       // the same person has asked already
	ErrUnasked = errs.New(errs.Conflict, "money_out.not_asked")   // nobody has asked for the end, or not since it was wrong again
	ErrSelf    = errs.New(errs.Forbidden, "money_out.same_person")
	ErrBusy    = errs.New(errs.Unavailable, "money_out.proving") // a proof that somebody asked for is running
)

// living is what makes a stop one that is in force at a moment.
const living = `m.ended_at IS NULL AND (m.until_at IS NULL OR m.until_at > $1)`

// StoppedTx refuses money that wants to go out while the books do not agree, or somebody has stopped it. It returns ErrStopped.
func (s *Service) StoppedTx(ctx context.Context, tx *db.Tx) error {
	var stopped bool
	if err := tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM money_out_stops m WHERE `+living+`)`, s.clock.Now()).Scan(&stopped); err != nil {
		return fmt.Errorf("ask whether money goes out: %w", err)
	}
	if stopped {
		return ErrStopped
	}
	return nil
}

// proofs is what acts when a reconciliation does.
var proofs = audit.Actor{Kind: audit.System, Name: "reconciliation"}

const stops = `SELECT m.id, m.reconciliation_id, m.at, coalesce(r.wrong_table, ''), coalesce(r.wrong_row, ''), coalesce(r.wrong_what, ''),
		m.stopped_by, coalesce(m.reason, ''), m.until_at, m.asked_by, m.asked_at, m.ended_by, m.ended_at
	FROM money_out_stops m LEFT JOIN reconciliations r ON r.id = m.reconciliation_id `

func scanStop(row pgx.CollectableRow) (s Stop, err error) {
	err = row.Scan(&s.ID, &s.FoundID, &s.At, &s.Wrong.Table, &s.Wrong.Row, &s.Wrong.What, &s.StoppedBy, &s.Reason, &s.UntilAt, &s.AskedBy, &s.AskedAt, &s.EndedBy, &s.EndedAt)
	return s, err
}

// Living is the stop that is in force, before others that of the books; ok is false when money goes out.
func (s *Service) Living(ctx context.Context) (stop Stop, ok bool, err error) {
	list, err := s.stops(ctx, `WHERE `+living+` ORDER BY m.stopped_by IS NOT NULL LIMIT 1`, s.clock.Now())
	if err != nil || len(list) == 0 {
		return stop, false, err
	}
	return list[0], true, nil
}

// Find is a stop that is in force. It returns ErrUnknown for any other.
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

// List reads reconciliations, newest first, behind one that was read before; 0 begins with the last.
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

// Lengths are how long a person may stop all money out.
var Lengths = []time.Duration{time.Hour, 4 * time.Hour, 24 * time.Hour, 72 * time.Hour}

// Bounds of the reason of a person's stop, in bytes.
const (
	ShortestReason = 10
	LongestReason  = 500
)

// Stop keeps all money in for a time: one person's word. Refusals: fields, ErrAlready.
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
		_, err := tx.Conn.Exec(ctx, `UPDATE money_out_stops SET ended_at = until_at WHERE stopped_by IS NOT NULL AND ended_at IS NULL AND until_at <= $1`, now)
		if err != nil {
			return fmt.Errorf("end the stops whose time is over: %w", err)
		}
		var id int64
		err = tx.Conn.QueryRow(ctx, `INSERT INTO money_out_stops (at, stopped_by, reason, until_at) VALUES ($1, $2, $3, $4) RETURNING id`,
			now, by.ID, reason, now.Add(life)).Scan(&id)
		if db.IsUnique(err, "money_out_stops_living") {
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

// AskEnd asks for the end of a stop, one of the books once a later reconciliation has found everything right; another person must agree. Whoever asks after somebody else
// takes their place. Refusals: ErrUnknown, ErrWrong, ErrAsked.
func (s *Service) AskEnd(ctx context.Context, by audit.Actor, stopID int64) error {
	return s.onStop(ctx, by, stopID, "money_out.ask", func(tx *db.Tx, stop Stop) error {
		if stop.AskedBy != nil && *stop.AskedBy == by.ID {
			return ErrAsked
		}
		_, err := tx.Conn.Exec(ctx, `UPDATE money_out_stops SET asked_at = $2, asked_by = $3 WHERE id = $1`, stop.ID, s.clock.Now(), by.ID)
		return err
	})
}

// Lift lets money go out again: the word of a second person, when everything is right still. Refusals: ErrUnknown, ErrWrong, ErrUnasked, ErrSelf.
func (s *Service) Lift(ctx context.Context, by audit.Actor, stopID int64) error {
	return s.onStop(ctx, by, stopID, "money_out.lift", func(tx *db.Tx, stop Stop) error {
		switch {
		case stop.AskedBy == nil:
			return ErrUnasked
		case *stop.AskedBy == by.ID:
			return ErrSelf
		}
		_, err := tx.Conn.Exec(ctx, `UPDATE money_out_stops SET ended_at = $2, ended_by = $3 WHERE id = $1`, stop.ID, s.clock.Now(), by.ID)
		return err
	})
}

// onStop acts on a living stop, locked; on one of the books after the last reconciliation has found everything right.
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

// provedSinceTx wants that the books were found right after a stop that they caused.
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

// unaskTx takes back what was asked for, since the books were wrong again meanwhile.
func (s *Service) unaskTx(ctx context.Context, tx *db.Tx) error {
	var id int64
	err := tx.Conn.QueryRow(ctx, `UPDATE money_out_stops SET asked_at = NULL, asked_by = NULL WHERE ended_at IS NULL AND asked_by IS NOT NULL AND stopped_by IS NULL RETURNING id`).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("take back what was asked of a stop: %w", err)
	}
	return audit.RecordTx(ctx, tx, audit.By(proofs, s.clock.Now(), "money_out.unask", "money_out_stop", id))
}
