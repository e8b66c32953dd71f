package trigger

import (
	"slices"
	"sync"
	"sync/atomic"

	"candor/app/market"
)

// recentQuotes is the number of quotes kept per product for accounts that change while quotes arrive.
const recentQuotes = 64

// recent keeps the last tradable quotes of a product. Only the feed's goroutine adds quotes, without waiting: it publishes a quote by storing the page's count.
// It takes the readers' lock only at the end of a page, to reuse the older one.
type recent struct {
	page    *page // the page being written; replaced under the lock
	written uint  // quotes on the page, for the writer: an atomic load of the count would cost as much as the store

	mu   sync.Mutex
	full *page          // the page before
	base int            // quotes published before those of page
	from int            // quotes that were forgotten
	kept []market.Quote // the quotes since a load began, and the recent ones before it
	read int            // quotes published before the first one that is not in kept yet
	far  reach          // the reach of kept
	all  bool           // whether a load is running
}

// page is a block of quotes. Published quotes are not overwritten while a reader has the lock.
type page struct {
	quotes [recentQuotes]market.Quote
	n      atomic.Int64
}

func newRecent() recent { return recent{page: &page{}, full: &page{}} }

// reach is the furthest price of some quotes in each direction.
type reach [clockRuns]int64

// unreached is the reach of no quote.
var unreached = reach{-never, -never, -never, -never}

func (r *reach) include(q *market.Quote) {
	for d := range clockRuns {
		r[d] = max(r[d], d.of(q.Bid, q.Ask))
	}
}

// add publishes a quote; the page must have room.
func (r *recent) add(q *market.Quote) {
	p := r.page
	p.quotes[r.written%recentQuotes] = *q
	r.written++
	p.n.Store(int64(r.written))
}

// turn starts a page when the current one is full.
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

// The methods below are for readers, under the lock.

// told is the number of published quotes.
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

// absorb adds the quotes since the last call to kept.
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

// quotes are the recent quotes, oldest first; during a load, all since it began.
func (r *recent) quotes() []market.Quote {
	if r.all {
		r.absorb()
		return slices.Clone(r.kept)
	}
	list := make([]market.Quote, 0, recentQuotes)
	r.each(r.first(), func(q *market.Quote) { list = append(list, *q) })
	return list
}

// reached is the reach of quotes.
func (r *recent) reached() reach {
	if r.all {
		r.absorb()
		return r.far
	}
	far := unreached
	r.each(r.first(), far.include)
	return far
}

// keep starts or ends keeping every quote: loading many accounts takes longer than a page lasts.
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
