package staff

import (
	"context"
	"fmt"

	"candor/app/platform/db"
)

// LockTx locks a member's row until the transaction ends: work that counts what a member has done is done by one caller at a time.
func LockTx(ctx context.Context, tx *db.Tx, staffID int64) error {
	if _, err := tx.Conn.Exec(ctx, `SELECT FROM staff WHERE id = $1 FOR NO KEY UPDATE`, staffID); err != nil {
		return fmt.Errorf("lock staff %d: %w", staffID, err)
	}
	return nil
}
