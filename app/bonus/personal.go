package bonus

import (
	"context"

	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"bonuses": personal.Figures},
		Export: func(ctx context.Context, traderID int64, a *personal.Archive) error {
			return a.Table(ctx, s.DB.Pool, "bonuses.csv", `
				SELECT id AS bonus, campaign_id AS campaign, state::text, `+personal.Amount("amount")+`, `+personal.Amount("remaining")+`,
					days, terms, offered_at, accept_by, accepted_at, deposit_id AS deposit, granted_at, expires_at, ended_at FROM bonuses WHERE trader_id = $1 ORDER BY id`, traderID)
		},
	}
}
