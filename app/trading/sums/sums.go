// Package sums is the arithmetic of trading: every function depends on its arguments alone, and rounds once.
//
// Money and lots are in units of 10^-6, prices in 10^-point of their product. The formulas are those of the house's trading rules, which agree with the worked
// examples that brokers publish; the tests name them.
package sums

import (
	"candor/app/market"
	"candor/app/platform/money"
)

// Rate converts a currency into the account's: twice the price of a product (so that a mid stays an integer), its decimals, and whether the price is inverted.
// The zero rate is one to one.
type Rate struct {
	Double  int64
	Point   int
	Inverse bool
}

// factors are the multiplier and the divisor that convert a sum.
func (r Rate) factors() (multiply, divide int64) {
	if r.Double == 0 {
		return 1, 1
	}
	unit := 2 * money.Pow10(r.Point)
	if r.Inverse {
		return unit, r.Double
	}
	return r.Double, unit
}

// Worth is lots × price, in the units of both. It returns money.ErrOverflow.
func Worth(lots, price int64) (int64, error) { return money.MulDiv(lots, price, 1, money.Down) }

// Mean is the price at which lots have a worth, rounded half away from zero.
func Mean(worth, lots int64) (int64, error) { return money.MulDiv(worth, 1, lots, money.HalfAway) }

// Profit is the profit of lots that were opened for a worth and close at a price: (close × lots − worth) × contract in the quote currency, converted, with the
// sign reversed for a short; rounded half away from zero.
func Profit(p market.Product, long bool, lots, opened, close int64, r Rate) (int64, error) {
	closed, err := Worth(lots, close)
	if err != nil {
		return 0, err
	}
	move := closed - opened
	if !long {
		move = -move
	}
	multiply, divide := r.factors()
	return money.Ratio(money.HalfAway, []int64{move, p.ContractSize, multiply}, []int64{money.Pow10(p.Point), divide})
}

// Moved is what a move of some points is worth on lots: points × contract × lots in the quote currency, converted; rounded down.
func Moved(p market.Product, lots, points int64, r Rate) (int64, error) {
	multiply, divide := r.factors()
	return money.Ratio(money.Down, []int64{lots, points, p.ContractSize, multiply}, []int64{money.Pow10(p.Point), divide})
}

// Margin is the margin of a position of lots at price, unhedged; rounded half away from zero.
//   - forex: lots × contract ÷ leverage in the base currency, converted;
//   - cfd: lots × contract × price ÷ leverage in the quote currency, converted.
func Margin(p market.Product, lots, price int64, leverage int, r Rate) (int64, error) {
	multiply, divide := r.factors()
	if p.MarginModel == market.ForexMargin {
		return money.Ratio(money.HalfAway, []int64{lots, p.ContractSize, multiply}, []int64{int64(leverage), divide})
	}
	return money.Ratio(money.HalfAway, []int64{lots, p.ContractSize, price, multiply}, []int64{int64(leverage), money.Pow10(p.Point), divide})
}

// Leg is the part of a position that used margin depends on. Margin is that of all its lots at its own leverage.
type Leg struct {
	Long     bool
	Lots     int64
	Leverage int
	Margin   int64
}

// UsedMargin is the used margin of the positions of one product, which are given in the order of opening: each slice of the total volume uses the leverage of
// its tier or of its position, whichever is lower; hedged lots then count with the product's ratio.
func UsedMargin(t market.Terms, legs []Leg) (int64, error) {
	var long, short, full int64
	tiers := t.MarginTiers()
	for _, leg := range legs {
		margin, err := tiered(tiers, long+short, leg)
		if err != nil {
			return 0, err
		}
		if full, err = money.Add(full, margin); err != nil {
			return 0, err
		}
		if leg.Long {
			long += leg.Lots
		} else {
			short += leg.Lots
		}
	}
	return hedged(t.HedgedRatioBps, long, short, full)
}

// tiered is the margin of a leg after the volume behind it: each slice at the lower of the tier's leverage and its own, rounded half away from zero.
func tiered(tiers []market.Tier, behind int64, leg Leg) (int64, error) {
	total, from, end := int64(0), behind, behind+leg.Lots
	for _, tier := range tiers {
		if from >= end || tier.UpTo <= from {
			continue
		}
		slice := min(tier.UpTo, end) - from
		from += slice
		margin, err := money.Ratio(money.HalfAway, []int64{leg.Margin, slice, int64(max(leg.Leverage, tier.Leverage))}, []int64{leg.Lots, int64(tier.Leverage)})
		if err != nil {
			return 0, err
		}
		total += margin
	}
	if from == behind { // no tiers
		return leg.Margin, nil
	}
	return total, nil
}

