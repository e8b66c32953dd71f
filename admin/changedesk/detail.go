package changedesk

import (
	"candor/admin/access"
	"candor/app/accountchange"
	"candor/app/audit"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// show is the page of a request.
func show(cc caseContext) (caseview.Detail, error) {
	return caseview.Detail{
		Head: caseview.Head{Trader: decimal(cc.TraderID), TraderHref: cc.TraderHref(cc.TraderID), Chips: []ui.ChipView{*cc.chip(cc.Change)}, Due: cc.ApprovalDue(cc.Approval, accountchange.Target)},
		Main: []caseview.Section{caseview.FactsSection(cc.T("case.facts"), append(cc.facts(), cc.pair(cc.Change).Decided()...))},
		Foot: caseview.Foot{People: cc.pair(cc.Change).People(), Title: cc.T("deposit.foot.two"), Note: cc.T("account_change.two")},
	}, nil
}

// facts are the facts of the request, in the order they are checked.
func (cc caseContext) facts() []ui.Fact {
	facts := []ui.Fact{
		{Label: cc.T("account_change.fact.kind"), Value: cc.kind(cc.Kind), Strong: true},
		{Label: cc.T("account_change.fact.effect"), Value: cc.T("account_change.effect." + string(cc.Kind))},
		{Label: cc.T("case.fact.trader"), Value: decimal(cc.TraderID), Ident: true, Href: cc.TraderHref(cc.TraderID)},
	}
	if cc.identity != 0 {
		identity := ui.Fact{Label: cc.T("account_change.fact.identity"), Value: "ID-" + decimal(cc.identity), Ident: true}
		if cc.may(access.IdentityView) {
			identity.Href = ui.To("/admin/identity/{}", cc.identity).String()
		}
		facts = append(facts, identity)
	}
	if cc.ConversationID != 0 {
		pictures := ui.Fact{Label: cc.T("account_change.fact.conversation"), Value: decimal(cc.ConversationID), Ident: true}
		if cc.may(access.ChatView) {
			pictures.Href = ui.To("/admin/chat/{}", cc.ConversationID).String()
		}
		facts = append(facts, pictures)
	}
	if cc.Contact != "" {
		facts = append(facts, ui.Fact{Label: cc.T("account_change.fact.contact"), Value: cc.Contact, Ident: true})
	}
	return append(facts, cc.pair(cc.Change).Asked()...)
}

func (cc caseContext) step(e audit.Entry) ui.StepView {
	return cc.pair(cc.Change).History(e, cc.Number(), "trader", decimal(cc.TraderID))
}
