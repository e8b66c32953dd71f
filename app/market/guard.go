package market

import (
	"slices"

	"candor/app/platform/money"
)

// Rejection says why a raw quote was not believed.
type Rejection string

// The rejections.
const (
	rejectedNumber  Rejection = "number"       // not a plain positive decimal: zero, negative, NaN, infinite
	rejectedCrossed Rejection = "crossed"      // bid above ask
	rejectedOrder   Rejection = "out_of_order" // older than the last one
	rejectedRepeat  Rejection = "repeated"     // the same prices at the same time
	rejectedSpike   Rejection = "spike"        // too far from the recent ones, and not confirmed
	rejectedAhead   Rejection = "ahead"        // of a moment that market time has not reached
)

const (
	medianWindow  = 20 // quotes that make the median a new one is held against
	confirmations = 3  // far quotes near each other that make a new level believed
)

// guard stands before one product's tape. It is used by the feed's goroutine alone.
type guard struct {
	product  Product
	last     Quote
	recent   []int64 // doubled mids of the last accepted quotes
	suspects []int64 // doubled mids of far quotes that wait for confirmation
}

// check turns a raw quote into one that may be traded on, or says why not. halted tells that a spike waits for confirmation.
func (g *guard) check(raw Raw) (q Quote, rejected Rejection) {
	bid, errBid := money.ParseNearest(raw.Bid, g.product.Point)
	ask, errAsk := money.ParseNearest(raw.Ask, g.product.Point)
	q = Quote{ProductID: g.product.ID, Bid: bid, Ask: ask, AtMS: raw.At.UnixMilli(), SourceMS: raw.SourceAt.UnixMilli()}
	switch {
	case errBid != nil || errAsk != nil || bid <= 0 || ask <= 0:
		return q, rejectedNumber
	case bid > ask:
		return q, rejectedCrossed
	}
	q = g.product.widen(q)
	switch {
	case q.Bid <= 0:
		return q, rejectedNumber
	case q.AtMS < g.last.AtMS:
		return q, rejectedOrder
	case q.AtMS == g.last.AtMS && q.Bid == g.last.Bid && q.Ask == g.last.Ask:
		return q, rejectedRepeat
	case g.spike(q.Mid2()):
		return q, rejectedSpike
	}
	return q, ""
}

// widen takes the product's markup from the bid and gives it to the ask, half each; the odd point goes to the ask.
func (t Terms) widen(q Quote) Quote {
	half := int64(t.SpreadMarkup / 2)
	q.Bid -= half
	q.Ask += int64(t.SpreadMarkup) - half
	return q
}

// spike tells whether a price is too far from the recent ones to be believed yet. Far prices that agree with each other three times
// are the new level.
func (g *guard) spike(mid2 int64) bool {
	if len(g.recent) == 0 || near(mid2, median(g.recent), g.product.SpikeBps) {
		g.suspects = g.suspects[:0]
		return false
	}
	if len(g.suspects) > 0 && !near(mid2, g.suspects[0], g.product.SpikeBps) {
		g.suspects = g.suspects[:0]
	}
	g.suspects = append(g.suspects, mid2)
	if len(g.suspects) < confirmations {
		return true
	}
	g.recent, g.suspects = g.recent[:0], g.suspects[:0]
	return false
}

// accept makes q the last quote.
func (g *guard) accept(q Quote) {
	g.last = q
	if len(g.recent) == medianWindow {
		copy(g.recent, g.recent[1:])
		g.recent = g.recent[:medianWindow-1]
	}
	g.recent = append(g.recent, q.Mid2())
}

// reopened forgets the levels of before a break: the first price of a session may lie anywhere.
func (g *guard) reopened() { g.recent, g.suspects = g.recent[:0], g.suspects[:0] }

func (g *guard) halted() bool { return len(g.suspects) > 0 }

func near(price, reference int64, bps int) bool {
	distance := price - reference
	if distance < 0 {
		distance = -distance
	}
	limit, err := money.MulDiv(reference, int64(bps), 10_000, money.Down)
	return err == nil && distance <= limit
}

func median(values []int64) int64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}
