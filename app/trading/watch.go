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

// watch remembers every account that something may happen to: those with open positions or waiting orders, and those that somebody looks at.
// It only hints: the transaction that acts reads the truth again under locks.
type watch struct {
	books []*book      // by product, nil where there is none; it never changes
	term  atomic.Int64 // of the market's leader; what a former one told may not be on the tape

	mu        sync.Mutex
	accounts  map[int64]*watched
	firing    map[subject]bool // what a worker is busy with or will be
	best      map[int64]best   // of positions with a trailing stop
	expiries  levels           // of waiting orders
	rolled    market.Rollover  // the last one that was looked for
	owing     map[int64]bool   // accounts with a rollover to settle
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

func newWatch(products []market.Product) *watch {
	w := &watch{
		accounts: map[int64]*watched{}, firing: map[subject]bool{}, best: map[int64]best{}, expiries: newLevels(), owing: map[int64]bool{},
		observers: map[int64]int{}, changed: map[int64]bool{}, terms: map[int]marginTerms{}, stale: make(chan struct{}, 1),
	}
	for _, p := range products {
		w.books = append(w.books, make([]*book, max(0, p.ID+1-len(w.books)))...)
		w.books[p.ID] = newBook()
	}
	return w
}

// book is a product's; nil where it has none.
func (w *watch) book(productID int) *book {
	if productID >= len(w.books) {
		return nil
	}
	return w.books[productID]
}

// put remembers an account's state unless a newer one is known. It answers with what the last quotes set off in it: those that came after the
// account was read and before it was remembered would be missed otherwise.
func (w *watch) put(f portfolio) (tasks []task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := f.account.ID
	a := w.accounts[id]
	if a == nil {
		a = &watched{}
	} else if a.account.Version > f.account.Version {
		w.arm(a) // a trailing stop may have been learnt about
		return nil
	}
	for _, p := range a.positions {
		if now, open := f.find(p.ID); !open || now.Trail == nil || now.TrailSince != w.best[p.ID].since {
			delete(w.best, p.ID)
		}
	}
	a.portfolio, a.bands = f, nil
	if len(f.positions) == 0 && len(f.orders) == 0 && w.observers[id] == 0 {
		w.forget(a)
		return nil
	}
	w.accounts[id], w.changed[id] = a, true
	if f.due(w.rolled) {
		w.owing[id] = true
	}
	w.arm(a)
	return w.missed(a, w.products(a))
}

// position is an open position of a remembered account; what it is never changes.
func (w *watch) position(accountID, id int64) (Position, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.accounts[accountID]; a != nil {
		return a.find(id)
	}
	return Position{}, false
}

// forget takes an account out of everything.
func (w *watch) forget(a *watched) {
	id := a.account.ID
	delete(w.accounts, id)
	delete(w.changed, id)
	delete(w.owing, id)
	w.follow(a, nil)
	a.portfolio, a.bands = portfolio{}, nil
	w.arm(a)
}

// products are those of an account's positions and orders.
func (w *watch) products(a *watched) (list []int) {
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
func (w *watch) missed(a *watched, products []int) (tasks []task) {
	moved := false
	for _, product := range products {
		if b := w.book(product); b != nil && a.reachedBy(product, b.far()) {
			moved = true
			for _, q := range b.quotes() {
				tasks = w.collect(tasks, a.portfolio, q)
				w.followBest(a.portfolio, q)
			}
		}
	}
	if moved {
		w.arm(a)
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

// arm brings the books in line with what an account waits for.
func (w *watch) arm(a *watched) {
	wanted := append(w.waits(a, w.wanted[:0]), a.bands...)
	slices.SortFunc(wanted, entry.compare)
	wanted = slices.Compact(wanted)
	i := 0
	for _, e := range wanted {
		for ; i < len(a.armed) && a.armed[i].compare(e) < 0; i++ {
			w.remove(a.armed[i])
		}
		if i < len(a.armed) && a.armed[i] == e {
			i++
			continue
		}
		w.insert(e)
	}
	for ; i < len(a.armed); i++ {
		w.remove(a.armed[i])
	}
	a.armed = append(a.armed[:0], wanted...)
	w.wanted = wanted[:0]
}

func (w *watch) insert(e entry) {
	if e.direction == clockRuns {
		w.expiries.insert(e)
	} else if b := w.book(int(e.product)); b != nil {
		b.insert(e)
	}
}

func (w *watch) remove(e entry) {
	if e.direction == clockRuns {
		w.expiries.remove(e)
	} else if b := w.book(int(e.product)); b != nil {
		b.remove(e)
	}
}

// waits adds what an account's positions and orders wait for. What is being worked on waits for nothing; its best price moves on.
func (w *watch) waits(a *watched, list []entry) []entry {
	for i := range a.positions {
		p := &a.positions[i]
		list = p.waits(list, w.best[p.ID], w.firing[subject{account: a.account.ID, position: p.ID}])
	}
	for i := range a.orders {
		if o := &a.orders[i]; !w.firing[subject{account: a.account.ID, order: o.ID}] {
			list = o.waits(list)
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
func (w *watch) again() {
	time.AfterFunc(sweepEvery, func() {
		select {
		case w.stale <- struct{}{}:
		default:
		}
	})
}

// recent are the last quotes of a product.
func (w *watch) recent(productID int) []market.Quote {
	if b := w.book(productID); b != nil {
		return b.quotes()
	}
	return nil
}

// collect adds what a quote sets off in one account.
func (w *watch) collect(tasks []task, f portfolio, q market.Quote) []task {
	for _, p := range f.positions {
		from := w.best[p.ID].quote
		if rule, _ := fires(p, q, from); rule != "" {
			tasks = w.claim(tasks, task{subject{account: f.account.ID, position: p.ID}, q, from})
		}
	}
	for _, o := range f.orders {
		if o.triggers(q) {
			tasks = w.claim(tasks, task{subject: subject{account: f.account.ID, order: o.ID}, quote: q})
		}
	}
	return tasks
}

// claim adds a task unless its subject is being worked on.
func (w *watch) claim(tasks []task, t task) []task {
	if w.firing[t.subject] {
		return tasks
	}
	w.firing[t.subject] = true
	return append(tasks, t)
}

// done frees a task's subject and answers with what the last quotes set off in its account meanwhile: an order that was armed, for example, may
// have been passed by the quotes that came while it was busy.
func (w *watch) done(t task) (tasks []task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.firing, t.subject)
	a := w.accounts[t.account]
	if a == nil {
		return nil
	}
	w.arm(a)
	return w.missed(a, []int{t.quote.ProductID})
}

// drop frees a task's subject: what it was refused for now is tried again at the next quote.
func (w *watch) drop(t task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.firing, t.subject)
	if a := w.accounts[t.account]; a != nil {
		w.arm(a)
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
		if a.stood().before(b.stood()) {
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
