package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/errs"
	"candor/app/trading"
	"candor/app/trading/tradingtest"
	"candor/app/trading/trigger"
)

// memory is a journal with the data that the comparison needs. The writes of a refused command are undone, as in a database transaction.
type memory struct {
	undo      []func() // of the running command, oldest first
	orders    map[int64]trading.Order
	position  int64
	fills     int
	closed    int
	sums      map[int64]int64 // by house account
	keys      map[string]bool
	version   int64
	charged   map[string]bool
	positions map[int64]trading.Position
}

func (m *memory) rollBack() {
	for _, undo := range slices.Backward(m.undo) {
		undo()
	}
	m.undo = m.undo[:0]
}

// set sets a value in a map of the journal, and can be undone.
func set[K comparable, V any](m *memory, in map[K]V, key K, value V) {
	was, had := in[key]
	m.undo = append(m.undo, func() {
		if had {
			in[key] = was
		} else {
			delete(in, key)
		}
	})
	in[key] = value
}

// count adds to a number of the journal, and can be undone.
func count[N int | int64](m *memory, n *N, by N) N {
	m.undo = append(m.undo, func() { *n -= by })
	*n += by
	return *n
}

func (m *memory) InsertOrder(o trading.Order) (int64, error) {
	o.ID = int64(len(m.orders) + 1)
	set(m, m.orders, o.ID, o)
	return o.ID, nil
}

func (m *memory) UpdateOrder(o trading.Order, revision int) error {
	if was := m.orders[o.ID]; was.Revision != revision || !was.Pending() {
		return fmt.Errorf("order %d is not as it was read", o.ID)
	}
	set(m, m.orders, o.ID, o)
	return nil
}

func (m *memory) InsertRevision(trading.Order, time.Time) error { return nil }
func (m *memory) ReadOrder(int64, int64) (trading.Order, error) {
	return trading.Order{}, trading.ErrOrder
}
func (m *memory) Record(...market.Quote) error                   { return nil }
func (m *memory) InsertCall(trading.MarginCall) (int64, error)   { return 1, nil }
func (m *memory) EndCall(int64, time.Time) error                 { return nil }
func (m *memory) SetPositionMode(int64, bool, audit.Entry) error { count(m, &m.version, 1); return nil }
func (m *memory) InsertFill(trading.Fill) (int64, error)         { return int64(count(m, &m.fills, 1)), nil }
func (m *memory) Touch(int64) (int64, error)                     { return count(m, &m.version, 1), nil }

func (m *memory) InsertPosition(p trading.Position) (int64, error) {
	p.ID = count(m, &m.position, 1)
	set(m, m.positions, p.ID, p)
	return p.ID, nil
}

func (m *memory) UpdatePosition(p trading.Position, version int) error {
	if m.positions[p.ID].Version != version {
		return fmt.Errorf("position %d is not as it was read", p.ID)
	}
	set(m, m.positions, p.ID, p)
	if p.State == trading.StateClosed {
		count(m, &m.closed, 1)
	}
	return nil
}

func (m *memory) InsertCharge(c trading.Charge) error {
	if m.charged[c.Key()] {
		return fmt.Errorf("%s twice", c.Key())
	}
	set(m, m.charged, c.Key(), true)
	return nil
}

func (m *memory) Post(t ledger.Transaction) (int64, error) {
	sum, own := int64(0), false
	for _, e := range t.Entries {
		sum += e.Amount
		if e.AccountID < 1_000 {
			set(m, m.sums, e.AccountID, m.sums[e.AccountID]+e.Amount)
		} else {
			own = true
		}
	}
	if sum != 0 || m.keys[t.Key] {
		return 0, fmt.Errorf("%s: a sum of %d, twice %t", t.Key, sum, m.keys[t.Key])
	}
	set(m, m.keys, t.Key, true)
	if own {
		count(m, &m.version, 1)
	}
	return int64(len(m.keys)), nil
}

