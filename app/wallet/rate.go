package wallet

import (
	"errors"

	"candor/app/ledger"
	"candor/app/platform/money"
)

// RateScale is the number of decimals of a displayed rate.
const RateScale = 12

// hundredPercent is 100 % in 10^-6 percent.
const hundredPercent = 100 * money.Unit

// leg is one side of a product's quote, in dollars of 10^-point.
type leg struct {
	price int64
	point int
}

// rate is the rate between two currencies: the paid one is sold at a bid, the received one is bought at an ask, and the house keeps a spread. Dollars have no
// leg.
type rate struct {
	from, to  ledger.Denomination
	sell, buy *leg
	spread    int64 // 10^-6 percent, below a hundred percent
}

// factors are the rate as a fraction: units received per unit paid.
func (r rate) factors() (numerators, denominators []int64) {
	numerators, denominators = []int64{money.Pow10(r.to.Scale)}, []int64{money.Pow10(r.from.Scale)}
	if r.sell != nil {
		numerators, denominators = append(numerators, r.sell.price), append(denominators, money.Pow10(r.sell.point))
	}
	if r.buy != nil {
		numerators, denominators = append(numerators, money.Pow10(r.buy.point)), append(denominators, r.buy.price)
	}
	if r.spread != 0 {
		numerators, denominators = append(numerators, hundredPercent-r.spread), append(denominators, hundredPercent)
	}
	return numerators, denominators
}

// credit is the received amount for a paid one, rounded down. It returns ErrAmount for an amount that is too large.
func (r rate) credit(debit int64) (int64, error) { return r.gross(debit, money.Down) }

func (r rate) gross(debit int64, rounding money.Rounding) (int64, error) {
	numerators, denominators := r.factors()
	v, err := money.Ratio(rounding, append(numerators, debit), denominators)
	return v, tooLarge(err)
}

// debit is the paid amount for a received one, rounded up. It returns ErrAmount for an amount that is too large.
func (r rate) debit(credit int64) (int64, error) {
	numerators, denominators := r.factors()
	v, err := money.Ratio(money.Up, append(denominators, credit), numerators)
	return v, tooLarge(err)
}

// free is the rate without its spread.
func (r rate) free() rate {
	r.spread = 0
	return r
}

// shown is the rate for one whole coin, in 10^-RateScale, rounded down; it is for display only, no amount is computed from it.
func (r rate) shown() (int64, error) {
	numerators, denominators := r.factors()
	v, err := money.Ratio(money.Down, append(numerators, money.Pow10(r.from.Scale), money.Pow10(RateScale)), append(denominators, money.Pow10(r.to.Scale)))
	return v, tooLarge(err)
}

// sums are both amounts of an exchange from the given one, and the cost of the spread. They return ErrTooSmall when an amount would be zero.
func (r rate) sums(given GivenSide, amount int64) (from, to, fee int64, err error) {
	from, to = amount, amount
	if given == PaidSide {
		to, err = r.credit(from)
	} else {
		from, err = r.debit(to)
	}
	if err != nil {
		return 0, 0, 0, err
	}
	if from <= 0 || to <= 0 {
		return 0, 0, 0, ErrTooSmall
	}
	gross, err := r.free().gross(from, money.Up)
	return from, to, max(0, gross-to), err
}

func tooLarge(err error) error {
	if errors.Is(err, money.ErrOverflow) {
		return ErrAmount
	}
	return err
}
