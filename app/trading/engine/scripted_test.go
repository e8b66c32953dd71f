package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"time"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/trading"
)

// scripted is an account that trades at random, in the engine and in the model.
type scripted struct {
	*twoDays
	o      ledger.Owner
	m      *model
	random *rand.Rand
	book   ledger.Book
	bold   float64 // the share of its equity that it risks at once
	did    map[string]int
	f      trading.Portfolio // the engine's portfolio at the beginning of the turn
}

// act takes one turn: the engine and the model must be equal before it, and agree on its result.
func (a *scripted) act() (err error) {
	if a.f, err = a.engine.read(a.t.Context(), a.o.AccountID); err != nil {
		return err
	}
	if what := a.m.differs(a.f); what != "" {
		return a.explain(what)
	}
	turns := []struct {
		name   string
		weight int
		take   func() (bool, error)
	}{
		{"open", 30, a.open}, {"place", 14, a.place}, {"pair", 6, a.pair}, {"protect", 16, a.protect}, {"close", 10, a.closePart}, {"reverse", 3, a.reverse},
		{"close by", 4, a.closeBy}, {"close all", 2, a.closeAll}, {"cancel", 5, a.cancel}, {"revise", 5, a.revise}, {"deposit", 3, a.deposit}, {"keep", 2, a.keep},
	}
	dice := a.random.IntN(100)
	for _, turn := range turns {
		if dice -= turn.weight; dice < 0 {
			done, err := turn.take()
			if done {
				a.did[turn.name]++
			}
			if err != nil {
				return fmt.Errorf("%s: %w", turn.name, err)
			}
			return nil
		}
	}
	return nil
}

// explain adds the first fill that differs.
func (a *scripted) explain(what string) error {
	fills := a.fills(a.o)
	for i := range max(len(fills), len(a.m.fills)) {
		var ours, theirs modelFill
		var rule trading.Rule
		if i < len(fills) {
			f := fills[i]
			ours, rule = modelFill{f.ProductID, f.Entry, f.Lots, f.Price, f.Profit, f.Commission}, f.Rule
		}
		if i < len(a.m.fills) {
			theirs = a.m.fills[i]
		}
		if ours != theirs {
			return fmt.Errorf("%s; fill %d is %+v by the rule %q in the engine, %+v in the model", what, i, ours, rule, theirs)
		}
	}
	return fmt.Errorf("%s, although all fills are the same", what)
}

// agrees requires that the engine refuses exactly when the model does; an error that is no refusal is a fault.
func agrees(err error, accepted bool) error {
	switch {
	case err != nil && errs.As(err) == nil:
		return err
	case accepted != (err == nil):
		return fmt.Errorf("the engine says %w, the model accepts: %t", cmp.Or(err, errors.New("yes")), accepted)
	}
	return nil
}

func (a *scripted) product() (p market.Product, q market.Quote, known bool) {
	p = a.products[a.random.IntN(len(a.products))]
	q, known = a.newest[p.ID]
	return p, q, known
}

func (a *scripted) coin() bool { return a.random.IntN(2) == 0 }

// distance is a random distance from a price, at least the stop level.
func (a *scripted) distance(p market.Product, price int64) int64 {
	return int64(p.StopLevel) + 1 + a.random.Int64N(1+price*(1+a.random.Int64N(100))/10_000)
}

// lots is the volume that an account of this boldness trades, in the product's steps.
func (a *scripted) lots(p market.Product, price int64, leverage int) int64 {
	margin := float64(p.ContractSize) * float64(price) / float64(money.Pow10(p.Point)) / float64(leverage)
	lots := int64(a.bold * float64(max(a.m.cash, 0)) / margin)
	return min(max(lots/p.LotStep*p.LotStep, p.LotMin), p.LotMax)
}

// protection is a stop loss and a take profit around a price, or none.
func (a *scripted) protection(p market.Product, long bool, price int64) (stop, take *int64) {
	sign := int64(1)
	if !long {
		sign = -1
	}
	if a.random.IntN(3) > 0 {
		stop = ptr(max(1, price-sign*a.distance(p, price)))
	}
	if a.coin() {
		take = ptr(max(1, price+sign*a.distance(p, price)))
	}
	return stop, take
}

