package engine

import (
	"context"
	"fmt"
)

// FillsOf maps ledger transactions to the fills that they booked, for an account's orders.
func (s *Service) FillsOf(ctx context.Context, accountID int64, orderIDs []int64) (map[int64]int64, error) {
	return s.booked(ctx, `SELECT transaction_id, id FROM fills WHERE order_id = ANY($1) AND account_id = $2 AND transaction_id IS NOT NULL`, accountID, orderIDs, nil)
}

// ChargesOf maps those of the given ledger transactions that booked swaps and dividends of an account's positions to the charges.
func (s *Service) ChargesOf(ctx context.Context, accountID int64, positionIDs, transactionIDs []int64) (map[int64]int64, error) {
	return s.booked(ctx, `SELECT transaction_id, id FROM charges WHERE position_id = ANY($1) AND account_id = $2 AND transaction_id = ANY($3)`, accountID, positionIDs, transactionIDs)
}

func (s *Service) booked(ctx context.Context, sql string, accountID int64, of, transactionIDs []int64) (map[int64]int64, error) {
	out := map[int64]int64{}
	if len(of) == 0 {
		return out, nil
	}
	args := []any{of, accountID}
	if transactionIDs != nil {
		args = append(args, transactionIDs)
	}
	rows, err := s.db.Pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("find what the ledger booked: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var transaction, id int64
		if err := rows.Scan(&transaction, &id); err != nil {
			return nil, fmt.Errorf("find what the ledger booked: %w", err)
		}
		out[transaction] = id
	}
	return out, rows.Err()
}

// PositionsOf maps an account's orders to the positions that they opened or closed. With it staff follow a ledger entry to its cause.
func (s *Service) PositionsOf(ctx context.Context, accountID int64, orderIDs []int64) (map[int64]int64, error) {
	out := make(map[int64]int64, len(orderIDs))
	if len(orderIDs) == 0 {
		return out, nil
	}
	rows, err := s.db.Pool.Query(ctx, `SELECT order_id, position_id FROM fills WHERE order_id = ANY($1) AND account_id = $2`, orderIDs, accountID)
	if err != nil {
		return nil, fmt.Errorf("find the positions of orders: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var order, position int64
		if err := rows.Scan(&order, &position); err != nil {
			return nil, fmt.Errorf("find the positions of orders: %w", err)
		}
		out[order] = position
	}
	return out, rows.Err()
}
