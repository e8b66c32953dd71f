package engine

import (
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/trading"
)

// queue queues the whole write batch: one statement per table, in the order of the foreign keys. The transaction fails when a row is not as it was read.
func (wb *writeBatch) queue(batch *pgx.Batch) error {
	market.QueueQuotes(batch, wb.quotes)
	insert(batch, `INSERT INTO positions (id, account_id, product_id, side, lots, open_price, open_value, leverage, margin, stop_loss, take_profit, commission,
		opened_at, since_seq, rolled_day, opened_by, lots_opened, state) OVERRIDING SYSTEM VALUE SELECT r.*, r.lots, 'open' FROM unnest($1::position_row[]) r`, wb.newPositions, positionRow)
	insert(batch, `INSERT INTO orders (id, account_id, product_id, type, intent, side, lots, leverage, price, limit_price, stop_loss, take_profit, slippage_bps,
		time_in_force, expires_at, since_seq, source, status, position_id, created_at, ended_at) OVERRIDING SYSTEM VALUE SELECT * FROM unnest($1::order_row[])`, wb.newOrders, orderRow)
	update(batch, `orders o SET price = r.price, limit_price = r.limit_price, stop_loss = r.stop_loss, take_profit = r.take_profit,
		time_in_force = r.time_in_force, expires_at = r.expires_at, since_seq = r.since_seq, armed_seq = r.armed_seq, status = r.status, reason = r.reason,
		revision = r.revision, position_id = r.position_id, ended_at = r.ended_at, oco = r.oco
		FROM unnest($1::order_change_row[]) r WHERE o.id = r.id AND o.revision = r.was AND o.ended_at IS NULL RETURNING o.id`, wb.changedOrders, orderChangeRow)
	insert(batch, `INSERT INTO order_revisions (order_id, revision, price, limit_price, stop_loss, take_profit, time_in_force, expires_at, since_seq, at)
		SELECT * FROM unnest($1::order_revision_row[])`, wb.amended, revisionRow)
	if err := ledger.QueuePosts(batch, wb.postings); err != nil {
		return err
	}
	fills, err := fillRows(wb.fills)
	if err != nil {
		return err
	}
	fills.Queue(batch, `INSERT INTO fills (id, order_id, position_id, account_id, product_id, side, entry, rule, lots, price, quote_seq, open_price, limit_price, by_position,
		best_seq, leverage, margin, commission, profit, conversion_product, conversion_seq, conversion_inverse, margin_product, margin_seq, margin_inverse,
		transaction_id, equity, used_margin, created_at, at_ms, terms, open_value, trail_since_seq, snapshot) OVERRIDING SYSTEM VALUE
		SELECT * FROM unnest($1::fill_row[])`)
	insert(batch, `INSERT INTO charges (kind, position_id, account_id, product_id, terms, day, nights, side, lots, rate, price, quote_seq, conversion_product,
		conversion_seq, conversion_inverse, amount, transaction_id, created_at, at_ms) SELECT * FROM unnest($1::charge_row[])`, wb.charges, chargeRow)
	update(batch, `positions p SET lots = r.lots, margin = r.margin, stop_loss = r.stop_loss, take_profit = r.take_profit, commission = r.commission,
		realised = r.realised, state = r.state, close_reason = r.close_reason, close_price = r.close_price, closed_at = r.closed_at, version = r.version,
		since_seq = r.since_seq, trail = r.trail, lots_opened = r.lots_opened, open_price = r.open_price, open_value = r.open_value, swap = r.swap,
		dividends = r.dividends, rolled_day = r.rolled_day, trail_since_seq = r.trail_since_seq
		FROM unnest($1::position_change_row[]) r WHERE p.id = r.id AND p.version = r.was AND p.closed_at IS NULL RETURNING p.id`, wb.changedPositions, positionChangeRow)
	for _, r := range wb.recoveredCalls {
		batch.Queue(`UPDATE margin_calls SET recovered_at = $2 WHERE account_id = $1 AND recovered_at IS NULL`, r.accountID, r.at)
	}
	insert(batch, `INSERT INTO margin_calls (id, account_id, equity, used_margin, created_at, at_ms, recovered_at) OVERRIDING SYSTEM VALUE
		SELECT * FROM unnest($1::margin_call_row[])`, wb.calls, callRow)
	ledger.QueueChanges(batch, wb.postings, wb.accounts)
	for _, e := range wb.auditEntries {
		audit.Queue(batch, e)
	}
	return nil
}

