package trading

import (
	"errors"
	"slices"

	"candor/app/market"
)

func (rules *Rules) Place(j journal, f portfolio, cmd Place) (outcome, error) {
	if !cmd.Side.valid() {
		return outcome{}, ErrSide
	}
	if !slices.Contains([]OrderType{LimitOrder, StopOrder, StopLimitOrder}, cmd.Type) {
		return outcome{}, ErrOrderType
	}
	p, err := rules.market.Product(cmd.ProductID)
	if err != nil {
		return outcome{}, err
	}
	if err := checkLots(p, cmd.Lots); err != nil {
		return outcome{}, err
	}
	if err := rules.checkLeverage(p, cmd.Country, cmd.Leverage); err != nil {
		return outcome{}, err
	}
	if p.Mode == market.CloseOnly {
		return outcome{}, ErrCloseOnly
	}
	if err := rules.mayOpen(f); err != nil {
		return outcome{}, err
	}
	if len(f.orders) >= MaxOrders {
		return outcome{}, ErrManyOrders.With("limit", MaxOrders)
	}
	o := Order{
		AccountID: f.account.ID, ProductID: p.ID, Type: cmd.Type, Intent: entryOpen, Side: cmd.Side, Lots: cmd.Lots, Leverage: cmd.Leverage,
		Source: sourceUser, Status: cmd.Type.first(), Revision: 1, CreatedAt: rules.clock.Now(),
	}
	if o, err = rules.settle(p, o, cmd.Terms); err != nil {
		return outcome{}, err
	}
	if o.ID, err = j.insertOrder(o); err != nil {
		return outcome{}, err
	}
	return rules.amended(j, f, o)
}

func (rules *Rules) Pair(j journal, f portfolio, cmd Pair) (outcome, error) {
	out := outcome{portfolio: f}
	var pair []Order
	for _, one := range cmd.Orders {
		placed, err := rules.Place(j, out.portfolio, one)
		if err != nil {
			return outcome{}, err
		}
		out, pair = placed, append(pair, *placed.order)
	}
	for i := range pair {
		pair[i].OCO = &pair[0].ID
		if err := j.updateOrder(pair[i], pair[i].Revision); err != nil {
			return outcome{}, err
		}
		out.portfolio = out.portfolio.withOrder(pair[i])
	}
	out.order, out.orders = &pair[0], pair
	return out, nil
}

func (rules *Rules) Revise(j journal, f portfolio, cmd Revise) (outcome, error) {
	o, err := rules.findResting(j, f, cmd.OrderID)
	if err != nil {
		return outcome{}, err
	}
	p, err := rules.market.Product(o.ProductID)
	if err != nil {
		return outcome{}, err
	}
	before := o.Revision
	if o, err = rules.settle(p, o, cmd.Terms); err != nil {
		return outcome{}, err
	}
	o.Revision++
	if err := j.updateOrder(o, before); err != nil {
		return outcome{}, err
	}
	return rules.amended(j, f, o)
}

// amended notes an order's terms and puts it into the portfolio.
func (rules *Rules) amended(j journal, f portfolio, o Order) (outcome, error) {
	if err := j.insertRevision(o, rules.clock.Now()); err != nil {
		return outcome{}, err
	}
	var err error
	if f.account.Version, err = j.touch(f.account.ID); err != nil {
		return outcome{}, err
	}
	return outcome{portfolio: f.withOrder(o), order: &o}, nil
}

// settle checks terms against the newest quote and gives them to the order. A market that is closed now does not hinder: the order waits.
func (rules *Rules) settle(p market.Product, o Order, t Terms) (Order, error) {
	q, ok := rules.market.Newest(p.ID)
	if !ok {
		return o, market.ErrNoPrice
	}
	if (o.Type == StopLimitOrder) != (t.LimitPrice != nil) {
		return o, ErrOrderType
	}
	if err := rules.settleTime(p, &t); err != nil {
		return o, err
	}
	armed := o.ArmedSeq != nil
	if armed {
		t.Price = *o.Price // its stop has triggered: only the limit can move
	}
	o = o.with(t, q)
	if err := checkTrigger(p, q, o, armed); err != nil {
		return o, err
	}
	entry := o.entryPrice()
	return o, checkProtection(p, market.Quote{Bid: entry, Ask: entry}, o.Side, o.StopLoss, o.TakeProfit)
}

