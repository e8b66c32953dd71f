package engine

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/trading"
)

// OpenPositions lists an account's open positions, newest first, before the given id (0 for the newest). It needs no prices.
func (s *Service) OpenPositions(ctx context.Context, accountID, before int64, limit int) (list []trading.Position, next int64, err error) {
	l := db.List{Columns: trading.PositionColumns, Table: "positions", Order: "id DESC", Limit: limit}
	l.Rows("account_id = ? AND state = 'open'", accountID)
	l.RowsIf(before != 0, "id < ?", before)
	return db.Read(ctx, s.db.Pool, l, pgx.RowToStructByPos[trading.Position], func(p trading.Position) int64 { return p.ID })
}

// FillsByOrder maps an account's orders to their fills; an order that reverses or reduces a position may have two.
func (s *Service) FillsByOrder(ctx context.Context, accountID int64, orderIDs []int64) (map[int64][]trading.Fill, error) {
	out := make(map[int64][]trading.Fill, len(orderIDs))
	if len(orderIDs) == 0 {
		return out, nil
	}
	rows, err := s.db.Pool.Query(ctx, `SELECT `+trading.FillColumns+` FROM fills WHERE order_id = ANY($1) AND account_id = $2 ORDER BY id`, orderIDs, accountID)
	if err != nil {
		return nil, fmt.Errorf("find the fills of orders: %w", err)
	}
	return out, each(rows, func(f trading.Fill) { out[f.OrderID] = append(out[f.OrderID], f) })
}

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

// Numbered is what has a number: at most an order, a position and a fill, nil where none has it.
type Numbered struct {
	Order    *trading.Order
	Position *trading.Position
	Fill     *trading.Fill
}

// Numbered reads, for staff, the order, the position and the fill with a number, of any account.
func (s *Service) Numbered(ctx context.Context, id int64) (n Numbered, err error) {
	if n.Order, err = oneByID[trading.Order](ctx, s, "orders", trading.OrderColumns, id); err != nil {
		return n, err
	}
	if n.Position, err = oneByID[trading.Position](ctx, s, "positions", trading.PositionColumns, id); err != nil {
		return n, err
	}
	n.Fill, err = oneByID[trading.Fill](ctx, s, "fills", trading.FillColumns, id)
	return n, err
}

// oneByID reads a row by its id; nil when there is none.
func oneByID[T any](ctx context.Context, s *Service, table, columns string, id int64) (*T, error) {
	l := db.List{Columns: columns, Table: table, Order: "id", Limit: 1}
	l.Rows("id = ?", id)
	list, _, err := db.Read(ctx, s.db.Pool, l, pgx.RowToStructByPos[T], func(T) int64 { return id })
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}
