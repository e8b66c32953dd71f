package drawing

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"drawings": personal.Erased},
		Export: func(ctx context.Context, traderID int64, a *personal.Archive) error {
			return a.Table(ctx, s.db.Pool, "drawings.csv", `
				SELECT id AS drawing, product_id AS product, tool, anchors::text, style::text, note, locked, hidden, changed_at, deleted_at
				FROM drawings WHERE trader_id = $1 ORDER BY changed_at, id`, traderID)
		},
		Erase: func(ctx context.Context, tx *db.Tx, traderID int64) error {
			if _, err := tx.Conn.Exec(ctx, `DELETE FROM drawings WHERE trader_id = $1`, traderID); err != nil {
				return fmt.Errorf("erase the drawings of trader %d: %w", traderID, err)
			}
			return nil
		},
	}
}
