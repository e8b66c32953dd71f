package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/trading"
)

// readOrder reads one order of an account. It returns ErrOrder for an unknown order and for another account's.
func readOrder(ctx context.Context, q ledger.Querier, accountID, id int64) (trading.Order, error) {
	rows, err := q.Query(ctx, `SELECT `+trading.OrderColumns+` FROM orders WHERE id = $1 AND account_id = $2`, id, accountID)
	if err != nil {
		return trading.Order{}, err
	}
	o, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[trading.Order])
	if errors.Is(err, pgx.ErrNoRows) {
		return o, trading.ErrOrder
	}
	return o, err
}

// Order reads one order of an account. It returns ErrOrder for an unknown order and for another account's.
func (s *Service) Order(ctx context.Context, accountID, id int64) (trading.Order, error) {
	return readOrder(ctx, s.db.Pool, accountID, id)
}

// queuePortfolios queues the queries for the accounts' open positions, pending orders, open margin calls and restrictions, and adds each row to its portfolio.
// portfolios must have an entry for every id.
func queuePortfolios(batch *pgx.Batch, ids []int64, portfolios map[int64]*trading.Portfolio) {
	batch.Queue(`SELECT `+trading.PositionColumns+` FROM positions WHERE account_id = ANY($1) AND state = 'open' ORDER BY id`, ids).Query(func(rows pgx.Rows) error {
		return each(rows, func(p trading.Position) {
			f := portfolios[p.AccountID]
			f.Positions = append(f.Positions, p)
		})
	})
	batch.Queue(`SELECT `+trading.OrderColumns+` FROM orders WHERE account_id = ANY($1) AND status IN ('untriggered', 'working') ORDER BY id`, ids).Query(func(rows pgx.Rows) error {
		return each(rows, func(o trading.Order) {
			f := portfolios[o.AccountID]
			f.Orders = append(f.Orders, o)
		})
	})
	batch.Queue(`SELECT `+trading.CallColumns+` FROM margin_calls WHERE account_id = ANY($1) AND recovered_at IS NULL`, ids).Query(func(rows pgx.Rows) error {
		return each(rows, func(c trading.MarginCall) { portfolios[c.AccountID].Call = &c })
	})
	batch.Queue(`SELECT a.id, r.reason, r.until_at FROM accounts a JOIN trader_restrictions r ON r.trader_id = a.trader_id
		WHERE a.id = ANY($1) AND a.book = 'real' AND r.kind = 'trade' AND r.ended_at IS NULL`, ids).Query(func(rows pgx.Rows) error {
		return each(rows, func(r trading.Restriction) { portfolios[r.AccountID].Restriction = &r })
	})
}

// each calls take with every row.
func each[T any](rows pgx.Rows, take func(T)) error {
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[T])
	for _, row := range list {
		take(row)
	}
	return err
}

// readPortfolio reads an account's open positions, pending orders, margin call and restriction in one round trip.
func readPortfolio(ctx context.Context, conn pgx.Tx, account ledger.Account) (trading.Portfolio, error) {
	f := trading.Portfolio{Account: account}
	var batch pgx.Batch
	queuePortfolios(&batch, []int64{account.ID}, map[int64]*trading.Portfolio{account.ID: &f})
	if err := conn.SendBatch(ctx, &batch).Close(); err != nil {
		return f, fmt.Errorf("read the holdings of account %d: %w", account.ID, err)
	}
	return f, nil
}

// Charges lists an account's swaps and dividends, newest first, before the given id (0 for the newest); with a position id, only that position's.
func (s *Service) Charges(ctx context.Context, accountID, positionID, before int64, limit int) (list []trading.ListedCharge, next int64, err error) {
	l := db.List{Table: "charges", Order: "id DESC", Limit: limit, Columns: trading.ChargeColumns}
	l.Rows("account_id = ?", accountID)
	l.RowsIf(positionID != 0, "position_id = ?", positionID)
	l.RowsIf(before != 0, "id < ?", before)
	charges, next, err := db.Read(ctx, s.db.Pool, l, pgx.RowToStructByPos[trading.Charge], func(c trading.Charge) int64 { return c.ID })
	for _, c := range charges {
		one := trading.ListedCharge{Charge: c, Unit: trading.ChargeUnit(c.Kind)}
		if c.Kind == trading.SwapCharge {
			terms, known := s.market.Version(c.ProductID, c.Terms)
			if !known {
				return nil, 0, fmt.Errorf("there are no terms %d of product %d", c.Terms, c.ProductID)
			}
			one.Unit = trading.ChargeUnit(terms.SwapModel)
		}
		list = append(list, one)
	}
	return list, next, err
}

// ProductOf is the product of an account's position, usually from memory while the position is open. It returns ErrPosition for an unknown position and for
// another account's.
func (s *Service) ProductOf(ctx context.Context, accountID, positionID int64) (int, error) {
	if p, ok := s.monitor.Position(accountID, positionID); ok {
		return p.ProductID, nil
	}
	p, err := s.Position(ctx, accountID, positionID)
	return p.ProductID, err
}

// Position reads one position of an account, open or closed. It returns ErrPosition for an unknown position and for another account's.
func (s *Service) Position(ctx context.Context, accountID, positionID int64) (trading.Position, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT `+trading.PositionColumns+` FROM positions WHERE id = $1 AND account_id = $2`, positionID, accountID)
	if err != nil {
		return trading.Position{}, err
	}
	p, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[trading.Position])
	if errors.Is(err, pgx.ErrNoRows) {
		return p, trading.ErrPosition
	}
	return p, err
}
