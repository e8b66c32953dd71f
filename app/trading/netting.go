package trading

import (
	"candor/app/audit"
	"candor/app/market"
	"strconv"
)

// netted is the position that an order for a product joins or works against: the only one of it, in a netting account.
func (f portfolio) netted(productID int) (Position, bool) {
	if f.account.Netting {
		for _, p := range f.positions {
			if p.ProductID == productID {
				return p, true
			}
		}
	}
	return Position{}, false
}

// enter writes what an order opens, if the account can carry it; ErrMargin otherwise, with nothing written. In a netting account it joins the
// position of its side, or closes as much of one on the other side and opens the rest.
func (rules *Rules) enter(j journal, f portfolio, o opening) (outcome, error) {
	order := o.marketOrder(f.account.ID, rules.clock.Now())
	if o.order != nil {
		order = *o.order
	}
	held, ok := f.netted(o.product.ID)
	if !ok || held.Side == o.side {
		joined, err := rules.openLeg(f, o, held)
		if err != nil {
			return outcome{}, err
		}
		return rules.write(j, f, order, joined)
	}
	legs, err := rules.turnRound(f, o, held)
	if err != nil {
		return outcome{}, err
	}
	return rules.write(j, f, order, legs...)
}

// turnRound closes a position that stands against an order, as far as the order reaches, and opens what is left of the order.
func (rules *Rules) turnRound(f portfolio, o opening, held Position) ([]leg, error) {
	lots := min(o.lots, held.Lots)
	closing, err := rules.closeLeg(f, closing{position: held, lots: lots, rule: o.rule, limit: o.limit, quote: o.quote})
	if err != nil || lots == o.lots {
		return []leg{closing}, err
	}
	after := f.with(closing.position)
	after.account = f.account.Apply(f.account.Result(closing.Profit, closing.Fill.Commission))
	o.lots -= lots
	opened, err := rules.openLeg(after, o, Position{})
	return []leg{closing, opened}, err
}

// openLeg is an opening fill and the position that it makes or joins. It returns ErrMargin when the account can't carry it,
// and ErrRestricted when its trader is kept from new positions.
func (rules *Rules) openLeg(f portfolio, o opening, held Position) (l leg, err error) {
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
		l.position.RolledDay = market.LastRollover(f.now).Day
	}
	return l, rules.affords(f, l.position, l.draft)
}

// SetPositionMode changes how an account keeps its positions. It returns ErrNotFlat while there are positions, or orders that would make some.
func (rules *Rules) SetPositionMode(j journal, f portfolio, cmd SetPositionMode) (outcome, error) {
	if f.account.Netting == cmd.Netting {
		return outcome{portfolio: f}, nil
	}
	if len(f.positions)+len(f.orders) > 0 {
		return outcome{}, ErrNotFlat
	}
	e := audit.By(cmd.By, rules.clock.Now(), "account.keep", "account", f.account.ID)
	e.Before, e.After = strconv.FormatBool(f.account.Netting), strconv.FormatBool(cmd.Netting)
	f.account.Netting = cmd.Netting
	f.account.Version++
	return outcome{portfolio: f}, j.setPositionMode(f.account.ID, cmd.Netting, e)
}
