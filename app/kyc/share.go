package kyc

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// SharingDocument lists the other traders who have handed in the document of a trader.
func SharingDocument(ctx context.Context, q db.Querier, traderID int64) ([]int64, error) {
	rows, err := q.Query(ctx, `
		SELECT DISTINCT b.trader_id FROM kyc_applications a JOIN kyc_applications b ON b.number_hash = a.number_hash AND b.trader_id <> a.trader_id WHERE a.trader_id = $1`, traderID)
	if err != nil {
		return nil, fmt.Errorf("look for others with the document of %d: %w", traderID, err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// ShareDocument reports whether two traders have ever handed in one document number.
func ShareDocument(ctx context.Context, q db.Querier, one, other int64) (shared bool, err error) {
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM kyc_applications a JOIN kyc_applications b ON b.number_hash = a.number_hash WHERE a.trader_id = $1 AND b.trader_id = $2)`,
		one, other).Scan(&shared)
	if err != nil {
		return false, fmt.Errorf("compare the documents of %d and %d: %w", one, other, err)
	}
	return shared, nil
}