// insert queues a statement that inserts a list as rows of a type, unless the list is empty.
func insert[T any](batch *pgx.Batch, sql string, list []T, write func(*db.Records, T)) {
	rowsOf(list, write).Queue(batch, sql)
}

// update queues a statement that must match every row of a list as it was read. The statement checks by date that a row has not ended: a condition on the state
// would use the index of all rows that have not.
func update[T any](batch *pgx.Batch, sql string, list []T, write func(*db.Records, T)) {
	rowsOf(list, write).QueueUpdate(batch, sql)
}

func rowsOf[T any](list []T, write func(*db.Records, T)) *db.Records {
	rows := &db.Records{}
	for _, one := range list {
		write(rows, one)
	}
	return rows
}

func positionRow(r *db.Records, p trading.Position) {
	r.Row(16)
	r.Bigint(p.ID)
	r.Bigint(p.AccountID)
	r.Int(p.ProductID)
	r.Text(string(p.Side))
	r.Bigint(p.Lots)
	r.Bigint(p.OpenPrice)
	r.Bigint(p.OpenValue)
	r.Int(p.Leverage)
	r.Bigint(p.Margin)
	r.MaybeBigint(p.StopLoss)
	r.MaybeBigint(p.TakeProfit)
	r.Bigint(p.Commission)
	r.Time(p.OpenedAt)
	r.Bigint(p.SinceSeq)
	r.Date(p.RolledDay)
	r.Text(string(p.OpenedBy))
}

func positionChangeRow(r *db.Records, c changed[trading.Position]) {
	p := c.row
	r.Row(22)
	r.Bigint(p.ID)
	r.Int(c.was)
	r.Bigint(p.Lots)
	r.Bigint(p.Margin)
	r.MaybeBigint(p.StopLoss)
	r.MaybeBigint(p.TakeProfit)
	r.Bigint(p.Commission)
	r.Bigint(p.Realised)
	r.Text(p.State)
	db.MaybeText(r, p.CloseReason)
	r.MaybeBigint(p.ClosePrice)
	r.MaybeTime(p.ClosedAt)
	r.Int(p.Version)
	r.Bigint(p.SinceSeq)
	r.MaybeBigint(p.Trail)
	r.Bigint(p.LotsOpened)
	r.Bigint(p.OpenPrice)
	r.Bigint(p.OpenValue)
	r.Bigint(p.Swap)
	r.Bigint(p.Dividends)
	r.Date(p.RolledDay)
	r.Bigint(p.TrailSince)
}

func orderRow(r *db.Records, o trading.Order) {
	r.Row(21)
	r.Bigint(o.ID)
	r.Bigint(o.AccountID)
	r.Int(o.ProductID)
	r.Text(string(o.Type))
	r.Text(o.Intent)
	r.Text(string(o.Side))
	r.Bigint(o.Lots)
	r.Int(o.Leverage)
	r.MaybeBigint(o.Price)
	r.MaybeBigint(o.LimitPrice)
	r.MaybeBigint(o.StopLoss)
	r.MaybeBigint(o.TakeProfit)
	r.Int(o.SlippageBps)
	r.Text(string(o.TimeInForce))
	r.MaybeTime(o.ExpiresAt)
	r.Bigint(o.SinceSeq)
	r.Text(o.Source)
	r.Text(string(o.Status))
	r.MaybeBigint(o.PositionID)
	r.Time(o.CreatedAt)
	r.MaybeTime(o.EndedAt)
}

func orderChangeRow(r *db.Records, c changed[trading.Order]) {
	o := c.row
	r.Row(16)
	r.Bigint(o.ID)
	r.Int(c.was)
	r.MaybeBigint(o.Price)
	r.MaybeBigint(o.LimitPrice)
	r.MaybeBigint(o.StopLoss)
	r.MaybeBigint(o.TakeProfit)
	r.Text(string(o.TimeInForce))
	r.MaybeTime(o.ExpiresAt)
	r.Bigint(o.SinceSeq)
	r.MaybeBigint(o.ArmedSeq)
	r.Text(string(o.Status))
	db.MaybeText(r, o.Reason)
	r.Int(o.Revision)
	r.MaybeBigint(o.PositionID)
	r.MaybeTime(o.EndedAt)
	r.MaybeBigint(o.OCO)
}

