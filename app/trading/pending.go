package trading

import (
	"errors"
	"slices"

	"candor/app/market"
)

// Place adds a pending order.
func (rules *Rules) Place(j Journal, f Portfolio, cmd Place) (Outcome, error) {
	if !cmd.Side.valid() {
		return Outcome{}, ErrSide
	}
	if !slices.Contains([]OrderType{LimitOrder, StopOrder, StopLimitOrder}, cmd.Type) {
		return Outcome{}, ErrOrderType
	}
	p, err := rules.market.Product(cmd.ProductID)
	if err != nil {
		return Outcome{}, err
	}
	if err := checkLots(p, cmd.Lots); err != nil {
		return Outcome{}, err
	}
	if err := rules.checkLeverage(f.Account, p, cmd.Country, cmd.Leverage); err != nil {
		return Outcome{}, err
	}
	if p.Mode == market.CloseOnly {
		return Outcome{}, ErrCloseOnly
	}
	if err := rules.checkMayOpen(f); err != nil {
		return Outcome{}, err
	}
	if len(f.Orders) >= MaxOrders {
		return Outcome{}, ErrManyOrders.With("limit", MaxOrders)
	}
	o := Order{
		AccountID: f.Account.ID, ProductID: p.ID, Type: cmd.Type, Intent: EntryOpen, Side: cmd.Side, Lots: cmd.Lots, Leverage: cmd.Leverage,
		Source: sourceUser, Status: cmd.Type.InitialStatus(), Revision: 1, CreatedAt: rules.clock.Now(),
	}
	if o, err = rules.applyTerms(p, o, cmd.Terms); err != nil {
		return Outcome{}, err
	}
	if o.ID, err = j.InsertOrder(o); err != nil {
		return Outcome{}, err
	}
	return rules.amended(j, f, o)
}

// Pair adds two pending orders of which one cancels the other.
func (rules *Rules) Pair(j Journal, f Portfolio, cmd Pair) (Outcome, error) {
	out := Outcome{Portfolio: f}
	var pair []Order
	for _, one := range cmd.Orders {
		placed, err := rules.Place(j, out.Portfolio, one)
		if err != nil {
			return Outcome{}, err
		}
		out, pair = placed, append(pair, *placed.order)
	}
	for i := range pair {
		pair[i].OCO = &pair[0].ID
		if err := j.UpdateOrder(pair[i], pair[i].Revision); err != nil {
			return Outcome{}, err
		}
		out.Portfolio = out.Portfolio.WithOrder(pair[i])
	}
	out.order, out.orders = &pair[0], pair
	return out, nil
}

// Revise amends a pending order.
func (rules *Rules) Revise(j Journal, f Portfolio, cmd Revise) (Outcome, error) {
	o, err := rules.findPending(j, f, cmd.OrderID)
	if err != nil {
		return Outcome{}, err
	}
	p, err := rules.market.Product(o.ProductID)
	if err != nil {
		return Outcome{}, err
	}
	before := o.Revision
	if o, err = rules.applyTerms(p, o, cmd.Terms); err != nil {
		return Outcome{}, err
	}
	o.Revision++
	if err := j.UpdateOrder(o, before); err != nil {
		return Outcome{}, err
	}
	return rules.amended(j, f, o)
}

// amended records an order's new terms and updates the portfolio.
func (rules *Rules) amended(j Journal, f Portfolio, o Order) (Outcome, error) {
	if err := j.InsertRevision(o, rules.clock.Now()); err != nil {
		return Outcome{}, err
	}
	var err error
	if f.Account.Version, err = j.Touch(f.Account.ID); err != nil {
		return Outcome{}, err
	}
	return Outcome{Portfolio: f.WithOrder(o), order: &o}, nil
}

