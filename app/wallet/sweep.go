package wallet

import (
	"context"
	"fmt"
)

// sweepBatch is how many quotes one statement of SweepQuotes deletes at most.
const sweepBatch = 1_000

// SweepQuotes deletes the quotes that expired more than a day ago and that no exchange took, batch by batch, and returns how many; it is work for a schedule.
// The database tells the time, because its trigger refuses any other quote.
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
