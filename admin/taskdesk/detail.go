package taskdesk

import (
	"context"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/task"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// The acts, as addresses name them.
const (
	nounTake     = "taking"
	nounGiveBack = "return"
	nounFinish   = "outcome"
	nounDecline  = "refusal"
	nounCancel   = "cancellation"
	nounComment  = "comment"
)

// Right is the verdict on an act of the member now.
func (cc caseContext) Right(noun string) caseengine.Verdict {
	by, mine := cc.reader.Actor, cc.TakenByMember(cc.Me)
	works := cc.may(access.TaskWork)
	may := map[string]bool{
		nounTake:     works && cc.State == task.Open && cc.For(by),
		nounGiveBack: works && mine,
		nounFinish:   works && mine,
		nounDecline:  works && (mine || cc.State == task.Open && cc.For(by)),
		nounCancel:   cc.may(access.TaskAsk) && !cc.Ended() && cc.AskedBy == cc.Me,
		nounComment:  cc.may(access.TaskAsk) && (cc.AskedBy == cc.Me || cc.For(by) || mine),
	}
	switch {
	case may[noun]:
		return caseengine.May
	case cc.Ended():
		return caseengine.Verdict{}
	case noun == nounCancel:
		return caseengine.Never(task.ErrNotAsked)
	}
	return caseengine.Never(task.ErrNotYours)
}

// show is the page of a task.
func show(cc caseContext) (caseview.Detail, error) {
	head := caseview.Head{Chips: []ui.ChipView{cc.chip(cc.Task)}, Due: cc.due(cc.Task)}
	if flag := cc.flag(cc.Task); flag != nil {
		head.Chips = append(head.Chips, *flag)
	}
	main := []caseview.Section{{Title: cc.Title, Body: ui.Facts(ui.FactsView{Items: cc.facts()})}}
	if len(cc.comments) > 0 {
		main = append(main, caseview.Section{Title: cc.T("task.comments"), Body: ui.Timeline(cc.steps())})
	}
	return caseview.Detail{Head: head, Main: main, Foot: caseview.Foot{Title: cc.next()}}, nil
}

// next says who does what next.
func (cc caseContext) next() string {
	if cc.Ended() {
		return cc.T("task.foot.ended", "name", cc.Name(cc.EndedBy), "at", cc.At(*cc.EndedAt))
	}
	if cc.State == task.Taken {
		return cc.T("task.foot.taken", "name", cc.Name(cc.TakenBy))
	}
	return cc.T("task.foot.open", "name", cc.addressee(cc.Task))
}

func (cc caseContext) facts() []ui.Fact {
	about, href := cc.about(cc.Subject)
	facts := []ui.Fact{{Label: cc.T("task.fact.about"), Value: about, Href: href, Ident: true}}
	if cc.TraderID != nil && cc.SubjectKind != task.Trader {
		facts = append(facts, ui.Fact{Label: cc.T("case.fact.trader"), Value: number(*cc.TraderID), Href: cc.TraderHref(*cc.TraderID), Ident: true})
	}
	if cc.Note != "" {
		facts = append(facts, ui.Fact{Label: cc.T("task.fact.note"), Value: cc.Note})
	}
	facts = append(facts,
		ui.Fact{Label: cc.T("task.fact.for"), Value: cc.addressee(cc.Task), Strong: true},
		ui.Fact{Label: cc.T("task.fact.asked"), Value: cc.Name(&cc.AskedBy), Note: cc.At(cc.AskedAt)},
		ui.Fact{Label: cc.T("task.fact.due"), Value: cc.At(cc.DueAt)},
	)
	if cc.Outcome != "" {
		facts = append(facts, ui.Fact{Label: cc.T("task.fact." + string(cc.State)), Value: cc.Outcome, Strong: true})
	}
	return facts
}

func (cc caseContext) steps() (steps []ui.StepView) {
	for _, c := range cc.comments {
		steps = append(steps, ui.StepView{Icon: ui.IconNote, Text: cc.Name(&c.AuthorID), Note: c.Text, Time: cc.At(c.At), UTC: ui.Stamp(c.At)})
	}
	return steps
}

// acts are the icons of a history's acts.
var acts = map[string]ui.StepView{
	"ask": {Icon: ui.IconPlus}, "take": {Icon: ui.IconPerson}, "give_back": {Icon: ui.IconUndo}, "finish": {Icon: ui.IconCheck, State: ui.StepDone},
	"decline": {Icon: ui.IconClose, State: ui.StepBad}, "cancel": {Icon: ui.IconUndo}, "comment": {Icon: ui.IconNote},
}

func (cc caseContext) step(e audit.Entry) ui.StepView {
	step, _ := cc.Step(acts, strings.TrimPrefix(e.Action, "task."), e)
	step.Text = e.ActorName + " " + cc.T("audit."+e.Action, "target", cc.Number())
	return step
}

// taking is the button that takes the task, without a dialog.
func (cc caseContext) taking() []ui.ButtonView {
	if !cc.Right(nounTake).OK {
		return nil
	}
	return []ui.ButtonView{{Label: cc.T("task.take.open"), Kind: ui.Primary, Key: "C", HX: ui.HX{Post: cc.About().Below(nounTake), Target: ui.At(cc.About().Key()), Swap: ui.SwapWhole}}}
}

// actions are the dialogs in the order of their buttons, the way forward last.
func (s Services) actions() []caseengine.Action[caseContext] {
	return []caseengine.Action[caseContext]{
		action(nounComment, "comment", access.TaskAsk, ui.Plain, true, "", s.Tasks.Comment),
		action(nounCancel, "cancel", access.TaskAsk, ui.Danger, false, "", withoutText(s.Tasks.Cancel)),
		action(nounGiveBack, "give_back", access.TaskWork, ui.Plain, false, "", withoutText(s.Tasks.GiveBack)),
		action(nounDecline, "decline", access.TaskWork, ui.Danger, true, "X", s.Tasks.Decline),
		action(nounFinish, "finish", access.TaskWork, ui.Primary, true, "D", s.Tasks.Finish),
	}
}

// act changes a task with a text.
type act func(ctx context.Context, by audit.Actor, id int64, version int, text string) (task.Task, error)

func withoutText(do func(context.Context, audit.Actor, int64, int) (task.Task, error)) act {
	return func(ctx context.Context, by audit.Actor, id int64, version int, _ string) (task.Task, error) {
		return do(ctx, by, id, version)
	}
}

// action is an act with its dialog, which asks for a text where the act has one.
func action(noun, verb string, p access.Permission, kind ui.ButtonKind, text bool, key string, do act) caseengine.Action[caseContext] {
	a := caseengine.Action[caseContext]{
		Noun: noun, Verb: verb, Permission: p, Kind: kind, Forward: noun == nounFinish, Key: key,
		Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
			frame := caseengine.Frame(cc, noun, "task."+verb, kind)
			frame.Act.Busy = cc.T("act.busy")
			d := caseview.Dialog{Frame: frame, Alert: in.Alert, Facts: []ui.Fact{{Label: cc.T("task.fact.what"), Value: cc.Title, Strong: true}}}
			if text {
				d.Fields = []ui.FieldView{in.Field(ui.FieldView{Name: "text", Label: cc.T("task." + verb + ".text"), StaffOnly: true, Rows: 4, MaxLength: task.LongestText, Required: true})}
			}
			return caseview.Decide(d)
		},
		Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
			_, err := do(cc.Ctx, r.Actor(), cc.ID, cc.Version, plain(in.Values["text"]))
			return caseengine.NewFlash("task." + verb + ".done"), err
		},
	}
	if text {
		a.Fields = []string{"text"}
	}
	return a
}

// plain removes characters that can't be stored.
func plain(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", ""))
}

func number(id int64) string { return strconv.FormatInt(id, 10) }
