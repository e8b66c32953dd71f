package trading

import "candor/app/platform/clock"

// Rules decide what a command, a quote or the clock does to a portfolio. They read prices and clocks and write to a journal; they don't use the database.
type Rules struct {
	market  Market
	clock   clock.Clock // real time
	convert converter
}

// NewRules makes the rules for a market; real stamps creation times and judges restrictions.
func NewRules(m Market, real clock.Clock) *Rules {
	return &Rules{market: m, clock: real, convert: newConverter(m.Products())}
}

// Value is the portfolio at the newest confirmed quotes. It returns ErrConversion and market.ErrNoPrice.
func (rules *Rules) Value(f Portfolio) (Valuation, error) {
	return f.value(rules.market, rules.convert)
}
