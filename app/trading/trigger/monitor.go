// Package trigger watches quotes and the clock in memory, and finds the pending orders, protection, rollovers and margin levels that need a decision. It only
// hints: it queues tasks and doesn't use the database, and the engine decides each task again under the account's lock.
package trigger

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"candor/app/market"
	"candor/app/trading"
)

// Monitor remembers every account with open positions or pending orders, and every observed account. It only hints: the transaction that acts reads the account
// again under its lock.
type Monitor struct {
	market trading.Market
	rules  *trading.Rules
	tasks  *queue

	books []*book      // by product id, nil where there is none; never changes
	term  atomic.Int64 // of the market's leader; quotes of a former one may not be on the tape

	mu        sync.Mutex
	accounts  map[int64]*watched
	firing    map[Subject]bool  // subjects with a queued or running task
	best      map[int64]Extreme // by position with a trailing stop
	expiries  levels            // of pending orders
	rolled    market.Rollover   // the last one that addUnsettled has handled
	unsettled map[int64]bool    // accounts with a rollover to settle
	observers map[int64]int
	changed   map[int64]bool // accounts to be valued at the next sweep
	terms     map[int]marginTerms
	wanted    []entry       // buffer of register
	stale     chan struct{} // one token: the market has a new leader, and accounts and trailing stops must be read again
}

// watched is an account, its entries in the books, and the products whose quotes have it valued at every sweep.
type watched struct {
	trading.Portfolio
	registered []entry
	bands      []entry // where its margin level may cross a threshold; none until it is valued
	followed   []int   // products
}

// New makes a monitor without accounts, with a book for each product of the market.
func New(m trading.Market, rules *trading.Rules) *Monitor {
	tm := &Monitor{
		market: m, rules: rules, tasks: newQueue(),
		accounts: map[int64]*watched{}, firing: map[Subject]bool{}, best: map[int64]Extreme{}, expiries: newLevels(), unsettled: map[int64]bool{},
		observers: map[int64]int{}, changed: map[int64]bool{}, terms: map[int]marginTerms{}, stale: make(chan struct{}, 1),
	}
	for _, p := range m.Products() {
		tm.books = append(tm.books, make([]*book, max(0, p.ID+1-len(tm.books)))...)
		tm.books[p.ID] = newBook()
	}
	return tm
}

// book is the book of a product; nil where there is none.
func (tm *Monitor) book(productID int) *book {
	if productID >= len(tm.books) {
		return nil
	}
	return tm.books[productID]
}

// Remember takes an account's state, unless it knows a newer one, and queues the tasks that the recent quotes trigger in it.
func (tm *Monitor) Remember(f trading.Portfolio) { tm.tasks.push(tm.put(f)...) }

// Next removes the oldest task and waits for one; ok is false when ctx has ended.
func (tm *Monitor) Next(ctx context.Context) (t Task, ok bool) { return tm.tasks.wait(ctx) }

// Queued is the number of tasks that wait for a worker.
func (tm *Monitor) Queued() int {
	tm.tasks.mu.Lock()
	defer tm.tasks.mu.Unlock()
	return len(tm.tasks.tasks)
}

// Watched is the number of remembered accounts.
func (tm *Monitor) Watched() int {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return len(tm.accounts)
}

// Observed is the number of observed accounts.
func (tm *Monitor) Observed() int {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return len(tm.observers)
}

// put remembers an account's state, unless it knows a newer one, and returns the tasks that the recent quotes trigger in it: quotes that arrived after the
// account was read and before put would be missed otherwise.
func (tm *Monitor) put(f trading.Portfolio) (tasks []Task) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	id := f.Account.ID
	a := tm.accounts[id]
	if a == nil {
		a = &watched{}
	} else if a.Account.Version > f.Account.Version {
		tm.register(a) // Learn may have added a trailing stop
		return nil
	}
	for _, p := range a.Positions {
		if now, open := f.FindPosition(p.ID); !open || now.Trail == nil || now.TrailSince != tm.best[p.ID].Since {
			delete(tm.best, p.ID)
		}
	}
	a.Portfolio, a.bands = f, nil
	if len(f.Positions) == 0 && len(f.Orders) == 0 && tm.observers[id] == 0 {
		tm.forget(a)
		return nil
	}
	tm.accounts[id], tm.changed[id] = a, true
	if f.Due(tm.rolled) {
		tm.unsettled[id] = true
	}
	tm.register(a)
	return tm.missed(a, tm.products(a))
}

// Position is an open position of a remembered account. Its product and side never change; the rest may be out of date.
func (tm *Monitor) Position(accountID, id int64) (trading.Position, bool) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	if a := tm.accounts[accountID]; a != nil {
		return a.FindPosition(id)
	}
	return trading.Position{}, false
}

// forget removes an account from the monitor.
func (tm *Monitor) forget(a *watched) {
	id := a.Account.ID
	delete(tm.accounts, id)
	delete(tm.changed, id)
	delete(tm.unsettled, id)
	tm.follow(a, nil)
	a.Portfolio, a.bands = trading.Portfolio{}, nil
	tm.register(a)
}

