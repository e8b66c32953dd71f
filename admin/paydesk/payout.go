package paydesk

import (
	"context"
	"errors"
	"strconv"
	"time"

	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/staff"
	"candor/app/trading"
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/payview"
	"candor/templates/ui"
)

// What a bank transfer is typed from, and what its confirmation hides.

// openFor is how long the payee's account number of a started transfer stays readable to its claimant.
const openFor = 30 * time.Minute

// cents are the decimals of what a bank transfers.
const cents = 2

// hidden stands for what a member has to read at the bank.
const hidden = "•••••"

// blind reports whether the member is to read the payment at the bank: the page hides its amount, the ends of the account number, and the reference.
func (pc pageContext) blind(w withdrawal.Withdrawal) bool {
	return w.Confirmable() && pc.me.checker && *w.SentBy != pc.Me
}

func (cc caseContext) blind() bool { return cc.pageContext.blind(cc.Withdrawal) }

// rowAmount is the amount in the list.
func (pc pageContext) rowAmount(w withdrawal.Withdrawal) string {
	if pc.blind(w) {
		return hidden + " " + w.Currency
	}
	return pc.show.Sum(w.Amount, w.Currency)
}

// sentCircle is who recorded the payment.
func (cc caseContext) sentCircle() ui.Person {
	none := caseengine.Verdict{}
	return cc.Circle(cc.SentBy, none, none, staff.Claim{})
}

// payer is the account that pays the withdrawal, or the only one that can; nil while nobody has chosen one of several.
func (cc caseContext) payer() *withdrawal.Payer {
	for i, p := range cc.payers {
		if cc.BankAccountID != nil && *cc.BankAccountID == p.ID || cc.BankAccountID == nil && len(cc.payers) == 1 {
			return &cc.payers[i]
		}
	}
	return nil
}

func ending(p withdrawal.Payer) string { return "…" + p.IBAN[max(0, len(p.IBAN)-openLetters):] }

func (cc caseContext) payerName() string {
	switch p := cc.payer(); {
	case cc.BankAccountID == nil:
		return ""
	case p != nil:
		return p.Name + " " + ending(*p)
	}
	return "BA-" + strconv.Itoa(*cc.BankAccountID) // closed since
}

// bankCurrency is the currency of the transfer. Accounts that pay are in dollars, which count one to one.
func (cc caseContext) bankCurrency() string {
	switch p := cc.payer(); {
	case cc.Kind == withdrawal.Crypto:
		return cc.Currency
	case p != nil:
		return p.Currency
	}
	return "USD"
}

// payerField chooses the account that pays.
func (cc caseContext) payerField(in caseengine.Typed) ui.FieldView {
	chosen := in.Values["from"]
	if chosen == "" && len(cc.payers) == 1 {
		chosen = strconv.Itoa(cc.payers[0].ID)
	}
	field := ui.FieldView{Name: "from", Label: cc.T("withdrawal.fact.payer"), Error: in.Errors["from"], Required: true}
	if len(cc.payers) != 1 {
		field.Options = []ui.Option{{Label: cc.T("withdrawal.payer.choose"), Selected: chosen == ""}}
	}
	for _, p := range cc.payers {
		id := strconv.Itoa(p.ID)
		field.Options = append(field.Options, ui.Option{Value: id, Label: p.Name + " " + ending(p) + ", " + p.Currency, Selected: id == chosen})
	}
	if len(cc.payers) == 0 {
		field.Hint = cc.T("withdrawal.payer.none")
	}
	return field
}

// typing reports whether the member makes the transfer now: the account number is open to the claimant for a while after the start. A batch's file makes its own.
func (cc caseContext) typing() bool {
	return cc.State == withdrawal.Processing && cc.ByHand() && cc.BatchID == nil && cc.IBAN != "" && cc.me.maker && cc.ClaimActiveBy(cc.Me, cc.Now) && cc.Now.Before(cc.MovedAt.Add(openFor))
}

