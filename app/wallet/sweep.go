package wallet

import (
	"context"
	"fmt"
)

// sweepBatch is the maximum number of quotes that one statement of SweepQuotes deletes.
const sweepBatch = 1_000

// SweepQuotes deletes unused quotes that expired more than a day ago, in batches, and returns their number; a schedule runs it. It uses the database's time,
// because a trigger refuses to delete any other quote.
func (s *Service) SweepQuotes(ctx context.Context) (n int64, err error) {
	for after := int64(0); ; {
		var deleted, last int64
		if err := s.db.Pool.QueryRow(ctx, `
			WITH old AS (
				SELECT q.id FROM exchange_quotes q WHERE q.id > $1 AND q.expires_at <= now() - interval '1 day' AND NOT EXISTS (SELECT 1 FROM exchanges e WHERE e.quote_id = q.id)
				ORDER BY q.id LIMIT $2
			), gone AS (DELETE FROM exchange_quotes USING old WHERE exchange_quotes.id = old.id RETURNING exchange_quotes.id)
			SELECT count(*), coalesce(max(id), 0) FROM gone`, after, sweepBatch).Scan(&deleted, &last); err != nil {
			return n, fmt.Errorf("sweep the quotes of exchanges: %w", err)
		}
		if n += deleted; deleted < sweepBatch {
			return n, nil
		}
		after = last
	}
}
