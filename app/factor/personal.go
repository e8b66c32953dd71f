package factor

import (
	"context"

	"candor/app/platform/db"
	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader. Secrets are not in the copy.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"factor_owners": personal.Figures},
		Export: func(ctx context.Context, traderID int64, a *personal.Archive) error {
			return a.Table(ctx, s.db.Pool, "passkeys.csv", `
				SELECT p.id AS passkey, p.name, p.created_at, p.last_used_at FROM passkeys p JOIN factor_owners o ON o.id = p.owner_id WHERE o.trader_id = $1 ORDER BY p.id`, traderID)
		},
		Erase: func(ctx context.Context, tx *db.Tx, traderID int64) error {
			_, err := s.RemoveAllTx(ctx, tx, Trader(traderID))
			return err
		},
	}
}
