package engine

import (
	"context"

	"candor/app/market"
	"candor/app/trading"
	"candor/app/trading/trigger"
)

// Value is an account at the newest quotes.
func (s *Service) Value(ctx context.Context, accountID int64) (trading.Valuation, error) {
	f, err := s.read(ctx, accountID)
	if err != nil {
		return trading.Valuation{}, err
	}
	v, err := s.value(f, nil)
	return v, trading.TooLarge(err)
}

// value is an account at the newest quotes, and where its trailing stops stand; some may just have begun.
func (s *Service) value(f trading.Portfolio, begun map[int64]trigger.Extreme) (trading.Valuation, error) {
	v, err := s.rules.Value(f)
	s.watch.SetTrailLevels(v.Positions, begun)
	return v, err
}

// Observe asks for an account's valuations until stop is called.
func (s *Service) Observe(ctx context.Context, accountID int64) (stop func(), err error) {
	stop = s.watch.Observe(accountID)
	if err := s.reload(ctx, accountID); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// Conversion finds the product that converts a currency into the account's, and whether its price is inverted; false when they are the same or there is none.
func (s *Service) Conversion(currency string) (p market.Product, inverse, ok bool) {
	return s.rules.Conversion(currency)
}
