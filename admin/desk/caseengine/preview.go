package caseengine

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/platform/i18n"
	"candor/app/trader"
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

// Country is the name of a country in the member's language.
func Country(ctx context.Context, iso string) string {
	return trader.Country{ISO: iso}.NameIn(language.Make(i18n.Lang(ctx)))
}

// Countries are all countries by their names in the member's language, in the order of the names.
func Countries(ctx context.Context) (out []Choice) {
	for _, c := range trader.Countries() {
		out = append(out, Choice{Value: c.ISO, Label: Country(ctx, c.ISO)})
	}
	slices.SortFunc(out, func(a, b Choice) int { return cmp.Compare(a.Label, b.Label) })
	return out
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

// Reasons are a desk's coded reasons, which traders read in their language.
type Reasons[C CaseContext] struct {
	Permission access.Permission // to preview one
	Codes      []string
	Label      string         // prefix of the keys of their names
	Text       string         // prefix of the keys of the trader app's texts
	Language   func(C) string // of the trader
}

// preview is the text that the trader will read for a code.
func (rs Reasons[C]) preview(cc C, code string) caseview.Preview {
	return cc.Page().Preview(rs.Text, rs.Codes, code, rs.Language(cc))
}

// Decline is a dialog with a coded reason, the text that the trader will read, and a note for staff.
func (rs Reasons[C]) Decline(cc C, in Typed, view caseview.Dialog) caseview.Decline {
	here, about := cc.Page(), cc.About()
	return caseview.Decline{
		Dialog: view, Preview: rs.preview(cc, in.Values["reason"]),
		Reason: in.Field(ui.FieldView{
			Name: "reason", Label: here.T("case.field.reason"), Options: here.Reasons(rs.Label, rs.Codes, in.Values["reason"]), Required: true,
			HX: ui.HX{Get: about.Below("reason-preview"), Target: caseview.PreviewTarget, Swap: ui.SwapWhole, Trigger: ui.OnChange},
		}),
		Note: in.Field(ui.FieldView{Name: "note", Label: here.T("case.field.note"), StaffOnly: true, Rows: 3, MaxLength: NoteLimit}),
	}
}

// reasonPreview answers with the text that the trader will read for a reason.
func (d Desk[C, T]) reasonPreview(r *desk.Request) error {
	cc, err := d.Named(r)
	if err != nil {
		return err
	}
	return r.Show(caseview.ReasonPreview(d.Reasons.preview(cc, r.QueryParam("reason"))))
}
