package bankdesk

import (
	"context"
	"errors"
	"strconv"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/banking"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// The acts on the days of an account, as addresses name them.
const (
	nounClose       = "closing"
	nounAgreeDay    = "closing-agreement"
	nounWithdrawDay = "closing-withdrawal"
)

// daysOfPage is how many closed days a page shows.
const daysOfPage = 10

// comparison is an account beside its bank: what differs, the request to close its day, and the days that are closed.
type comparison struct {
	banking.Balance
	there bool // it has a statement
	asked *approval.Approval
	days  []banking.Day
}

func (s Services) comparison(ctx context.Context, accountID int) (c comparison, err error) {
	var asked approval.Approval
	var ok bool
	c.Balance, c.there, err = s.Banking.Balance(ctx, accountID)
	if err != nil {
		return c, err
	}
	if asked, _, ok, err = s.Banking.DayRequest(ctx, accountID); ok {
		c.asked = &asked
	}
	days, failed := s.Banking.Days(ctx, accountID, daysOfPage)
	c.days = days
	return c, errors.Join(err, failed)
}

// closed reports whether the last day of the latest statement is closed.
func (c comparison) closed() bool {
	return len(c.days) > 0 && !c.days[0].Day.Before(c.Statement.LastDay)
}

// dayRights are the member's rights on the day of an account.
func (cc settingContext) dayRights(out caseengine.Rights) {
	c := cc.bank
	if c == nil || !c.there {
		return
	}
	switch {
	case c.asked != nil && c.asked.RequestedBy == cc.Me:
		out[nounAgreeDay], out[nounWithdrawDay] = caseengine.No(approval.ErrSamePerson), caseengine.May
	case c.asked != nil:
		out[nounAgreeDay], out[nounWithdrawDay] = caseengine.No(errSecond), caseengine.Never(errSecond)
		if cc.may(access.StatementConfirm) {
			out[nounAgreeDay], out[nounWithdrawDay] = caseengine.May, caseengine.May
		}
	case !c.closed():
		out[nounClose] = caseengine.No(errMaker)
		if cc.may(access.StatementMatch) {
			out[nounClose] = caseengine.May
		}
	}
}

// parts are what a difference consists of.
func (c comparison) parts() []struct {
	key string
	banking.Part
} {
	return []struct {
		key string
		banking.Part
	}{{"unmatched", c.Unmatched}, {"unapproved", c.Unapproved}, {"not_on_file", c.NotOnFile}, {"differing", c.Differing}, {"gaps", c.Gaps}, {"unpaid", c.Unpaid}}
}

// compared are the sums and the parts of the difference.
func (cc settingContext) compared() []ui.Fact {
	c, currency := cc.bank, cc.sub
	tone := ui.ToneNormal
	if c.Difference() != 0 {
		tone = ui.ToneError
	}
	facts := []ui.Fact{
		{Label: cc.T("account.balance.books"), Value: ui.Amount(c.Books) + " " + currency},
		{Label: cc.T("account.balance.bank"), Value: ui.Amount(c.Bank) + " " + currency, Note: c.Statement.DisplayNumber() + ", " + cc.Date(c.Statement.LastDay), Href: statementHref(c.Statement.ID)},
		{Label: cc.T("account.balance.difference"), Value: ui.Signed(c.Difference()) + " " + currency, Strong: true, Tone: tone},
	}
	for _, part := range c.parts() {
		if part.Count > 0 {
			facts = append(facts, ui.Fact{Label: cc.T("account.balance." + part.key), Value: ui.Signed(part.Amount) + " " + currency, Note: cc.T("account.balance.count", "count", part.Count)})
		}
	}
	return facts
}

func statementHref(id int64) string {
	return home.String() + "?tab=all&statement=" + decimal(id)
}

// bankSections are the comparison and the closed days of an account.
func (cc settingContext) bankSections() (out []caseview.Section) {
	c := cc.bank
	if c == nil || !c.there {
		return nil
	}
	section := caseview.FactsSection(cc.T("account.balance"), cc.compared())
	if c.asked != nil {
		section.Note = cc.T("account.closing.asked", "name", cc.Name(&c.asked.RequestedBy))
	}
	var lines []caseview.Line
	for _, d := range c.days {
		lines = append(lines, caseview.Line{
			Day: cc.Date(d.Day), Amount: ui.Amount(d.Bank) + " " + cc.sub, State: cc.T("account.closing.difference", "amount", ui.Signed(d.Bank-d.Books)), Good: d.Bank == d.Books,
		})
	}
	return append(out, section, caseview.LinesSection(cc.T("account.closing.days"), "", lines, cc.T("account.closing.none")))
}

// dayActions close the day of an account.
func (s Services) dayActions() []caseengine.Action[settingContext] {
	return []caseengine.Action[settingContext]{
		{
			Noun: nounClose, Verb: "closing", Permission: access.StatementMatch, Kind: ui.Plain, Fields: []string{"why", "seen"}, Dialog: closeDialog,
			Act: func(r *desk.Request, cc settingContext, in caseengine.Typed) (caseengine.Flash, error) {
				seen, err := strconv.ParseInt(in.Values["seen"], 10, 64)
				if err != nil {
					return caseengine.Flash{}, banking.ErrChanged
				}
				a, err := s.Banking.CloseDay(cc.Ctx, r.Actor(), int(cc.id), seen, in.Values["why"])
				return caseengine.NewFlash("account.closing.done."+string(a.State), "day", cc.Date(cc.bank.Statement.LastDay)), err
			},
		},
		{
			Noun: nounWithdrawDay, Verb: "closing_refuse", Permission: access.StatementView, Kind: ui.Danger, Fields: []string{"why"},
			Check: func(cc settingContext, in caseengine.Typed) error {
				if cc.bank.asked.RequestedBy == cc.Me {
					return nil
				}
				return approval.CheckNote(in.Values["why"])
			},
			Dialog: func(cc settingContext, in caseengine.Typed) templ.Component {
				d := cc.dayDialog(in, nounWithdrawDay, "closing_refuse", ui.Danger)
				if cc.bank.asked.RequestedBy != cc.Me {
					d.Fields = []ui.FieldView{in.Field(ui.FieldView{Name: "why", Label: cc.T("setting.field.refusal"), StaffOnly: true, Rows: 3, MaxLength: approval.MaxNote, Required: true})}
				}
				return caseview.Decide(d)
			},
			Act: func(r *desk.Request, cc settingContext, in caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("account.closing_refuse.done"), s.Banking.DeclineDay(cc.Ctx, r.Actor(), *cc.bank.asked, in.Values["why"])
			},
		},
		{
			Noun: nounAgreeDay, Verb: "closing_agree", Permission: access.StatementConfirm, Kind: ui.Primary, Forward: true, Bound: true, StepUp: "banking.close_day",
			Dialog: func(cc settingContext, in caseengine.Typed) templ.Component {
				d := cc.dayDialog(in, nounAgreeDay, "closing_agree", ui.Primary)
				d.Facts = append(d.Facts, ui.Fact{Label: cc.T("account.closing.why"), Value: cc.bank.asked.Note, Note: cc.Name(&cc.bank.asked.RequestedBy)})
				d.Fields = []ui.FieldView{in.Code}
				return caseview.Decide(d)
			},
			Act: func(r *desk.Request, cc settingContext, _ caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("account.closing.done.applied", "day", cc.Date(cc.bank.Statement.LastDay)), s.Banking.ApproveDay(cc.Ctx, r.Actor(), *cc.bank.asked)
			},
		},
	}
}

// dayDialog shows the comparison above the fields.
func (cc settingContext) dayDialog(in caseengine.Typed, noun, verb string, kind ui.ButtonKind) caseview.Dialog {
	frame := caseengine.Frame(cc, noun, "account."+verb, kind, "name", cc.name, "day", cc.Date(cc.bank.Statement.LastDay))
	frame.Act.Busy = cc.T("act.busy")
	return caseview.Dialog{Frame: frame, Alert: in.Alert, Facts: cc.compared()}
}

// closeDialog asks for the note on the day; a difference takes a second person.
func closeDialog(cc settingContext, in caseengine.Typed) templ.Component {
	d := cc.dayDialog(in, nounClose, "closing", ui.Primary)
	d.Carried = []ui.Hidden{{Name: "seen", Value: decimal(cc.bank.Difference())}}
	d.People, d.Two = []ui.Person{cc.Open(true)}, cc.T("account.closing.one")
	if cc.bank.Difference() != 0 {
		d.People, d.Two = []ui.Person{cc.Open(true), cc.Open(false)}, cc.T("account.closing.two")
	}
	d.Fields = []ui.FieldView{in.Field(ui.FieldView{Name: "why", Label: cc.T("account.closing.why"), StaffOnly: true, Rows: 3, MaxLength: approval.MaxNote, Required: true})}
	return caseview.Decide(d)
}
