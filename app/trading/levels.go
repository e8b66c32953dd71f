package trading

// entering and leaving are the directions in which the price that an order or a position of a side waits for has to move.
func entering(side Side, rises bool) direction {
	switch {
	case side == Buy && rises:
		return askRises
	case side == Buy:
		return askFalls
	case rises:
		return bidRises
	}
	return bidFalls
}

func leaving(side Side, rises bool) direction { return entering(side.Opposite(), rises) }

// positionLevels adds the levels that set a position's protection off, unless that is being worked on, and the next best price of its trailing stop.
func positionLevels(list []entry, p *Position, from trailingExtreme, busy bool) []entry {
	stop, take := leaving(p.Side, p.Side == Sell), leaving(p.Side, p.Side == Buy)
	add := func(why purpose, d direction, price int64) {
		list = append(list, entry{level: d.along(price), id: p.ID, product: int32(p.ProductID), direction: d, purpose: why}) //nolint:gosec // a product's id
	}
	if !busy && p.StopLoss != nil {
		add(triggers, stop, *p.StopLoss)
	}
	if !busy && p.TakeProfit != nil {
		add(triggers, take, *p.TakeProfit)
	}
	if p.Trail == nil || from.quote.Seq == 0 {
		return list
	}
	if !busy {
		add(triggers, stop, trailLevel(*p, from.quote))
	}
	add(bests, take, take.beyond(closingPrice(p.Side, from.quote)))
	return list
}

// orderLevels adds the level that triggers an order, and its expiry.
func orderLevels(list []entry, o *Order) []entry {
	if o.ExpiresAt != nil {
		list = append(list, entry{level: o.ExpiresAt.UnixNano(), id: o.ID, direction: clockRuns, order: true})
	}
	d, price := entering(o.Side, o.Side == Buy), o.Price
	if o.Status == Working {
		limit := o.entryPrice()
		d, price = entering(o.Side, o.Side == Sell), &limit
	}
	return append(list, entry{level: d.along(*price), id: o.ID, product: int32(o.ProductID), direction: d, order: true}) //nolint:gosec // a product's id
}