// applyTerms checks terms against the newest quote and returns the order with them. A closed market is no obstacle.
func (rules *Rules) applyTerms(p market.Product, o Order, t Terms) (Order, error) {
	q, ok := rules.market.Newest(p.ID)
	if !ok {
		return o, market.ErrNoPrice
	}
	if (o.Type == StopLimitOrder) != (t.LimitPrice != nil) {
		return o, ErrOrderType
	}
	if err := rules.applyTimeInForce(p, &t); err != nil {
		return o, err
	}
	armed := o.ArmedSeq != nil
	if armed {
		t.Price = *o.Price // the stop has triggered: only the limit can change
	}
	o = o.withTerms(t, q)
	if err := checkTrigger(p, q, o, armed); err != nil {
		return o, err
	}
	entry := o.EntryPrice()
	return o, checkProtection(p, market.Quote{Bid: entry, Ask: entry}, o.Side, o.StopLoss, o.TakeProfit)
}

func (rules *Rules) applyTimeInForce(p market.Product, t *Terms) error {
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

// checkTrigger requires the order's price on its own side of the market, at least the product's stop level away: buy limits and sell stops below, sell limits
// and buy stops above the fill price.
func checkTrigger(p market.Product, q market.Quote, o Order, armed bool) error {
	if o.LimitPrice != nil && *o.LimitPrice <= 0 {
		return ErrPriceAbove.With("limit", p.FormatPrice(1))
	}
	if armed {
		return nil
	}
	market, distance := OpeningPrice(o.Side, q), max(int64(p.StopLevel), 1)
	if below := (o.Side == Buy) == (o.Type == LimitOrder); below {
		if highest := market - distance; *o.Price <= 0 || *o.Price > highest {
			return ErrPriceBelow.With("limit", p.FormatPrice(highest))
		}
	} else if lowest := market + distance; *o.Price < lowest {
		return ErrPriceAbove.With("limit", p.FormatPrice(lowest))
	}
	return nil
}

// findPending finds a pending order of the account. It returns ErrOrderEnded for one that has ended, ErrOrder for an unknown one.
func (rules *Rules) findPending(j Journal, f Portfolio, id int64) (Order, error) {
	for _, o := range f.Orders {
		if o.ID == id {
			return o, nil
		}
	}
	o, err := j.ReadOrder(f.Account.ID, id)
	if err != nil {
		return o, err
	}
	return o, ErrOrderEnded.With("status", string(o.Status))
}

// end ends a pending order without a fill, and the other order of its pair.
func (rules *Rules) end(j Journal, f Portfolio, o Order, status OrderStatus, reason EndReason) (Outcome, error) {
	o = o.ended(status, reason, rules.clock.Now())
	f, err := rules.advance(j, f, o)
	if err != nil {
		return Outcome{}, err
	}
	return rules.endOther(j, Outcome{Portfolio: f.WithoutOrder(o.ID), order: &o})
}

// advance writes an order's new state.
func (rules *Rules) advance(j Journal, f Portfolio, o Order) (Portfolio, error) {
	err := j.UpdateOrder(o, o.Revision)
	if err == nil {
		f.Account.Version, err = j.Touch(f.Account.ID)
	}
	return f, err
}

// endOther ends the other order of the pair of an ended order.
func (rules *Rules) endOther(j Journal, out Outcome) (Outcome, error) {
	ended := *out.order
	if ended.OCO == nil {
		return out, nil
	}
	for _, other := range out.Portfolio.Orders {
		if other.OCO == nil || *other.OCO != *ended.OCO {
			continue
		}
		other = other.ended(Cancelled, OtherEnded, rules.clock.Now())
		if err := j.UpdateOrder(other, other.Revision); err != nil {
			return Outcome{}, err
		}
		out.Portfolio = out.Portfolio.WithoutOrder(other.ID)
		out.orders = []Order{ended, other}
	}
	return out, nil
}

// trigger arms a stop-limit order at its stop and fills an order whose price is reached. An order that the account can't carry is cancelled with that reason.
func (rules *Rules) trigger(j Journal, f Portfolio, o Order, q market.Quote) (Outcome, error) {
	if o.Overdue(q.At()) {
		return rules.end(j, f, o, Expired, TimeIsUp)
	}
	if o.Type == StopLimitOrder && o.Status == Untriggered {
		armed, err := rules.arm(j, f, o, q)
		if err != nil || !armed.order.LimitReached(q) {
			return armed, err
		}
		f, o = armed.Portfolio, *armed.order
	}
	if len(f.Positions) >= MaxPositions {
		return rules.end(j, f, o, Cancelled, TooManyPositions)
	}
	p, err := rules.market.Product(o.ProductID)
	if err != nil {
		return Outcome{}, err
	}
	limit := o.EntryPrice()
	out, err := rules.enter(j, f, opening{
		product: p, quote: q, side: o.Side, lots: o.Lots, leverage: o.Leverage, stopLoss: o.StopLoss, takeProfit: o.TakeProfit,
		rule: o.FillRule(), limit: &limit, order: &o,
	})
	switch {
	case errors.Is(err, ErrMargin), errors.Is(err, ErrCash):
		return rules.end(j, f, o, Cancelled, NoMargin)
	case errors.Is(err, ErrCloseOnly):
		return rules.end(j, f, o, Cancelled, ClosingOnly)
	case errors.Is(err, ErrRestricted):
		return rules.end(j, f, o, Cancelled, Restricted)
	case err != nil:
		return Outcome{}, err
	}
	return rules.endOther(j, out)
}

// arm turns a stop-limit order whose stop is reached into a working limit order.
func (rules *Rules) arm(j Journal, f Portfolio, o Order, q market.Quote) (Outcome, error) {
	o.Status, o.ArmedSeq, o.SinceSeq = Working, &q.Seq, q.Seq
	f, err := rules.advance(j, f, o)
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{Portfolio: f.WithOrder(o), order: &o}, nil
}

// Cancel ends a pending order. Refusals: ErrOrder, ErrOrderEnded.
func (rules *Rules) Cancel(j Journal, f Portfolio, cmd Cancel) (Outcome, error) {
	o, err := rules.findPending(j, f, cmd.OrderID)
	if err != nil {
		return Outcome{}, err
	}
	return rules.end(j, f, o, Cancelled, ByTrader)
}

// CancelAll ends all pending orders, or those of one product.
func (rules *Rules) CancelAll(j Journal, f Portfolio, cmd CancelAll) (Outcome, error) {
	all := Outcome{Portfolio: f, cancelled: []int64{}}
	for _, o := range f.Orders {
		if _, resting := all.Portfolio.FindOrder(o.ID); !resting || (cmd.ProductID != 0 && o.ProductID != cmd.ProductID) {
			continue // already ended with its pair
		}
		out, err := rules.end(j, all.Portfolio, o, Cancelled, ByTrader)
		if err != nil {
			return Outcome{}, err
		}
		all.Portfolio, all.cancelled = out.Portfolio, append(all.cancelled, o.ID)
		for _, one := range out.orders[min(1, len(out.orders)):] {
			all.cancelled = append(all.cancelled, one.ID)
		}
	}
	return all, nil
}

// FireOrder triggers a pending order at a quote. It returns nil when the order has ended or the quote does not trigger it.
func (rules *Rules) FireOrder(j Journal, f Portfolio, orderID int64, q market.Quote) (*Outcome, error) {
	o, resting := f.FindOrder(orderID)
	if !resting || !o.Triggers(q) {
		return nil, nil
	}
	out, err := rules.trigger(j, f, o, q)
	return &out, err
}

// ExpireOrder ends an expired pending order. It returns nil when the order has ended or has not expired.
func (rules *Rules) ExpireOrder(j Journal, f Portfolio, orderID int64) (*Outcome, error) {
	o, resting := f.FindOrder(orderID)
	if !resting || !o.Overdue(rules.market.Now()) {
		return nil, nil
	}
	out, err := rules.end(j, f, o, Expired, TimeIsUp)
	return &out, err
}
