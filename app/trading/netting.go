package trading

import (
	"strconv"

	"candor/app/audit"
	"candor/app/market"
)

// netted is the position that an order for the product joins or offsets in a netting account.
func (f Portfolio) netted(productID int) (Position, bool) {
	if f.Account.Netting {
		for _, p := range f.Positions {
			if p.ProductID == productID {
				return p, true
			}
		}
	}
	return Position{}, false
}

// enter fills an order. In a netting account the order joins the position of its side, or offsets the opposite one and opens the rest. It returns ErrMargin or ErrCash
// when the account can't carry it, ErrCloseOnly and ErrRestricted, with nothing written.
func (rules *Rules) enter(j Journal, f Portfolio, o opening) (Outcome, error) {
	order := o.marketOrder(f.Account.ID, rules.clock.Now())
	if o.order != nil {
		order = *o.order
	}
	held, ok := f.netted(o.product.ID)
	if !ok || held.Side == o.side {
		joined, err := rules.openLeg(f, o, held)
		if err != nil {
			return Outcome{}, err
		}
		return rules.write(j, f, order, joined)
	}
	legs, err := rules.offset(f, o, held)
	if err != nil {
		return Outcome{}, err
	}
	return rules.write(j, f, order, legs...)
}

// offset closes the opposite position up to the order's lots and opens the rest.
func (rules *Rules) offset(f Portfolio, o opening, held Position) ([]leg, error) {
	lots := min(o.lots, held.Lots)
	closing, err := rules.closeLeg(f, closing{position: held, lots: lots, rule: o.rule, limit: o.limit, quote: o.quote})
	if err != nil || lots == o.lots {
		return []leg{closing}, err
	}
	after := f.With(closing.position)
	after.Account = f.Account.Apply(f.Account.Result(closing.Profit, closing.Fill.Commission))
	o.lots -= lots
	opened, err := rules.openLeg(after, o, Position{})
	return []leg{closing, opened}, err
}

// openLeg computes an opening fill and the position after it. It returns ErrMargin, ErrCash, ErrCloseOnly or ErrRestricted.
func (rules *Rules) openLeg(f Portfolio, o opening, held Position) (l leg, err error) {
	if o.product.Mode == market.CloseOnly {
		return l, ErrCloseOnly
	}
	if err := rules.checkMayOpen(f); err != nil {
		return l, err
	}
	if held.ID != 0 {
		o.leverage = held.Leverage // a position has one leverage
	}
	if l.draft, err = rules.priceOpen(f, o); err != nil {
		return l, err
	}
	if err = l.opens(held, o); err != nil {
		return l, err
	}
	if held.ID == 0 {
		l.position.RolledDay = market.LastRollover(f.Now).Day
	}
	return l, rules.checkMargin(f, l.position, l.draft)
}

// SetPositionMode switches between netting and hedging. It returns ErrNotFlat while there are positions or pending orders.
func (rules *Rules) SetPositionMode(j Journal, f Portfolio, cmd SetPositionMode) (Outcome, error) {
	if f.Account.Netting == cmd.Netting {
		return Outcome{Portfolio: f}, nil
	}
	if len(f.Positions)+len(f.Orders) > 0 {
		return Outcome{}, ErrNotFlat
	}
	e := audit.By(cmd.By, rules.clock.Now(), "account.keep", "account", f.Account.ID)
	e.Before, e.After = strconv.FormatBool(f.Account.Netting), strconv.FormatBool(cmd.Netting)
	f.Account.Netting = cmd.Netting
	f.Account.Version++
	return Outcome{Portfolio: f}, j.SetPositionMode(f.Account.ID, cmd.Netting, e)
}
