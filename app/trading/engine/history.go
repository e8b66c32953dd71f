package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/trading"
)

// HistoryFilter is the list filter of an account's closed positions; zero values don't filter.
type HistoryFilter struct {
	ProductID int
	Side      trading.Side
	Reason    trading.CloseReason // why it closed
	OpenedBy  trading.Rule        // the rule of its first fill
	From, To  time.Time           // the time of closing
	Before    int64               // keyset: the id after which the page begins
	Offset    int                 // for numbered pages
	Limit     int
	Whole     bool // scans everything: for files
}

// list selects the closed positions, last closed first.
func (f HistoryFilter) list(accountID int64) db.List {
	l := db.List{Columns: trading.PositionColumns, Table: "positions", Order: "closed_at DESC, id DESC", Offset: f.Offset, Limit: f.Limit, Whole: f.Whole}
	l.Rows("account_id = ? AND state = 'closed'", accountID)
	l.RowsIf(f.Before != 0, "(closed_at, id) < ((SELECT closed_at FROM positions WHERE id = ? AND account_id = ?), ?)", f.Before, accountID, f.Before)
	l.RowsIf(!f.From.IsZero(), "closed_at >= ?", f.From)
	l.RowsIf(!f.To.IsZero(), "closed_at < ?", f.To)
	l.KeepIf(f.ProductID != 0, "product_id = ?", f.ProductID)
	l.KeepIf(f.Side != "", "side = ?", f.Side)
	l.KeepIf(f.Reason != "", "close_reason = ?", f.Reason)
	l.KeepIf(f.OpenedBy != "", "opened_by = ?", f.OpenedBy)
	return l
}

// History lists closed positions, last closed first. next is the Before of the next page, 0 after the last.
// A page may have fewer rows than its limit when few rows match the filter.
func (s *Service) History(ctx context.Context, accountID int64, f HistoryFilter) (list []trading.Position, next int64, err error) {
	return db.Read(ctx, s.db.Pool, f.list(accountID), pgx.RowToStructByPos[trading.Position], func(p trading.Position) int64 { return p.ID })
}

// CountHistory counts the matches among the last db.Stretch closed positions; more reports whether there are older ones.
func (s *Service) CountHistory(ctx context.Context, accountID int64, f HistoryFilter) (total int, more bool, err error) {
	f.Before = 0
	return db.Count(ctx, s.db.Pool, f.list(accountID))
}

// OrderGroup is a group of order statuses.
type OrderGroup string

// The groups.
const (
	WaitingOrders  OrderGroup = "waiting"
	EndedOrders    OrderGroup = "ended" // filled, cancelled or expired
	FilledOrders   OrderGroup = "filled"
	UnfilledOrders OrderGroup = "unfilled" // ended without a fill

	CancelledOrders OrderGroup = "cancelled"
	ExpiredOrders   OrderGroup = "expired"
)

var statusesOf = map[OrderGroup][]trading.OrderStatus{
	EndedOrders: {trading.Filled, trading.Cancelled, trading.Expired}, FilledOrders: {trading.Filled}, UnfilledOrders: {trading.Cancelled, trading.Expired},
	CancelledOrders: {trading.Cancelled}, ExpiredOrders: {trading.Expired},
}

// OrderFilter is the list filter of an account's orders; zero values don't filter.
type OrderFilter struct {
	ProductID int
	Type      trading.OrderType
	Side      trading.Side
	Group     OrderGroup
	Reason    trading.EndReason // why it ended without a fill
	From, To  time.Time         // the time of placing
	Before    int64             // keyset: the id after which the page begins
	Offset    int
	Limit     int
	Whole     bool // scans everything: for files
}

// list selects the orders, newest first. Pending orders have an index of their own, and are few.
func (f OrderFilter) list(accountID int64) db.List {
	l := db.List{Columns: trading.OrderColumns, Table: "orders", Order: "created_at DESC, id DESC", Offset: f.Offset, Limit: f.Limit, Whole: f.Whole}
	l.Rows("account_id = ? AND type <> 'market'", accountID)
	l.RowsIf(f.Group == WaitingOrders, "status IN ('untriggered', 'working')")
	l.RowsIf(f.Before != 0, "(created_at, id) < ((SELECT created_at FROM orders WHERE id = ? AND account_id = ?), ?)", f.Before, accountID, f.Before)
	l.RowsIf(!f.From.IsZero(), "created_at >= ?", f.From)
	l.RowsIf(!f.To.IsZero(), "created_at < ?", f.To)
	l.KeepIf(f.ProductID != 0, "product_id = ?", f.ProductID)
	l.KeepIf(f.Type != "", "type = ?", f.Type)
	l.KeepIf(f.Side != "", "side = ?", f.Side)
	l.KeepIf(f.Group != "" && f.Group != WaitingOrders, "status = ANY(?::text[]::order_status[])", statusesOf[f.Group])
	l.KeepIf(f.Reason != "", "reason = ?", f.Reason)
	return l
}

