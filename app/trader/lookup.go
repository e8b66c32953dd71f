package trader

import (
	"context"
	"fmt"
	"time"

	"candor/app/platform/db"
)

// Exists reports whether there is such a trader.
func Exists(ctx context.Context, q db.Querier, traderID int64) (found bool, err error) {
	if err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM traders WHERE id = $1)`, traderID).Scan(&found); err != nil {
		return false, fmt.Errorf("look for trader %d: %w", traderID, err)
	}
	return found, nil
}

// LockTx locks a trader's row until the transaction ends: work that counts what a trader has is done by one caller at a time.
func LockTx(ctx context.Context, tx *db.Tx, traderID int64) error {
	if _, err := tx.Conn.Exec(ctx, `SELECT FROM traders WHERE id = $1 FOR NO KEY UPDATE`, traderID); err != nil {
		return fmt.Errorf("lock trader %d: %w", traderID, err)
	}
	return nil
}

// LevelOf is a trader's identity level; limits follow it.
func LevelOf(ctx context.Context, q db.Querier, traderID int64) (level int, err error) {
	if err = q.QueryRow(ctx, `SELECT level FROM traders WHERE id = $1`, traderID).Scan(&level); err != nil {
		return 0, fmt.Errorf("read the level of trader %d: %w", traderID, err)
	}
	return level, nil
}

// WasLocked reports whether a withdrawal lock of a trader ended, or will end, after a moment.
func WasLocked(ctx context.Context, q db.Querier, traderID int64, since time.Time) (locked bool, err error) {
	if err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM withdrawal_locks WHERE trader_id = $1 AND until_at > $2)`, traderID, since).Scan(&locked); err != nil {
		return false, fmt.Errorf("look for withdrawal locks of trader %d: %w", traderID, err)
	}
	return locked, nil
}
