package market

import (
	"slices"
	"time"

	"candor/app/platform/money"
)

// Rejection is the reason a raw quote was rejected.
type Rejection string

// The rejections. Each halts the product, except a repetition, which says nothing about the price.
const (
	rejectedNumber  Rejection = "number"       // not a plain positive decimal: zero, negative, NaN, infinite
	rejectedCrossed Rejection = "crossed"      // bid above ask
	rejectedOrder   Rejection = "out_of_order" // older than the last one
	rejectedRepeat  Rejection = "repeated"     // the same prices at the same time
	rejectedAhead   Rejection = "ahead"        // later than market time
	rejectedSpread  Rejection = "spread"       // bid and ask too far apart
	rejectedSpike   Rejection = "spike"        // too far from recent prices, and not confirmed
	rejectedFrozen  Rejection = "frozen"       // unchanged for longer than a quiet market
)

const (
	medianWindow  = 20 // recent quotes in the median that a new quote is compared with
	confirmations = 3  // consecutive good quotes that end a halt, or consecutive far quotes near each other that set a new level
	openingFactor = 4  // spike limits by which the first price after a break may differ from the last one
	frozenFactor  = 30 // stale limits for which a feed may repeat one price
)

// guard checks one product's quotes before they reach the tape. Only the feed's goroutine uses it.
type guard struct {
	product   Product
	stale     time.Duration // maximum age of a tradable quote; zero while history is loaded
	last      Quote
	heardMS   int64   // market time of the last readable quote
	changedMS int64   // market time of the last price change
	recent    []int64 // doubled mids of the last accepted quotes
	suspects  []int64 // doubled mids of far quotes that await confirmation
	missing   int     // good quotes still needed before the product can be traded
}

// check turns a raw quote into one for the tape, or returns the rejection.
func (g *guard) check(raw Raw) (q Quote, rejected Rejection) {
	q, rejected = g.read(raw)
	if rejected == "" {
		g.recordArrival(q)
		rejected = g.judge(q)
	}
	if rejected != "" && rejected != rejectedRepeat {
		g.missing = confirmations
	}
	if rejected != rejectedSpike && rejected != rejectedRepeat {
		g.suspects = g.suspects[:0]
	}
	return q, rejected
}

// read parses a raw quote; it rejects invalid prices, and quotes that the tape has already passed.
func (g *guard) read(raw Raw) (q Quote, rejected Rejection) {
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
	case q.AtMS == g.last.AtMS && g.unchanged(q):
		return q, rejectedRepeat
	}
	return q, ""
}

// widen adds the product's spread markup, half to each side; the odd point goes to the ask.
func (t Terms) widen(q Quote) Quote {
	half := int64(t.SpreadMarkup / 2)
	q.Bid -= half
	q.Ask += int64(t.SpreadMarkup) - half
	return q
}

// recordArrival notes the time of a quote. After a silence that made the last price stale, three good quotes are required again.
func (g *guard) recordArrival(q Quote) {
	if silent := g.stale > 0 && g.heardMS > 0 && q.AtMS-g.heardMS > g.stale.Milliseconds(); silent {
		g.changedMS = q.AtMS
		if g.missing == 0 {
			g.missing = confirmations
		}
	}
	g.heardMS = max(g.heardMS, q.AtMS)
}

// judge compares a quote with the recent market.
func (g *guard) judge(q Quote) Rejection {
	switch {
	case !near(q.Ask, q.Bid, g.product.SpikeBps/2):
		return rejectedSpread
	case g.isFrozen(q):
		return rejectedFrozen
	case g.tooFar(q) && !g.confirmed(q):
		return rejectedSpike
	}
	return ""
}

func (g *guard) unchanged(q Quote) bool { return q.Bid == g.last.Bid && q.Ask == g.last.Ask }

// isFrozen reports whether a feed repeats one price with new times for too long. A quiet market repeats prices too, but not for so long.
func (g *guard) isFrozen(q Quote) bool {
	return g.stale > 0 && g.unchanged(q) && q.AtMS-g.changedMS > frozenFactor*g.stale.Milliseconds()
}

// tooFar reports whether a price is too far from recent ones, or after a break from the last one, to be accepted at once.
func (g *guard) tooFar(q Quote) bool {
	switch {
	case len(g.recent) > 0:
		return !near(q.Mid2(), median(g.recent), g.product.SpikeBps)
	case g.last.Bid > 0:
		return !near(q.Mid2(), g.last.Mid2(), openingFactor*g.product.SpikeBps)
	}
	return false
}

// confirmed reports whether three far prices agree: they become the new level, and the product trades at it. A price of at least twice or at most half the
// last one within a day is a wrong number, however often it comes.
func (g *guard) confirmed(q Quote) bool {
	if len(g.suspects) > 0 && !near(q.Mid2(), g.suspects[0], g.product.SpikeBps) {
		g.suspects = g.suspects[:0]
	}
	if len(g.suspects) < confirmations {
		g.suspects = append(g.suspects, q.Mid2())
	}
	absurd := q.AtMS-g.last.AtMS < dayMS && (q.Mid2() >= 2*g.last.Mid2() || 2*q.Mid2() <= g.last.Mid2())
	if len(g.suspects) < confirmations || absurd {
		return false
	}
	g.recent, g.missing = g.recent[:0], 1
	return true
}

// accept makes q the last quote and counts it towards the end of a halt.
func (g *guard) accept(q Quote) {
	g.missing = max(0, g.missing-1)
	g.remember(q)
}

// remember makes q the last quote without judging it: it is history.
func (g *guard) remember(q Quote) {
	if !g.unchanged(q) {
		g.changedMS = q.AtMS
	}
	g.last, g.heardMS = q, max(g.heardMS, q.AtMS)
	if len(g.recent) == medianWindow {
		copy(g.recent, g.recent[1:])
		g.recent = g.recent[:medianWindow-1]
	}
	g.recent = append(g.recent, q.Mid2())
}

// halt halts the product: its feed sent an impossible quote.
func (g *guard) halt() { g.missing, g.suspects = confirmations, g.suspects[:0] }

// reopened clears the price levels from before a break: a session's first price may differ more than usual, and three good quotes
// must come before trading.
func (g *guard) reopened() {
	g.halt()
	g.recent = g.recent[:0]
}

// halted reports whether the last accepted price must not be traded on.
func (g *guard) halted() bool { return g.missing > 0 }

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
