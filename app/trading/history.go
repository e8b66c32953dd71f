package trading

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// HistoryFilter narrows an account's closed positions; zero values do not.
type HistoryFilter struct {
	ProductID int
	Side      Side
	Reason    CloseReason // why it ended
	OpenedBy  Rule        // of the fill that opened it
	From, To  time.Time   // of closing
	Before    int64       // keyset: what follows this closed position in the list
	Offset    int         // for numbered pages
	Limit     int
}

// closedWhere takes the account and a filter's args.
const closedWhere = ` FROM positions p WHERE account_id = $1 AND state = 'closed' AND ($2 = 0 OR product_id = $2) AND ($3 = '' OR side = $3)
	AND ($4 = '' OR close_reason = $4) AND ($5 = '' OR EXISTS (SELECT 1 FROM fills f WHERE f.position_id = p.id AND f.entry = 'open' AND f.rule = $5))
	AND ($6::timestamptz IS NULL OR closed_at >= $6) AND ($7::timestamptz IS NULL OR closed_at < $7)`

func (f HistoryFilter) args(accountID int64) []any {
	return []any{accountID, f.ProductID, string(f.Side), string(f.Reason), string(f.OpenedBy), db.Moment(f.From), db.Moment(f.To)}
}

// History lists closed positions, the last closed first.
func (s *Service) History(ctx context.Context, accountID int64, f HistoryFilter) ([]Position, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT `+positionColumns+closedWhere+`
		AND ($8 = 0 OR (closed_at, id) < (SELECT closed_at, id FROM positions WHERE id = $8 AND account_id = $1))
		ORDER BY closed_at DESC, id DESC OFFSET $9 LIMIT $10`, append(f.args(accountID), f.Before, f.Offset, f.Limit)...)
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Position])
}

// CountHistory counts the closed positions of all pages, to 10,001 at most.
func (s *Service) CountHistory(ctx context.Context, accountID int64, f HistoryFilter) (total int, err error) {
	err = s.db.Pool.QueryRow(ctx, `SELECT count(*) FROM (SELECT 1`+closedWhere+` LIMIT 10001) counted`, f.args(accountID)...).Scan(&total)
	if err != nil {
		return 0, fmt.Errorf("count the history: %w", err)
	}
	return total, nil
}

// OrderGroup sums up where orders stand.
type OrderGroup string

// The groups.
const (
	WaitingOrders  OrderGroup = "waiting"
	EndedOrders    OrderGroup = "ended" // in whatever way
	FilledOrders   OrderGroup = "filled"
	UnfilledOrders OrderGroup = "unfilled" // ended without a fill
)

var statusesOf = map[OrderGroup][]OrderStatus{
	WaitingOrders: {Untriggered, Working}, EndedOrders: {Filled, Cancelled, Expired}, FilledOrders: {Filled}, UnfilledOrders: {Cancelled, Expired},
}

// OrderFilter narrows an account's orders; zero values do not.
type OrderFilter struct {
	ProductID int
	Type      OrderType
	Side      Side
	Group     OrderGroup
	Reason    EndReason // why it ended without a fill
	From, To  time.Time // of placing
	Before    int64     // keyset: orders with a smaller id
	Offset    int
	Limit     int
}

// Orders lists what was placed to rest, whether it still does or not, newest first; market orders are found by their fills.
func (s *Service) Orders(ctx context.Context, accountID int64, f OrderFilter) ([]Order, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT `+orderColumns+` FROM orders WHERE account_id = $1 AND type <> 'market' AND ($2 = 0 OR product_id = $2) AND ($3 = '' OR type = $3)
		AND ($4 = '' OR side = $4) AND ($5::text[] IS NULL OR status = ANY($5)) AND ($6 = '' OR reason = $6)
		AND ($7::timestamptz IS NULL OR created_at >= $7) AND ($8::timestamptz IS NULL OR created_at < $8)
		AND ($9 = 0 OR id < $9) ORDER BY id DESC OFFSET $10 LIMIT $11`,
		accountID, f.ProductID, string(f.Type), string(f.Side), statusesOf[f.Group], string(f.Reason), db.Moment(f.From), db.Moment(f.To), f.Before, f.Offset, f.Limit)
	if err != nil {
		return nil, fmt.Errorf("list orders: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Order])
}

// FillFilter narrows an account's fills; zero values do not.
type FillFilter struct {
	PositionID int64
	ProductID  int
	Side       Side
	Rule       Rule
	From, To   time.Time
	Before     int64 // keyset: fills with a smaller id
	Offset     int
	Limit      int
}

// Fills lists an account's fills, newest first.
func (s *Service) Fills(ctx context.Context, accountID int64, f FillFilter) ([]Fill, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT `+fillColumns+` FROM fills WHERE account_id = $1 AND ($2 = 0 OR position_id = $2) AND ($3 = 0 OR product_id = $3) AND ($4 = '' OR side = $4)
		AND ($5 = '' OR rule = $5) AND ($6::timestamptz IS NULL OR created_at >= $6) AND ($7::timestamptz IS NULL OR created_at < $7)
		AND ($8 = 0 OR id < $8) ORDER BY id DESC OFFSET $9 LIMIT $10`,
		accountID, f.PositionID, f.ProductID, string(f.Side), string(f.Rule), db.Moment(f.From), db.Moment(f.To), f.Before, f.Offset, f.Limit)
	if err != nil {
		return nil, fmt.Errorf("read fills: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Fill])
}
