package trading

import (
	"slices"

	"candor/app/market"
)

// CheckLevel opens or ends a margin call and stops the account out, as its margin level requires.
func (rules *Rules) CheckLevel(j Journal, f Portfolio) (Outcome, error) {
	v, err := rules.Value(f)
	if err != nil {
		return Outcome{}, err
	}
	f, call, err := rules.warn(j, f, v)
	if err != nil {
		return Outcome{}, err
	}
	out, err := rules.stopOut(j, f, v)
	out.call = call
	return out, err
}

// stopOut closes one position after the other, the largest loss first, until the level is above the stop-out or nothing can be closed. v is the valuation
// that the margin call was decided on.
func (rules *Rules) stopOut(j Journal, f Portfolio, v Valuation) (Outcome, error) {
	all := Outcome{Portfolio: f}
	for v.AtOrBelow(StopOutPercent) {
		victim, quote, ok := rules.NextStopOut(v)
		if !ok {
			break
		}
		out, err := rules.closePosition(j, all.Portfolio, closing{position: victim, lots: victim.Lots, rule: StopOutRule, quote: quote, source: sourceSystem, before: &v})
		if err != nil {
			return Outcome{}, err
		}
		all = all.then(out)
		if v, err = rules.Value(all.Portfolio); err != nil {
			return Outcome{}, err
		}
	}
	return all, nil
}

// NextStopOut is the position that a stop-out closes next: largest loss, then larger volume, then lower id. It skips positions whose market is closed or
// whose price is unconfirmed.
func (rules *Rules) NextStopOut(v Valuation) (Position, market.Quote, bool) {
	order := slices.SortedStableFunc(slices.Values(v.Positions), func(a, b Valued) int {
		if a.Snapshot().ClosesBefore(b.Snapshot()) {
			return -1
		}
		return 1
	})
	for _, p := range order {
		if q, err := rules.market.Tradable(p.ProductID); err == nil {
			return p.Position, q, true
		}
	}
	return Position{}, market.Quote{}, false
}
