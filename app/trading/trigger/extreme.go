package trigger

import (
	"slices"

	"candor/app/market"
	"candor/app/trading"
)

// Extreme is the best quote for a position since its trailing stop was set, and the last quote that was considered.
type Extreme struct {
	Side  trading.Side
	Since int64 // the position's TrailSince
	Quote market.Quote
	Last  int64
}

// followBest updates the best quotes of a portfolio's trailing stops; the caller must hold the lock.
func (tm *Monitor) followBest(f trading.Portfolio, q market.Quote) {
	for _, p := range f.Positions {
		b, known := tm.best[p.ID]
		if p.Trail == nil || p.ProductID != q.ProductID || !known || q.Seq <= b.Last {
			continue
		}
		if b.Last = q.Seq; trading.Better(p.Side, q, b.Quote) {
			b.Quote = q
		}
		tm.best[p.ID] = b
	}
}

// SetTrailLevels sets the levels of trailing stops behind their best quotes; begun are stops that the monitor doesn't know yet.
func (tm *Monitor) SetTrailLevels(positions []trading.Valued, begun map[int64]Extreme) {
	if !slices.ContainsFunc(positions, func(p trading.Valued) bool { return p.Trail != nil }) {
		return // most accounts: no need to wait for the lock
	}
	tm.mu.Lock()
	defer tm.mu.Unlock()
	for i, p := range positions {
		b, ok := begun[p.ID]
		if !ok {
			b = tm.best[p.ID]
		}
		if p.Trail != nil && b.Quote.Seq != 0 && b.Since == p.TrailSince {
			level := trading.TrailLevel(p.Position, b.Quote)
			positions[i].TrailLevel = &level
		}
	}
}

// Learn adds best quotes that were found for an account's trailing stops, unless better ones are known or the stop has begun again since.
func (tm *Monitor) Learn(found map[int64]Extreme) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	for id, b := range found {
		known, ok := tm.best[id]
		if ok && known.Since > b.Since {
			continue
		}
		if ok && known.Since == b.Since {
			if !trading.Better(b.Side, b.Quote, known.Quote) {
				b.Quote = known.Quote
			}
			b.Last = max(b.Last, known.Last)
		}
		tm.best[id] = b
	}
}
