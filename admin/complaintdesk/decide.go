package complaintdesk

import (
	"context"
	"strings"
	"time"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/complaint"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// actions are the dialogs in the order of their buttons, the way forward last.
func (s Services) actions() []caseengine.Action[caseContext] {
	return []caseengine.Action[caseContext]{
		{
			Noun: nounExtend, Verb: "extend", Permission: access.ComplaintHandle, Kind: ui.Plain, Fields: []string{"text", "way", "sent"}, Dialog: letterDialog(nounExtend, "extend"),
			Act: telling("extend", s.Complaints.Extend),
		},
		{
			Noun: nounAcknowledge, Verb: "acknowledge", Permission: access.ComplaintHandle, Kind: ui.Primary, Forward: true, Key: "A", Fields: []string{"text", "way", "sent"},
			Dialog: letterDialog(nounAcknowledge, "acknowledge"), Act: telling("acknowledge", s.Complaints.Acknowledge),
		},
		{
			Noun: nounInvestigate, Verb: "investigate", Permission: access.ComplaintHandle, Kind: ui.Primary, Forward: true, Key: "I",
			Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
				return caseview.Decide(cc.dialog(in, nounInvestigate, "investigate", ui.Primary))
			},
			Act: func(r *desk.Request, cc caseContext, _ caseengine.Typed) (caseengine.Flash, error) {
				_, err := s.Complaints.Investigate(cc.Ctx, r.Actor(), cc.ID, cc.Version)
				return caseengine.NewFlash("complaint.investigate.done"), err
			},
		},
		{
			Noun: nounAnswer, Verb: "answer", Permission: access.ComplaintHandle, Kind: ui.Primary, Forward: true, Key: "A", Fields: []string{"outcome", "redress", "cause", "text", "way"},
			Dialog: answerDialog,
			Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
				_, err := s.Complaints.RequestAnswer(cc.Ctx, r.Actor(), cc.ID, cc.Version, complaint.Answer{
					Outcome: complaint.Outcome(in.Values["outcome"]), Redress: plain(in.Values["redress"]), RootCause: plain(in.Values["cause"]), Answer: plain(in.Values["text"]),
					AnswerWay: complaint.Way(in.Values["way"]),
				})
				return caseengine.NewFlash("complaint.answer.done"), err
			},
		},
		s.declining(nounWithdraw, "withdraw", access.ComplaintHandle), s.declining(nounRefuse, "refuse", access.ComplaintConfirm),
		{
			Noun: nounAgree, Verb: "agree", Permission: access.ComplaintConfirm, Kind: ui.Primary, Forward: true, Key: "A", Bound: true, StepUp: "complaint.answer",
			Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
				d := cc.dialog(in, nounAgree, "agree", ui.Primary)
				d.Facts, d.People, d.Two, d.Fields = append(d.Facts, cc.answerFacts()...), cc.people(), cc.T("complaint.two"), []ui.FieldView{in.Code}
				return caseview.Decide(d)
			},
			Act: func(r *desk.Request, cc caseContext, _ caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("complaint.agree.done"), s.Complaints.ApproveAnswer(cc.Ctx, r.Actor(), cc.asked)
			},
		},
		{
			Noun: nounClose, Verb: "close", Permission: access.ComplaintHandle, Kind: ui.Primary, Forward: true, Fields: []string{"sent"}, Dialog: closeDialog,
			Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
				sent, err := typedDay(in.Values["sent"])
				if cc.AnswerSentOn == nil && err != nil {
					return caseengine.Flash{}, complaint.ErrSent
				}
				_, err = s.Complaints.Close(cc.Ctx, r.Actor(), cc.ID, cc.Version, sent, cc.Zone)
				return caseengine.NewFlash("complaint.close.done"), err
			},
		},
	}
}

// telling is an act that tells the trader something.
func telling(verb string, do func(ctx context.Context, by audit.Actor, id int64, version int, l complaint.Letter) (complaint.Complaint, error)) func(*desk.Request, caseContext, caseengine.Typed) (caseengine.Flash, error) {
	return func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
		l := complaint.Letter{Way: complaint.Way(in.Values["way"]), Text: plain(in.Values["text"]), Zone: cc.Zone}
		if l.Way != complaint.WayMail {
			var err error
			if l.SentOn, err = typedDay(in.Values["sent"]); err != nil {
				return caseengine.Flash{}, complaint.ErrSent
			}
		}
		_, err := do(cc.Ctx, r.Actor(), cc.ID, cc.Version, l)
		return caseengine.NewFlash("complaint." + verb + ".done"), err
	}
}

// declining ends a proposed answer: its own person withdraws it, another refuses it with a reason.
func (s Services) declining(noun, verb string, p access.Permission) caseengine.Action[caseContext] {
	a := caseengine.Action[caseContext]{
		Noun: noun, Verb: verb, Permission: p, Kind: ui.Danger,
		Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
			d := cc.dialog(in, noun, verb, ui.Danger)
			d.Facts = append(d.Facts, cc.answerFacts()...)
			if noun == nounRefuse {
				d.Fields = []ui.FieldView{in.Field(ui.FieldView{Name: "note", Label: cc.T("complaint.field.refusal"), StaffOnly: true, Rows: 3, MaxLength: approval.MaxNote, Required: true})}
			}
			return caseview.Decide(d)
		},
		Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
			return caseengine.NewFlash("complaint." + verb + ".done"), s.Complaints.DeclineAnswer(cc.Ctx, r.Actor(), cc.asked, in.Values["note"])
		},
	}
	if noun == nounRefuse {
		a.Fields = []string{"note"}
	}
	return a
}

