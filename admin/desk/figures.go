package desk

import (
	"strconv"

	"candor/admin/access"
	"candor/app/platform/money"
	"candor/templates/ui"
)

// Figures writes a trader's amounts: exact for members with the permission, else as a band. Desks that support may open write amounts only through
// it; a test searches their source for other ways.
type Figures struct{ exact bool }

// Figures are those of the requesting member.
func (r *Request) Figures() Figures { return Figures{r.May(access.TraderFunds)} }

// Exact reports whether amounts are written in full, for text that makes sense only with an exact amount, such as a message that names one.
func (f Figures) Exact() bool { return f.exact }

// Amount writes a sum in units of 10^-6.
func (f Figures) Amount(value int64) string { return f.Coins(value, money.Scale) }

// Sum is Amount with its currency.
func (f Figures) Sum(value int64, currency string) string { return f.Amount(value) + " " + currency }

// Coins is Amount for a sum in units of 10^-scale.
func (f Figures) Coins(value int64, scale int) string {
	if f.exact {
		return ui.Coins(value, scale)
	}
	return band(value, scale, amountBands)
}

// Rounded is Amount with two decimals, for a value that moves with the prices.
func (f Figures) Rounded(value int64) string {
	if f.exact {
		return ui.RoundedAmount(value)
	}
	return f.Amount(value)
}

// Signed is Amount with the plus sign too.
func (f Figures) Signed(value int64) string { return f.SignedCoins(value, money.Scale) }

// SignedRounded is Rounded with the plus sign too.
func (f Figures) SignedRounded(value int64) string {
	if f.exact && value > 0 {
		return "+" + f.Rounded(value)
	}
	if f.exact {
		return f.Rounded(value)
	}
	return f.Signed(value)
}

// SignedCoins is Signed for a sum in units of 10^-scale.
func (f Figures) SignedCoins(value int64, scale int) string {
	if f.exact {
		return ui.SignedCoins(value, scale)
	}
	if value > 0 {
		return "+ " + f.Coins(value, scale)
	}
	return f.Coins(value, scale)
}

// Full writes a sum in units of 10^-scale with every decimal of its currency, so that a column of sums lines up.
func (f Figures) Full(value int64, scale int) string {
	if f.exact {
		return ui.Decimal(money.Format(value, scale))
	}
	return f.Coins(value, scale)
}

// SignedFull is Full with the plus sign too.
func (f Figures) SignedFull(value int64, scale int) string {
	if f.exact && value > 0 {
		return "+" + f.Full(value, scale)
	}
	if value > 0 {
		return f.SignedCoins(value, scale)
	}
	return f.Full(value, scale)
}

// Lots writes a volume: together with the prices, an exact volume would reveal the profit.
func (f Figures) Lots(value int64) string {
	if f.exact {
		return ui.Amount(value)
	}
	return band(value, money.Scale, lotBands)
}

// Plain writes a sum in units of 10^-6 for a file.
func (f Figures) Plain(value int64) string { return f.PlainCoins(value, money.Scale) }

// PlainCoins writes a sum in units of 10^-scale for a file.
func (f Figures) PlainCoins(value int64, scale int) string {
	if f.exact {
		return money.Format(value, scale)
	}
	return f.Coins(value, scale)
}

// PlainLots writes a volume for a file.
func (f Figures) PlainLots(value int64) string {
	if f.exact {
		return money.Format(value, money.Scale)
	}
	return f.Lots(value)
}

// Band writes the band of a sum in units of 10^-6, for any member.
func Band(value int64) string { return Figures{}.Amount(value) }

// The upper ends of the bands, in whole units and in whole lots.
var (
	amountBands = []int64{100, 1_000, 5_000, 25_000, 50_000, 100_000, 500_000}
	lotBands    = []int64{1, 5, 20, 100}
)

// band is the range of a value in units of 10^-scale. Zero is its own band: the absence of a bonus reveals no amount.
func band(value int64, scale int, ends []int64) string {
	if value == 0 {
		return "0"
	}
	sign, unit, from := "", int64(1), int64(0)
	if value < 0 {
		sign, value = "− ", -value
	}
	for range scale {
		unit *= 10
	}
	for _, to := range ends {
		if value/unit < to {
			return sign + whole(from) + "–" + whole(to)
		}
		from = to
	}
	return sign + ">" + whole(from)
}

func whole(n int64) string { return ui.Decimal(strconv.FormatInt(n, 10)) }
