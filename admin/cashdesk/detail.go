package cashdesk

import (
	"strconv"
	"time"

	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/deposit"
	"candor/app/platform/money"
	"candor/templates/caseview"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// detail shows one deposit: its pane when a row was opened, else the whole page.
func (s Services) detail(r *desk.Request) error {
	m, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	m.view = readNarrowing(r.QueryParams())
	view, err := s.view(m)
	if err != nil {
		return err
	}
	if r.Partial() {
		return r.Show(cashview.Deposit(view))
	}
	q, err := s.readQueue(r, &m.Deposit)
	if err != nil {
		return err
	}
	return r.Show(cashview.Show(r.Page(m.Number(), place), cashview.Page{Queue: q, Detail: &view}))
}

// view is everything the detail pane shows.
func (s Services) view(m matter) (cashview.Detail, error) {
	entries, _, err := s.Audit.List(m.Ctx, m.About().Entries())
	if err != nil {
		return cashview.Detail{}, err
	}
	d := cashview.Detail{
		Key: key(m.ID), Number: m.Number(), Head: m.head(), Figures: m.figures(m.Deposit), Match: m.match(), Facts: m.facts(),
		Earlier: m.earlier(m.Earlier), History: m.history(entries), Foot: m.foot(m.Deposit), Zone: m.Zoned(), Against: m.T("deposit.match.desk"),
	}
	switch {
	case m.Through():
		d.Against = m.T("deposit.match.provider")
	case m.Kind == deposit.OnChain:
		d.Against = m.T("deposit.match.chain")
	}
	if d.NoProof = m.T("deposit.proof.none"); m.Kind == deposit.OnChain || m.Kind == deposit.ThirdParty {
		d.NoProof = m.T("deposit.proof.without")
	}
	d.Agree = m.agree(d.Match)
	if m.File != nil {
		d.Proof = m.picture()
	}
	return d, nil
}

func (m matter) head() caseview.Head {
	h := caseview.Head{
		Trader: strconv.FormatInt(m.TraderID, 10), TraderHref: m.TraderHref(m.TraderID), Chips: append([]ui.ChipView{*m.chip(m.Deposit)}, m.HeldChips(m.Claim)...), Due: m.due(m.Deposit),
	}
	if h.Due != nil && m.Undecided() {
		h.Due.Plain, h.Due.Note = true, m.T("deposit.target", "hours", int(deposit.Target/time.Hour))
	}
	return h
}

// says is how the amount of a deposit is known: coins nobody announces.
func says(d deposit.Deposit) string {
	if d.Kind == deposit.OnChain {
		return "deposit.arrived"
	}
	return "deposit.says"
}

// figures are what was announced and what the account gets: what arrived, once that is typed.
func (sc scene) figures(d deposit.Deposit) []ui.StatView {
	sum, label := d.Amount, "deposit.credit.will"
	if d.Received != nil {
		sum = *d.Received
	}
	if d.State == deposit.Credited {
		label = "deposit.credit.done"
	}
	return []ui.StatView{
		{Label: sc.T(says(d)), Value: ui.Amount(d.Amount), Unit: d.Currency, Main: true},
		{Label: sc.T(label), Value: credit(d.Net(sum))},
		sc.fee(d, sum),
	}
}

// fee is what of a sum is kept.
func (sc scene) fee(d deposit.Deposit, sum int64) ui.StatView {
	stat := ui.StatView{Label: sc.T("deposit.fee"), Value: sc.T("deposit.fee.none")}
	if d.FeeRate > 0 {
		stat.Value = sc.T("deposit.fee.rate", "amount", credit(sum-d.Net(sum)), "percent", money.Trim(d.FeeRate, money.Scale))
	}
	return stat
}

// match lays what the trader says beside what the desk has typed or seen.
func (m matter) match() []cashview.MatchLine {
	lines := []cashview.MatchLine{m.matchAmount(m.Deposit)}
	switch {
	case m.Through():
		lines = m.matchAnswer()
	case m.Kind == deposit.ByBank:
		lines = append(lines, m.matchReference(m.Deposit), m.matchSender())
	}
	if m.ProofAt != nil && m.File != nil && m.Kind == deposit.ByBank {
		lines = append(lines, m.matchTime(m.Deposit))
	}
	if m.File != nil {
		lines = append(lines, m.matchPicture())
	}
	for i := range lines {
		lines[i].Words = m.T("deposit.verdict." + verdicts[lines[i].Verdict])
	}
	return lines
}

var verdicts = map[cashview.Verdict]string{cashview.Open: "open", cashview.Agrees: "agrees", cashview.Look: "look", cashview.Wrong: "wrong"}

func (sc scene) matchAmount(d deposit.Deposit) cashview.MatchLine {
	line := cashview.MatchLine{Label: sc.T("deposit.match.amount"), Trader: amount(d.Amount, d.Currency), Desk: sc.T("deposit.match.pending"), Pending: true}
	if d.Received == nil {
		return line
	}
	line.Desk, line.Pending, line.Verdict = amount(*d.Received, d.Currency), false, cashview.Agrees
	if *d.Received != d.Amount {
		line.Verdict = cashview.Look
	}
	return line
}

// matchReference holds the bank's own reference to the one rule that it has: it credits one deposit. The trader knows nothing of it.
func (sc scene) matchReference(d deposit.Deposit) cashview.MatchLine {
	line := cashview.MatchLine{Label: sc.T("deposit.match.reference"), Trader: "—", Desk: sc.T("deposit.match.pending"), Pending: true}
	if d.BankReference != nil {
		line.Desk, line.Pending, line.Ident, line.Verdict = *d.BankReference, false, true, cashview.Agrees
	}
	return line
}

func (sc scene) matchTime(d deposit.Deposit) cashview.MatchLine {
	line := cashview.MatchLine{
		Label: sc.T("deposit.match.time", "hours", int(deposit.TransferLife/time.Hour)), Trader: sc.T("deposit.match.asked", "at", sc.At(d.CreatedAt)),
		Desk: sc.T("deposit.match.proved", "at", sc.At(*d.ProofAt)), Verdict: cashview.Agrees,
	}
	if d.ProofAt.Sub(d.CreatedAt) > deposit.TransferLife {
		line.Verdict = cashview.Look
	}
	return line
}

func (m matter) matchPicture() cashview.MatchLine {
	line := cashview.MatchLine{
		Label: m.T("deposit.match.picture"), Trader: m.T("deposit.match.sent"), Desk: m.T("deposit.match.fresh"), Verdict: cashview.Agrees,
	}
	if len(m.SeenBefore) > 0 {
		line.Desk, line.Verdict = m.T("deposit.match.seen", "number", number(m.SeenBefore[0])), cashview.Wrong
	}
	return line
}

func (sc scene) agree(lines []cashview.MatchLine) string {
	agreed := 0
	for _, line := range lines {
		if line.Verdict == cashview.Agrees {
			agreed++
		}
	}
	return sc.T("deposit.match.agree", "agreed", agreed, "all", len(lines))
}

// facts are what is known of the deposit, in the order it is checked.
func (m matter) facts() []ui.Fact {
	facts := append(m.identity(),
		ui.Fact{Label: m.T("deposit.fact.channel"), Value: m.Channel.Name, Note: m.Channel.Bank + ", " + m.Channel.Holder},
	)
	if m.Through() {
		return append(m.throughFacts(), m.decision(m.Deposit)...)
	}
	if m.Kind == deposit.ByBank {
		facts = append(facts, ui.Fact{Label: m.T("case.fact.iban"), Value: fours(m.Channel.IBAN), Ident: true, Note: m.Channel.BIC})
	} else {
		facts[len(facts)-1].Note = ""
		facts = append(facts, m.coinFacts()...)
	}
	facts = append(facts, ui.Fact{Label: m.T("deposit.fact.created"), Value: m.At(m.CreatedAt)})
	if m.ExpiresAt != nil && (m.State == deposit.AwaitingTransfer || m.State == deposit.MoreInfo) {
		facts = append(facts, ui.Fact{Label: m.T("deposit.fact.expires"), Value: m.At(*m.ExpiresAt)})
	}
	return append(facts, m.decision(m.Deposit)...)
}

// identity is whose the deposit is, and what the transfer had to name.
func (m matter) identity() []ui.Fact {
	whose := ui.Fact{
		Label: m.T("case.fact.trader"), Value: strconv.FormatInt(m.TraderID, 10), Ident: true, Note: m.owner.MaskedName(), Href: m.TraderHref(m.TraderID),
	}
	return []ui.Fact{
		whose,
		{Label: m.T("deposit.fact.account"), Value: strconv.FormatInt(m.AccountID, 10), Ident: true, Note: m.T("deposit.fact.account.real")},
		{Label: m.T("deposit.fact.reference"), Value: m.Reference, Ident: true},
	}
}

// decision is what was decided so far, and by whom.
func (sc scene) decision(d deposit.Deposit) (facts []ui.Fact) {
	add := func(set bool, key, value string) {
		if set {
			facts = append(facts, ui.Fact{Label: sc.T("deposit.fact." + key), Value: value})
		}
	}
	if d.TakenUp() {
		add(true, "value_date", ui.Day(*d.ValueDate, time.UTC))
	}
	add(d.MakerID != nil, "maker", sc.Name(d.MakerID))
	add(d.CheckerID != nil, "checker", sc.Name(d.CheckerID))
	add(d.Reason != nil, "reason", sc.reason(d.Reason))
	add(d.StaffNote != "", "note", d.StaffNote)
	if d.TransactionID != nil {
		facts = append(facts, ui.Fact{Label: sc.T("deposit.fact.transaction"), Value: strconv.FormatInt(*d.TransactionID, 10), Ident: true})
	}
	return facts
}

func (sc scene) reason(code *string) string {
	if code == nil {
		return ""
	}
	return sc.T("deposit.reason." + *code)
}

func (sc scene) earlier(list []deposit.Deposit) []caseview.Line {
	lines := make([]caseview.Line, len(list))
	for i, d := range list {
		sum := d.Amount
		if d.Received != nil {
			sum = *d.Received
		}
		lines[i] = caseview.Line{
			Day: ui.Day(d.CreatedAt, sc.Zone), Number: d.Number(), Href: address(d.ID).String(), Amount: amount(sum, d.Currency), State: sc.T("deposit.chip.credited"), Good: true,
		}
	}
	return lines
}

// foot says who decides and offers what may be done, with a reason on what may not. Reject stands away from the act.
func (sc scene) foot(d deposit.Deposit) caseview.Foot {
	rights := sc.rights(d)
	foot := caseview.Foot{People: sc.people(d)}
	foot.Title, foot.Note = sc.footWords(d)
	if b := sc.askButton(d); b != nil {
		foot.Buttons = append(foot.Buttons, *b)
	}
	add := func(noun string, b ui.ButtonView) {
		if v := rights[noun]; v.Offered() {
			foot.Buttons = append(foot.Buttons, sc.Button(v, d.Claim, b))
		}
	}
	add(nounReject, ui.ButtonView{Label: sc.T("deposit.reject.open"), Kind: ui.Danger, HX: ui.OpenDialog(below(d.ID, nounReject))})
	add(nounAsk, ui.ButtonView{Label: sc.T("deposit.ask.open"), Key: "N", HX: ui.OpenDialog(below(d.ID, nounAsk))})
	foot.Buttons = append(foot.Buttons, sc.ClaimButtons(rights, d.Claim, below(d.ID, casework.Claim), ui.At(key(d.ID)))...)
	add(nounTakeUp, ui.ButtonView{Label: sc.T("deposit.take_up.open"), Kind: ui.Primary, HX: ui.OpenDialog(below(d.ID, nounTakeUp))})
	add(nounApprove, ui.ButtonView{Label: sc.T("deposit.approve.open"), Kind: ui.Primary, Key: "A", HX: ui.OpenDialog(below(d.ID, nounApprove))})
	add(nounConfirm, ui.ButtonView{Label: sc.T("deposit.confirm.open"), Kind: ui.Primary, Key: "A", HX: ui.OpenDialog(below(d.ID, nounConfirm))})
	add(nounRecall, ui.ButtonView{Label: sc.T("deposit.recall.open"), HX: ui.OpenDialog(below(d.ID, nounRecall))})
	add(nounRefund, ui.ButtonView{Label: sc.T("deposit.refund.open"), HX: ui.OpenDialog(below(d.ID, nounRefund))})
	add(nounReverse, ui.ButtonView{Label: sc.T("deposit.reversal.open"), Kind: ui.Danger, HX: ui.OpenDialog(below(d.ID, nounReverse))})
	add(nounCredit, ui.ButtonView{Label: sc.T("deposit.credit.open"), Kind: ui.Primary, HX: ui.OpenDialog(below(d.ID, nounCredit))})
	add(nounAgree, ui.ButtonView{Label: sc.T("deposit.agreement.open"), Kind: ui.Primary, HX: ui.OpenDialog(below(d.ID, nounAgree))})
	return foot
}

func (sc scene) footWords(d deposit.Deposit) (title, note string) {
	switch {
	case d.State == deposit.Approved:
		return sc.T("deposit.foot.second"), sc.T("deposit.foot.second.note", "name", sc.Name(d.MakerID), "amount", amount(*d.Received, d.Currency))
	case d.Gone():
		return sc.T("deposit.chip.gone"), sc.T("deposit.gone.note")
	case d.State == deposit.Appealed || d.State == deposit.ProviderUnknown:
		return sc.T("deposit.chip." + string(d.State)), sc.T("deposit.foot.through.note")
	case d.State == deposit.Credited:
		return sc.T("deposit.foot.credited"), credit(d.Net(*d.Received))
	case d.Untold():
		return sc.T("deposit.chip." + string(d.State)), sc.T("deposit.foot.untold.note")
	case d.TakenUp() && d.Undecided():
		return sc.T("deposit.foot.two"), sc.T("deposit.two.why." + string(deposit.FromStatement))
	case d.Undecided() && sc.two(d):
		return sc.T("deposit.foot.two"), sc.T("deposit.foot.two.note", "limit", credit(sc.above))
	case d.Undecided():
		return sc.T("deposit.foot.one"), sc.T("deposit.foot.one.note", "limit", credit(sc.above))
	default:
		return sc.T("deposit.chip." + string(d.State)), sc.reason(d.Reason)
	}
}
