package cashdesk

import (
	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/deposit"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// rejection ends a deposit.
func (s Services) rejection() caseengine.Decision[caseContext] {
	return s.declining(nounReject, "deposit.reject", "deposit.flash.rejected", ui.Danger)
}

// question asks the trader for another proof.
func (s Services) question() caseengine.Decision[caseContext] {
	return s.declining(nounAsk, "deposit.ask", "deposit.flash.asked", ui.Primary)
}

// declining is a decision with a coded reason.
func (s Services) declining(noun, textKey, flash string, kind ui.ButtonKind) caseengine.Decision[caseContext] {
	return caseengine.Decision[caseContext]{
		Noun: noun, Fields: []string{"reason", "note"},
		Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
			return declineDialog(cc, in, noun, textKey, kind)
		},
		Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
			_, err := s.Deposits.Decline(cc.Ctx, r.Actor(), cc.ID, cc.Version, noun == nounAsk, in.Values["reason"], in.Values["note"])
			return caseengine.NewFlash(flash), err
		},
	}
}

func declineDialog(cc caseContext, in caseengine.Typed, noun, textKey string, kind ui.ButtonKind) templ.Component {
	act := ui.ButtonView{Label: cc.T(textKey+".act", "amount", amount(cc.Amount, cc.Currency)), Kind: kind, Busy: cc.T(textKey + ".busy")}
	return caseview.Refuse(caseview.Decline{
		Dialog: caseview.Dialog{
			Frame: cc.frame(noun, cc.T(textKey+".title", "number", cc.Number()), cc.T(textKey+".note"), act),
			Alert: in.Alert, Figures: []ui.StatView{cc.announced()}, Facts: cc.identity(),
		},
		Reason: in.Field(ui.FieldView{
			Name: "reason", Label: cc.T("deposit.field.reason"), Options: cc.Reasons("deposit.reason", deposit.Reasons, in.Values["reason"]), Required: true,
			HX: ui.HX{Get: below(cc.ID, "reason-preview"), Target: caseview.PreviewTarget, Swap: ui.SwapWhole, Trigger: ui.OnChange},
		}),
		Preview: cc.preview(in.Values["reason"]),
		Note:    in.Field(ui.FieldView{Name: "note", Label: cc.T("deposit.field.note"), StaffOnly: true, Rows: 3, MaxLength: caseengine.NoteLimit}),
	})
}

// reasonPreview answers with the text that the trader will read for a reason.
func (s Services) reasonPreview(r *desk.Request) error {
	cc, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	return r.Show(caseview.ReasonPreview(cc.preview(r.QueryParam("reason"))))
}

func (cc caseContext) preview(code string) caseview.Preview {
	return cc.Preview("deposit.reason", deposit.Reasons, code, cc.owner.Language)
}

// frame is the common part of the decision dialogs: a form that carries the shown version, and the act.
func (cc caseContext) frame(noun, title, note string, act ui.ButtonView, hidden ...ui.Hidden) ui.DialogView {
	act.Submit, act.Money = true, true
	return ui.DialogView{
		ID: noun, Title: title, Note: note, Act: act,
		Form: ui.FormView{Post: below(cc.ID, noun), Target: ui.At(key(cc.ID)), Swap: ui.SwapWhole, Hidden: append([]ui.Hidden{cc.About().Shown()}, hidden...)},
	}
}
