package newsdesk

import (
	"slices"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/notice"
	"candor/app/trader"
	"candor/templates/ui"
)

// named is how many countries or languages the audience names before it counts the rest.
const named = 3

// audience says who sees an item: whom, and where it is limited to countries, languages or platforms.
func audience(r *desk.Request, set notice.Settings) string {
	parts := []string{word(r, "content.audience."+set.Audience)}
	if len(set.Countries) > 0 {
		parts = append(parts, some(r, countryNames(r, set.Countries)))
	}
	if len(set.Languages) > 0 {
		parts = append(parts, some(r, languageNames(set.Languages)))
	}
	for _, platform := range set.Platforms {
		parts = append(parts, word(r, "content.platforms."+platform))
	}
	return strings.Join(parts, " · ")
}

// seenBy are the facts of a dialog about who sees an item: whom, in which countries, languages and platforms, and how many traders that is.
func (s Services) seenBy(r *desk.Request, set notice.Settings) ([]ui.Fact, error) {
	facts := []ui.Fact{{Label: word(r, "content.audience"), Value: word(r, "content.audience."+set.Audience), Strong: true}}
	for _, limit := range []struct {
		key  string
		list []string
	}{{"content.countries", countryNames(r, set.Countries)}, {"content.only_languages", languageNames(set.Languages)}} {
		if len(limit.list) > 0 {
			facts = append(facts, ui.Fact{Label: word(r, limit.key), Value: strings.Join(limit.list, ", "), Strong: true})
		}
	}
	for _, platform := range set.Platforms {
		facts = append(facts, ui.Fact{Label: word(r, "content.platforms"), Value: word(r, "content.platforms."+platform), Strong: true})
	}
	n, more, err := s.Notices.CountReaders(ctxOf(r), set)
	switch {
	case err != nil:
		return nil, err
	case n == 0 && !more && set.Audience == "guests":
		return facts, nil
	case more:
		return append(facts, ui.Fact{Label: word(r, "content.reached"), Value: word(r, "content.reached.more", "n", ui.Decimal(strconv.FormatInt(n, 10)))}), nil
	}
	return append(facts, ui.Fact{Label: word(r, "content.reached"), Value: word(r, "content.reached.about", "count", n)}), nil
}

func some(r *desk.Request, list []string) string {
	if len(list) <= named {
		return strings.Join(list, ", ")
	}
	return word(r, "content.and_more", "list", strings.Join(list[:named], ", "), "count", len(list)-named)
}

func countryNames(r *desk.Request, codes []string) []string {
	out := make([]string, len(codes))
	for i, code := range codes {
		out[i] = caseengine.Country(ctxOf(r), code)
	}
	return out
}

func languageNames(locales []string) []string {
	out := make([]string, len(locales))
	for i, locale := range locales {
		out[i] = names[locale]
	}
	return out
}

// oneCountry is the code of a country; empty for any other text.
func oneCountry(text string) string {
	if slices.ContainsFunc(trader.Countries(), func(c trader.Country) bool { return c.ISO == text }) {
		return text
	}
	return ""
}
