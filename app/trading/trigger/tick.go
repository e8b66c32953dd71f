package trigger

import (
	"cmp"
	"slices"

	"candor/app/market"
	"candor/app/trading"
)

// triggered lists what a quote sets off, and marks it as being worked on. Most quotes reach nothing and are done after four comparisons.
func (tm *Monitor) triggered(q *market.Quote) []Task {
	b := tm.book(q.ProductID)
	if b == nil {
		return nil
	}
	if q.Term > tm.term.Load() {
		tm.begin(q.Term)
	}
	if b.turns() {
		b.turn()
	}
	b.recent.add(q)
	if b.idle(q) {
		return nil
	}
	return tm.reached(b, q)
}

// reached lists what a quote sets off that reaches something.
func (tm *Monitor) reached(b *book, q *market.Quote) []Task {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	tasks := tm.fire(b, *q)
	tm.improve(b, *q)
	tm.cross(b, *q)
	return tasks
}

// seen notes a quote that triggers nothing, because its market is closed or halted: a trailing stop follows it all the same, and margin levels follow
// the price that is confirmed.
func (tm *Monitor) seen(q, confirmed market.Quote) {
	b := tm.book(q.ProductID)
	if b == nil {
		return
	}
	if q.Term > tm.term.Load() {
		tm.begin(q.Term)
	}
	b.see(confirmed)
	tm.mu.Lock()
	defer tm.mu.Unlock()
	tm.improve(b, q)
	if confirmed.Seq != 0 {
		tm.cross(b, confirmed)
	}
}

// fire claims what a quote sets off. What was worded at this quote or later stays in the books.
func (tm *Monitor) fire(b *book, q market.Quote) (tasks []Task) {
	for _, e := range b.reached(triggers, q.Bid, q.Ask) {
		tasks = tm.judge(tasks, tm.accounts[e.account], e, q)
	}
	slices.SortFunc(tasks, func(a, b Task) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Order, b.Order), cmp.Compare(a.Position, b.Position))
	})
	for i := range tasks {
		if i == 0 || tasks[i].Account != tasks[i-1].Account {
			tm.register(tm.accounts[tasks[i].Account])
		}
	}
	return tasks
}

// judge claims the subject of an entry if a quote does set it off.
func (tm *Monitor) judge(tasks []Task, a *watched, e entry, q market.Quote) []Task {
	if e.order {
		if o, resting := a.FindOrder(e.id); resting && o.Triggers(q) {
			return tm.claim(tasks, Task{Subject: Subject{Account: e.account, Order: e.id}, Quote: q})
		}
		return tasks
	}
	p, _ := a.FindPosition(e.id)
	from := tm.best[e.id].Quote
	if rule, _ := trading.Fires(p, q, from); rule != "" {
		return tm.claim(tasks, Task{Subject{Account: e.account, Position: e.id}, q, from})
	}
	return tasks
}

// improve moves the trailing stops for which a quote is a new best.
func (tm *Monitor) improve(b *book, q market.Quote) {
	for _, e := range b.reached(bests, q.Bid, q.Ask) {
		a := tm.accounts[e.account]
		tm.followBest(a.Portfolio, q)
		tm.register(a)
	}
}

// cross has the accounts valued whose band a confirmed quote has left.
func (tm *Monitor) cross(b *book, q market.Quote) {
	for _, e := range b.reached(bands, q.Bid, q.Ask) {
		tm.value(tm.accounts[e.account])
	}
}

// value has an account valued at the next sweep; until then it has no bands.
func (tm *Monitor) value(a *watched) {
	tm.changed[a.Account.ID] = true
	if len(a.bands) > 0 {
		a.bands = nil
		tm.register(a)
	}
}

// begin forgets what a former leader of the market told, when a new one tells its first quote: it may be on no tape.
func (tm *Monitor) begin(term int64) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	if tm.term.Swap(term) == 0 {
		return
	}
	for _, b := range tm.books {
		if b == nil {
			continue
		}
		b.forget()
	}
	clear(tm.best)
	for _, a := range tm.accounts {
		tm.register(a)
	}
	select {
	case tm.stale <- struct{}{}:
	default:
	}
}
