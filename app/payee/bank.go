package payee

import (
	"regexp"
	"strings"
)

// Account is a bank account that a trader wants to save.
type Account struct{ Holder, Bank, IBAN, BIC, Label string }

var (
	ibanForm = regexp.MustCompile(`^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$`)
	bicForm  = regexp.MustCompile(`^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$`)
)

// payee returns the account in its normal form and its holder, or a field error.
func (a Account) payee() (p Payee, holder string, err error) {
	p = Payee{Kind: AtBank, IBAN: compact(a.IBAN), BIC: compact(a.BIC)}
	if holder, err = line(a.Holder, nameLength, errHolder); err != nil {
		return p, "", err
	}
	if p.Bank, err = line(a.Bank, nameLength, errBank); err != nil {
		return p, "", err
	}
	if !ibanForm.MatchString(p.IBAN) || mod97(p.IBAN) != 1 {
		return p, "", errIBAN
	}
	if !bicForm.MatchString(p.BIC) {
		return p, "", errBIC
	}
	p.Label, err = line(a.Label, labelLength, errLabel)
	return p, holder, err
}

// compact writes a number without spaces, in upper case.
func compact(number string) string { return strings.ToUpper(strings.Join(strings.Fields(number), "")) }

// mod97 is the ISO 7064 remainder, which is 1 for a valid IBAN: the first four characters move to the end, and letters count from 10.
func mod97(iban string) (rest int) {
	for _, r := range iban[4:] + iban[:4] {
		if r >= 'A' {
			rest = (rest*100 + int(r-'A') + 10) % 97
			continue
		}
		rest = (rest*10 + int(r-'0')) % 97
	}
	return rest
}
