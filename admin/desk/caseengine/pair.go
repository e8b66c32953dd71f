package caseengine

import (
	"encoding/json"
	"strings"

	"candor/admin/desk"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/staff"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// The acts on a request that one person makes and another one decides, as addresses name them.
const (
	NounWithdraw = "withdrawal"
	NounRefuse   = "refusal"
	NounConfirm  = "confirmation"
)

// Pair is a request that one person makes and another one decides, as a member sees it.
type Pair struct {
	PageContext
	Approval approval.Approval
	Texts    string // prefix of the keys of its texts
	Confirms bool   // the member may approve and refuse
	Role     error  // the refusal of a member who may not
	Conflict error  // of interest with the trader whom it is about
}

// Rights are the member's rights on the request now.
func (p Pair) Rights() Rights {
	out := Rights{}
	if !p.Approval.Undecided() {
		return out
	}
	switch {
	case p.Approval.RequestedBy == p.Me:
		out[NounWithdraw], out[NounRefuse], out[NounConfirm] = May, Never(approval.ErrSamePerson), No(approval.ErrSamePerson)
	case p.Confirms:
		out[NounRefuse], out[NounConfirm] = May, May
	default:
		out[NounRefuse], out[NounConfirm] = Never(p.Role), No(p.Role)
	}
	return out.Conflicting(p.Conflict, NounWithdraw)
}

// People are the circles of the request: who asked, and who approved or may.
func (p Pair) People() []ui.Person {
	people := []ui.Person{p.Circle(&p.Approval.RequestedBy, Verdict{}, Verdict{}, staff.Claim{})}
	if !p.Approval.Undecided() && p.Approval.SecondBy == nil {
		return people
	}
	return append(people, p.Circle(p.Approval.SecondBy, p.Rights()[NounConfirm], Verdict{}, staff.Claim{}))
}

// Asked shows why it was requested, and by whom.
func (p Pair) Asked() []ui.Fact {
	a := p.Approval
	return []ui.Fact{{Label: p.T(p.Texts + ".fact.note"), Value: a.Note}, {Label: p.T(p.Texts + ".fact.maker"), Value: p.Name(&a.RequestedBy), Note: p.At(a.RequestedAt)}}
}

// Decided shows who decided, and how.
func (p Pair) Decided() (facts []ui.Fact) {
	a := p.Approval
	if a.SecondBy != nil {
		facts = append(facts, ui.Fact{Label: p.T(p.Texts + ".fact.checker"), Value: p.Name(a.SecondBy), Note: p.At(*a.SecondAt)})
	}
	if by := a.RefusedBy(); by != nil {
		facts = append(facts, ui.Fact{Label: p.T(p.Texts + ".fact.refused_by"), Value: p.Name(by)}, ui.Fact{Label: p.T(p.Texts + ".fact.refusal"), Value: a.Refusal, Strong: true})
	}
	return facts
}

// pairActs are the icons of the acts of a request's history.
var pairActs = map[string]ui.StepView{
	"request": {Icon: ui.IconPlus}, "approve": {Icon: ui.IconCheck, State: ui.StepDone}, "refuse": {Icon: ui.IconClose, State: ui.StepBad}, "withdraw": {Icon: ui.IconUndo}, "expire": {Icon: ui.IconClock},
	"stop": {Icon: ui.IconClose, State: ui.StepBad},
}

// History shows an act of the history, with its arguments beside the target.
func (p Pair) History(e audit.Entry, number string, args ...any) ui.StepView {
	act := strings.TrimPrefix(e.Action, p.Texts+".")
	step, _ := p.Step(pairActs, act, e)
	step.Text = e.ActorName + " " + p.T("audit."+e.Action, append([]any{"target", number}, args...)...)
	var after struct{ Refusal string }
	if act == "refuse" && json.Unmarshal([]byte(e.After), &after) == nil {
		step.Note = after.Refusal
	}
	return step
}

// Dialog shows a request's facts above the fields of an act.
func (p Pair) Dialog(cc CaseContext, in Typed, noun, verb string, kind ui.ButtonKind, facts []ui.Fact) caseview.Dialog {
	frame := Frame(cc, noun, p.Texts+"."+verb, kind)
	frame.Calm, frame.Act.Busy = true, p.T("act.busy")
	return caseview.Dialog{Frame: frame, Alert: in.Alert, Facts: facts}
}

// WithPeople adds who decides to the dialog of the second person, and the field of the code.
func (p Pair) WithPeople(view caseview.Dialog, in Typed) caseview.Dialog {
	view.People, view.Two, view.Fields = p.People(), p.T(p.Texts+".two"), append(view.Fields, in.Code)
	return view
}

// RefusalNote is the field for the reason of a refusal.
func (p Pair) RefusalNote(in Typed) ui.FieldView {
	return in.Field(ui.FieldView{Name: "note", Label: p.T(p.Texts + ".field.refusal"), StaffOnly: true, Rows: 3, MaxLength: approval.MaxNote, Required: true})
}

// Moved makes an act of a function that moves a request, with the message after it.
func Moved[C any](texts, verb string, move func(*desk.Request, C, Typed) (approval.State, error)) func(*desk.Request, C, Typed) (Flash, error) {
	return func(r *desk.Request, cc C, in Typed) (Flash, error) {
		state, err := move(r, cc, in)
		return NewFlash(texts + "." + verb + ".done." + string(state)), err
	}
}
