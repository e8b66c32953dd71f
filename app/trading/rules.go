package trading

import "candor/app/platform/clock"

// Rules decide what a command, a price or the clock makes of a portfolio. They read prices and clocks, and write to a journal: they know no database.
type Rules struct {
	market  Market
	clock   clock.Clock // real time
	convert converter
}

// NewRules are the rules on a market; real is the clock of creation times and restrictions.
func NewRules(m Market, real clock.Clock) *Rules {
	return &Rules{market: m, clock: real, convert: newConverter(m.Products())}
}

// Value is a portfolio at the newest confirmed quotes. It returns ErrConversion and the market's refusals where a price is missing.
func (rules *Rules) Value(f Portfolio) (Valuation, error) {
	return f.value(rules.market, rules.convert)
}
