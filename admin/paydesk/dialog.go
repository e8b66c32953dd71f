package paydesk

import (
	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// dialog is the decision about a withdrawal as it is now. What it shows is what its approval is bound to.
func (d decision) dialog(m matter, in casework.Typed) templ.Component {
	view := caseview.Dialog{Frame: d.frame(m), Alert: in.Alert, Figures: m.figures(), Facts: m.destination(m.veiled())}
	if d.whole {
		view.Facts = m.checked()
		view.People, view.Two = m.people(m.Withdrawal), m.T("withdrawal."+d.verb+".two")
	}
	if d.noun == nounSettle {
		view.Facts = append(m.finding(), view.Facts...)
	}
	if d.coded {
		if d.code {
			view.Fields = []ui.FieldView{m.CodeField(in)}
		}
		return caseview.Refuse(caseview.Decline{
			Dialog: view, Preview: m.preview(in.Words["reason"]), Note: in.Field(ui.FieldView{Name: "note", Label: m.T("withdrawal.field.note"), StaffOnly: true, Rows: 3, MaxLength: casework.NoteLimit}),
			Reason: in.Field(ui.FieldView{
				Name: "reason", Label: m.T("withdrawal.field.reason"), Options: m.Reasons("withdrawal.reason", withdrawal.Reasons, in.Words["reason"]), Required: true,
				HX: ui.HX{Get: below(m.ID, "wording"), Target: caseview.PreviewTarget, Swap: ui.SwapWhole, Trigger: ui.OnChange},
			}),
		})
	}
	view.Fields = d.fields(m, in)
	return caseview.Decide(view)
}

func (d decision) fields(m matter, in casework.Typed) (fields []ui.FieldView) {
	add := func(wanted bool, f ui.FieldView) {
		if wanted {
			fields = append(fields, in.Field(f))
		}
	}
	payment, proof := "withdrawal.field.payment", "withdrawal.field.proof"
	if m.Kind == withdrawal.OnChain {
		payment, proof = "withdrawal.field.transaction", "withdrawal.field.ending"
	}
	add(d.payment, ui.FieldView{Name: "payment", Label: m.T(payment), Hint: m.T(payment + ".hint"), MaxLength: 66, Required: true})
	add(d.proof, ui.FieldView{Name: "proof", Label: m.T(proof), Hint: m.T(proof + ".hint"), Code: true, MaxLength: 4, Required: true})
	add(d.note, ui.FieldView{Name: "note", Label: m.T("withdrawal.field.found"), Hint: m.T("withdrawal.field.found.hint"), StaffOnly: true, MaxLength: casework.NoteLimit, Required: true})
	if d.code {
		fields = append(fields, m.CodeField(in))
	}
	return fields
}

// frame is what all decisions have: a form that carries the version and the facts that are shown, and the act.
func (d decision) frame(m matter) ui.DialogView {
	words := "withdrawal." + d.verb
	return ui.DialogView{
		ID: d.noun, Title: m.T(words+".title", "number", m.Number()), Note: m.T(words+".note", "name", m.Name(m.MakerID)),
		Act: ui.ButtonView{
			Label: m.T(words+".act", "amount", m.show.Sum(m.Amount, m.Currency), "net", m.show.Sum(m.Net(), m.Currency)), Kind: d.kind, Busy: m.T(words + ".busy"), Submit: true, Money: true,
		},
		Form: ui.FormView{
			Post: below(m.ID, d.noun), Target: ui.At(key(m.ID)), Swap: ui.SwapWhole,
			Hidden: []ui.Hidden{m.About().Shown(), {Name: "facts", Value: shownFacts(m.Withdrawal)}},
		},
	}
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
	return m.Preview("withdraw.reason", withdrawal.Reasons, code, m.owner.Language)
}
