package engine

import (
	"context"
	"fmt"

	"candor/app/ledger"
	"candor/app/platform/db"
)

// HasOpenPosition reports whether a trader has an open position on a real account.
func HasOpenPosition(ctx context.Context, q db.Querier, traderID int64) (has bool, err error) {
	accounts, err := ledger.ListAll(ctx, q, traderID)
	if err != nil {
		return false, err
	}
	var ids []int64
	for _, a := range accounts {
		if !a.Mock() {
			ids = append(ids, a.ID)
		}
	}
	if err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM positions WHERE account_id = ANY($1) AND state = 'open')`, ids).Scan(&has); err != nil {
		return false, fmt.Errorf("look for open positions of trader %d: %w", traderID, err)
	}
	return has, nil
}
