package cashdesk

import (
	"strconv"
	"time"

	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/deposit"
	"candor/app/platform/money"
	"candor/templates/caseview"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// detail shows one deposit: only its pane for an opened row, else the whole page.
func (s Services) detail(r *desk.Request) error {
	cc, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	cc.view = readListFilter(r.QueryParams())
	view, err := s.view(cc)
	if err != nil {
		return err
	}
	if r.Partial() {
		return r.Show(cashview.Deposit(view))
	}
	q, err := s.readQueue(r, &cc.Deposit)
	if err != nil {
		return err
	}
	return r.Show(cashview.Show(r.Page(cc.Number(), navItem), cashview.Page{Queue: q, Detail: &view}))
}

// view is everything the detail pane shows.
func (s Services) view(cc caseContext) (cashview.Detail, error) {
	entries, _, err := s.Audit.List(cc.Ctx, cc.About().Entries())
	if err != nil {
		return cashview.Detail{}, err
	}
	d := cashview.Detail{
		Key: key(cc.ID), Number: cc.Number(), Head: cc.head(), Figures: cc.figures(cc.Deposit), Match: cc.match(), Facts: cc.facts(),
		Earlier: cc.earlier(cc.Earlier), History: cc.history(entries), Foot: cc.foot(cc.Deposit), Zone: cc.Zoned(), Against: cc.T("deposit.match.desk"),
	}
	switch {
	case cc.ByProvider():
		d.Against = cc.T("deposit.match.provider")
	case cc.Kind == deposit.Crypto:
		d.Against = cc.T("deposit.match.chain")
	}
	if d.NoProof = cc.T("deposit.proof.none"); cc.Kind == deposit.Crypto || cc.Kind == deposit.ThirdParty {
		d.NoProof = cc.T("deposit.proof.without")
	}
	d.Agree = cc.agree(d.Match)
	if cc.File != nil {
		d.Proof = cc.picture()
	}
	return d, nil
}

func (cc caseContext) head() caseview.Head {
	h := caseview.Head{
		Trader: strconv.FormatInt(cc.TraderID, 10), TraderHref: cc.TraderHref(cc.TraderID), Chips: append([]ui.ChipView{*cc.chip(cc.Deposit)}, cc.ClaimChips(cc.Claim)...), Due: cc.due(cc.Deposit),
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
		stat.Value = pc.T("deposit.fee.rate", "amount", credit(sum-d.Net(sum)), "percent", money.Trim(d.FeeRate, money.Scale))
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
	if d.BankReference != nil {
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
		add(true, "value_date", ui.Day(*d.ValueDate, time.UTC))
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
			Day: ui.Day(d.CreatedAt, pc.Zone), Number: d.Number(), Href: address(d.ID).String(), Amount: amount(sum, d.Currency), State: pc.T("deposit.chip.credited"), Good: true,
		}
	}
	return lines
}

// foot shows who decides, with the buttons of the acts; those that are not allowed are locked with their reason. Reject is set apart from the other acts.
func (pc pageContext) foot(d deposit.Deposit) caseview.Foot {
	rights := pc.rights(d)
	foot := caseview.Foot{People: pc.people(d)}
	foot.Title, foot.Note = pc.footWords(d)
	if b := pc.askButton(d); b != nil {
		foot.Buttons = append(foot.Buttons, *b)
	}
	add := func(noun string, b ui.ButtonView) {
		if v := rights[noun]; v.Offered() {
			foot.Buttons = append(foot.Buttons, pc.Button(v, d.Claim, b))
		}
	}
	add(nounReject, ui.ButtonView{Label: pc.T("deposit.reject.open"), Kind: ui.Danger, HX: ui.OpenDialog(below(d.ID, nounReject))})
	add(nounAsk, ui.ButtonView{Label: pc.T("deposit.ask.open"), Key: "N", HX: ui.OpenDialog(below(d.ID, nounAsk))})
	foot.Buttons = append(foot.Buttons, pc.ClaimButtons(rights, d.Claim, below(d.ID, caseengine.Claim), ui.At(key(d.ID)))...)
	add(nounMatch, ui.ButtonView{Label: pc.T("deposit.take_up.open"), Kind: ui.Primary, HX: ui.OpenDialog(below(d.ID, nounMatch))})
	add(nounApprove, ui.ButtonView{Label: pc.T("deposit.approve.open"), Kind: ui.Primary, Key: "A", HX: ui.OpenDialog(below(d.ID, nounApprove))})
	add(nounConfirm, ui.ButtonView{Label: pc.T("deposit.confirm.open"), Kind: ui.Primary, Key: "A", HX: ui.OpenDialog(below(d.ID, nounConfirm))})
	add(nounRecall, ui.ButtonView{Label: pc.T("deposit.recall.open"), HX: ui.OpenDialog(below(d.ID, nounRecall))})
	add(nounRefund, ui.ButtonView{Label: pc.T("deposit.refund.open"), HX: ui.OpenDialog(below(d.ID, nounRefund))})
	add(nounReverse, ui.ButtonView{Label: pc.T("deposit.reversal.open"), Kind: ui.Danger, HX: ui.OpenDialog(below(d.ID, nounReverse))})
	add(nounCredit, ui.ButtonView{Label: pc.T("deposit.credit.open"), Kind: ui.Primary, HX: ui.OpenDialog(below(d.ID, nounCredit))})
	add(nounAgree, ui.ButtonView{Label: pc.T("deposit.agreement.open"), Kind: ui.Primary, HX: ui.OpenDialog(below(d.ID, nounAgree))})
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
