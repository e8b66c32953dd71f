package ui

import (
	"strings"

	"candor/app/platform/money"
)

// minus is U+2212: as wide as a plus.
const minus = "−"

// Amount formats a sum in 10^-6 with thousands commas and two decimals, or more where they are not zero.
func Amount(value int64) string { return Coins(value, money.Scale) }

// Coins is Amount for a sum in 10^-scale.
func Coins(value int64, scale int) string {
	text := money.Format(value, scale)
	point := strings.IndexByte(text, '.')
	end := len(text)
	for end > point+3 && text[end-1] == '0' {
		end--
	}
	return Decimal(text[:end])
}

// RoundedAmount formats a sum in 10^-6 with two decimals, rounded half away from zero: for values that move with the prices, never for ledger entries.
func RoundedAmount(value int64) string {
	cents, err := money.MulDiv(value, 1, money.Unit/100, money.HalfAway)
	if err != nil {
		return Amount(value)
	}
	return Decimal(money.Format(cents, 2))
}

// Signed is Amount with a plus sign for positive sums: a profit or a movement.
func Signed(value int64) string { return SignedCoins(value, money.Scale) }

// SignedCoins is Signed for a sum in 10^-scale.
func SignedCoins(value int64, scale int) string {
	if value > 0 {
		return "+" + Coins(value, scale)
	}
	return Coins(value, scale)
}

// Decimal puts thousands commas into a plain decimal, such as a price, and writes its minus as U+2212.
func Decimal(text string) string {
	sign := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = minus, rest
	}
	whole, fraction, point := strings.Cut(text, ".")
	var out strings.Builder
	out.WriteString(sign)
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(digit)
	}
	if point {
		out.WriteByte('.')
		out.WriteString(fraction)
	}
	return out.String()
}

// Percent writes a plain decimal with its percent sign.
func Percent(text string) string { return Decimal(text) + "%" }

// SideOf is the side of zero of a profit or a loss.
func SideOf(value int64) PriceSide {
	switch {
	case value > 0:
		return PriceUp
	case value < 0:
		return PriceDown
	default:
		return PriceNone
	}
}
