package trading

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// triggerMonitor remembers every account that something may happen to: those with open positions or pending orders, and those that somebody looks at.
// It only hints: the transaction that acts reads the truth again under locks.
type triggerMonitor struct {
	books []*book      // by product, nil where there is none; it never changes
	term  atomic.Int64 // of the market's leader; what a former one told may not be on the tape

	mu        sync.Mutex
	accounts  map[int64]*watched
	firing    map[subject]bool          // what a worker is busy with or will be
	best      map[int64]trailingExtreme // of positions with a trailing stop
	expiries  levels                    // of pending orders
	rolled    market.Rollover           // the last one that was looked for
	unsettled map[int64]bool            // accounts with a rollover to settle
	observers map[int64]int
	changed   map[int64]bool // accounts to be valued at the next sweep
	terms     map[int]marginTerms
	wanted    []entry       // reused
	stale     chan struct{} // one token: a new leader tells the market's quotes, and trailing stops must be found anew
}

// watched is an account, what of it stands in the books, and whose quotes have it valued at every sweep.
type watched struct {
	portfolio
	armed    []entry
	bands    []entry // where its margin level may cross a threshold; none until it is valued
	followed []int   // products
}

func newTriggerMonitor(products []market.Product) *triggerMonitor {
	tm := &triggerMonitor{
		accounts: map[int64]*watched{}, firing: map[subject]bool{}, best: map[int64]trailingExtreme{}, expiries: newLevels(), unsettled: map[int64]bool{},
		observers: map[int64]int{}, changed: map[int64]bool{}, terms: map[int]marginTerms{}, stale: make(chan struct{}, 1),
	}
	for _, p := range products {
		tm.books = append(tm.books, make([]*book, max(0, p.ID+1-len(tm.books)))...)
		tm.books[p.ID] = newBook()
	}
	return tm
}

// book is a product's; nil where it has none.
func (tm *triggerMonitor) book(productID int) *book {
	if productID >= len(tm.books) {
		return nil
	}
	return tm.books[productID]
}

// put remembers an account's state unless a newer one is known. It answers with what the last quotes set off in it: those that came after the
// account was read and before it was remembered would be missed otherwise.
func (tm *triggerMonitor) put(f portfolio) (tasks []task) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	id := f.account.ID
	a := tm.accounts[id]
	if a == nil {
		a = &watched{}
	} else if a.account.Version > f.account.Version {
		tm.register(a) // a trailing stop may have been learnt about
		return nil
	}
	for _, p := range a.positions {
		if now, open := f.find(p.ID); !open || now.Trail == nil || now.TrailSince != tm.best[p.ID].since {
			delete(tm.best, p.ID)
		}
	}
	a.portfolio, a.bands = f, nil
	if len(f.positions) == 0 && len(f.orders) == 0 && tm.observers[id] == 0 {
		tm.forget(a)
		return nil
	}
	tm.accounts[id], tm.changed[id] = a, true
	if f.due(tm.rolled) {
		tm.unsettled[id] = true
	}
	tm.register(a)
	return tm.missed(a, tm.products(a))
}

// position is an open position of a remembered account; what it is never changes.
func (tm *triggerMonitor) position(accountID, id int64) (Position, bool) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	if a := tm.accounts[accountID]; a != nil {
		return a.find(id)
	}
	return Position{}, false
}

// forget takes an account out of everything.
func (tm *triggerMonitor) forget(a *watched) {
	id := a.account.ID
	delete(tm.accounts, id)
	delete(tm.changed, id)
	delete(tm.unsettled, id)
	tm.follow(a, nil)
	a.portfolio, a.bands = portfolio{}, nil
	tm.register(a)
}