// products lists the products of an account's positions and orders.
func (tm *Monitor) products(a *watched) (list []int) {
	for i := range a.Positions {
		list = append(list, a.Positions[i].ProductID)
	}
	for i := range a.Orders {
		list = append(list, a.Orders[i].ProductID)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// missed claims the subjects that the recent quotes of some products trigger in an account, and moves its trailing stops.
func (tm *Monitor) missed(a *watched, products []int) (tasks []Task) {
	moved := false
	for _, product := range products {
		if b := tm.book(product); b != nil && a.reachedBy(product, b.far()) {
			moved = true
			for _, q := range b.quotes() {
				tasks = tm.collect(tasks, a.Portfolio, q)
				tm.followBest(a.Portfolio, q)
			}
		}
	}
	if moved {
		tm.register(a)
	}
	return tasks
}

// reachedBy reports whether quotes of a product with this reach may have triggered something in the account.
func (a *watched) reachedBy(product int, far reach) bool {
	for i := range a.registered {
		if e := &a.registered[i]; e.product == int32(product) && e.purpose != bands && e.direction != clockRuns && e.level <= far[e.direction] {
			return true
		}
	}
	return false
}

// register updates the books with an account's current levels.
func (tm *Monitor) register(a *watched) {
	wanted := append(tm.levels(a, tm.wanted[:0]), a.bands...)
	slices.SortFunc(wanted, entry.compare)
	wanted = slices.Compact(wanted)
	i := 0
	for _, e := range wanted {
		for ; i < len(a.registered) && a.registered[i].compare(e) < 0; i++ {
			tm.remove(a.registered[i])
		}
		if i < len(a.registered) && a.registered[i] == e {
			i++
			continue
		}
		tm.insert(e)
	}
	for ; i < len(a.registered); i++ {
		tm.remove(a.registered[i])
	}
	a.registered = append(a.registered[:0], wanted...)
	tm.wanted = wanted[:0]
}

func (tm *Monitor) insert(e entry) {
	if e.direction == clockRuns {
		tm.expiries.insert(e)
	} else if b := tm.book(int(e.product)); b != nil {
		b.insert(e)
	}
}

func (tm *Monitor) remove(e entry) {
	if e.direction == clockRuns {
		tm.expiries.remove(e)
	} else if b := tm.book(int(e.product)); b != nil {
		b.remove(e)
	}
}

// levels adds the levels of an account's positions and orders. A subject with a task has no triggers; the best quote of its trailing stop still moves.
func (tm *Monitor) levels(a *watched, list []entry) []entry {
	for i := range a.Positions {
		p := &a.Positions[i]
		list = positionLevels(list, p, tm.best[p.ID], tm.firing[Subject{Account: a.Account.ID, Position: p.ID}])
	}
	for i := range a.Orders {
		if o := &a.Orders[i]; !tm.firing[Subject{Account: a.Account.ID, Order: o.ID}] {
			list = orderLevels(list, o)
		}
	}
	for i := range list {
		list[i].account = a.Account.ID
	}
	return list
}

// Subject is the subject of a task: a position, a pending order, or the account itself.
type Subject struct{ Account, Position, Order int64 }

// Task is an act that a price or the clock has triggered.
type Task struct {
	Subject
	Quote market.Quote // the quote that triggered it; zero for the clock and the margin level
	Best  market.Quote // the best quote that a trailing stop followed
}

// RetryLoad signals Reload again after SweepEvery.
func (tm *Monitor) RetryLoad() {
	time.AfterFunc(SweepEvery, func() {
		select {
		case tm.stale <- struct{}{}:
		default:
		}
	})
}

// Recent are the recent quotes of a product, oldest first.
func (tm *Monitor) Recent(productID int) []market.Quote {
	if b := tm.book(productID); b != nil {
		return b.quotes()
	}
	return nil
}

// collect claims the subjects that a quote triggers in one account.
func (tm *Monitor) collect(tasks []Task, f trading.Portfolio, q market.Quote) []Task {
	for _, p := range f.Positions {
		from := tm.best[p.ID].Quote
		if rule, _ := trading.Fires(p, q, from); rule != "" {
			tasks = tm.claim(tasks, Task{Subject{Account: f.Account.ID, Position: p.ID}, q, from})
		}
	}
	for _, o := range f.Orders {
		if o.Triggers(q) {
			tasks = tm.claim(tasks, Task{Subject: Subject{Account: f.Account.ID, Order: o.ID}, Quote: q})
		}
	}
	return tasks
}

// claim adds a task unless its subject already has one.
func (tm *Monitor) claim(tasks []Task, t Task) []Task {
	if tm.firing[t.Subject] {
		return tasks
	}
	tm.firing[t.Subject] = true
	return append(tasks, t)
}

// Done frees a task's subject and queues the tasks that the recent quotes triggered in its account meanwhile.
func (tm *Monitor) Done(t Task) { tm.tasks.push(tm.done(t)...) }

// Reload signals, once for each new leader of the market, that accounts and trailing stops must be read again.
func (tm *Monitor) Reload() <-chan struct{} { return tm.stale }

// done frees a task's subject and returns the tasks that the recent quotes triggered in its account meanwhile: quotes may have passed the limit of an order
// that was armed, for example.
func (tm *Monitor) done(t Task) (tasks []Task) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	delete(tm.firing, t.Subject)
	a := tm.accounts[t.Account]
	if a == nil {
		return nil
	}
	tm.register(a)
	return tm.missed(a, []int{t.Quote.ProductID})
}

// Drop frees the subject of a refused task; the next quote triggers it again.
func (tm *Monitor) Drop(t Task) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	delete(tm.firing, t.Subject)
	if a := tm.accounts[t.Account]; a != nil {
		tm.register(a)
	}
}
