package trader

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff/member"
)

// Refusals of a member of staff with a conflict of interest.
var (
	ErrOwn      = errs.New(errs.Forbidden, "trader.own")      // own account, one they introduced, or one sharing a phone number, document, device or payee
	ErrVerified = errs.New(errs.Forbidden, "trader.verified") // a money decision by a member who decided on this trader's identity or access
	ErrPaid     = errs.New(errs.Forbidden, "trader.paid")     // an identity or access decision by a member who decided on this trader's money
)

// CheckConflict refuses a member of staff with a personal conflict of interest. Refusal: ErrOwn. The database enforces the rule too, wherever it stores who
// decided.
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

// CheckDutyConflict is CheckConflict and also refuses a member with the other duty for the trader. Refusals: ErrOwn, ErrVerified, ErrPaid.
func CheckDutyConflict(ctx context.Context, q db.Querier, staffID, traderID int64, duty member.Duty) error {
	found, err := Conflicts(ctx, q, staffID, duty, traderID)
	if err != nil {
		return err
	}
	return found[traderID]
}

// TakeDutyTx is CheckDutyConflict for a decision, and records the duty. Of two concurrent different duties the database refuses the second.
func TakeDutyTx(ctx context.Context, tx *db.Tx, staffID, traderID int64, duty member.Duty) error {
	if err := CheckDutyConflict(ctx, tx.Conn, staffID, traderID, duty); err != nil {
		return err
	}
	if _, err := tx.Conn.Exec(ctx, `SELECT take_duty($1, $2, $3)`, staffID, traderID, duty); err != nil {
		return fmt.Errorf("give %d the duty %s for trader %d: %w", staffID, duty, traderID, err)
	}
	return nil
}

// Conflicts returns the member's refusals for some traders, so that the back office can show them before an attempt.
func (s *Service) Conflicts(ctx context.Context, staffID int64, duty member.Duty, traderIDs ...int64) (map[int64]error, error) {
	return Conflicts(ctx, s.db.Pool, staffID, duty, traderIDs...)
}

// Conflicts returns the refusals of CheckDutyConflict for some traders; a trader without an entry has none.
func Conflicts(ctx context.Context, q db.Querier, staffID int64, duty member.Duty, traderIDs ...int64) (map[int64]error, error) {
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
		found[id] = map[string]error{"own": ErrOwn, string(member.IdentityDuty): ErrVerified, string(member.MoneyDuty): ErrPaid}[why]
	}
	return found, rows.Err()
}
