package trader

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Country is a country that a trader may live in.
type Country struct {
	ISO      string // ISO 3166-1 alpha-2
	AreaCode string // telephone code, digits
}

// Countries lists every country with a telephone code, by ISO code.
var Countries = sync.OnceValue(func() []Country {
	var out []Country
	for iso := range phonenumbers.GetSupportedRegions() {
		if len(iso) == 2 && strings.ToUpper(iso) == iso {
			out = append(out, Country{iso, strconv.Itoa(phonenumbers.GetCountryCodeForRegion(iso))})
		}
	}
	slices.SortFunc(out, func(a, b Country) int { return strings.Compare(a.ISO, b.ISO) })
	return out
})

func isCountry(iso string) bool {
	return slices.ContainsFunc(Countries(), func(c Country) bool { return c.ISO == iso })
}

// Name is the country's English name.
func (c Country) Name() string {
	region, err := language.ParseRegion(c.ISO)
	if err != nil {
		return c.ISO
	}
	return display.English.Regions().Name(region)
}
