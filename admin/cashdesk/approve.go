package cashdesk

import (
	"regexp"
	"strings"

	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// approval is the maker's decision.
func (s Services) approval() casework.Decision[matter] {
	return casework.Decision[matter]{Noun: nounApprove, Fields: []string{"received", "bankReference", "shown"}, Dialog: approvalDialog, Act: s.approve}
}

// approve reads what the maker typed. An amount that is not the one on the button is shown first, so that nobody credits a slip of the finger.
func (s Services) approve(r *desk.Request, m matter, in casework.Typed) (said casework.Flash, err error) {
	if m.Through() {
		return s.accept(r, m, in)
	}
	received, err := readAmount(in.Words["received"])
	if err != nil {
		return said, err
	}
	if received != m.shown(in.Words) {
		in.Words["shown"] = plain(received)
		return said, casework.ErrLook
	}
	reference, err := readReference(in.Words["bankReference"])
	if err != nil {
		return said, err
	}
	d, err := s.Deposits.Approve(m.Ctx, by(r), m.ID, m.Version, received, reference)
	if err != nil || d.TransactionID == nil {
		return casework.Said("deposit.flash.first"), err
	}
	return casework.Said("deposit.flash.credited", "amount", credit(d.Net(received)), "trader", d.TraderID), nil
}

// shown is the amount on the button: what the trader announced, until the maker has typed another one.
func (m matter) shown(words map[string]string) int64 {
	if shown, err := money.Parse(words["shown"], money.Scale); err == nil && shown > 0 {
		return shown
	}
	return m.Amount
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
	shown := m.shown(in.Words)
	act := ui.ButtonView{Label: m.T("deposit.approve.act", "amount", amount(shown, m.Currency)), Kind: ui.Primary, Busy: m.T("deposit.approve.busy")}
	if in.Alert == nil && shown != m.Amount {
		in.Alert = &ui.AlertView{
			Tone: ui.ToneWarning, Title: m.T("deposit.differs.title", "difference", ui.Signed(shown-m.Amount), "currency", m.Currency), Text: m.T("deposit.differs.text"),
		}
	}
	d := caseview.Dialog{
		Frame: m.frame(nounApprove, m.T("deposit.approve.title", "number", m.Number()), m.T("deposit.approve.note"), act, ui.Hidden{Name: "shown", Value: plain(shown)}),
		Alert: in.Alert, Figures: m.announced(shown), Facts: m.checked(), People: m.people(m.Deposit), Two: m.T("deposit.two.one", "limit", credit(m.above)),
		Fields: []ui.FieldView{
			in.Field(ui.FieldView{
				Name: "received", Label: m.T("deposit.field.received"), Hint: m.T("deposit.field.received.hint"), Suffix: m.Currency, InputMode: "decimal", MaxLength: 24, Required: true,
			}),
			in.Field(ui.FieldView{
				Name: "bankReference", Label: m.T("deposit.field.reference"), Hint: m.T("deposit.field.reference.hint"), MaxLength: 64, Required: true,
			}),
		},
	}
	if m.two(m.Deposit) || shown != m.Amount {
		d.Two = m.T("deposit.two.two")
		d.People = []ui.Person{m.Open(true), m.Open(false)}
	}
	return caseview.Decide(d)
}

// announced are the sums of the trader's announcement, in the head of a dialog.
func (m matter) announced(shown int64) []ui.StatView {
	return []ui.StatView{
		{Label: m.T(says(m.Deposit)), Value: ui.Amount(m.Amount), Unit: m.Currency, Main: true},
		m.fee(m.Deposit, shown),
		{Label: m.T("deposit.credit.rule"), Value: m.T("deposit.credit.received")},
	}
}

// checked are the facts of a deposit in the order they are checked: whose it is, where it went, the picture, what came before.
func (m matter) checked() []ui.Fact {
	facts := append(m.identity(), ui.Fact{Label: m.T("case.fact.iban"), Value: fours(m.Channel.IBAN), Ident: true, Note: m.Channel.Bank})
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