// products are those of an account's positions and orders.
func (tm *triggerMonitor) products(a *watched) (list []int) {
	for i := range a.positions {
		list = append(list, a.positions[i].ProductID)
	}
	for i := range a.orders {
		list = append(list, a.orders[i].ProductID)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// missed lists what the last quotes of some products set off in an account, and lets its trailing stops follow them.
func (tm *triggerMonitor) missed(a *watched, products []int) (tasks []task) {
	moved := false
	for _, product := range products {
		if b := tm.book(product); b != nil && a.reachedBy(product, b.far()) {
			moved = true
			for _, q := range b.quotes() {
				tasks = tm.collect(tasks, a.portfolio, q)
				tm.followBest(a.portfolio, q)
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
func (tm *triggerMonitor) register(a *watched) {
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

func (tm *triggerMonitor) insert(e entry) {
	if e.direction == clockRuns {
		tm.expiries.insert(e)
	} else if b := tm.book(int(e.product)); b != nil {
		b.insert(e)
	}
}

func (tm *triggerMonitor) remove(e entry) {
	if e.direction == clockRuns {
		tm.expiries.remove(e)
	} else if b := tm.book(int(e.product)); b != nil {
		b.remove(e)
	}
}

// levels adds what an account's positions and orders wait for. What is being worked on waits for nothing; its best price moves on.
func (tm *triggerMonitor) levels(a *watched, list []entry) []entry {
	for i := range a.positions {
		p := &a.positions[i]
		list = p.levels(list, tm.best[p.ID], tm.firing[subject{account: a.account.ID, position: p.ID}])
	}
	for i := range a.orders {
		if o := &a.orders[i]; !tm.firing[subject{account: a.account.ID, order: o.ID}] {
			list = o.levels(list)
		}
	}
	for i := range list {
		list[i].account = a.account.ID
	}
	return list
}

// subject is what a task is about, one of the three: a position, a resting order, or the account itself.
type subject struct{ account, position, order int64 }

// task is something that a price, or the clock, has triggered.
type task struct {
	subject
	quote market.Quote // the zero quote where the clock or the account's level did it
	best  market.Quote // from which a trailing stop was measured
}

// again asks for another look, a little later than at once.
func (tm *triggerMonitor) again() {
	time.AfterFunc(sweepEvery, func() {
		select {
		case tm.stale <- struct{}{}:
		default:
		}
	})
}

// recent are the last quotes of a product.
func (tm *triggerMonitor) recent(productID int) []market.Quote {
	if b := tm.book(productID); b != nil {
		return b.quotes()
	}
	return nil
}

// collect adds what a quote sets off in one account.
func (tm *triggerMonitor) collect(tasks []task, f portfolio, q market.Quote) []task {
	for _, p := range f.positions {
		from := tm.best[p.ID].quote
		if rule, _ := fires(p, q, from); rule != "" {
			tasks = tm.claim(tasks, task{subject{account: f.account.ID, position: p.ID}, q, from})
		}
	}
	for _, o := range f.orders {
		if o.triggers(q) {
			tasks = tm.claim(tasks, task{subject: subject{account: f.account.ID, order: o.ID}, quote: q})
		}
	}
	return tasks
}

// claim adds a task unless its subject is being worked on.
func (tm *triggerMonitor) claim(tasks []task, t task) []task {
	if tm.firing[t.subject] {
		return tasks
	}
	tm.firing[t.subject] = true
	return append(tasks, t)
}

// done frees a task's subject and answers with what the last quotes set off in its account meanwhile: an order that was armed, for example, may
// have been passed by the quotes that came while it was busy.
func (tm *triggerMonitor) done(t task) (tasks []task) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	delete(tm.firing, t.subject)
	a := tm.accounts[t.account]
	if a == nil {
		return nil
	}
	tm.register(a)
	return tm.missed(a, []int{t.quote.ProductID})
}

// drop frees a task's subject: what it was refused for now is tried again at the next quote.
func (tm *triggerMonitor) drop(t task) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	delete(tm.firing, t.subject)
	if a := tm.accounts[t.account]; a != nil {
		tm.register(a)
	}
}

// workers is how many triggered tasks run side by side; one account's tasks wait for each other at its row.
const workers = 4

// Run works on what prices trigger and values accounts, until ctx ends.
func (s *Service) Run(ctx context.Context, o Observer) error {
	stop, err := s.bus.Subscribe(AnyChanged, func(subject string, data []byte) {
		if c, err := ReadChange(subject, data); err == nil && c.From != s.id {
			_ = s.reload(ctx, c.AccountID)
		}
	})
	if err != nil {
		return err
	}
	defer stop()
	var group sync.WaitGroup
	for range workers {
		group.Go(func() { s.work(ctx) })
	}
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			s.sweep(o)
		case <-s.watch.stale:
			if err := s.Load(ctx); err != nil && ctx.Err() == nil {
				slog.Error("trailing stops wait for the database", "error", err)
				s.watch.again()
			}
		case <-ctx.Done():
			group.Wait()
			return nil
		}
	}
}

func (s *Service) work(ctx context.Context) {
	for {
		t, ok := s.tasks.wait(ctx)
		if !ok {
			return
		}
		s.perform(ctx, t)
	}
}

// perform acts on a task until it is done: a database that is away delays it, and the quote that triggered it stays the one it fills at.
// What the engine itself refuses, such as an account that can't be valued, would be refused again: the next quote triggers it anew. Busy is no such refusal.
func (s *Service) perform(ctx context.Context, t task) {
	for pause := 50 * time.Millisecond; ctx.Err() == nil; pause = min(2*pause, 2*time.Second) {
		acted, err := s.act(ctx, t)
		if err == nil && !acted { // what we remembered of the account is out of date
			err = s.reload(ctx, t.account)
		}
		if err == nil {
			s.tasks.push(s.watch.done(t)...)
			return
		}
		refused := errs.As(err) != nil && !db.IsBusy(err) && !errors.Is(err, ErrBusy)
		slog.Error("what a price triggered waits", "account", t.account, "position", t.position, "order", t.order, "refused", refused, "error", err)
		if refused {
			break
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	s.watch.drop(t)
}

// act does what a task is about, if it still holds under the lock; acted tells whether it did.
func (s *Service) act(ctx context.Context, t task) (acted bool, err error) {
	c := command{ctx: ctx, accountID: t.account, act: func(j journal, f portfolio) (*outcome, error) { return s.follow(j, f, t) }}
	if err := s.sequencer.do(&c); err != nil {
		return false, err
	}
	return c.acted, nil
}

// follow closes the position, settles the order, or stops the account out that a task is about; nil when it does not hold any more.
func (s *Service) follow(j journal, f portfolio, t task) (*outcome, error) {
	var out outcome
	var err error
	position, open := f.find(t.position)
	rule, limit := fires(position, t.quote, t.best)
	o, resting := f.findOrder(t.order)
	switch {
	case t.subject == (subject{account: t.account}):
		out, err = s.lookAfter(j, f)
	case open && rule != "":
		out, err = s.close(j, f, closing{position: position, lots: position.Lots, rule: rule, limit: limit, quote: t.quote, best: t.best, source: sourceSystem})
	case resting && t.quote.Seq != 0 && o.triggers(t.quote):
		out, err = s.trigger(j, f, o, t.quote)
	case resting && t.quote.Seq == 0 && o.over(s.market.Now()):
		out, err = s.end(j, f, o, Expired, TimeIsUp)
	default:
		return nil, nil
	}
	return &out, err
}

// lookAfter warns an account and stops it out, if its level says so.
func (s *Service) lookAfter(j journal, f portfolio) (outcome, error) {
	v, err := f.value(s.market, s.convert)
	if err != nil {
		return outcome{}, err
	}
	f, call, err := s.warn(j, f, v)
	if err != nil {
		return outcome{}, err
	}
	out, err := s.stopOut(j, f, v)
	out.call = call
	return out, err
}

// stopOut closes positions one at a time, the largest loss first, until the level is above the limit or nothing can be closed. V is what the account
// was warned on.
func (s *Service) stopOut(j journal, f portfolio, v Valuation) (outcome, error) {
	all := outcome{portfolio: f}
	for v.atOrBelow(stopOutPercent) {
		victim, quote, ok := s.worst(v)
		if !ok {
			break
		}
		out, err := s.close(j, all.portfolio, closing{position: victim, lots: victim.Lots, rule: StopOutRule, quote: quote, source: sourceSystem, before: &v})
		if err != nil {
			return outcome{}, err
		}
		all = all.and(out)
		if v, err = all.portfolio.value(s.market, s.convert); err != nil {
			return outcome{}, err
		}
	}
	return all, nil
}

// worst is the position that a stop-out closes next: the largest floating loss, then the larger volume, then the older one. Positions whose
// market is closed or whose price is not confirmed are passed over.
func (s *Service) worst(v Valuation) (Position, market.Quote, bool) {
	order := slices.SortedStableFunc(slices.Values(v.Positions), func(a, b Valued) int {
		if a.snapshot().before(b.snapshot()) {
			return -1
		}
		return 1
	})
	for _, p := range order {
		if q, err := s.market.Tradable(p.ProductID); err == nil {
			return p.Position, q, true
		}
	}
	return Position{}, market.Quote{}, false
}
