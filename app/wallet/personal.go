package wallet

import (
	"context"

	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader. The amounts are in the ledger's entries.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"transfers": personal.Figures, "exchanges": personal.Figures, "exchange_quotes": personal.Figures},
		Export: func(ctx context.Context, traderID int64, a *personal.Archive) error {
			err := a.Table(ctx, s.db.Pool, "transfers.csv", `
				SELECT id AS transfer, from_account, to_account, transaction_id AS transaction, created_at FROM transfers WHERE trader_id = $1 ORDER BY id`, traderID)
			if err != nil {
				return err
			}
			return a.Table(ctx, s.db.Pool, "exchanges.csv", `
				SELECT id AS exchange, from_account, to_account, transaction_id AS transaction, created_at FROM exchanges WHERE trader_id = $1 ORDER BY id`, traderID)
		},
	}
}
