package trigger

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
	"candor/app/platform/money"
	"candor/app/trading"
	"candor/app/trading/sums"
	"candor/app/trading/tradingtest"
)

// roamed are the products of the triggers test and their first bids: pairs that convert themselves and others, crosses in pounds and yen, gold, and a stock
// whose first price comes late.
var roamed = map[int]int64{tradingtest.EURUSD: 110_000, 2: 125_000, tradingtest.USDJPY: 150_000, tradingtest.EURGBP: 88_000, 9: 165_000, tradingtest.XAUUSD: 200_000, tradingtest.AAPL: 20_000}

// roaming is a market in memory with random prices. The quotes of a product that is shut are seen but not confirmed.
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

// world runs the books and a full scan side by side on the same accounts.
type world struct {
	t *testing.T
	*rand.Rand
	x       *roaming
	rules   *trading.Rules
	monitor *Monitor
	scan    *scan
	truth   map[int64]trading.Portfolio
	late    []trading.Portfolio // read, and not yet remembered
	pending []Task
	idle    map[int64]bool // accounts that were checked, perhaps without effect
	moved   map[int64]bool // accounts whose equity may have changed since the last sweep
	ids     int64
	tick    int
	fired   int
	tended  int
	valued  counter
}

// counter counts the valuations that an observer receives.
type counter int

func (c *counter) Valued(trading.Valuation) { *c++ }

const roamers = 24

func newWorld(t *testing.T, seed uint64) *world {
	x := &roaming{tradingtest.NewExchange(), map[int]market.Quote{}, map[int]bool{}}
	rules := trading.NewRules(x, clock.NewFixed(tradingtest.Tuesday))
	w := &world{
		t: t, Rand: rand.New(rand.NewPCG(seed, 1)), x: x, rules: rules, monitor: New(x, rules), scan: newScan(), truth: map[int64]trading.Portfolio{}, idle: map[int64]bool{}, moved: map[int64]bool{},
	}
	for _, id := range roamedIDs {
		if id != tradingtest.AAPL {
			w.quote(id, roamed[id])
		}
	}
	for id := range int64(roamers) {
		w.truth[id+1] = trading.Portfolio{Account: ledger.Account{ID: id + 1, Cash: 1_000 * money.Unit}}
		if w.IntN(8) == 0 {
			w.monitor.observers[id+1], w.scan.observed[id+1] = 1, true
		}
	}
	return w
}

func (w *world) name() string { return fmt.Sprint("tick ", w.tick) }

// same requires the same tasks from both, and queues them.
func (w *world) same(books, scan []Task) {
	if len(books) == 0 && len(scan) == 0 {
		return
	}
	order := func(a, b Task) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Order, b.Order), cmp.Compare(a.Position, b.Position))
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

// put has both remember an account's state, now or a little later.
func (w *world) put(f trading.Portfolio) {
	f.Account.Version++
	f.Positions, f.Orders = slices.Clone(f.Positions), slices.Clone(f.Orders)
	w.truth[f.Account.ID] = f
	if w.IntN(6) == 0 {
		w.late = append(w.late, f)
		return
	}
	w.remember(f)
}

func (w *world) remember(f trading.Portfolio) {
	if f.Account.Version >= w.scan.accounts[f.Account.ID].Account.Version {
		w.moved[f.Account.ID] = true
	}
	w.same(w.monitor.put(f), w.scan.put(f))
}

// step sends one quote, with random events around it.
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

// reword sets other terms of a product.
func (w *world) reword() {
	id := roamedIDs[w.IntN(len(roamedIDs))]
	was := w.x.Catalogue[id]
	p := was
	p.HedgedRatioBps, p.Tiers = w.IntN(3)*5_000, []string{"", "1:100,2:20", "1:50,3:10"}[w.IntN(3)]
	w.x.Catalogue[id] = p
	for account, f := range w.scan.accounts {
		if p != was && slices.ContainsFunc(f.Positions, func(p trading.Position) bool { return p.ProductID == id }) {
			w.moved[account] = true
		}
	}
}

