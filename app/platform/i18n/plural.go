package i18n

import (
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// forms names the plural forms as locale files do; the order is that of plural.Form.
var forms = map[plural.Form]string{
	plural.Zero:  "zero",
	plural.One:   "one",
	plural.Two:   "two",
	plural.Few:   "few",
	plural.Many:  "many",
	plural.Other: "other",
}

// pluralSuffix is the ending of a key for count things in lang, for example "_few".
func pluralSuffix(lang string, count int64) string {
	if count < 0 {
		count = -count
	}
	// The rules look at the last digits only; a count is cut before it leaves the range of int.
	const enough = 1_000_000
	if count > enough {
		count = enough + count%enough
	}
	form := plural.Cardinal.MatchPlural(tag(lang), int(count), 0, 0, 0, 0)
	return "_" + forms[form]
}

// PluralForms names the forms a language uses for whole numbers, for example one and other.
func PluralForms(lang string) []string {
	seen := map[string]bool{}
	var used []string
	for count := int64(0); count <= 200; count++ {
		form := strings.TrimPrefix(pluralSuffix(lang, count), "_")
		if !seen[form] {
			seen[form] = true
			used = append(used, form)
		}
	}
	return used
}

func tag(lang string) language.Tag {
	// Our file names may carry ids of older clients, for example zh_CN and vn, that BCP 47 lacks.
	lang = strings.ReplaceAll(lang, "_", "-")
	if lang == "vn" {
		lang = "vi"
	}
	parsed, err := language.Parse(lang)
	if err != nil {
		return language.English
	}
	return parsed
}

// whole reads a count. Text and fractions are not counts.
func whole(value any) (int64, bool) {
	switch n := value.(type) {
	case int:
		return int64(n), true
	case int8:
		return int64(n), true
	case int16:
		return int64(n), true
	case int32:
		return int64(n), true
	case int64:
		return n, true
	case uint8:
		return int64(n), true
	case uint16:
		return int64(n), true
	case uint32:
		return int64(n), true
	default:
		return 0, false
	}
}
