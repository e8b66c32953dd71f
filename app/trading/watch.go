package trading

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// watch remembers every account that something may happen to: those with open positions, and those that somebody looks at.
// It only hints: the transaction that acts reads the truth again under locks.
type watch struct {
	mu        sync.Mutex
	accounts  map[int64]portfolio
	byProduct map[int]map[int64]bool // product to accounts
	firing    map[subject]bool       // what a worker is busy with or will be
	best      map[int64]best         // of positions with a trailing stop
	term      int64                  // of the market's leader; what a former one told may not be on the tape
	recent    map[int][]market.Quote // the last quotes of each product that might trigger something, oldest first
	dirty     map[int]bool           // products with a new quote since the last sweep
	observers map[int64]int
	changed   map[int64]bool // observed accounts that changed since the last sweep
	stale     chan struct{}  // one token: a new leader tells the market's quotes, and trailing stops must be found anew
}

func newWatch() *watch {
	return &watch{
		accounts: map[int64]portfolio{}, byProduct: map[int]map[int64]bool{}, firing: map[subject]bool{}, best: map[int64]best{}, recent: map[int][]market.Quote{},
		dirty: map[int]bool{}, observers: map[int64]int{}, changed: map[int64]bool{}, stale: make(chan struct{}, 1),
	}
}

// recentQuotes is how many quotes of a product are kept for accounts that change while they come.
const recentQuotes = 64

// put remembers an account's state unless a newer one is known. It answers with what the last quotes set off in it: those that came after the
// account was read and before it was remembered would be missed otherwise.
func (w *watch) put(f portfolio) (tasks []task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := f.account.ID
	known, ok := w.accounts[id]
	if ok && known.account.Version > f.account.Version {
		return nil
	}
	for _, accounts := range w.byProduct {
		delete(accounts, id)
	}
	delete(w.accounts, id)
	for _, p := range known.positions {
		if now, open := f.find(p.ID); !open || now.Trail == nil || now.TrailSince != w.best[p.ID].since {
			delete(w.best, p.ID)
		}
	}
	if len(f.positions) > 0 || len(f.orders) > 0 || w.observers[id] > 0 {
		w.accounts[id] = f
		w.changed[id] = true
	}
	touched := map[int]bool{}
	for _, p := range f.positions {
		touched[p.ProductID] = true
	}
	for _, o := range f.orders {
		touched[o.ProductID] = true
	}
	for product := range touched {
		if w.byProduct[product] == nil {
			w.byProduct[product] = map[int64]bool{}
		}
		w.byProduct[product][id] = true
		for _, q := range w.recent[product] {
			tasks = w.collect(tasks, f, q)
			w.followBest(f, q)
		}
	}
	return tasks
}

// subject is what a task is about, one of the three: a position, a resting order, or the account itself.
type subject struct{ account, position, order int64 }

// task is something that a price, or the clock, has triggered.
type task struct {
	subject
	quote market.Quote // the zero quote where the clock or the account's level did it
	best  market.Quote // from which a trailing stop was measured
}

// stir notes that a product has a new price.
func (w *watch) stir(productID int) {
	w.mu.Lock()
	w.dirty[productID] = true
	w.mu.Unlock()
}

// triggered lists what a quote sets off, and marks it as being worked on.
func (w *watch) triggered(q market.Quote) (tasks []task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(q.Term)
	w.recent[q.ProductID] = append(w.recent[q.ProductID], q)
	if kept := w.recent[q.ProductID]; len(kept) > recentQuotes {
		w.recent[q.ProductID] = kept[1:]
	}
	for id := range w.byProduct[q.ProductID] {
		tasks = w.collect(tasks, w.accounts[id], q)
		w.followBest(w.accounts[id], q)
	}
	return tasks
}

// seen notes a quote that triggers nothing, because its market is closed: a trailing stop follows it all the same.
func (w *watch) seen(q market.Quote) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(q.Term)
	for id := range w.byProduct[q.ProductID] {
		w.followBest(w.accounts[id], q)
	}
}

// begin forgets what a former leader of the market told, when a new one tells its first quote: it may be on no tape. The caller holds the lock.
func (w *watch) begin(term int64) {
	if term <= w.term {
		return
	}
	if w.term > 0 {
		clear(w.recent)
		clear(w.best)
		select {
		case w.stale <- struct{}{}:
		default:
		}
	}
	w.term = term
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

// recentOf are the last quotes of a product.
func (w *watch) recentOf(productID int) []market.Quote {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.recent[productID])
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

// overdue lists what the clock does: resting orders whose time is up, and accounts with a rollover to settle.
func (w *watch) overdue(now time.Time, last market.Rollover) (tasks []task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, f := range w.accounts {
		for _, o := range f.orders {
			if o.over(now) {
				tasks = w.claim(tasks, task{subject: subject{account: id, order: o.ID}})
			}
		}
		if f.due(last) {
			tasks = w.claim(tasks, task{subject: subject{account: id}})
		}
	}
	return tasks
}

// fires tells which protection of a position a quote sets off, and its price. A stop loss wins over a trailing stop, and that over a take profit.
func fires(p Position, q, best market.Quote) (Rule, *int64) {
	if p.ProductID != q.ProductID {
		return "", nil
	}
	price, later := closingPrice(p.Side, q), q.Seq > p.SinceSeq
	level, trailed := trailFired(p, q, best)
	switch {
	case later && p.StopLoss != nil && reached(p.Side, price, *p.StopLoss):
		return StopLossRule, p.StopLoss
	case trailed:
		return TrailingRule, &level
	case later && p.TakeProfit != nil && reached(p.Side.Opposite(), price, *p.TakeProfit):
		return TakeProfitRule, p.TakeProfit
	}
	return "", nil
}

// done frees a task's subject and answers with what the last quotes set off in its account meanwhile: an order that was armed, for example, may
// have been passed by the quotes that came while it was busy.
func (w *watch) done(t task) (tasks []task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.firing, t.subject)
	f := w.accounts[t.account]
	for _, q := range w.recent[t.quote.ProductID] {
		tasks = w.collect(tasks, f, q)
	}
	return tasks
}

