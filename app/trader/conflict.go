package trader

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Refusals of staff who would decide with a conflict of interest.
var (
	ErrOwn      = errs.New(errs.Forbidden, "trader.own")      // about themselves, somebody they introduced, or somebody who shares a phone number, a document, a device or a payee with them
	ErrVerified = errs.New(errs.Forbidden, "trader.verified") // about money of a trader about whose identity or access they have decided
	ErrPaid     = errs.New(errs.Forbidden, "trader.paid")     // about identity or access of a trader about whose money they have decided
)

// Duty is what a member of staff decides about for a trader. They have one for each trader, for ever.
type Duty string

// The duties.
const (
	Person Duty = "person" // identity, level, and the way back into the account
	Money  Duty = "money"  // deposits, withdrawals, adjustments
)

// CheckConflict refuses a member of staff whose own trader it is. The database holds to it too, wherever it is written down who decided.
func CheckConflict(ctx context.Context, q db.Querier, staffID, traderID int64) error {
	var own bool
	if err := q.QueryRow(ctx, `SELECT staff_own($1, $2)`, staffID, traderID).Scan(&own); err != nil {
		return fmt.Errorf("ask whether %d decides about their own trader %d: %w", staffID, traderID, err)
	}
	if own {
		return ErrOwn
	}
	return nil
}

// CheckDutyConflict is NotOwn for whoever has the other duty for the trader, too. Refusals: ErrOwn, ErrVerified, ErrPaid.
func CheckDutyConflict(ctx context.Context, q db.Querier, staffID, traderID int64, duty Duty) error {
	found, err := Conflicts(ctx, q, staffID, duty, traderID)
	if err != nil {
		return err
	}
	return found[traderID]
}

// TakeDutyTx is NoConflict for a decision: from here on the member has this duty for the trader. Of two that are given at once the database refuses the second.
func TakeDutyTx(ctx context.Context, tx *db.Tx, staffID, traderID int64, duty Duty) error {
	if err := CheckDutyConflict(ctx, tx.Conn, staffID, traderID, duty); err != nil {
		return err
	}
	if _, err := tx.Conn.Exec(ctx, `SELECT take_duty($1, $2, $3)`, staffID, traderID, duty); err != nil {
		return fmt.Errorf("give %d the duty %s for trader %d: %w", staffID, duty, traderID, err)
	}
	return nil
}

// Conflicts are the refusals of staff about some traders, for the desks to show before somebody tries.
func (s *Service) Conflicts(ctx context.Context, staffID int64, duty Duty, traderIDs ...int64) (map[int64]error, error) {
	return Conflicts(ctx, s.db.Pool, staffID, duty, traderIDs...)
}

// Conflicts are the refusals of NoConflict for some traders; a trader who is not in it may be decided about.
func Conflicts(ctx context.Context, q db.Querier, staffID int64, duty Duty, traderIDs ...int64) (map[int64]error, error) {
	rows, err := q.Query(ctx, `
		SELECT id, conflict FROM (SELECT id, staff_conflict($1, id, $2) AS conflict FROM unnest($3::bigint[]) AS id) asked WHERE conflict IS NOT NULL`, staffID, duty, traderIDs)
	if err != nil {
		return nil, fmt.Errorf("ask what conflicts %d has: %w", staffID, err)
	}
	defer rows.Close()
	found := map[int64]error{}
	for rows.Next() {
		var id int64
		var why string
		if err := rows.Scan(&id, &why); err != nil {
			return nil, fmt.Errorf("ask what conflicts %d has: %w", staffID, err)
		}
		found[id] = map[string]error{"own": ErrOwn, string(Person): ErrVerified, string(Money): ErrPaid}[why]
	}
	return found, rows.Err()
}
