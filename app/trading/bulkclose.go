package trading

import (
	"context"

	"candor/app/market"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
)

// Refusals of bulk closes.
var (
	ErrNotOpposite = errs.New(errs.Refused, "position.not_opposite")
	ErrNothingOpen = errs.New(errs.Refused, "position.nothing_open")
)

// CloseAll ends positions at their current quotes: all of them, or those of one product, or of one side.
type CloseAll struct {
	Owner
	ProductID int  // 0 is all
	Side      Side // empty is both
}

// Reverse ends a position and opens its opposite with the same lots, both at the current quote. Seen is the price that the trader saw.
type Reverse struct {
	Owner
	PositionID  int64
	Seen        int64
	SlippageBps int
}

// CloseBy settles two opposite positions of a product against each other, without a spread, as far as the smaller reaches.
type CloseBy struct {
	Owner
	PositionID, ByPositionID int64
}

// Skip is a position that CloseAll left open, and why.
type Skip struct {
	PositionID int64
	Code       string // of the market's refusal
}

// CloseAll ends positions, once per key, and returns the encoded Done with every fill, and what was left open because its market is closed or its
// price is not fresh. It returns ErrNothingOpen when there is nothing to close.
func (s *Service) CloseAll(ctx context.Context, cmd CloseAll, r idempotency.Request) ([]byte, error) {
	return s.command(ctx, cmd.Owner, r, func(j journal, f portfolio) (outcome, error) { return s.closeAll(j, f, cmd) })
}

func (s *Service) closeAll(j journal, f portfolio, cmd CloseAll) (outcome, error) {
	all := outcome{portfolio: f}
	for _, position := range f.positions {
		if (cmd.ProductID != 0 && position.ProductID != cmd.ProductID) || (cmd.Side != "" && position.Side != cmd.Side) {
			continue
		}
		q, err := s.market.Tradable(position.ProductID)
		if refusal := errs.As(err); refusal != nil {
			all.skipped = append(all.skipped, Skip{position.ID, refusal.Key})
			continue
		}
		if err != nil {
			return outcome{}, err
		}
		out, err := s.close(j, all.portfolio, closing{position: position, lots: position.Lots, rule: MarketRule, quote: q, source: sourceUser})
		if err != nil {
			return outcome{}, err
		}
		all = all.and(out)
	}
	if len(all.fills)+len(all.skipped) == 0 {
		return outcome{}, ErrNothingOpen
	}
	return all, nil
}

// Reverse turns a position round, once per key, and returns the encoded Done: its fill is the opening one. Refusals: ErrPosition, ErrMargin,
// ErrSlippage, ErrRestricted, and the market's; then nothing is closed either.
func (s *Service) Reverse(ctx context.Context, cmd Reverse, r idempotency.Request) ([]byte, error) {
	return s.command(ctx, cmd.Owner, r, func(j journal, f portfolio) (outcome, error) { return s.reverse(j, f, cmd) })
}

func (s *Service) reverse(j journal, f portfolio, cmd Reverse) (outcome, error) {
	position, p, err := s.held(f, cmd.PositionID)
	if err != nil {
		return outcome{}, err
	}
	q, err := s.market.Tradable(p.ID)
	if err != nil {
		return outcome{}, err
	}
	side := position.Side.Opposite()
	if err := checkSlippage(p, side, openingPrice(side, q), cmd.Seen, cmd.SlippageBps); err != nil {
		return outcome{}, err
	}
	closed, err := s.close(j, f, closing{position: position, lots: position.Lots, rule: MarketRule, quote: q, source: sourceUser, slippageBps: cmd.SlippageBps})
	if err != nil {
		return outcome{}, err
	}
	opened, err := s.enter(j, closed.portfolio, opening{
		product: p, quote: q, side: side, lots: position.Lots, leverage: position.Leverage, rule: MarketRule, slippageBps: cmd.SlippageBps,
	})
	if err != nil {
		return outcome{}, err
	}
	return closed.and(opened), nil
}

// CloseBy settles two positions against each other, once per key, and returns the encoded Done with both fills. Refusals: ErrPosition,
// ErrNotOpposite, ErrLots when a remainder would be below the product's minimum, and the market's.
func (s *Service) CloseBy(ctx context.Context, cmd CloseBy, r idempotency.Request) ([]byte, error) {
	return s.command(ctx, cmd.Owner, r, func(j journal, f portfolio) (outcome, error) { return s.closeBy(j, f, cmd) })
}

// closeBy closes both at the open price of the second: all of the difference is the first one's profit, the second closes where it opened.
func (s *Service) closeBy(j journal, f portfolio, cmd CloseBy) (outcome, error) {
	first, ok := f.find(cmd.PositionID)
	second, also := f.find(cmd.ByPositionID)
	if !ok || !also {
		return outcome{}, ErrPosition
	}
	if first.ProductID != second.ProductID || first.Side != second.Side.Opposite() {
		return outcome{}, ErrNotOpposite
	}
	p, err := s.market.Product(first.ProductID)
	if err != nil {
		return outcome{}, err
	}
	lots := min(first.Lots, second.Lots)
	for _, position := range []Position{first, second} {
		if err := checkPart(p, lots, position.Lots); err != nil {
			return outcome{}, err
		}
	}
	q, err := s.market.Tradable(p.ID)
	if err != nil {
		return outcome{}, err
	}
	all := outcome{portfolio: f}
	for _, position := range []Position{first, second} {
		out, err := s.close(j, all.portfolio, closing{
			position: position, lots: lots, rule: CloseByRule, quote: q, source: sourceUser, by: &second,
		})
		if err != nil {
			return outcome{}, err
		}
		all = all.and(out)
	}
	return all, nil
}

// price is what the closing happens at: the other position's open price when it settles against one, the quote's own side otherwise.
func (c closing) price(q market.Quote) int64 {
	if c.by != nil {
		return c.by.OpenPrice
	}
	return closingPrice(c.position.Side, q)
}

// and is one outcome after another: the state after both, and the fills of both.
func (out outcome) and(next outcome) outcome {
	next.fills = append(out.allFills(), next.allFills()...)
	next.skipped = append(out.skipped, next.skipped...)
	return next
}

// allFills are the fills of an outcome, oldest first.
func (out outcome) allFills() []Fill {
	if out.fills != nil || out.fill == nil {
		return out.fills
	}
	return []Fill{*out.fill}
}
