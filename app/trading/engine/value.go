package engine

import (
	"context"

	"candor/app/market"
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
