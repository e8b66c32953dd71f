package engine

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/trading"
)

// The model implements the trading rules a second time, in fractions and independently of the engine: TestModel and TestTwoDays compare the engine with it.

type modelPosition struct {
	id         int64
	product    market.Product
	long       bool
	lots       int64
	worth      *big.Int // lots × price of the open lots
	leverage   int64
	margin     int64
	stop, take *int64
	since      int64
	swap       int64
	trail      *int64
	best       int64 // best closing price since the trailing stop was set
	bestSeq    int64
}

type modelOrder struct {
	id       int64
	product  market.Product
	kind     trading.OrderType
	long     bool
	lots     int64
	leverage int64
	price    int64
	limit    *int64
	armed    bool
	since    int64
	pair     int64
	stop     *int64
	take     *int64
	expires  *time.Time
}

// modelGrant is a bonus and what is left of it.
type modelGrant struct{ left, expires int64 }

// modelFill is a fill of the model, with the values of the engine's fills.
type modelFill struct {
	product             int
	entry               string
	lots, price, profit int64
	fee                 int64
}

// model is one account under the rules.
type model struct {
	quotes        map[int]market.Quote // the newest confirmed quotes
	tradable      func(id int) bool
	cash, deficit int64
	grants        []*modelGrant // in the order of expiry
	given         int64         // to traders as bonuses, less what came back
	forgiven      int64
	fees, won     int64 // the house's fees, and the traders' profits
	swaps         int64
	dividends     int64
	netting       bool
	positions     []*modelPosition // in the order of opening
	orders        []*modelOrder
	closed        int
	next          int64 // the next position id, as in the engine
	pairs         int64 // number of OCO pairs
	fills         []modelFill
	tiersOf       map[string][]modelTier
	ended         int
}

func frac(a, b int64) *big.Rat { return big.NewRat(a, b) }

func nearest(r *big.Rat) int64 {
	num, den := new(big.Int).Abs(r.Num()), r.Denom()
	twice := new(big.Int).Add(new(big.Int).Lsh(num, 1), den)
	twice.Quo(twice, new(big.Int).Lsh(den, 1))
	if r.Sign() < 0 {
		twice.Neg(twice)
	}
	return twice.Int64()
}

func ceiling(r *big.Rat) int64 {
	q, m := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int))
	if m.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q.Int64()
}

// asFraction is a price as a fraction.
func asFraction(p market.Product, price int64) *big.Rat { return frac(price, money.Pow10(p.Point)) }

// middle is the mid of a product's newest quote.
func (m *model) middle(id, point int) *big.Rat {
	q := m.quotes[id]
	return frac(q.Bid+q.Ask, 2*money.Pow10(point))
}

// dollars is the value of a unit of a currency in dollars.
func (m *model) dollars(currency string) *big.Rat {
	switch currency {
	case "EUR":
		return m.middle(eurusd, 5)
	case "GBP":
		return m.middle(2, 5)
	case "JPY":
		return new(big.Rat).Inv(m.middle(usdjpy, 3))
	}
	return frac(1, 1)
}

func (m *model) side(id int, long bool) int64 {
	if long {
		return m.quotes[id].Ask
	}
	return m.quotes[id].Bid
}

func product3(a *big.Rat, more ...*big.Rat) *big.Rat {
	out := new(big.Rat).Set(a)
	for _, b := range more {
		out.Mul(out, b)
	}
	return out
}

func (m *model) result(p market.Product, long bool, lots int64, worth *big.Int, price int64) int64 {
	closing := new(big.Rat).Mul(frac(lots, 1), asFraction(p, price))
	opening := new(big.Rat).Quo(new(big.Rat).SetInt(worth), frac(money.Pow10(p.Point), 1))
	move := new(big.Rat).Sub(closing, opening)
	if !long {
		move.Neg(move)
	}
	return nearest(product3(move, frac(p.ContractSize, 1), m.dollars(p.Quote)))
}

func (m *model) fee(p market.Product, lots, price int64) int64 {
	fee := ceiling(frac(lots*p.CommissionPerLot, unit))
	if p.CommissionBps > 0 {
		share := product3(frac(lots, 1), frac(p.ContractSize, 1), asFraction(p, price), m.dollars(p.Quote), frac(int64(p.CommissionBps), 10_000))
		fee += max(ceiling(share), p.CommissionMin)
	}
	return fee
}

