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
	}
}
