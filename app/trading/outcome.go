package trading

import (
	"slices"

	"candor/app/market"
)

// Outcome is the result of a rule: the portfolio afterwards and everything it did.
type Outcome struct {
	Portfolio Portfolio
	fill      *Fill
	Position  Position
	order     *Order
	orders    []Order // both orders of a pair
	cancelled []int64
	fills     []Fill // every fill, where there can be several
	skipped   []Skip
	call      int64         // the new margin call; 0 for none
	Trail     *market.Quote // the quote at which a trailing stop began
}

// Changes are the outcome's events: one per fill, margin call and further order; one without details when there is none of them.
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

// Done is the result for the trader, with the account valued afterwards.
func (out Outcome) Done(v Valuation) Done {
	done := Done{
		Fill: out.fill, Position: out.Position, Order: out.order, Orders: out.orders, Cancelled: out.cancelled, Fills: out.fills, Skipped: out.skipped,
		Netting: v.Account.Netting, Totals: v.Totals(),
	}
	if i := slices.IndexFunc(v.Positions, func(one Valued) bool { return one.ID == out.Position.ID }); i >= 0 {
		done.Value = &v.Positions[i].Value
	}
	return done
}

// then merges the outcome with the one that followed it.
func (out Outcome) then(next Outcome) Outcome {
	next.fills = append(out.allFills(), next.allFills()...)
	next.skipped = append(out.skipped, next.skipped...)
	return next
}

// allFills are the outcome's fills, oldest first.
func (out Outcome) allFills() []Fill {
	if out.fills != nil || out.fill == nil {
		return out.fills
	}
	return []Fill{*out.fill}
}
