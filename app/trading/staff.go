package trading

import (
	"context"
	"fmt"
)

// PositionsOf finds the positions that an account's orders opened or closed, for staff who follow an entry of the ledger to its cause.
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