func (rules *Rules) settleTime(p market.Product, t *Terms) error {
	switch t.TimeInForce {
	case GoodTillCancelled:
		t.ExpiresAt = nil
	case GoodForDay:
		end := rules.market.DayEnd(p)
		t.ExpiresAt = &end
	case GoodTillDate:
		if t.ExpiresAt == nil || !t.ExpiresAt.After(rules.market.Now()) {
			return ErrExpiry
		}
	default:
		return ErrTime
	}
	return nil
}

// checkTrigger demands that an order's price lies on its own side of the market, at least the product's stop level away: a buy limit and a sell stop
// below, a sell limit and a buy stop above the price at which they would fill.
func checkTrigger(p market.Product, q market.Quote, o Order, armed bool) error {
	if o.LimitPrice != nil && *o.LimitPrice <= 0 {
		return ErrPriceAbove.With("limit", p.FormatPrice(1))
	}
	if armed {
		return nil
	}
	market, distance := openingPrice(o.Side, q), max(int64(p.StopLevel), 1)
	if below := (o.Side == Buy) == (o.Type == LimitOrder); below {
		if highest := market - distance; *o.Price <= 0 || *o.Price > highest {
			return ErrPriceBelow.With("limit", p.FormatPrice(highest))
		}
	} else if lowest := market + distance; *o.Price < lowest {
		return ErrPriceAbove.With("limit", p.FormatPrice(lowest))
	}
	return nil
}

// findResting finds one's resting order; one that has ended meanwhile is ErrOrderEnded.
func (rules *Rules) findResting(j journal, f portfolio, id int64) (Order, error) {
	for _, o := range f.orders {
		if o.ID == id {
			return o, nil
		}
	}
	o, err := j.readOrder(f.account.ID, id)
	if err != nil {
		return o, err
	}
	return o, ErrOrderEnded.With("status", string(o.Status))
}

// end ends a resting order without a fill, and the one that it is paired with.
func (rules *Rules) end(j journal, f portfolio, o Order, status OrderStatus, reason EndReason) (outcome, error) {
	o = o.ended(status, reason, rules.clock.Now())
	f, err := rules.advance(j, f, o)
	if err != nil {
		return outcome{}, err
	}
	return rules.endOther(j, outcome{portfolio: f.withoutOrder(o.ID), order: &o})
}

// advance writes an order's new state; the account has changed with it.
func (rules *Rules) advance(j journal, f portfolio, o Order) (portfolio, error) {
	err := j.updateOrder(o, o.Revision)
	if err == nil {
		f.account.Version, err = j.touch(f.account.ID)
	}
	return f, err
}

// endOther ends the order that an outcome's ended one is paired with.
func (rules *Rules) endOther(j journal, out outcome) (outcome, error) {
	ended := *out.order
	if ended.OCO == nil {
		return out, nil
	}
	for _, other := range out.portfolio.orders {
		if other.OCO == nil || *other.OCO != *ended.OCO {
			continue
		}
		other = other.ended(Cancelled, OtherEnded, rules.clock.Now())
		if err := j.updateOrder(other, other.Revision); err != nil {
			return outcome{}, err
		}
		out.portfolio = out.portfolio.withoutOrder(other.ID)
		out.orders = []Order{ended, other}
	}
	return out, nil
}

