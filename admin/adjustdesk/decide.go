package adjustdesk

import (
	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/adjustment"
	"candor/app/approval"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// The acts decided in a dialog, as addresses name them.
const (
	nounWithdraw = "withdrawal"
	nounRefuse   = "refusal"
	nounConfirm  = "confirmation"
	nounThird    = "third-confirmation"
)

// actions are the dialogs in the order of their buttons: those that end the request first, confirmations last.
func (s Services) actions() []caseengine.Action[caseContext] {
	return []caseengine.Action[caseContext]{
		s.action(caseengine.Action[caseContext]{Noun: nounWithdraw, Verb: "withdraw", Permission: access.AdjustmentAsk, Kind: ui.Danger, Dialog: plainDialog(nounWithdraw, "withdraw")},
			func(r *desk.Request, cc caseContext, _ caseengine.Typed) (adjustment.Adjustment, error) {
				return s.Adjustments.Withdraw(cc.Ctx, r.Actor(), cc.ID, cc.Version)
			}),
		s.action(caseengine.Action[caseContext]{Noun: nounRefuse, Verb: "refuse", Permission: access.AdjustmentRefuse, Kind: ui.Danger, Fields: []string{"note"}, Dialog: refusalDialog},
			func(r *desk.Request, cc caseContext, in caseengine.Typed) (adjustment.Adjustment, error) {
				return s.Adjustments.Refuse(cc.Ctx, r.Actor(), cc.ID, cc.Version, in.Values["note"])
			}),
		s.confirming(nounConfirm, "confirm", access.AdjustmentConfirm, approval.Requested),
		s.confirming(nounThird, "third", access.AdjustmentLead, approval.Confirmed),
	}
}

// action adds the act, and the message after it.
func (s Services) action(a caseengine.Action[caseContext], act func(*desk.Request, caseContext, caseengine.Typed) (adjustment.Adjustment, error)) caseengine.Action[caseContext] {
	a.Act = func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
		moved, err := act(r, cc, in)
		return caseengine.NewFlash("adjustment."+a.Verb+".done."+string(moved.State), "amount", amount(cc.Adjustment)), err
	}
	return a
}

// confirming confirms the facts that the dialog showed, in the state that the dialog was for.
func (s Services) confirming(noun, verb string, p access.Permission, from approval.State) caseengine.Action[caseContext] {
	return s.action(caseengine.Action[caseContext]{
		Noun: noun, Verb: verb, Permission: p, Kind: ui.Primary, Forward: true, Bound: true, StepUp: "adjustment." + verb,
		Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
			view := dialog(cc, in, noun, verb, ui.Primary)
			view.Facts, view.People, view.Two = append(view.Facts, cc.afterwards()...), cc.people(cc.Adjustment), cc.T("adjustment."+verb+".two")
			view.Fields = []ui.FieldView{in.Code}
			return caseview.Decide(view)
		},
	}, func(r *desk.Request, cc caseContext, _ caseengine.Typed) (adjustment.Adjustment, error) {
		return s.Adjustments.Approve(cc.Ctx, r.Actor(), cc.ID, cc.Version, from, cc.Facts)
	})
}

// dialog shows an adjustment above the fields.
func dialog(cc caseContext, in caseengine.Typed, noun, verb string, kind ui.ButtonKind) caseview.Dialog {
	frame := caseengine.Frame(cc, noun, "adjustment."+verb, kind, "amount", amount(cc.Adjustment))
	frame.Calm, frame.Act.Busy = true, cc.T("act.busy")
	return caseview.Dialog{Frame: frame, Alert: in.Alert, Figures: cc.figures(), Facts: cc.facts()}
}

func plainDialog(noun, verb string) func(caseContext, caseengine.Typed) templ.Component {
	return func(cc caseContext, in caseengine.Typed) templ.Component {
		return caseview.Decide(dialog(cc, in, noun, verb, ui.Danger))
	}
}

func refusalDialog(cc caseContext, in caseengine.Typed) templ.Component {
	note := in.Field(ui.FieldView{Name: "note", Label: cc.T("adjustment.field.refusal"), StaffOnly: true, Rows: 3, MaxLength: 500, Required: true})
	return caseview.NoteDialog(dialog(cc, in, nounRefuse, "refuse", ui.Danger), note)
}

// afterwards shows the account's cash before and after the adjustment.
func (cc caseContext) afterwards() []ui.Fact {
	then := cc.account.Apply(cc.account.Adjust(cc.Amount))
	return []ui.Fact{
		{Label: cc.T("adjustment.fact.cash"), Value: ui.Amount(cc.account.Cash) + " " + cc.Currency},
		{Label: cc.T("adjustment.fact.cash_then"), Value: ui.Amount(then.Cash) + " " + cc.Currency, Strong: true},
	}
}
