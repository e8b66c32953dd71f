package changedesk

import (
	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// actions are the dialogs in the order of their buttons, the way forward last.
func (s Services) actions() []caseengine.Action[caseContext] {
	return []caseengine.Action[caseContext]{
		{
			Noun: caseengine.NounWithdraw, Verb: "withdraw", Permission: access.AccountChangeAsk, Kind: ui.Danger,
			Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
				return caseview.Decide(dialog(cc, in, caseengine.NounWithdraw, "withdraw", ui.Danger))
			},
			Act: caseengine.Moved("account_change", "withdraw", func(r *desk.Request, cc caseContext, _ caseengine.Typed) (approval.State, error) {
				moved, err := s.Changes.Withdraw(cc.Ctx, r.Actor(), cc.ID, cc.Version)
				return moved.State, err
			}),
		},
		{
			Noun: caseengine.NounRefuse, Verb: "refuse", Permission: access.AccountChangeConfirm, Kind: ui.Danger, Fields: []string{"note"},
			Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
				return caseview.NoteDialog(dialog(cc, in, caseengine.NounRefuse, "refuse", ui.Danger), cc.pair(cc.Change).RefusalNote(in))
			},
			Act: caseengine.Moved("account_change", "refuse", func(r *desk.Request, cc caseContext, in caseengine.Typed) (approval.State, error) {
				moved, err := s.Changes.Refuse(cc.Ctx, r.Actor(), cc.ID, cc.Version, in.Values["note"])
				return moved.State, err
			}),
		},
		{
			Noun: caseengine.NounConfirm, Verb: "confirm", Permission: access.AccountChangeConfirm, Kind: ui.Primary, Forward: true, Bound: true, StepUp: "account_change.confirm", Fields: []string{"contact"},
			Dialog: confirmDialog,
			Act: caseengine.Moved("account_change", "confirm", func(r *desk.Request, cc caseContext, in caseengine.Typed) (approval.State, error) {
				moved, err := s.Changes.Approve(cc.Ctx, r.Actor(), cc.ID, cc.Version, cc.Facts, in.Values["contact"])
				return moved.State, err
			}),
		},
	}
}

// confirmDialog asks the second person for the contact as it stands in the conversation, and for a code.
func confirmDialog(cc caseContext, in caseengine.Typed) templ.Component {
	view := dialog(cc, in, caseengine.NounConfirm, "confirm", ui.Primary)
	if cc.Kind.Contact() {
		view.Fields = append(view.Fields, in.Field(ui.FieldView{
			Name: "contact", Label: cc.T("account_change.field.contact"), Hint: cc.T("account_change.field.contact.again"), MaxLength: 90, Required: true,
		}))
	}
	return caseview.Decide(cc.pair(cc.Change).WithPeople(view, in))
}

func dialog(cc caseContext, in caseengine.Typed, noun, verb string, kind ui.ButtonKind) caseview.Dialog {
	return cc.pair(cc.Change).Dialog(cc, in, noun, verb, kind, cc.facts())
}
