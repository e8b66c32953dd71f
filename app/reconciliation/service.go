package reconciliation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
)

// Service is what the doors and the clock call.
type Service struct {
	db    *db.DB
	clock clock.Clock
}

// New makes the service.
func New(d *db.DB, c clock.Clock) *Service { return &Service{d, c} }

// Prove looks whether everything fits, on one snapshot, and names the first row that does not. It counts the postings that it proved. Requests that were
// made before since are not looked at one by one.
func Prove(ctx context.Context, d *db.DB, since time.Time) (problem *audit.Problem, proved int64, err error) {
	err = d.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`); err != nil {
			return err
		}
		if problem, proved, err = ledger.Verify(ctx, tx.Conn); err != nil || problem != nil {
			return err
		}
		for _, check := range checks {
			found := audit.Problem{Table: check.table}
			err := tx.Conn.QueryRow(ctx, check.sql, since).Scan(&found.Row, &found.What)
			if errors.Is(err, pgx.ErrNoRows) {
				continue
			}
			if err != nil {
				return fmt.Errorf("reconcile %s: %w", check.table, err)
			}
			problem = &found
			return nil
		}
		return nil
	})
	return problem, proved, err
}

// lookBack is how far requests are looked at one by one each minute; candor verify looks at all.
const lookBack = 30 * 24 * time.Hour

// Run proves everything once and writes down what was found. Something wrong stops money from going out, until somebody lets it go on.
func (s *Service) Run(ctx context.Context) (r Result, err error) {
	start := time.Now()
	r.At = s.clock.Now()
	if r.Wrong, r.Proved, err = Prove(ctx, s.db, r.At.Add(-lookBack)); err != nil {
		return r, err
	}
	r.Took = time.Since(start)
	stopped := false
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var table, row, what *string
		if r.Wrong != nil {
			table, row, what = &r.Wrong.Table, &r.Wrong.Row, &r.Wrong.What
		}
		err := tx.Conn.QueryRow(ctx, `INSERT INTO reconciliations (at, took_ms, proved, wrong_table, wrong_row, wrong_what) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
			r.At, r.Took.Milliseconds(), r.Proved, table, row, what).Scan(&r.ID)
		if err != nil || r.Wrong == nil {
			return err
		}
		tag, err := tx.Conn.Exec(ctx, `INSERT INTO money_out_stops (reconciliation_id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, r.ID, r.At)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		stopped = true
		entry := audit.By(audit.Actor{Kind: audit.System, Name: "reconciliation"}, r.At, "money_out.stop", "reconciliation", r.ID)
		after, err := json.Marshal(map[string]string{"table": r.Wrong.Table, "row": r.Wrong.Row, "what": r.Wrong.What})
		if err != nil {
			return err
		}
		entry.After = string(after)
		return audit.RecordTx(ctx, tx, entry)
	})
	if err != nil {
		return r, fmt.Errorf("write down a reconciliation: %w", err)
	}
	if stopped {
		slog.ErrorContext(ctx, "the books do not agree: no money goes out", "table", r.Wrong.Table, "row", r.Wrong.Row, "what", r.Wrong.What)
	}
	return r, nil
}

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

// Living is the stop that is in force; ok is false when money goes out.
func (s *Service) Living(ctx context.Context) (stop Stop, ok bool, err error) {
	err = s.db.Pool.QueryRow(ctx, `
		SELECT m.id, m.at, r.wrong_table, r.wrong_row, r.wrong_what FROM money_out_stops m JOIN reconciliations r ON r.id = m.reconciliation_id WHERE m.ended_at IS NULL`).
		Scan(&stop.ID, &stop.At, &stop.Wrong.Table, &stop.Wrong.Row, &stop.Wrong.What)
	if errors.Is(err, pgx.ErrNoRows) {
		return stop, false, nil
	}
	return stop, err == nil, err
}

// List reads the last reconciliations, newest first.
func (s *Service) List(ctx context.Context, limit int) ([]Result, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT id, at, took_ms, proved, wrong_table, wrong_row, wrong_what FROM reconciliations ORDER BY id DESC LIMIT $1`, limit)
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

// Lift lets money go out again, once a later reconciliation has found everything right. Refusals: ErrUnknown, ErrWrong.
func (s *Service) Lift(ctx context.Context, by audit.Actor, stopID int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		var since int64
		err := tx.Conn.QueryRow(ctx, `SELECT reconciliation_id FROM money_out_stops WHERE id = $1 AND ended_at IS NULL FOR UPDATE`, stopID).Scan(&since)
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
		if last == since || !right {
			return ErrWrong
		}
		now := s.clock.Now()
		if _, err := tx.Conn.Exec(ctx, `UPDATE money_out_stops SET ended_at = $2, ended_by = $3 WHERE id = $1`, stopID, now, by.ID); err != nil {
			return fmt.Errorf("end a stop: %w", err)
		}
		return audit.RecordTx(ctx, tx, audit.By(by, now, "money_out.lift", "money_out_stop", stopID))
	})
}
