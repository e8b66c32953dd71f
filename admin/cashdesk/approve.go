package cashdesk

import (
	"strings"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/deposit"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// approval is the maker's decision.
func (s Services) approval() caseengine.Action[caseContext] {
	return caseengine.Action[caseContext]{
		Noun: nounApprove, Verb: "approve", Permission: access.DepositDecide, Kind: ui.Primary, Forward: true, Key: "A", Fields: []string{"received", "bankReference", "sender", "shown"}, Check: checkApproval, Dialog: approvalDialog, StepUp: "deposit.approve", Amount: caseContext.dollars, Act: s.approve,
	}
}

// checkApproval reads the maker's input before the code is used up. An amount that differs from the one on the button is shown again first, so that a typing
// error is not credited.
func checkApproval(cc caseContext, in caseengine.Typed) error {
	if cc.ByProvider() {
		_, err := readAnswer(in.Values)
		return err
	}
	st, err := readStatement(in.Values)
	if err != nil {
		return err
	}
	if shown, err := money.Parse(in.Values["shown"], money.Scale); err != nil || shown != st.Received {
		return caseengine.ErrConfirmAgain
	}
	return nil
}

func (s Services) approve(r *desk.Request, cc caseContext, in caseengine.Typed) (flash caseengine.Flash, err error) {
	if cc.ByProvider() {
		return s.accept(r, cc, in)
	}
	st, err := readStatement(in.Values)
	if err != nil {
		return flash, err
	}
	d, err := s.Deposits.Approve(cc.Ctx, r.Actor(), cc.ID, cc.Version, st)
	if err != nil || d.TransactionID == nil {
		return caseengine.NewFlash("deposit.flash.first"), err
	}
	return caseengine.NewFlash("deposit.flash.credited", "amount", credit(d.Net(st.Received)), "trader", d.TraderID), nil
}

// readStatement reads the statement as typed.
func readStatement(values map[string]string) (st deposit.Statement, err error) {
	if st.Received, err = readAmount(values["received"]); err != nil {
		return st, err
	}
	if st.Reference, err = readReference(values["bankReference"]); err != nil {
		return st, err
	}
	st.Sender = values["sender"]
	return st.Read()
}

func plain(value int64) string { return money.Format(value, money.Scale) }

// readAmount reads an amount as staff type it, in units of 10^-6.
func readAmount(text string) (int64, error) {
	if strings.TrimSpace(text) == "" {
		return 0, errs.Field("received", "field.required")
	}
	units, err := desk.ReadAmount(text)
	if err != nil {
		return 0, errs.Field("received", "field.amount")
	}
	if units <= 0 {
		return 0, errs.Field("received", "field.positive")
	}
	return units, nil
}

// readReference normalizes a bank's reference, so that one transfer can't look like two: single spaces, and ASCII only, since other letters may look alike.
func readReference(text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "", errs.Field("bankReference", "field.latin")
	}
	return text, nil
}

func approvalDialog(cc caseContext, in caseengine.Typed) templ.Component {
	if cc.ByProvider() {
		return acceptDialog(cc, in)
	}
	return caseview.Decide(cc.approving(in))
}

// recalculate answers with the parts of the open dialog that depend on the input: the figures, the sender, whether a second person is needed, and the button's text.
func (s Services) recalculate(r *desk.Request) error {
	cc, err := s.desk().Named(r)
	if err != nil {
		return err
	}
	if cc.ByProvider() {
		return deposit.ErrState
	}
	if refusal := cc.Right(nounApprove).Refusal(deposit.ErrState); refusal != nil {
		return refusal
	}
	return r.Show(caseview.Updated(cc.approving(caseengine.Typed{Values: map[string]string{}})))
}

