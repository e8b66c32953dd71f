package trading

import (
	"candor/app/market"
	"candor/app/platform/errs"
)

// ErrTrail refuses a trailing stop that is nearer than the product's stop level, or further than the price itself.
var ErrTrail = errs.New(errs.Refused, "order.trail")

// A trailing stop stays a distance behind the best price that its position has seen since that distance was set: the highest bid of a long, the
// lowest ask of a short. Nothing is written while it moves: the best price is found on the tape again whenever it is needed, and the fill names its
// quote. What else is saved of the position's protection leaves it where it stands.

// TrailLevel is where a position's trailing stop stands behind its best quote.
func TrailLevel(p Position, q market.Quote) int64 {
	if p.Side == Buy {
		return q.Bid - *p.Trail
	}
	return q.Ask + *p.Trail
}

// Better tells whether a quote is better for a position than another.
func Better(side Side, q, than market.Quote) bool {
	if side == Buy {
		return q.Bid > than.Bid
	}
	return q.Ask < than.Ask
}

// reached tells whether a position that would close at price has been taken to its stop.
func reached(side Side, price, stop int64) bool {
	if side == Buy {
		return price <= stop
	}
	return price >= stop
}

// trailFired tells whether a quote has fallen back to a position's trailing stop, and where that stood.
func trailFired(p Position, q, best market.Quote) (level int64, fired bool) {
	if p.Trail == nil || best.Seq == 0 || best.Seq < p.TrailSince || q.Seq <= best.Seq {
		return 0, false
	}
	level = TrailLevel(p, best)
	return level, reached(p.Side, ClosingPrice(p.Side, q), level)
}

func checkTrail(p market.Product, q market.Quote, side Side, trail *int64) error {
	if trail == nil {
		return nil
	}
	least, most := max(int64(p.StopLevel), 1), ClosingPrice(side, q)-1
	if *trail < least || *trail > most {
		return ErrTrail.With("min", p.FormatPrice(least)).With("max", p.FormatPrice(most))
	}
	return nil
}

// Fires tells which protection of a position a quote sets off, and its price. A stop loss wins over a trailing stop, and that over a take profit.
func Fires(p Position, q, best market.Quote) (Rule, *int64) {
	if p.ProductID != q.ProductID {
		return "", nil
	}
	price, later := ClosingPrice(p.Side, q), q.Seq > p.SinceSeq
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