// pairing runs the engine's rules and the model side by side.
type pairing struct {
	t     *rapid.T
	x     *tradingtest.Exchange
	rules *trading.Rules
	watch *trigger.Monitor
	j     *memory
	f     trading.Portfolio
	m     *model
	steps *int64
	// The bonuses as they were last written, in the order of expiry: what is left of each, and when it expires.
	left, expires []int64
}

var startPrices = map[int][2]int64{eurusd: {110_000, 10}, 2: {125_000, 15}, usdjpy: {150_000, 15}, eurgbp: {88_000, 12}, xauusd: {200_000, 40}, aapl: {20_000, 5}}

func newPairing(t *rapid.T, steps *int64) *pairing {
	x := tradingtest.NewExchange()
	rules := trading.NewRules(x, clock.NewFixed(tuesday))
	p := &pairing{
		t: t, x: x, rules: rules, watch: trigger.New(x, rules), steps: steps,
		j: &memory{orders: map[int64]trading.Order{}, sums: map[int64]int64{}, keys: map[string]bool{}, charged: map[string]bool{}, positions: map[int64]trading.Position{}},
		m: &model{quotes: map[int]market.Quote{}},
	}
	cash := rapid.Int64Range(100, 60_000).Draw(t, "cash") * unit
	p.f = trading.Portfolio{Account: ledger.Account{ID: 1_000, TraderID: 1, Book: ledger.Real, Cash: cash}, Now: x.At}
	p.m.cash = cash
	for _, id := range tradingtest.Listed {
		p.price(id, startPrices[id][0], startPrices[id][1])
	}
	return p
}

// price sends a new quote to both.
func (p *pairing) price(id int, bid, spread int64) {
	q := market.Quote{ProductID: id, Seq: p.x.Quotes[id].Seq + 1, Bid: bid, Ask: bid + spread, AtMS: p.x.At.UnixMilli()}
	p.x.Quotes[id] = q
	p.watch.OnQuote(q)
	for p.watch.Queued() > 0 {
		t, _ := p.watch.Next(context.Background())
		out, err := follow(p.rules, p.j, p.f, t)
		require.NoError(p.t, err)
		if out != nil {
			p.take(*out)
		}
		p.watch.Done(t)
	}
	out, err := p.rules.CheckLevel(p.j, p.f)
	require.NoError(p.t, err)
	p.take(out)
	p.m.quotes[id] = q
	p.m.quote(q)
	p.m.stopOut()
}

// take makes an outcome the current state.
func (p *pairing) take(out trading.Outcome) {
	p.f = out.Portfolio
	p.watch.Remember(p.f)
}

// decide runs a rule; a refusal changes nothing.
func (p *pairing) decide(act func() (trading.Outcome, error)) error {
	var err error
	if p.f, err = p.rules.SettleRollovers(p.j, p.f); err != nil {
		return err
	}
	p.j.undo = p.j.undo[:0]
	out, err := act()
	if err == nil {
		p.take(out)
		return nil
	}
	p.j.rollBack()
	if errs.As(err) == nil {
		require.NoError(p.t, err, "only refusals")
	}
	return err
}

func (p *pairing) owner() ledger.Owner { return ledger.Owner{TraderID: 1, AccountID: 1_000} }

// product draws a listed product.
func (p *pairing) product() market.Product {
	return p.x.Catalogue[rapid.SampledFrom(tradingtest.Listed).Draw(p.t, "product")]
}

func (p *pairing) lots(product market.Product) int64 {
	steps := int64(300)
	if product.ID == aapl {
		steps = 200
	}
	return product.LotStep * rapid.Int64Range(1, steps).Draw(p.t, "lots")
}

