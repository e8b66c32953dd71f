package paydesk

import (
	"strings"

	"candor/app/payee"
	"candor/app/trader"
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// figures are what leaves the account, what it costs and what arrives.
func (m matter) figures() []ui.StatView {
	return []ui.StatView{
		{Label: m.T("withdrawal.amount"), Value: m.show.Amount(m.Amount), Unit: m.Currency, Main: true},
		{Label: m.T("withdrawal.fee"), Value: m.show.Sum(m.Fee, m.Currency)},
		{Label: m.T("withdrawal.net"), Value: m.show.Sum(m.Net(), m.Currency)},
	}
}

// destination is whose money goes where: the address in full, or the account, its number as it is given, and its holder beside the trader's name.
func (m matter) destination(number ui.Fact) []ui.Fact {
	whose := ui.Fact{Label: m.T("case.fact.trader"), Value: decimal(m.TraderID), Ident: true, Note: m.owner.MaskedName(), Href: m.TraderHref(m.TraderID)}
	for _, r := range m.kept {
		if r.Kind == trader.RestrictWithdraw {
			whose.Chip = &ui.ChipView{Tone: ui.ToneError, Icon: ui.IconLock, Label: m.T("trader.restriction.chip.withdraw")}
		}
	}
	if m.Kind == withdrawal.OnChain {
		facts := []ui.Fact{whose, {Label: m.T("withdrawal.fact.chain"), Value: payee.ChainName(m.Chain), Strong: true}, {Label: m.T("withdrawal.fact.address"), Part: ui.Address(m.Address)}}
		if m.Memo != "" {
			facts = append(facts, ui.Fact{Label: m.T("withdrawal.fact.memo"), Value: m.Memo, Ident: true})
		}
		return append(facts, m.Screening(), m.saved())
	}
	holder := ui.Fact{Label: m.T("withdrawal.fact.holder"), Value: m.Holder, Strong: true, Chip: &ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: m.T("withdrawal.holder.same")}}
	if !m.same {
		holder.Chip = &ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: m.T("withdrawal.holder.differs")}
	}
	number.Label = m.T("case.fact.iban")
	return []ui.Fact{
		whose, holder, number,
		{Label: m.T("withdrawal.fact.bank"), Value: m.Bank, Note: m.BIC},
		m.saved(),
	}
}

// saved is since when the trader has had the payee, and whether money ever went there.
func (m matter) saved() ui.Fact {
	fact := ui.Fact{
		Label: m.T("withdrawal.fact.saved"), Value: m.T("withdrawal.saved.ago", "day", m.At(m.PayeeSaved), "age", ui.Age(m.Ctx, m.Now.Sub(m.PayeeSaved))),
		Note: m.T("withdrawal.saved.used", "count", m.PaidBefore),
	}
	if m.PaidBefore == 0 {
		fact.Note, fact.Tone = m.T("withdrawal.saved.first"), ui.ToneWarning
	}
	return fact
}

// checked are the facts of a withdrawal in the order they are checked: where it goes, what speaks against it, what came before.
func (m matter) checked() []ui.Fact {
	facts := append(m.destination(ui.Fact{Part: ui.Address(m.IBAN)}), m.riskFact())
	before := ui.Fact{Label: m.T("withdrawal.earlier"), Value: m.T("withdrawal.earlier.none"), Muted: true}
	for i, line := range m.earlier() {
		if i > 0 {
			before.Label = ""
		}
		before.Value, before.Muted = line.Number+", "+line.Day+", "+line.Amount, false
		before.Note = line.State
		facts = append(facts, before)
	}
	if len(m.Earlier) == 0 {
		facts = append(facts, before)
	}
	return append(facts, ui.Fact{Label: m.T("withdrawal.deposits"), Value: m.T("withdrawal.deposits.total", "amount", m.show.Sum(m.Deposited, m.Currency))})
}

func (m matter) riskFact() ui.Fact {
	fact := ui.Fact{Label: m.T("withdrawal.risk.points", "points", m.Risk), Value: strings.Join(m.risks(m.Withdrawal), " · ")}
	if m.RiskReasons == "" {
		fact.Value = m.T("withdrawal.risk.none")
	}
	fact.Tone = m.risk(m.Withdrawal).Tone
	return fact
}

