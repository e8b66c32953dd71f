package trading

import (
	"slices"

	"candor/app/market"
)

// lookAfter warns an account and stops it out, if its level says so.
func (rules *Rules) LookAfter(j Journal, f Portfolio) (Outcome, error) {
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

// stopOut closes positions one at a time, the largest loss first, until the level is above the limit or nothing can be closed. V is what the account
// was warned on.
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
		all = all.and(out)
		if v, err = rules.Value(all.Portfolio); err != nil {
			return Outcome{}, err
		}
	}
	return all, nil
}

// NextStopOut is the position that a stop-out closes next: the largest floating loss, then the larger volume, then the older one. Positions whose
// market is closed or whose price is not confirmed are passed over.
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
