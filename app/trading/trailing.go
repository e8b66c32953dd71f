package trading

import (
	"candor/app/market"
	"candor/app/platform/errs"
)

// ErrTrail refuses a trailing stop that is nearer than the product's stop level, or further than the price itself.
var ErrTrail = errs.New(errs.Refused, "order.trail")

// A trailing stop follows the best price since its distance was set: the highest bid for a long, the lowest ask for a short. Nothing is written while it
// moves: the best price is read from the tape when needed, and the fill names its quote. Saving other protection leaves it where it is.

// TrailLevel is the level of a position's trailing stop behind its best quote.
func TrailLevel(p Position, q market.Quote) int64 {
	if p.Side == Buy {
		return q.Bid - *p.Trail
	}
	return q.Ask + *p.Trail
}

// Better reports whether quote q is better for a position's side than another.
func Better(side Side, q, than market.Quote) bool {
	if side == Buy {
		return q.Bid > than.Bid
	}
	return q.Ask < than.Ask
}

// reached reports whether the closing price of a side has come to a stop.
func reached(side Side, price, stop int64) bool {
	if side == Buy {
		return price <= stop
	}
	return price >= stop
}

// trailFired reports whether a quote reaches the trailing stop, and its level.
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

// Fires returns the protection that a quote sets off, and its price. A stop loss goes before a trailing stop, and both before a take profit.
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