// sweep requires that both check the same accounts and end the same orders. An account whose check had no effect is checked again after a price has moved.
func (w *world) sweep() {
	w.monitor.Sweep(&w.valued)
	books := w.monitor.tasks.tasks
	w.monitor.tasks.tasks = nil
	last := market.LastRollover(w.x.At)
	scanned := slices.DeleteFunc(w.scan.sweep(w.rules, w.x.At), func(t Task) bool {
		if t.Order != 0 {
			return false
		}
		w.idle[t.Account] = w.idle[t.Account] && !w.moved[t.Account] && !w.scan.accounts[t.Account].Due(last)
		if w.idle[t.Account] {
			delete(w.scan.firing, t.Subject)
		}
		return w.idle[t.Account]
	})
	clear(w.moved)
	w.same(books, scanned)
}

// perform works off the oldest task as a worker does: it acts, finds nothing to do, or is refused.
func (w *world) perform() {
	t := w.pending[0]
	w.pending = w.pending[1:]
	f := w.truth[t.Account]
	if w.IntN(12) == 0 {
		w.monitor.Drop(t)
		delete(w.scan.firing, t.Subject)
		if t.Subject == (Subject{Account: t.Account}) {
			w.idle[t.Account] = true
		}
		return
	}
	tended := t.Subject == (Subject{Account: t.Account})
	w.idle[t.Account] = w.idle[t.Account] || tended
	if after, acted := w.act(f, t); acted {
		w.put(after)
	} else if !tended {
		w.remember(f)
	}
	w.same(w.monitor.done(t), w.scan.done(t))
}

func (w *world) act(f trading.Portfolio, t Task) (trading.Portfolio, bool) {
	position, open := f.FindPosition(t.Position)
	rule, _ := trading.Fires(position, t.Quote, t.Best)
	o, resting := f.FindOrder(t.Order)
	switch {
	case t.Subject == (Subject{Account: t.Account}):
		return w.tend(f)
	case open && rule != "":
		return w.closed(f, position), true
	case resting && t.Quote.Seq != 0 && o.Triggers(t.Quote):
		if o.Type == trading.StopLimitOrder && o.Status == trading.Untriggered {
			o.Status, o.SinceSeq = trading.Working, t.Quote.Seq
			return f.WithOrder(o), true
		}
		return w.opened(f.WithoutOrder(o.ID), o.ProductID, o.Side), true
	case resting && t.Quote.Seq == 0 && o.Overdue(w.x.At):
		return f.WithoutOrder(o.ID), true
	}
	return f, false
}

// tend settles rollovers, opens or ends the margin call and stops out; sometimes a stop-out finds no position that it may close.
func (w *world) tend(f trading.Portfolio) (_ trading.Portfolio, acted bool) {
	if last := market.LastRollover(w.x.At); f.Due(last) {
		f.Positions = slices.Clone(f.Positions)
		for i := range f.Positions {
			f.Positions[i].RolledDay = last.Day
		}
		acted = true
	}
	v, err := w.rules.Value(f)
	require.NoError(w.t, err, "an account that can't be valued is not tended")
	switch {
	case v.NeedsCall(f.Call):
		f.Call, acted = &trading.MarginCall{}, true
	case v.Recovered(f.Call):
		f.Call, acted = nil, true
	}
	for v.AtOrBelow(trading.StopOutPercent) && w.IntN(3) > 0 {
		worst := slices.MinFunc(v.Positions, func(a, b trading.Valued) int { return cmp.Compare(a.Profit, b.Profit) })
		f, acted = w.closed(f, worst.Position), true
		w.tended++
		if v, err = w.rules.Value(f); err != nil {
			break
		}
	}
	return f, acted
}

func (w *world) closed(f trading.Portfolio, p trading.Position) trading.Portfolio {
	if v, err := w.rules.Value(trading.Portfolio{Positions: []trading.Position{p}}); err == nil {
		f.Account.Cash += v.Floating
	}
	p.State = trading.StateClosed
	return f.With(p)
}

// opened is a portfolio with another position, which may have protection.
func (w *world) opened(f trading.Portfolio, id int, side trading.Side) trading.Portfolio {
	p, q := w.x.Catalogue[id], w.x.Quotes[id]
	price, lots := trading.OpeningPrice(side, q), (1+w.Int64N(30))*(money.Unit/100)
	rate, err := w.rules.MarginRate(p, q, price)
	if err != nil {
		return f
	}
	margin, err := sums.Margin(p, lots, price, 100, rate.Rate)
	require.NoError(w.t, err)
	w.ids++
	return f.With(w.protected(trading.Position{
		ID: w.ids, AccountID: f.Account.ID, ProductID: id, Side: side, Lots: lots, OpenPrice: price, OpenValue: lots * price, Leverage: 100, Margin: margin, State: trading.StateOpen,
		RolledDay: market.LastRollover(w.x.At).Day,
	}))
}