func (p *pairing) open() {
	product := p.product()
	lots, long := p.lots(product), rapid.Bool().Draw(p.t, "long")
	leverage := rapid.SampledFrom(product.Leverages()).Draw(p.t, "leverage")
	stop, take := p.protection(product, long)
	cmd := trading.Open{Owner: p.owner(), ProductID: product.ID, Side: sideOf(long), Lots: lots, Leverage: leverage, StopLoss: stop, TakeProfit: take}
	err := p.decide(func() (trading.Outcome, error) { return p.rules.Open(p.j, p.f, cmd) })
	if len(p.m.positions) >= trading.MaxPositions {
		require.ErrorIs(p.t, err, trading.ErrTooMany)
		return
	}
	if p.m.enter(product, long, lots, int64(leverage), stop, take, p.x.Quotes[product.ID].Seq) {
		require.NoError(p.t, err)
	} else {
		require.True(p.t, errors.Is(err, trading.ErrMargin) || errors.Is(err, trading.ErrCash), "%v", err)
	}
}

func sideOf(long bool) trading.Side {
	if long {
		return trading.Buy
	}
	return trading.Sell
}

// protection draws a stop loss and a take profit that the stop level allows, or none.
func (p *pairing) protection(product market.Product, long bool) (stop, take *int64) {
	q, sign := p.x.Quotes[product.ID], int64(1)
	price := q.Bid
	if !long {
		price, sign = q.Ask, -1
	}
	far := func(name string) int64 {
		return int64(product.StopLevel) + rapid.Int64Range(0, 300).Draw(p.t, name)
	}
	if rapid.Bool().Draw(p.t, "with a stop") {
		v := price - sign*far("stop")
		stop = &v
	}
	if rapid.Bool().Draw(p.t, "with a target") {
		v := price + sign*far("target")
		take = &v
	}
	return stop, take
}

// one draws an open position, for both.
func (p *pairing) one() (trading.Position, *modelPosition) {
	if len(p.f.Positions) == 0 {
		p.t.Skip("nothing is open")
	}
	i := rapid.IntRange(0, len(p.f.Positions)-1).Draw(p.t, "position")
	return p.f.Positions[i], p.m.positions[i]
}

func (p *pairing) closePart() {
	position, mine := p.one()
	product := p.x.Catalogue[position.ProductID]
	lots := position.Lots
	if n := position.Lots / product.LotStep; n > 1 {
		lots = product.LotStep * rapid.Int64Range(1, n).Draw(p.t, "part")
	}
	require.NoError(p.t, p.decide(func() (trading.Outcome, error) {
		return p.rules.Close(p.j, p.f, trading.Close{Owner: p.owner(), PositionID: position.ID, Lots: lots})
	}))
	p.m.close(mine, lots, p.m.side(product.ID, !mine.long))
}

func (p *pairing) reverse() {
	position, mine := p.one()
	err := p.decide(func() (trading.Outcome, error) {
		return p.rules.Reverse(p.j, p.f, trading.Reverse{Owner: p.owner(), PositionID: position.ID})
	})
	if errs.As(err) != nil {
		// An order that the engine refuses as a whole must exceed the margin of the model too.
		probe := p.m.copied()
		copied := *mine
		probe.positions = slices.Clone(p.m.positions)
		at := slices.Index(probe.positions, mine)
		probe.positions[at] = &copied
		lots := copied.lots
		probe.close(&copied, lots, probe.side(position.ProductID, !copied.long))
		require.False(p.t, probe.open(copied.product, !copied.long, lots, copied.leverage, nil, nil, 0, nil))
		p.t.Skip("it can't be carried the other way")
	}
	lots, long := mine.lots, mine.long
	p.m.close(mine, lots, p.m.side(position.ProductID, !long))
	require.True(p.t, p.m.open(mine.product, !long, lots, mine.leverage, nil, nil, p.x.Quotes[position.ProductID].Seq, nil))
}

func (p *pairing) closeBy() {
	for i, first := range p.f.Positions {
		for k, second := range p.f.Positions {
			if first.ProductID != second.ProductID || first.Side == second.Side || i == k {
				continue
			}
			require.NoError(p.t, p.decide(func() (trading.Outcome, error) {
				return p.rules.CloseBy(p.j, p.f, trading.CloseBy{Owner: p.owner(), PositionID: first.ID, ByPositionID: second.ID})
			}))
			a, b := p.m.positions[i], p.m.positions[k]
			lots := min(a.lots, b.lots)
			p.m.close(a, lots, second.OpenPrice)
			p.m.close(b, lots, second.OpenPrice)
			return
		}
	}
	p.t.Skip("nothing stands against each other")
}

