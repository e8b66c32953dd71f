package cashdesk

import (
	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/deposit"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// rejection ends a deposit.
func (s Services) rejection() casework.Decision[matter] {
	return s.declining(nounReject, "deposit.reject", "deposit.flash.rejected", ui.Danger)
}

// question asks the trader for another proof.
func (s Services) question() casework.Decision[matter] {
	return s.declining(nounAsk, "deposit.ask", "deposit.flash.asked", ui.Primary)
}

// declining is a decision for a coded reason.
func (s Services) declining(noun, words, said string, kind ui.ButtonKind) casework.Decision[matter] {
	return casework.Decision[matter]{
		Noun: noun, Fields: []string{"reason", "note"},
		Dialog: func(m matter, in casework.Typed) templ.Component { return declineDialog(m, in, noun, words, kind) },
		Act: func(r *desk.Request, m matter, in casework.Typed) (casework.Flash, error) {
			_, err := s.Deposits.Decline(m.Ctx, by(r), m.ID, m.Version, noun == nounAsk, in.Words["reason"], in.Words["note"])
			return casework.Said(said), err
		},
	}
}

func declineDialog(m matter, in casework.Typed, noun, words string, kind ui.ButtonKind) templ.Component {
	act := ui.ButtonView{Label: m.T(words+".act", "amount", amount(m.Amount, m.Currency)), Kind: kind, Busy: m.T(words + ".busy")}
	return caseview.Refuse(caseview.Decline{
		Dialog: caseview.Dialog{
			Frame: m.frame(noun, m.T(words+".title", "number", m.Number()), m.T(words+".note"), act),
			Alert: in.Alert, Figures: []ui.StatView{m.announced()}, Facts: m.identity(),
		},
		Reason: in.Field(ui.FieldView{
			Name: "reason", Label: m.T("deposit.field.reason"), Options: m.Reasons("deposit.reason", deposit.Reasons, in.Words["reason"]), Required: true,
			HX: ui.HX{Get: below(m.ID, "wording"), Target: caseview.PreviewTarget, Swap: ui.SwapWhole, Trigger: ui.OnChange},
		}),
		Preview: m.preview(in.Words["reason"]),
		Note:    in.Field(ui.FieldView{Name: "note", Label: m.T("deposit.field.note"), StaffOnly: true, Rows: 3, MaxLength: casework.NoteLimit}),
	})
}

// wording answers what the trader will read for a reason.
func (s Services) wording(r *desk.Request) error {
	m, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	return r.Show(caseview.Wording(m.preview(r.QueryParam("reason"))))
}

func (m matter) preview(code string) caseview.Preview {
	return m.Preview("deposit.reason", deposit.Reasons, code, m.owner.Language)
}

// frame is what all decisions have: a form that carries the version that is shown, and the act.
func (m matter) frame(noun, title, note string, act ui.ButtonView, hidden ...ui.Hidden) ui.DialogView {
	act.Submit, act.Money = true, true
	return ui.DialogView{
		ID: noun, Title: title, Note: note, Act: act,
		Form: ui.FormView{Post: below(m.ID, noun), Target: ui.At(key(m.ID)), Swap: ui.SwapWhole, Hidden: append([]ui.Hidden{m.About().Shown()}, hidden...)},
	}
}
