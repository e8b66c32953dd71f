package trading

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/platform/db"
)

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

// queueHoldings adds to a batch the questions for the open positions, the resting orders, the open margin calls and the restrictions of accounts, and hands each row to
// its portfolio; every account that is asked for has one.
func queueHoldings(batch *pgx.Batch, ids []int64, portfolios map[int64]*portfolio) {
	batch.Queue(`SELECT `+positionColumns+` FROM positions WHERE account_id = ANY($1) AND state = 'open' ORDER BY id`, ids).Query(func(rows pgx.Rows) error {
		return each(rows, func(p Position) {
			f := portfolios[p.AccountID]
			f.positions = append(f.positions, p)
		})
	})
	batch.Queue(`SELECT `+orderColumns+` FROM orders WHERE account_id = ANY($1) AND status IN ('untriggered', 'working') ORDER BY id`, ids).Query(func(rows pgx.Rows) error {
		return each(rows, func(o Order) {
			f := portfolios[o.AccountID]
			f.orders = append(f.orders, o)
		})
	})
	batch.Queue(`SELECT `+callColumns+` FROM margin_calls WHERE account_id = ANY($1) AND recovered_at IS NULL`, ids).Query(func(rows pgx.Rows) error {
		return each(rows, func(c MarginCall) { portfolios[c.AccountID].call = &c })
	})
	batch.Queue(`SELECT a.id, r.reason, r.until_at FROM accounts a JOIN trader_restrictions r ON r.trader_id = a.trader_id
		WHERE a.id = ANY($1) AND a.book = 'real' AND r.kind = 'trade' AND r.ended_at IS NULL`, ids).Query(func(rows pgx.Rows) error {
		return each(rows, func(r restriction) { portfolios[r.AccountID].restriction = &r })
	})
}

// each hands every row to take.
func each[T any](rows pgx.Rows, take func(T)) error {
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[T])
	for _, row := range list {
		take(row)
	}
	return err
}

// holdings reads an account's open positions, resting orders and margin call in one round trip.
func holdings(ctx context.Context, conn pgx.Tx, account ledger.Account) (portfolio, error) {
	f := portfolio{account: account}
	var batch pgx.Batch
	queueHoldings(&batch, []int64{account.ID}, map[int64]*portfolio{account.ID: &f})
	if err := conn.SendBatch(ctx, &batch).Close(); err != nil {
		return f, fmt.Errorf("read the holdings of account %d: %w", account.ID, err)
	}
	return f, nil
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

// ProductOf tells which product a position of an account is of, for an open one mostly without asking the database; somebody else's is ErrPosition.
func (s *Service) ProductOf(ctx context.Context, accountID, positionID int64) (int, error) {
	if p, ok := s.watch.Position(accountID, positionID); ok {
		return p.ProductID, nil
	}
	p, err := s.Position(ctx, accountID, positionID)
	return p.ProductID, err
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
