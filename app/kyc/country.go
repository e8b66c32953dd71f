package kyc

import (
	"slices"

	"candor/app/trader"
)

// cardless are the countries without a general identity card.
var cardless = []string{"AU", "CA", "DK", "GB", "GG", "IE", "IM", "JE", "NZ"}

// Country is a country whose documents are accepted.
type Country struct {
	trader.Country
	Types []DocumentType
}

// Countries lists the countries with their document types.
func Countries() (list []Country) {
	for _, c := range trader.Countries() {
		list = append(list, Country{c, typesOf(c.ISO)})
	}
	return list
}

func typesOf(iso string) []DocumentType {
	if slices.Contains(cardless, iso) {
		return []DocumentType{Passport, DrivingLicence}
	}
	return []DocumentType{Passport, IDCard, DrivingLicence}
}

func isCountry(iso string) bool {
	return slices.ContainsFunc(trader.Countries(), func(c trader.Country) bool { return c.ISO == iso })
}
