package trading

import (
	"log/slog"
	"sync"
	"time"

	"candor/app/market"
)

// sweepEvery is how often accounts are valued while prices move.
const sweepEvery = 200 * time.Millisecond

// Observer hears the valuations of the accounts that it observes.
type Observer interface {
	// Valued is called for an observed account when its worth may have changed.
	Valued(v Valuation)
}

// Observe has an account valued for the observer until stop is called. Whoever observes has it remembered, so that there is something to value.
func (tm *triggerMonitor) Observe(accountID int64) (stop func()) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	tm.observers[accountID]++
	return sync.OnceFunc(func() { tm.leave(accountID) })
}

// leave ends one observation of an account.
func (tm *triggerMonitor) leave(accountID int64) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	if tm.observers[accountID]--; tm.observers[accountID] > 0 {
		return
	}
	delete(tm.observers, accountID)
	a := tm.accounts[accountID]
	switch {
	case a == nil:
	case len(a.positions)+len(a.orders) == 0:
		tm.forget(a)
	default:
		tm.changed[accountID] = true // it is watched by its bands again
	}
}

// Sweep values the accounts whose margin level may have crossed a threshold: it stops out, warns, and tells who looks. It answers with how many they were.
func (tm *triggerMonitor) Sweep(o Observer) (valued int) {
	now := tm.market.Now()
	tm.tasks.push(tm.overdue(now, market.LastRollover(now))...)
	tm.compare(tm.market.Products())
	portfolios, observed := tm.stirred()
	for _, f := range portfolios {
		tm.assess(f, o, observed[f.account.ID])
	}
	return len(portfolios)
}

// assess values an account and does what follows from it. One whose level is fine is left alone until a price leaves its band; one that somebody looks
// at, that can't be valued or that something must be done for is valued at every sweep after a quote of its products.
func (tm *triggerMonitor) assess(f portfolio, o Observer, observed bool) {
	v, err := tm.rules.Value(f)
	if err != nil {
		slog.Error("an account can't be valued", "account", f.account.ID, "error", err)
		tm.rest(f, tm.exposed(f), nil)
		return
	}
	needs := v.atOrBelow(stopOutPercent) || v.warns(f.call) || v.recovered(f.call)
	if needs {
		tm.tend(f.account.ID)
	}
	if observed {
		tm.SetTrailLevels(v.Positions, nil)
		o.Valued(v)
	}
	if needs || observed {
		tm.rest(f, tm.exposed(f), nil)
		return
	}
	if edges, certain := bandsOf(v, f.call); certain {
		tm.rest(f, nil, edges)
	} else {
		tm.rest(f, tm.exposed(f), nil)
	}
}

// exposed lists the products whose prices an account's worth follows from, and those that its orders wait for.
func (tm *triggerMonitor) exposed(f portfolio) (list []int) {
	for i := range f.positions {
		list = append(list, f.positions[i].ProductID)
		if p, err := tm.market.Product(f.positions[i].ProductID); err == nil {
			if by, _, ok := tm.rules.Conversion(p.Quote); ok {
				list = append(list, by.ID)
			}
		}
	}
	for i := range f.orders {
		list = append(list, f.orders[i].ProductID)
	}
	return list
}

// stirred takes the accounts whose level may have crossed a threshold since the last sweep; observed tells who is looked at.
func (tm *triggerMonitor) stirred() (portfolios []portfolio, observed map[int64]bool) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	for _, b := range tm.books {
		if b == nil {
			continue
		}
		if b.stirred() {
			for id := range b.followed {
				tm.changed[id] = true
			}
		}
	}
	observed = map[int64]bool{}
	for id := range tm.changed {
		if a := tm.accounts[id]; a != nil {
			portfolios = append(portfolios, a.portfolio)
			observed[id] = tm.observers[id] > 0
		}
	}
	clear(tm.changed)
	return portfolios, observed
}

// rest leaves an account that was valued alone: until a price leaves its bands, or until the next quote of some products. One that has changed since is
// valued again, and so is one whose bands were left before they were here.
func (tm *triggerMonitor) rest(f portfolio, follows []int, edges []entry) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	a := tm.accounts[f.account.ID]
	if a == nil || a.account.Version != f.account.Version {
		return
	}
	tm.follow(a, follows)
	a.bands = edges
	tm.register(a)
	for _, e := range edges {
		if b := tm.book(int(e.product)); b != nil && b.passed(e) {
			tm.value(a)
			return
		}
	}
}

// follow has an account valued at every sweep after a quote of some products, and of no others.
func (tm *triggerMonitor) follow(a *watched, products []int) {
	for _, id := range a.followed {
		delete(tm.book(id).followed, a.account.ID)
	}
	a.followed = a.followed[:0]
	for _, id := range products {
		if b := tm.book(id); b != nil {
			b.followed[a.account.ID] = true
			a.followed = append(a.followed, id)
		}
	}
}

// marginTerms are what used margin follows from, beside the positions.
type marginTerms struct {
	tiers     string
	hedgedBps int
}

// compare has the accounts valued whose used margin may be another by the terms that are in force now.
func (tm *triggerMonitor) compare(products []market.Product) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	var moved []int
	for i := range products {
		now := marginTerms{products[i].Tiers, products[i].HedgedRatioBps}
		if was, known := tm.terms[products[i].ID]; known && was != now {
			moved = append(moved, products[i].ID)
		}
		tm.terms[products[i].ID] = now
	}
	if len(moved) == 0 {
		return
	}
	for _, a := range tm.accounts {
		if a.holds(moved) {
			tm.value(a)
		}
	}
}

// overdue lists what the clock does: resting orders whose time is up, and accounts with a rollover to settle.
func (tm *triggerMonitor) overdue(now time.Time, last market.Rollover) (tasks []task) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	for _, e := range tm.expiries.reached(nil, now.UnixNano()) {
		tasks = tm.claim(tasks, task{subject: subject{account: e.account, order: e.id}})
	}
	for _, t := range tasks {
		tm.register(tm.accounts[t.account])
	}
	tm.addUnsettled(last)
	for id := range tm.unsettled {
		if tm.accounts[id].due(last) {
			tasks = tm.claim(tasks, task{subject: subject{account: id}})
		} else {
			delete(tm.unsettled, id)
		}
	}
	return tasks
}

// addUnsettled finds who has a rollover to settle when another one has passed; who comes later is found by put.
func (tm *triggerMonitor) addUnsettled(last market.Rollover) {
	if tm.rolled.Day.Equal(last.Day) {
		return
	}
	tm.rolled = last
	for id, a := range tm.accounts {
		if a.due(last) {
			tm.unsettled[id] = true
		}
	}
}

// tend has a worker look after an account: settle its rollovers, warn its trader, and stop it out if it must be.
func (tm *triggerMonitor) tend(accountID int64) {
	tm.mu.Lock()
	tasks := tm.claim(nil, task{subject: subject{account: accountID}})
	tm.mu.Unlock()
	tm.tasks.push(tasks...)
}

// OnQuote takes a quote; the market calls it in order. Outside a session a price is seen, but triggers nothing.
func (tm *triggerMonitor) OnQuote(q market.Quote) {
	if _, err := tm.market.Tradable(q.ProductID); err != nil {
		confirmed, _ := tm.market.Confirmed(q.ProductID)
		tm.seen(q, confirmed)
		return
	}
	tm.tasks.push(tm.triggered(&q)...)
}

// KeepQuotes lets the books keep every quote from now on, or only the last ones again.
func (tm *triggerMonitor) KeepQuotes(all bool) {
	for _, b := range tm.books {
		if b == nil {
			continue
		}
		b.keep(all)
	}
}
