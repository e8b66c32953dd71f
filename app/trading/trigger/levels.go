package trigger

import "candor/app/trading"

// entering and leaving are the directions in which a price must move to reach a level of an order or of a position.
func entering(side trading.Side, rises bool) direction {
	switch {
	case side == trading.Buy && rises:
		return askRises
	case side == trading.Buy:
		return askFalls
	case rises:
		return bidRises
	}
	return bidFalls
}

func leaving(side trading.Side, rises bool) direction { return entering(side.Opposite(), rises) }

// positionLevels adds the levels that trigger a position's protection, unless a task for it is under way, and the next better price of its trailing stop.
func positionLevels(list []entry, p *trading.Position, from Extreme, busy bool) []entry {
	stop, take := leaving(p.Side, p.Side == trading.Sell), leaving(p.Side, p.Side == trading.Buy)
	add := func(why purpose, d direction, price int64) {
		list = append(list, entry{level: d.along(price), id: p.ID, product: int32(p.ProductID), direction: d, purpose: why}) //nolint:gosec // a product's id
	}
	if !busy && p.StopLoss != nil {
		add(triggers, stop, *p.StopLoss)
	}
	if !busy && p.TakeProfit != nil {
		add(triggers, take, *p.TakeProfit)
	}
	if p.Trail == nil || from.Quote.Seq == 0 {
		return list
	}
	if !busy {
		add(triggers, stop, trading.TrailLevel(*p, from.Quote))
	}
	add(bests, take, take.beyond(trading.ClosingPrice(p.Side, from.Quote)))
	return list
}

// orderLevels adds the level that triggers an order, and its expiry.
func orderLevels(list []entry, o *trading.Order) []entry {
	if o.ExpiresAt != nil {
		list = append(list, entry{level: o.ExpiresAt.UnixNano(), id: o.ID, direction: clockRuns, order: true})
	}
	d, price := entering(o.Side, o.Side == trading.Buy), o.Price
	if o.Status == trading.Working {
		limit := o.EntryPrice()
		d, price = entering(o.Side, o.Side == trading.Sell), &limit
	}
	return append(list, entry{level: d.along(*price), id: o.ID, product: int32(o.ProductID), direction: d, order: true}) //nolint:gosec // a product's id
}
