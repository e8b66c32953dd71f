package trading

import (
	"strconv"

	"candor/app/audit"
	"candor/app/market"
)

// netted is the position that an order for a product joins or works against: the only one of it, in a netting account.
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

// enter writes what an order opens, if the account can carry it; ErrMargin otherwise, with nothing written. In a netting account it joins the
// position of its side, or closes as much of one on the other side and opens the rest.
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
	legs, err := rules.turnRound(f, o, held)
	if err != nil {
		return Outcome{}, err
	}
	return rules.write(j, f, order, legs...)
}

// turnRound closes a position that stands against an order, as far as the order reaches, and opens what is left of the order.
func (rules *Rules) turnRound(f Portfolio, o opening, held Position) ([]leg, error) {
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

// openLeg is an opening fill and the position that it makes or joins. It returns ErrMargin when the account can't carry it,
// and ErrRestricted when its trader is kept from new positions.
func (rules *Rules) openLeg(f Portfolio, o opening, held Position) (l leg, err error) {
	if o.product.Mode == market.CloseOnly {
		return l, ErrCloseOnly
	}
	if err := rules.mayOpen(f); err != nil {
		return l, err
	}
	if held.ID != 0 {
		o.leverage = held.Leverage // a position has one
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
	return l, rules.affords(f, l.position, l.draft)
}

// SetPositionMode changes how an account keeps its positions. It returns ErrNotFlat while there are positions, or orders that would make some.
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
