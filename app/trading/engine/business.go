package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/trading"
)

// HasOpenPosition reports whether a trader has an open position on a real account.
func HasOpenPosition(ctx context.Context, q db.Querier, traderID int64) (has bool, err error) {
	own, err := realAccounts(ctx, q, traderID)
	if err != nil {
		return false, err
	}
	if err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM positions WHERE account_id = ANY($1) AND state = 'open')`, own).Scan(&has); err != nil {
		return false, fmt.Errorf("look for open positions of trader %d: %w", traderID, err)
	}
	return has, nil
}

// realAccounts are the ids of a trader's contract accounts with real money: only these have positions.
func realAccounts(ctx context.Context, q db.Querier, traderID int64) (ids []int64, err error) {
	accounts, err := ledger.List(ctx, q, traderID)
	for _, a := range accounts {
		if !a.Mock() {
			ids = append(ids, a.ID)
		}
	}
	return ids, err
}

// TradedTx reports whether a trader has ever traded with real money.
func (s *Service) TradedTx(ctx context.Context, tx *db.Tx, traderID int64) (traded bool, err error) {
	own, err := realAccounts(ctx, tx.Conn, traderID)
	if err != nil {
		return false, err
	}
	if err = tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM fills WHERE account_id = ANY($1))`, own).Scan(&traded); err != nil {
		return false, fmt.Errorf("look for fills of trader %d: %w", traderID, err)
	}
	return traded, nil
}

// OpenTx reports whether an account has an open position.
func (s *Service) OpenTx(ctx context.Context, tx *db.Tx, accountID int64) (open bool, err error) {
	if err = tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM positions WHERE account_id = $1 AND state = 'open')`, accountID).Scan(&open); err != nil {
		return false, fmt.Errorf("look for open positions of account %d: %w", accountID, err)
	}
	return open, nil
}

// OwnsOrder reports whether an order belongs to a trader.
func (s *Service) OwnsOrder(ctx context.Context, traderID, orderID int64) (bool, error) {
	accounts, err := ledger.List(ctx, s.db.Pool, traderID)
	if err != nil {
		return false, err
	}
	for _, a := range accounts {
		switch _, err := s.Order(ctx, a.ID, orderID); {
		case err == nil:
			return true, nil
		case !errors.Is(err, trading.ErrOrder):
			return false, err
		}
	}
	return false, nil
}

// HasOpenOrder reports whether a trader has a pending order with real money.
func HasOpenOrder(ctx context.Context, q db.Querier, traderID int64) (has bool, err error) {
	own, err := realAccounts(ctx, q, traderID)
	if err != nil {
		return false, err
	}
	if err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM orders WHERE account_id = ANY($1) AND status = 'working')`, own).Scan(&has); err != nil {
		return false, fmt.Errorf("look for open orders of trader %d: %w", traderID, err)
	}
	return has, nil
}

// CountMarginCalls counts the margin calls on real accounts of traders since a moment. A trader without any is absent.
func CountMarginCalls(ctx context.Context, q db.Querier, traderIDs []int64, since time.Time) (map[int64]int, error) {
	rows, err := q.Query(ctx, `
		SELECT a.trader_id, count(*) FROM margin_calls c JOIN accounts a ON a.id = c.account_id
		WHERE a.trader_id = ANY($1) AND a.book = 'real' AND c.created_at >= $2 GROUP BY a.trader_id`, traderIDs, since)
	if err != nil {
		return nil, fmt.Errorf("count margin calls: %w", err)
	}
	out := map[int64]int{}
	var traderID int64
	var n int
	if _, err := pgx.ForEachRow(rows, []any{&traderID, &n}, func() error { out[traderID] = n; return nil }); err != nil {
		return nil, fmt.Errorf("count margin calls: %w", err)
	}
	return out, nil
}
