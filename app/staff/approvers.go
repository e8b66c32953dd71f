package staff

import (
	"context"
	"fmt"

	"candor/app/platform/db"
)

// ApproversTx reports whether two different members of staff exist of whom one may give the first approval of a payout and the other the second.
func ApproversTx(ctx context.Context, tx *db.Tx) (there bool, err error) {
	err = tx.Conn.QueryRow(ctx, `
		SELECT EXISTS (
			SELECT 1 FROM staff_roles m JOIN staff_roles c ON c.staff_id <> m.staff_id JOIN staff a ON a.id = m.staff_id JOIN staff b ON b.id = c.staff_id
			WHERE m.role = $1 AND c.role = $2 AND a.state = $3 AND b.state = $3)`, FinanceMaker, FinanceChecker, Active).Scan(&there)
	if err != nil {
		return false, fmt.Errorf("look for two approvers: %w", err)
	}
	return there, nil
}