// approving is the maker's dialog with the input so far; for a deposit matched from a statement it starts with the values typed then.
func (cc caseContext) approving(in caseengine.Typed) caseview.Dialog {
	if cc.MatchedFromStatement() && len(in.Values) == 0 {
		in.Values["received"], in.Values["bankReference"], in.Values["sender"] = money.Trim(deref(cc.Received), money.Scale), deref(cc.BankReference), cc.SenderName
	}
	received := cc.statement.Received
	frame := caseengine.Frame(cc, nounApprove, "deposit.approve", ui.Primary, "amount", amount(received, cc.Currency))
	frame.Act.ID = caseview.ActID
	if in.Alert == nil && received != cc.Amount {
		in.Alert = &ui.AlertView{
			Tone: ui.ToneWarning, Title: cc.T("deposit.differs.title", "difference", ui.Signed(received-cc.Amount), "currency", cc.Currency), Text: cc.T("deposit.differs.text"),
		}
	}
	d := caseview.Dialog{
		Frame: frame, Alert: in.Alert, Figures: cc.sums(received), Facts: cc.checked(), Carried: []ui.Hidden{{Name: "shown", Value: plain(received)}},
		People: []ui.Person{cc.Open(true)}, Two: cc.T("deposit.two.one", "limit", credit(cc.above)),
		Fields: cc.statementFields(in, ui.HX{
			Post: cc.About().Below(nounRecalculate), Target: caseview.FactsTarget, Swap: ui.SwapWhole, Trigger: ui.OnInput, Only: "received,sender",
		}),
	}
	if cc.unreadable || cc.untyped { // nothing to credit before the amount is read from the statement
		d.Figures[1].Value, d.Figures[2].Value, d.Figures[3].Value = "—", "—", "—"
	}
	switch {
	case cc.untyped:
		d.Frame.Act.Label = cc.T("deposit.approve.untyped")
	case cc.unreadable:
		d.Frame.Act.Label = cc.T("deposit.approve.unreadable")
		d.Alert = &ui.AlertView{Tone: ui.ToneError, Title: cc.T("field.amount"), Text: cc.T("deposit.approve.unreadable.text")}
	}
	if cc.second != deposit.NotNeeded {
		d.Two = cc.T("deposit.two.two") + " " + cc.T("deposit.two.why."+string(cc.second), "limit", credit(cc.above))
		d.People = []ui.Person{cc.Open(true), cc.Open(false)}
	}
	d.Fields = append(d.Fields, in.Code)
	return d
}

// statementFields are the fields of a bank's statement; with a request, the dialog is recalculated when the amount or the sender is typed.
func (cc caseContext) statementFields(in caseengine.Typed, asks ui.HX) []ui.FieldView {
	return []ui.FieldView{
		in.Field(ui.FieldView{
			Name: "received", Label: cc.T("deposit.field.received"), Hint: cc.T("deposit.field.received.hint"), Suffix: cc.Currency, InputMode: "decimal", MaxLength: 24, Required: true, HX: asks,
		}),
		in.Field(ui.FieldView{
			Name: "bankReference", Label: cc.T("deposit.field.reference"), Hint: cc.T("deposit.field.reference.hint"), MaxLength: 64, Required: true,
		}),
		in.Field(ui.FieldView{
			Name: "sender", Label: cc.T("deposit.field.sender"), Hint: cc.T("deposit.field.sender.hint"), MaxLength: 140, Required: true, HX: asks,
		}),
	}
}

// sums are the sums on top of the maker's dialog: announced, received, fee, and the amount to credit.
func (cc caseContext) sums(received int64) []ui.StatView {
	return []ui.StatView{
		cc.announced(),
		{Label: cc.T("deposit.received"), Value: amount(received, cc.Currency)},
		cc.fee(cc.Deposit, received),
		{Label: cc.T("deposit.credit.will"), Value: credit(cc.Net(received))},
	}
}

// announced is the amount that the trader announced.
func (cc caseContext) announced() ui.StatView {
	return ui.StatView{Label: cc.T(amountLabelKey(cc.Deposit)), Value: ui.Amount(cc.Amount), Unit: cc.Currency, Main: true}
}

// checked are the facts of a deposit in the order they are checked: the trader, the receiving account, the picture, earlier deposits.
func (cc caseContext) checked() []ui.Fact {
	facts := append(append(cc.identity(), cc.senderFacts()...), ui.Fact{Label: cc.T("case.fact.iban"), Value: fours(cc.Channel.IBAN), Ident: true, Note: cc.Channel.Bank})
	if cc.ByProvider() {
		facts = append(cc.identity(), cc.answerFacts()...)
	}
	picture := ui.Fact{Label: cc.T("deposit.match.picture"), Value: cc.T("deposit.match.fresh")}
	if len(cc.SeenBefore) > 0 {
		picture.Value, picture.Tone = cc.T("deposit.match.seen", "number", number(cc.SeenBefore[0])), ui.ToneError
	}
	before := ui.Fact{Label: cc.T("deposit.earlier"), Value: cc.T("deposit.earlier.none"), Muted: true}
	if len(cc.Earlier) > 0 {
		last := cc.earlier(cc.Earlier[:1])[0]
		before = ui.Fact{Label: cc.T("deposit.earlier"), Value: cc.T("deposit.earlier.last", "number", last.Number, "day", last.Day, "amount", last.Amount)}
	}
	return append(facts, picture, before)
}
