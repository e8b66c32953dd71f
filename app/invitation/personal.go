package invitation

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/personal"
)

// HasUnpaid reports whether a trader has rebates that are not paid yet.
func HasUnpaid(ctx context.Context, q db.Querier, traderID int64) (has bool, err error) {
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM rebates WHERE inviter_id = $1 AND payment_id IS NULL AND reversed < amount)`, traderID).Scan(&has)
	if err != nil {
		return false, fmt.Errorf("look for unpaid rebates of trader %d: %w", traderID, err)
	}
	return has, nil
}

// Personal is what this package keeps about a trader.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"rebates": personal.Figures, "rebate_payments": personal.Figures, "void_invitations": personal.Figures},
		Export: func(ctx context.Context, traderID int64, a *personal.Archive) error {
			return a.Table(ctx, s.DB.Pool, "rebates.csv", `
				SELECT fill_id AS fill, filled_at, trim_scale(commission::numeric / 1000000)::text AS commission, trim_scale(markup::numeric / 1000000)::text AS markup, trim_scale(amount::numeric / 1000000)::text AS rebate,
					trim_scale(reversed::numeric / 1000000)::text AS reversed, payment_id AS payment FROM rebates WHERE inviter_id = $1 ORDER BY fill_id`, traderID)
		},
	}
}