// hedged is m × (unhedged + 2 × ratio × hedged lots), where m is the full margin per lot; rounded half away from zero.
func hedged(ratioBps int, long, short, full int64) (int64, error) {
	paired := min(long, short)
	if paired == 0 {
		return full, nil
	}
	weighted := (max(long, short)-paired)*10_000 + 2*int64(ratioBps)*paired
	return money.Ratio(money.HalfAway, []int64{full, weighted}, []int64{long + short, 10_000})
}

// Commission is the commission of a fill: an amount per lot, and basis points of its worth with a minimum; rounded up.
func Commission(p market.Product, lots, price int64, r Rate) (int64, error) {
	fee, err := money.MulDiv(lots, p.CommissionPerLot, money.Unit, money.Up)
	if err != nil || p.CommissionBps == 0 {
		return fee, err
	}
	multiply, divide := r.factors()
	share, err := money.Ratio(money.Up, []int64{lots, p.ContractSize, price, multiply, int64(p.CommissionBps)}, []int64{money.Pow10(p.Point), divide, 10_000})
	if err != nil {
		return 0, err
	}
	return money.Add(fee, max(share, p.CommissionMin))
}

// Swap is the swap of lots over nights, positive when the trader receives it; rounded half away from zero. rate is that of the side, in 10^-6 of the model's
// unit:
//   - points: rate × point × contract × lots × nights in the quote currency, converted;
//   - money: rate × lots × nights;
//   - percent: rate ÷ 100 ÷ 360 × price × contract × lots × nights in the quote currency, converted.
func Swap(p market.Product, rate, lots int64, nights int, price int64, r Rate) (int64, error) {
	multiply, divide := r.factors()
	held := int64(nights)
	switch p.SwapModel {
	case market.PointSwap:
		return money.Ratio(money.HalfAway, []int64{rate, lots, held, p.ContractSize, multiply}, []int64{money.Unit, money.Pow10(p.Point), divide})
	case market.MoneySwap:
		return money.Ratio(money.HalfAway, []int64{rate, lots, held}, []int64{money.Unit})
	case market.PercentSwap:
		return money.Ratio(money.HalfAway, []int64{rate, lots, held, price, p.ContractSize, multiply}, []int64{money.Unit * 100 * 360, money.Pow10(p.Point), divide})
	case market.NoSwap:
		return 0, nil
	}
	return 0, nil
}

// Dividend is the amount that lots receive (long) or pay (short) when one unit of the product pays an amount of the quote currency; rounded half away from
// zero.
func Dividend(p market.Product, long bool, lots, amount int64, r Rate) (int64, error) {
	if !long {
		amount = -amount
	}
	multiply, divide := r.factors()
	return money.Ratio(money.HalfAway, []int64{amount, lots, p.ContractSize, multiply}, []int64{money.Unit, divide})
}

// Part is the share of a whole that belongs to some of its lots, rounded half away from zero; the last part takes the rest.
func Part(whole, lots, of int64) (int64, error) {
	if lots == of {
		return whole, nil
	}
	return money.MulDiv(whole, lots, of, money.HalfAway)
}

// Level is the margin level to show, in 1/100 percent: equity ÷ used margin × 100; zero without used margin. It is rounded up, so that it is at or below a
// percentage exactly when AtOrBelow reports true: 50.004 % is not stopped out, and is shown as 50.01.
func Level(equity, used int64) int64 {
	if used == 0 {
		return 0
	}
	up := money.Up
	if equity < 0 {
		up = money.Down // towards zero, which is up for a negative level
	}
	level, err := money.MulDiv(equity, 10_000, used, up)
	if err != nil {
		return 0
	}
	return level
}

// AtOrBelow reports whether the margin level is at or below a percentage, exactly; false without used margin.
func AtOrBelow(equity, used, percent int64) bool {
	if used == 0 {
		return false
	}
	limit, err := money.MulDiv(used, percent, 100, money.Down)
	return err == nil && equity <= limit
}
