package changedesk

import (
	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/accountchange"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// The acts decided in a dialog, as addresses name them.
const (
	nounWithdraw = "withdrawal"
	nounRefuse   = "refusal"
	nounConfirm  = "confirmation"
)

// actions are the dialogs in the order of their buttons, the way forward last.
func (s Services) actions() []caseengine.Action[caseContext] {
	return []caseengine.Action[caseContext]{
		s.action(caseengine.Action[caseContext]{
			Noun: nounWithdraw, Verb: "withdraw", Permission: access.AccountChangeAsk, Kind: ui.Danger,
			Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
				return caseview.Decide(dialog(cc, in, nounWithdraw, "withdraw", ui.Danger))
			},
		}, func(r *desk.Request, cc caseContext, _ caseengine.Typed) (accountchange.Change, error) {
			return s.Changes.Withdraw(cc.Ctx, r.Actor(), cc.ID, cc.Version)
		}),
		s.action(caseengine.Action[caseContext]{
			Noun: nounRefuse, Verb: "refuse", Permission: access.AccountChangeConfirm, Kind: ui.Danger, Fields: []string{"note"},
			Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
				note := in.Field(ui.FieldView{Name: "note", Label: cc.T("account_change.field.refusal"), StaffOnly: true, Rows: 3, MaxLength: 500, Required: true})
				return caseview.NoteDialog(dialog(cc, in, nounRefuse, "refuse", ui.Danger), note)
			},
		}, func(r *desk.Request, cc caseContext, in caseengine.Typed) (accountchange.Change, error) {
			return s.Changes.Refuse(cc.Ctx, r.Actor(), cc.ID, cc.Version, in.Values["note"])
		}),
		s.action(caseengine.Action[caseContext]{
			Noun: nounConfirm, Verb: "confirm", Permission: access.AccountChangeConfirm, Kind: ui.Primary, Forward: true, Bound: true, StepUp: "account_change.confirm", Fields: []string{"contact"},
			Dialog: confirmDialog,
		}, func(r *desk.Request, cc caseContext, in caseengine.Typed) (accountchange.Change, error) {
			return s.Changes.Approve(cc.Ctx, r.Actor(), cc.ID, cc.Version, cc.Facts, in.Values["contact"])
		}),
	}
}

// action adds the act, and the message after it.
func (s Services) action(a caseengine.Action[caseContext], act func(*desk.Request, caseContext, caseengine.Typed) (accountchange.Change, error)) caseengine.Action[caseContext] {
	a.Act = func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
		moved, err := act(r, cc, in)
		return caseengine.NewFlash("account_change." + a.Verb + ".done." + string(moved.State)), err
	}
	return a
}

// confirmDialog asks the second person for the contact as it stands in the conversation, and for a code.
func confirmDialog(cc caseContext, in caseengine.Typed) templ.Component {
	view := dialog(cc, in, nounConfirm, "confirm", ui.Primary)
	view.People, view.Two = cc.people(cc.Change), cc.T("account_change.two")
	if cc.Kind.Contact() {
		view.Fields = append(view.Fields, in.Field(ui.FieldView{
			Name: "contact", Label: cc.T("account_change.field.contact"), Hint: cc.T("account_change.field.contact.again"), MaxLength: 90, Required: true,
		}))
	}
	view.Fields = append(view.Fields, in.Code)
	return caseview.Decide(view)
}

// dialog shows a request above the fields.
func dialog(cc caseContext, in caseengine.Typed, noun, verb string, kind ui.ButtonKind) caseview.Dialog {
	frame := caseengine.Frame(cc, noun, "account_change."+verb, kind)
	frame.Calm, frame.Act.Busy = true, cc.T("act.busy")
	return caseview.Dialog{Frame: frame, Alert: in.Alert, Facts: cc.facts()}
}
