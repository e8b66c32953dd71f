package bonusdesk

import (
	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// nounStop is the act that ends a campaign, as addresses name it.
const nounStop = "stop"

// actions are the dialogs in the order of their buttons, the way forward last.
func (s Services) actions() []caseengine.Action[caseContext] {
	return []caseengine.Action[caseContext]{
		{
			Noun: caseengine.NounWithdraw, Verb: "withdraw", Permission: access.BonusAsk, Kind: ui.Danger, Dialog: plain(caseengine.NounWithdraw, "withdraw"),
			Act: caseengine.Moved("bonus", "withdraw", func(r *desk.Request, cc caseContext, _ caseengine.Typed) (approval.State, error) {
				moved, err := s.Bonuses.Withdraw(cc.Ctx, r.Actor(), cc.ID, cc.Version)
				return moved.State, err
			}),
		},
		{
			Noun: caseengine.NounRefuse, Verb: "refuse", Permission: access.BonusConfirm, Kind: ui.Danger, Fields: []string{"note"},
			Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
				return caseview.NoteDialog(dialog(cc, in, caseengine.NounRefuse, "refuse", ui.Danger), cc.pair(cc.Request).RefusalNote(in))
			},
			Act: caseengine.Moved("bonus", "refuse", func(r *desk.Request, cc caseContext, in caseengine.Typed) (approval.State, error) {
				moved, err := s.Bonuses.Refuse(cc.Ctx, r.Actor(), cc.ID, cc.Version, in.Values["note"])
				return moved.State, err
			}),
		},
		{
			Noun: caseengine.NounConfirm, Verb: "confirm", Permission: access.BonusConfirm, Kind: ui.Primary, Forward: true, Bound: true, StepUp: "bonus.confirm",
			Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
				return caseview.Decide(cc.pair(cc.Request).WithPeople(dialog(cc, in, caseengine.NounConfirm, "confirm", ui.Primary), in))
			},
			Act: caseengine.Moved("bonus", "confirm", func(r *desk.Request, cc caseContext, _ caseengine.Typed) (approval.State, error) {
				moved, err := s.Bonuses.Approve(cc.Ctx, r.Actor(), cc.ID, cc.Version, cc.Facts)
				return moved.State, err
			}),
		},
		{
			Noun: nounStop, Verb: "stop", Permission: access.BonusStop, Kind: ui.Danger, Dialog: plain(nounStop, "stop"),
			Act: func(r *desk.Request, cc caseContext, _ caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("bonus.stop.done"), s.Bonuses.Stop(cc.Ctx, r.Actor(), cc.ID)
			},
		},
	}
}

// plain is a dialog without fields.
func plain(noun, verb string) func(caseContext, caseengine.Typed) templ.Component {
	return func(cc caseContext, in caseengine.Typed) templ.Component {
		return caseview.Decide(dialog(cc, in, noun, verb, ui.Danger))
	}
}

func dialog(cc caseContext, in caseengine.Typed, noun, verb string, kind ui.ButtonKind) caseview.Dialog {
	return cc.pair(cc.Request).Dialog(cc, in, noun, verb, kind, cc.facts())
}
