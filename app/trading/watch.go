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
	firing    map[int64]bool         // positions and (negated) accounts that a worker is busy with
	called    map[int64]bool         // accounts that were warned and have not recovered
	dirty     map[int]bool           // products with a new quote since the last sweep
	observers map[int64]int
	changed   map[int64]bool // observed accounts that changed since the last sweep
}

func newWatch() *watch {
	return &watch{
		accounts: map[int64]portfolio{}, byProduct: map[int]map[int64]bool{}, firing: map[int64]bool{}, called: map[int64]bool{},
		dirty: map[int]bool{}, observers: map[int64]int{}, changed: map[int64]bool{},
	}
}

// put remembers an account's state unless a newer one is known.
func (w *watch) put(f portfolio) {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := f.account.ID
	if known, ok := w.accounts[id]; ok && known.account.Version > f.account.Version {
		return
	}
	for _, accounts := range w.byProduct {
		delete(accounts, id)
	}
	delete(w.accounts, id)
	if len(f.positions) == 0 {
		delete(w.called, id)
	}
	if len(f.positions) > 0 || w.observers[id] > 0 {
		w.accounts[id] = f
		w.changed[id] = true
	}
	for _, p := range f.positions {
		if w.byProduct[p.ProductID] == nil {
			w.byProduct[p.ProductID] = map[int64]bool{}
		}
		w.byProduct[p.ProductID][id] = true
	}
}

// task is something that a price has triggered.
type task struct {
	accountID int64
	position  int64 // 0 is the stop-out of the account
	rule      Rule
	quote     market.Quote
}

func (t task) key() int64 {
	if t.position == 0 {
		return -t.accountID
	}
	return t.position
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
	for id := range w.byProduct[q.ProductID] {
		for _, p := range w.accounts[id].positions {
			rule, _ := fires(p, q)
			if rule == "" || w.firing[p.ID] {
				continue
			}
			w.firing[p.ID] = true
			tasks = append(tasks, task{id, p.ID, rule, q})
		}
	}
	return tasks
}

// fires tells which protection of a position a quote sets off, and its price. A stop loss wins over a take profit.
func fires(p Position, q market.Quote) (Rule, *int64) {
	if p.ProductID != q.ProductID {
		return "", nil
	}
	price := closingPrice(p.Side, q)
	long := p.Side == Buy
	switch {
	case p.StopLoss != nil && ((long && price <= *p.StopLoss) || (!long && price >= *p.StopLoss)):
		return StopLossRule, p.StopLoss
	case p.TakeProfit != nil && ((long && price >= *p.TakeProfit) || (!long && price <= *p.TakeProfit)):
		return TakeProfitRule, p.TakeProfit
	}
	return "", nil
}

