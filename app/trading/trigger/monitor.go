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

// Monitor remembers every account that something may happen to: those with open positions or pending orders, and those that somebody looks at.
// It only hints: the transaction that acts reads the truth again under locks.
type Monitor struct {
	market trading.Market
	rules  *trading.Rules
	tasks  *queue

	books []*book      // by product, nil where there is none; it never changes
	term  atomic.Int64 // of the market's leader; what a former one told may not be on the tape

	mu        sync.Mutex
	accounts  map[int64]*watched
	firing    map[Subject]bool  // what a worker is busy with or will be
	best      map[int64]Extreme // of positions with a trailing stop
	expiries  levels            // of pending orders
	rolled    market.Rollover   // the last one that was looked for
	unsettled map[int64]bool    // accounts with a rollover to settle
	observers map[int64]int
	changed   map[int64]bool // accounts to be valued at the next sweep
	terms     map[int]marginTerms
	wanted    []entry       // reused
	stale     chan struct{} // one token: a new leader tells the market's quotes, and trailing stops must be found anew
}

// watched is an account, what of it stands in the books, and whose quotes have it valued at every sweep.
type watched struct {
	trading.Portfolio
	armed    []entry
	bands    []entry // where its margin level may cross a threshold; none until it is valued
	followed []int   // products
}

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

// book is a product's; nil where it has none.
func (tm *Monitor) book(productID int) *book {
	if productID >= len(tm.books) {
		return nil
	}
	return tm.books[productID]
}

// Remember takes an account as it is now, unless a newer state is known, and queues what the last quotes set off in it.
func (tm *Monitor) Remember(f trading.Portfolio) { tm.tasks.push(tm.put(f)...) }

// Next removes the oldest task, waiting for one; ok is false when ctx has ended.
func (tm *Monitor) Next(ctx context.Context) (t Task, ok bool) { return tm.tasks.wait(ctx) }

// Queued is how many tasks wait for a worker.
func (tm *Monitor) Queued() int {
	tm.tasks.mu.Lock()
	defer tm.tasks.mu.Unlock()
	return len(tm.tasks.tasks)
}

// Watched is how many accounts the monitor remembers.
func (tm *Monitor) Watched() int {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return len(tm.accounts)
}

// Observed is how many accounts somebody looks at.
func (tm *Monitor) Observed() int {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return len(tm.observers)
}

// put remembers an account's state unless a newer one is known. It answers with what the last quotes set off in it: those that came after the
// account was read and before it was remembered would be missed otherwise.
func (tm *Monitor) put(f trading.Portfolio) (tasks []Task) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	id := f.Account.ID
	a := tm.accounts[id]
	if a == nil {
		a = &watched{}
	} else if a.Account.Version > f.Account.Version {
		tm.register(a) // a trailing stop may have been learnt about
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

// Position is an open position of a remembered account; what it is never changes.
func (tm *Monitor) Position(accountID, id int64) (trading.Position, bool) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	if a := tm.accounts[accountID]; a != nil {
		return a.FindPosition(id)
	}
	return trading.Position{}, false
}

// forget takes an account out of everything.
func (tm *Monitor) forget(a *watched) {
	id := a.Account.ID
	delete(tm.accounts, id)
	delete(tm.changed, id)
	delete(tm.unsettled, id)
	tm.follow(a, nil)
	a.Portfolio, a.bands = trading.Portfolio{}, nil
	tm.register(a)
}

// products are those of an account's positions and orders.
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

// missed lists what the last quotes of some products set off in an account, and lets its trailing stops follow them.
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

// reachedBy tells whether quotes of a product that went so far may have set something off.
func (a *watched) reachedBy(product int, far reach) bool {
	for i := range a.armed {
		if e := &a.armed[i]; e.product == int32(product) && e.purpose != bands && e.direction != clockRuns && e.level <= far[e.direction] {
			return true
		}
	}
	return false
}

// register brings the books in line with what an account waits for.
func (tm *Monitor) register(a *watched) {
	wanted := append(tm.levels(a, tm.wanted[:0]), a.bands...)
	slices.SortFunc(wanted, entry.compare)
	wanted = slices.Compact(wanted)
	i := 0
	for _, e := range wanted {
		for ; i < len(a.armed) && a.armed[i].compare(e) < 0; i++ {
			tm.remove(a.armed[i])
		}
		if i < len(a.armed) && a.armed[i] == e {
			i++
			continue
		}
		tm.insert(e)
	}
	for ; i < len(a.armed); i++ {
		tm.remove(a.armed[i])
	}
	a.armed = append(a.armed[:0], wanted...)
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

// levels adds what an account's positions and orders wait for. What is being worked on waits for nothing; its best price moves on.
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

// Subject is what a task is about, one of the three: a position, a resting order, or the account itself.
type Subject struct{ Account, Position, Order int64 }

// Task is something that a price, or the clock, has triggered.
type Task struct {
	Subject
	Quote market.Quote // the zero quote where the clock or the account's level did it
	Best  market.Quote // from which a trailing stop was measured
}

// Again asks for another look, a little later than at once.
func (tm *Monitor) Again() {
	time.AfterFunc(SweepEvery, func() {
		select {
		case tm.stale <- struct{}{}:
		default:
		}
	})
}

// Recent are the last quotes of a product.
func (tm *Monitor) Recent(productID int) []market.Quote {
	if b := tm.book(productID); b != nil {
		return b.quotes()
	}
	return nil
}

// collect adds what a quote sets off in one account.
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

// claim adds a task unless its subject is being worked on.
func (tm *Monitor) claim(tasks []Task, t Task) []Task {
	if tm.firing[t.Subject] {
		return tasks
	}
	tm.firing[t.Subject] = true
	return append(tasks, t)
}

// Done frees a task's subject and queues what the last quotes set off in its account meanwhile.
func (tm *Monitor) Done(t Task) { tm.tasks.push(tm.done(t)...) }

// Stale tells, once for each change of the market's leader, that accounts and trailing stops must be read anew.
func (tm *Monitor) Stale() <-chan struct{} { return tm.stale }

// done frees a task's subject and answers with what the last quotes set off in its account meanwhile: an order that was armed, for example, may
// have been passed by the quotes that came while it was busy.
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

// Drop frees a task's subject: what it was refused for now is tried again at the next quote.
func (tm *Monitor) Drop(t Task) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	delete(tm.firing, t.Subject)
	if a := tm.accounts[t.Account]; a != nil {
		tm.register(a)
	}
}
