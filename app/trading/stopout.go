package trading

import (
	"candor/app/market"
	"slices"
)

// lookAfter warns an account and stops it out, if its level says so.
func (rules *Rules) LookAfter(j journal, f portfolio) (outcome, error) {
	v, err := rules.Value(f)
	if err != nil {
		return outcome{}, err
	}
	f, call, err := rules.warn(j, f, v)
	if err != nil {
		return outcome{}, err
	}
	out, err := rules.stopOut(j, f, v)
	out.call = call
	return out, err
}

// stopOut closes positions one at a time, the largest loss first, until the level is above the limit or nothing can be closed. V is what the account
// was warned on.
func (rules *Rules) stopOut(j journal, f portfolio, v Valuation) (outcome, error) {
	all := outcome{portfolio: f}
	for v.atOrBelow(stopOutPercent) {
		victim, quote, ok := rules.worst(v)
		if !ok {
			break
		}
		out, err := rules.closePosition(j, all.portfolio, closing{position: victim, lots: victim.Lots, rule: StopOutRule, quote: quote, source: sourceSystem, before: &v})
		if err != nil {
			return outcome{}, err
		}
		all = all.and(out)
		if v, err = rules.Value(all.portfolio); err != nil {
			return outcome{}, err
		}
	}
	return all, nil
}

// worst is the position that a stop-out closes next: the largest floating loss, then the larger volume, then the older one. Positions whose
// market is closed or whose price is not confirmed are passed over.
func (rules *Rules) worst(v Valuation) (Position, market.Quote, bool) {
	order := slices.SortedStableFunc(slices.Values(v.Positions), func(a, b Valued) int {
		if a.snapshot().before(b.snapshot()) {
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
