package trader

import (
	"context"
	"fmt"

	"candor/app/platform/db"
)

// SetAuthTx sets the verification status that the app shows, and the level that limits depend on. Only identity verification calls it.
func SetAuthTx(ctx context.Context, tx *db.Tx, traderID int64, status, level int) error {
	_, err := tx.Conn.Exec(ctx, `UPDATE traders SET auth_status = $2, level = $3 WHERE id = $1 AND (auth_status, level) IS DISTINCT FROM ($2, $3)`,
		traderID, status, level)
	if err != nil {
		return fmt.Errorf("set the status of trader %d: %w", traderID, err)
	}
	return nil
}
