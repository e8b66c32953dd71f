package payee

import (
	"context"
	"fmt"

	"candor/app/platform/db"
)

// Share reports whether two traders have ever saved one bank account, or one address with the memo.
func Share(ctx context.Context, q db.Querier, one, other int64) (shared bool, err error) {
	err = q.QueryRow(ctx, `
		SELECT EXISTS (SELECT 1 FROM payees a JOIN payees b ON b.iban = a.iban WHERE a.trader_id = $1 AND b.trader_id = $2 AND a.kind = 'bank' AND b.kind = 'bank')
		OR EXISTS (SELECT 1 FROM payees a JOIN payees b ON (b.address, b.memo) = (a.address, a.memo) WHERE a.trader_id = $1 AND b.trader_id = $2 AND a.kind = 'address' AND b.kind = 'address')`,
		one, other).Scan(&shared)
	if err != nil {
		return false, fmt.Errorf("compare the payees of %d and %d: %w", one, other, err)
	}
	return shared, nil
}
