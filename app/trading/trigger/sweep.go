package trigger

import (
	"log/slog"
	"sync"
	"time"

	"candor/app/market"
	"candor/app/trading"
)

// SweepEvery is how often accounts are valued while prices move.
const SweepEvery = 200 * time.Millisecond

// Observer hears the valuations of the accounts that it observes.
type Observer interface {
	// Valued is called for an observed account when its worth may have changed.
	Valued(v trading.Valuation)
}

// Observe has an account valued for the observer until stop is called. Whoever observes has it remembered, so that there is something to value.
func (tm *Monitor) Observe(accountID int64) (stop func()) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	tm.observers[accountID]++
	return sync.OnceFunc(func() { tm.leave(accountID) })
}

// leave ends one observation of an account.
func (tm *Monitor) leave(accountID int64) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	if tm.observers[accountID]--; tm.observers[accountID] > 0 {
		return
	}
	delete(tm.observers, accountID)
	a := tm.accounts[accountID]
	switch {
	case a == nil:
	case len(a.Positions)+len(a.Orders) == 0:
		tm.forget(a)
	default:
		tm.changed[accountID] = true // it is watched by its bands again
	}
}

// Sweep values the accounts whose margin level may have crossed a threshold: it stops out, warns, and tells who looks. It answers with how many they were.
func (tm *Monitor) Sweep(o Observer) (valued int) {
	now := tm.market.Now()
	tm.tasks.push(tm.overdue(now, market.LastRollover(now))...)
	tm.compare(tm.market.Products())
	portfolios, observed := tm.stirred()
	for _, f := range portfolios {
		tm.assess(f, o, observed[f.Account.ID])
	}
	return len(portfolios)
}

// assess values an account and does what follows from it. One whose level is fine is left alone until a price leaves its band; one that somebody looks
// at, that can't be valued or that something must be done for is valued at every sweep after a quote of its products.
func (tm *Monitor) assess(f trading.Portfolio, o Observer, observed bool) {
	v, err := tm.rules.Value(f)
	if err != nil {
		slog.Error("an account can't be valued", "account", f.Account.ID, "error", err)
		tm.rest(f, tm.exposed(f), nil)
		return
	}
	needs := v.AtOrBelow(trading.StopOutPercent) || v.Warns(f.Call) || v.Recovered(f.Call)
	if needs {
		tm.tend(f.Account.ID)
	}
	if observed {
		tm.SetTrailLevels(v.Positions, nil)
		o.Valued(v)
	}
	if needs || observed {
		tm.rest(f, tm.exposed(f), nil)
		return
	}
	if edges, certain := bandsOf(v, f.Call); certain {
		tm.rest(f, nil, edges)
	} else {
		tm.rest(f, tm.exposed(f), nil)
	}
}

// exposed lists the products whose prices an account's worth follows from, and those that its orders wait for.
func (tm *Monitor) exposed(f trading.Portfolio) (list []int) {
	for i := range f.Positions {
		list = append(list, f.Positions[i].ProductID)
		if p, err := tm.market.Product(f.Positions[i].ProductID); err == nil {
			if by, _, ok := tm.rules.Conversion(p.Quote); ok {
				list = append(list, by.ID)
			}
		}
	}
	for i := range f.Orders {
		list = append(list, f.Orders[i].ProductID)
	}
	return list
}

// stirred takes the accounts whose level may have crossed a threshold since the last sweep; observed tells who is looked at.
func (tm *Monitor) stirred() (portfolios []trading.Portfolio, observed map[int64]bool) {
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
			portfolios = append(portfolios, a.Portfolio)
			observed[id] = tm.observers[id] > 0
		}
	}
	clear(tm.changed)
	return portfolios, observed
}

// rest leaves an account that was valued alone: until a price leaves its bands, or until the next quote of some products. One that has changed since is
// valued again, and so is one whose bands were left before they were here.
func (tm *Monitor) rest(f trading.Portfolio, follows []int, edges []entry) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	a := tm.accounts[f.Account.ID]
	if a == nil || a.Account.Version != f.Account.Version {
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
func (tm *Monitor) follow(a *watched, products []int) {
	for _, id := range a.followed {
		delete(tm.book(id).followed, a.Account.ID)
	}
	a.followed = a.followed[:0]
	for _, id := range products {
		if b := tm.book(id); b != nil {
			b.followed[a.Account.ID] = true
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
func (tm *Monitor) compare(products []market.Product) {
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
func (tm *Monitor) overdue(now time.Time, last market.Rollover) (tasks []Task) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	for _, e := range tm.expiries.reached(nil, now.UnixNano()) {
		tasks = tm.claim(tasks, Task{Subject: Subject{Account: e.account, Order: e.id}})
	}
	for _, t := range tasks {
		tm.register(tm.accounts[t.Account])
	}
	tm.addUnsettled(last)
	for id := range tm.unsettled {
		if tm.accounts[id].Due(last) {
			tasks = tm.claim(tasks, Task{Subject: Subject{Account: id}})
		} else {
			delete(tm.unsettled, id)
		}
	}
	return tasks
}

// addUnsettled finds who has a rollover to settle when another one has passed; who comes later is found by put.
func (tm *Monitor) addUnsettled(last market.Rollover) {
	if tm.rolled.Day.Equal(last.Day) {
		return
	}
	tm.rolled = last
	for id, a := range tm.accounts {
		if a.Due(last) {
			tm.unsettled[id] = true
		}
	}
}

// tend has a worker look after an account: settle its rollovers, warn its trader, and stop it out if it must be.
func (tm *Monitor) tend(accountID int64) {
	tm.mu.Lock()
	tasks := tm.claim(nil, Task{Subject: Subject{Account: accountID}})
	tm.mu.Unlock()
	tm.tasks.push(tasks...)
}

// OnQuote takes a quote; the market calls it in order. Outside a session a price is seen, but triggers nothing.
func (tm *Monitor) OnQuote(q market.Quote) {
	if _, err := tm.market.Tradable(q.ProductID); err != nil {
		confirmed, _ := tm.market.Confirmed(q.ProductID)
		tm.seen(q, confirmed)
		return
	}
	tm.tasks.push(tm.triggered(&q)...)
}

// KeepQuotes lets the books keep every quote from now on, or only the last ones again.
func (tm *Monitor) KeepQuotes(all bool) {
	for _, b := range tm.books {
		if b == nil {
			continue
		}
		b.keep(all)
	}
}
