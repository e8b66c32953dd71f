package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/trading"
	"candor/app/trading/trigger"
)

// reload reads one account anew.
func (s *Service) reload(ctx context.Context, accountID int64) error {
	f, err := s.read(ctx, accountID)
	if err != nil {
		return err
	}
	return s.take(ctx, f)
}

// take remembers an account that was read, with the best prices of its trailing stops.
func (s *Service) take(ctx context.Context, f trading.Portfolio) error {
	found, err := s.trailingExtremes(ctx, s.db.Pool, f)
	if err != nil {
		return err
	}
	s.watch.Learn(found)
	s.watch.Remember(f)
	return nil
}

// read takes an account and its positions in one snapshot, without locks.
func (s *Service) read(ctx context.Context, accountID int64) (f trading.Portfolio, err error) {
	err = s.snapshot(ctx, func(tx *db.Tx) error {
		account, err := ledger.Load(ctx, tx.Conn, accountID)
		if err != nil {
			return err
		}
		f, err = holdings(ctx, tx.Conn, account)
		return err
	})
	return f, err
}

// WithdrawableTx is what may leave an account that is locked, at the newest quotes.
func (s *Service) WithdrawableTx(ctx context.Context, tx *db.Tx, account ledger.Account) (int64, error) {
	f, err := holdings(ctx, tx.Conn, account)
	if err != nil {
		return 0, err
	}
	v, err := s.rules.Value(f)
	return v.Withdrawable(), trading.TooLarge(err)
}

// EquityTx is what an account is worth at the newest quotes, its open positions in it. It returns what a missing price is refused with.
func (s *Service) EquityTx(ctx context.Context, tx *db.Tx, account ledger.Account) (int64, error) {
	f, err := holdings(ctx, tx.Conn, account)
	if err != nil {
		return 0, err
	}
	v, err := s.rules.Value(f)
	return v.Equity, trading.TooLarge(err)
}

// snapshot lets several queries see one state.
func (s *Service) snapshot(ctx context.Context, read func(tx *db.Tx) error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`); err != nil {
			return err
		}
		return read(tx)
	})
}

// Load fills the trigger monitor from the database; the market has been loaded before. Quotes that come while it reads are kept for those that they concern.
func (s *Service) Load(ctx context.Context) error {
	s.watch.KeepQuotes(true)
	defer s.watch.KeepQuotes(false)
	portfolios, err := s.readAll(ctx)
	if err != nil {
		return fmt.Errorf("read the accounts to watch: %w", err)
	}
	for id, f := range portfolios {
		if err := s.take(ctx, *f); err != nil {
			return err
		}
		delete(portfolios, id)
	}
	return nil
}

// readAll reads every account with open positions or pending orders, all in one snapshot: a query a table, not one an account.
func (s *Service) readAll(ctx context.Context) (portfolios map[int64]*trading.Portfolio, err error) {
	err = s.snapshot(ctx, func(tx *db.Tx) error {
		portfolios, err = readAccounts(ctx, tx.Conn)
		if err != nil {
			return err
		}
		err = stream(ctx, tx.Conn, `SELECT `+trading.PositionColumns+` FROM positions WHERE state = 'open'`, func(p trading.Position) {
			f := portfolios[p.AccountID]
			f.Positions = append(f.Positions, p)
		})
		if err != nil {
			return err
		}
		err = stream(ctx, tx.Conn, `SELECT `+trading.OrderColumns+` FROM orders WHERE status IN ('untriggered', 'working')`, func(o trading.Order) {
			f := portfolios[o.AccountID]
			f.Orders = append(f.Orders, o)
		})
		if err != nil {
			return err
		}
		return stream(ctx, tx.Conn, `SELECT `+trading.CallColumns+` FROM margin_calls WHERE recovered_at IS NULL`, func(c trading.MarginCall) {
			if f := portfolios[c.AccountID]; f != nil {
				f.Call = &c
			}
		})
	})
	for _, f := range portfolios {
		f.InOrder()
	}
	return portfolios, err
}

func readAccounts(ctx context.Context, conn pgx.Tx) (map[int64]*trading.Portfolio, error) {
	rows, err := conn.Query(ctx, `
		SELECT account_id FROM positions WHERE state = 'open' UNION SELECT account_id FROM orders WHERE status IN ('untriggered', 'working')`)
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, err
	}
	accounts, err := ledger.LoadAll(ctx, conn, ids)
	portfolios := make(map[int64]*trading.Portfolio, len(accounts))
	for _, account := range accounts {
		portfolios[account.ID] = &trading.Portfolio{Account: account}
	}
	return portfolios, err
}

// stream hands the rows of a query on, one by one.
func stream[T any](ctx context.Context, conn pgx.Tx, sql string, take func(T)) error {
	rows, err := conn.Query(ctx, sql)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row, err := pgx.RowToStructByPos[T](rows)
		if err != nil {
			return err
		}
		take(row)
	}
	return rows.Err()
}

// trailingExtremes finds the best quote since each trailing stop was set: on the tape, and among the last ones, which may not be there yet.
func (s *Service) trailingExtremes(ctx context.Context, q ledger.Querier, f trading.Portfolio) (map[int64]trigger.Extreme, error) {
	found := map[int64]trigger.Extreme{}
	for _, p := range f.Positions {
		if p.Trail == nil {
			continue
		}
		b := trigger.Extreme{Side: p.Side, Since: p.TrailSince}
		err := q.QueryRow(ctx, `
			SELECT product_id, seq, bid, ask, at_ms, source_ms, source, batch FROM tape_quotes WHERE product_id = $1 AND seq >= $2
			ORDER BY CASE WHEN $3 THEN -bid ELSE ask END, seq LIMIT 1`, p.ProductID, p.TrailSince, p.Side == trading.Buy).
			Scan(&b.Quote.ProductID, &b.Quote.Seq, &b.Quote.Bid, &b.Quote.Ask, &b.Quote.AtMS, &b.Quote.SourceMS, &b.Quote.Source, &b.Quote.Batch)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return nil, fmt.Errorf("find the best quote of position %d: %w", p.ID, err)
		}
		fresh := s.watch.Recent(p.ProductID) // which may not be on the tape yet
		if newest, ok := s.market.Newest(p.ProductID); ok {
			fresh = append(fresh, newest)
		}
		for _, one := range fresh {
			if one.Seq >= p.TrailSince && (b.Quote.Seq == 0 || trading.Better(p.Side, one, b.Quote)) {
				b.Quote = one
			}
		}
		if b.Quote.Seq != 0 {
			b.Last = b.Quote.Seq
			found[p.ID] = b
		}
	}
	return found, nil
}
