package ui

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// tags are the languages whose codes in the trader app are not those of the standard.
var tags = map[string]string{"zh_CN": "zh-Hans", "zh_tw": "zh-Hant", "vn": "vi"}

// LanguageName is a language of the trader app in its own words.
func LanguageName(code string) string {
	if tag, known := tags[code]; known {
		code = tag
	}
	tag, err := language.Parse(code)
	if err != nil {
		return code
	}
	return display.Self.Name(tag)
}