// destinationSection is where the money goes; for who makes the transfer, each part to copy.
func (cc caseContext) destinationSection() caseview.Section {
	if !cc.typing() {
		return caseview.FactsSection(cc.T("withdrawal.destination"), cc.destination(ui.Fact{Part: ui.Masked(cc.mask())}))
	}
	fact := func(name, value, copied string) ui.Fact {
		return ui.Fact{Label: cc.T("withdrawal.copy." + name), Part: payview.Copied(value, copied)}
	}
	amount := cc.show.PlainCoins(cc.Net()/money.Pow10(money.Scale-cents), cents)
	facts := []ui.Fact{fact("payee", cc.Holder, cc.Holder), fact("iban", fours(cc.IBAN), cc.IBAN)}
	if cc.BIC != "" {
		facts = append(facts, fact("bic", cc.BIC, cc.BIC))
	}
	facts = append(facts, fact("amount", cc.show.Sum(cc.Net(), cc.bankCurrency()), amount), fact("reference", cc.Reference(), cc.Reference()))
	return caseview.Section{Title: cc.T("withdrawal.copy"), Note: cc.T("withdrawal.copy.until", "at", cc.At(cc.MovedAt.Add(openFor))), Body: ui.Facts(ui.FactsView{Items: facts})}
}

// riskLines are the reasons for the risk when the withdrawal was requested, and what it is by the facts of now.
func (cc caseContext) riskLines() []string {
	lines := cc.risks(cc.Withdrawal)
	if cc.Ended() || cc.ReasonsNow == cc.RiskReasons {
		return lines
	}
	now := cc.T("withdrawal.risk.now", "points", cc.RiskNow)
	if words := cc.risks(withdrawal.Withdrawal{RiskReasons: cc.ReasonsNow}); len(words) > 0 {
		now += ": " + joined(words)
	}
	return append(lines, now)
}

func joined(words []string) (text string) {
	for i, word := range words {
		if i > 0 {
			text += " · "
		}
		text += word
	}
	return text
}

// valued is an account's value now; unpriced where a price is missing.
type valued struct {
	trading.Valuation
	unpriced bool
}

// readTrader reads what a decision has to know of the trader now.
func (s Services) readTrader(ctx context.Context, cc *caseContext) (err error) {
	cc.value.Valuation, err = s.Trading.Value(ctx, cc.AccountID)
	if errors.Is(err, market.ErrProduct) || errors.Is(err, market.ErrNoPrice) || errors.Is(err, trading.ErrConversion) || errors.Is(err, trading.ErrTooLarge) {
		cc.value.unpriced, err = true, nil
	}
	if err != nil {
		return err
	}
	logins, _, err := s.Audit.List(ctx, audit.Filter{TargetKind: "trader", TargetID: decimal(cc.TraderID), Action: "trader.login", Limit: 1})
	if len(logins) > 0 {
		cc.login = &logins[0]
	}
	return err
}

// level is the margin level, which tells no amount.
func (v valued) level() string {
	if v.unpriced || v.Used == 0 {
		return "—"
	}
	return ui.Percent(money.Format(v.Level, 2))
}

func (cc caseContext) worth(value int64) string {
	if cc.value.unpriced {
		return "—"
	}
	return cc.show.Rounded(value)
}

func (cc caseContext) equityFact() ui.Fact {
	return ui.Fact{Label: cc.T("withdrawal.fact.equity"), Value: cc.worth(cc.value.Equity) + " " + cc.Currency, Note: cc.T("withdrawal.positions", "count", len(cc.value.Positions))}
}

// accountFacts are the account now.
func (cc caseContext) accountFacts() []ui.Fact {
	facts := []ui.Fact{
		cc.equityFact(),
		{Label: cc.T("withdrawal.fact.free"), Value: cc.worth(cc.value.Free) + " " + cc.Currency},
		{Label: cc.T("withdrawal.fact.level"), Value: cc.value.level()},
	}
	if cc.login != nil {
		facts = append(facts, ui.Fact{Label: cc.T("withdrawal.fact.login"), Value: cc.At(cc.login.At), Note: cc.login.IP})
	}
	return facts
}

// moneyFacts are all that the trader has paid in and taken out.
func (cc caseContext) moneyFacts() []ui.Fact {
	return []ui.Fact{
		{Label: cc.T("withdrawal.fact.deposited"), Value: cc.show.Sum(cc.Deposited, cc.Currency)},
		{Label: cc.T("withdrawal.fact.withdrawn"), Value: cc.show.Sum(cc.Withdrawn, cc.Currency)},
		{Label: cc.T("withdrawal.fact.net_deposits"), Value: cc.show.Sum(cc.Deposited-cc.Withdrawn, cc.Currency), Strong: true},
	}
}

func batchNumber(id *int64) string {
	if id == nil {
		return ""
	}
	return withdrawal.BatchNumber(*id)
}

func batchHref(id *int64) string {
	if id == nil {
		return ""
	}
	return ui.To("/admin/payout-batches/{}", *id).String()
}
