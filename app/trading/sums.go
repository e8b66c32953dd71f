package trading

import (
	"candor/app/market"
	"candor/app/platform/money"
)

// rate converts a currency into the account's: twice the price of a product (so that a mid stays an integer), its decimals, and whether it
// stands upside down. The zero rate is one to one.
type rate struct {
	double  int64
	point   int
	inverse bool
}

// factors are what a sum is multiplied by and divided by to convert it.
func (r rate) factors() (multiply, divide int64) {
	if r.double == 0 {
		return 1, 1
	}
	unit := 2 * money.Pow10(r.point)
	if r.inverse {
		return unit, r.double
	}
	return r.double, unit
}

// profit is (close − open) × lots × contract in the quote currency, converted, sign reversed for a sell; rounded once, half away from zero.
// Source: trading rules, "Profit".
func profit(p market.Product, side Side, lots, open, close int64, r rate) (int64, error) {
	move := close - open
	if side == Sell {
		move = -move
	}
	multiply, divide := r.factors()
	return money.Ratio(money.HalfAway, []int64{move, lots, p.ContractSize, multiply}, []int64{money.Pow10(p.Point), divide})
}

// margin is what a position of lots at price reserves, unhedged; rounded half away from zero.
//   - forex: lots × contract ÷ leverage in the base currency, converted;
//   - cfd: lots × contract × price ÷ leverage in the quote currency, converted.
//
// Source: trading rules, "Margin".
func margin(p market.Product, lots, price int64, leverage int, r rate) (int64, error) {
	multiply, divide := r.factors()
	if p.MarginModel == market.ForexMargin {
		return money.Ratio(money.HalfAway, []int64{lots, p.ContractSize, multiply}, []int64{int64(leverage), divide})
	}
	return money.Ratio(money.HalfAway, []int64{lots, p.ContractSize, price, multiply}, []int64{int64(leverage), money.Pow10(p.Point), divide})
}

// commission is what a fill costs: per lot, or basis points of its worth with a minimum; rounded up.
func commission(p market.Product, lots, price int64, r rate) (int64, error) {
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

// hedgedMargin is what the positions of one product reserve together: m × (unhedged + 2 × ratio × hedged lots), m being the full margin a lot.
func hedgedMargin(p market.Product, long, short, full int64) (int64, error) {
	hedged := min(long, short)
	unhedged := max(long, short) - hedged
	if hedged == 0 {
		return full, nil
	}
	weighted := unhedged*10_000 + 2*int64(p.HedgedRatioBps)*hedged
	return money.Ratio(money.HalfAway, []int64{full, weighted}, []int64{long + short, 10_000})
}

// part is a share of a whole that closing some of its lots releases; the last part takes the rest.
func part(whole, lots, of int64) (int64, error) {
	if lots == of {
		return whole, nil
	}
	return money.MulDiv(whole, lots, of, money.HalfAway)
}

// Level is the margin level in hundredths of a percent: equity ÷ used margin × 100; zero when nothing is used.
func Level(equity, used int64) int64 {
	if used == 0 {
		return 0
	}
	level, err := money.MulDiv(equity, 10_000, used, money.HalfAway)
	if err != nil {
		return 0
	}
	return level
}

// atOrBelow tells whether the margin level is at or below a percentage, exactly.
func atOrBelow(equity, used, percent int64) bool {
	if used == 0 {
		return false
	}
	limit, err := money.MulDiv(used, percent, 100, money.Down)
	return err == nil && equity <= limit
}
