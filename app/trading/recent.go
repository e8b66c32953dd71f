package trading

import (
	"slices"

	"candor/app/market"
)

// recentQuotes is how many quotes of a product are kept for accounts that change while they come.
const recentQuotes = 64

// recent are the last quotes of a product that might trigger something.
type recent struct {
	ring [recentQuotes]market.Quote
	n    int            // quotes that were put into the ring
	kept []market.Quote // all since a load began, and those of before
	far  reach          // of what is kept
	all  bool           // whether a load goes on
}

// reach is how far quotes went in each direction.
type reach [clockRuns]int64

// unreached is the reach of no quote.
var unreached = reach{-never, -never, -never, -never}

func (r *reach) include(q *market.Quote) {
	for d := range clockRuns {
		r[d] = max(r[d], d.of(q.Bid, q.Ask))
	}
}

func (r *recent) add(q *market.Quote) {
	r.ring[r.n%recentQuotes] = *q
	r.n++
	if r.all {
		r.kept = append(r.kept, *q)
		r.far.include(q)
	}
}

// quotes are the last ones, oldest first.
func (r *recent) quotes() []market.Quote {
	if r.all {
		return slices.Clone(r.kept)
	}
	list := make([]market.Quote, 0, min(r.n, recentQuotes))
	for i := max(0, r.n-recentQuotes); i < r.n; i++ {
		list = append(list, r.ring[i%recentQuotes])
	}
	return list
}

// reached is how far the last quotes went.
func (r *recent) reached() reach {
	if r.all {
		return r.far
	}
	far := unreached
	for i := range min(r.n, recentQuotes) {
		far.include(&r.ring[i])
	}
	return far
}

// keep lets no quote go until it is told to stop: reading many accounts takes longer than the ring lasts.
func (r *recent) keep(all bool) {
	switch {
	case all && !r.all:
		r.kept, r.far, r.all = r.quotes(), r.reached(), true
	case !all:
		r.kept, r.all = nil, false
	}
}

func (r *recent) forget() { r.n, r.kept, r.far = 0, nil, unreached }
