package trigger

import (
	"cmp"
	"slices"

	"candor/app/market"
	"candor/app/trading"
)

// triggered returns the tasks that a quote triggers, and claims their subjects. Most quotes reach no level and are done after four comparisons.
func (tm *Monitor) triggered(q *market.Quote) []Task {
	b := tm.book(q.ProductID)
	if b == nil {
		return nil
	}
	if q.Term > tm.term.Load() {
		tm.newTerm(q.Term)
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

// reached handles a quote that reaches a level, and returns the tasks that it triggers.
func (tm *Monitor) reached(b *book, q *market.Quote) []Task {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	tasks := tm.fire(b, *q)
	tm.improveTrailing(b, *q)
	tm.crossBands(b, *q)
	return tasks
}

// unconfirmed handles a quote that triggers nothing because its market is closed or halted: trailing stops still follow it, and margin levels follow the
// confirmed price.
func (tm *Monitor) unconfirmed(q, confirmed market.Quote) {
	b := tm.book(q.ProductID)
	if b == nil {
		return
	}
	if q.Term > tm.term.Load() {
		tm.newTerm(q.Term)
	}
	b.unconfirm(confirmed)
	tm.mu.Lock()
	defer tm.mu.Unlock()
	tm.improveTrailing(b, q)
	if confirmed.Seq != 0 {
		tm.crossBands(b, confirmed)
	}
}

// fire claims the subjects that a quote triggers. Orders and protection that were set at this quote or later stay in the books.
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

// judge claims the subject of an entry if the quote triggers it.
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

// improveTrailing moves the trailing stops for which a quote is a new best.
func (tm *Monitor) improveTrailing(b *book, q market.Quote) {
	for _, e := range b.reached(bests, q.Bid, q.Ask) {
		a := tm.accounts[e.account]
		tm.followBest(a.Portfolio, q)
		tm.register(a)
	}
}

// crossBands marks the accounts whose band a confirmed quote has left.
func (tm *Monitor) crossBands(b *book, q market.Quote) {
	for _, e := range b.reached(bands, q.Bid, q.Ask) {
		tm.markChanged(tm.accounts[e.account])
	}
}

// markChanged has an account valued at the next sweep; it has no bands until then.
func (tm *Monitor) markChanged(a *watched) {
	tm.changed[a.Account.ID] = true
	if len(a.bands) > 0 {
		a.bands = nil
		tm.register(a)
	}
}

// newTerm forgets the quotes of a former leader at the first quote of a new one: they may not be on the tape.
func (tm *Monitor) newTerm(term int64) {
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