// dialog shows the complaint above the fields.
func (cc caseContext) dialog(in caseengine.Typed, noun, verb string, kind ui.ButtonKind) caseview.Dialog {
	frame := caseengine.Frame(cc, noun, "complaint."+verb, kind)
	frame.Act.Busy = cc.T("act.busy")
	return caseview.Dialog{Frame: frame, Alert: in.Alert, Facts: []ui.Fact{{Label: cc.T("complaint.fact.summary"), Value: cc.Summary}}}
}

// letterDialog asks what the trader is told, and how. The text is suggested in English, as staff write it in the trader's language.
func letterDialog(noun, verb string) func(caseContext, caseengine.Typed) templ.Component {
	return func(cc caseContext, in caseengine.Typed) templ.Component {
		d := cc.dialog(in, noun, verb, ui.Primary)
		due := cc.AnswerDue
		if noun == nounExtend {
			due = complaint.AfterBusinessDays(cc.ReceivedOn, complaint.ExtendedDays)
		}
		d.Facts = append(d.Facts, ui.Fact{Label: cc.T("complaint.fact.answer_due"), Value: cc.Date(due), Strong: true})
		if _, typed := in.Values["text"]; !typed && noun == nounAcknowledge {
			in.Values["text"] = cc.T("complaint.acknowledge.draft", "number", cc.Number(), "day", cc.Date(due))
		}
		d.Fields = append([]ui.FieldView{in.Field(ui.FieldView{Name: "text", Label: cc.T("complaint." + verb + ".text"), Hint: cc.T("complaint.text.hint"), Rows: 5, MaxLength: complaint.LongestText, Required: true})},
			cc.wayFields(in, true)...)
		return caseview.Decide(d)
	}
}

// wayFields ask how something is told, and on which day where no mail carries it.
func (cc caseContext) wayFields(in caseengine.Typed, sent bool) []ui.FieldView {
	way := in.Field(ui.FieldView{Name: "way", Label: cc.T("complaint.fact.way"), Required: true})
	if way.Value == "" {
		way.Value = string(complaint.WayMail)
	}
	for _, one := range complaint.Ways {
		way.Options = append(way.Options, ui.Option{Value: string(one), Label: cc.T("complaint.way." + string(one)), Selected: string(one) == way.Value})
	}
	if !sent {
		return []ui.FieldView{way}
	}
	return []ui.FieldView{way, cc.sentField(in)}
}

func (cc caseContext) sentField(in caseengine.Typed) ui.FieldView {
	f := in.Field(ui.FieldView{Name: "sent", Label: cc.T("complaint.field.sent"), Hint: cc.T("complaint.field.sent.hint"), Type: "date", Max: cc.today()})
	if f.Value == "" {
		f.Value = cc.today()
	}
	return f
}

func answerDialog(cc caseContext, in caseengine.Typed) templ.Component {
	d := cc.dialog(in, nounAnswer, "answer", ui.Primary)
	d.People, d.Two = []ui.Person{cc.PageContext.Open(true), cc.PageContext.Open(false)}, cc.T("complaint.two")
	outcome := in.Field(ui.FieldView{Name: "outcome", Label: cc.T("complaint.field.outcome"), Required: true, Options: []ui.Option{{Label: cc.T("complaint.pick")}}})
	for _, one := range complaint.Outcomes {
		outcome.Options = append(outcome.Options, ui.Option{Value: string(one), Label: cc.T("complaint.outcome." + string(one)), Selected: string(one) == outcome.Value})
	}
	d.Fields = append([]ui.FieldView{
		outcome,
		in.Field(ui.FieldView{Name: "redress", Label: cc.T("complaint.field.redress"), Hint: cc.T("complaint.field.redress.hint"), Rows: 2, MaxLength: complaint.LongestText}),
		in.Field(ui.FieldView{Name: "cause", Label: cc.T("complaint.field.cause"), StaffOnly: true, Rows: 2, MaxLength: complaint.LongestText, Required: true}),
		in.Field(ui.FieldView{Name: "text", Label: cc.T("complaint.field.answer"), Hint: cc.T("complaint.text.hint"), Rows: 5, MaxLength: complaint.LongestText, Required: true}),
	}, cc.wayFields(in, false)...)
	return caseview.Decide(d)
}

func closeDialog(cc caseContext, in caseengine.Typed) templ.Component {
	d := cc.dialog(in, nounClose, "close", ui.Primary)
	if cc.AnswerSentOn == nil {
		d.Fields = []ui.FieldView{cc.sentField(in)}
	}
	return caseview.Decide(d)
}

func typedDay(text string) (time.Time, error) { return time.Parse(time.DateOnly, text) }

// plain removes characters that can't be stored.
func plain(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", ""))
}
