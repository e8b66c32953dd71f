package complaintdesk

import (
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/complaint"
	"candor/app/staff"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// show is the page of a complaint.
func show(cc caseContext) (caseview.Detail, error) {
	head := caseview.Head{Trader: number(cc.TraderID), TraderHref: cc.TraderHref(cc.TraderID), Chips: cc.chips(cc.Complaint), Due: cc.due(cc.Complaint)}
	main := []caseview.Section{{Title: cc.T("complaint.category." + string(cc.Category)), Body: ui.Facts(ui.FactsView{Items: cc.facts()})}}
	for _, told := range cc.told {
		main = append(main, caseview.FactsSection(cc.T("complaint.told."+string(told.Kind)), cc.toldFacts(told)))
	}
	if cc.asked.ID != 0 {
		title := "complaint.proposed"
		if !cc.Open() {
			title = "complaint.answered"
		}
		main = append(main, caseview.FactsSection(cc.T(title), cc.answerFacts()))
	}
	return caseview.Detail{Head: head, Main: main, Foot: cc.foot()}, nil
}

// facts are what the trader complains about, and the last days.
func (cc caseContext) facts() []ui.Fact {
	facts := []ui.Fact{
		{Label: cc.T("case.fact.trader"), Value: number(cc.TraderID), Ident: true, Href: cc.TraderHref(cc.TraderID)},
		{Label: cc.T("complaint.fact.summary"), Value: cc.Summary, Strong: true},
		{Label: cc.T("complaint.fact.received"), Value: cc.Date(cc.ReceivedOn), Note: cc.T("complaint.channel." + string(cc.Channel))},
	}
	if cc.ConversationID != nil {
		about := ui.Fact{Label: cc.T("complaint.fact.conversation"), Value: number(*cc.ConversationID), Ident: true}
		if cc.may(access.ChatView) {
			about.Href = ui.To("/admin/chat/{}", *cc.ConversationID).String()
		}
		facts = append(facts, about)
	}
	if cc.Product != "" {
		facts = append(facts, ui.Fact{Label: cc.T("complaint.fact.product"), Value: cc.Product, Ident: true})
	}
	if cc.Claimed != nil {
		facts = append(facts, ui.Fact{Label: cc.T("complaint.fact.claimed"), Value: cc.figures.Sum(*cc.Claimed, currency)})
	}
	facts = append(facts,
		ui.Fact{Label: cc.T("complaint.fact.registered"), Value: cc.Name(&cc.RegisteredBy), Note: cc.At(cc.RegisteredAt)},
		ui.Fact{Label: cc.T("complaint.fact.acknowledge_due"), Value: cc.Date(cc.AcknowledgeDue), Note: cc.T("complaint.days", "count", complaint.AcknowledgeDays)},
		ui.Fact{Label: cc.T("complaint.fact.answer_due"), Value: cc.Date(cc.AnswerDue), Note: cc.T("complaint.days", "count", cc.days())},
	)
	if cc.HandlerID != nil {
		facts = append(facts, ui.Fact{Label: cc.T("complaint.fact.handler"), Value: cc.Name(cc.HandlerID)})
	}
	return facts
}

// days are the business days for the final answer.
func (cc caseContext) days() int {
	if cc.ExtendedAt != nil {
		return complaint.ExtendedDays
	}
	return complaint.AnswerDays
}

func (cc caseContext) toldFacts(told complaint.Told) []ui.Fact {
	return []ui.Fact{
		{Label: cc.T("complaint.fact.told"), Value: told.Text},
		{Label: cc.T("complaint.fact.way"), Value: cc.T("complaint.way." + string(told.Way)), Note: cc.T("complaint.told.by", "day", cc.Date(told.SentOn), "name", cc.Name(&told.ByID))},
	}
}

// answerFacts are the final answer, as it was proposed and agreed on.
func (cc caseContext) answerFacts() []ui.Fact {
	a := cc.proposed
	facts := []ui.Fact{{Label: cc.T("complaint.field.outcome"), Value: cc.T("complaint.outcome." + string(a.Outcome)), Strong: true}}
	if a.Redress != "" {
		facts = append(facts, ui.Fact{Label: cc.T("complaint.field.redress"), Value: a.Redress, Strong: true})
	}
	facts = append(facts,
		ui.Fact{Label: cc.T("complaint.field.cause"), Value: a.RootCause},
		ui.Fact{Label: cc.T("complaint.field.answer"), Value: a.Answer},
		ui.Fact{Label: cc.T("complaint.fact.way"), Value: cc.T("complaint.way." + string(a.AnswerWay)), Note: cc.sent()},
		ui.Fact{Label: cc.T("complaint.fact.proposed"), Value: cc.Name(&cc.asked.RequestedBy), Note: cc.At(cc.asked.RequestedAt)},
	)
	if cc.asked.SecondBy != nil {
		facts = append(facts, ui.Fact{Label: cc.T("complaint.fact.agreed"), Value: cc.Name(cc.asked.SecondBy), Note: cc.At(*cc.asked.SecondAt)})
	}
	return facts
}

// sent is the day on which the answer went out; empty before.
func (cc caseContext) sent() string {
	if cc.AnswerSentOn == nil {
		return ""
	}
	return cc.Date(*cc.AnswerSentOn)
}

// foot shows who has decided about the answer, and what comes next.
func (cc caseContext) foot() caseview.Foot {
	foot := caseview.Foot{Title: cc.T("complaint.next." + string(cc.State))}
	if cc.waits {
		foot.People, foot.Title, foot.Note = cc.people(), cc.T("deposit.foot.two"), cc.T("complaint.two")
	}
	return foot
}

func (cc caseContext) people() []ui.Person {
	return []ui.Person{
		cc.Circle(&cc.asked.RequestedBy, caseengine.Verdict{}, caseengine.Verdict{}, staff.Claim{}), cc.Circle(cc.asked.SecondBy, cc.Right(nounAgree), caseengine.Verdict{}, staff.Claim{}),
	}
}

// acts are the icons of a history's acts.
var acts = map[string]ui.StepView{
	"register": {Icon: ui.IconPlus}, "acknowledge": {Icon: ui.IconMail}, "investigate": {Icon: ui.IconSearch}, "extend": {Icon: ui.IconClock, State: ui.StepWarn},
	"request_answer": {Icon: ui.IconPeople}, "approve_answer": {Icon: ui.IconCheck, State: ui.StepDone}, "refuse_answer": {Icon: ui.IconClose, State: ui.StepBad},
	"withdraw_answer": {Icon: ui.IconUndo}, "expire_answer": {Icon: ui.IconClock}, "close": {Icon: ui.IconLock, State: ui.StepDone},
}

func (cc caseContext) step(e audit.Entry) ui.StepView {
	step, _ := cc.Step(acts, strings.TrimPrefix(e.Action, "complaint."), e)
	step.Text = e.ActorName + " " + cc.T("audit."+e.Action, "target", cc.Number())
	if cc.asked.Refusal != "" && e.Action == "complaint.refuse_answer" {
		step.Note = cc.asked.Refusal
	}
	return step
}

// today is the day that a form suggests.
func (pc pageContext) today() string { return complaint.Day(pc.Now, pc.Zone).Format(time.DateOnly) }
