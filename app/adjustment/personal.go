package adjustment

import (
	"context"

	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"adjustments": personal.Figures},
		Export: func(ctx context.Context, traderID int64, a *personal.Archive) error {
			return a.Table(ctx, s.db.Pool, "adjustments.csv", `
				SELECT id AS adjustment, account_id AS account, currency::text, `+personal.Amount("amount")+`, reason::text, case_kind::text, case_id AS case, created_at FROM adjustments WHERE trader_id = $1 ORDER BY id`, traderID)
		},
	}
}
