package trigger

import (
	"slices"
	"sync"
	"sync/atomic"

	"candor/app/market"
)

// recentQuotes is how many quotes of a product are kept for accounts that change while they come.
const recentQuotes = 64

// recent are the last quotes of a product that might trigger something. The feed's goroutine alone adds them, and waits for nobody: a quote is told to
// readers by storing how many the page has. Only at the end of a page it takes the readers' lock, to write the older page anew.
type recent struct {
	page    *page // that is written; changes under the lock
	written uint  // of the page, for who writes it: reading back what was just stored atomically would cost as much as storing it

	mu   sync.Mutex
	full *page          // the one before
	base int            // quotes that were told before those of page
	from int            // of those, how many were forgotten
	kept []market.Quote // all since a load began, and those of before
	read int            // quotes that were told before the first that is not in kept yet
	far  reach          // of kept
	all  bool           // whether a load goes on
}

// page has quotes that are not written any more while anybody holds the lock.
type page struct {
	quotes [recentQuotes]market.Quote
	n      atomic.Int64
}

func newRecent() recent { return recent{page: &page{}, full: &page{}} }

// reach is how far quotes went in each direction.
type reach [clockRuns]int64

// unreached is the reach of no quote.
var unreached = reach{-never, -never, -never, -never}

func (r *reach) include(q *market.Quote) {
	for d := range clockRuns {
		r[d] = max(r[d], d.of(q.Bid, q.Ask))
	}
}

// add tells a quote; the page has room.
func (r *recent) add(q *market.Quote) {
	p := r.page
	p.quotes[r.written%recentQuotes] = *q
	r.written++
	p.n.Store(int64(r.written))
}

// turn begins a page, when the last one has no room.
func (r *recent) turn() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all {
		r.absorb()
	}
	r.page, r.full = r.full, r.page
	r.page.n.Store(0)
	r.written = 0
	r.base += recentQuotes
}

// The functions below are for readers, under the lock.

// told is how many quotes there were.
func (r *recent) told() int { return r.base + int(r.page.n.Load()) }

// each calls f with the quotes from the n-th on, which must be on one of the two pages, oldest first.
func (r *recent) each(n int, f func(*market.Quote)) {
	for last := r.told(); n < last; n++ {
		if n < r.base {
			f(&r.full.quotes[n-r.base+recentQuotes])
		} else {
			f(&r.page.quotes[n-r.base])
		}
	}
}

// first is the number of the oldest quote that still counts.
func (r *recent) first() int { return max(r.from, r.told()-recentQuotes) }

// absorb puts what came since into what is kept.
func (r *recent) absorb() {
	r.each(r.read, func(q *market.Quote) {
		r.kept = append(r.kept, *q)
		r.far.include(q)
		r.read++
	})
}

// last is the newest quote, if there is one.
func (r *recent) last() (q market.Quote, ok bool) {
	if r.told() == 0 {
		return market.Quote{}, false
	}
	r.each(r.told()-1, func(newest *market.Quote) { q = *newest })
	return q, true
}

// quotes are the last ones, oldest first.
func (r *recent) quotes() []market.Quote {
	if r.all {
		r.absorb()
		return slices.Clone(r.kept)
	}
	list := make([]market.Quote, 0, recentQuotes)
	r.each(r.first(), func(q *market.Quote) { list = append(list, *q) })
	return list
}

// reached is how far the last quotes went.
func (r *recent) reached() reach {
	if r.all {
		r.absorb()
		return r.far
	}
	far := unreached
	r.each(r.first(), far.include)
	return far
}

// setPositionMode lets no quote go until it is told to stop: reading many accounts takes longer than a page lasts.
func (r *recent) keep(all bool) {
	switch {
	case all && !r.all:
		r.kept, r.far, r.read, r.all = nil, unreached, r.first(), true
		r.absorb()
	case !all:
		r.kept, r.all = nil, false
	}
}

func (r *recent) forget() {
	r.from, r.read = r.told(), r.told()
	r.kept, r.far = nil, unreached
}
