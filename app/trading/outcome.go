package trading

import "candor/app/market"

// Outcome is what a command left behind: the portfolio after it, and the fill and position it is about.
type Outcome struct {
	Portfolio Portfolio
	fill      *Fill
	Position  Position
	order     *Order
	orders    []Order // all of them, where there are two
	cancelled []int64
	fills     []Fill // all of them, where there may be more than one
	skipped   []Skip
	call      int64         // the margin call that was made; 0 is none
	Trail     *market.Quote // at which a trailing stop began
}

// Changes are the events that an outcome gives: one a fill, or one at all.
func (out Outcome) Changes() (list []Change) {
	c := Change{AccountID: out.Portfolio.Account.ID}
	if out.order != nil {
		c.OrderID = out.order.ID
	}
	for _, fill := range out.allFills() {
		c.FillID = fill.ID
		list = append(list, c)
	}
	if out.call != 0 {
		list = append(list, Change{AccountID: c.AccountID, CallID: out.call})
	}
	if len(list) == 0 {
		list = []Change{c}
	}
	for _, other := range out.orders[min(1, len(out.orders)):] {
		list = append(list, Change{AccountID: c.AccountID, OrderID: other.ID})
	}
	return list
}

// Done is the outcome as its trader hears of it.
func (out Outcome) Done(v Valuation) Done {
	return Done{
		Fill: out.fill, Position: out.Position, Order: out.order, Orders: out.orders, Cancelled: out.cancelled, Fills: out.fills, Skipped: out.skipped, Valuation: v,
	}
}

// and is one outcome after another: the state after both, and the fills of both.
func (out Outcome) and(next Outcome) Outcome {
	next.fills = append(out.allFills(), next.allFills()...)
	next.skipped = append(out.skipped, next.skipped...)
	return next
}

// allFills are the fills of an outcome, oldest first.
func (out Outcome) allFills() []Fill {
	if out.fills != nil || out.fill == nil {
		return out.fills
	}
	return []Fill{*out.fill}
}
