package cashdesk

import (
	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/deposit"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// rejection ends a deposit.
func (s Services) rejection() caseengine.Action[caseContext] {
	return s.declining(nounReject, "reject", "deposit.flash.rejected", ui.Danger)
}

// question asks the trader for another proof.
func (s Services) question() caseengine.Action[caseContext] {
	ask := s.declining(nounAsk, "ask", "deposit.flash.asked", ui.Primary)
	ask.Key = "N"
	return ask
}

// reasons are the coded reasons of both.
func reasons() caseengine.Reasons[caseContext] {
	return caseengine.Reasons[caseContext]{
		Permission: access.DepositRefuse, Codes: deposit.Reasons, Label: "deposit.reason", Text: "deposit.reason", Language: func(cc caseContext) string { return cc.owner.Language },
	}
}

// declining is a decision with a coded reason.
func (s Services) declining(noun, verb, flash string, kind ui.ButtonKind) caseengine.Action[caseContext] {
	return caseengine.Action[caseContext]{
		Noun: noun, Verb: verb, Permission: access.DepositRefuse, Kind: kind, Fields: []string{"reason", "note"},
		Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
			frame := caseengine.Frame(cc, noun, "deposit."+verb, kind, "amount", amount(cc.Amount, cc.Currency))
			view := caseview.Dialog{Frame: frame, Alert: in.Alert, Figures: []ui.StatView{cc.announced()}, Facts: cc.identity()}
			return caseview.Refuse(reasons().Decline(cc, in, view))
		},
		Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
			_, err := s.Deposits.Decline(cc.Ctx, r.Actor(), cc.ID, cc.Version, noun == nounAsk, in.Values["reason"], in.Values["note"])
			return caseengine.NewFlash(flash), err
		},
	}
}
