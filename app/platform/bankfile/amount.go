package bankfile

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// unusualDecimals are the currencies of ISO 4217 that have not two decimals.
var unusualDecimals = map[string]int{
	"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0,
	"XPF": 0, "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3, "CLF": 4, "UYW": 4,
}

// Decimals is the number of decimals of a currency's smallest unit by ISO 4217.
func Decimals(currency string) int {
	if n, unusual := unusualDecimals[currency]; unusual {
		return n
	}
	return 2
}

var currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)

// parseAmount reads digits with at most one decimal sign into smallest units of a currency. Decimals beyond the currency's must be zeros; there is no rounding.
func parseAmount(text string, sign byte, currency string) (int64, bool) {
	whole, fraction, _ := strings.Cut(text, string(sign))
	scale := Decimals(currency)
	if len(fraction) > scale {
		if strings.Trim(fraction[scale:], "0") != "" {
			return 0, false
		}
		fraction = fraction[:scale]
	}
	if whole == "" || !allDigits(whole) || !allDigits(fraction) {
		return 0, false
	}
	digits := whole + fraction + strings.Repeat("0", scale-len(fraction))
	var value int64
	for i := range len(digits) {
		digit := int64(digits[i] - '0')
		if value > (math.MaxInt64-digit)/10 {
			return 0, false
		}
		value = value*10 + digit
	}
	return value, true
}

// formatAmount writes smallest units as a plain decimal with all decimals of the currency.
func formatAmount(value int64, sign, currency string) string {
	minus, magnitude := "", uint64(value)
	if value < 0 {
		minus, magnitude = "-", -magnitude
	}
	scale := Decimals(currency)
	var digits []byte
	for magnitude > 0 || len(digits) <= scale {
		digits = append(digits, byte('0'+magnitude%10))
		magnitude /= 10
	}
	slices.Reverse(digits)
	whole, fraction := string(digits[:len(digits)-scale]), string(digits[len(digits)-scale:])
	if scale == 0 {
		return minus + whole
	}
	return minus + whole + sign + fraction
}

// FormatAmount writes smallest units as a plain decimal with all decimals of the currency, for example "-1250.00".
func FormatAmount(value int64, currency string) string { return formatAmount(value, ".", currency) }

// add is a + b; false when it leaves int64.
func add(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0) || b == 0
}
