package desk

import (
	"regexp"
	"strings"

	"candor/app/platform/errs"
	"candor/app/platform/money"
)

// cents is the most decimals of an amount that staff type.
const cents = 2

// grouped is an amount with commas between its thousands, as readers of the back office's languages write it.
var grouped = regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]{1,2})?$`)

// errAmount is returned for text that is no amount.
var errAmount = errs.Field("amount", "field.amount")

// ReadAmount reads an amount as staff type it, with or without commas between the thousands, in units of 10^-6.
func ReadAmount(text string) (int64, error) {
	text = strings.TrimSpace(text)
	if grouped.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
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