func (p *pairing) closeAll() {
	if len(p.f.Positions) == 0 || rapid.IntRange(0, 4).Draw(p.t, "seldom") != 0 {
		p.t.Skip("seldom")
	}
	require.NoError(p.t, p.decide(func() (trading.Outcome, error) { return p.rules.CloseAll(p.j, p.f, trading.CloseAll{Owner: p.owner()}) }))
	for _, mine := range slices.Clone(p.m.positions) {
		p.m.close(mine, mine.lots, p.m.side(mine.product.ID, !mine.long))
	}
}

func (p *pairing) protect() {
	position, mine := p.one()
	stop, take := p.protection(mine.product, mine.long)
	require.NoError(p.t, p.decide(func() (trading.Outcome, error) {
		return p.rules.Protect(p.j, p.f, trading.Protect{Owner: p.owner(), PositionID: position.ID, StopLoss: stop, TakeProfit: take})
	}))
	mine.stop, mine.take, mine.since = stop, take, p.x.Quotes[position.ProductID].Seq
}

// terms draws a pending order for both.
func (p *pairing) terms() (trading.Place, *modelOrder) {
	product := p.product()
	o := &modelOrder{product: product, long: rapid.Bool().Draw(p.t, "long"), since: p.x.Quotes[product.ID].Seq}
	o.lots = p.lots(product)
	o.kind = rapid.SampledFrom([]trading.OrderType{trading.LimitOrder, trading.StopOrder, trading.StopLimitOrder}).Draw(p.t, "type")
	o.leverage = int64(rapid.SampledFrom(product.Leverages()).Draw(p.t, "leverage"))
	distance := int64(product.StopLevel) + rapid.Int64Range(0, 200).Draw(p.t, "distance")
	if o.long == (o.kind == trading.LimitOrder) {
		distance = -distance
	}
	o.price = p.m.side(product.ID, o.long) + distance
	cmd := trading.Place{Owner: p.owner(), ProductID: product.ID, Type: o.kind, Side: sideOf(o.long), Lots: o.lots, Leverage: int(o.leverage), Terms: trading.Terms{Price: o.price, TimeInForce: trading.GoodTillCancelled}}
	if o.kind == trading.StopLimitOrder {
		limit := o.price + rapid.Int64Range(-50, 50).Draw(p.t, "limit")
		o.limit, cmd.LimitPrice = &limit, &limit
	}
	return cmd, o
}

func (p *pairing) place() {
	if len(p.f.Orders) > 20 {
		p.t.Skip("enough of them")
	}
	cmd, mine := p.terms()
	require.NoError(p.t, p.decide(func() (trading.Outcome, error) { return p.rules.Place(p.j, p.f, cmd) }))
	mine.id = p.f.Orders[len(p.f.Orders)-1].ID
	p.m.orders = append(p.m.orders, mine)
}

func (p *pairing) pair() {
	if len(p.f.Orders) > 20 {
		p.t.Skip("enough of them")
	}
	first, mine := p.terms()
	second, other := p.terms()
	require.NoError(p.t, p.decide(func() (trading.Outcome, error) {
		return p.rules.Pair(p.j, p.f, trading.Pair{Owner: p.owner(), Orders: [2]trading.Place{first, second}})
	}))
	n := len(p.f.Orders)
	mine.id, other.id = p.f.Orders[n-2].ID, p.f.Orders[n-1].ID
	mine.pair, other.pair = mine.id, mine.id
	p.m.orders = append(p.m.orders, mine, other)
}

func (p *pairing) cancel() {
	if len(p.f.Orders) == 0 {
		p.t.Skip("nothing waits")
	}
	o := rapid.SampledFrom(p.f.Orders).Draw(p.t, "order")
	require.NoError(p.t, p.decide(func() (trading.Outcome, error) {
		return p.rules.Cancel(p.j, p.f, trading.Cancel{Owner: p.owner(), OrderID: o.ID})
	}))
	i := slices.IndexFunc(p.m.orders, func(mine *modelOrder) bool { return mine.id == o.ID })
	p.m.end(p.m.orders[i])
}

