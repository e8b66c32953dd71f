package market

import (
	"slices"
	"time"

	"candor/app/platform/money"
)

// Rejection says why a raw quote was not believed.
type Rejection string

// The rejections. Each of them halts the product, except a repetition, which says nothing about the price.
const (
	rejectedNumber  Rejection = "number"       // not a plain positive decimal: zero, negative, NaN, infinite
	rejectedCrossed Rejection = "crossed"      // bid above ask
	rejectedOrder   Rejection = "out_of_order" // older than the last one
	rejectedRepeat  Rejection = "repeated"     // the same prices at the same time
	rejectedAhead   Rejection = "ahead"        // of a moment that market time has not reached
	rejectedSpread  Rejection = "spread"       // bid and ask too far apart
	rejectedSpike   Rejection = "spike"        // too far from the recent ones, and not confirmed
	rejectedFrozen  Rejection = "frozen"       // the same prices for longer than a market stands still
)

const (
	medianWindow  = 20 // quotes that make the median a new one is held against
	confirmations = 3  // good quotes in a row that end a halt, or far ones near each other that are a new level
	openingFactor = 4  // the first price after a break may lie this many spike limits from the last one
	frozenFactor  = 30 // stale limits for which a feed may repeat one price
)

// guard stands before one product's tape. It is used by the feed's goroutine alone.
type guard struct {
	product   Product
	stale     time.Duration // the age after which the product's quotes are not traded on; zero while the past is told
	last      Quote
	heardMS   int64   // market time of the last quote that could be read
	changedMS int64   // market time since which the prices are what they are
	recent    []int64 // doubled mids of the last accepted quotes
	suspects  []int64 // doubled mids of far quotes that wait for confirmation
	missing   int     // good quotes that must still come before the product is traded
}

// check turns a raw quote into one that may go on the tape, or says why not.
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

// read makes a quote of the feed's texts; it refuses what is none, and what the tape has already passed.
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
	case q.AtMS == g.last.AtMS && g.stands(q):
		return q, rejectedRepeat
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

// recordArrival notes that the feed has spoken. After a silence that made the last price stale, its word counts anew: three good quotes must come.
func (g *guard) recordArrival(q Quote) {
	if silent := g.stale > 0 && g.heardMS > 0 && q.AtMS-g.heardMS > g.stale.Milliseconds(); silent {
		g.changedMS = q.AtMS
		if g.missing == 0 {
			g.missing = confirmations
		}
	}
	g.heardMS = max(g.heardMS, q.AtMS)
}

// judge holds a quote against what the market was until now.
func (g *guard) judge(q Quote) Rejection {
	switch {
	case !near(q.Ask, q.Bid, g.product.SpikeBps/2):
		return rejectedSpread
	case g.frozen(q):
		return rejectedFrozen
	case g.far(q) && !g.agreed(q):
		return rejectedSpike
	}
	return ""
}

func (g *guard) stands(q Quote) bool { return q.Bid == g.last.Bid && q.Ask == g.last.Ask }

// frozen tells whether a feed goes on saying one price with new times. A quiet market stands still as well, but not for so long.
func (g *guard) frozen(q Quote) bool {
	return g.stale > 0 && g.stands(q) && q.AtMS-g.changedMS > frozenFactor*g.stale.Milliseconds()
}

// far tells whether a price is too far from the recent ones, or after a break from the last one, to be believed at once.
func (g *guard) far(q Quote) bool {
	switch {
	case len(g.recent) > 0:
		return !near(q.Mid2(), median(g.recent), g.product.SpikeBps)
	case g.last.Bid > 0:
		return !near(q.Mid2(), g.last.Mid2(), openingFactor*g.product.SpikeBps)
	}
	return false
}

// agreed tells whether far prices have agreed with each other three times: they are the new level then, and the product is traded at it. A price
// that is twice or half the last one within a day is a wrong number, however often it comes.
func (g *guard) agreed(q Quote) bool {
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

// ingest makes q the last quote, and one of those that end a halt.
func (g *guard) accept(q Quote) {
	g.missing = max(0, g.missing-1)
	g.remember(q)
}

// remember makes q the last quote without a judgement: it is history.
func (g *guard) remember(q Quote) {
	if !g.stands(q) {
		g.changedMS = q.AtMS
	}
	g.last, g.heardMS = q, max(g.heardMS, q.AtMS)
	if len(g.recent) == medianWindow {
		copy(g.recent, g.recent[1:])
		g.recent = g.recent[:medianWindow-1]
	}
	g.recent = append(g.recent, q.Mid2())
}

// halt halts the product: its feed has said what can't be.
func (g *guard) halt() { g.missing, g.suspects = confirmations, g.suspects[:0] }

// reopened forgets the levels of before a break: the first price of a session may lie further away than the next one of a running one, and
// three must come before it is traded.
func (g *guard) reopened() {
	g.halt()
	g.recent = g.recent[:0]
}

// halted tells that the last believed price is not to be traded on.
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
