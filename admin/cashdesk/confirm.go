package cashdesk

import (
	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// confirmation is the second person's decision: they have read the bank reference when they type how it ends.
func (s Services) confirmation() casework.Decision[matter] {
	return casework.Decision[matter]{
		Noun: nounConfirm, Fields: []string{"proof"}, Dialog: confirmationDialog, StepUp: "deposit.confirm", Act: s.confirm,
		Check: func(m matter, in casework.Typed) error { return m.ReadBack(in.Words["proof"]) },
	}
}

func (s Services) confirm(r *desk.Request, m matter, _ casework.Typed) (casework.Flash, error) {
	d, err := s.Deposits.Confirm(m.Ctx, by(r), m.ID, m.Version)
	if err != nil {
		return casework.Flash{}, err
	}
	return casework.Said("deposit.flash.confirmed", "amount", credit(d.Net(*d.Received)), "trader", d.TraderID), nil
}

func confirmationDialog(m matter, in casework.Typed) templ.Component {
	received, reference := *m.Received, *m.BankReference
	if in.Alert == nil && received != m.Amount {
		in.Alert = &ui.AlertView{
			Tone: ui.ToneWarning, Title: m.T("deposit.differs.title", "difference", ui.Signed(received-m.Amount), "currency", m.Currency), Text: m.T("deposit.differs.confirm"),
		}
	}
	maker := ui.Fact{Label: m.T("deposit.fact.maker"), Value: m.Name(m.MakerID), Strong: true}
	typedReference := ui.Fact{Label: m.T("deposit.field.reference"), Value: reference, Ident: true, Strong: true}
	proof := ui.FieldView{Name: "proof", Label: m.T("deposit.field.proof"), Hint: m.T("deposit.field.proof.hint"), Code: true, MaxLength: 4, Required: true}
	if m.Through() {
		typedReference.Label, proof.Label, proof.Hint = m.T("deposit.fact.reference"), m.T("deposit.field.proof.through"), ""
	}
	return caseview.Decide(caseview.Dialog{
		Frame: m.frame(nounConfirm, m.T("deposit.confirm.title", "number", m.Number()), m.T("deposit.confirm.note"),
			ui.ButtonView{Label: m.T("deposit.confirm.act", "amount", credit(m.Net(received))), Kind: ui.Primary, Busy: m.T("deposit.confirm.busy")}),
		Alert: in.Alert,
		Figures: []ui.StatView{
			{Label: m.T("deposit.received"), Value: ui.Amount(received), Unit: m.Currency, Main: true},
			{Label: m.T("deposit.says"), Value: amount(m.Amount, m.Currency)},
			m.fee(m.Deposit, received),
			{Label: m.T("deposit.credit.will"), Value: credit(m.Net(received))},
		},
		Facts:  append([]ui.Fact{typedReference, maker}, m.checked()...),
		People: m.people(m.Deposit), Two: m.T("deposit.two.second"),
		Fields: []ui.FieldView{
			in.Field(proof), m.CodeField(in),
		},
	})
}