func (p *pairing) night() {
	nights := rapid.SampledFrom([]int{0, 1, 1, 1, 3}).Draw(p.t, "nights")
	p.x.At = p.x.At.AddDate(0, 0, 1)
	last := market.LastRollover(p.x.At)
	last.Nights, last.Dividend = nights, rapid.SampledFrom([]int64{0, 0, 260_000, 1_333_333}).Draw(p.t, "dividend")
	p.x.Passed = append(p.x.Passed, last)
	require.NoError(p.t, p.decide(func() (trading.Outcome, error) { return trading.Outcome{Portfolio: p.f}, nil }))
	p.m.night(func(product market.Product) (int64, int64) {
		if product.ID == aapl {
			return int64(nights), last.Dividend
		}
		return int64(nights), 0
	}, p.m.quotes)
}

func (p *pairing) mode() {
	if len(p.f.Positions)+len(p.f.Orders) > 0 {
		p.t.Skip("not flat")
	}
	p.f.Account.Netting = !p.f.Account.Netting
	p.m.netting = p.f.Account.Netting
}

func (p *pairing) deposit() {
	amount := rapid.Int64Range(1, 20_000).Draw(p.t, "deposit") * unit
	p.f.Account = p.f.Account.Apply(p.f.Account.Receive(amount))
	p.m.move(amount)
}

// post applies a transaction from outside of the rules.
func (p *pairing) post(entries []ledger.Entry) {
	for _, e := range entries {
		p.j.sums[e.AccountID] += e.Amount
	}
	p.f.Account = p.f.Account.Apply(entries)
}

// settle writes what losses have taken from the bonuses.
func (p *pairing) settle() {
	left, err := ledger.TakeLosses(p.left, p.f.Account.Bonus)
	require.NoError(p.t, err)
	p.left = left
}

func (p *pairing) grant() {
	if len(p.left) >= 5 || rapid.IntRange(0, 3).Draw(p.t, "seldom") != 0 {
		p.t.Skip("enough of them")
	}
	amount, expires := rapid.Int64Range(1, 5_000).Draw(p.t, "bonus")*unit, rapid.Int64Range(1, 1_000_000).Draw(p.t, "expires")
	p.settle()
	p.post(p.f.Account.GrantBonus(amount))
	at, _ := slices.BinarySearch(p.expires, expires+1)
	p.left, p.expires = slices.Insert(p.left, at, amount), slices.Insert(p.expires, at, expires)
	p.m.grant(amount, expires)
}

// endBonus ends a bonus: the one that expires first, or one that is taken back or given up.
func (p *pairing) endBonus() {
	if len(p.left) == 0 {
		p.t.Skip("no bonus")
	}
	at := rapid.SampledFrom([]int{0, 0, len(p.left) - 1}).Draw(p.t, "bonus")
	p.settle()
	left := p.left[at]
	require.Equal(p.t, p.m.endBonus(at), left, "what losses have left")
	if left > 0 {
		p.post(p.f.Account.EndBonus(left))
	}
	p.left, p.expires = slices.Delete(p.left, at, at+1), slices.Delete(p.expires, at, at+1)
}

// withdraw takes money out, up to all that may leave the account.
func (p *pairing) withdraw() {
	v, err := p.rules.Value(p.f)
	require.NoError(p.t, err)
	free := v.Withdrawable()
	require.Equal(p.t, p.m.withdrawable(), free, "withdrawable")
	if free == 0 || rapid.IntRange(0, 3).Draw(p.t, "seldom") != 0 {
		p.t.Skip("nothing to withdraw")
	}
	amount := rapid.Int64Range(1, free).Draw(p.t, "withdrawal")
	bonus := p.f.Account.Bonus
	p.post(p.f.Account.DebitToPayouts(amount))
	require.Equal(p.t, bonus, p.f.Account.Bonus, "a bonus is never withdrawn")
	p.m.cash -= amount
}

