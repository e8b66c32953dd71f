package engine

import (
	"context"

	"candor/app/ledger"
	"candor/app/platform/idempotency"
	"candor/app/trading"
)

// Result is the result of a command.
type Result = idempotency.Result[trading.Done]

// Open fills a market order, once per key, and returns the result. Refusals: ErrSide, ErrLots, ErrLeverage, ErrMargin, ErrCash, ErrSlippage,
// ErrStopLoss, ErrTakeProfit, ErrTooMany, ErrRestricted, and the market's.
func (s *Service) Open(ctx context.Context, cmd trading.Open, r idempotency.Request) (Result, error) {
	return decide(ctx, s, cmd.Owner, r, s.rules.Open, cmd)
}

// Close closes a position, whole or in part, once per key, and returns the result. Refusals: ErrPosition, ErrLots, ErrSlippage, and the market's.
func (s *Service) Close(ctx context.Context, cmd trading.Close, r idempotency.Request) (Result, error) {
	return decide(ctx, s, cmd.Owner, r, s.rules.Close, cmd)
}

// Protect changes a position's stop loss, take profit and trailing stop, once per key, and returns the result. Refusals: ErrPosition, ErrStopLoss,
// ErrTakeProfit, ErrTrail.
func (s *Service) Protect(ctx context.Context, cmd trading.Protect, r idempotency.Request) (Result, error) {
	return decide(ctx, s, cmd.Owner, r, s.rules.Protect, cmd)
}

// Place adds a pending order, once per key, and returns the result. Refusals: ErrSide, ErrOrderType, ErrLots, ErrLeverage, ErrPriceAbove,
// ErrPriceBelow, ErrStopLoss, ErrTakeProfit, ErrTime, ErrExpiry, ErrManyOrders, ErrRestricted, and the market's.
func (s *Service) Place(ctx context.Context, cmd trading.Place, r idempotency.Request) (Result, error) {
	return decide(ctx, s, cmd.Owner, r, s.rules.Place, cmd)
}

// Pair adds two pending orders, one cancels the other (OCO), once per key, and returns the result with both. Refusals are those of Place.
func (s *Service) Pair(ctx context.Context, cmd trading.Pair, r idempotency.Request) (Result, error) {
	return decide(ctx, s, cmd.Owner, r, s.rules.Pair, cmd)
}

// Revise amends a pending order, once per key, and returns the result. Refusals: ErrOrder, ErrOrderEnded, and those of Place for the amended fields.
func (s *Service) Revise(ctx context.Context, cmd trading.Revise, r idempotency.Request) (Result, error) {
	return decide(ctx, s, cmd.Owner, r, s.rules.Revise, cmd)
}

// Cancel ends a pending order, once per key, and returns the result. Refusals: ErrOrder, ErrOrderEnded.
func (s *Service) Cancel(ctx context.Context, cmd trading.Cancel, r idempotency.Request) (Result, error) {
	return decide(ctx, s, cmd.Owner, r, s.rules.Cancel, cmd)
}

// CancelAll ends all pending orders, or those of one product, once per key, and returns the result with the orders it ended.
func (s *Service) CancelAll(ctx context.Context, cmd trading.CancelAll, r idempotency.Request) (Result, error) {
	return decide(ctx, s, cmd.Owner, r, s.rules.CancelAll, cmd)
}

// CloseAll closes positions, once per key, and returns the result with every fill, and with the positions left open because their market is closed or
// their price is stale or unconfirmed. It returns ErrNothingOpen when there is nothing to close.
func (s *Service) CloseAll(ctx context.Context, cmd trading.CloseAll, r idempotency.Request) (Result, error) {
	return decide(ctx, s, cmd.Owner, r, s.rules.CloseAll, cmd)
}

// Reverse closes a position and opens its opposite, once per key, and returns the result: its fill is the opening one. Refusals: ErrPosition,
// ErrLeverage, ErrMargin, ErrCash, ErrSlippage, ErrRestricted, and the market's; then nothing is closed either.
func (s *Service) Reverse(ctx context.Context, cmd trading.Reverse, r idempotency.Request) (Result, error) {
	return decide(ctx, s, cmd.Owner, r, s.rules.Reverse, cmd)
}

// CloseBy settles two positions against each other, once per key, and returns the result with both fills. Refusals: ErrPosition,
// ErrNotOpposite, ErrLots when a remainder would be below the product's minimum, and the market's.
func (s *Service) CloseBy(ctx context.Context, cmd trading.CloseBy, r idempotency.Request) (Result, error) {
	return decide(ctx, s, cmd.Owner, r, s.rules.CloseBy, cmd)
}

// SetPositionMode switches an account between netting and hedging, once per key, and returns the result. It returns ErrNotFlat while there are positions
// or pending orders.
func (s *Service) SetPositionMode(ctx context.Context, cmd trading.SetPositionMode, r idempotency.Request) (Result, error) {
	return decide(ctx, s, cmd.Owner, r, s.rules.SetPositionMode, cmd)
}

// decide runs a rule on a trader's command, once per key. It returns ErrBusy when too many commands are queued.
func decide[C any](
	ctx context.Context, s *Service, owner ledger.Owner, r idempotency.Request, rule func(trading.Journal, trading.Portfolio, C) (trading.Outcome, error), cmd C,
) (result Result, err error) {
	if err := r.Check(); err != nil {
		return result, err
	}
	c := command{ctx: ctx, accountID: owner.AccountID, traderID: owner.TraderID, request: &r, act: func(j trading.Journal, f trading.Portfolio) (*trading.Outcome, error) {
		out, err := rule(j, f, cmd)
		return &out, err
	}}
	if err := s.sequencer.do(&c); err != nil {
		return result, err
	}
	return *c.result, nil
}