func (m *model) marginOf(p market.Product, lots, price, leverage int64) int64 {
	if p.MarginModel == market.CFDMargin {
		return nearest(product3(frac(lots, leverage), frac(p.ContractSize, 1), asFraction(p, price), m.dollars(p.Quote)))
	}
	rate := m.dollars(p.Base)
	if p.Quote == "USD" {
		rate = asFraction(p, price) // it converts itself
	}
	return nearest(product3(frac(lots, leverage), frac(p.ContractSize, 1), rate))
}

// used is the margin of all positions: by product, slice by slice, hedged lots at their ratio.
func (m *model) used(positions []*modelPosition) int64 {
	sum := int64(0)
	for i, first := range positions {
		p := first.product
		if slices.ContainsFunc(positions[:i], func(one *modelPosition) bool { return one.product.ID == p.ID }) {
			continue
		}
		var long, short, full int64
		for _, one := range positions {
			if one.product.ID != p.ID {
				continue
			}
			full += m.sliced(p, long+short, one)
			if one.long {
				long += one.lots
			} else {
				short += one.lots
			}
		}
		pair := min(long, short)
		weight := new(big.Rat).Add(frac(max(long, short)-pair, 1), new(big.Rat).Mul(frac(2*pair, 1), frac(int64(p.HedgedRatioBps), 10_000)))
		if pair == 0 {
			sum += full
		} else {
			sum += nearest(product3(frac(full, long+short), weight))
		}
	}
	return sum
}

// modelTier is a tier of a product: the highest leverage of the lots up to a volume.
type modelTier struct{ upTo, leverage int64 }

// tiers parses "20:500,40:200"; the volume beyond the last tier uses the last tier.
func (m *model) tiers(text string) []modelTier {
	if known, ok := m.tiersOf[text]; ok || text == "" {
		return known
	}
	var out []modelTier
	for line := range strings.SplitSeq(text, ",") {
		var t modelTier
		if n, err := fmt.Sscanf(line, "%d:%d", &t.upTo, &t.leverage); n != 2 || err != nil {
			panic(err)
		}
		t.upTo *= unit
		out = append(out, t)
	}
	out[len(out)-1].upTo = 1 << 60
	if m.tiersOf == nil {
		m.tiersOf = map[string][]modelTier{}
	}
	m.tiersOf[text] = out
	return out
}

// sliced is a position's margin, each slice of its volume at the leverage of its tier.
func (m *model) sliced(p market.Product, behind int64, one *modelPosition) int64 {
	tiers := m.tiers(p.Tiers)
	if tiers == nil {
		return one.margin
	}
	sum, from := int64(0), behind
	for _, t := range tiers {
		here := min(t.upTo, behind+one.lots) - from
		if here <= 0 {
			continue
		}
		from += here
		sum += nearest(product3(frac(one.margin, 1), frac(here, one.lots), frac(max(one.leverage, t.leverage), t.leverage)))
	}
	return sum
}

func (m *model) floating(p *modelPosition) int64 {
	return m.result(p.product, p.long, p.lots, p.worth, m.side(p.product.ID, !p.long))
}

func (m *model) equity() int64 {
	sum := m.cash + m.deficit + m.bonus()
	for _, p := range m.positions {
		sum += m.floating(p)
	}
	return sum
}

// pay books a profit and a fee.
func (m *model) pay(profit, fee int64) {
	m.won += profit
	m.fees += fee
	m.move(profit - fee)
}

func (m *model) move(net int64) {
	if net >= 0 {
		repaid := min(net, -m.deficit)
		m.deficit += repaid
		m.cash += net - repaid
		return
	}
	loss := -net
	taken := min(loss, m.cash)
	m.cash -= taken
	loss -= taken
	for _, g := range m.grants {
		taken = min(loss, g.left)
		g.left -= taken
		loss -= taken
	}
	m.deficit -= loss
}

// copied is a copy whose money can change alone.
func (m *model) copied() *model {
	out := *m
	out.grants = slices.Clone(m.grants)
	for i, g := range out.grants {
		one := *g
		out.grants[i] = &one
	}
	return &out
}

// bonus is what is left of all bonuses.
func (m *model) bonus() (sum int64) {
	for _, g := range m.grants {
		sum += g.left
	}
	return sum
}

// grant gives a bonus, which neither pays a debt nor is money.
func (m *model) grant(amount, expires int64) {
	at := slices.IndexFunc(m.grants, func(g *modelGrant) bool { return g.expires > expires })
	if at < 0 {
		at = len(m.grants)
	}
	m.grants = slices.Insert(m.grants, at, &modelGrant{amount, expires})
	m.given += amount
}

