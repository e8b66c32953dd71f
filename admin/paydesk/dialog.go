package paydesk

import (
	"encoding/hex"
	"strconv"

	"github.com/a-h/templ"

	"candor/app/withdrawal"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// typed is what a dialog shows again: the words in its fields, what is wrong with them, and a message above.
type typed struct {
	words  words
	errors map[string]string
	alert  *ui.AlertView
}

func (in typed) field(f ui.FieldView) ui.FieldView {
	f.Value, f.Error = in.words[f.Name], in.errors[f.Name]
	return f
}

// dialog is the decision about a withdrawal as it is now. What it shows is what its approval is bound to.
func (d decision) dialog(m matter, in typed) templ.Component {
	view := cashview.Dialog{Frame: d.frame(m), Alert: in.alert, Figures: m.figures(), Facts: m.destination()}
	if d.whole {
		view.Facts = m.checked()
		view.People, view.Two = m.people(m.Withdrawal), m.t("withdrawal."+d.verb+".two")
	}
	if d.noun == nounSettle {
		view.Facts = append(m.finding(), view.Facts...)
	}
	if d.coded {
		return cashview.Refuse(cashview.Decline{
			Dialog: view, Preview: m.preview(in.words["reason"]), Note: in.field(ui.FieldView{Name: "note", Label: m.t("withdrawal.field.note"), StaffOnly: true, Rows: 3, MaxLength: noteLimit}),
			Reason: in.field(ui.FieldView{
				Name: "reason", Label: m.t("withdrawal.field.reason"), Options: m.reasons(in.words["reason"]), Required: true,
				HX: ui.HX{Get: below(m.ID, "wording"), Target: cashview.PreviewTarget, Swap: ui.SwapWhole, Trigger: ui.OnChange},
			}),
		})
	}
	view.Fields = d.fields(m, in)
	return cashview.Decide(view)
}

func (d decision) fields(m matter, in typed) (fields []ui.FieldView) {
	add := func(wanted bool, f ui.FieldView) {
		if wanted {
			fields = append(fields, in.field(f))
		}
	}
	proof := "withdrawal.field.payment"
	if m.Kind == withdrawal.OnChain {
		proof = "withdrawal.field.transaction"
	}
	add(d.payment, ui.FieldView{Name: "payment", Label: m.t(proof), Hint: m.t(proof + ".hint"), MaxLength: 66, Required: true})
	add(d.proof, ui.FieldView{
		Name: "proof", Label: m.t("withdrawal.field.proof"), Hint: m.t("withdrawal.field.proof.hint"), Code: true, MaxLength: 4, Required: true,
	})
	add(d.note, ui.FieldView{Name: "note", Label: m.t("withdrawal.field.note"), StaffOnly: true, MaxLength: noteLimit})
	return fields
}

// frame is what all decisions have: a form that carries the version and the facts that are shown, and the act.
func (d decision) frame(m matter) ui.DialogView {
	words := "withdrawal." + d.verb
	return ui.DialogView{
		ID: d.noun, Title: m.t(words+".title", "number", m.Number()), Note: m.t(words+".note", "name", m.name(m.MakerID)),
		Act: ui.ButtonView{
			Label: m.t(words+".act", "amount", amount(m.Amount, m.Currency), "net", amount(m.Net(), m.Currency)), Kind: d.kind, Busy: m.t(words + ".busy"), Submit: true, Money: true,
		},
		Form: ui.FormView{
			Post: below(m.ID, d.noun), Target: ui.At(key(m.ID)), Swap: ui.SwapWhole,
			Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(m.Version)}, {Name: "facts", Value: hex.EncodeToString(m.Withdrawal.Facts())}},
		},
	}
}
