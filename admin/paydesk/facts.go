package paydesk

import (
	"strings"

	"candor/app/payee"
	"candor/app/trader"
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// figures are the amount, the fee and the net amount.
func (cc caseContext) figures() []ui.StatView {
	debited, fee := cc.show.Sum(cc.Amount, cc.Currency), cc.show.Sum(cc.Fee, cc.Currency)
	pays := ui.StatView{Label: cc.T("withdrawal.net"), Value: cc.show.Amount(cc.Net()), Unit: cc.Currency, Main: true}
	if cc.Kind != withdrawal.Crypto {
		pays.Label, pays.Unit, pays.Note = cc.T("withdrawal.bank_pays"), cc.bankCurrency(), "1 "+cc.Currency+" = 1 "+cc.bankCurrency()
	}
	if cc.blind() {
		debited, fee, pays.Value = hidden, hidden, hidden
	}
	return []ui.StatView{pays, {Label: cc.T("withdrawal.amount"), Value: debited}, {Label: cc.T("withdrawal.fee"), Value: fee}}
}

// destination shows the trader and the payee: the address in full, or the bank account with the given number, and its holder beside the trader's name.
func (cc caseContext) destination(number ui.Fact) []ui.Fact {
	whose := ui.Fact{Label: cc.T("case.fact.trader"), Value: decimal(cc.TraderID), Ident: true, Note: cc.owner.MaskedName(), Href: cc.TraderHref(cc.TraderID)}
	for _, r := range cc.restrictions {
		if r.Kind == trader.RestrictWithdraw {
			whose.Chip = &ui.ChipView{Tone: ui.ToneError, Icon: ui.IconLock, Label: cc.T("trader.restriction.chip.withdraw")}
		}
	}
	if cc.Kind == withdrawal.Crypto {
		facts := []ui.Fact{whose, {Label: cc.T("withdrawal.fact.chain"), Value: payee.ChainName(cc.Chain), Strong: true}, {Label: cc.T("withdrawal.fact.address"), Part: ui.Address(cc.Address)}}
		if cc.Memo != "" {
			facts = append(facts, ui.Fact{Label: cc.T("withdrawal.fact.memo"), Value: cc.Memo, Ident: true})
		}
		return append(facts, cc.Screening(), cc.saved())
	}
	holder := ui.Fact{Label: cc.T("withdrawal.fact.holder"), Value: cc.Holder, Strong: true, Chip: &ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: cc.T("withdrawal.holder.same")}}
	if !cc.same {
		holder.Chip = &ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: cc.T("withdrawal.holder.differs")}
	}
	number.Label = cc.T("case.fact.iban")
	return []ui.Fact{
		whose, holder, number,
		{Label: cc.T("withdrawal.fact.bank"), Value: cc.Bank, Note: cc.BIC},
		cc.saved(),
	}
}

// saved shows since when the trader has had the payee, and whether it was paid before.
func (cc caseContext) saved() ui.Fact {
	fact := ui.Fact{
		Label: cc.T("withdrawal.fact.saved"), Value: cc.T("withdrawal.saved.ago", "day", cc.At(cc.PayeeSaved), "age", ui.Age(cc.Ctx, cc.Now.Sub(cc.PayeeSaved))),
		Note: cc.T("withdrawal.saved.used", "count", cc.PaidBefore),
	}
	if cc.PaidBefore == 0 {
		fact.Note, fact.Tone = cc.T("withdrawal.saved.first"), ui.ToneWarning
	}
	return fact
}

// checked are the facts of a withdrawal in the order they are checked: the destination, the risk, earlier withdrawals.
func (cc caseContext) checked() []ui.Fact {
	facts := append(cc.destination(ui.Fact{Part: ui.Address(cc.IBAN)}), cc.riskFact(), cc.equityFact())
	before := ui.Fact{Label: cc.T("withdrawal.earlier"), Value: cc.T("withdrawal.earlier.none"), Muted: true}
	for i, line := range cc.earlier() {
		if i > 0 {
			before.Label = ""
		}
		before.Value, before.Muted = line.Number+", "+line.Day+", "+line.Amount, false
		before.Note = line.State
		facts = append(facts, before)
	}
	if len(cc.Earlier) == 0 {
		facts = append(facts, before)
	}
	return append(facts, ui.Fact{Label: cc.T("withdrawal.deposits"), Value: cc.T("withdrawal.deposits.total", "amount", cc.show.Sum(cc.Deposited, cc.Currency))})
}

func (cc caseContext) riskFact() ui.Fact {
	fact := ui.Fact{Label: cc.T("withdrawal.risk.points", "points", cc.Risk), Value: strings.Join(cc.risks(cc.Withdrawal), " · ")}
	if cc.RiskReasons == "" {
		fact.Value = cc.T("withdrawal.risk.none")
	}
	fact.Tone = cc.risk(cc.Withdrawal).Tone
	return fact
}

