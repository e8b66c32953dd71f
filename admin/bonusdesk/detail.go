package bonusdesk

import (
	"time"

	"candor/app/audit"
	"candor/app/bonus"
	"candor/app/ledger"
	"candor/app/platform/money"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// percentDecimals are the decimals of basis points in percent.
const percentDecimals = 2

// show is the page of a request.
func show(cc caseContext) (caseview.Detail, error) {
	head := caseview.Head{Chips: []ui.ChipView{*cc.chip(cc.Request)}, Due: cc.ApprovalDue(cc.Approval, bonus.Target)}
	if cc.Gift() {
		head.Trader, head.TraderHref = decimal(*cc.TraderID), cc.TraderHref(*cc.TraderID)
	}
	sections := []caseview.Section{caseview.FactsSection(cc.T("case.facts"), append(cc.facts(), cc.pair(cc.Request).Decided()...))}
	if effect := cc.effect(); len(effect) > 0 {
		sections = append(sections, caseview.FactsSection(cc.T("bonus.effect"), effect))
	}
	return caseview.Detail{Head: head, Main: sections, Foot: caseview.Foot{People: cc.pair(cc.Request).People(), Title: cc.T("deposit.foot.two"), Note: cc.T("bonus.two")}}, nil
}

func (cc caseContext) money(amount int64) string {
	return ui.Amount(amount) + " " + ledger.Currency
}

// facts are the facts of the request, in the order they are checked.
func (cc caseContext) facts() []ui.Fact {
	c := cc.Wanted
	facts := []ui.Fact{{Label: cc.T("bonus.fact.kind"), Value: cc.T("bonus.kind." + kind(cc.Request)), Strong: true}}
	if cc.Gift() {
		facts = append(facts, ui.Fact{Label: cc.T("case.fact.trader"), Value: decimal(*cc.TraderID), Ident: true, Href: cc.TraderHref(*cc.TraderID)})
	}
	facts = append(facts, ui.Fact{Label: cc.T("bonus.fact.amount." + kind(cc.Request)), Value: cc.money(c.Amount), Strong: true})
	if c.Rule == bonus.ByDeposit {
		facts = append(facts,
			ui.Fact{Label: cc.T("bonus.fact.share"), Value: money.Trim(int64(c.ShareBps), percentDecimals) + " %"},
			ui.Fact{Label: cc.T("bonus.fact.minimum"), Value: cc.money(c.Minimum)},
		)
	}
	facts = append(facts, ui.Fact{Label: cc.T("bonus.fact.days"), Value: cc.T("bonus.days_after", "days", c.Days)})
	if !cc.Gift() {
		facts = append(facts,
			ui.Fact{Label: cc.T("bonus.fact.last_day"), Value: c.LastDay.Format(time.DateOnly), Note: cc.T("bonus.utc")},
			ui.Fact{Label: cc.T("bonus.fact.budget"), Value: cc.money(c.Budget), Strong: true},
		)
	}
	return append(facts, cc.pair(cc.Request).Asked()...)
}

// effect is what an approved request has become.
func (cc caseContext) effect() (facts []ui.Fact) {
	if b := cc.given; b != nil {
		facts = append(facts,
			ui.Fact{Label: cc.T("bonus.fact.bonus"), Value: b.Number(), Ident: true},
			ui.Fact{Label: cc.T("bonus.fact.state"), Value: cc.T("bonus.state." + string(b.State)), Strong: true},
		)
		if b.State == bonus.Offered {
			facts = append(facts, ui.Fact{Label: cc.T("bonus.fact.accept_by"), Value: cc.At(b.AcceptBy)})
		}
		if b.ExpiresAt != nil {
			facts = append(facts, ui.Fact{Label: cc.T("bonus.fact.remaining"), Value: cc.money(b.Remaining)}, ui.Fact{Label: cc.T("bonus.fact.expires"), Value: cc.At(*b.ExpiresAt)})
		}
	}
	if c := cc.campaign; c != nil {
		state := "running"
		switch {
		case c.StoppedAt != nil:
			state = "stopped"
		case !c.Open(cc.now):
			state = "over"
		case cc.figures.Promised+c.Amount > c.Budget:
			state = "used_up"
		}
		f := cc.figures
		facts = append(facts,
			ui.Fact{Label: cc.T("bonus.fact.state"), Value: cc.T("bonus.campaign." + state), Strong: true},
			ui.Fact{Label: cc.T("bonus.fact.accepted"), Value: decimal(f.Accepted)},
			ui.Fact{Label: cc.T("bonus.fact.granted"), Value: decimal(f.Granted), Note: cc.money(f.GrantedSum)},
			ui.Fact{Label: cc.T("bonus.fact.remaining"), Value: cc.money(f.Remaining)},
			ui.Fact{Label: cc.T("bonus.fact.free"), Value: cc.money(c.Budget - f.Promised)},
		)
	}
	return facts
}

func (cc caseContext) step(e audit.Entry) ui.StepView {
	return cc.pair(cc.Request).History(e, cc.Number())
}
