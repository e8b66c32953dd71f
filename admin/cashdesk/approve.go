package cashdesk

import (
	"regexp"
	"strings"

	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// approval is the maker's decision.
var approval = decision{
	noun: "approval", fields: []string{"received", "bankReference", "shown"},
	right:  func(r rights) verdict { return r.approve },
	dialog: approvalDialog, act: Services.actApprove,
}

func (s Services) openApproval(r *desk.Request) error { return s.open(r, approval) }

func (s Services) approve(r *desk.Request) error { return s.decide(r, approval) }

// actApprove reads what the maker typed. An amount that is not the one on the button is shown first, so that nobody credits a slip of the finger.
func (s Services) actApprove(r *desk.Request, m matter, words map[string]string) (flash, error) {
	received, err := readAmount(words["received"])
	if err != nil {
		return flash{}, err
	}
	if received != m.shown(words) {
		return flash{}, differs(received)
	}
	reference, err := readReference(words["bankReference"])
	if err != nil {
		return flash{}, err
	}
	d, err := s.Deposits.Approve(m.ctx, by(r), m.ID, m.Version, received, reference)
	if err != nil {
		return flash{}, err
	}
	if d.TransactionID == nil {
		return flash{"deposit.flash.first", nil}, nil
	}
	return flash{"deposit.flash.credited", []any{"amount", credit(received), "trader", d.TraderID}}, nil
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

func approvalDialog(m matter, in typed) templ.Component {
	shown := m.shown(in.words)
	act := ui.ButtonView{Label: m.t("deposit.approve.act", "amount", amount(shown, m.Currency)), Kind: ui.Primary, Busy: m.t("deposit.approve.busy")}
	if in.alert == nil && shown != m.Amount {
		in.alert = &ui.AlertView{
			Tone: ui.ToneWarning, Title: m.t("deposit.differs.title", "difference", ui.Signed(shown-m.Amount), "currency", m.Currency), Text: m.t("deposit.differs.text"),
		}
	}
	d := cashview.Dialog{
		Frame: m.frame("approval", m.t("deposit.approve.title", "number", m.Number()), m.t("deposit.approve.note"), act, ui.Hidden{Name: "shown", Value: plain(shown)}),
		Alert: in.alert, Figures: m.announced(), Facts: m.checked(), People: m.people(m.Deposit), Two: m.t("deposit.two.one", "limit", credit(m.above)),
		Fields: []ui.FieldView{
			in.field(ui.FieldView{
				Name: "received", Label: m.t("deposit.field.received"), Hint: m.t("deposit.field.received.hint"), Suffix: m.Currency, InputMode: "decimal", MaxLength: 24, Required: true,
			}),
			in.field(ui.FieldView{
				Name: "bankReference", Label: m.t("deposit.field.reference"), Hint: m.t("deposit.field.reference.hint"), MaxLength: 64, Required: true,
			}),
		},
	}
	if m.two(m.Deposit) || shown != m.Amount {
		d.Two = m.t("deposit.two.two")
		d.People = []ui.Person{{State: ui.PersonYou, Words: m.t("deposit.person.you")}, {State: ui.PersonOpen, Words: m.t("deposit.person.open")}}
	}
	return cashview.Decide(d)
}

// announced are the sums of the trader's announcement, in the head of a dialog.
func (m matter) announced() []ui.StatView {
	return []ui.StatView{
		{Label: m.t("deposit.says"), Value: ui.Amount(m.Amount), Unit: m.Currency, Main: true},
		{Label: m.t("deposit.fee"), Value: m.t("deposit.fee.none")},
		{Label: m.t("deposit.credit.rule"), Value: m.t("deposit.credit.received")},
	}
}

// checked are the facts of a deposit in the order they are checked: whose it is, where it went, the picture, what came before.
func (m matter) checked() []ui.Fact {
	facts := append(m.identity(), ui.Fact{Label: m.t("deposit.fact.iban"), Value: fours(m.Channel.IBAN), Ident: true, Note: m.Channel.Bank})
	picture := ui.Fact{Label: m.t("deposit.match.picture"), Value: m.t("deposit.match.fresh")}
	if len(m.SeenBefore) > 0 {
		picture.Value, picture.Tone = m.t("deposit.match.seen", "number", number(m.SeenBefore[0])), ui.ToneError
	}
	before := ui.Fact{Label: m.t("deposit.earlier"), Value: m.t("deposit.earlier.none"), Muted: true}
	if len(m.Earlier) > 0 {
		last := m.earlier(m.Earlier[:1])[0]
		before = ui.Fact{Label: m.t("deposit.earlier"), Value: m.t("deposit.earlier.last", "number", last.Number, "day", last.Day, "amount", last.Amount)}
	}
	return append(facts, picture, before)
}
