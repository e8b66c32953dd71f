package activity

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// lockCursorTx locks the cursor and returns the last transaction whose messages are written. The first call sets it to the present and reports that it began.
func lockCursorTx(ctx context.Context, tx *db.Tx) (xid uint64, began bool, err error) {
	err = tx.Conn.QueryRow(ctx, `SELECT xid FROM activity_cursor FOR UPDATE`).Scan(&xid)
	if !errors.Is(err, pgx.ErrNoRows) {
		return xid, false, wrap("lock the cursor", err)
	}
	if err = tx.Conn.QueryRow(ctx, `SELECT pg_snapshot_xmin(pg_current_snapshot())`).Scan(&xid); err != nil {
		return 0, false, wrap("read the oldest running transaction", err)
	}
	_, err = tx.Conn.Exec(ctx, `INSERT INTO activity_cursor (xid) VALUES ($1) ON CONFLICT DO NOTHING`, xid-1)
	return 0, true, wrap("set the cursor", err)
}

func moveCursorTx(ctx context.Context, tx *db.Tx, xid uint64) error {
	_, err := tx.Conn.Exec(ctx, `UPDATE activity_cursor SET xid = $1`, xid)
	return wrap("move the cursor", err)
}

// span is the transactions after the cursor that a batch covers, up to the one before the oldest that is still running: later ones may still get rows.
type span struct {
	until  uint64
	found  bool // it has rows
	behind bool // there are rows after it
}

// told are the conditions of rows that are told, by table; a trader's own acts are not.
const (
	toldFills  = `rule NOT IN ('market', 'close_by')`
	toldOrders = `reason NOT IN ('oco', 'trader')`
)

// nextSpanTx finds the span after the cursor in which each table has at most limit rows to tell, or those of one transaction.
func nextSpanTx(ctx context.Context, tx *db.Tx, cursor uint64, limit int) (s span, err error) {
	var horizon, end uint64
	err = tx.Conn.QueryRow(ctx, `
		SELECT horizon, least(horizon,
			(SELECT xid FROM fills WHERE xid > $1 AND `+toldFills+` ORDER BY xid, id OFFSET $2 LIMIT 1),
			(SELECT ended_xid FROM orders WHERE ended_xid > $1 AND `+toldOrders+` ORDER BY ended_xid, id OFFSET $2 LIMIT 1),
			(SELECT xid FROM margin_calls WHERE xid > $1 ORDER BY xid, id OFFSET $2 LIMIT 1),
			(SELECT xid FROM charges WHERE xid > $1 ORDER BY xid, id OFFSET $2 LIMIT 1))
		FROM pg_snapshot_xmin(pg_current_snapshot()) horizon`, cursor, limit-1).Scan(&horizon, &end)
	if err != nil {
		return s, wrap("find the next transactions", err)
	}
	s.until = min(end, horizon-1)
	const anyRow = `EXISTS (SELECT 1 FROM fills WHERE xid > $1 AND xid <= $2) OR EXISTS (SELECT 1 FROM orders WHERE ended_xid > $1 AND ended_xid <= $2)
		OR EXISTS (SELECT 1 FROM margin_calls WHERE xid > $1 AND xid <= $2) OR EXISTS (SELECT 1 FROM charges WHERE xid > $1 AND xid <= $2)`
	if err = tx.Conn.QueryRow(ctx, `SELECT `+anyRow, cursor, s.until).Scan(&s.found); err != nil {
		return s, wrap("look for rows", err)
	}
	const last = uint64(1) << 62
	return s, wrap("look for later rows", tx.Conn.QueryRow(ctx, `SELECT `+anyRow, s.until, last).Scan(&s.behind))
}

// readTx reads the rows of the transactions after one and up to another.
func readTx(ctx context.Context, tx *db.Tx, after, until uint64) (j journal, err error) {
	const owner = `a.id, a.trader_id, a.book, a.currency, a.number, a.name`
	j.fills, err = rowsTx(ctx, tx, `
		SELECT `+owner+`, p.symbol, p.point, f.id, f.xid, f.order_id, f.entry, f.rule, f.lots, f.price, f.profit, o.side, h.side, h.realised
		FROM fills f JOIN accounts a ON a.id = f.account_id JOIN products p ON p.id = f.product_id JOIN orders o ON o.id = f.order_id JOIN positions h ON h.id = f.position_id
		WHERE f.xid > $1 AND f.xid <= $2 AND f.`+toldFills+` ORDER BY f.xid, f.id`, after, until,
		func(row pgx.CollectableRow) (f fill, err error) {
			return f, row.Scan(&f.account.ID, &f.TraderID, &f.Book, &f.Currency, &f.Number, &f.account.Name, &f.Symbol, &f.Point, &f.ID, &f.XID, &f.OrderID, &f.Entry, &f.Rule, &f.Lots, &f.Price, &f.Profit,
				&f.OrderSide, &f.PositionSide, &f.Realised)
		})
	if err != nil {
		return j, err
	}
	j.orders, err = rowsTx(ctx, tx, `
		SELECT `+owner+`, p.symbol, p.point, o.id, o.type, o.side, o.lots, coalesce(o.limit_price, o.price), o.reason
		FROM orders o JOIN accounts a ON a.id = o.account_id JOIN products p ON p.id = o.product_id
		WHERE o.ended_xid > $1 AND o.ended_xid <= $2 AND o.`+toldOrders+` ORDER BY o.ended_xid, o.id`, after, until,
		func(row pgx.CollectableRow) (o endedOrder, err error) {
			return o, row.Scan(&o.account.ID, &o.TraderID, &o.Book, &o.Currency, &o.Number, &o.account.Name, &o.Symbol, &o.Point, &o.ID, &o.Type, &o.Side, &o.Lots, &o.Price, &o.Reason)
		})
	if err != nil {
		return j, err
	}
	j.calls, err = rowsTx(ctx, tx, `
		SELECT `+owner+`, c.id, c.equity, c.used_margin FROM margin_calls c JOIN accounts a ON a.id = c.account_id WHERE c.xid > $1 AND c.xid <= $2 ORDER BY c.xid, c.id`, after, until,
		func(row pgx.CollectableRow) (c marginCall, err error) {
			return c, row.Scan(&c.account.ID, &c.TraderID, &c.Book, &c.Currency, &c.Number, &c.account.Name, &c.ID, &c.Equity, &c.UsedMargin)
		})
	if err != nil {
		return j, err
	}
	// The engine settles all positions of an account in one transaction. A night without an amount is not told.
	j.nights, err = rowsTx(ctx, tx, `
		SELECT `+owner+`, c.day, sum(c.amount)::bigint, count(DISTINCT c.position_id) FROM charges c JOIN accounts a ON a.id = c.account_id
		WHERE c.xid > $1 AND c.xid <= $2 GROUP BY a.id, c.day HAVING bool_or(c.amount <> 0) ORDER BY c.day, a.id`, after, until,
		func(row pgx.CollectableRow) (n night, err error) {
			return n, row.Scan(&n.account.ID, &n.TraderID, &n.Book, &n.Currency, &n.Number, &n.account.Name, &n.Day, &n.Amount, &n.Positions)
		})
	return j, err
}

func rowsTx[T any](ctx context.Context, tx *db.Tx, sql string, after, until uint64, scan pgx.RowToFunc[T]) ([]T, error) {
	rows, err := tx.Conn.Query(ctx, sql, after, until)
	if err != nil {
		return nil, wrap("read the journal", err)
	}
	list, err := pgx.CollectRows(rows, scan)
	return list, wrap("read the journal", err)
}

func wrap(act string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", act, err)
}
