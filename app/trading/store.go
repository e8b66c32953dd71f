package trading

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/platform/db"
)

// The states of positions and the sources of orders.
const (
	stateOpen    = "open"
	stateClosed  = "closed"
	sourceUser   = "user"
	sourceSystem = "system"
)

func orderCause(id int64) string { return "order:" + strconv.FormatInt(id, 10) }

// fillKey is the key under which the money of an order's fill is posted: the first fill's, or the second's.
func fillKey(orderID int64, number int) string {
	if number == 0 {
		return orderCause(orderID)
	}
	return orderCause(orderID) + ":" + strconv.Itoa(number+1)
}

const orderColumns = `id, account_id, product_id, type, intent, side, lots, leverage, price, limit_price, stop_loss, take_profit, slippage_bps,
	time_in_force, expires_at, since_seq, armed_seq, source, status, reason, revision, position_id, oco, created_at, ended_at`

func insertOrder(ctx context.Context, conn pgx.Tx, o Order) (id int64, err error) {
	err = conn.QueryRow(ctx, `
		INSERT INTO orders (account_id, product_id, type, intent, side, lots, leverage, price, limit_price, stop_loss, take_profit, slippage_bps,
			time_in_force, expires_at, since_seq, source, status, position_id, created_at, ended_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) RETURNING id`,
		o.AccountID, o.ProductID, o.Type, o.Intent, o.Side, o.Lots, o.Leverage, o.Price, o.LimitPrice, o.StopLoss, o.TakeProfit, o.SlippageBps,
		o.TimeInForce, o.ExpiresAt, o.SinceSeq, o.Source, o.Status, o.PositionID, o.CreatedAt, o.EndedAt).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("write an order: %w", err)
	}
	return id, nil
}

// updateOrder writes what may change of a resting order, if its revision is still the one that was read and it still rests.
func updateOrder(ctx context.Context, conn pgx.Tx, o Order, revision int) error {
	tag, err := conn.Exec(ctx, `
		UPDATE orders SET price = $3, limit_price = $4, stop_loss = $5, take_profit = $6, time_in_force = $7, expires_at = $8, since_seq = $9,
		       armed_seq = $10, status = $11, reason = $12, revision = $13, position_id = $14, ended_at = $15, oco = $16
		WHERE id = $1 AND revision = $2 AND status IN ('untriggered', 'working')`,
		o.ID, revision, o.Price, o.LimitPrice, o.StopLoss, o.TakeProfit, o.TimeInForce, o.ExpiresAt, o.SinceSeq,
		o.ArmedSeq, o.Status, o.Reason, o.Revision, o.PositionID, o.EndedAt, o.OCO)
	if err != nil {
		return fmt.Errorf("update order %d: %w", o.ID, err)
	}
	if tag.RowsAffected() != 1 {
		return db.ErrChanged
	}
	return nil
}

