package engine

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/trading"
	"candor/app/trading/trigger"
)

// reload reads one account again and updates the trigger monitor.
func (s *Service) reload(ctx context.Context, accountID int64) error {
	f, err := s.read(ctx, accountID)
	if err != nil {
		return err
	}
	return s.register(ctx, f)
}

// register adds an account to the trigger monitor, with the best quotes of its trailing stops.
func (s *Service) register(ctx context.Context, f trading.Portfolio) error {
	found, err := s.trailingExtremes(ctx, s.db.Pool, f)
	if err != nil {
		return err
	}
	s.monitor.Learn(found)
	s.monitor.Remember(f)
	return nil
}

// read reads an account's portfolio in one snapshot, without locks.
func (s *Service) read(ctx context.Context, accountID int64) (f trading.Portfolio, err error) {
	err = s.snapshot(ctx, func(tx *db.Tx) error {
		account, err := ledger.Load(ctx, tx.Conn, accountID)
		if err != nil {
			return err
		}
		f, err = readPortfolio(ctx, tx.Conn, account)
		return err
	})
	return f, err
}

// WithdrawableTx is the amount that may leave an account, at the newest confirmed quotes. The caller must hold the account's lock.
func (s *Service) WithdrawableTx(ctx context.Context, tx *db.Tx, account ledger.Account) (int64, error) {
	f, err := readPortfolio(ctx, tx.Conn, account)
	if err != nil {
		return 0, err
	}
	v, err := s.rules.Value(f)
	return v.Withdrawable(), trading.TooLarge(err)
}

// EquityTx is an account's equity at the newest confirmed quotes, open positions included. It returns trading.ErrConversion or market.ErrNoPrice when a price
// is missing.
func (s *Service) EquityTx(ctx context.Context, tx *db.Tx, account ledger.Account) (int64, error) {
	f, err := readPortfolio(ctx, tx.Conn, account)
	if err != nil {
		return 0, err
	}
	v, err := s.rules.Value(f)
	return v.Equity, trading.TooLarge(err)
}

// snapshot runs several queries in one read-only snapshot.
func (s *Service) snapshot(ctx context.Context, read func(tx *db.Tx) error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`); err != nil {
			return err
		}
		return read(tx)
	})
}

// Load fills the trigger monitor from the database; the market must be loaded first. Quotes that arrive while it reads are kept, so that no trigger is missed.
func (s *Service) Load(ctx context.Context) error {
	s.monitor.KeepQuotes(true)
	defer s.monitor.KeepQuotes(false)
	portfolios, err := s.readAll(ctx)
	if err != nil {
		return fmt.Errorf("read the accounts to watch: %w", err)
	}
	for id, f := range portfolios {
		if err := s.register(ctx, *f); err != nil {
			return err
		}
		delete(portfolios, id)
	}
	return nil
}

// readAll reads every account with open positions or pending orders in one snapshot, with one query per table.
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

// stream calls take with each row of a query.
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

// trailingExtremes finds the best quote since each trailing stop was set, on the tape and among the recent quotes, which may not be on the tape yet.
func (s *Service) trailingExtremes(ctx context.Context, q ledger.Querier, f trading.Portfolio) (map[int64]trigger.Extreme, error) {
	found := map[int64]trigger.Extreme{}
	for _, p := range f.Positions {
		if p.Trail == nil {
			continue
		}
		b := trigger.Extreme{Side: p.Side, Since: p.TrailSince}
		var err error
		if b.Quote, err = market.BestSince(ctx, q, p.ProductID, p.TrailSince, p.Side == trading.Buy); err != nil {
			return nil, err
		}
		fresh := s.monitor.Recent(p.ProductID) // which may not be on the tape yet
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