// endBonus ends the bonus at a place: what losses have left of it goes back.
func (m *model) endBonus(at int) (left int64) {
	left = m.grants[at].left
	m.given -= left
	m.grants = slices.Delete(m.grants, at, at+1)
	return left
}

// withdrawable is the money that neither open positions need nor a bonus covers.
func (m *model) withdrawable() int64 {
	return max(0, min(m.cash, m.equity()-m.used(m.positions)-m.bonus()))
}

// open opens a position or joins an existing one; false when the account can't carry it.
func (m *model) open(p market.Product, long bool, lots, leverage int64, stop, take *int64, seq int64, into *modelPosition) bool {
	price := m.side(p.ID, long)
	if into != nil {
		leverage = into.leverage
	}
	margin, fee := m.marginOf(p, lots, price, leverage), m.fee(p, lots, price)
	value := new(big.Int).Mul(big.NewInt(lots), big.NewInt(price))
	grown := &modelPosition{
		product: p, long: long, lots: lots, worth: value, leverage: leverage, margin: margin, stop: stop, take: take, since: seq,
	}
	after := append(slices.Clone(m.positions), grown)
	if into != nil {
		*grown = *into
		grown.lots, grown.margin, grown.worth = into.lots+lots, into.margin+margin, new(big.Int).Add(into.worth, value)
		if stop != nil || take != nil {
			grown.stop, grown.take, grown.since = stop, take, seq
		}
		after = slices.Clone(m.positions)
		after[slices.Index(after, into)] = grown
	}
	if m.equity()-fee < m.used(after) || m.cash < fee {
		return false
	}
	if into == nil {
		m.next++
		grown.id = m.next
	}
	m.positions = after
	m.fills = append(m.fills, modelFill{p.ID, trading.EntryOpen, lots, price, 0, fee})
	m.pay(0, fee)
	return true
}

// close closes lots of a position at a price.
func (m *model) close(p *modelPosition, lots, price int64) {
	worth, margin := p.worth, p.margin
	if lots < p.lots {
		worth = big.NewInt(nearest(product3(new(big.Rat).SetInt(p.worth), frac(lots, p.lots))))
		margin = nearest(frac(p.margin, 1).Mul(frac(p.margin, 1), frac(lots, p.lots)))
	}
	profit, fee := m.result(p.product, p.long, lots, worth, price), m.fee(p.product, lots, price)
	p.worth, p.margin, p.lots = new(big.Int).Sub(p.worth, worth), p.margin-margin, p.lots-lots
	m.fills = append(m.fills, modelFill{p.product.ID, trading.EntryClose, lots, price, profit, fee})
	m.pay(profit, fee)
	if p.lots == 0 {
		m.positions = slices.DeleteFunc(m.positions, func(o *modelPosition) bool { return o == p })
		m.closed++
	}
	if len(m.positions) == 0 {
		m.forgiven -= m.deficit
		m.deficit = 0
	}
}

// enter fills an order now, as a new position or by netting. False means that nothing was done.
func (m *model) enter(p market.Product, long bool, lots, leverage int64, stop, take *int64, seq int64) bool {
	var held *modelPosition
	for _, one := range m.positions {
		if m.netting && one.product.ID == p.ID {
			held = one
		}
	}
	if held == nil || held.long == long {
		return m.open(p, long, lots, leverage, stop, take, seq, held)
	}
	saved, copied := m.copied(), *held
	part := min(lots, held.lots)
	m.positions = slices.Clone(m.positions)
	m.close(held, part, m.side(p.ID, long))
	if part == lots || m.open(p, long, lots-part, leverage, stop, take, seq, nil) {
		return true
	}
	*m, *held = *saved, copied
	return false
}

// stopOut closes the largest loss first until the margin level is above 50 percent.
func (m *model) stopOut() {
	for len(m.positions) > 0 {
		equity, used := m.equity(), m.used(m.positions)
		if used == 0 && equity > 0 || used > 0 && new(big.Rat).SetFrac64(equity, used).Cmp(frac(1, 2)) > 0 {
			return
		}
		closable := slices.DeleteFunc(slices.Clone(m.positions), func(p *modelPosition) bool { return m.tradable != nil && !m.tradable(p.product.ID) })
		if len(closable) == 0 {
			return
		}
		worst := slices.MinFunc(closable, func(a, b *modelPosition) int {
			return cmp.Or(cmp.Compare(m.floating(a), m.floating(b)), cmp.Compare(b.lots, a.lots), cmp.Compare(a.id, b.id))
		})
		m.close(worst, worst.lots, m.side(worst.product.ID, !worst.long))
	}
}

