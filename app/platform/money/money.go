// Package money holds exact sums: amounts, prices, lots and rates are scaled int64, every product is taken in 128 bits, and each rounding is named where it happens.
package money

import (
	"errors"
	"math"
	"math/bits"
	"strings"
)

// Scale is the number of decimals of USDT, USD and lots: one unit is 0.000001.
const Scale = 6

// Unit is 1.000000 at Scale.
const Unit = 1_000_000

// ErrOverflow is returned when a result leaves int64; no result wraps.
var ErrOverflow = errors.New("money: overflow")

// ErrSyntax is returned for text that is not a plain decimal number.
var ErrSyntax = errors.New("money: not a plain decimal number")

// ErrPrecision is returned for text with more decimals than the scale holds.
var ErrPrecision = errors.New("money: too many decimals")

// Rounding is where the remainder of a division goes.
type Rounding int

// The roundings of the trading rules.
const (
	HalfAway Rounding = iota // profit, loss, swap, margin
	Up                       // away from zero: fees, the debit side of a conversion
	Down                     // toward zero: the credit side of a conversion, copied lots
)

var pow10 = [19]int64{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// Pow10 is 10^n for 0 ≤ n ≤ 18.
func Pow10(n int) int64 { return pow10[n] }

// MulDiv is a × b ÷ c, exact in 128 bits before it rounds. It fails with ErrOverflow when the result leaves int64 or c is 0.
func MulDiv(a, b, c int64, r Rounding) (int64, error) {
	if c == 0 {
		return 0, ErrOverflow
	}
	negative := (a < 0) != (b < 0) != (c < 0)
	hi, lo := bits.Mul64(abs(a), abs(b))
	return divide(hi, lo, abs(c), negative, r)
}

// Ratio is the product of numerators ÷ the product of denominators, exact before it rounds once. It fails with ErrOverflow when, with common
// factors cancelled, the numerators leave 128 bits, the denominators leave 64 or are 0, or the result leaves int64.
func Ratio(r Rounding, numerators, denominators []int64) (int64, error) {
	if v, err := ratio(r, numerators, denominators); err == nil {
		return v, nil
	}
	var n, d [8]int64 // room for the factors of every sum, so that nothing is allocated
	numerators, denominators = append(n[:0], numerators...), append(d[:0], denominators...)
	for i, d := range denominators {
		for j, n := range numerators {
			common := int64(gcd(abs(d), abs(n)))
			if common > 1 {
				d, numerators[j] = d/common, n/common
			}
		}
		denominators[i] = d
	}
	return ratio(r, numerators, denominators)
}

// gcd is the greatest common divisor; with a zero it is 1, as nothing can be cancelled.
func gcd(a, b uint64) uint64 {
	if a == 0 || b == 0 {
		return 1
	}
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func ratio(r Rounding, numerators, denominators []int64) (int64, error) {
	negative := false
	divisor := uint64(1)
	for _, d := range denominators {
		hi, lo := bits.Mul64(divisor, abs(d))
		if hi != 0 || lo == 0 {
			return 0, ErrOverflow
		}
		divisor, negative = lo, negative != (d < 0)
	}
	hi, lo := uint64(0), uint64(1)
	for _, n := range numerators {
		top, high := bits.Mul64(hi, abs(n))
		carry, low := bits.Mul64(lo, abs(n))
		var overflow uint64
		hi, overflow = bits.Add64(high, carry, 0)
		if top != 0 || overflow != 0 {
			return 0, ErrOverflow
		}
		lo, negative = low, negative != (n < 0)
	}
	return divide(hi, lo, divisor, negative, r)
}

func divide(hi, lo, c uint64, negative bool, r Rounding) (int64, error) {
	if hi >= c {
		return 0, ErrOverflow
	}
	q, rem := bits.Div64(hi, lo, c)
	if roundsUp(rem, c, r) {
		q++
	}
	if q > math.MaxInt64 {
		return 0, ErrOverflow
	}
	if negative {
		return -int64(q), nil
	}
	return int64(q), nil
}

func roundsUp(rem, c uint64, r Rounding) bool {
	switch r {
	case Up:
		return rem > 0
	case HalfAway:
		return rem >= c-rem
	default:
		return false
	}
}

func abs(v int64) uint64 {
	if v < 0 {
		return uint64(-(v + 1)) + 1
	}
	return uint64(v)
}

// Add is a + b, or ErrOverflow.
func Add(a, b int64) (int64, error) {
	sum := a + b
	if (sum > a) != (b > 0) && b != 0 {
		return 0, ErrOverflow
	}
	return sum, nil
}

// Parse reads a plain decimal such as "-12.50" into units of 10^-scale. At most 20 digits before the point and 18 after;
// no exponent, no sign but a leading minus, no separators. More decimals than scale are refused unless they are zeros.
func Parse(text string, scale int) (int64, error) {
	whole, fraction, err := split(text)
	if err != nil {
		return 0, err
	}
	kept, extra := fraction, ""
	if len(fraction) > scale {
		kept, extra = fraction[:scale], fraction[scale:]
	}
	if strings.Trim(extra, "0") != "" {
		return 0, ErrPrecision
	}
	return assemble(whole, kept, scale, strings.HasPrefix(text, "-"))
}

// ParseNearest reads a decimal like Parse but rounds surplus decimals half away from zero; recorded feeds need it.
func ParseNearest(text string, scale int) (int64, error) {
	whole, fraction, err := split(text)
	if err != nil {
		return 0, err
	}
	negative := strings.HasPrefix(text, "-")
	if len(fraction) <= scale {
		return assemble(whole, fraction, scale, negative)
	}
	value, err := assemble(whole, fraction[:scale], scale, negative)
	if err != nil || fraction[scale] < '5' {
		return value, err
	}
	if negative {
		return Add(value, -1)
	}
	return Add(value, 1)
}

func split(text string) (whole, fraction string, err error) {
	body := strings.TrimPrefix(text, "-")
	whole, fraction, point := strings.Cut(body, ".")
	if whole == "" || len(whole) > 20 || len(fraction) > 18 || (point && fraction == "") {
		return "", "", ErrSyntax
	}
	if !digits(whole) || !digits(fraction) {
		return "", "", ErrSyntax
	}
	return whole, fraction, nil
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func assemble(whole, fraction string, scale int, negative bool) (int64, error) {
	var value int64
	for i := range len(whole) + scale {
		digit := int64(0)
		switch {
		case i < len(whole):
			digit = int64(whole[i] - '0')
		case i-len(whole) < len(fraction):
			digit = int64(fraction[i-len(whole)] - '0')
		}
		if value > (math.MaxInt64-digit)/10 {
			return 0, ErrOverflow
		}
		value = value*10 + digit
	}
	if negative {
		return -value, nil
	}
	return value, nil
}

// Format writes a value in units of 10^-scale as a plain decimal with all its decimals, for example "12.500000".
func Format(value int64, scale int) string {
	out := make([]byte, 0, 24)
	if value < 0 {
		out = append(out, '-')
	}
	magnitude := abs(value)
	whole, fraction := magnitude/uint64(pow10[scale]), magnitude%uint64(pow10[scale])
	out = appendUint(out, whole, 1)
	if scale > 0 {
		out = append(out, '.')
		out = appendUint(out, fraction, scale)
	}
	return string(out)
}

// Trim writes a value like Format without trailing zeros, for example "12.5" and "3".
func Trim(value int64, scale int) string {
	text := Format(value, scale)
	if scale == 0 {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func appendUint(out []byte, value uint64, width int) []byte {
	var digits [20]byte
	at := len(digits)
	for value > 0 || width > 0 {
		at--
		digits[at] = byte('0' + value%10)
		value /= 10
		width--
	}
	return append(out, digits[at:]...)
}
