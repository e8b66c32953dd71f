package desk

import (
	"strconv"

	"candor/admin/access"
	"candor/app/platform/money"
	"candor/templates/ui"
)

// Figures writes a trader's amounts: exact for whoever holds the permission, else the band that an amount lies in. Desks that support may open write
// amounts through it alone; a test reads their source for other ways.
type Figures struct{ exact bool }

// Figures are those of the member who asks.
func (r *Request) Figures() Figures { return Figures{r.May(access.TraderFunds)} }

// Exact reports whether amounts are written in full, for what makes sense in no other way, such as a message that names an amount.
func (f Figures) Exact() bool { return f.exact }

// Amount writes a sum of 10^-6.
func (f Figures) Amount(value int64) string { return f.Coins(value, money.Scale) }

// Sum is Amount with its currency.
func (f Figures) Sum(value int64, currency string) string { return f.Amount(value) + " " + currency }

// Coins is Amount for a sum of 10^-scale.
func (f Figures) Coins(value int64, scale int) string {
	if f.exact {
		return ui.Coins(value, scale)
	}
	return band(value, scale, amountBands)
}

// Rounded is Amount with two decimals, for a worth that moves with the prices.
func (f Figures) Rounded(value int64) string {
	if f.exact {
		return ui.Rounded(value)
	}
	return f.Amount(value)
}

// Signed is Amount with a plus too.
func (f Figures) Signed(value int64) string { return f.SignedCoins(value, money.Scale) }

// SignedCoins is Signed for a sum of 10^-scale.
func (f Figures) SignedCoins(value int64, scale int) string {
	if f.exact {
		return ui.SignedCoins(value, scale)
	}
	if value > 0 {
		return "+ " + f.Coins(value, scale)
	}
	return f.Coins(value, scale)
}

// Lots writes a volume: with the prices beside it an exact one would tell the profit.
func (f Figures) Lots(value int64) string {
	if f.exact {
		return ui.Amount(value)
	}
	return band(value, money.Scale, lotBands)
}

// Plain writes a sum of 10^-6 for a file.
func (f Figures) Plain(value int64) string {
	if f.exact {
		return money.Format(value, money.Scale)
	}
	return f.Amount(value)
}

// Band writes the band of a sum of 10^-6, whoever asks.
func Band(value int64) string { return Figures{}.Amount(value) }

// The upper ends of the bands, in whole units and in whole lots.
var (
	amountBands = []int64{100, 1_000, 5_000, 25_000, 50_000, 100_000, 500_000}
	lotBands    = []int64{1, 5, 20, 100}
)

// band is between which ends a value of 10^-scale lies. Nothing is a band of its own: that an account has no bonus tells no amount.
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
