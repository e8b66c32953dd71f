package bankdesk

import (
	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/banking"
	"candor/app/platform/errs"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// actions are the dialogs in the order of their buttons, the way forward last.
func (s Services) actions() []caseengine.Action[caseContext] {
	return []caseengine.Action[caseContext]{
		{
			Noun: nounExplain, Verb: "explain", Permission: access.StatementMatch, Kind: ui.Plain, Key: "X", Fields: []string{"cause", "why"}, Dialog: explainDialog,
			Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
				_, err := s.Banking.RequestExplanation(cc.Ctx, r.Actor(), cc.ID, cc.Version, banking.Cause(in.Values["cause"]), in.Values["why"])
				return caseengine.NewFlash("bankline.explain.done"), err
			},
		},
		{
			Noun: nounMatch, Verb: "match", Permission: access.StatementMatch, Kind: ui.Primary, Forward: true, Key: "M", Fields: []string{"case"}, StepUp: "banking.match",
			Check: checkCase, Dialog: matchDialog, Act: s.match,
		},
		s.answering(nounWithdraw, "withdraw", access.StatementMatch, ui.Danger),
		s.answering(nounRefuse, "refuse", access.StatementConfirm, ui.Danger),
		{
			Noun: nounAgree, Verb: "agree", Permission: access.StatementConfirm, Kind: ui.Primary, Forward: true, Key: "A", StepUp: "banking.explain", Dialog: agreeDialog,
			Act: func(r *desk.Request, cc caseContext, _ caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("bankline.agree.done"), s.Banking.ApproveExplanation(cc.Ctx, r.Actor(), *cc.asked)
			},
		},
	}
}

// answering ends the request of an explanation with a reason.
func (s Services) answering(noun, verb string, p access.Permission, kind ui.ButtonKind) caseengine.Action[caseContext] {
	a := caseengine.Action[caseContext]{
		Noun: noun, Verb: verb, Permission: p, Kind: kind,
		Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
			d := cc.dialog(in, noun, verb, kind)
			if noun == nounRefuse {
				d.Fields = []ui.FieldView{in.Field(ui.FieldView{Name: "why", Label: cc.T("bankline.field.refusal"), StaffOnly: true, Rows: 3, MaxLength: approval.MaxNote, Required: true})}
			}
			return caseview.Decide(d)
		},
		Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
			return caseengine.NewFlash("bankline." + verb + ".done"), s.Banking.DeclineExplanation(cc.Ctx, r.Actor(), *cc.asked, in.Values["why"])
		},
	}
	if noun == nounRefuse {
		a.Fields = []string{"why"}
		a.Check = func(_ caseContext, in caseengine.Typed) error {
			return approval.CheckNote(in.Values["why"])
		}
	}
	return a
}

// dialog shows a line above the fields.
func (cc caseContext) dialog(in caseengine.Typed, noun, verb string, kind ui.ButtonKind) caseview.Dialog {
	frame := caseengine.Frame(cc, noun, "bankline."+verb, kind, "amount", cc.amount(cc.Line))
	frame.Act.Busy = cc.T("act.busy")
	return caseview.Dialog{Frame: frame, Alert: in.Alert, Figures: cc.figures(), Facts: cc.facts()}
}

// matchDialog shows the suggested case, or asks for its number.
func matchDialog(cc caseContext, in caseengine.Typed) templ.Component {
	d := cc.dialog(in, nounMatch, "match", ui.Primary)
	for _, c := range cc.candidates {
		if cc.SuggestedID != nil && c.ID == *cc.SuggestedID {
			d.Facts = append(d.Facts, ui.Fact{Label: cc.T("bankline.fact.suggested"), Value: caseNumber(cc.Line, c.ID), Note: cc.agreement(c), Strong: true})
		}
	}
	if _, typed := in.Values["case"]; !typed && cc.SuggestedID != nil {
		in.Values["case"] = caseNumber(cc.Line, *cc.SuggestedID)
	}
	side := "credit"
	if !cc.Credit() {
		side = "debit"
	}
	d.Fields = []ui.FieldView{
		in.Field(ui.FieldView{Name: "case", Label: cc.T("bankline.field.case"), Hint: cc.T("bankline.field.case." + side), MaxLength: 20, Required: true}),
		in.Code,
	}
	return caseview.Decide(d)
}

// letters are before the numbers of the cases that a line may belong to.
func letters(l banking.Line) string {
	if l.Credit() {
		return "DP-"
	}
	return "WD-"
}

func checkCase(cc caseContext, in caseengine.Typed) error {
	if caseengine.Numbered(in.Values["case"], letters(cc.Line)) == 0 {
		return errs.Field("case", "field.number")
	}
	return nil
}

// match matches the line with the typed case.
func (s Services) match(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
	id := caseengine.Numbered(in.Values["case"], letters(cc.Line))
	var err error
	if cc.Credit() {
		_, err = s.Banking.MatchDeposit(cc.Ctx, r.Actor(), cc.ID, cc.Version, id)
	} else {
		_, err = s.Banking.MatchWithdrawal(cc.Ctx, r.Actor(), cc.ID, cc.Version, id)
	}
	return caseengine.NewFlash("bankline.match.done", "case", caseNumber(cc.Line, id)), err
}

func explainDialog(cc caseContext, in caseengine.Typed) templ.Component {
	d := cc.dialog(in, nounExplain, "explain", ui.Primary)
	choose := ui.FieldView{Name: "cause", Label: cc.T("bankline.field.cause"), Required: true, Options: []ui.Option{{Label: cc.T("bankline.field.cause.choose")}}}
	for _, cause := range banking.Causes {
		choose.Options = append(choose.Options, ui.Option{Value: string(cause), Label: cc.T("bankline.cause." + string(cause)), Selected: in.Values["cause"] == string(cause)})
	}
	d.People, d.Two = []ui.Person{cc.Open(true), cc.Open(false)}, cc.T("bankline.explain.two")
	d.Fields = []ui.FieldView{
		in.Field(choose),
		in.Field(ui.FieldView{Name: "why", Label: cc.T("bankline.field.why"), StaffOnly: true, Rows: 3, MaxLength: approval.MaxNote, Required: true}),
	}
	return caseview.Decide(d)
}

func agreeDialog(cc caseContext, in caseengine.Typed) templ.Component {
	d := cc.dialog(in, nounAgree, "agree", ui.Primary)
	d.Facts = append(d.Facts, cc.askedFacts()...)
	d.People, d.Two = cc.people(), cc.T("bankline.agree.two")
	d.Fields = []ui.FieldView{in.Code}
	return caseview.Decide(d)
}
