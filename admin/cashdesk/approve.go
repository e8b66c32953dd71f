package cashdesk

import (
	"regexp"
	"strings"

	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/deposit"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// approval is the maker's decision.
func (s Services) approval() casework.Decision[matter] {
	return casework.Decision[matter]{
		Noun: nounApprove, Fields: []string{"received", "bankReference", "sender", "shown"}, Check: checkApproval, Dialog: approvalDialog, StepUp: "deposit.approve", Act: s.approve,
	}
}

// checkApproval reads what the maker typed, before the code is used up. An amount that is not the one on the button is shown first, so that nobody credits a slip
// of the finger.
func checkApproval(m matter, in casework.Typed) error {
	if m.Through() {
		_, err := readAnswer(in.Words)
		return err
	}
	st, err := readStatement(in.Words)
	if err != nil {
		return err
	}
	if shown, err := money.Parse(in.Words["shown"], money.Scale); err != nil || shown != st.Received {
		return casework.ErrLook
	}
	return nil
}

func (s Services) approve(r *desk.Request, m matter, in casework.Typed) (said casework.Flash, err error) {
	if m.Through() {
		return s.accept(r, m, in)
	}
	st, err := readStatement(in.Words)
	if err != nil {
		return said, err
	}
	d, err := s.Deposits.Approve(m.Ctx, by(r), m.ID, m.Version, st)
	if err != nil || d.TransactionID == nil {
		return casework.Said("deposit.flash.first"), err
	}
	return casework.Said("deposit.flash.credited", "amount", credit(d.Net(st.Received)), "trader", d.TraderID), nil
}

// readStatement reads what was typed from the bank's statement.
func readStatement(words map[string]string) (st deposit.Statement, err error) {
	if st.Received, err = readAmount(words["received"]); err != nil {
		return st, err
	}
	if st.Reference, err = readReference(words["bankReference"]); err != nil {
		return st, err
	}
	st.Sender = words["sender"]
	return st.Read()
}

func plain(value int64) string { return money.Format(value, money.Scale) }

// cents is how many decimals a bank's amount has.
const cents = 2

// grouped is an amount with thousands commas. It must have its decimals: "8,000" alone means eight to half of the world.
var grouped = regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+\.[0-9]{2}$`)

// readAmount reads an amount as a bank prints it, in 10^-6.
func readAmount(text string) (int64, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, errs.Field("received", "field.required")
	}
	if grouped.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	value, err := money.Parse(text, cents)
	if err != nil {
		return 0, errs.Field("received", "field.amount")
	}
	units, err := money.MulDiv(value, money.Pow10(money.Scale-cents), 1, money.Down)
	if err != nil || units <= 0 {
		return 0, errs.Field("received", "field.positive")
	}
	return units, nil
}

// readReference reads a bank's reference in one form, so that one transfer can't look like two: single spaces, and no letters that only look alike.
func readReference(text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "", errs.Field("bankReference", "field.latin")
	}
	return text, nil
}

func approvalDialog(m matter, in casework.Typed) templ.Component {
	if m.Through() {
		return acceptDialog(m, in)
	}
	return caseview.Decide(m.approving(in))
}

// reckon answers the part of the open dialog that follows what is being typed: the figures, who sent it, whether a second person is needed, and the button's words.
func (s Services) reckon(r *desk.Request) error {
	m, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	if m.Through() {
		return deposit.ErrState
	}
	if refusal := m.Right(nounApprove).Refusal(deposit.ErrState); refusal != nil {
		return refusal
	}
	return r.Show(caseview.Reckoned(m.approving(casework.Typed{Words: map[string]string{}})))
}

// approving is the maker's dialog with what is typed so far; of a deposit that was taken up it begins with what was typed then.
func (m matter) approving(in casework.Typed) caseview.Dialog {
	if m.TakenUp() && len(in.Words) == 0 {
		in.Words["received"], in.Words["bankReference"], in.Words["sender"] = money.Trim(pointed(m.Received), money.Scale), pointed(m.BankReference), m.SenderName
	}
	received := m.says.Received
	act := ui.ButtonView{ID: caseview.ActID, Label: m.T("deposit.approve.act", "amount", amount(received, m.Currency)), Kind: ui.Primary, Busy: m.T("deposit.approve.busy")}
	if in.Alert == nil && received != m.Amount {
		in.Alert = &ui.AlertView{
			Tone: ui.ToneWarning, Title: m.T("deposit.differs.title", "difference", ui.Signed(received-m.Amount), "currency", m.Currency), Text: m.T("deposit.differs.text"),
		}
	}
	d := caseview.Dialog{
		Frame: m.frame(nounApprove, m.T("deposit.approve.title", "number", m.Number()), m.T("deposit.approve.note"), act),
		Alert: in.Alert, Figures: m.reckoned(received), Facts: m.checked(), Carried: []ui.Hidden{{Name: "shown", Value: plain(received)}},
		People: []ui.Person{m.Open(true)}, Two: m.T("deposit.two.one", "limit", credit(m.above)),
		Fields: m.statementFields(in, ui.HX{
			Post: below(m.ID, nounReckon), Target: caseview.FactsTarget, Swap: ui.SwapWhole, Trigger: ui.OnInput, Only: "received,sender",
		}),
	}
	if m.second != deposit.NotNeeded {
		d.Two = m.T("deposit.two.two") + " " + m.T("deposit.two.why."+string(m.second), "limit", credit(m.above))
		d.People = []ui.Person{m.Open(true), m.Open(false)}
	}
	d.Fields = append(d.Fields, m.CodeField(in))
	return d
}

// statementFields are what is typed from the bank's statement; with a request, the amount and the sender tell at once what they come to.
func (m matter) statementFields(in casework.Typed, asks ui.HX) []ui.FieldView {
	return []ui.FieldView{
		in.Field(ui.FieldView{
			Name: "received", Label: m.T("deposit.field.received"), Hint: m.T("deposit.field.received.hint"), Suffix: m.Currency, InputMode: "decimal", MaxLength: 24, Required: true, HX: asks,
		}),
		in.Field(ui.FieldView{
			Name: "bankReference", Label: m.T("deposit.field.reference"), Hint: m.T("deposit.field.reference.hint"), MaxLength: 64, Required: true,
		}),
		in.Field(ui.FieldView{
			Name: "sender", Label: m.T("deposit.field.sender"), Hint: m.T("deposit.field.sender.hint"), MaxLength: 140, Required: true, HX: asks,
		}),
	}
}

// reckoned are the sums in the head of the maker's dialog: what was announced, what is typed, and what the account gets of that.
func (m matter) reckoned(received int64) []ui.StatView {
	return []ui.StatView{
		m.announced(),
		{Label: m.T("deposit.received"), Value: amount(received, m.Currency)},
		m.fee(m.Deposit, received),
		{Label: m.T("deposit.credit.will"), Value: credit(m.Net(received))},
	}
}

// announced is the sum of the trader's announcement.
func (m matter) announced() ui.StatView {
	return ui.StatView{Label: m.T(says(m.Deposit)), Value: ui.Amount(m.Amount), Unit: m.Currency, Main: true}
}

// checked are the facts of a deposit in the order they are checked: whose it is, where it went, the picture, what came before.
func (m matter) checked() []ui.Fact {
	facts := append(append(m.identity(), m.senderFacts()...), ui.Fact{Label: m.T("case.fact.iban"), Value: fours(m.Channel.IBAN), Ident: true, Note: m.Channel.Bank})
	if m.Through() {
		facts = append(m.identity(), m.answered()...)
	}
	picture := ui.Fact{Label: m.T("deposit.match.picture"), Value: m.T("deposit.match.fresh")}
	if len(m.SeenBefore) > 0 {
		picture.Value, picture.Tone = m.T("deposit.match.seen", "number", number(m.SeenBefore[0])), ui.ToneError
	}
	before := ui.Fact{Label: m.T("deposit.earlier"), Value: m.T("deposit.earlier.none"), Muted: true}
	if len(m.Earlier) > 0 {
		last := m.earlier(m.Earlier[:1])[0]
		before = ui.Fact{Label: m.T("deposit.earlier"), Value: m.T("deposit.earlier.last", "number", last.Number, "day", last.Day, "amount", last.Amount)}
	}
	return append(facts, picture, before)
}