func (a *scripted) open() (bool, error) {
	p, q, known := a.product()
	if !known || len(a.m.positions) >= 15 {
		return false, nil
	}
	long, leverages := a.coin(), a.market.Leverages(p, "")
	leverage := leverages[a.random.IntN(len(leverages))]
	lots := a.lots(p, q.Bid, leverage)
	price := q.Bid
	if !long {
		price = q.Ask
	}
	stop, take := a.protection(p, long, price)
	tradable := a.tradable(p.ID)
	_, err := a.engine.Open(a.t.Context(), trading.Open{
		Owner: a.o, ProductID: p.ID, Side: sideOf(long), Lots: lots, Leverage: leverage, StopLoss: stop, TakeProfit: take,
	}, a.request(a.o))
	return true, agrees(err, tradable && a.m.enter(p, long, lots, int64(leverage), stop, take, q.Seq))
}

// wording draws a pending order, for both.
func (a *scripted) wording() (cmd trading.Place, o *modelOrder, known bool) {
	p, q, known := a.product()
	if !known {
		return cmd, nil, false
	}
	leverages := a.market.Leverages(p, "")
	o = &modelOrder{product: p, long: a.coin(), kind: []trading.OrderType{trading.LimitOrder, trading.StopOrder, trading.StopLimitOrder}[a.random.IntN(3)], leverage: int64(leverages[a.random.IntN(len(leverages))])}
	o.lots = a.lots(p, q.Bid, int(o.leverage))
	cmd = trading.Place{Owner: a.o, ProductID: p.ID, Type: o.kind, Side: sideOf(o.long), Lots: o.lots, Leverage: int(o.leverage), Terms: a.terms(p, q, o)}
	return cmd, o, true
}

// terms sets new terms of a pending order, in the model too.
func (a *scripted) terms(p market.Product, q market.Quote, o *modelOrder) (t trading.Terms) {
	price := q.Ask
	if !o.long {
		price = q.Bid
	}
	distance := a.distance(p, price)
	if o.long == (o.kind == trading.LimitOrder) {
		distance = -distance
	}
	if !o.armed {
		o.price = max(1, price+distance)
	}
	entry := o.price
	if o.kind == trading.StopLimitOrder {
		entry += a.random.Int64N(41) - 20
		o.limit = &entry
	}
	o.stop, o.take = a.protection(p, o.long, entry)
	o.since, o.expires = q.Seq, nil
	t = trading.Terms{Price: o.price, LimitPrice: o.limit, StopLoss: o.stop, TakeProfit: o.take, TimeInForce: trading.GoodTillCancelled}
	switch a.random.IntN(5) {
	case 0:
		t.TimeInForce, o.expires = trading.GoodForDay, ptr(a.market.DayEnd(p))
	case 1, 2:
		t.TimeInForce, o.expires = trading.GoodTillDate, ptr(a.time.Now().Add(time.Duration(10+a.random.IntN(1_200))*time.Minute))
		t.ExpiresAt = o.expires
	}
	return t
}

func (a *scripted) place() (bool, error) {
	cmd, o, known := a.wording()
	if !known || len(a.m.orders) > 12 {
		return false, nil
	}
	_, err := a.engine.Place(a.t.Context(), cmd, a.request(a.o))
	a.m.orders = append(a.m.orders, o)
	return true, agrees(err, true)
}

func (a *scripted) pair() (bool, error) {
	first, o, known := a.wording()
	second, other, also := a.wording()
	if !known || !also || len(a.m.orders) > 12 {
		return false, nil
	}
	_, err := a.engine.Pair(a.t.Context(), trading.Pair{Owner: a.o, Orders: [2]trading.Place{first, second}}, a.request(a.o))
	a.m.pairs++
	o.pair, other.pair = a.m.pairs, a.m.pairs
	a.m.orders = append(a.m.orders, o, other)
	return true, agrees(err, true)
}

func (a *scripted) revise() (bool, error) {
	if len(a.m.orders) == 0 {
		return false, nil
	}
	i := a.random.IntN(len(a.m.orders))
	o := a.m.orders[i]
	t := a.terms(o.product, a.newest[o.product.ID], o)
	_, err := a.engine.Revise(a.t.Context(), trading.Revise{Owner: a.o, OrderID: a.f.Orders[i].ID, Terms: t}, a.request(a.o))
	return true, agrees(err, true)
}

func (a *scripted) cancel() (bool, error) {
	if len(a.m.orders) == 0 {
		return false, nil
	}
	i := a.random.IntN(len(a.m.orders))
	_, err := a.engine.Cancel(a.t.Context(), trading.Cancel{Owner: a.o, OrderID: a.f.Orders[i].ID}, a.request(a.o))
	a.m.end(a.m.orders[i])
	return true, agrees(err, true)
}

