package bonusdesk

import (
	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/bonus"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// The acts decided in a dialog, as addresses name them.
const (
	nounWithdraw = "withdrawal"
	nounRefuse   = "refusal"
	nounConfirm  = "confirmation"
	nounStop     = "stop"
)

// actions are the dialogs in the order of their buttons, the way forward last.
func (s Services) actions() []caseengine.Action[caseContext] {
	plain := func(noun, verb string) func(caseContext, caseengine.Typed) templ.Component {
		return func(cc caseContext, in caseengine.Typed) templ.Component {
			return caseview.Decide(dialog(cc, in, noun, verb, ui.Danger))
		}
	}
	return []caseengine.Action[caseContext]{
		action(caseengine.Action[caseContext]{Noun: nounWithdraw, Verb: "withdraw", Permission: access.BonusAsk, Kind: ui.Danger, Dialog: plain(nounWithdraw, "withdraw")},
			func(r *desk.Request, cc caseContext, _ caseengine.Typed) (bonus.Request, error) {
				return s.Bonuses.Withdraw(cc.Ctx, r.Actor(), cc.ID, cc.Version)
			}),
		action(caseengine.Action[caseContext]{
			Noun: nounRefuse, Verb: "refuse", Permission: access.BonusConfirm, Kind: ui.Danger, Fields: []string{"note"},
			Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
				note := in.Field(ui.FieldView{Name: "note", Label: cc.T("bonus.field.refusal"), StaffOnly: true, Rows: 3, MaxLength: 500, Required: true})
				return caseview.NoteDialog(dialog(cc, in, nounRefuse, "refuse", ui.Danger), note)
			},
		}, func(r *desk.Request, cc caseContext, in caseengine.Typed) (bonus.Request, error) {
			return s.Bonuses.Refuse(cc.Ctx, r.Actor(), cc.ID, cc.Version, in.Values["note"])
		}),
		action(caseengine.Action[caseContext]{
			Noun: nounConfirm, Verb: "confirm", Permission: access.BonusConfirm, Kind: ui.Primary, Forward: true, Bound: true, StepUp: "bonus.confirm",
			Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
				view := dialog(cc, in, nounConfirm, "confirm", ui.Primary)
				view.People, view.Two, view.Fields = cc.people(cc.Request), cc.T("bonus.two"), append(view.Fields, in.Code)
				return caseview.Decide(view)
			},
		}, func(r *desk.Request, cc caseContext, _ caseengine.Typed) (bonus.Request, error) {
			return s.Bonuses.Approve(cc.Ctx, r.Actor(), cc.ID, cc.Version, cc.Facts)
		}),
		{
			Noun: nounStop, Verb: "stop", Permission: access.BonusStop, Kind: ui.Danger, Dialog: plain(nounStop, "stop"),
			Act: func(r *desk.Request, cc caseContext, _ caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("bonus.stop.done"), s.Bonuses.Stop(cc.Ctx, r.Actor(), cc.ID)
			},
		},
	}
}

// action adds the act, and the message after it.
func action(a caseengine.Action[caseContext], act func(*desk.Request, caseContext, caseengine.Typed) (bonus.Request, error)) caseengine.Action[caseContext] {
	a.Act = func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
		moved, err := act(r, cc, in)
		return caseengine.NewFlash("bonus." + a.Verb + ".done." + string(moved.State)), err
	}
	return a
}

// dialog shows a request above the fields.
func dialog(cc caseContext, in caseengine.Typed, noun, verb string, kind ui.ButtonKind) caseview.Dialog {
	frame := caseengine.Frame(cc, noun, "bonus."+verb, kind)
	frame.Calm, frame.Act.Busy = true, cc.T("act.busy")
	return caseview.Dialog{Frame: frame, Alert: in.Alert, Facts: cc.facts()}
}