// Orders lists an account's pending and ended orders, newest first, without market orders: Fills lists their fills. next is the Before of the next page, 0
// after the last. A page may have fewer rows than its limit when few rows match the filter.
func (s *Service) Orders(ctx context.Context, accountID int64, f OrderFilter) (list []trading.Order, next int64, err error) {
	return db.Read(ctx, s.db.Pool, f.list(accountID), pgx.RowToStructByPos[trading.Order], func(o trading.Order) int64 { return o.ID })
}

// FillFilter is the list filter of an account's fills; zero values don't filter.
type FillFilter struct {
	PositionID int64
	ProductID  int
	Side       trading.Side
	Rule       trading.Rule
	From, To   time.Time
	Before     int64 // keyset: the id after which the page begins
	Offset     int
	Limit      int
	Whole      bool // scans everything: for files
}

// list selects the fills, newest first.
func (f FillFilter) list(accountID int64) db.List {
	l := db.List{Columns: trading.FillColumns, Table: "fills", Order: "created_at DESC, id DESC", Offset: f.Offset, Limit: f.Limit, Whole: f.Whole}
	l.Rows("account_id = ?", accountID)
	l.RowsIf(f.PositionID != 0, "position_id = ?", f.PositionID)
	l.RowsIf(f.Before != 0, "(created_at, id) < ((SELECT created_at FROM fills WHERE id = ? AND account_id = ?), ?)", f.Before, accountID, f.Before)
	l.RowsIf(!f.From.IsZero(), "created_at >= ?", f.From)
	l.RowsIf(!f.To.IsZero(), "created_at < ?", f.To)
	l.KeepIf(f.ProductID != 0, "product_id = ?", f.ProductID)
	l.KeepIf(f.Side != "", "side = ?", f.Side)
	l.KeepIf(f.Rule != "", "rule = ?", f.Rule)
	return l
}

// Fills lists an account's fills, newest first. next is the Before of the next page, 0 after the last.
// A page may have fewer rows than its limit when few rows match the filter.
func (s *Service) Fills(ctx context.Context, accountID int64, f FillFilter) (list []trading.Fill, next int64, err error) {
	return db.Read(ctx, s.db.Pool, f.list(accountID), pgx.RowToStructByPos[trading.Fill], func(f trading.Fill) int64 { return f.ID })
}

// MarginCalls lists an account's margin calls, newest first, before the given id (0 for the newest).
func (s *Service) MarginCalls(ctx context.Context, accountID, before int64, limit int) (list []trading.MarginCall, next int64, err error) {
	l := db.List{Columns: trading.CallColumns, Table: "margin_calls", Order: "id DESC", Limit: limit}
	l.Rows("account_id = ?", accountID)
	l.RowsIf(before != 0, "id < ?", before)
	return db.Read(ctx, s.db.Pool, l, pgx.RowToStructByPos[trading.MarginCall], func(c trading.MarginCall) int64 { return c.ID })
}

// FillWithPosition reads one fill of an account and its position. It returns ErrFill for an unknown fill and for another account's.
func (s *Service) FillWithPosition(ctx context.Context, accountID, fillID int64) (trading.Fill, trading.Position, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT `+trading.FillColumns+` FROM fills WHERE id = $1 AND account_id = $2`, fillID, accountID)
	if err != nil {
		return trading.Fill{}, trading.Position{}, err
	}
	fill, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[trading.Fill])
	if errors.Is(err, pgx.ErrNoRows) {
		return fill, trading.Position{}, trading.ErrFill
	}
	if err != nil {
		return fill, trading.Position{}, fmt.Errorf("read fill %d: %w", fillID, err)
	}
	position, err := s.Position(ctx, accountID, fill.PositionID)
	return fill, position, err
}