// some draws an open position, from the engine and from the model.
func (a *scripted) some() (held trading.Position, mine *modelPosition, ok bool) {
	if len(a.m.positions) == 0 {
		return held, nil, false
	}
	i := a.random.IntN(len(a.m.positions))
	return a.f.Positions[i], a.m.positions[i], true
}

func (a *scripted) protect() (bool, error) {
	held, mine, ok := a.some()
	if !ok {
		return false, nil
	}
	q, price := a.newest[mine.product.ID], int64(0)
	if price = q.Bid; !mine.long {
		price = q.Ask
	}
	stop, take := a.protection(mine.product, mine.long, price)
	trail := mine.trail
	switch a.random.IntN(4) { // 3: the same distance again, which leaves the stop where it is
	case 0:
		trail = nil
	case 1, 2:
		trail = ptr(a.distance(mine.product, price))
	}
	_, err := a.engine.Protect(a.t.Context(), trading.Protect{Owner: a.o, PositionID: held.ID, StopLoss: stop, TakeProfit: take, Trail: trail}, a.request(a.o))
	mine.stop, mine.take, mine.since = stop, take, q.Seq
	if trail != nil && (mine.trail == nil || *mine.trail != *trail) {
		mine.best, mine.bestSeq = price, q.Seq
	}
	mine.trail = trail
	return true, agrees(err, true)
}

func (a *scripted) closePart() (bool, error) {
	held, mine, ok := a.some()
	if !ok {
		return false, nil
	}
	lots := mine.lots
	if n := lots / mine.product.LotStep; n > 1 && a.coin() {
		lots = mine.product.LotStep * (1 + a.random.Int64N(n-1))
	}
	tradable := a.tradable(mine.product.ID)
	_, err := a.engine.Close(a.t.Context(), trading.Close{Owner: a.o, PositionID: held.ID, Lots: lots}, a.request(a.o))
	if tradable {
		a.m.close(mine, lots, a.m.side(mine.product.ID, !mine.long))
	}
	return true, agrees(err, tradable)
}

func (a *scripted) reverse() (bool, error) {
	held, mine, ok := a.some()
	if !ok {
		return false, nil
	}
	tradable := a.tradable(mine.product.ID)
	_, err := a.engine.Reverse(a.t.Context(), trading.Reverse{Owner: a.o, PositionID: held.ID}, a.request(a.o))
	return true, agrees(err, tradable && a.m.reverse(mine, a.newest[mine.product.ID].Seq))
}

func (a *scripted) closeBy() (bool, error) {
	for i, first := range a.m.positions {
		for k, second := range a.m.positions {
			if first.product.ID != second.product.ID || first.long == second.long {
				continue
			}
			tradable := a.tradable(first.product.ID)
			_, err := a.engine.CloseBy(a.t.Context(), trading.CloseBy{Owner: a.o, PositionID: a.f.Positions[i].ID, ByPositionID: a.f.Positions[k].ID}, a.request(a.o))
			if tradable {
				lots, price := min(first.lots, second.lots), nearest(new(big.Rat).SetFrac(second.worth, big.NewInt(second.lots)))
				a.m.close(first, lots, price)
				a.m.close(second, lots, price)
			}
			return true, agrees(err, tradable)
		}
	}
	return false, nil
}

func (a *scripted) closeAll() (bool, error) {
	if len(a.m.positions) == 0 {
		return false, nil
	}
	_, err := a.engine.CloseAll(a.t.Context(), trading.CloseAll{Owner: a.o}, a.request(a.o))
	for _, mine := range slices.Clone(a.m.positions) {
		if a.tradable(mine.product.ID) {
			a.m.close(mine, mine.lots, a.m.side(mine.product.ID, !mine.long))
		}
	}
	return true, agrees(err, true)
}

func (a *scripted) deposit() (bool, error) {
	amount := (50 + a.random.Int64N(5_000)) * unit
	ctx := a.t.Context()
	err := a.db.InTx(ctx, func(tx *db.Tx) error {
		account, err := ledger.LockTx(ctx, tx, a.o.AccountID)
		if err != nil {
			return err
		}
		_, err = ledger.PostTx(ctx, tx, ledger.Transaction{
			Kind: "test", Key: fmt.Sprint("test:", a.keys.Add(1)), Cause: "deposit", Book: a.book, At: a.real.Now(), Entries: account.Receive(amount),
		})
		return err
	})
	if err == nil {
		err = a.engine.reload(ctx, a.o.AccountID)
	}
	a.m.move(amount)
	return true, err
}