// trigger does what a quote sets off: a stop-limit order is armed, and whatever may be filled at the quote is filled. An order that the account
// can't carry any more is cancelled with that reason.
func (rules *Rules) trigger(j journal, f portfolio, o Order, q market.Quote) (outcome, error) {
	if o.over(q.At()) {
		return rules.end(j, f, o, Expired, TimeIsUp)
	}
	if o.Type == StopLimitOrder && o.Status == Untriggered {
		armed, err := rules.arm(j, f, o, q)
		if err != nil || !armed.order.limitReached(q) {
			return armed, err
		}
		f, o = armed.portfolio, *armed.order
	}
	if len(f.positions) >= MaxPositions {
		return rules.end(j, f, o, Cancelled, TooManyPositions)
	}
	p, err := rules.market.Product(o.ProductID)
	if err != nil {
		return outcome{}, err
	}
	limit := o.entryPrice()
	out, err := rules.enter(j, f, opening{
		product: p, quote: q, side: o.Side, lots: o.Lots, leverage: o.Leverage, stopLoss: o.StopLoss, takeProfit: o.TakeProfit,
		rule: o.rule(), limit: &limit, order: &o,
	})
	switch {
	case errors.Is(err, ErrMargin):
		return rules.end(j, f, o, Cancelled, NoMargin)
	case errors.Is(err, ErrCloseOnly):
		return rules.end(j, f, o, Cancelled, ClosingOnly)
	case errors.Is(err, ErrRestricted):
		return rules.end(j, f, o, Cancelled, Restricted)
	case err != nil:
		return outcome{}, err
	}
	return rules.endOther(j, out)
}

// register turns a stop-limit order whose stop has triggered into a working limit order.
func (rules *Rules) arm(j journal, f portfolio, o Order, q market.Quote) (outcome, error) {
	o.Status, o.ArmedSeq, o.SinceSeq = Working, &q.Seq, q.Seq
	f, err := rules.advance(j, f, o)
	if err != nil {
		return outcome{}, err
	}
	return outcome{portfolio: f.withOrder(o), order: &o}, nil
}

// Cancel ends a resting order. Refusals: ErrOrder, ErrOrderEnded.
func (rules *Rules) Cancel(j journal, f portfolio, cmd Cancel) (outcome, error) {
	o, err := rules.findResting(j, f, cmd.OrderID)
	if err != nil {
		return outcome{}, err
	}
	return rules.end(j, f, o, Cancelled, ByTrader)
}

// CancelAll ends all resting orders, or those of one product.
func (rules *Rules) CancelAll(j journal, f portfolio, cmd CancelAll) (outcome, error) {
	all := outcome{portfolio: f, cancelled: []int64{}}
	for _, o := range f.orders {
		if _, resting := all.portfolio.findOrder(o.ID); !resting || (cmd.ProductID != 0 && o.ProductID != cmd.ProductID) {
			continue // its pair has ended it already
		}
		out, err := rules.end(j, all.portfolio, o, Cancelled, ByTrader)
		if err != nil {
			return outcome{}, err
		}
		all.portfolio, all.cancelled = out.portfolio, append(all.cancelled, o.ID)
		for _, one := range out.orders[min(1, len(out.orders)):] {
			all.cancelled = append(all.cancelled, one.ID)
		}
	}
	return all, nil
}

// FireOrder acts on a resting order that a quote triggers. It returns nil when the order no longer rests or the quote does not trigger it.
func (rules *Rules) FireOrder(j journal, f portfolio, orderID int64, q market.Quote) (*outcome, error) {
	o, resting := f.findOrder(orderID)
	if !resting || !o.triggers(q) {
		return nil, nil
	}
	out, err := rules.trigger(j, f, o, q)
	return &out, err
}

// ExpireOrder ends a resting order whose time is up. It returns nil when the order no longer rests or its time is not up.
func (rules *Rules) ExpireOrder(j journal, f portfolio, orderID int64) (*outcome, error) {
	o, resting := f.findOrder(orderID)
	if !resting || !o.over(rules.market.Now()) {
		return nil, nil
	}
	out, err := rules.end(j, f, o, Expired, TimeIsUp)
	return &out, err
}
