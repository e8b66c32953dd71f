package idempotency

import (
	"context"
	"fmt"

	"candor/app/platform/db"
)

// ForgetTx deletes the stored answers of a trader, whose account closes: nothing can be repeated any more.
func ForgetTx(ctx context.Context, tx *db.Tx, traderID int64) error {
	if _, err := tx.Conn.Exec(ctx, `UPDATE idempotency_keys SET result = NULL WHERE trader_id = $1`, traderID); err != nil {
		return fmt.Errorf("forget the answers of trader %d: %w", traderID, err)
	}
	return nil
}