func insertRevision(ctx context.Context, conn pgx.Tx, o Order, at time.Time) error {
	_, err := conn.Exec(ctx, `
		INSERT INTO order_revisions (order_id, revision, price, limit_price, stop_loss, take_profit, time_in_force, expires_at, since_seq, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		o.ID, o.Revision, o.Price, o.LimitPrice, o.StopLoss, o.TakeProfit, o.TimeInForce, o.ExpiresAt, o.SinceSeq, at)
	if err != nil {
		return fmt.Errorf("write a revision of order %d: %w", o.ID, err)
	}
	return nil
}

// readOrder reads one order of an account; somebody else's is ErrOrder.
func readOrder(ctx context.Context, q ledger.Querier, accountID, id int64) (Order, error) {
	rows, err := q.Query(ctx, `SELECT `+orderColumns+` FROM orders WHERE id = $1 AND account_id = $2`, id, accountID)
	if err != nil {
		return Order{}, err
	}
	o, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Order])
	if errors.Is(err, pgx.ErrNoRows) {
		return o, ErrOrder
	}
	return o, err
}

// Order reads one order of an account; somebody else's is ErrOrder.
func (s *Service) Order(ctx context.Context, accountID, id int64) (Order, error) {
	return readOrder(ctx, s.db.Pool, accountID, id)
}

// holdings reads an account's open positions and resting orders in one round trip.
func holdings(ctx context.Context, conn pgx.Tx, account ledger.Account) (portfolio, error) {
	f := portfolio{account: account}
	batch := &pgx.Batch{}
	batch.Queue(`SELECT `+positionColumns+` FROM positions WHERE account_id = $1 AND state = 'open' ORDER BY id`, account.ID).Query(func(rows pgx.Rows) (err error) {
		f.positions, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Position])
		return err
	})
	batch.Queue(`SELECT `+orderColumns+` FROM orders WHERE account_id = $1 AND status IN ('untriggered', 'working') ORDER BY id`, account.ID).Query(func(rows pgx.Rows) (err error) {
		f.orders, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Order])
		return err
	})
	batch.Queue(`SELECT `+callColumns+` FROM margin_calls WHERE account_id = $1 AND recovered_at IS NULL`, account.ID).Query(func(rows pgx.Rows) error {
		calls, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[MarginCall])
		if len(calls) > 0 {
			f.call = calls[0]
		}
		return err
	})
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return f, fmt.Errorf("read the holdings of account %d: %w", account.ID, err)
	}
	return f, nil
}

const positionColumns = `id, account_id, product_id, side, lots, lots_opened, open_price, open_value, leverage, margin, stop_loss, take_profit, trail, since_seq, trail_since_seq,
	commission, realised, swap, dividends, rolled_day, state, close_reason, close_price, version, opened_at, closed_at`

func insertPosition(ctx context.Context, conn pgx.Tx, p Position) (id int64, err error) {
	err = conn.QueryRow(ctx, `
		INSERT INTO positions (account_id, product_id, side, lots, lots_opened, open_price, open_value, leverage, margin, stop_loss, take_profit, commission, state,
			opened_at, since_seq, rolled_day)
		VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10, $11, 'open', $12, $13, $14) RETURNING id`,
		p.AccountID, p.ProductID, p.Side, p.Lots, p.OpenPrice, p.OpenValue, p.Leverage, p.Margin, p.StopLoss, p.TakeProfit, p.Commission,
		p.OpenedAt, p.SinceSeq, p.RolledDay).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("write a position: %w", err)
	}
	return id, nil
}

// updatePosition writes what a fill, a charge or a changed protection may change, if the version is still the one that was read.
func updatePosition(ctx context.Context, conn pgx.Tx, p Position, version int) error {
	tag, err := conn.Exec(ctx, `
		UPDATE positions SET lots = $3, margin = $4, stop_loss = $5, take_profit = $6, commission = $7, realised = $8,
		       state = $9, close_reason = $10, close_price = $11, closed_at = $12, version = $13, since_seq = $14, trail = $15,
		       lots_opened = $16, open_price = $17, open_value = $18, swap = $19, dividends = $20, rolled_day = $21, trail_since_seq = $22
		WHERE id = $1 AND version = $2 AND state = 'open'`,
		p.ID, version, p.Lots, p.Margin, p.StopLoss, p.TakeProfit, p.Commission, p.Realised, p.State, p.CloseReason, p.ClosePrice, p.ClosedAt, p.Version, p.SinceSeq, p.Trail,
		p.LotsOpened, p.OpenPrice, p.OpenValue, p.Swap, p.Dividends, p.RolledDay, p.TrailSince)
	if err != nil {
		return fmt.Errorf("update position %d: %w", p.ID, err)
	}
	if tag.RowsAffected() != 1 {
		return db.ErrChanged
	}
	return nil
}

// touch raises the version of an account that changed without a posting.
func touch(ctx context.Context, conn pgx.Tx, accountID int64) (version int64, err error) {
	err = conn.QueryRow(ctx, `UPDATE accounts SET version = version + 1 WHERE id = $1 RETURNING version`, accountID).Scan(&version)
	return version, err
}

const fillColumns = `id, order_id, position_id, account_id, product_id, terms, side, entry, rule, lots, price, quote_seq, open_price, open_value, limit_price, by_position, best_seq, trail_since_seq, leverage,
	margin, commission, profit, conversion_product, conversion_seq, conversion_inverse, margin_product, margin_seq, margin_inverse,
	transaction_id, equity, used_margin, standing, created_at, at_ms`

func insertFill(ctx context.Context, conn pgx.Tx, f Fill) (id int64, err error) {
	err = conn.QueryRow(ctx, `
		INSERT INTO fills (order_id, position_id, account_id, product_id, side, entry, rule, lots, price, quote_seq, open_price, limit_price, by_position, best_seq,
			leverage, margin, commission, profit, conversion_product, conversion_seq, conversion_inverse, margin_product, margin_seq, margin_inverse,
			transaction_id, equity, used_margin, created_at, at_ms, terms, open_value, trail_since_seq, standing)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33)
		RETURNING id`,
		f.OrderID, f.PositionID, f.AccountID, f.ProductID, f.Side, f.Entry, f.Rule, f.Lots, f.Price, f.QuoteSeq, f.OpenPrice, f.LimitPrice, f.ByPosition, f.BestSeq,
		f.Leverage, f.Margin, f.Commission, f.Profit, f.ConversionProduct, f.ConversionSeq, f.ConversionInverse, f.MarginProduct, f.MarginSeq, f.MarginInverse,
		f.TransactionID, f.Equity, f.UsedMargin, f.CreatedAt, f.AtMS, f.Terms, f.OpenValue, f.TrailSince, f.Standing).Scan(&id)
	return id, err
}

const chargeColumns = `id, kind, position_id, account_id, product_id, terms, day, nights, side, lots, rate, price, quote_seq, conversion_product, conversion_seq,
	conversion_inverse, amount, transaction_id, created_at, at_ms`

func insertCharge(ctx context.Context, conn pgx.Tx, c Charge) (id int64, err error) {
	err = conn.QueryRow(ctx, `
		INSERT INTO charges (kind, position_id, account_id, product_id, terms, day, nights, side, lots, rate, price, quote_seq, conversion_product, conversion_seq,
			conversion_inverse, amount, transaction_id, created_at, at_ms)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19) RETURNING id`,
		c.Kind, c.PositionID, c.AccountID, c.ProductID, c.Terms, c.Day, c.Nights, c.Side, c.Lots, c.Rate, c.Price, c.QuoteSeq, c.ConversionProduct, c.ConversionSeq,
		c.ConversionInverse, c.Amount, c.TransactionID, c.CreatedAt, c.AtMS).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("write the %s of position %d: %w", c.Kind, c.PositionID, err)
	}
	return id, nil
}

// Charges lists an account's swaps and dividends, newest first, before the given id (0 for the newest); with a position id, only that position's.
func (s *Service) Charges(ctx context.Context, accountID, positionID, before int64, limit int) (list []ListedCharge, next int64, err error) {
	l := db.List{Table: "charges", Order: "id DESC", Limit: limit, Columns: chargeColumns + `,
		CASE kind WHEN 'swap' THEN (SELECT swap_model FROM product_terms t WHERE t.product_id = charges.product_id AND t.version = terms) ELSE kind END`}
	l.Rows("account_id = ?", accountID)
	l.RowsIf(positionID != 0, "position_id = ?", positionID)
	l.RowsIf(before != 0, "id < ?", before)
	return db.Read(ctx, s.db.Pool, l, pgx.RowToStructByPos[ListedCharge], func(c ListedCharge) int64 { return c.ID })
}

// Position reads one position of an account, open or closed; somebody else's is ErrPosition.
func (s *Service) Position(ctx context.Context, accountID, positionID int64) (Position, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT `+positionColumns+` FROM positions WHERE id = $1 AND account_id = $2`, positionID, accountID)
	if err != nil {
		return Position{}, err
	}
	p, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Position])
	if errors.Is(err, pgx.ErrNoRows) {
		return p, ErrPosition
	}
	return p, err
}
