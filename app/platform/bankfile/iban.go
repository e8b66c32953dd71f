package bankfile

import (
	"regexp"
	"strings"
)

var (
	ibanForm = regexp.MustCompile(`^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$`)
	bicForm  = regexp.MustCompile(`^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$`)
)

// ValidIBAN reports whether an IBAN in capitals without spaces has the form and the check digits of ISO 13616.
func ValidIBAN(iban string) bool {
	if !ibanForm.MatchString(iban) {
		return false
	}
	rest := 0
	for _, r := range iban[4:] + iban[:4] {
		if r >= 'A' {
			rest = (rest*100 + int(r-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(r-'0')) % 97
		}
	}
	return rest == 1
}

// sepaCountries are the country codes of IBANs in the geographical scope of the SEPA schemes (European Payments Council, EPC409-09).
const sepaCountries = " AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA "

func inSEPA(iban string) bool {
	return len(iban) >= 2 && strings.Contains(sepaCountries, " "+iban[:2]+" ")
}
