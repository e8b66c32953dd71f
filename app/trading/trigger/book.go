package trigger

import (
	"cmp"
	"math"
	"sync/atomic"

	"github.com/tidwall/btree"

	"candor/app/market"
)

// direction is which price of a quote must move which way to reach a level.
type direction uint8

const (
	askRises  direction = iota // to a buy stop, to the stop of a short
	askFalls                   // to a buy limit, to the take profit of a short
	bidFalls                   // to a sell stop, to the stop of a long
	bidRises                   // to a sell limit, to the take profit of a long
	clockRuns                  // to the expiry of an order, in Unix nanoseconds; no price
	directions
)

// along turns a price so that what a direction moves towards is higher: a level is reached by whatever is at or above it.
func (d direction) along(price int64) int64 {
	if d == askFalls || d == bidFalls {
		return -price
	}
	return price
}

// beyond is the first price that is further in a direction.
func (d direction) beyond(price int64) int64 { return d.along(d.along(price) + 1) }

// of is the price of a quote that moves in a direction, turned.
func (d direction) of(bid, ask int64) int64 {
	if d == askRises || d == askFalls {
		return d.along(ask)
	}
	return d.along(bid)
}

// purpose is why a level is waited for.
type purpose uint8

const (
	triggers purpose = iota // it sets an order or a protection off
	bests                   // it is a new best price of a position with a trailing stop
	bands                   // beyond it an account's margin level may cross a threshold
	purposes
)

// entry is one level that something of an account waits for.
type entry struct {
	level     int64 // turned by its direction
	account   int64
	id        int64 // of the position or the order; 0 for a band
	product   int32
	direction direction
	purpose   purpose
	order     bool
}

// compare puts the nearest level first.
func (e entry) compare(o entry) int {
	return cmp.Or(cmp.Compare(e.level, o.level), cmp.Compare(e.account, o.account), cmp.Compare(e.id, o.id), cmp.Compare(e.kind(), o.kind()))
}

// kind numbers the places that an entry of one level, account and id can stand in.
func (e entry) kind() int {
	kind := (int(e.product)*int(directions)+int(e.direction))*int(purposes) + int(e.purpose)
	if e.order {
		return 2*kind + 1
	}
	return 2 * kind
}

// never is the level that nothing reaches.
const never = math.MaxInt64

// levels are the entries of one direction and purpose, the nearest first, and at hand how near that is.
type levels struct {
	tree *btree.BTreeG[entry]
	top  int64
}

func newLevels() levels {
	return levels{btree.NewBTreeGOptions(func(a, b entry) bool { return a.compare(b) < 0 }, btree.Options{NoLocks: true}), never}
}

func (l *levels) insert(e entry) {
	l.tree.Set(e)
	l.top = min(l.top, e.level)
}

func (l *levels) remove(e entry) {
	l.tree.Delete(e)
	if e.level > l.top {
		return
	}
	l.top = never
	if first, ok := l.tree.Min(); ok {
		l.top = first.level
	}
}

// reached adds the entries whose level has been come to.
func (l *levels) reached(list []entry, at int64) []entry {
	if at < l.top {
		return list
	}
	l.tree.Scan(func(e entry) bool {
		if e.level > at {
			return false
		}
		list = append(list, e)
		return true
	})
	return list
}

// book holds the levels of one product. The monitor's lock guards the levels and who follows. A quote that reaches nothing takes no lock:
// it is told first and compared with the tops then, where whoever lowers a top looks at what was told afterwards, so that one of the two sees the other.
type book struct {
	levels   [purposes][clockRuns]levels
	followed map[int64]bool // accounts that are valued at every sweep after a quote

	tops      [clockRuns]atomic.Int64 // the nearest level of each direction, whatever its purpose
	recent    recent
	confirmed atomic.Pointer[market.Quote] // the price that counts, where it isn't the last quote's
	swept     int                          // quotes that were told before the last sweep; under the lock of recent
}

func newBook() *book {
	b := &book{followed: map[int64]bool{}, recent: newRecent()}
	for d := range clockRuns {
		b.tops[d].Store(never)
		for p := range purposes {
			b.levels[p][d] = newLevels()
		}
	}
	return b
}

// turn makes room for a quote that may be traded on: its price counts again, and the page that is written must not be full.
func (b *book) turn() {
	b.confirmed.Store(nil)
	if b.recent.written == recentQuotes {
		b.recent.turn()
	}
}

// turns tells whether turn has something to do.
func (b *book) turns() bool { return b.recent.written == recentQuotes || b.confirmed.Load() != nil }

// idle tells whether a quote that was told reaches no level.
func (b *book) idle(q *market.Quote) bool {
	return q.Ask < b.tops[askRises].Load() && -q.Ask < b.tops[askFalls].Load() && -q.Bid < b.tops[bidFalls].Load() && q.Bid < b.tops[bidRises].Load()
}

// see remembers that the price moved on which nothing is traded now, and the one that counts.
func (b *book) see(confirmed market.Quote) {
	b.recent.mu.Lock()
	defer b.recent.mu.Unlock()
	b.confirmed.Store(&confirmed)
	b.swept = unswept
}

// unswept is that the price moved, whatever was told.
const unswept = -1

// stirred tells whether the price has moved since it was asked last.
func (b *book) stirred() bool {
	b.recent.mu.Lock()
	defer b.recent.mu.Unlock()
	before := b.swept
	b.swept = b.recent.told()
	return b.swept != before
}

// passed tells whether the last confirmed quote is at the level of a band or past it.
func (b *book) passed(e entry) bool {
	b.recent.mu.Lock()
	defer b.recent.mu.Unlock()
	q, ok := b.recent.last()
	if confirmed := b.confirmed.Load(); confirmed != nil {
		q, ok = *confirmed, confirmed.Ask != 0
	}
	return ok && e.direction.of(q.Bid, q.Ask) >= e.level
}

func (b *book) insert(e entry) {
	b.levels[e.purpose][e.direction].insert(e)
	b.nearest(e.direction)
}

func (b *book) remove(e entry) {
	b.levels[e.purpose][e.direction].remove(e)
	b.nearest(e.direction)
}

// nearest puts the top of a direction right.
func (b *book) nearest(d direction) {
	top := min(b.levels[triggers][d].top, b.levels[bests][d].top, b.levels[bands][d].top)
	if top != b.tops[d].Load() {
		b.tops[d].Store(top)
	}
}

// reached lists the entries of a purpose that a price has come to.
func (b *book) reached(p purpose, bid, ask int64) (list []entry) {
	for d := range clockRuns {
		list = b.levels[p][d].reached(list, d.of(bid, ask))
	}
	return list
}

// far is how far the last quotes went, quotes are these.
func (b *book) far() reach {
	b.recent.mu.Lock()
	defer b.recent.mu.Unlock()
	return b.recent.reached()
}

func (b *book) quotes() []market.Quote {
	b.recent.mu.Lock()
	defer b.recent.mu.Unlock()
	return b.recent.quotes()
}

func (b *book) keep(all bool) {
	b.recent.mu.Lock()
	defer b.recent.mu.Unlock()
	b.recent.keep(all)
}

func (b *book) forget() {
	b.recent.mu.Lock()
	defer b.recent.mu.Unlock()
	b.recent.forget()
}