func (p *pairing) tick() {
	product := p.product()
	q := p.x.Quotes[product.ID]
	move := rapid.Int64Range(-150, 150).Draw(p.t, "move")
	if rapid.IntRange(0, 30).Draw(p.t, "gap") == 0 {
		move *= 30
	}
	bid := max(q.Bid+move, startPrices[product.ID][0]/2)
	p.price(product.ID, bid, rapid.Int64Range(0, 60).Draw(p.t, "spread"))
}

// same requires that the rules and the model agree on everything.
func (p *pairing) same(t *rapid.T) {
	*p.steps++
	v, err := p.rules.Value(p.f)
	require.NoError(t, err)
	a := p.f.Account
	require.Equal(t, []int64{p.m.cash, p.m.bonus(), p.m.deficit, p.m.equity(), p.m.used(p.m.positions), p.m.withdrawable()},
		[]int64{a.Cash, a.Bonus, a.Deficit, v.Equity, v.Used, v.Withdrawable()}, "cash, bonus, deficit, equity, used margin, withdrawable")
	require.Equal(t, -p.m.given, p.j.sums[4], "the house's bonuses")
	require.Equal(t, []int64{-p.m.won, p.m.fees, -p.m.forgiven, -p.m.swaps, -p.m.dividends}, []int64{p.j.sums[2], p.j.sums[3], p.j.sums[5], p.j.sums[6], p.j.sums[7]}, "the house")
	require.Len(t, p.f.Positions, len(p.m.positions))
	require.Equal(t, p.m.closed, p.j.closed, "history")
	for i, mine := range p.m.positions {
		got := p.f.Positions[i]
		require.Equal(t, []any{mine.id, mine.lots, mine.margin, mine.worth.Int64(), mine.stop, mine.take, mine.swap, int(mine.leverage), sideOf(mine.long)},
			[]any{got.ID, got.Lots, got.Margin, got.OpenValue, got.StopLoss, got.TakeProfit, got.Swap, got.Leverage, got.Side}, "position %d", mine.id)
	}
	require.Len(t, p.f.Orders, len(p.m.orders))
	for _, o := range p.f.Orders {
		require.True(t, slices.ContainsFunc(p.m.orders, func(mine *modelOrder) bool { return mine.id == o.ID && mine.armed == (o.ArmedSeq != nil) }), "order %d", o.ID)
	}
}

// TestModel runs the rules and the model through the same random commands and prices; after each step they agree to the last unit. The default is some thousand
// steps; CANDOR_MODEL_STEPS is the average in each of the hundred seeds (12,000 makes a million).
func TestModel(t *testing.T) {
	t.Parallel()
	require.NoError(t, flag.Set("rapid.steps", cmp.Or(os.Getenv("CANDOR_MODEL_STEPS"), "200")))
	steps, seeds := int64(0), 0
	rapid.Check(t, func(t *rapid.T) {
		seeds++
		p := newPairing(t, &steps)
		act := func(do func()) func(*rapid.T) { return func(t *rapid.T) { p.t = t; do() } }
		t.Repeat(map[string]func(*rapid.T){
			"open": act(p.open), "close": act(p.closePart), "reverse": act(p.reverse), "close by": act(p.closeBy), "close all": act(p.closeAll),
			"protect": act(p.protect), "place": act(p.place), "pair": act(p.pair), "cancel": act(p.cancel), "night": act(p.night),
			"mode": act(p.mode), "deposit": act(p.deposit), "grant": act(p.grant), "end of a bonus": act(p.endBonus), "withdraw": act(p.withdraw), "tick": act(p.tick), "tick again": act(p.tick), "and again": act(p.tick),
			"": p.same,
		})
	})
	line, err := json.Marshal(map[string]any{"goal": "G7", "operations": steps, "seeds": seeds})
	require.NoError(t, err)
	t.Log(string(line))
}
