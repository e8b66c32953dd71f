package trader

import (
	"fmt"

	"candor/app/platform/db"
)

// SetAuthTx sets the verification status that the app shows, and the level that limits depend on. Only identity verification calls it.
func SetAuthTx(tx *db.Tx, traderID int64, status, level int) error {
	err := tx.Rows.Model(&Trader{}).Where("id = ? AND (auth_status, level) IS DISTINCT FROM (?, ?)", traderID, status, level).
		Updates(map[string]any{"auth_status": status, "level": level}).Error
	if err != nil {
		return fmt.Errorf("set the status of trader %d: %w", traderID, err)
	}
	return nil
}
