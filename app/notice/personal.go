package notice

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{
			"user_messages": personal.Erased, "notice_reads": personal.Figures,
		},
		Export: func(ctx context.Context, traderID int64, a *personal.Archive) error {
			return a.Table(ctx, s.db.Pool, "messages.csv", `
				SELECT id AS message, at, category::text, key, args::text AS details, read_at FROM user_messages WHERE trader_id = $1 ORDER BY id`, traderID)
		},
		Erase: func(ctx context.Context, tx *db.Tx, traderID int64) error {
			if _, err := tx.Conn.Exec(ctx, `DELETE FROM user_messages WHERE trader_id = $1`, traderID); err != nil {
				return fmt.Errorf("erase the messages of trader %d: %w", traderID, err)
			}
			return nil
		},
	}
}
