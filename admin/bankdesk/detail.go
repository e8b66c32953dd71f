package bankdesk

import (
	"strings"

	"candor/app/audit"
	"candor/app/banking"
	"candor/app/staff"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// show is the page of a line: what the bank says, and the cases that it may belong to.
func show(cc caseContext) (caseview.Detail, error) {
	view := caseview.Detail{
		Head: caseview.Head{Chips: []ui.ChipView{*cc.chip(cc.Line)}}, Figures: cc.figures(), Foot: cc.foot(),
		Main: []caseview.Section{caseview.FactsSection(cc.T("case.facts"), append(cc.facts(), cc.askedFacts()...))},
	}
	switch cc.State {
	case banking.Unmatched:
		view.Main = append(view.Main, caseview.LinesSection(cc.T("bankline.candidates"), "", cc.candidateLines(), cc.T("bankline.candidates.none")))
	case banking.Matched:
		id := matchedID(cc.Line)
		line := caseview.Line{Day: cc.Date(cc.BookedOn), Number: caseNumber(cc.Line, id), Href: caseAddress(cc.Line, id).String(), Amount: cc.amount(cc.Line), State: cc.T("bankline.chip.match"), Good: true}
		view.Main = append(view.Main, caseview.LinesSection(cc.T("bankline.matched"), "", []caseview.Line{line}, ""))
	}
	return view, nil
}

func (cc caseContext) figures() []ui.StatView {
	label := "bankline.debit"
	if cc.Credit() {
		label = "bankline.credit"
	}
	return []ui.StatView{{Label: cc.T(label), Value: ui.Signed(cc.Amount), Unit: cc.accounts[cc.AccountID].Currency, Main: true}}
}

// facts are what the bank says.
func (cc caseContext) facts() []ui.Fact {
	account := cc.accounts[cc.AccountID]
	return []ui.Fact{
		{Label: cc.T("bankline.fact.account"), Value: account.Name, Note: fours(account.IBAN)},
		{Label: cc.T("bankline.fact.payer"), Value: orDash(cc.detail.Counterparty), Note: fours(cc.detail.Account), Strong: true},
		{Label: cc.T("bankline.fact.text"), Value: orDash(cc.detail.Text)},
		{Label: cc.T("bankline.fact.reference"), Value: orDash(cc.Reference), Ident: true},
		{Label: cc.T("bankline.fact.bank_reference"), Value: orDash(cc.BankReference), Ident: true},
		{Label: cc.T("bankline.fact.booked"), Value: cc.Date(cc.BookedOn), Note: cc.T("bankline.fact.value", "day", cc.Date(cc.ValueOn))},
		{Label: cc.T("bankline.fact.statement"), Value: cc.statement.DisplayNumber(), Note: cc.statement.Number, Href: ui.To("/admin/statements").String() + "?tab=all&statement=" + decimal(cc.statement.ID)},
	}
}

// askedFacts are what was requested of the line.
func (cc caseContext) askedFacts() []ui.Fact {
	if cc.asked == nil {
		return nil
	}
	return []ui.Fact{
		{Label: cc.T("bankline.field.cause"), Value: cc.T("bankline.cause." + string(cc.cause)), Strong: true},
		{Label: cc.T("bankline.field.why"), Value: cc.asked.Note},
		{Label: cc.T("adjustment.fact.maker"), Value: cc.Name(&cc.asked.RequestedBy), Note: cc.At(cc.asked.RequestedAt)},
	}
}

// candidateLines are the cases that the line may belong to, the best first, with what agrees.
func (cc caseContext) candidateLines() (out []caseview.Line) {
	for _, c := range cc.candidates {
		out = append(out, caseview.Line{
			Number: caseNumber(cc.Line, c.ID), Href: caseAddress(cc.Line, c.ID).String(), Amount: cc.T("bankline.score", "score", c.Score), State: cc.agreement(c), Good: c.Score >= banking.Sure,
		})
	}
	return out
}

// agreement is what agrees between the line and a case.
func (cc caseContext) agreement(c banking.Candidate) string {
	var agree []string
	for _, part := range []struct {
		agrees bool
		key    string
	}{{c.Reference, "reference"}, {c.Amount, "amount"}, {c.Sender, "sender"}} {
		if part.agrees {
			agree = append(agree, cc.T("bankline.agrees."+part.key))
		}
	}
	return strings.Join(agree, ", ")
}

// foot shows who has decided, and what is next.
func (cc caseContext) foot() caseview.Foot {
	foot := caseview.Foot{Title: cc.chip(cc.Line).Label}
	switch {
	case cc.asked != nil && cc.State != banking.Matched:
		foot.People, foot.Title = cc.people(), cc.T("deposit.foot.two")
	case cc.Suggested():
		foot.Title = cc.T("bankline.foot.suggested", "number", caseNumber(cc.Line, *cc.SuggestedID))
	case cc.DecidedBy != nil:
		foot.Note = cc.Name(cc.DecidedBy) + ", " + cc.At(*cc.DecidedAt)
	}
	return foot
}

func (cc caseContext) people() []ui.Person {
	rights := cc.rights()
	return []ui.Person{cc.Circle(&cc.asked.RequestedBy, rights[""], rights[""], staff.Claim{}), cc.Circle(cc.asked.SecondBy, rights[nounAgree], rights[""], staff.Claim{})}
}

// acts are the icons of a history's acts.
var acts = map[string]ui.StepView{
	"match": {Icon: ui.IconCheck, State: ui.StepDone}, "request_line": {Icon: ui.IconPlus}, "approve_line": {Icon: ui.IconCheck, State: ui.StepDone},
	"refuse_line": {Icon: ui.IconClose, State: ui.StepBad}, "withdraw_line": {Icon: ui.IconUndo}, "expire_line": {Icon: ui.IconClock},
}

func (cc caseContext) step(e audit.Entry) ui.StepView {
	_, act, _ := strings.Cut(e.Action, ".")
	step, _ := cc.Step(acts, act, e)
	step.Text = e.ActorName + " " + cc.T("audit."+e.Action, "target", cc.Number())
	return step
}

func orDash(text string) string {
	if text == "" {
		return "—"
	}
	return text
}

// fours splits an account number into groups of four, as it is printed.
func fours(number string) string {
	var out []string
	for len(number) > 4 {
		out, number = append(out, number[:4]), number[4:]
	}
	return strings.Join(append(out, number), " ")
}
