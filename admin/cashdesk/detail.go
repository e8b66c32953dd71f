package cashdesk

import (
	"strconv"
	"strings"
	"time"

	"candor/app/deposit"
	"candor/app/platform/money"
	"candor/templates/caseview"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// show is the page of a deposit: the match with the bank, and the proof beside it.
func show(cc caseContext) (caseview.Detail, error) {
	lines := cc.match()
	view := caseview.Detail{
		Head: cc.head(), Figures: cc.figures(cc.Deposit), Foot: cc.foot(), Fixed: true,
		Main: []caseview.Section{
			{Title: cc.T("deposit.match"), Note: cc.agree(lines), Body: cashview.Match(cc.T("deposit.match."+cc.against()), lines)},
			caseview.FactsSection(cc.T("case.facts"), cc.facts()),
			caseview.LinesSection(cc.T("deposit.earlier"), "", cc.earlier(cc.Earlier), cc.T("deposit.earlier.none")),
		},
	}
	if cc.File != nil && !cc.withheld {
		view.Side = cc.picture()
		return view, nil
	}
	without := "deposit.proof.none"
	if cc.withheld {
		without = "account_closed.withheld"
	}
	if cc.Kind == deposit.Crypto || cc.Kind == deposit.ThirdParty {
		without = "deposit.proof.without"
	}
	view.Side = []caseview.Section{{Body: ui.Empty(ui.EmptyView{Icon: ui.IconDocument, Text: cc.T(without)})}}
	return view, nil
}

// against is what the trader's data is compared with.
func (cc caseContext) against() string {
	switch {
	case cc.ByProvider():
		return "provider"
	case cc.Kind == deposit.Crypto:
		return "chain"
	default:
		return "desk"
	}
}

func (cc caseContext) head() caseview.Head {
	h := caseview.Head{
		Trader: strconv.FormatInt(cc.TraderID, 10), TraderHref: cc.TraderHref(cc.TraderID), Chips: []ui.ChipView{*cc.chip(cc.Deposit)}, Due: cc.due(cc.Deposit),
	}
	if h.Due != nil && cc.Undecided() {
		h.Due.Plain, h.Due.Note = true, cc.T("deposit.target", "hours", int(deposit.Target/time.Hour))
	}
	return h
}

// amountLabelKey is the label of a deposit's amount: a crypto deposit has no announcement.
func amountLabelKey(d deposit.Deposit) string {
	if d.Kind == deposit.Crypto {
		return "deposit.arrived"
	}
	return "deposit.says"
}

// figures are the announced amount and the amount for the account, based on the received amount once it is known.
func (pc pageContext) figures(d deposit.Deposit) []ui.StatView {
	sum, label := d.Amount, "deposit.credit.will"
	if d.Received != nil {
		sum = *d.Received
	}
	if d.State == deposit.Credited {
		label = "deposit.credit.done"
	}
	return []ui.StatView{
		{Label: pc.T(amountLabelKey(d)), Value: ui.Amount(d.Amount), Unit: d.Currency, Main: true},
		{Label: pc.T(label), Value: credit(d.Net(sum))},
		pc.fee(d, sum),
	}
}

// fee is the fee of a received sum.
func (pc pageContext) fee(d deposit.Deposit, sum int64) ui.StatView {
	stat := ui.StatView{Label: pc.T("deposit.fee"), Value: pc.T("deposit.fee.none")}
	if d.FeeRate > 0 {
		stat.Value = pc.T("deposit.fee.rate", "amount", credit(sum-d.Net(sum)), "percent", ui.Percent(money.Trim(d.FeeRate, money.Scale)))
	}
	return stat
}

// match compares the trader's announcement with the values that the desk has typed or seen.
func (cc caseContext) match() []cashview.MatchLine {
	lines := []cashview.MatchLine{cc.matchAmount(cc.Deposit)}
	switch {
	case cc.ByProvider():
		lines = cc.matchAnswer()
	case cc.Kind == deposit.ByBank:
		lines = append(lines, cc.matchReference(cc.Deposit), cc.matchSender())
	}
	if cc.ProofAt != nil && cc.File != nil && cc.Kind == deposit.ByBank {
		lines = append(lines, cc.matchTime(cc.Deposit))
	}
	if cc.File != nil {
		lines = append(lines, cc.matchPicture())
	}
	for i := range lines {
		lines[i].Words = cc.T("deposit.verdict." + verdicts[lines[i].Verdict])
	}
	return lines
}

var verdicts = map[cashview.Verdict]string{cashview.Open: "open", cashview.Agrees: "agrees", cashview.Look: "look", cashview.Wrong: "wrong"}

func (pc pageContext) matchAmount(d deposit.Deposit) cashview.MatchLine {
	line := cashview.MatchLine{Label: pc.T("deposit.match.amount"), Trader: amount(d.Amount, d.Currency), Desk: pc.T("deposit.match.pending"), Pending: true}
	if d.Received == nil {
		return line
	}
	line.Desk, line.Pending, line.Verdict = amount(*d.Received, d.Currency), false, cashview.Agrees
	if *d.Received != d.Amount {
		line.Verdict = cashview.Look
	}
	return line
}

// matchReference shows the bank's own reference, which must be unique: it credits one deposit. The trader does not know it.
func (pc pageContext) matchReference(d deposit.Deposit) cashview.MatchLine {
	line := cashview.MatchLine{Label: pc.T("deposit.match.reference"), Trader: "—", Desk: pc.T("deposit.match.pending"), Pending: true}
	switch {
	case d.BankReference == nil:
	case pc.me.readsBank(d):
		line.Desk = pc.T("deposit.reference.hidden")
	default:
		line.Desk, line.Pending, line.Ident, line.Verdict = *d.BankReference, false, true, cashview.Agrees
	}
	return line
}

func (pc pageContext) matchTime(d deposit.Deposit) cashview.MatchLine {
	line := cashview.MatchLine{
		Label: pc.T("deposit.match.time", "hours", int(deposit.TransferLife/time.Hour)), Trader: pc.T("deposit.match.asked", "at", pc.At(d.CreatedAt)),
		Desk: pc.T("deposit.match.proved", "at", pc.At(*d.ProofAt)), Verdict: cashview.Agrees,
	}
	if d.ProofAt.Sub(d.CreatedAt) > deposit.TransferLife {
		line.Verdict = cashview.Look
	}
	return line
}

func (cc caseContext) matchPicture() cashview.MatchLine {
	line := cashview.MatchLine{
		Label: cc.T("deposit.match.picture"), Trader: cc.T("deposit.match.sent"), Desk: cc.T("deposit.match.fresh"), Verdict: cashview.Agrees,
	}
	if len(cc.SeenBefore) > 0 {
		line.Desk, line.Verdict = cc.T("deposit.match.seen", "number", number(cc.SeenBefore[0])), cashview.Wrong
	}
	return line
}

func (pc pageContext) agree(lines []cashview.MatchLine) string {
	agreed := 0
	for _, line := range lines {
		if line.Verdict == cashview.Agrees {
			agreed++
		}
	}
	return pc.T("deposit.match.agree", "agreed", agreed, "all", len(lines))
}

// facts are the facts of the deposit, in the order they are checked.
func (cc caseContext) facts() []ui.Fact {
	facts := append(cc.identity(),
		ui.Fact{Label: cc.T("deposit.fact.channel"), Value: cc.Channel.Name, Note: cc.Channel.Bank + ", " + cc.Channel.Holder},
	)
	if cc.ByProvider() {
		return append(cc.providerFacts(), cc.decision(cc.Deposit)...)
	}
	if cc.Kind == deposit.ByBank {
		facts = append(facts, ui.Fact{Label: cc.T("case.fact.iban"), Value: fours(cc.Channel.IBAN), Ident: true, Note: cc.Channel.BIC})
	} else {
		facts[len(facts)-1].Note = ""
		facts = append(facts, cc.cryptoFacts()...)
	}
	facts = append(facts, ui.Fact{Label: cc.T("deposit.fact.created"), Value: cc.At(cc.CreatedAt)})
	if cc.ExpiresAt != nil && (cc.State == deposit.AwaitingTransfer || cc.State == deposit.MoreInfo) {
		facts = append(facts, ui.Fact{Label: cc.T("deposit.fact.expires"), Value: cc.At(*cc.ExpiresAt)})
	}
	if len(cc.payer) > 0 {
		facts = append(facts, ui.Fact{Label: cc.T("bankline.fact.payer"), Value: strings.Join(cc.payer, " · ")})
	}
	return append(facts, cc.decision(cc.Deposit)...)
}

// identity shows the trader and the account, and the reference that the transfer had to name.
func (cc caseContext) identity() []ui.Fact {
	whose := ui.Fact{
		Label: cc.T("case.fact.trader"), Value: strconv.FormatInt(cc.TraderID, 10), Ident: true, Note: cc.owner.MaskedName(), Href: cc.TraderHref(cc.TraderID),
	}
	return []ui.Fact{
		whose,
		{Label: cc.T("deposit.fact.account"), Value: strconv.FormatInt(cc.AccountID, 10), Ident: true, Note: cc.T("deposit.fact.account.real")},
		{Label: cc.T("deposit.fact.reference"), Value: cc.Reference, Ident: true},
	}
}

// decision shows the decisions so far, and who made them.
func (pc pageContext) decision(d deposit.Deposit) (facts []ui.Fact) {
	add := func(set bool, key, value string) {
		if set {
			facts = append(facts, ui.Fact{Label: pc.T("deposit.fact." + key), Value: value})
		}
	}
	if d.MatchedFromStatement() {
		add(true, "value_date", pc.Date(*d.ValueDate))
	}
	add(d.MakerID != nil, "maker", pc.Name(d.MakerID))
	add(d.CheckerID != nil, "checker", pc.Name(d.CheckerID))
	add(d.Reason != nil, "reason", pc.reason(d.Reason))
	add(d.StaffNote != "", "note", d.StaffNote)
	if d.TransactionID != nil {
		facts = append(facts, ui.Fact{Label: pc.T("deposit.fact.transaction"), Value: strconv.FormatInt(*d.TransactionID, 10), Ident: true})
	}
	return facts
}

func (pc pageContext) reason(code *string) string {
	if code == nil {
		return ""
	}
	return pc.T("deposit.reason." + *code)
}

func (pc pageContext) earlier(list []deposit.Deposit) []caseview.Line {
	lines := make([]caseview.Line, len(list))
	for i, d := range list {
		sum := d.Amount
		if d.Received != nil {
			sum = *d.Received
		}
		lines[i] = caseview.Line{
			Day: pc.Day(d.CreatedAt), Number: d.Number(), Href: address(d.ID).String(), Amount: amount(sum, d.Currency), State: pc.T("deposit.chip.credited"), Good: true,
		}
	}
	return lines
}

// foot shows who decides.
func (cc caseContext) foot() caseview.Foot {
	foot := caseview.Foot{People: cc.people(cc.Deposit)}
	foot.Title, foot.Note = cc.footWords(cc.Deposit)
	return foot
}

func (pc pageContext) footWords(d deposit.Deposit) (title, note string) {
	switch {
	case d.State == deposit.Approved:
		return pc.T("deposit.foot.second"), pc.T("deposit.foot.second.note", "name", pc.Name(d.MakerID), "amount", amount(*d.Received, d.Currency))
	case d.Missing():
		return pc.T("deposit.chip.gone"), pc.T("deposit.gone.note")
	case d.State == deposit.Appealed || d.State == deposit.ProviderUnknown:
		return pc.T("deposit.chip." + string(d.State)), pc.T("deposit.foot.through.note")
	case d.State == deposit.Credited:
		return pc.T("deposit.foot.credited"), credit(d.Net(*d.Received))
	case d.Unclaimed():
		return pc.T("deposit.chip." + string(d.State)), pc.T("deposit.foot.untold.note")
	case d.MatchedFromStatement() && d.Undecided():
		return pc.T("deposit.foot.two"), pc.T("deposit.two.why." + string(deposit.FromStatement))
	case d.Undecided() && pc.two(d):
		return pc.T("deposit.foot.two"), pc.T("deposit.foot.two.note", "limit", credit(pc.above))
	case d.Undecided():
		return pc.T("deposit.foot.one"), pc.T("deposit.foot.one.note", "limit", credit(pc.above))
	default:
		return pc.T("deposit.chip." + string(d.State)), pc.reason(d.Reason)
	}
}
