package paydesk

import (
	"github.com/a-h/templ"

	"candor/admin/desk/caseengine"
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// dialog is the decision about a withdrawal in its current state. An approval is bound to the facts shown.
func (d decision) dialog(cc caseContext, in caseengine.Typed) templ.Component {
	view := caseview.Dialog{Frame: d.frame(cc), Alert: in.Alert, Figures: cc.figures(), Facts: cc.destination(cc.veiled())}
	if d.reads {
		view.People, view.Two = []ui.Person{cc.sentCircle(), cc.Open(true)}, cc.T("withdrawal.check.two")
	}
	if d.whole {
		view.Facts = cc.checked()
		view.People, view.Two = cc.people(cc.Withdrawal), cc.T("withdrawal."+d.verb+".two")
	}
	if d.noun == nounSettle {
		view.Facts = append(cc.finding(), view.Facts...)
	}
	if d.coded {
		if d.code {
			view.Fields = []ui.FieldView{in.Code}
		}
		return caseview.Refuse(reasons().Decline(cc, in, view))
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
	if d.payer && cc.Kind != withdrawal.Crypto {
		add(true, cc.payerField(in))
	}
	if d.reads {
		payment, proof = payment+".read", proof+".read"
		add(true, ui.FieldView{Name: "amount", Label: cc.T("withdrawal.field.debited"), InputMode: "decimal", Suffix: cc.bankCurrency(), MaxLength: 20, Required: true})
	}
	add(d.payment && !d.reads, ui.FieldView{Name: "payment", Label: cc.T(payment), Hint: cc.T(payment + ".hint"), MaxLength: 66, Required: true})
	add(d.reads || d.proof && cc.Kind == withdrawal.Crypto, ui.FieldView{Name: "proof", Label: cc.T(proof), Hint: cc.T(proof + ".hint"), Code: true, MaxLength: 4, Required: true})
	add(d.payment && d.reads, ui.FieldView{Name: "payment", Label: cc.T(payment), Hint: cc.T(payment + ".hint"), MaxLength: 66, Required: true})
	add(d.note, ui.FieldView{Name: "note", Label: cc.T("withdrawal.field.found"), Hint: cc.T("withdrawal.field.found.hint"), StaffOnly: true, MaxLength: caseengine.NoteLimit, Required: true})
	if d.code {
		fields = append(fields, in.Code)
	}
	return fields
}

// frame is the dialog's form with its act.
func (d decision) frame(cc caseContext) ui.DialogView {
	return caseengine.Frame(cc, d.noun, "withdrawal."+d.verb, d.kind,
		"name", cc.Name(cc.me.first(cc.Withdrawal)), "amount", cc.show.Sum(cc.Amount, cc.Currency), "net", cc.show.Sum(cc.Net(), cc.Currency))
}
