package ui

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// tags are the languages whose codes in the trader app differ from the standard tags.
var tags = map[string]string{"zh_CN": "zh-Hans", "zh_tw": "zh-Hant", "vn": "vi"}

// LanguageName is the native name of a language of the trader app.
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
