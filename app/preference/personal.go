package preference

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"trader_preferences": personal.Erased},
		Export: func(ctx context.Context, traderID int64, a *personal.Archive) error {
			return a.Table(ctx, s.db.Pool, "preferences.csv", `SELECT name AS preference, value::text, changed_at FROM trader_preferences WHERE trader_id = $1 ORDER BY name`, traderID)
		},
		Erase: func(ctx context.Context, tx *db.Tx, traderID int64) error {
			if _, err := tx.Conn.Exec(ctx, `DELETE FROM trader_preferences WHERE trader_id = $1`, traderID); err != nil {
				return fmt.Errorf("erase the preferences of trader %d: %w", traderID, err)
			}
			return nil
		},
	}
}
