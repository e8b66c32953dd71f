package cashdesk

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/deposit"
	"candor/app/platform/errs"
	"candor/app/trader"
	"candor/templates/caseview"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// matchingStatement matches a transfer on the bank's statement with a deposit without proof. It credits nothing: two people decide afterwards.
func (s Services) matchingStatement() caseengine.Action[caseContext] {
	return caseengine.Action[caseContext]{
		Noun: nounMatch, Verb: "take_up", Permission: access.DepositDecide, Kind: ui.Primary, Forward: true, Fields: []string{"received", "bankReference", "sender", "valueDate"}, Dialog: matchDialog,
		Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (flash caseengine.Flash, err error) {
			st, err := readStatement(in.Values)
			if err != nil {
				return flash, err
			}
			day, err := time.Parse(time.DateOnly, in.Values["valueDate"])
			if err != nil {
				return flash, errs.Field("valueDate", "field.required")
			}
			_, err = s.Deposits.MatchStatement(cc.Ctx, r.Actor(), cc.ID, cc.Version, st, day)
			return caseengine.NewFlash("deposit.flash.taken_up"), err
		},
	}
}

func matchDialog(cc caseContext, in caseengine.Typed) templ.Component {
	return caseview.Decide(caseview.Dialog{
		Frame: caseengine.Frame(cc, nounMatch, "deposit.take_up", ui.Primary),
		Alert: in.Alert, Figures: []ui.StatView{cc.announced()}, Facts: append(cc.identity(), cc.senderFacts()...),
		Two: cc.T("deposit.two.why." + string(deposit.FromStatement)), People: []ui.Person{cc.Open(true), cc.Open(false)},
		Fields: append(cc.statementFields(in, ui.HX{}), in.Field(ui.FieldView{Name: "valueDate", Label: cc.T("deposit.field.value_date"), Hint: cc.T("deposit.field.value_date.hint"), Type: "date", Required: true})),
	})
}

// typed is the statement so far: the fields of the open dialog, else the deposit's stored values, else the trader's announcement.
func (cc *caseContext) typed(r *desk.Request) deposit.Statement {
	st := deposit.Statement{Received: cc.Amount, Sender: r.PostFormValue("sender")}
	if cc.Received != nil {
		st.Received = *cc.Received
	}
	text := r.PostFormValue("received")
	cc.untyped = cc.Received == nil && strings.TrimSpace(text) == ""
	if received, err := readAmount(text); err == nil {
		st.Received = received
	} else if strings.TrimSpace(text) != "" {
		cc.unreadable = true
	}
	if st.Sender == "" {
		st.Sender = cc.SenderName
	}
	return st
}

// senderFacts are the trader's verified name, and the sender of the money.
func (cc caseContext) senderFacts() []ui.Fact {
	verified := ui.Fact{Label: cc.T("deposit.fact.verified"), Value: cc.named(cc.Verified), Strong: true}
	if cc.Verified == "" {
		verified.Value, verified.Strong, verified.Muted = cc.T("deposit.sender.unverified"), false, true
	}
	sender := ui.Fact{Label: cc.T("deposit.match.sender"), Value: cc.T("deposit.match.pending"), Muted: true}
	if cc.statement.Sender != "" {
		sender = ui.Fact{Label: sender.Label, Value: cc.named(cc.statement.Sender), Strong: true, Chip: &ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: cc.T("deposit.sender.differs")}}
		if cc.same {
			sender.Chip = &ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: cc.T("deposit.sender.same")}
		}
	}
	return []ui.Fact{verified, sender}
}

// matchSender compares the trader's verified name with the sender's.
func (cc caseContext) matchSender() cashview.MatchLine {
	line := cashview.MatchLine{Label: cc.T("deposit.match.sender"), Trader: cc.named(cc.Verified), Desk: cc.T("deposit.match.pending"), Pending: true}
	if cc.Verified == "" {
		line.Trader = cc.T("deposit.sender.unverified")
	}
	if cc.SenderName != "" {
		line.Desk, line.Pending, line.Verdict, line.Note = cc.named(cc.SenderName), false, cashview.Look, cc.T("deposit.sender.differs")
	}
	if cc.SenderSame != nil && *cc.SenderSame {
		line.Verdict, line.Note = cashview.Agrees, cc.T("deposit.sender.same")
	}
	return line
}

// named is a name: in full for members who compare names, masked for others.
func (cc caseContext) named(name string) string {
	if cc.me.work || name == "" {
		return name
	}
	return trader.Mask(name)
}
