package trading

import (
	"candor/app/market"
	"candor/app/platform/errs"
)

// Refusals of bulk closes.
var (
	ErrNotOpposite = errs.New(errs.Refused, "position.not_opposite")
	ErrNothingOpen = errs.New(errs.Refused, "position.nothing_open")
)

func (rules *Rules) CloseAll(j journal, f portfolio, cmd CloseAll) (outcome, error) {
	all := outcome{portfolio: f}
	for _, position := range f.positions {
		if (cmd.ProductID != 0 && position.ProductID != cmd.ProductID) || (cmd.Side != "" && position.Side != cmd.Side) {
			continue
		}
		q, err := rules.market.Tradable(position.ProductID)
		if refusal := errs.As(err); refusal != nil {
			all.skipped = append(all.skipped, Skip{position.ID, refusal.Key})
			continue
		}
		if err != nil {
			return outcome{}, err
		}
		out, err := rules.closePosition(j, all.portfolio, closing{position: position, lots: position.Lots, rule: MarketRule, quote: q, source: sourceUser})
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

func (rules *Rules) Reverse(j journal, f portfolio, cmd Reverse) (outcome, error) {
	position, p, err := rules.held(f, cmd.PositionID)
	if err != nil {
		return outcome{}, err
	}
	q, err := rules.market.Tradable(p.ID)
	if err != nil {
		return outcome{}, err
	}
	side := position.Side.Opposite()
	if err := checkSlippage(p, side, openingPrice(side, q), cmd.Seen, cmd.SlippageBps); err != nil {
		return outcome{}, err
	}
	closed, err := rules.closePosition(j, f, closing{position: position, lots: position.Lots, rule: MarketRule, quote: q, source: sourceUser, slippageBps: cmd.SlippageBps})
	if err != nil {
		return outcome{}, err
	}
	opened, err := rules.enter(j, closed.portfolio, opening{
		product: p, quote: q, side: side, lots: position.Lots, leverage: position.Leverage, rule: MarketRule, slippageBps: cmd.SlippageBps,
	})
	if err != nil {
		return outcome{}, err
	}
	return closed.and(opened), nil
}

// closeBy closes both at the open price of the second: all of the difference is the first one's profit, the second closes where it opened.
func (rules *Rules) CloseBy(j journal, f portfolio, cmd CloseBy) (outcome, error) {
	first, ok := f.find(cmd.PositionID)
	second, also := f.find(cmd.ByPositionID)
	if !ok || !also {
		return outcome{}, ErrPosition
	}
	if first.ProductID != second.ProductID || first.Side != second.Side.Opposite() {
		return outcome{}, ErrNotOpposite
	}
	p, err := rules.market.Product(first.ProductID)
	if err != nil {
		return outcome{}, err
	}
	lots := min(first.Lots, second.Lots)
	for _, position := range []Position{first, second} {
		if err := checkPart(p, lots, position.Lots); err != nil {
			return outcome{}, err
		}
	}
	q, err := rules.market.Tradable(p.ID)
	if err != nil {
		return outcome{}, err
	}
	all := outcome{portfolio: f}
	for _, position := range []Position{first, second} {
		out, err := rules.closePosition(j, all.portfolio, closing{
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