func (a *scripted) keep() (bool, error) {
	if len(a.m.positions)+len(a.m.orders) > 0 {
		return false, nil
	}
	a.m.netting = !a.m.netting
	_, err := a.engine.SetPositionMode(context.WithoutCancel(a.t.Context()), trading.SetPositionMode{
		Owner: a.o, Netting: a.m.netting, By: audit.Actor{Kind: "trader", ID: a.o.TraderID},
	}, a.request(a.o))
	return true, agrees(err, true)
}

// reverse reverses a position, or changes nothing when the account can't carry that.
func (m *model) reverse(p *modelPosition, seq int64) bool {
	saved, copied := *m, *p
	m.positions = slices.Clone(m.positions)
	lots := p.lots
	m.close(p, lots, m.side(p.product.ID, !p.long))
	if m.open(p.product, !p.long, lots, p.leverage, nil, nil, seq, nil) {
		return true
	}
	*m, *p = saved, copied
	return false
}

// expire ends the expired orders.
func (m *model) expire(now time.Time) {
	for _, o := range slices.Clone(m.orders) {
		if o.expires != nil && !now.Before(*o.expires) && slices.Contains(m.orders, o) {
			m.end(o)
		}
	}
}

// touches are the products of the account's positions and orders.
func (m *model) touches() map[int]bool {
	out := map[int]bool{}
	for _, p := range m.positions {
		out[p.product.ID] = true
	}
	for _, o := range m.orders {
		out[o.product.ID] = true
	}
	return out
}

// safe estimates quickly whether the account is far from a stop-out.
func (m *model) safe() bool {
	if len(m.positions) == 0 {
		return true
	}
	equity, used := float64(m.cash+m.deficit), 0.0
	for _, p := range m.positions {
		worth, _ := p.worth.Float64()
		move := (float64(p.lots)*float64(m.side(p.product.ID, !p.long)) - worth) / float64(money.Pow10(p.product.Point)) * float64(p.product.ContractSize)
		if !p.long {
			move = -move
		}
		equity += move
		margin, tiers := float64(p.margin), m.tiers(p.product.Tiers)
		if tiers != nil {
			margin *= max(1, float64(p.leverage)/float64(tiers[len(tiers)-1].leverage))
		}
		used += margin
	}
	return equity > 0.75*used
}

// differs returns a difference between the engine and the model, or an empty string.
func (m *model) differs(f trading.Portfolio) string {
	if a := f.Account; a.Cash != m.cash || a.Deficit != m.deficit || a.Netting != m.netting {
		return fmt.Sprintf("cash %d, deficit %d, netting %t in the engine, %d, %d, %t in the model", a.Cash, a.Deficit, a.Netting, m.cash, m.deficit, m.netting)
	}
	ours := make([]map[string]any, len(f.Positions))
	for i, p := range f.Positions {
		ours[i] = map[string]any{
			"product": p.ProductID, "long": p.Side == trading.Buy, "lots": p.Lots, "margin": p.Margin, "worth": p.OpenValue, "leverage": int64(p.Leverage), "swap": p.Swap,
			"stop": text(p.StopLoss), "take": text(p.TakeProfit), "trail": text(p.Trail),
		}
	}
	theirs := make([]map[string]any, len(m.positions))
	for i, p := range m.positions {
		theirs[i] = map[string]any{
			"product": p.product.ID, "long": p.long, "lots": p.lots, "margin": p.margin, "worth": p.worth.Int64(), "leverage": p.leverage, "swap": p.swap,
			"stop": text(p.stop), "take": text(p.take), "trail": text(p.trail),
		}
	}
	if !slices.EqualFunc(ours, theirs, maps.Equal) {
		return fmt.Sprintf("positions %v in the engine, %v in the model", ours, theirs)
	}
	return m.ordersDiffer(f.Orders)
}

func (m *model) ordersDiffer(orders []trading.Order) string {
	ours := make([]string, len(orders))
	for i, o := range orders {
		ours[i] = fmt.Sprint(o.ProductID, o.Type, o.Side == trading.Buy, o.Lots, *o.Price, text(o.LimitPrice), o.ArmedSeq != nil, o.OCO != nil)
	}
	theirs := make([]string, len(m.orders))
	for i, o := range m.orders {
		theirs[i] = fmt.Sprint(o.product.ID, o.kind, o.long, o.lots, o.price, text(o.limit), o.armed, o.pair != 0)
	}
	if !slices.Equal(ours, theirs) {
		return fmt.Sprintf("orders %v in the engine, %v in the model", ours, theirs)
	}
	return ""
}

func text(v *int64) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprint(*v)
}
