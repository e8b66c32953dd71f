package deposit

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// Credit is a credited deposit.
type Credit struct {
	ID     int64
	Amount int64 // received, in 10^-6
	At     time.Time
}

// Credits are a trader's credited deposits: their total, and the newest ones, at most limit, newest first.
func Credits(ctx context.Context, q db.Querier, traderID int64, limit int) (total int64, newest []Credit, err error) {
	if err = q.QueryRow(ctx, `SELECT coalesce(sum(received), 0) FROM deposits WHERE trader_id = $1 AND state = 'credited'`, traderID).Scan(&total); err != nil {
		return 0, nil, fmt.Errorf("sum up the deposits of trader %d: %w", traderID, err)
	}
	rows, err := q.Query(ctx, `SELECT id, received, decided_at FROM deposits WHERE trader_id = $1 AND state = 'credited' ORDER BY id DESC LIMIT $2`, traderID, limit)
	if err != nil {
		return 0, nil, fmt.Errorf("list the deposits of trader %d: %w", traderID, err)
	}
	newest, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Credit])
	return total, newest, err
}

// CreditedSince reports whether a trader's deposit was credited after a moment.
func CreditedSince(ctx context.Context, q db.Querier, traderID int64, since time.Time) (credited bool, err error) {
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM deposits WHERE trader_id = $1 AND state = 'credited' AND decided_at > $2)`, traderID, since).Scan(&credited)
	if err != nil {
		return false, fmt.Errorf("look for deposits of trader %d: %w", traderID, err)
	}
	return credited, nil
}

// missingCondition selects credited deposits that are missing at their provider and not reversed yet.
const missingCondition = `gone_at IS NOT NULL AND reversal_id IS NULL`

// Missing reports whether a credited deposit of a trader is missing at its provider and not reversed yet.
func Missing(ctx context.Context, q db.Querier, traderID int64) (missing bool, err error) {
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM deposits WHERE trader_id = $1 AND `+missingCondition+`)`, traderID).Scan(&missing)
	if err != nil {
		return false, fmt.Errorf("look for missing deposits of trader %d: %w", traderID, err)
	}
	return missing, nil
}

// Owns reports whether a deposit belongs to a trader.
func (s *Service) Owns(ctx context.Context, traderID, id int64) (own bool, err error) {
	if err = s.db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM deposits WHERE id = $1 AND trader_id = $2)`, id, traderID).Scan(&own); err != nil {
		return false, fmt.Errorf("look for deposit %d: %w", id, err)
	}
	return own, nil
}

// Arrival is a credited deposit as it reached its account.
type Arrival struct {
	ID        int64
	TraderID  int64
	AccountID int64
	Received  int64 // 10^-6 USDT
	Net       int64 // received less the fee
	At        time.Time
}

// ArrivedSince lists the deposits of traders that were credited after a moment, oldest first. Those that were reversed, or are missing at their provider, are not
// among them.
func ArrivedSince(ctx context.Context, q db.Querier, traderIDs []int64, after time.Time) ([]Arrival, error) {
	rows, err := q.Query(ctx, `
		SELECT id, trader_id, account_id, received, received - fee, decided_at FROM deposits
		WHERE trader_id = ANY($1) AND state = 'credited' AND gone_at IS NULL AND decided_at > $2 ORDER BY decided_at, id`, traderIDs, after)
	if err != nil {
		return nil, fmt.Errorf("list the credited deposits of %d traders: %w", len(traderIDs), err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Arrival])
}

// ReversedOf reports which of credited deposits were reversed or charged back.
func ReversedOf(ctx context.Context, q db.Querier, ids []int64) (map[int64]bool, error) {
	rows, err := q.Query(ctx, `SELECT id FROM deposits WHERE id = ANY($1) AND reversal_id IS NOT NULL`, ids)
	if err != nil {
		return nil, fmt.Errorf("ask which of %d deposits were reversed: %w", len(ids), err)
	}
	var id int64
	out := map[int64]bool{}
	if _, err := pgx.ForEachRow(rows, []any{&id}, func() error { out[id] = true; return nil }); err != nil {
		return nil, fmt.Errorf("ask which of %d deposits were reversed: %w", len(ids), err)
	}
	return out, nil
}
