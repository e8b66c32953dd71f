package trading

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/trading/sums"
	"candor/app/trading/tradingtest"
)

// roamed are the products of the triggers test: pairs that convert themselves and others, crosses in pounds and yen, gold, and a stock whose first
// price comes late.
var roamed = map[int]int64{eurusd: 110_000, 2: 125_000, usdjpy: 150_000, eurgbp: 88_000, 9: 165_000, xauusd: 200_000, aapl: 20_000}

// roaming is a market in memory whose prices roam; a product may be shut, then its quotes are seen and not confirmed.
type roaming struct {
	*tradingtest.Exchange
	confirmed map[int]market.Quote
	shut      map[int]bool
}

func (r *roaming) Products() (out []market.Product) {
	for _, id := range roamedIDs {
		out = append(out, r.Catalogue[id])
	}
	return out
}

func (r *roaming) Confirmed(id int) (market.Quote, bool) { q, ok := r.confirmed[id]; return q, ok }

func (r *roaming) Tradable(id int) (market.Quote, error) {
	if r.shut[id] {
		return r.Quotes[id], market.ErrHalted
	}
	return r.Quotes[id], nil
}

var roamedIDs = func() (ids []int) {
	for id := range roamed {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}()

// world is accounts that the books and a full scan watch side by side.
type world struct {
	t *testing.T
	*rand.Rand
	x       *roaming
	rules   *Rules
	monitor *triggerMonitor
	scan    *scan
	truth   map[int64]portfolio
	late    []portfolio // read, and not yet remembered
	pending []task
	idle    map[int64]bool // accounts that were tended, perhaps in vain
	moved   map[int64]bool // accounts whose worth may have changed since the last sweep
	ids     int64
	tick    int
	fired   int
	tended  int
	valued  recorder
}

const roamers = 24

func newWorld(t *testing.T, seed uint64) *world {
	x := &roaming{tradingtest.NewExchange(), map[int]market.Quote{}, map[int]bool{}}
	rules := NewRules(x, clock.NewFixed(tuesday))
	w := &world{
		t: t, Rand: rand.New(rand.NewPCG(seed, 1)), x: x, rules: rules, monitor: newTriggerMonitor(x, rules), scan: newScan(), truth: map[int64]portfolio{}, idle: map[int64]bool{}, moved: map[int64]bool{},
	}
	for _, id := range roamedIDs {
		if id != aapl {
			w.quote(id, roamed[id])
		}
	}
	for id := range int64(roamers) {
		w.truth[id+1] = portfolio{account: ledger.Account{ID: id + 1, Cash: 1_000 * unit}}
		if w.IntN(8) == 0 {
			w.monitor.observers[id+1], w.scan.observed[id+1] = 1, true
		}
	}
	return w
}

func (w *world) name() string { return fmt.Sprint("tick ", w.tick) }

// same wants both to have set off the same, and queues it.
func (w *world) same(books, scan []task) {
	if len(books) == 0 && len(scan) == 0 {
		return
	}
	order := func(a, b task) int {
		return cmp.Or(cmp.Compare(a.account, b.account), cmp.Compare(a.order, b.order), cmp.Compare(a.position, b.position))
	}
	slices.SortFunc(books, order)
	slices.SortFunc(scan, order)
	require.Equal(w.t, scan, books, w.name())
	w.fired += len(books)
	w.pending = append(w.pending, books...)
}

func (w *world) quote(id int, bid int64) {
	q := market.Quote{ProductID: id, Seq: w.x.Quotes[id].Seq + 1, Bid: bid, Ask: bid + 1 + w.Int64N(12), AtMS: w.x.At.UnixMilli()}
	if w.IntN(3) == 0 {
		q.Ask = max(q.Bid, w.x.Quotes[id].Ask)
	}
	w.x.Quotes[id] = q
	if !w.x.shut[id] {
		w.x.confirmed[id] = q
	}
	for account, f := range w.scan.accounts {
		if slices.Contains(w.monitor.exposed(f), id) {
			w.moved[account] = true
		}
	}
	if w.x.shut[id] {
		w.scan.seen(q)
	}
	w.monitor.OnQuote(q)
	books := w.monitor.tasks.tasks
	w.monitor.tasks.tasks = nil
	if !w.x.shut[id] {
		w.same(books, w.scan.triggered(q))
	}
}

// put has both remember an account as it is now, or a little later.
func (w *world) put(f portfolio) {
	f.account.Version++
	f.positions, f.orders = slices.Clone(f.positions), slices.Clone(f.orders)
	w.truth[f.account.ID] = f
	if w.IntN(6) == 0 {
		w.late = append(w.late, f)
		return
	}
	w.remember(f)
}

func (w *world) remember(f portfolio) {
	if f.account.Version >= w.scan.accounts[f.account.ID].account.Version {
		w.moved[f.account.ID] = true
	}
	w.same(w.monitor.put(f), w.scan.put(f))
}

// step is one quote, and what else happens around it.
func (w *world) step() {
	w.tick++
	w.x.At = w.x.At.Add(5 * time.Second)
	id := roamedIDs[w.IntN(len(roamedIDs))]
	q, known := w.x.Quotes[id]
	if !known && w.tick < 300 {
		return
	}
	bid := q.Bid + w.Int64N(61) - 30
	switch {
	case !known:
		bid = roamed[id]
	case w.IntN(60) == 0:
		bid = q.Bid + (w.Int64N(61)-30)*roamed[id]/2_000
	}
	if w.IntN(400) == 0 {
		w.x.shut[id] = !w.x.shut[id]
	} else if w.IntN(50) == 0 {
		w.x.shut[id] = false
	}
	w.quote(id, min(max(bid, roamed[id]/2), 2*roamed[id]))
	if w.IntN(3) == 0 {
		w.command()
	}
	for i := len(w.pending); i > 0 && w.IntN(3) > 0; i-- {
		w.perform()
	}
	if len(w.late) > 0 && w.IntN(5) == 0 {
		f := w.late[0]
		w.late = w.late[1:]
		w.remember(f)
	}
	if w.IntN(6) == 0 {
		w.sweep()
	}
	if w.IntN(2_000) == 0 {
		w.reword()
		w.sweep()
	}
}

// reword gives a product other terms.
func (w *world) reword() {
	id := roamedIDs[w.IntN(len(roamedIDs))]
	was := w.x.Catalogue[id]
	p := was
	p.HedgedRatioBps, p.Tiers = w.IntN(3)*5_000, []string{"", "1:100,2:20", "1:50,3:10"}[w.IntN(3)]
	w.x.Catalogue[id] = p
	for account, f := range w.scan.accounts {
		if p != was && slices.ContainsFunc(f.positions, func(p Position) bool { return p.ProductID == id }) {
			w.moved[account] = true
		}
	}
}

// sweep wants both to tend the same accounts and to end the same orders. One that could not be tended is tried again when a price has moved.
func (w *world) sweep() {
	w.monitor.Sweep(&w.valued)
	books := w.monitor.tasks.tasks
	w.monitor.tasks.tasks = nil
	last := market.LastRollover(w.x.At)
	scanned := slices.DeleteFunc(w.scan.sweep(w.rules, w.x.At), func(t task) bool {
		if t.order != 0 {
			return false
		}
		w.idle[t.account] = w.idle[t.account] && !w.moved[t.account] && !w.scan.accounts[t.account].due(last)
		if w.idle[t.account] {
			delete(w.scan.firing, t.subject)
		}
		return w.idle[t.account]
	})
	clear(w.moved)
	w.same(books, scanned)
}

// perform does what the oldest task is about, as a worker would: it acts, or finds nothing to do, or is refused.
func (w *world) perform() {
	t := w.pending[0]
	w.pending = w.pending[1:]
	f := w.truth[t.account]
	if w.IntN(12) == 0 {
		w.monitor.Drop(t)
		delete(w.scan.firing, t.subject)
		if t.subject == (subject{account: t.account}) {
			w.idle[t.account] = true
		}
		return
	}
	tended := t.subject == (subject{account: t.account})
	w.idle[t.account] = w.idle[t.account] || tended
	if after, acted := w.act(f, t); acted {
		w.put(after)
	} else if !tended {
		w.remember(f)
	}
	w.same(w.monitor.done(t), w.scan.done(t))
}

func (w *world) act(f portfolio, t task) (portfolio, bool) {
	position, open := f.find(t.position)
	rule, _ := fires(position, t.quote, t.best)
	o, resting := f.findOrder(t.order)
	switch {
	case t.subject == (subject{account: t.account}):
		return w.tend(f)
	case open && rule != "":
		return w.closed(f, position), true
	case resting && t.quote.Seq != 0 && o.triggers(t.quote):
		if o.Type == StopLimitOrder && o.Status == Untriggered {
			o.Status, o.SinceSeq = Working, t.quote.Seq
			return f.withOrder(o), true
		}
		return w.opened(f.withoutOrder(o.ID), o.ProductID, o.Side), true
	case resting && t.quote.Seq == 0 && o.over(w.x.At):
		return f.withoutOrder(o.ID), true
	}
	return f, false
}

// tend settles, warns and stops out; sometimes a stop-out finds nothing that it may close.
func (w *world) tend(f portfolio) (_ portfolio, acted bool) {
	if last := market.LastRollover(w.x.At); f.due(last) {
		f.positions = slices.Clone(f.positions)
		for i := range f.positions {
			f.positions[i].RolledDay = last.Day
		}
		acted = true
	}
	v, err := w.rules.Value(f)
	require.NoError(w.t, err, "an account that can't be valued is not tended")
	switch {
	case v.warns(f.call):
		f.call, acted = &MarginCall{}, true
	case v.recovered(f.call):
		f.call, acted = nil, true
	}
	for v.atOrBelow(stopOutPercent) && w.IntN(3) > 0 {
		worst := slices.MinFunc(v.Positions, func(a, b Valued) int { return cmp.Compare(a.Profit, b.Profit) })
		f, acted = w.closed(f, worst.Position), true
		w.tended++
		if v, err = w.rules.Value(f); err != nil {
			break
		}
	}
	return f, acted
}

func (w *world) closed(f portfolio, p Position) portfolio {
	if v, err := w.rules.Value(portfolio{positions: []Position{p}}); err == nil {
		f.account.Cash += v.Floating
	}
	p.State = stateClosed
	return f.with(p)
}

// opened is a portfolio with another position, that may have protection.
func (w *world) opened(f portfolio, id int, side Side) portfolio {
	p, q := w.x.Catalogue[id], w.x.Quotes[id]
	price, lots := openingPrice(side, q), (1+w.Int64N(30))*cent
	rate, err := w.rules.MarginRate(p, q, price)
	if err != nil {
		return f
	}
	margin, err := sums.Margin(p, lots, price, 100, rate.Rate)
	require.NoError(w.t, err)
	w.ids++
	return f.with(w.protected(Position{
		ID: w.ids, AccountID: f.account.ID, ProductID: id, Side: side, Lots: lots, OpenPrice: price, OpenValue: lots * price, Leverage: 100, Margin: margin, State: stateOpen,
		RolledDay: market.LastRollover(w.x.At).Day,
	}))
}

// protected is a position with what protection chance gives it. Now and then its account has been read with a quote that has not been told yet.
func (w *world) protected(p Position) Position {
	q, sign := w.x.Quotes[p.ProductID], int64(1)
	if p.Side == Sell {
		sign = -1
	}
	price, far := closingPrice(p.Side, q), func() *int64 { d := 1 + w.Int64N(200); return &d }
	p.StopLoss, p.TakeProfit, p.SinceSeq = nil, nil, q.Seq+max(0, w.Int64N(12)-9)
	if w.IntN(2) == 0 {
		p.StopLoss = ptr(price - sign**far())
	}
	if w.IntN(2) == 0 {
		p.TakeProfit = ptr(price + sign**far())
	}
	switch w.IntN(4) {
	case 0:
		p.Trail, p.TrailSince = far(), q.Seq
		begun := map[int64]trailingExtreme{p.ID: {side: p.Side, since: q.Seq, quote: q, last: q.Seq}}
		w.monitor.Learn(begun)
		w.scan.learn(p.ID, begun[p.ID])
	case 1:
		p.Trail, p.TrailSince = nil, 0
	}
	return p
}

// command changes an account as its trader might.
func (w *world) command() {
	f := w.truth[1+w.Int64N(roamers)]
	id := roamedIDs[w.IntN(len(roamedIDs))]
	if w.x.Quotes[id].Seq == 0 {
		return
	}
	side := []Side{Buy, Sell}[w.IntN(2)]
	switch n := w.IntN(10); {
	case n < 3 && len(f.positions) < 6:
		f = w.opened(f, id, side)
	case n < 6 && len(f.orders) < 6:
		f = f.withOrder(w.order(f.account.ID, id, side))
	case n == 6 && len(f.orders) > 0:
		f = f.withoutOrder(f.orders[w.IntN(len(f.orders))].ID)
	case n == 7 && len(f.positions) > 0:
		f = w.closed(f, f.positions[w.IntN(len(f.positions))])
	case n == 8 && len(f.positions) > 0:
		f = f.with(w.protected(f.positions[w.IntN(len(f.positions))]))
	default:
		f.account.Cash = w.cash(f)
	}
	w.put(f)
}

// cash is what takes an account to a margin level between 45 and 165 percent.
func (w *world) cash(f portfolio) int64 {
	v, err := w.rules.Value(f)
	if err != nil {
		return f.account.Cash
	}
	return v.Used*(45+w.Int64N(120))/100 - v.Floating
}

func (w *world) order(account int64, id int, side Side) Order {
	w.ids++
	q, limit := w.x.Quotes[id], int64(0)
	kind := []OrderType{LimitOrder, StopOrder, StopLimitOrder}[w.IntN(3)]
	distance := 1 + w.Int64N(150)
	if (side == Buy) == (kind == LimitOrder) {
		distance = -distance
	}
	o := Order{
		ID: w.ids, AccountID: account, ProductID: id, Type: kind, Side: side, Lots: cent, Price: ptr(openingPrice(side, q) + distance), Status: kind.first(),
		SinceSeq: q.Seq + max(0, w.Int64N(12)-9),
	}
	if kind == StopLimitOrder {
		limit = *o.Price + w.Int64N(101) - 50
		o.LimitPrice = &limit
	}
	if w.IntN(4) == 0 {
		o.ExpiresAt = ptr(w.x.At.Add(time.Duration(w.IntN(3_000)) * time.Second))
	}
	return o
}

// TestBooksSayWhatAFullScanSays lets prices roam and jump over accounts of every kind. After each quote what the books set off is what a full scan of all
// accounts would have, and at each sweep the same accounts are warned, have recovered or are stopped out. CANDOR_TRIGGER_TICKS says how many quotes.
func TestBooksSayWhatAFullScanSays(t *testing.T) {
	t.Parallel()
	ticks, err := strconv.Atoi(cmp.Or(os.Getenv("CANDOR_TRIGGER_TICKS"), "100000"))
	require.NoError(t, err)
	const life = 10_000
	fired, stopped := 0, 0
	for seed := range max(1, ticks/life) {
		w := newWorld(t, uint64(seed)) //nolint:gosec // a count
		for range life {
			w.step()
		}
		fired, stopped = fired+w.fired, stopped+w.tended
	}
	require.Greater(t, fired, ticks/10, "things happen")
	require.Greater(t, stopped, ticks/1_000, "and positions are stopped out")
	t.Logf("%d quotes, %d tasks, %d stopped out", ticks, fired, stopped)
}
