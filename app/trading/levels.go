package trading

import "candor/app/market"

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

// levels adds the levels that set a position's protection off, unless that is being worked on, and the next best price of its trailing stop.
func (p *Position) levels(list []entry, from trailingExtreme, busy bool) []entry {
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

// levels adds the level that triggers an order, and its expiry.
func (o *Order) levels(list []entry) []entry {
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

// fires tells which protection of a position a quote sets off, and its price. A stop loss wins over a trailing stop, and that over a take profit.
func fires(p Position, q, best market.Quote) (Rule, *int64) {
	if p.ProductID != q.ProductID {
		return "", nil
	}
	price, later := closingPrice(p.Side, q), q.Seq > p.SinceSeq
	level, trailed := trailFired(p, q, best)
	switch {
	case later && p.StopLoss != nil && reached(p.Side, price, *p.StopLoss):
		return StopLossRule, p.StopLoss
	case trailed:
		return TrailingRule, &level
	case later && p.TakeProfit != nil && reached(p.Side.Opposite(), price, *p.TakeProfit):
		return TakeProfitRule, p.TakeProfit
	}
	return "", nil
}