func (w *watch) done(t task) {
	w.mu.Lock()
	delete(w.firing, t.key())
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
	// MarginCall is called once when an account's level falls to the warning level.
	MarginCall(v Valuation)
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
		if len(s.watch.accounts[accountID].positions) == 0 {
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
	if err == nil {
		s.watch.put(f)
	}
	return err
}

// read takes an account and its positions in one snapshot, without locks.
func (s *Service) read(ctx context.Context, accountID int64) (f portfolio, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`); err != nil {
			return err
		}
		if f.account, err = ledger.Load(ctx, tx.Conn, accountID); err != nil {
			return err
		}
		f.positions, err = openPositions(ctx, tx.Conn, accountID)
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
	v, err := f.value(s.market, s.convert)
	return v, tooLarge(err)
}

// OnQuote hands a quote to the engine; the market calls it in order. Outside a session a price is seen, but triggers nothing.
func (s *Service) OnQuote(q market.Quote) {
	s.watch.stir(q.ProductID)
	if _, err := s.market.Tradable(q.ProductID); err != nil {
		return
	}
	for _, t := range s.watch.triggered(q) {
		s.tasks <- t
	}
}

// Load fills the watch from the database; the market has been loaded before.
func (s *Service) Load(ctx context.Context) error {
	rows, err := s.db.Pool.Query(ctx, `SELECT DISTINCT account_id FROM positions WHERE state = 'open' ORDER BY 1`)
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
		if id, _, err := ReadChanged(subject, data); err == nil {
			_ = s.reload(ctx, id)
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
			s.sweep(ctx, o)
		case <-ctx.Done():
			group.Wait()
			return nil
		}
	}
}

func (s *Service) work(ctx context.Context) {
	for {
		select {
		case t := <-s.tasks:
			s.perform(ctx, t)
		case <-ctx.Done():
			return
		}
	}
}

// perform acts on a task until it is done: a database that is away delays it, and the quote that triggered it stays the one it fills at.
// What the engine itself refuses, such as an account that can't be valued, would be refused again: the next quote triggers it anew.
func (s *Service) perform(ctx context.Context, t task) {
	defer s.watch.done(t)
	for pause := 50 * time.Millisecond; ctx.Err() == nil; pause = min(2*pause, 2*time.Second) {
		err := s.act(ctx, t)
		if err == nil {
			return
		}
		refused := errs.As(err) != nil
		slog.Error("a triggered close waits", "account", t.accountID, "position", t.position, "rule", string(t.rule), "refused", refused, "error", err)
		if refused {
			return
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

// sweep values the accounts that moved: it stops out, warns, and tells who looks.
func (s *Service) sweep(ctx context.Context, o Observer) {
	portfolios, observed := s.watch.stirred()
	for _, f := range portfolios {
		v, err := f.value(s.market, s.convert)
		if err != nil {
			slog.Error("an account can't be valued", "account", f.account.ID, "error", err)
			continue
		}
		if atOrBelow(v.Equity, v.Used, stopOutPercent) {
			s.startStopOut(ctx, f.account.ID)
		}
		if s.watch.warns(v) {
			o.MarginCall(v)
		}
		if observed[f.account.ID] {
			o.Valued(v)
		}
	}
}

func (s *Service) startStopOut(ctx context.Context, accountID int64) {
	t := task{accountID: accountID, rule: StopOutRule}
	s.watch.mu.Lock()
	busy := s.watch.firing[t.key()]
	s.watch.firing[t.key()] = true
	s.watch.mu.Unlock()
	if busy {
		return
	}
	select {
	case s.tasks <- t:
	case <-ctx.Done():
	}
}

// warns tells whether the account's level has newly fallen to the warning; it must recover by some points before the next one.
func (w *watch) warns(v Valuation) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := v.Account.ID
	if !atOrBelow(v.Equity, v.Used, marginCallPercent+marginCallRecovery) {
		delete(w.called, id)
		return false
	}
	if w.called[id] || !atOrBelow(v.Equity, v.Used, marginCallPercent) {
		return false
	}
	w.called[id] = true
	return true
}

// act closes what a task is about, if it still holds under the lock.
func (s *Service) act(ctx context.Context, t task) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		f, err := s.lock(ctx, tx, t.accountID)
		if err != nil {
			return err
		}
		if t.position == 0 {
			return s.stopOut(ctx, tx, f)
		}
		position, open := f.find(t.position)
		rule, limit := fires(position, t.quote)
		if !open || rule == "" {
			return nil
		}
		out, err := s.close(ctx, tx, f, closing{position: position, lots: position.Lots, rule: rule, limit: limit, quote: t.quote, source: sourceSystem})
		if err == nil {
			s.announce(tx, out)
		}
		return err
	})
	return tooLarge(err)
}

// stopOut closes positions one at a time, the largest loss first, until the level is above the limit or nothing can be closed.
func (s *Service) stopOut(ctx context.Context, tx *db.Tx, f portfolio) error {
	for {
		v, err := f.value(s.market, s.convert)
		if err != nil {
			return err
		}
		if !atOrBelow(v.Equity, v.Used, stopOutPercent) {
			return nil
		}
		victim, quote, ok := s.worst(v)
		if !ok {
			return nil
		}
		out, err := s.close(ctx, tx, f, closing{position: victim, lots: victim.Lots, rule: StopOutRule, quote: quote, source: sourceSystem, before: &v})
		if err != nil {
			return err
		}
		s.announce(tx, out)
		f = out.portfolio
	}
}

// worst is the position that a stop-out closes next: the largest floating loss, then the larger volume, then the older one. Positions whose
// market is closed or whose price is not confirmed are passed over.
func (s *Service) worst(v Valuation) (Position, market.Quote, bool) {
	order := slices.Clone(v.Positions)
	slices.SortStableFunc(order, func(a, b Valued) int {
		switch {
		case a.Profit != b.Profit:
			return sign(a.Profit - b.Profit)
		case a.Lots != b.Lots:
			return sign(b.Lots - a.Lots)
		}
		return sign(a.ID - b.ID)
	})
	for _, p := range order {
		if q, err := s.market.Tradable(p.ProductID); err == nil {
			return p.Position, q, true
		}
	}
	return Position{}, market.Quote{}, false
}

func sign(v int64) int {
	switch {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}