func revisionRow(r *db.Records, v revision) {
	r.Row(10)
	r.Bigint(v.ID)
	r.Int(v.Revision)
	r.MaybeBigint(v.Price)
	r.MaybeBigint(v.LimitPrice)
	r.MaybeBigint(v.StopLoss)
	r.MaybeBigint(v.TakeProfit)
	r.Text(string(v.TimeInForce))
	r.MaybeTime(v.ExpiresAt)
	r.Bigint(v.SinceSeq)
	r.Time(v.at)
}

func fillRows(fills []trading.Fill) (*db.Records, error) {
	rows := &db.Records{}
	for _, f := range fills {
		var snapshot []byte
		if f.Snapshot != nil {
			var err error
			if snapshot, err = json.Marshal(f.Snapshot); err != nil {
				return nil, fmt.Errorf("write how account %d stood: %w", f.AccountID, err)
			}
		}
		fillRow(rows, f, snapshot)
	}
	return rows, nil
}

func fillRow(r *db.Records, f trading.Fill, snapshot []byte) {
	r.Row(34)
	r.Bigint(f.ID)
	r.Bigint(f.OrderID)
	r.Bigint(f.PositionID)
	r.Bigint(f.AccountID)
	r.Int(f.ProductID)
	r.Text(string(f.Side))
	r.Text(f.Entry)
	r.Text(string(f.Rule))
	r.Bigint(f.Lots)
	r.Bigint(f.Price)
	r.Bigint(f.QuoteSeq)
	r.MaybeBigint(f.OpenPrice)
	r.MaybeBigint(f.LimitPrice)
	r.MaybeBigint(f.ByPosition)
	r.MaybeBigint(f.BestSeq)
	r.Int(f.Leverage)
	r.Bigint(f.Margin)
	r.Bigint(f.Commission)
	r.Bigint(f.Profit)
	r.MaybeInt(f.ConversionProduct)
	r.MaybeBigint(f.ConversionSeq)
	r.Bool(f.ConversionInverse)
	r.MaybeInt(f.MarginProduct)
	r.MaybeBigint(f.MarginSeq)
	r.Bool(f.MarginInverse)
	r.MaybeBigint(f.TransactionID)
	r.Bigint(f.Equity)
	r.Bigint(f.UsedMargin)
	r.Time(f.CreatedAt)
	r.Bigint(f.AtMS)
	r.Int(f.Terms)
	r.MaybeBigint(f.OpenValue)
	r.MaybeBigint(f.TrailSince)
	r.MaybeJSON(snapshot)
}

func chargeRow(r *db.Records, c trading.Charge) {
	r.Row(19)
	r.Text(string(c.Kind))
	r.Bigint(c.PositionID)
	r.Bigint(c.AccountID)
	r.Int(c.ProductID)
	r.Int(c.Terms)
	r.Date(c.Day)
	r.Int(c.Nights)
	r.Text(string(c.Side))
	r.Bigint(c.Lots)
	r.Bigint(c.Rate)
	r.MaybeBigint(c.Price)
	r.MaybeBigint(c.QuoteSeq)
	r.MaybeInt(c.ConversionProduct)
	r.MaybeBigint(c.ConversionSeq)
	r.Bool(c.ConversionInverse)
	r.Bigint(c.Amount)
	r.MaybeBigint(c.TransactionID)
	r.Time(c.CreatedAt)
	r.Bigint(c.AtMS)
}

func callRow(r *db.Records, c trading.MarginCall) {
	r.Row(7)
	r.Bigint(c.ID)
	r.Bigint(c.AccountID)
	r.Bigint(c.Equity)
	r.Bigint(c.UsedMargin)
	r.Time(c.CreatedAt)
	r.Bigint(c.AtMS)
	r.MaybeTime(c.RecoveredAt)
}
