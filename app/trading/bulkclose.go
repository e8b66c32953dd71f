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

// CloseAll closes the positions that the command selects, each at its own quote, and lists those that stay open.
func (rules *Rules) CloseAll(j Journal, f Portfolio, cmd CloseAll) (Outcome, error) {
	all := Outcome{Portfolio: f}
	for _, position := range f.Positions {
		if (cmd.ProductID != 0 && position.ProductID != cmd.ProductID) || (cmd.Side != "" && position.Side != cmd.Side) {
			continue
		}
		q, err := rules.market.Tradable(position.ProductID)
		if refusal := errs.As(err); refusal != nil {
			all.skipped = append(all.skipped, Skip{position.ID, refusal.Key})
			continue
		}
		if err != nil {
			return Outcome{}, err
		}
		out, err := rules.closePosition(j, all.Portfolio, closing{position: position, lots: position.Lots, rule: MarketRule, quote: q, source: sourceUser})
		if err != nil {
			return Outcome{}, err
		}
		all = all.then(out)
	}
	if len(all.fills)+len(all.skipped) == 0 {
		return Outcome{}, ErrNothingOpen
	}
	return all, nil
}

// Reverse closes a position and opens its opposite at the same quote, with the same leverage, which must be within the account's ceiling.
func (rules *Rules) Reverse(j Journal, f Portfolio, cmd Reverse) (Outcome, error) {
	position, p, err := rules.findOpen(f, cmd.PositionID)
	if err != nil {
		return Outcome{}, err
	}
	q, err := rules.market.Tradable(p.ID)
	if err != nil {
		return Outcome{}, err
	}
	if err := rules.checkCeiling(f.Account, p, cmd.Country, position.Leverage); err != nil {
		return Outcome{}, err
	}
	side := position.Side.Opposite()
	if err := checkSlippage(p, side, OpeningPrice(side, q), cmd.Seen, cmd.SlippageBps); err != nil {
		return Outcome{}, err
	}
	closed, err := rules.closePosition(j, f, closing{position: position, lots: position.Lots, rule: MarketRule, quote: q, source: sourceUser, slippageBps: cmd.SlippageBps})
	if err != nil {
		return Outcome{}, err
	}
	opened, err := rules.enter(j, closed.Portfolio, opening{
		product: p, quote: q, side: side, lots: position.Lots, leverage: position.Leverage, rule: MarketRule, slippageBps: cmd.SlippageBps,
	})
	if err != nil {
		return Outcome{}, err
	}
	return closed.then(opened), nil
}

// CloseBy settles two opposite positions against each other at the open price of the second: the first takes the whole difference as its profit, the second
// closes where it opened. Refusals: ErrPosition, ErrNotOpposite, ErrLots when a remainder is below the product's minimum, and the market's.
func (rules *Rules) CloseBy(j Journal, f Portfolio, cmd CloseBy) (Outcome, error) {
	first, ok := f.FindPosition(cmd.PositionID)
	second, also := f.FindPosition(cmd.ByPositionID)
	if !ok || !also {
		return Outcome{}, ErrPosition
	}
	if first.ProductID != second.ProductID || first.Side != second.Side.Opposite() {
		return Outcome{}, ErrNotOpposite
	}
	p, err := rules.market.Product(first.ProductID)
	if err != nil {
		return Outcome{}, err
	}
	lots := min(first.Lots, second.Lots)
	for _, position := range []Position{first, second} {
		if err := CheckPart(p, lots, position.Lots); err != nil {
			return Outcome{}, err
		}
	}
	q, err := rules.market.Tradable(p.ID)
	if err != nil {
		return Outcome{}, err
	}
	all := Outcome{Portfolio: f}
	for _, position := range []Position{first, second} {
		out, err := rules.closePosition(j, all.Portfolio, closing{
			position: position, lots: lots, rule: CloseByRule, quote: q, source: sourceUser, by: &second,
		})
		if err != nil {
			return Outcome{}, err
		}
		all = all.then(out)
	}
	return all, nil
}

// price is the open price of the opposite position in a close-by, otherwise the quote's price for the side.
func (c closing) price(q market.Quote) int64 {
	if c.by != nil {
		return c.by.OpenPrice
	}
	return ClosingPrice(c.position.Side, q)
}