// finding is what a first person found out about an unknown outcome.
func (m matter) finding() []ui.Fact {
	if m.OutcomePaid == nil {
		return nil
	}
	facts := []ui.Fact{{Label: m.T("withdrawal.fact.found"), Value: m.T("withdrawal.found."+paid(*m.OutcomePaid), "name", m.Name(m.OutcomeBy)), Strong: true}}
	if m.Payment != nil {
		facts = append(facts, ui.Fact{Label: m.T("withdrawal.fact." + paymentWord(m.Withdrawal)), Value: *m.Payment, Ident: true, Strong: true})
	}
	return facts
}

// facts are what is known of the withdrawal beside where it goes.
func (m matter) facts() (facts []ui.Fact) {
	add := func(set bool, name string, fact ui.Fact) {
		if set {
			fact.Label = m.T("withdrawal.fact." + name)
			facts = append(facts, fact)
		}
	}
	add(true, "account", ui.Fact{Value: decimal(m.AccountID), Ident: true})
	add(true, "asked", ui.Fact{Value: m.At(m.CreatedAt)})
	add(true, "day", ui.Fact{Value: m.T("withdrawal.limit", "left", m.show.Amount(m.Used.DayLeft), "limit", bound(m.Used.Day))})
	add(true, "month", ui.Fact{Value: m.T("withdrawal.limit", "left", m.show.Amount(m.Used.MonthLeft), "limit", bound(m.Used.Month))})
	add(m.MakerID != nil, "maker", ui.Fact{Value: m.Name(m.MakerID)})
	add(m.CheckerID != nil, "checker", ui.Fact{Value: m.Name(m.CheckerID)})
	add(m.LeadID != nil, "lead", ui.Fact{Value: m.Name(m.LeadID)})
	add(m.Provider != "", "provider", m.sender())
	add(m.Required > 0, "confirmations", ui.Fact{Value: m.T("withdrawal.confirmations", "count", m.Confirmations, "required", m.Required)})
	add(m.Reason != nil, "reason", ui.Fact{Value: m.reason(m.Reason)})
	add(m.Answer != "", "answer", ui.Fact{Value: m.Answer, Strong: true})
	add(m.StaffNote != "", "note", ui.Fact{Value: m.StaffNote})
	if m.OutcomePaid != nil {
		return append(facts, m.finding()...)
	}
	add(m.Payment != nil, paymentWord(m.Withdrawal), ui.Fact{Value: given(m.Payment), Ident: true})
	return facts
}

// paymentWord is what proves that a withdrawal was sent: coins know no bank.
func paymentWord(w withdrawal.Withdrawal) string {
	if w.Kind == withdrawal.OnChain {
		return "transaction"
	}
	return "payment"
}

// payee is who gets it in a sentence: the holder of the account, or the ends of the address.
func (m matter) payee() string {
	if m.Kind != withdrawal.OnChain {
		return m.Holder
	}
	return shortened(m.Address)
}

// shortened are the ends of an address.
func shortened(address string) string { return address[:6] + "…" + address[len(address)-4:] }

// sender is who sends the withdrawal, and what it last said.
func (m matter) sender() ui.Fact {
	fact := ui.Fact{Value: m.Provider, Ident: true}
	if m.ProviderState != "" && m.AskedAt != nil {
		fact.Note = m.T("withdrawal.said", "state", m.ProviderState, "at", m.At(*m.AskedAt))
	}
	return fact
}

func given(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func (m matter) earlier() []caseview.Line {
	lines := make([]caseview.Line, len(m.Earlier))
	for i, w := range m.Earlier {
		lines[i] = caseview.Line{
			Day: ui.Day(w.CreatedAt, m.Zone), Number: w.Number(), Href: address(w.ID).String(), Amount: m.show.Sum(w.Amount, w.Currency),
			State: m.chip(w).Label, Good: looks[w.State].Tone == ui.ToneSuccess,
		}
	}
	return lines
}

func (m matter) deposits() []caseview.Line {
	lines := make([]caseview.Line, len(m.Deposits))
	for i, d := range m.Deposits {
		lines[i] = caseview.Line{Day: ui.Day(d.At, m.Zone), Number: "DP-" + decimal(d.ID), Amount: m.show.Sum(d.Amount, m.Currency), State: m.T("deposit.chip.credited"), Good: true}
		if m.deposit {
			lines[i].Href = ui.To("/admin/deposits/{}", d.ID).String()
		}
	}
	return lines
}
