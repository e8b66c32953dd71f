package reconciliation

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

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
const living = `ended_at IS NULL AND (until_at IS NULL OR until_at > ?)`

// HaltedTx returns ErrStopped while the books do not agree, or a person has stopped withdrawals.
func (s *Service) HaltedTx(tx *db.Tx) error {
	var stop Stop
	if err := tx.Rows.Where(living, s.clock.Now()).Limit(1).Find(&stop).Error; err != nil {
		return fmt.Errorf("ask whether money goes out: %w", err)
	}
	if stop.ID != 0 {
		return ErrStopped
	}
	return nil
}

// proofs is the actor of reconciliations.
var proofs = audit.Actor{Kind: audit.System, Name: "reconciliation"}

// stops reads stops with what was found wrong.
func (s *Service) stops(ctx context.Context) *gorm.DB {
	return s.db.Rows(ctx).Select("withdrawal_halts.*, wrong_table, wrong_row, wrong_what").Joins("LEFT JOIN reconciliations r ON r.id = reconciliation_id")
}

// Living returns the stop in force, one by a reconciliation first; ok is false if there is none.
func (s *Service) Living(ctx context.Context) (stop Stop, ok bool, err error) {
	if err = s.stops(ctx).Where(living, s.clock.Now()).Order("stopped_by IS NOT NULL").Limit(1).Find(&stop).Error; err != nil {
		return stop, false, fmt.Errorf("read the stop in force: %w", err)
	}
	return stop, stop.ID != 0, nil
}

// Find returns a stop in force. It returns ErrUnknown for any other.
func (s *Service) Find(ctx context.Context, id int64) (stop Stop, err error) {
	err = s.stops(ctx).Where("withdrawal_halts.id = ?", id).Where(living, s.clock.Now()).Limit(1).Find(&stop).Error
	switch {
	case err != nil:
		return stop, fmt.Errorf("read stop %d: %w", id, err)
	case stop.ID == 0:
		return stop, ErrUnknown
	}
	return stop, nil
}

// Stops reads the last stops, newest first.
func (s *Service) Stops(ctx context.Context, limit int) (list []Stop, err error) {
	if err = s.stops(ctx).Order("withdrawal_halts.id DESC").Limit(limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read stops: %w", err)
	}
	return list, nil
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
		err := tx.Rows.Model(&Stop{}).Where("stopped_by IS NOT NULL AND ended_at IS NULL AND until_at <= ?", now).Update("ended_at", gorm.Expr("until_at")).Error
		if err != nil {
			return fmt.Errorf("end the stops whose time is over: %w", err)
		}
		until := now.Add(life)
		stop := Stop{At: now, StoppedBy: &by.ID, Reason: reason, UntilAt: &until}
		err = tx.Rows.Select("At", "StoppedBy", "Reason", "UntilAt").Create(&stop).Error
		if db.IsUnique(err, "withdrawal_halts_living") {
			return ErrAlready
		}
		if err != nil {
			return fmt.Errorf("stop money out: %w", err)
		}
		entry := audit.By(by, now, "money_out.stop", "money_out_stop", stop.ID)
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
		return tx.Rows.Model(&Stop{}).Where("id = ?", stop.ID).Updates(map[string]any{"asked_at": s.clock.Now(), "asked_by": by.ID}).Error
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
		return tx.Rows.Model(&Stop{}).Where("id = ?", stop.ID).Updates(map[string]any{"ended_at": s.clock.Now(), "ended_by": by.ID}).Error
	})
}

// onStop runs act on a locked stop in force; after a failed reconciliation, the last one must have passed.
func (s *Service) onStop(ctx context.Context, by audit.Actor, stopID int64, action string, act func(*db.Tx, Stop) error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		var stop Stop
		err := tx.ForUpdate().Where("id = ?", stopID).Where(living, s.clock.Now()).Limit(1).Find(&stop).Error
		switch {
		case err != nil:
			return fmt.Errorf("lock stop %d: %w", stopID, err)
		case stop.ID == 0:
			return ErrUnknown
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
	var stop Stop
	err := tx.Rows.Model(&stop).Clauses(clause.Returning{Columns: []clause.Column{{Name: "id"}}}).
		Where("ended_at IS NULL AND asked_by IS NOT NULL AND stopped_by IS NULL").Updates(map[string]any{"asked_at": nil, "asked_by": nil}).Error
	if err != nil {
		return fmt.Errorf("withdraw the request to end a stop: %w", err)
	}
	if stop.ID == 0 {
		return nil
	}
	return audit.RecordTx(ctx, tx, audit.By(proofs, s.clock.Now(), "money_out.unask", "money_out_stop", stop.ID))
}
