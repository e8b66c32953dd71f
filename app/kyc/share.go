package kyc

import (
	"context"
	"fmt"

	"candor/app/platform/db"
)

// ShareDocument reports whether two traders have ever handed in one document number.
func ShareDocument(ctx context.Context, q db.Querier, one, other int64) (shared bool, err error) {
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM kyc_applications a JOIN kyc_applications b ON b.number_hash = a.number_hash WHERE a.trader_id = $1 AND b.trader_id = $2)`,
		one, other).Scan(&shared)
	if err != nil {
		return false, fmt.Errorf("compare the documents of %d and %d: %w", one, other, err)
	}
	return shared, nil
}
