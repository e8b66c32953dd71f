package cashdesk

import (
	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// confirmation is the second person's decision: they type the end of the bank reference, which the page hides, as evidence that they have read the
// bank's statement.
func (s Services) confirmation() caseengine.Action[caseContext] {
	return caseengine.Action[caseContext]{
		Noun: nounConfirm, Verb: "confirm", Permission: access.DepositConfirm, Kind: ui.Primary, Forward: true, Key: "A", Fields: []string{"proof"}, Dialog: confirmationDialog, StepUp: "deposit.confirm", Amount: caseContext.dollars, Act: s.confirm,
		Check: func(cc caseContext, in caseengine.Typed) error { // before the code is used up
			return s.Deposits.CheckProof(cc.Ctx, cc.actor, cc.ID, cc.Version, in.Values["proof"])
		},
	}
}

func (s Services) confirm(r *desk.Request, cc caseContext, _ caseengine.Typed) (caseengine.Flash, error) {
	d, err := s.Deposits.Confirm(cc.Ctx, r.Actor(), cc.ID, cc.Version)
	if err != nil {
		return caseengine.Flash{}, err
	}
	return caseengine.NewFlash("deposit.flash.confirmed", "amount", credit(d.Net(*d.Received)), "trader", d.TraderID), nil
}

func confirmationDialog(cc caseContext, in caseengine.Typed) templ.Component {
	received, reference := *cc.Received, *cc.BankReference
	if in.Alert == nil && received != cc.Amount {
		in.Alert = &ui.AlertView{
			Tone: ui.ToneWarning, Title: cc.T("deposit.differs.title", "difference", ui.Signed(received-cc.Amount), "currency", cc.Currency), Text: cc.T("deposit.differs.confirm"),
		}
	}
	maker := ui.Fact{Label: cc.T("deposit.fact.maker"), Value: cc.Name(cc.MakerID), Strong: true}
	typedReference := ui.Fact{Label: cc.T("deposit.field.reference"), Value: reference, Ident: true, Strong: true}
	proof := ui.FieldView{Name: "proof", Label: cc.T("deposit.field.proof"), Hint: cc.T("deposit.field.proof.hint"), Code: true, MaxLength: 4, Required: true}
	if cc.me.readsBank(cc.Deposit) {
		typedReference.Value, typedReference.Ident = cc.T("deposit.reference.hidden"), false
	}
	if cc.Unreferenced() {
		typedReference.Value, typedReference.Note = cc.T("deposit.reference.none"), cc.T("deposit.reference.line", "line", reference)
	}
	if cc.ByProvider() {
		typedReference.Label, proof.Label, proof.Hint = cc.T("deposit.fact.reference"), cc.T("deposit.field.proof.through"), ""
	}
	fields := []ui.FieldView{in.Field(proof), in.Code}
	if cc.Unreferenced() {
		fields = fields[1:]
	}
	return caseview.Decide(caseview.Dialog{
		Frame: caseengine.Frame(cc, nounConfirm, "deposit.confirm", ui.Primary, "amount", credit(cc.Net(received))),
		Alert: in.Alert,
		Figures: []ui.StatView{
			{Label: cc.T("deposit.received"), Value: ui.Amount(received), Unit: cc.Currency, Main: true},
			{Label: cc.T("deposit.says"), Value: amount(cc.Amount, cc.Currency)},
			cc.fee(cc.Deposit, received),
			{Label: cc.T("deposit.credit.will"), Value: credit(cc.Net(received))},
		},
		Facts:  append([]ui.Fact{typedReference, maker}, cc.checked()...),
		People: cc.people(cc.Deposit), Two: cc.T("deposit.two.second"),
		Fields: fields,
	})
}
