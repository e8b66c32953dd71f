package cashdesk

import (
	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// confirmation is the second person's decision: they have read the bank reference when they type how it ends.
var confirmation = decision{
	noun: "confirmation", fields: []string{"proof"},
	right:  func(r rights) verdict { return r.confirm },
	dialog: confirmationDialog, act: Services.actConfirm,
}

func (s Services) openConfirmation(r *desk.Request) error { return s.open(r, confirmation) }

func (s Services) confirm(r *desk.Request) error { return s.decide(r, confirmation) }

func (s Services) actConfirm(r *desk.Request, m matter, words map[string]string) (flash, error) {
	if err := m.ReadBack(words["proof"]); err != nil {
		return flash{}, err
	}
	d, err := s.Deposits.Confirm(m.ctx, by(r), m.ID, m.Version)
	if err != nil {
		return flash{}, err
	}
	return flash{"deposit.flash.confirmed", []any{"amount", credit(*d.Received), "trader", d.TraderID}}, nil
}

func confirmationDialog(m matter, in typed) templ.Component {
	received, reference := *m.Received, *m.BankReference
	if in.alert == nil && received != m.Amount {
		in.alert = &ui.AlertView{
			Tone: ui.ToneWarning, Title: m.t("deposit.differs.title", "difference", ui.Signed(received-m.Amount), "currency", m.Currency), Text: m.t("deposit.differs.confirm"),
		}
	}
	maker := ui.Fact{Label: m.t("deposit.fact.maker"), Value: m.name(m.MakerID), Strong: true}
	typedReference := ui.Fact{Label: m.t("deposit.field.reference"), Value: reference, Ident: true, Strong: true}
	return cashview.Decide(cashview.Dialog{
		Frame: m.frame("confirmation", m.t("deposit.confirm.title", "number", m.Number()), m.t("deposit.confirm.note"),
			ui.ButtonView{Label: m.t("deposit.confirm.act", "amount", credit(received)), Kind: ui.Primary, Busy: m.t("deposit.confirm.busy")}),
		Alert: in.alert,
		Figures: []ui.StatView{
			{Label: m.t("deposit.received"), Value: ui.Amount(received), Unit: m.Currency, Main: true},
			{Label: m.t("deposit.says"), Value: amount(m.Amount, m.Currency)},
			{Label: m.t("deposit.credit.will"), Value: credit(received)},
		},
		Facts:  append([]ui.Fact{typedReference, maker}, m.checked()...),
		People: m.people(m.Deposit), Two: m.t("deposit.two.second"),
		Fields: []ui.FieldView{
			in.field(ui.FieldView{Name: "proof", Label: m.t("deposit.field.proof"), Hint: m.t("deposit.field.proof.hint"), Code: true, MaxLength: 4, Required: true}),
		},
	})
}
