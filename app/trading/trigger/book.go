package trigger

import (
	"cmp"
	"math"
	"sync/atomic"

	"github.com/tidwall/btree"

	"candor/app/market"
)

// direction is the price of a quote that counts for a level, and the way it must move to reach the level.
type direction uint8

const (
	askRises  direction = iota // to a buy stop, to the stop of a short
	askFalls                   // to a buy limit, to the take profit of a short
	bidFalls                   // to a sell stop, to the stop of a long
	bidRises                   // to a sell limit, to the take profit of a long
	clockRuns                  // to the expiry of an order, in Unix nanoseconds; no price
	directions
)

// along negates a price for falling directions, so that a level is reached by every price at or above it.
func (d direction) along(price int64) int64 {
	if d == askFalls || d == bidFalls {
		return -price
	}
	return price
}

// beyond is the next price further in a direction.
func (d direction) beyond(price int64) int64 { return d.along(d.along(price) + 1) }

// of is the price of a quote that counts for the direction, turned by along.
func (d direction) of(bid, ask int64) int64 {
	if d == askRises || d == askFalls {
		return d.along(ask)
	}
	return d.along(bid)
}

// purpose is why a level is watched.
type purpose uint8

const (
	triggers purpose = iota // it triggers an order or a protection
	bests                   // it is a new best price of a position with a trailing stop
	bands                   // beyond it an account's margin level may cross a threshold
	purposes
)

// entry is one level of an account.
type entry struct {
	level     int64 // turned by direction.along
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

// kind distinguishes the entries of one level, account and id.
func (e entry) kind() int {
	kind := (int(e.product)*int(directions)+int(e.direction))*int(purposes) + int(e.purpose)
	if e.order {
		return 2*kind + 1
	}
	return 2 * kind
}

// never is the level that no price reaches.
const never = math.MaxInt64

// levels are the entries of one direction and purpose, nearest first; top is the nearest level.
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

// reached adds the entries whose level is reached.
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

// book has the levels of one product. The monitor's lock guards levels and followed. A quote that reaches nothing takes no lock: it is published before it is
// compared with the tops, and a goroutine that lowers a top reads the published quotes afterwards, so that one of the two sees the other.
type book struct {
	levels   [purposes][clockRuns]levels
	followed map[int64]bool // accounts that are valued at every sweep after a quote

	tops      [clockRuns]atomic.Int64 // the nearest level of each direction, of all purposes
	recent    recent
	confirmed atomic.Pointer[market.Quote] // the price that counts while the last quote is unconfirmed; nil otherwise
	swept     int                          // quotes published before the last sweep; under the lock of recent
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

// turn prepares for a tradable quote: its price counts again, and the page being written must not be full.
func (b *book) turn() {
	b.confirmed.Store(nil)
	if b.recent.written == recentQuotes {
		b.recent.turn()
	}
}

// turns reports whether turn has something to do.
func (b *book) turns() bool { return b.recent.written == recentQuotes || b.confirmed.Load() != nil }

// idle reports whether a published quote reaches no level.
func (b *book) idle(q *market.Quote) bool {
	return q.Ask < b.tops[askRises].Load() && -q.Ask < b.tops[askFalls].Load() && -q.Bid < b.tops[bidFalls].Load() && q.Bid < b.tops[bidRises].Load()
}

// unconfirm records that the price moved without being tradable, and the confirmed quote that counts.
func (b *book) unconfirm(confirmed market.Quote) {
	b.recent.mu.Lock()
	defer b.recent.mu.Unlock()
	b.confirmed.Store(&confirmed)
	b.swept = unswept
}

// unswept means that the price has moved, whatever was published.
const unswept = -1

// movedSinceSweep reports whether the price has moved since the last call.
func (b *book) movedSinceSweep() bool {
	b.recent.mu.Lock()
	defer b.recent.mu.Unlock()
	before := b.swept
	b.swept = b.recent.told()
	return b.swept != before
}

// passed reports whether the last confirmed quote is at the level of a band or past it.
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

// nearest updates the top of a direction.
func (b *book) nearest(d direction) {
	top := min(b.levels[triggers][d].top, b.levels[bests][d].top, b.levels[bands][d].top)
	if top != b.tops[d].Load() {
		b.tops[d].Store(top)
	}
}

// reached lists the entries of a purpose that a price reaches.
func (b *book) reached(p purpose, bid, ask int64) (list []entry) {
	for d := range clockRuns {
		list = b.levels[p][d].reached(list, d.of(bid, ask))
	}
	return list
}

// far is the reach of the recent quotes.
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
