package trading

import (
	"cmp"
	"slices"

	"candor/app/market"
)

// triggered lists what a quote sets off, and marks it as being worked on. Most quotes reach nothing and are done after four comparisons.
func (w *watch) triggered(q *market.Quote) []task {
	b := w.book(q.ProductID)
	if b == nil {
		return nil
	}
	if q.Term > w.term.Load() {
		w.begin(q.Term)
	}
	if b.turns() {
		b.turn()
	}
	b.recent.add(q)
	if b.idle(q) {
		return nil
	}
	return w.reached(b, q)
}

// reached lists what a quote sets off that reaches something.
func (w *watch) reached(b *book, q *market.Quote) []task {
	w.mu.Lock()
	defer w.mu.Unlock()
	tasks := w.fire(b, *q)
	w.improve(b, *q)
	w.cross(b, *q)
	return tasks
}

// seen notes a quote that triggers nothing, because its market is closed or halted: a trailing stop follows it all the same, and margin levels follow
// the price that is confirmed.
func (w *watch) seen(q, confirmed market.Quote) {
	b := w.book(q.ProductID)
	if b == nil {
		return
	}
	if q.Term > w.term.Load() {
		w.begin(q.Term)
	}
	b.see(confirmed)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.improve(b, q)
	if confirmed.Seq != 0 {
		w.cross(b, confirmed)
	}
}

// fire claims what a quote sets off. What was worded at this quote or later stays in the books.
func (w *watch) fire(b *book, q market.Quote) (tasks []task) {
	for _, e := range b.reached(triggers, q.Bid, q.Ask) {
		tasks = w.judge(tasks, w.accounts[e.account], e, q)
	}
	slices.SortFunc(tasks, func(a, b task) int {
		return cmp.Or(cmp.Compare(a.account, b.account), cmp.Compare(a.order, b.order), cmp.Compare(a.position, b.position))
	})
	for i := range tasks {
		if i == 0 || tasks[i].account != tasks[i-1].account {
			w.arm(w.accounts[tasks[i].account])
		}
	}
	return tasks
}

// judge claims the subject of an entry if a quote does set it off.
func (w *watch) judge(tasks []task, a *watched, e entry, q market.Quote) []task {
	if e.order {
		if o, resting := a.findOrder(e.id); resting && o.triggers(q) {
			return w.claim(tasks, task{subject: subject{account: e.account, order: e.id}, quote: q})
		}
		return tasks
	}
	p, _ := a.find(e.id)
	from := w.best[e.id].quote
	if rule, _ := fires(p, q, from); rule != "" {
		return w.claim(tasks, task{subject{account: e.account, position: e.id}, q, from})
	}
	return tasks
}

// improve moves the trailing stops for which a quote is a new best.
func (w *watch) improve(b *book, q market.Quote) {
	for _, e := range b.reached(bests, q.Bid, q.Ask) {
		a := w.accounts[e.account]
		w.followBest(a.portfolio, q)
		w.arm(a)
	}
}

// cross has the accounts valued whose band a confirmed quote has left.
func (w *watch) cross(b *book, q market.Quote) {
	for _, e := range b.reached(bands, q.Bid, q.Ask) {
		w.value(w.accounts[e.account])
	}
}

// value has an account valued at the next sweep; until then it has no bands.
func (w *watch) value(a *watched) {
	w.changed[a.account.ID] = true
	if len(a.bands) > 0 {
		a.bands = nil
		w.arm(a)
	}
}

// begin forgets what a former leader of the market told, when a new one tells its first quote: it may be on no tape.
func (w *watch) begin(term int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.term.Swap(term) == 0 {
		return
	}
	for _, b := range w.books {
		if b == nil {
			continue
		}
		b.forget()
	}
	clear(w.best)
	for _, a := range w.accounts {
		w.arm(a)
	}
	select {
	case w.stale <- struct{}{}:
	default:
	}
}