// finding is the first person's finding about an unknown outcome.
func (cc caseContext) finding() []ui.Fact {
	found, payment := cc.found(cc.Withdrawal)
	if found == "" {
		return nil
	}
	facts := []ui.Fact{{Label: cc.T("withdrawal.fact.found"), Value: found, Strong: true}}
	if payment != nil {
		facts = append(facts, ui.Fact{Label: cc.T("withdrawal.fact." + paymentWord(cc.Withdrawal)), Value: *payment, Ident: true, Strong: true})
	}
	return facts
}

// facts are the facts of the withdrawal other than its destination.
func (cc caseContext) facts() (facts []ui.Fact) {
	add := func(set bool, name string, fact ui.Fact) {
		if set {
			fact.Label = cc.T("withdrawal.fact." + name)
			facts = append(facts, fact)
		}
	}
	add(true, "account", ui.Fact{Value: decimal(cc.AccountID), Ident: true})
	add(true, "asked", ui.Fact{Value: cc.At(cc.CreatedAt)})
	add(!cc.blind(), "day", ui.Fact{Value: cc.T("withdrawal.limit", "left", cc.show.Amount(cc.Used.DayLeft), "limit", bound(cc.Used.Day))})
	add(!cc.blind(), "month", ui.Fact{Value: cc.T("withdrawal.limit", "left", cc.show.Amount(cc.Used.MonthLeft), "limit", bound(cc.Used.Month))})
	first, second, third := cc.me.first(cc.Withdrawal), cc.me.second(cc.Withdrawal), cc.me.third(cc.Withdrawal)
	add(first != nil, "maker", ui.Fact{Value: cc.Name(first)})
	add(second != nil, "checker", ui.Fact{Value: cc.Name(second)})
	add(third != nil, "lead", ui.Fact{Value: cc.Name(third)})
	add(cc.Provider != "", "provider", cc.sender())
	add(cc.Required > 0, "confirmations", ui.Fact{Value: cc.T("withdrawal.confirmations", "count", cc.Confirmations, "required", cc.Required)})
	add(cc.Reason != nil, "reason", ui.Fact{Value: cc.reason(cc.Reason)})
	add(cc.Answer != "", "answer", ui.Fact{Value: cc.Answer, Strong: true})
	add(cc.StaffNote != "", "note", ui.Fact{Value: cc.StaffNote})
	if finding := cc.finding(); finding != nil {
		return append(facts, finding...)
	}
	add(cc.BankAccountID != nil, "payer", ui.Fact{Value: cc.payerName()})
	add(cc.BatchID != nil, "batch", ui.Fact{Value: batchNumber(cc.BatchID), Ident: true, Href: batchHref(cc.BatchID)})
	add(cc.ConfirmedBy != nil, "confirmed", ui.Fact{Value: cc.Name(cc.ConfirmedBy)})
	add(cc.SentBy != nil, "sent_by", ui.Fact{Value: cc.Name(cc.SentBy)})
	if cc.blind() {
		add(true, paymentWord(cc.Withdrawal), ui.Fact{Value: cc.T("withdrawal.read_at_bank"), Muted: true})
		return facts
	}
	add(cc.Payment != nil, paymentWord(cc.Withdrawal), ui.Fact{Value: given(cc.Payment), Ident: true})
	return facts
}

// paymentWord is the evidence of a sent withdrawal: a transaction for crypto, else a payment of the bank.
func paymentWord(w withdrawal.Withdrawal) string {
	if w.Kind == withdrawal.Crypto {
		return "transaction"
	}
	return "payment"
}

// payee is the recipient in a sentence: the account's holder, or the ends of the address.
func (cc caseContext) payee() string {
	if cc.Kind != withdrawal.Crypto {
		return cc.Holder
	}
	return shortened(cc.Address)
}

// shortened are the ends of an address.
func shortened(address string) string { return address[:6] + "…" + address[len(address)-4:] }

// sender is the sending provider, and its last answer.
func (cc caseContext) sender() ui.Fact {
	fact := ui.Fact{Value: cc.Provider, Ident: true}
	if cc.ProviderState != "" && cc.AskedAt != nil {
		fact.Note = cc.T("withdrawal.said", "state", cc.ProviderState, "at", cc.At(*cc.AskedAt))
	}
	return fact
}

func given(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func (cc caseContext) earlier() []caseview.Line {
	lines := make([]caseview.Line, len(cc.Earlier))
	for i, w := range cc.Earlier {
		lines[i] = caseview.Line{
			Day: cc.Day(w.CreatedAt), Number: w.Number(), Href: address(w.ID).String(), Amount: cc.show.Sum(w.Amount, w.Currency),
			State: cc.chip(w).Label, Good: looks[w.State].Tone == ui.ToneSuccess,
		}
	}
	return lines
}

func (cc caseContext) deposits() []caseview.Line {
	lines := make([]caseview.Line, len(cc.Deposits))
	for i, d := range cc.Deposits {
		lines[i] = caseview.Line{Day: cc.Day(d.At), Number: "DP-" + decimal(d.ID), Amount: cc.show.Sum(d.Amount, cc.Currency), State: cc.T("deposit.chip.credited"), Good: true}
		if cc.deposit {
			lines[i].Href = ui.To("/admin/deposits/{}", d.ID).String()
		}
	}
	return lines
}
