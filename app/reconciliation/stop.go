package reconciliation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Refusals, which only staff read.
var (
	ErrUnknown = errs.New(errs.NotFound, "money_out.no_stop")     // nothing is stopped, or another stop is
	ErrWrong   = errs.New(errs.Conflict, "money_out.still_wrong") // it was not proved since that all is right
	ErrAsked   = errs.New(errs.Conflict, "money_out.asked")       // the same person has asked already
	ErrUnasked = errs.New(errs.Conflict, "money_out.not_asked")   // nobody has asked for the end, or not since it was wrong again
	ErrSelf    = errs.New(errs.Forbidden, "money_out.same_person")
	ErrBusy    = errs.New(errs.Unavailable, "money_out.proving") // a proof that somebody asked for is running
)

// StoppedTx refuses money that wants to go out while the books do not agree. It returns ErrStopped.
func (s *Service) StoppedTx(ctx context.Context, tx *db.Tx) error {
	var stopped bool
	if err := tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM money_out_stops WHERE ended_at IS NULL)`).Scan(&stopped); err != nil {
		return fmt.Errorf("ask whether money goes out: %w", err)
	}
	if stopped {
		return ErrStopped
	}
	return nil
}

// proofs is what acts when a reconciliation does.
var proofs = audit.Actor{Kind: audit.System, Name: "reconciliation"}

const stops = `SELECT m.id, m.reconciliation_id, m.at, r.wrong_table, r.wrong_row, r.wrong_what, m.asked_by, m.asked_at, m.ended_by, m.ended_at
	FROM money_out_stops m JOIN reconciliations r ON r.id = m.reconciliation_id `

func scanStop(row pgx.CollectableRow) (s Stop, err error) {
	err = row.Scan(&s.ID, &s.FoundID, &s.At, &s.Wrong.Table, &s.Wrong.Row, &s.Wrong.What, &s.AskedBy, &s.AskedAt, &s.EndedBy, &s.EndedAt)
	return s, err
}

// Living is the stop that is in force; ok is false when money goes out.
func (s *Service) Living(ctx context.Context) (stop Stop, ok bool, err error) {
	list, err := s.stops(ctx, `WHERE m.ended_at IS NULL LIMIT $1`, 1)
	if err != nil || len(list) == 0 {
		return stop, false, err
	}
	return list[0], true, nil
}

// Stops reads the last stops, newest first.
func (s *Service) Stops(ctx context.Context, limit int) ([]Stop, error) {
	return s.stops(ctx, `ORDER BY m.id DESC LIMIT $1`, limit)
}

func (s *Service) stops(ctx context.Context, which string, limit int) ([]Stop, error) {
	rows, err := s.db.Pool.Query(ctx, stops+which, limit)
	if err != nil {
		return nil, fmt.Errorf("read stops: %w", err)
	}
	return pgx.CollectRows(rows, scanStop)
}

// List reads reconciliations, newest first, behind one that was read before; 0 begins with the last.
func (s *Service) List(ctx context.Context, before int64, limit int) ([]Result, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT id, at, took_ms, proved, wrong_table, wrong_row, wrong_what FROM reconciliations WHERE $1 = 0 OR id < $1 ORDER BY id DESC LIMIT $2`, before, limit)
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

// AskEnd asks for the end of a stop, once a later reconciliation has found everything right; another person must agree. Whoever asks after somebody else
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

// onStop acts on the living stop, locked, after the last reconciliation has found everything right.
func (s *Service) onStop(ctx context.Context, by audit.Actor, stopID int64, action string, act func(*db.Tx, Stop) error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		rows, err := tx.Conn.Query(ctx, stops+`WHERE m.id = $1 AND m.ended_at IS NULL FOR UPDATE OF m`, stopID)
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
		var last int64
		var right bool
		if err := tx.Conn.QueryRow(ctx, `SELECT id, wrong_what IS NULL FROM reconciliations ORDER BY id DESC LIMIT 1`).Scan(&last, &right); err != nil {
			return fmt.Errorf("read the last reconciliation: %w", err)
		}
		if last == stop.FoundID || !right {
			return ErrWrong
		}
		if err := act(tx, stop); err != nil {
			return err
		}
		return audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), action, "money_out_stop", stopID))
	})
}

// unaskTx takes back what was asked for, since the books were wrong again meanwhile.
func (s *Service) unaskTx(ctx context.Context, tx *db.Tx) error {
	var id int64
	err := tx.Conn.QueryRow(ctx, `UPDATE money_out_stops SET asked_at = NULL, asked_by = NULL WHERE ended_at IS NULL AND asked_by IS NOT NULL RETURNING id`).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("take back what was asked of a stop: %w", err)
	}
	return audit.RecordTx(ctx, tx, audit.By(proofs, s.clock.Now(), "money_out.unask", "money_out_stop", id))
}
