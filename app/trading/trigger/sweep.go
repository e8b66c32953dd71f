package trigger

import (
	"log/slog"
	"sync"
	"time"

	"candor/app/market"
	"candor/app/trading"
)

// SweepEvery is the interval between valuations while prices move.
const SweepEvery = 200 * time.Millisecond

// Observer receives the valuations of observed accounts.
type Observer interface {
	// Valued is called for an observed account when its equity may have changed.
	Valued(v trading.Valuation)
}

// Observe has an account valued for the observer until stop is called. The caller must also Remember the account, so that there is a state to value.
func (tm *Monitor) Observe(accountID int64) (stop func()) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	tm.observers[accountID]++
	return sync.OnceFunc(func() { tm.unobserve(accountID) })
}

// unobserve ends one observation of an account.
func (tm *Monitor) unobserve(accountID int64) {
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
		tm.changed[accountID] = true // the next sweep gives it bands again
	}
}

// Sweep values the accounts whose margin level may have crossed a threshold: it queues checks for margin calls, recoveries and stop-outs, and passes the
// valuations of observed accounts to the observer. It also queues expired orders and unsettled rollovers. valued is the number of accounts.
func (tm *Monitor) Sweep(o Observer) (valued int) {
	now := tm.market.Now()
	tm.tasks.push(tm.overdue(now, market.LastRollover(now))...)
	tm.compareTerms(tm.market.Products())
	portfolios, observed := tm.changedAccounts()
	for _, f := range portfolios {
		tm.assess(f, o, observed[f.Account.ID])
	}
	return len(portfolios)
}

// assess values an account and queues a check if it needs one. An account whose level is fine is valued again when a price leaves its band. An account that is
// observed, needs a check or can't be valued is valued at every sweep after a quote of its products.
func (tm *Monitor) assess(f trading.Portfolio, o Observer, observed bool) {
	v, err := tm.rules.Value(f)
	if err != nil {
		slog.Error("an account can't be valued", "account", f.Account.ID, "error", err)
		tm.watchBands(f, tm.exposed(f), nil)
		return
	}
	needs := v.AtOrBelow(trading.StopOutPercent) || v.NeedsCall(f.Call) || v.Recovered(f.Call)
	if needs {
		tm.queueCheck(f.Account.ID)
	}
	if observed {
		tm.SetTrailLevels(v.Positions, nil)
		o.Valued(v)
	}
	if needs || observed {
		tm.watchBands(f, tm.exposed(f), nil)
		return
	}
	if edges, certain := bandsOf(v, f.Call); certain {
		tm.watchBands(f, nil, edges)
	} else {
		tm.watchBands(f, tm.exposed(f), nil)
	}
}

// exposed lists the products on whose prices an account's equity depends, and those of its orders.
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

// changedAccounts takes the accounts whose level may have crossed a threshold since the last sweep; observed marks the observed ones.
func (tm *Monitor) changedAccounts() (portfolios []trading.Portfolio, observed map[int64]bool) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	for _, b := range tm.books {
		if b == nil {
			continue
		}
		if b.movedSinceSweep() {
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

// watchBands sets when a valued account is valued again: when a price leaves its bands, or after a quote of the products that it follows. An account that has
// changed since is skipped: it is due anyway. An account whose bands were left before they were set is valued at the next sweep.
func (tm *Monitor) watchBands(f trading.Portfolio, follows []int, edges []entry) {
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
			tm.markChanged(a)
			return
		}
	}
}

// follow has an account valued at every sweep after a quote of these products, and of no others.
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

// marginTerms are the product terms that used margin depends on.
type marginTerms struct {
	tiers     string
	hedgedBps int
}

// compareTerms marks the accounts whose used margin may differ under the terms in force now.
func (tm *Monitor) compareTerms(products []market.Product) {
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
		if a.holdsProduct(moved) {
			tm.markChanged(a)
		}
	}
}

// overdue claims the subjects that the clock triggers: expired pending orders, and accounts with a rollover to settle.
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

// addUnsettled collects the accounts with a rollover to settle when another one has passed; put collects later accounts.
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

// queueCheck queues a check of an account: a worker settles its rollovers, opens or ends its margin call, and stops it out if necessary.
func (tm *Monitor) queueCheck(accountID int64) {
	tm.mu.Lock()
	tasks := tm.claim(nil, Task{Subject: Subject{Account: accountID}})
	tm.mu.Unlock()
	tm.tasks.push(tasks...)
}

// OnQuote takes a quote; the market calls it in order. A quote that can't be traded on triggers nothing; trailing stops still follow it.
func (tm *Monitor) OnQuote(q market.Quote) {
	if _, err := tm.market.Tradable(q.ProductID); err != nil {
		confirmed, _ := tm.market.Confirmed(q.ProductID)
		tm.unconfirmed(q, confirmed)
		return
	}
	tm.tasks.push(tm.triggered(&q)...)
}

// KeepQuotes has the books keep every quote from now on, or only the recent ones again.
func (tm *Monitor) KeepQuotes(all bool) {
	for _, b := range tm.books {
		if b == nil {
			continue
		}
		b.keep(all)
	}
}