// drop frees a task's subject: what it was refused for now is tried again at the next quote.
func (w *watch) drop(t task) {
	w.mu.Lock()
	delete(w.firing, t.subject)
	w.mu.Unlock()
}

// stirred takes the accounts whose worth may have changed since the last sweep; observed tells who is looked at.
func (w *watch) stirred() (portfolios []portfolio, observed map[int64]bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ids := maps.Clone(w.changed)
	for product := range w.dirty {
		maps.Copy(ids, w.byProduct[product])
	}
	clear(w.changed)
	clear(w.dirty)
	observed = map[int64]bool{}
	for id := range ids {
		if f, ok := w.accounts[id]; ok {
			portfolios = append(portfolios, f)
			observed[id] = w.observers[id] > 0
		}
	}
	return portfolios, observed
}

// sweepEvery is how often accounts are valued while prices move.
const sweepEvery = 200 * time.Millisecond

// Observer hears the valuations of the accounts that it observes.
type Observer interface {
	// Valued is called for an observed account when its worth may have changed.
	Valued(v Valuation)
}

// Observe asks for an account's valuations until stop is called.
func (s *Service) Observe(ctx context.Context, accountID int64) (stop func(), err error) {
	s.watch.mu.Lock()
	s.watch.observers[accountID]++
	s.watch.mu.Unlock()
	stop = sync.OnceFunc(func() {
		s.watch.mu.Lock()
		defer s.watch.mu.Unlock()
		if s.watch.observers[accountID]--; s.watch.observers[accountID] > 0 {
			return
		}
		delete(s.watch.observers, accountID)
		if f := s.watch.accounts[accountID]; len(f.positions)+len(f.orders) == 0 {
			delete(s.watch.accounts, accountID)
		}
	})
	if err := s.reload(ctx, accountID); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

func (s *Service) reload(ctx context.Context, accountID int64) error {
	f, err := s.read(ctx, accountID)
	if err != nil {
		return err
	}
	found, err := s.bests(ctx, s.db.Pool, f)
	if err != nil {
		return err
	}
	s.watch.learn(found)
	s.tasks.push(s.watch.put(f)...)
	return nil
}

// read takes an account and its positions in one snapshot, without locks.
func (s *Service) read(ctx context.Context, accountID int64) (f portfolio, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`); err != nil {
			return err
		}
		account, err := ledger.Load(ctx, tx.Conn, accountID)
		if err != nil {
			return err
		}
		f, err = holdings(ctx, tx.Conn, account)
		return err
	})
	return f, err
}

// Value is an account at the newest quotes.
func (s *Service) Value(ctx context.Context, accountID int64) (Valuation, error) {
	f, err := s.read(ctx, accountID)
	if err != nil {
		return Valuation{}, err
	}
	v, err := s.value(f, nil)
	return v, tooLarge(err)
}

// value is an account at the newest quotes, and where its trailing stops stand; some may just have begun.
func (s *Service) value(f portfolio, begun map[int64]best) (Valuation, error) {
	v, err := f.value(s.market, s.convert)
	s.watch.stand(v.Positions, begun)
	return v, err
}

// OnQuote hands a quote to the engine; the market calls it in order. Outside a session a price is seen, but triggers nothing.
func (s *Service) OnQuote(q market.Quote) {
	s.watch.stir(q.ProductID)
	if _, err := s.market.Tradable(q.ProductID); err != nil {
		s.watch.seen(q)
		return
	}
	s.tasks.push(s.watch.triggered(q)...)
}

// Load fills the watch from the database; the market has been loaded before.
func (s *Service) Load(ctx context.Context) error {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT account_id FROM positions WHERE state = 'open' UNION SELECT account_id FROM orders WHERE status IN ('untriggered', 'working') ORDER BY 1`)
	if err != nil {
		return err
	}
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		ids = append(ids, id)
	}
	for _, id := range ids {
		if err := s.reload(ctx, id); err != nil {
			return err
		}
	}
	return rows.Err()
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
// What the engine itself refuses, such as an account that can't be valued, would be refused again: the next quote triggers it anew.
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
		refused := errs.As(err) != nil
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

// sweep values the accounts that moved: it stops out, warns, and tells who looks.
func (s *Service) sweep(o Observer) {
	now := s.market.Now()
	s.tasks.push(s.watch.overdue(now, market.LastRollover(now))...)
	portfolios, observed := s.watch.stirred()
	for _, f := range portfolios {
		v, err := s.value(f, nil)
		if err != nil {
			slog.Error("an account can't be valued", "account", f.account.ID, "error", err)
			continue
		}
		if v.atOrBelow(stopOutPercent) || v.warns(f.call) || v.recovered(f.call) {
			s.tend(f.account.ID)
		}
		if observed[f.account.ID] {
			o.Valued(v)
		}
	}
}

// tend has a worker look after an account: settle its rollovers, warn its trader, and stop it out if it must be.
func (s *Service) tend(accountID int64) {
	s.watch.mu.Lock()
	tasks := s.watch.claim(nil, task{subject: subject{account: accountID}})
	s.watch.mu.Unlock()
	s.tasks.push(tasks...)
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
