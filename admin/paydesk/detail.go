package paydesk

import (
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/payview"
	"candor/templates/ui"
)

// show is the page of a withdrawal: where the money goes and the risk, with the trader's other payments beside it.
func show(cc caseContext) (caseview.Detail, error) {
	risk := cc.risk(cc.Withdrawal)
	return caseview.Detail{
		Head: cc.head(), Figures: cc.figures(), Foot: cc.foot(), Even: true,
		Main: []caseview.Section{
			cc.destinationSection(),
			{Title: cc.T("withdrawal.risk"), Chip: &risk, Body: payview.Risks(cc.riskLines())},
			caseview.FactsSection(cc.T("case.facts"), cc.facts()),
		},
		Side: []caseview.Section{
			caseview.FactsSection(cc.T("withdrawal.account"), cc.accountFacts()),
			caseview.FactsSection(cc.T("withdrawal.money"), cc.moneyFacts()),
			caseview.LinesSection(cc.T("withdrawal.earlier"), "", cc.earlier(), cc.T("withdrawal.earlier.none")),
			caseview.LinesSection(cc.T("withdrawal.deposits"), cc.T("withdrawal.deposits.total", "amount", cc.show.Sum(cc.Deposited, cc.Currency)), cc.deposits(), cc.T("withdrawal.deposits.none")),
		},
	}, nil
}

func (cc caseContext) head() caseview.Head {
	h := caseview.Head{
		Trader: decimal(cc.TraderID), TraderHref: cc.TraderHref(cc.TraderID), Chips: []ui.ChipView{*cc.chip(cc.Withdrawal)}, Due: cc.due(cc.Withdrawal),
	}
	if h.Due != nil && !h.Due.Since.IsZero() {
		h.Due.Plain, h.Due.Note = true, cc.T("withdrawal.target", "hours", target(cc.Withdrawal))
	}
	return h
}

// foot shows who decides.
func (cc caseContext) foot() caseview.Foot {
	foot := caseview.Foot{People: cc.people(cc.Withdrawal)}
	foot.Title, foot.Note = cc.footWords(cc.Withdrawal)
	return foot
}

// leads reports whether an act moves a payment to its next step; a state offers one of those.
func leads(noun string) bool {
	switch noun {
	case nounApprove, nounConfirm, nounThird, nounSend, nounPaid, nounCheck, nounSettle, nounUnfreeze:
		return true
	}
	return false
}

func (pc pageContext) footWords(w withdrawal.Withdrawal) (title, note string) {
	words := "withdrawal.foot." + string(w.State)
	if w.Provider != "" && (w.State == withdrawal.Queued || w.State == withdrawal.Processing) {
		return pc.T(words), pc.T("withdrawal.foot.provider.note")
	}
	switch w.State {
	case withdrawal.Review, withdrawal.Approved1:
		if w.Amount > pc.above {
			return pc.T("withdrawal.foot.three"), pc.T("withdrawal.foot.three.note", "limit", bound(pc.above)+" "+w.Currency)
		}
		return pc.T("withdrawal.foot.two"), pc.T("withdrawal.foot.two.note", "limit", bound(pc.above)+" "+w.Currency)
	case withdrawal.Approved2, withdrawal.Queued, withdrawal.Processing, withdrawal.OutcomeUnknown:
		return pc.T(words), pc.T(words + ".note")
	case withdrawal.Sent:
		if w.Confirmable() {
			return pc.T("withdrawal.foot.sent"), pc.T("withdrawal.foot.sent.note")
		}
		return pc.T("withdrawal.chip.sent"), given(w.Payment)
	case withdrawal.Completed:
		return pc.T("withdrawal.chip.completed"), given(w.Payment)
	default:
		return pc.T("withdrawal.chip." + string(w.State)), pc.reason(w.Reason)
	}
}
