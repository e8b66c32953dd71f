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

// Country is a possible country of residence.
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

// PhoneCountry is the country of a telephone number by its first digits; empty when they match none.
func PhoneCountry(phone string) string {
	number, err := phonenumbers.Parse(phone, "")
	if err != nil {
		return ""
	}
	if iso := phonenumbers.GetRegionCodeForNumber(number); isCountry(iso) {
		return iso
	}
	return ""
}

// Name is the country's English name.
func (c Country) Name() string { return c.NameIn(language.English) }

// NameIn is the country's name in a language.
func (c Country) NameIn(tag language.Tag) string {
	base, _ := tag.Base()
	if name := renamed[base.String()][c.ISO]; name != "" {
		return name
	}
	region, err := language.ParseRegion(c.ISO)
	if err != nil {
		return c.ISO
	}
	return display.Regions(tag).Name(region)
}

// renamed are the names of the present CLDR where golang.org/x/text still has those of release 32, by language and ISO code.
var renamed = map[string]map[string]string{
	"en": {"MK": "North Macedonia", "MO": "Macao SAR China", "SZ": "Eswatini", "TR": "Türkiye"},
	"zh": {"MK": "北马其顿"},
}
