package engine

import (
	"context"
	"errors"
	"fmt"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/trading"
	"candor/app/trading/trigger"
)

// Value is an account's valuation at the newest confirmed quotes.
func (s *Service) Value(ctx context.Context, accountID int64) (trading.Valuation, error) {
	f, err := s.read(ctx, accountID)
	if err != nil {
		return trading.Valuation{}, err
	}
	v, err := s.value(f, nil)
	return v, trading.TooLarge(err)
}

// value is a portfolio's valuation at the newest confirmed quotes, with the levels of its trailing stops; begun are trailing stops that the monitor doesn't
// know yet.
func (s *Service) value(f trading.Portfolio, begun map[int64]trigger.Extreme) (trading.Valuation, error) {
	v, err := s.rules.Value(f)
	s.monitor.SetTrailLevels(v.Positions, begun)
	return v, err
}

// Observe has an account's valuations sent to Run's observer until stop is called.
func (s *Service) Observe(ctx context.Context, accountID int64) (stop func(), err error) {
	stop = s.monitor.Observe(accountID)
	if err := s.reload(ctx, accountID); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// Conversion is the product that converts a currency into the account's, and whether its price is inverted; ok is false when they are the same or there is
// none.
func (s *Service) Conversion(currency string) (p market.Product, inverse, ok bool) {
	return s.rules.Conversion(currency)
}

// TradedTx reports whether a trader has ever traded with real money.
func (s *Service) TradedTx(ctx context.Context, tx *db.Tx, traderID int64) (traded bool, err error) {
	accounts, err := ledger.List(ctx, tx.Conn, traderID)
	if err != nil {
		return false, err
	}
	var own []int64
	for _, a := range accounts {
		if !a.Mock() {
			own = append(own, a.ID)
		}
	}
	if err = tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM fills WHERE account_id = ANY($1))`, own).Scan(&traded); err != nil {
		return false, fmt.Errorf("look for fills of trader %d: %w", traderID, err)
	}
	return traded, nil
}

// OpenTx reports whether an account has an open position.
func (s *Service) OpenTx(ctx context.Context, tx *db.Tx, accountID int64) (open bool, err error) {
	if err = tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM positions WHERE account_id = $1 AND state = 'open')`, accountID).Scan(&open); err != nil {
		return false, fmt.Errorf("look for open positions of account %d: %w", accountID, err)
	}
	return open, nil
}

// OwnsOrder reports whether an order belongs to a trader.
func (s *Service) OwnsOrder(ctx context.Context, traderID, orderID int64) (bool, error) {
	accounts, err := ledger.List(ctx, s.db.Pool, traderID)
	if err != nil {
		return false, err
	}
	for _, a := range accounts {
		switch _, err := s.Order(ctx, a.ID, orderID); {
		case err == nil:
			return true, nil
		case !errors.Is(err, trading.ErrOrder):
			return false, err
		}
	}
	return false, nil
}