// protected is a position with random protection. Sometimes the protection was set at a quote that the monitor hasn't seen yet.
func (w *world) protected(p trading.Position) trading.Position {
	q, sign := w.x.Quotes[p.ProductID], int64(1)
	if p.Side == trading.Sell {
		sign = -1
	}
	price, far := trading.ClosingPrice(p.Side, q), func() *int64 { d := 1 + w.Int64N(200); return &d }
	p.StopLoss, p.TakeProfit, p.SinceSeq = nil, nil, q.Seq+max(0, w.Int64N(12)-9)
	if w.IntN(2) == 0 {
		p.StopLoss = new(price - sign**far())
	}
	if w.IntN(2) == 0 {
		p.TakeProfit = new(price + sign**far())
	}
	switch w.IntN(4) {
	case 0:
		p.Trail, p.TrailSince = far(), q.Seq
		begun := map[int64]Extreme{p.ID: {Side: p.Side, Since: q.Seq, Quote: q, Last: q.Seq}}
		w.monitor.Learn(begun)
		w.scan.learn(p.ID, begun[p.ID])
	case 1:
		p.Trail, p.TrailSince = nil, 0
	}
	return p
}

// command alters an account at random, as its trader might.
func (w *world) command() {
	f := w.truth[1+w.Int64N(roamers)]
	id := roamedIDs[w.IntN(len(roamedIDs))]
	if w.x.Quotes[id].Seq == 0 {
		return
	}
	side := []trading.Side{trading.Buy, trading.Sell}[w.IntN(2)]
	switch n := w.IntN(10); {
	case n < 3 && len(f.Positions) < 6:
		f = w.opened(f, id, side)
	case n < 6 && len(f.Orders) < 6:
		f = f.WithOrder(w.order(f.Account.ID, id, side))
	case n == 6 && len(f.Orders) > 0:
		f = f.WithoutOrder(f.Orders[w.IntN(len(f.Orders))].ID)
	case n == 7 && len(f.Positions) > 0:
		f = w.closed(f, f.Positions[w.IntN(len(f.Positions))])
	case n == 8 && len(f.Positions) > 0:
		f = f.With(w.protected(f.Positions[w.IntN(len(f.Positions))]))
	default:
		f.Account.Cash = w.cash(f)
	}
	w.put(f)
}

// cash is the cash that gives an account a margin level between 45 and 165 percent.
func (w *world) cash(f trading.Portfolio) int64 {
	v, err := w.rules.Value(f)
	if err != nil {
		return f.Account.Cash
	}
	return v.Used*(45+w.Int64N(120))/100 - v.Floating
}

func (w *world) order(account int64, id int, side trading.Side) trading.Order {
	w.ids++
	q, limit := w.x.Quotes[id], int64(0)
	kind := []trading.OrderType{trading.LimitOrder, trading.StopOrder, trading.StopLimitOrder}[w.IntN(3)]
	distance := 1 + w.Int64N(150)
	if (side == trading.Buy) == (kind == trading.LimitOrder) {
		distance = -distance
	}
	o := trading.Order{
		ID: w.ids, AccountID: account, ProductID: id, Type: kind, Side: side, Lots: (money.Unit / 100), Price: new(trading.OpeningPrice(side, q) + distance), Status: kind.InitialStatus(),
		SinceSeq: q.Seq + max(0, w.Int64N(12)-9),
	}
	if kind == trading.StopLimitOrder {
		limit = *o.Price + w.Int64N(101) - 50
		o.LimitPrice = &limit
	}
	if w.IntN(4) == 0 {
		o.ExpiresAt = new(w.x.At.Add(time.Duration(w.IntN(3_000)) * time.Second))
	}
	return o
}

// TestBooksSayWhatAFullScanSays moves prices at random over accounts of every kind. After each quote the books trigger the same tasks as a full scan of all
// accounts, and at each sweep the same accounts are warned, recover or are stopped out. CANDOR_TRIGGER_TICKS is the number of quotes.
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
