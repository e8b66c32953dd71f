package paydesk

import (
	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// dialog is the decision about a withdrawal in its current state. An approval is bound to the facts shown.
func (d decision) dialog(cc caseContext, in caseengine.Typed) templ.Component {
	view := caseview.Dialog{Frame: d.frame(cc), Alert: in.Alert, Figures: cc.figures(), Facts: cc.destination(cc.veiled())}
	if d.whole {
		view.Facts = cc.checked()
		view.People, view.Two = cc.people(cc.Withdrawal), cc.T("withdrawal."+d.verb+".two")
	}
	if d.noun == nounSettle {
		view.Facts = append(cc.finding(), view.Facts...)
	}
	if d.coded {
		if d.code {
			view.Fields = []ui.FieldView{cc.CodeField(in)}
		}
		return caseview.Refuse(caseview.Decline{
			Dialog: view, Preview: cc.preview(in.Values["reason"]), Note: in.Field(ui.FieldView{Name: "note", Label: cc.T("withdrawal.field.note"), StaffOnly: true, Rows: 3, MaxLength: caseengine.NoteLimit}),
			Reason: in.Field(ui.FieldView{
				Name: "reason", Label: cc.T("withdrawal.field.reason"), Options: cc.Reasons("withdrawal.reason", withdrawal.Reasons, in.Values["reason"]), Required: true,
				HX: ui.HX{Get: below(cc.ID, "reason-preview"), Target: caseview.PreviewTarget, Swap: ui.SwapWhole, Trigger: ui.OnChange},
			}),
		})
	}
	view.Fields = d.fields(cc, in)
	return caseview.Decide(view)
}

func (d decision) fields(cc caseContext, in caseengine.Typed) (fields []ui.FieldView) {
	add := func(wanted bool, f ui.FieldView) {
		if wanted {
			fields = append(fields, in.Field(f))
		}
	}
	payment, proof := "withdrawal.field.payment", "withdrawal.field.proof"
	if cc.Kind == withdrawal.Crypto {
		payment, proof = "withdrawal.field.transaction", "withdrawal.field.ending"
	}
	add(d.payment, ui.FieldView{Name: "payment", Label: cc.T(payment), Hint: cc.T(payment + ".hint"), MaxLength: 66, Required: true})
	add(d.proof, ui.FieldView{Name: "proof", Label: cc.T(proof), Hint: cc.T(proof + ".hint"), Code: true, MaxLength: 4, Required: true})
	add(d.note, ui.FieldView{Name: "note", Label: cc.T("withdrawal.field.found"), Hint: cc.T("withdrawal.field.found.hint"), StaffOnly: true, MaxLength: caseengine.NoteLimit, Required: true})
	if d.code {
		fields = append(fields, cc.CodeField(in))
	}
	return fields
}

// frame is the common part of the decision dialogs: a form that carries the shown version and facts, and the act.
func (d decision) frame(cc caseContext) ui.DialogView {
	textKey := "withdrawal." + d.verb
	return ui.DialogView{
		ID: d.noun, Title: cc.T(textKey+".title", "number", cc.Number()), Note: cc.T(textKey+".note", "name", cc.Name(cc.me.first(cc.Withdrawal))),
		Act: ui.ButtonView{
			Label: cc.T(textKey+".act", "amount", cc.show.Sum(cc.Amount, cc.Currency), "net", cc.show.Sum(cc.Net(), cc.Currency)), Kind: d.kind, Busy: cc.T(textKey + ".busy"), Submit: true, Money: true,
		},
		Form: ui.FormView{
			Post: below(cc.ID, d.noun), Target: ui.At(key(cc.ID)), Swap: ui.SwapWhole,
			Hidden: []ui.Hidden{cc.About().Shown(), {Name: "facts", Value: shownFacts(cc.Withdrawal)}},
		},
	}
}

// reasonPreview answers with the text that the trader will read for a reason.
func (s Services) reasonPreview(r *desk.Request) error {
	cc, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	return r.Show(caseview.ReasonPreview(cc.preview(r.QueryParam("reason"))))
}

func (cc caseContext) preview(code string) caseview.Preview {
	return cc.Preview("withdraw.reason", withdrawal.Reasons, code, cc.owner.Language)
}
