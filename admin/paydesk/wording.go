package paydesk

import (
	"slices"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"candor/admin/desk"
	"candor/app/platform/i18n"
	"candor/app/withdrawal"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// reasons are the choices. None is chosen at first, so that every reason was meant.
func (sc scene) reasons(chosen string) []ui.Option {
	options := []ui.Option{{Label: sc.t("withdrawal.reason.choose"), Selected: !slices.Contains(withdrawal.Reasons, chosen)}}
	for _, code := range withdrawal.Reasons {
		options = append(options, ui.Option{Value: code, Label: sc.reason(&code), Selected: code == chosen})
	}
	return options
}

func (sc scene) reason(code *string) string {
	if code == nil {
		return ""
	}
	return sc.t("withdrawal.reason." + *code)
}

// wording answers what the trader will read for a reason.
func (s Services) wording(r *desk.Request) error {
	m, err := s.read(r)
	if err != nil {
		return err
	}
	return r.Show(cashview.Wording(m.preview(r.QueryParam("reason"))))
}

// preview is a reason in the trader's language, or in English where the trader app has no words for it.
func (m matter) preview(code string) cashview.Preview {
	if !slices.Contains(withdrawal.Reasons, code) {
		return cashview.Preview{Label: m.t("withdrawal.preview.none"), Lang: i18n.Lang(m.ctx)}
	}
	lang, words := m.owner.Language, "withdrawal.reason."+code
	if !m.texts.Has(lang, words) {
		lang = i18n.Reference
	}
	text := m.texts.T(lang, words, nil)
	if text == words {
		text = m.reason(&code)
	}
	tag := language.Make(lang)
	return cashview.Preview{Label: m.t("withdrawal.preview.label", "language", display.English.Languages().Name(tag)), Text: text, Lang: tag.String()}
}