// quote applies a tradable quote: first protection in the order of opening, then orders in the order of placing.
func (m *model) quote(q market.Quote) {
	for _, p := range slices.Clone(m.positions) {
		if p.product.ID != q.ProductID || q.Seq <= p.since || !slices.Contains(m.positions, p) {
			continue
		}
		price := m.side(q.ProductID, !p.long)
		hit := func(level *int64, below bool) bool {
			return level != nil && (below && price <= *level || !below && price >= *level)
		}
		if hit(p.stop, p.long) || hit(p.trailing(), p.long) || hit(p.take, !p.long) {
			m.close(p, p.lots, price)
		}
	}
	for _, o := range slices.Clone(m.orders) {
		if o.product.ID == q.ProductID && q.Seq > o.since && slices.Contains(m.orders, o) {
			m.reach(o, q)
		}
	}
}

// trailing is the level of a trailing stop.
func (p *modelPosition) trailing() *int64 {
	if p.trail == nil {
		return nil
	}
	level := p.best - *p.trail
	if !p.long {
		level = p.best + *p.trail
	}
	return &level
}

// follow moves trailing stops with a quote, tradable or not.
func (m *model) follow(q market.Quote) {
	for _, p := range m.positions {
		if p.trail == nil || p.product.ID != q.ProductID || q.Seq <= p.bestSeq {
			continue
		}
		if p.long && q.Bid > p.best {
			p.best = q.Bid
		}
		if !p.long && q.Ask < p.best {
			p.best = q.Ask
		}
	}
}

// reach applies a quote to a pending order.
func (m *model) reach(o *modelOrder, q market.Quote) {
	price := m.side(q.ProductID, o.long)
	better := func(than int64) bool { return o.long && price <= than || !o.long && price >= than }
	worse := func(than int64) bool { return o.long && price >= than || !o.long && price <= than }
	var reached bool
	switch {
	case o.kind == trading.LimitOrder:
		reached = better(o.price)
	case o.armed:
		reached = better(*o.limit)
	default:
		reached = worse(o.price)
	}
	if !reached {
		return
	}
	if o.expires != nil && q.AtMS >= o.expires.UnixMilli() {
		m.end(o)
		return
	}
	if o.kind == trading.StopLimitOrder {
		if o.armed, o.since = true, q.Seq; !better(*o.limit) {
			return
		}
	}
	m.end(o)
	m.enter(o.product, o.long, o.lots, o.leverage, o.stop, o.take, q.Seq)
}

// end removes an order and the other one of its pair.
func (m *model) end(o *modelOrder) {
	m.orders = slices.DeleteFunc(m.orders, func(other *modelOrder) bool {
		gone := other == o || o.pair != 0 && other.pair == o.pair
		if gone {
			m.ended++
		}
		return gone
	})
}

// night books the swaps and dividends of a rollover. of returns a product's nights and its dividend per unit; closed are the last quotes before the rollover.
func (m *model) night(of func(market.Product) (nights, dividend int64), closed map[int]market.Quote) {
	for _, p := range m.positions {
		product := p.product
		rate, sign := product.SwapLong, int64(1)
		if !p.long {
			rate, sign = product.SwapShort, -1
		}
		nights, dividend := of(product)
		sum := m.swap(product, p, rate, nights, closed[product.ID])
		p.swap += sum
		m.swaps += sum
		m.move(sum)
		if nights > 0 {
			sum = nearest(product3(frac(sign*dividend, unit), frac(p.lots, 1), frac(product.ContractSize, 1), m.dollars(product.Quote)))
			m.dividends += sum
			m.move(sum)
		}
	}
}

// swap is the swap of some nights: in points of the price, in money, or in percent of the worth in a year of 360 days.
func (m *model) swap(product market.Product, p *modelPosition, rate, nights int64, q market.Quote) int64 {
	each := product3(frac(rate, unit), frac(p.lots, unit), frac(nights, 1))
	size := frac(product.ContractSize, 1)
	switch product.SwapModel {
	case market.PointSwap:
		return nearest(product3(each, size, frac(unit, money.Pow10(product.Point)), m.dollars(product.Quote)))
	case market.MoneySwap:
		return nearest(product3(each, frac(unit, 1)))
	case market.PercentSwap:
		price := q.Bid
		if !p.long {
			price = q.Ask
		}
		return nearest(product3(each, size, asFraction(product, price), frac(unit, 36_000), m.dollars(product.Quote)))
	case market.NoSwap:
	}
	return 0
}
