package cashdesk

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"candor/admin/desk"
	"candor/app/deposit"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/templates/cashview"
	"candor/templates/ui"
)

const noteLimit = 1000 // characters of a note for staff

// rejection ends a deposit, question asks the trader for another proof. Both give a coded reason.
var (
	rejection = refusing("rejection", "deposit.reject", "deposit.flash.rejected", ui.Danger)
	question  = refusing("question", "deposit.ask", "deposit.flash.asked", ui.Primary)
)

func refusing(noun, words, said string, kind ui.ButtonKind) decision {
	ask := noun == "question"
	return decision{
		noun: noun, fields: []string{"reason", "note"},
		right:  func(r rights) verdict { return r.decline },
		dialog: func(m matter, in typed) templ.Component { return declineDialog(m, in, noun, words, kind) },
		act: func(s Services, r *desk.Request, m matter, in map[string]string) (flash, error) {
			note := strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(in["note"], ""), "\x00", ""))
			if utf8.RuneCountInString(note) > noteLimit {
				return flash{}, errs.Field("note", "field.length")
			}
			_, err := s.Deposits.Decline(m.ctx, by(r), m.ID, m.Version, ask, in["reason"], note)
			return flash{said, nil}, err
		},
	}
}

func (s Services) openDecline(d decision) func(*desk.Request) error {
	return func(r *desk.Request) error { return s.open(r, d) }
}

func (s Services) decline(d decision) func(*desk.Request) error {
	return func(r *desk.Request) error { return s.decide(r, d) }
}

func declineDialog(m matter, in typed, noun, words string, kind ui.ButtonKind) templ.Component {
	act := ui.ButtonView{Label: m.t(words+".act", "amount", amount(m.Amount, m.Currency)), Kind: kind, Busy: m.t(words + ".busy")}
	return cashview.Refuse(cashview.Decline{
		Dialog: cashview.Dialog{
			Frame: m.frame(noun, m.t(words+".title", "number", m.Number()), m.t(words+".note"), act),
			Alert: in.alert, Figures: m.announced()[:1], Facts: m.identity(),
		},
		Reason: in.field(ui.FieldView{
			Name: "reason", Label: m.t("deposit.field.reason"), Options: m.reasons(in.words["reason"]), Required: true,
			HX: ui.HX{Get: below(m.ID, "wording"), Target: cashview.PreviewTarget, Swap: ui.SwapWhole, Trigger: ui.OnChange},
		}),
		Preview: m.preview(in.words["reason"]),
		Note:    in.field(ui.FieldView{Name: "note", Label: m.t("deposit.field.note"), StaffOnly: true, Rows: 3, MaxLength: noteLimit}),
	})
}

// reasons are the choices. None is chosen at first, so that every reason was meant.
func (sc scene) reasons(chosen string) []ui.Option {
	options := []ui.Option{{Label: sc.t("deposit.reason.choose"), Selected: !slices.Contains(deposit.Reasons, chosen)}}
	for _, code := range deposit.Reasons {
		options = append(options, ui.Option{Value: code, Label: sc.reason(&code), Selected: code == chosen})
	}
	return options
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
	if !slices.Contains(deposit.Reasons, code) {
		return cashview.Preview{Label: m.t("deposit.preview.none"), Lang: i18n.Lang(m.ctx)}
	}
	lang, words := m.owner.Language, "deposit.reason."+code
	if !m.texts.Has(lang, words) {
		lang = i18n.Reference
	}
	text := m.texts.T(lang, words, nil)
	if text == words {
		text = m.reason(&code)
	}
	tag := language.Make(lang)
	return cashview.Preview{Label: m.t("deposit.preview.label", "language", display.English.Languages().Name(tag)), Text: text, Lang: tag.String()}
}
