package caseengine

import (
	"slices"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"candor/app/platform/i18n"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// Reasons are the choices of a coded reason; the keys of their texts begin with textKey. None is preselected, so that every reason is a deliberate choice.
func (pc PageContext) Reasons(textKey string, codes []string, chosen string) []ui.Option {
	options := []ui.Option{{Label: pc.T("case.reason.choose"), Selected: !slices.Contains(codes, chosen)}}
	for _, code := range codes {
		options = append(options, ui.Option{Value: code, Label: pc.T(textKey + "." + code), Selected: code == chosen})
	}
	return options
}

// Reads is a text of the trader app in the trader's language, or in English where that has no such text, and the language as HTML names it.
func (pc PageContext) Reads(lang, key string) (text, tag string) {
	if !pc.texts.Has(lang, key) {
		lang = i18n.Reference
	}
	return pc.texts.T(lang, key, nil), language.Make(lang).String()
}

// Language is the English name of a language.
func Language(tag string) string { return display.English.Languages().Name(language.Make(tag)) }

// Preview is the text that a trader reads for a coded reason, in their language.
func (pc PageContext) Preview(textKey string, codes []string, code, lang string) caseview.Preview {
	if !slices.Contains(codes, code) {
		return caseview.Preview{Label: pc.T("case.preview.none"), Lang: i18n.Lang(pc.Ctx)}
	}
	text, tag := pc.Reads(lang, textKey+"."+code)
	return caseview.Preview{Label: pc.T("case.preview.label", "language", Language(tag)), Text: text, Lang: tag}
}
