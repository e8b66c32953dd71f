package upload

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// Class is the priority of an upload when there is more to do than memory for it.
type Class int

// The classes, the highest priority first.
const (
	Proof    Class = iota // identity documents and deposit proofs of traders
	Message               // chat pictures of traders, pictures of staff
	Stranger              // chat pictures of visitors
	classes  = 3
)

// Sender is the uploading party.
type Sender struct {
	Class  Class
	Person string // the trader, the staff member, or the network of a visitor
}

// asideFor is how long a sender whose upload was too slow waits behind the others of the class.
const asideFor = 10 * time.Minute

// gate admits uploads by weight: higher classes first, within a class in order of arrival with slow senders last, each person a few at a time.
type gate struct {
	limit   int64          // weight of all uploads inside
	share   [classes]int64 // the most weight of a class inside
	places  [classes]int   // uploads of a class inside at once
	inside  int            // uploads of one person inside at once
	pending int            // uploads of one person inside or waiting
	own     int64          // weight of one person's uploads inside
	queue   int            // waiting uploads of a class
	wait    time.Duration

	mu      sync.Mutex
	used    int64
	usedBy  [classes]int64
	heldBy  [classes]int
	held    map[string]int
	weights map[string]int64
	known   map[string]int // inside or waiting
	waiting [classes][]*waiter
	aside   map[string]time.Time // persons whose upload was aborted, and until when they wait behind others
	peak    int64                // the most weight that was ever inside
	inUse   map[*waiter]struct{} // the uploads inside
}

type waiter struct {
	Sender
	weight  int64
	turn    chan struct{} // closed when it is inside
	refused chan struct{} // closed when another upload has taken its slot in the queue
	arrival *arrival      // nil in the decoding gate
}

// enter waits for a turn. Refusal: ErrBusy.
func (g *gate) enter(ctx context.Context, from Sender, weight int64, a *arrival) (leave func(), err error) {
	w, err := g.join(from, weight, a)
	if err != nil {
		return nil, err
	}
	if err := g.await(ctx, w); err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { g.leave(w) }), nil
}

// await waits for the turn of w, and aborts slow uploads meanwhile.
func (g *gate) await(ctx context.Context, w *waiter) error {
	timer, tick := time.NewTimer(g.wait), time.NewTicker(time.Second)
	defer timer.Stop()
	defer tick.Stop()
	for {
		select {
		case <-w.turn:
			return nil
		case <-w.refused:
			return ErrBusy
		case <-tick.C:
			g.abortSlowest(w)
		case <-timer.C:
			return g.giveUp(w, ErrBusy)
		case <-ctx.Done():
			return g.giveUp(w, ctx.Err())
		}
	}
}

// abortSlowest aborts the slowest of the slow uploads whose end lets w in: none of a higher class, and none when w waits for its own person's uploads.
func (g *gate) abortSlowest(w *waiter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, inside := g.inUse[w]; inside || g.held[w.Person] >= g.inside || g.weights[w.Person]+w.weight > g.own {
		return
	}
	ownClass := g.heldBy[w.Class] >= g.places[w.Class] || g.usedBy[w.Class]+w.weight > g.share[w.Class]
	var slowest *waiter
	for other := range g.inUse {
		if other.Class < w.Class || ownClass && other.Class != w.Class || !other.arrival.isSlow(other.weight) {
			continue
		}
		if slowest == nil || other.arrival.rate() < slowest.arrival.rate() {
			slowest = other
		}
	}
	if slowest != nil {
		g.setAside(slowest)
		slowest.arrival.end()
	}
}

// setAside makes the other uploads of a slow sender, waiting now or sent soon, wait behind those of others.
func (g *gate) setAside(slow *waiter) {
	now := time.Now()
	maps.DeleteFunc(g.aside, func(_ string, until time.Time) bool { return now.After(until) })
	g.aside[slow.Person] = now.Add(asideFor)
	g.line(slow.Class)
}

// line sorts the waiting uploads of a class by their turn.
func (g *gate) line(class Class) {
	now := time.Now()
	isAside := func(w *waiter) int {
		if now.Before(g.aside[w.Person]) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(g.waiting[class], func(a, b *waiter) int { return isAside(a) - isAside(b) })
}

func (g *gate) join(from Sender, weight int64, a *arrival) (*waiter, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.known == nil {
		g.known, g.held, g.weights, g.inUse, g.aside = map[string]int{}, map[string]int{}, map[string]int64{}, map[*waiter]struct{}{}, map[string]time.Time{}
	}
	w := &waiter{Sender: from, weight: weight, turn: make(chan struct{}), refused: make(chan struct{}), arrival: a}
	if g.known[from.Person] >= g.pending || weight > min(g.own, g.share[from.Class]) {
		return nil, ErrBusy
	}
	g.known[from.Person]++
	g.waiting[from.Class] = append(g.waiting[from.Class], w)
	g.line(from.Class)
	g.admit()
	if crowd := g.waiting[from.Class]; len(crowd) > g.queue {
		last := crowd[len(crowd)-1]
		g.forget(last)
		if last == w {
			return nil, ErrBusy
		}
		close(last.refused)
	}
	return w, nil
}

// admit lets in the uploads whose turn it is. None overtakes a higher class that waits for room.
func (g *gate) admit() {
	for class := range g.waiting {
		for _, w := range slices.Clone(g.waiting[class]) {
			if g.held[w.Person] >= g.inside || g.weights[w.Person]+w.weight > g.own {
				continue
			}
			if g.heldBy[class] >= g.places[class] || g.usedBy[class]+w.weight > g.share[class] {
				break // the class has its share; the next one may have room
			}
			if g.used+w.weight > g.limit || g.total() >= g.places[Proof] {
				return
			}
			g.take(w)
		}
	}
}

func (g *gate) total() (n int) {
	for _, held := range g.heldBy {
		n += held
	}
	return n
}

func (g *gate) take(w *waiter) {
	g.waiting[w.Class] = without(g.waiting[w.Class], w)
	g.used, g.usedBy[w.Class] = g.used+w.weight, g.usedBy[w.Class]+w.weight
	g.heldBy[w.Class]++
	g.held[w.Person]++
	g.weights[w.Person] += w.weight
	g.peak = max(g.peak, g.used)
	g.inUse[w] = struct{}{}
	w.arrival.begin()
	close(w.turn)
}

func (g *gate) leave(w *waiter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.used, g.usedBy[w.Class] = g.used-w.weight, g.usedBy[w.Class]-w.weight
	g.heldBy[w.Class]--
	delete(g.inUse, w)
	drop(g.held, w.Person, 1)
	drop(g.weights, w.Person, w.weight)
	drop(g.known, w.Person, 1)
	g.admit()
}

// giveUp ends the wait; an upload that was admitted at the same moment stays.
func (g *gate) giveUp(w *waiter, reason error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-w.turn:
		return nil
	case <-w.refused:
		return reason
	default:
	}
	g.forget(w)
	g.admit() // others may have waited behind it
	return reason
}

func (g *gate) forget(w *waiter) {
	g.waiting[w.Class] = without(g.waiting[w.Class], w)
	drop(g.known, w.Person, 1)
}

// idle reports whether no upload is inside or waiting.
func (g *gate) idle() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.known) == 0
}

// last reports whether one upload is inside and none is waiting.
func (g *gate) last() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.known) == 1
}

func without(list []*waiter, w *waiter) []*waiter {
	return slices.DeleteFunc(list, func(other *waiter) bool { return other == w })
}

func drop[N int | int64](counts map[string]N, person string, n N) {
	if counts[person] -= n; counts[person] == 0 {
		delete(counts, person)
	}
}
