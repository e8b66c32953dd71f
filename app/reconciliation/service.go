package reconciliation

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"gorm.io/gorm/clause"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
)

// Service implements reconciliation for the back office and the scheduler.
type Service struct {
	db    *db.DB
	clock clock.Clock
	asked sync.Mutex // one requested reconciliation at a time: each reads all postings
}

// New makes the service.
func New(d *db.DB, c clock.Clock) *Service { return &Service{db: d, clock: c} }

// Prove checks on one snapshot whether everything agrees, and returns the first wrong row and the number of postings checked.
// Requests made before since are not checked one by one.
func Prove(ctx context.Context, d *db.DB, since time.Time) (problem *audit.Problem, proved int64, err error) {
	err = d.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`); err != nil {
			return err
		}
		if problem, proved, err = ledger.Verify(ctx, tx.Conn); err != nil || problem != nil {
			return err
		}
		for _, check := range checks {
			if problem, err = audit.FindProblem(ctx, tx.Conn, check.table, check.sql, since); err != nil || problem != nil {
				return err
			}
		}
		return nil
	})
	return problem, proved, err
}

// lookBack is how far back each minute's run checks requests one by one; candor verify checks all of them.
const lookBack = 30 * 24 * time.Hour

// Run proves everything once and records the result. A wrong row stops withdrawals until people lift the stop.
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
		stop := Stop{FoundID: &r.ID, At: r.At}
		if err := tx.Rows.Clauses(clause.OnConflict{DoNothing: true}).Select("FoundID", "At").Create(&stop).Error; err != nil {
			return err
		}
		if stopped = stop.ID != 0; !stopped {
			return s.unaskTx(ctx, tx)
		}
		entry := audit.By(proofs, r.At, "money_out.stop", "reconciliation", r.ID)
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

// RunFor is Run for a staff member who doesn't wait for the next minute. Refusal: ErrBusy.
func (s *Service) RunFor(ctx context.Context, by audit.Actor) (r Result, err error) {
	if !s.asked.TryLock() {
		return r, ErrBusy
	}
	defer s.asked.Unlock()
	if r, err = s.Run(ctx); err != nil {
		return r, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		return audit.RecordTx(ctx, tx, audit.By(by, r.At, "reconciliation.run", "reconciliation", r.ID))
	})
	return r, err
}
