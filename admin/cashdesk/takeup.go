package cashdesk

import (
	"time"

	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/deposit"
	"candor/app/platform/errs"
	"candor/app/trader"
	"candor/templates/caseview"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// takingUp is how a maker takes a transfer from the bank's statement that its trader has not proved. It credits nothing: two people decide about it afterwards.
func (s Services) takingUp() casework.Decision[matter] {
	return casework.Decision[matter]{
		Noun: nounTakeUp, Fields: []string{"received", "bankReference", "sender", "valueDate"}, Dialog: takeUpDialog,
		Act: func(r *desk.Request, m matter, in casework.Typed) (said casework.Flash, err error) {
			st, err := readStatement(in.Words)
			if err != nil {
				return said, err
			}
			day, err := time.Parse(time.DateOnly, in.Words["valueDate"])
			if err != nil {
				return said, errs.Field("valueDate", "field.required")
			}
			_, err = s.Deposits.TakeUp(m.Ctx, by(r), m.ID, m.Version, st, day)
			return casework.Said("deposit.flash.taken_up"), err
		},
	}
}

func takeUpDialog(m matter, in casework.Typed) templ.Component {
	act := ui.ButtonView{Label: m.T("deposit.take_up.act"), Kind: ui.Primary, Busy: m.T("deposit.take_up.busy")}
	return caseview.Decide(caseview.Dialog{
		Frame: m.frame(nounTakeUp, m.T("deposit.take_up.title", "number", m.Number()), m.T("deposit.take_up.note"), act),
		Alert: in.Alert, Figures: []ui.StatView{m.announced()}, Facts: append(m.identity(), m.senderFacts()...),
		Two: m.T("deposit.two.why." + string(deposit.FromStatement)), People: []ui.Person{m.Open(true), m.Open(false)},
		Fields: append(m.statementFields(in, ui.HX{}), in.Field(ui.FieldView{Name: "valueDate", Label: m.T("deposit.field.value_date"), Hint: m.T("deposit.field.value_date.hint"), Type: "date", Required: true})),
	})
}

// typed is what a statement says so far: what is in the fields of the open dialog, else what the deposit has kept, else what the trader announced.
func (m matter) typed(r *desk.Request) deposit.Statement {
	st := deposit.Statement{Received: m.Amount, Sender: r.Posted("sender")}
	if m.Received != nil {
		st.Received = *m.Received
	}
	if received, err := readAmount(r.Posted("received")); err == nil {
		st.Received = received
	}
	if st.Sender == "" {
		st.Sender = m.SenderName
	}
	return st
}

// senderFacts are the name that the trader is verified under, and who sent the money.
func (m matter) senderFacts() []ui.Fact {
	verified := ui.Fact{Label: m.T("deposit.fact.verified"), Value: m.named(m.Verified), Strong: true}
	if m.Verified == "" {
		verified.Value, verified.Strong, verified.Muted = m.T("deposit.sender.unverified"), false, true
	}
	sender := ui.Fact{Label: m.T("deposit.match.sender"), Value: m.T("deposit.match.pending"), Muted: true}
	if m.says.Sender != "" {
		sender = ui.Fact{Label: sender.Label, Value: m.named(m.says.Sender), Strong: true, Chip: &ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: m.T("deposit.sender.differs")}}
		if m.same {
			sender.Chip = &ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: m.T("deposit.sender.same")}
		}
	}
	return []ui.Fact{verified, sender}
}

// matchSender lays the name of the trader beside that of the sender.
func (m matter) matchSender() cashview.MatchLine {
	line := cashview.MatchLine{Label: m.T("deposit.match.sender"), Trader: m.named(m.Verified), Desk: m.T("deposit.match.pending"), Pending: true}
	if m.Verified == "" {
		line.Trader = m.T("deposit.sender.unverified")
	}
	if m.SenderName != "" {
		line.Desk, line.Pending, line.Verdict, line.Note = m.named(m.SenderName), false, cashview.Look, m.T("deposit.sender.differs")
	}
	if m.SenderSame != nil && *m.SenderSame {
		line.Verdict, line.Note = cashview.Agrees, m.T("deposit.sender.same")
	}
	return line
}

// named is a name, whole for whoever compares names here and masked for whoever only looks.
func (m matter) named(name string) string {
	if m.me.work || name == "" {
		return name
	}
	return trader.Mask(name)
}
