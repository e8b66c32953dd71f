package trading

import (
	"candor/app/market"
	"slices"
)

// trailingExtreme is the best quote for a position since its trailing stop was set, and the last quote that was considered.
type trailingExtreme struct {
	side  Side
	since int64 // the position's TrailSince
	quote market.Quote
	last  int64
}

// followBest moves the best quotes of the positions in a product; the caller holds the lock.
func (tm *triggerMonitor) followBest(f portfolio, q market.Quote) {
	for _, p := range f.positions {
		b, known := tm.best[p.ID]
		if p.Trail == nil || p.ProductID != q.ProductID || !known || q.Seq <= b.last {
			continue
		}
		if b.last = q.Seq; better(p.Side, q, b.quote) {
			b.quote = q
		}
		tm.best[p.ID] = b
	}
}

// SetTrailLevels sets the levels of trailing stops: behind the best quotes that are known, or behind those at which they have just begun.
func (tm *triggerMonitor) SetTrailLevels(positions []Valued, begun map[int64]trailingExtreme) {
	if !slices.ContainsFunc(positions, func(p Valued) bool { return p.Trail != nil }) {
		return // most accounts: no need to wait for the monitor
	}
	tm.mu.Lock()
	defer tm.mu.Unlock()
	for i, p := range positions {
		b, ok := begun[p.ID]
		if !ok {
			b = tm.best[p.ID]
		}
		if p.Trail != nil && b.quote.Seq != 0 && b.since == p.TrailSince {
			level := trailLevel(p.Position, b.quote)
			positions[i].TrailLevel = &level
		}
	}
}

// Learn takes the best quotes that were found for an account's trailing positions, unless better ones are known already, or a stop has begun since.
func (tm *triggerMonitor) Learn(found map[int64]trailingExtreme) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	for id, b := range found {
		known, ok := tm.best[id]
		if ok && known.since > b.since {
			continue
		}
		if ok && known.since == b.since {
			if !better(b.side, b.quote, known.quote) {
				b.quote = known.quote
			}
			b.last = max(b.last, known.last)
		}
		tm.best[id] = b
	}
}
