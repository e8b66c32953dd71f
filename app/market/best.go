package market

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// BestSince is the tape's best quote of a product since a quote: the one with the highest bid, or with the lowest ask; the earliest of equals. It is zero when the
// tape has none.
func BestSince(ctx context.Context, q db.Querier, productID int, seq int64, byBid bool) (best Quote, err error) {
	err = q.QueryRow(ctx, `
		SELECT `+quoteColumns+` FROM tape_quotes WHERE product_id = $1 AND seq >= $2
		ORDER BY CASE WHEN $3 THEN -bid ELSE ask END, seq LIMIT 1`, productID, seq, byBid).
		Scan(&best.ProductID, &best.Seq, &best.Bid, &best.Ask, &best.AtMS, &best.SourceMS, &best.Source, &best.Batch, &best.StoredOn)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return best, fmt.Errorf("find the best quote of product %d since %d: %w", productID, seq, err)
	}
	return best, nil
}
