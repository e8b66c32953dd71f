package desk

import (
	"regexp"
	"strings"

	"candor/app/platform/errs"
	"candor/app/platform/money"
)

// cents is the most decimals of an amount that staff type.
const cents = 2

// grouped is a number with commas between its thousands, as readers of the back office's languages write it.
var grouped = regexp.MustCompile(`^-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`)

// errAmount is returned for text that is no amount.
var errAmount = errs.Field("amount", "field.amount")

// Decimal writes a typed number as a plain decimal: without spaces, without commas between its thousands, and with a plain minus. Other text stays as it is, so that
// whoever parses it refuses it.
func Decimal(text string) string {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), ""), "−", "-")
	if grouped.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	return text
}

// ReadAmount reads an amount as staff type it, with or without commas between the thousands, in units of 10^-6.
func ReadAmount(text string) (int64, error) {
	text = Decimal(text)
	// "2.990" is no amount: a reader of other languages means 2,990 by it.
	if point := strings.IndexByte(text, '.'); point >= 0 && len(text)-point-1 > cents {
		return 0, errAmount
	}
	value, err := money.Parse(text, cents)
	if err != nil {
		return 0, errAmount
	}
	units, err := money.MulDiv(value, money.Pow10(money.Scale-cents), 1, money.Down)
	if err != nil {
		return 0, errAmount
	}
	return units, nil
}
