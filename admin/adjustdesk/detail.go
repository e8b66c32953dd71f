package adjustdesk

import (
	"encoding/json"
	"strings"

	"candor/app/adjustment"
	"candor/app/audit"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// show is the page of an adjustment.
func show(cc caseContext) (caseview.Detail, error) {
	foot := caseview.Foot{People: cc.people(cc.Adjustment), Title: cc.T("deposit.foot.two"), Note: cc.T("withdrawal.foot.two.note", "limit", ui.Amount(cc.above)+" "+cc.Currency)}
	if cc.three(cc.Adjustment) {
		foot.Title = cc.T("adjustment.foot.three")
	}
	head := caseview.Head{Trader: decimal(cc.TraderID), TraderHref: cc.TraderHref(cc.TraderID), Chips: []ui.ChipView{*cc.chip(cc.Adjustment)}, Due: cc.ApprovalDue(cc.Approval, adjustment.Target)}
	return caseview.Detail{
		Side: cc.pictures(), Fixed: true, Head: head, Figures: cc.figures(), Foot: foot, Main: []caseview.Section{caseview.FactsSection(cc.T("case.facts"), append(cc.facts(), cc.decided()...))},
	}, nil
}

func (cc caseContext) figures() []ui.StatView {
	return []ui.StatView{{Label: cc.T("adjustment.fact.amount"), Value: ui.Signed(cc.Amount), Unit: cc.Currency, Main: true, Note: cc.T("adjustment." + direction(cc.Adjustment))}}
}

func direction(a adjustment.Adjustment) string {
	if a.Amount < 0 {
		return "out"
	}
	return "in"
}

// facts are the facts of the request, in the order they are checked.
func (cc caseContext) facts() []ui.Fact {
	whose := ui.Fact{Label: cc.T("case.fact.trader"), Value: decimal(cc.TraderID), Ident: true}
	if cc.Traders {
		whose.Href = ui.To("/admin/traders/{}/funds", cc.TraderID).String()
	}
	return []ui.Fact{
		whose,
		{Label: cc.T("withdrawal.fact.account"), Value: decimal(cc.AccountID), Ident: true},
		{Label: cc.T("adjustment.fact.reason"), Value: cc.reason(cc.Reason), Strong: true, Note: cc.T("adjustment.read")},
		{Label: cc.T("adjustment.fact.case"), Value: cc.caseName(cc.Case), Href: cc.caseHref(cc.Adjustment)},
		{Label: cc.T("withdrawal.fact.note"), Value: cc.Note},
		{Label: cc.T("adjustment.fact.maker"), Value: cc.Name(&cc.RequestedBy), Note: cc.At(cc.RequestedAt)},
	}
}

// decided shows who decided, and how.
func (cc caseContext) decided() (facts []ui.Fact) {
	for _, fact := range []struct {
		name string
		id   *int64
	}{{"checker", cc.SecondBy}, {"lead", cc.ThirdBy}, {"refused_by", cc.RefusedBy()}} {
		if fact.id != nil {
			facts = append(facts, ui.Fact{Label: cc.T("adjustment.fact." + fact.name), Value: cc.Name(fact.id)})
		}
	}
	if cc.Refusal != "" {
		facts = append(facts, ui.Fact{Label: cc.T("adjustment.fact.refusal"), Value: cc.Refusal, Strong: true})
	}
	if cc.TransactionID != nil {
		facts = append(facts, ui.Fact{Label: cc.T("adjustment.fact.transaction"), Value: decimal(*cc.TransactionID), Ident: true})
	}
	return facts
}

// acts are the icons of a history's acts.
var acts = map[string]ui.StepView{
	"request": {Icon: ui.IconPlus}, "approve": {Icon: ui.IconCheck, State: ui.StepDone}, "refuse": {Icon: ui.IconClose, State: ui.StepBad}, "withdraw": {Icon: ui.IconUndo}, "attach": {Icon: ui.IconClip}, "view_evidence": {Icon: ui.IconEye}, "expire": {Icon: ui.IconClock},
}

func (cc caseContext) step(e audit.Entry) ui.StepView {
	act := strings.TrimPrefix(e.Action, "adjustment.")
	step, _ := cc.Step(acts, act, e)
	step.Text = e.ActorName + " " + cc.T("audit."+e.Action, "target", cc.Number(), "amount", amount(cc.Adjustment), "trader", decimal(cc.TraderID))
	var after struct{ Refusal string }
	if act == "refuse" && json.Unmarshal([]byte(e.After), &after) == nil {
		step.Note = after.Refusal
	}
	return step
}
