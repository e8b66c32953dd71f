package cashdesk

import (
	"strconv"
	"time"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// detail shows one deposit: its pane when a row was opened, else the whole page.
func (s Services) detail(r *desk.Request) error {
	m, err := s.read(r)
	if err != nil {
		return err
	}
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

const historyLimit = 60

// view is everything the detail pane shows.
func (s Services) view(m matter) (cashview.Detail, error) {
	entries, _, err := s.Audit.List(m.ctx, m.entries(historyLimit))
	if err != nil {
		return cashview.Detail{}, err
	}
	d := cashview.Detail{
		Key: key(m.ID), Number: m.Number(), Head: m.head(), Figures: m.figures(m.Deposit), Match: m.match(), Facts: m.facts(),
		Earlier: m.earlier(m.Earlier), History: m.history(entries), Foot: m.foot(m.Deposit), Zone: m.t("deposit.zone", "zone", ui.ZoneName(m.now, m.zone)),
	}
	d.Agree = m.agree(d.Match)
	if m.File != nil {
		d.Proof = m.picture()
	}
	return d, nil
}

// entries are the deposit's part of the audit log.
func (m matter) entries(limit int) audit.Filter {
	return audit.Filter{TargetKind: "deposit", TargetID: strconv.FormatInt(m.ID, 10), Limit: limit}
}

func (m matter) head() cashview.Head {
	h := cashview.Head{Trader: strconv.FormatInt(m.TraderID, 10), Chips: []ui.ChipView{*m.chip(m.Deposit)}, Due: m.due(m.Deposit)}
	if m.trader {
		h.TraderHref = ui.To("/admin/traders/{}", m.TraderID).String()
	}
	switch {
	case m.HeldBy(m.me.id, m.now):
		h.Chips = append(h.Chips, ui.ChipView{Tone: ui.ToneAccent, Icon: ui.IconPerson, Label: m.t("deposit.held.you", "until", m.at(*m.ClaimedUntil))})
	case heldBySomebodyElse(m.Deposit, m.me.id, m.now):
		h.Chips = append(h.Chips, ui.ChipView{Icon: ui.IconLock, Label: m.t("deposit.held.other", "name", m.name(m.ClaimedBy), "until", m.at(*m.ClaimedUntil))})
	}
	if h.Due != nil && m.Undecided() {
		h.Due.Plain, h.Due.Note = true, m.t("deposit.target", "hours", int(deposit.Target/time.Hour))
	}
	return h
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
		{Label: sc.t("deposit.says"), Value: ui.Amount(d.Amount), Unit: d.Currency, Main: true},
		{Label: sc.t(label), Value: credit(sum)},
		{Label: sc.t("deposit.fee"), Value: sc.t("deposit.fee.none")},
	}
}

// match lays what the trader says beside what the desk has typed or seen.
func (m matter) match() []cashview.MatchLine {
	lines := []cashview.MatchLine{m.matchAmount(m.Deposit), m.matchReference(m.Deposit)}
	if m.ProofAt != nil {
		lines = append(lines, m.matchTime(m.Deposit))
	}
	if m.File != nil {
		lines = append(lines, m.matchPicture())
	}
	for i := range lines {
		lines[i].Words = m.t("deposit.verdict." + verdicts[lines[i].Verdict])
	}
	return lines
}

var verdicts = map[cashview.Verdict]string{cashview.Open: "open", cashview.Agrees: "agrees", cashview.Look: "look", cashview.Wrong: "wrong"}

func (sc scene) matchAmount(d deposit.Deposit) cashview.MatchLine {
	line := cashview.MatchLine{Label: sc.t("deposit.match.amount"), Trader: amount(d.Amount, d.Currency), Desk: sc.t("deposit.match.pending"), Pending: true}
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
	line := cashview.MatchLine{Label: sc.t("deposit.match.reference"), Trader: "—", Desk: sc.t("deposit.match.pending"), Pending: true}
	if d.BankReference != nil {
		line.Desk, line.Pending, line.Ident, line.Verdict = *d.BankReference, false, true, cashview.Agrees
	}
	return line
}

func (sc scene) matchTime(d deposit.Deposit) cashview.MatchLine {
	line := cashview.MatchLine{
		Label: sc.t("deposit.match.time", "hours", int(deposit.TransferLife/time.Hour)), Trader: sc.t("deposit.match.asked", "at", sc.at(d.CreatedAt)),
		Desk: sc.t("deposit.match.proved", "at", sc.at(*d.ProofAt)), Verdict: cashview.Agrees,
	}
	if d.ProofAt.Sub(d.CreatedAt) > deposit.TransferLife {
		line.Verdict = cashview.Look
	}
	return line
}

func (m matter) matchPicture() cashview.MatchLine {
	line := cashview.MatchLine{
		Label: m.t("deposit.match.picture"), Trader: m.t("deposit.match.sent"), Desk: m.t("deposit.match.fresh"), Verdict: cashview.Agrees,
	}
	if len(m.SeenBefore) > 0 {
		line.Desk, line.Verdict = m.t("deposit.match.seen", "number", number(m.SeenBefore[0])), cashview.Wrong
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
	return sc.t("deposit.match.agree", "agreed", agreed, "all", len(lines))
}

// facts are what is known of the deposit, in the order it is checked.
func (m matter) facts() []ui.Fact {
	facts := append(m.identity(),
		ui.Fact{Label: m.t("deposit.fact.channel"), Value: m.Channel.Name, Note: m.Channel.Bank + ", " + m.Channel.Holder},
		ui.Fact{Label: m.t("deposit.fact.iban"), Value: fours(m.Channel.IBAN), Ident: true, Note: m.Channel.BIC},
		ui.Fact{Label: m.t("deposit.fact.created"), Value: m.at(m.CreatedAt)},
	)
	if m.ExpiresAt != nil && (m.State == deposit.AwaitingTransfer || m.State == deposit.MoreInfo) {
		facts = append(facts, ui.Fact{Label: m.t("deposit.fact.expires"), Value: m.at(*m.ExpiresAt)})
	}
	return append(facts, m.decision(m.Deposit)...)
}

// identity is whose the deposit is, and what the transfer had to name.
func (m matter) identity() []ui.Fact {
	whose := ui.Fact{Label: m.t("deposit.fact.trader"), Value: strconv.FormatInt(m.TraderID, 10), Ident: true, Note: m.owner.MaskedName()}
	if m.trader {
		whose.Href = ui.To("/admin/traders/{}", m.TraderID).String()
	}
	return []ui.Fact{
		whose,
		{Label: m.t("deposit.fact.account"), Value: strconv.FormatInt(m.AccountID, 10), Ident: true, Note: m.t("deposit.fact.account.real")},
		{Label: m.t("deposit.fact.reference"), Value: m.Reference, Ident: true},
	}
}

// decision is what was decided so far, and by whom.
func (sc scene) decision(d deposit.Deposit) (facts []ui.Fact) {
	add := func(set bool, key, value string) {
		if set {
			facts = append(facts, ui.Fact{Label: sc.t("deposit.fact." + key), Value: value})
		}
	}
	add(d.MakerID != nil, "maker", sc.name(d.MakerID))
	add(d.CheckerID != nil, "checker", sc.name(d.CheckerID))
	add(d.Reason != nil, "reason", sc.reason(d.Reason))
	add(d.StaffNote != "", "note", d.StaffNote)
	if d.TransactionID != nil {
		facts = append(facts, ui.Fact{Label: sc.t("deposit.fact.transaction"), Value: strconv.FormatInt(*d.TransactionID, 10), Ident: true})
	}
	return facts
}

func (sc scene) reason(code *string) string {
	if code == nil {
		return ""
	}
	return sc.t("deposit.reason." + *code)
}

func (sc scene) earlier(list []deposit.Deposit) []cashview.EarlierLine {
	lines := make([]cashview.EarlierLine, len(list))
	for i, d := range list {
		sum := d.Amount
		if d.Received != nil {
			sum = *d.Received
		}
		lines[i] = cashview.EarlierLine{Day: ui.Day(d.CreatedAt, sc.zone), Number: d.Number(), Href: address(d.ID).String(), Amount: amount(sum, d.Currency)}
	}
	return lines
}

// foot says who decides and offers what may be done, with a reason on what may not. Reject stands away from the act.
func (sc scene) foot(d deposit.Deposit) cashview.Foot {
	rights := sc.rights(d)
	foot := cashview.Foot{People: sc.people(d)}
	foot.Title, foot.Note = sc.footWords(d)
	add := func(v verdict, b ui.ButtonView) {
		if v.offered() {
			b.Locked, b.Why = !v.ok, sc.why(v, d)
			foot.Buttons = append(foot.Buttons, b)
		}
	}
	add(rights.decline, ui.ButtonView{Label: sc.t("deposit.reject.open"), Kind: ui.Danger, HX: ui.OpenDialog(below(d.ID, rejection.noun))})
	add(rights.decline, ui.ButtonView{Label: sc.t("deposit.ask.open"), Key: "N", HX: ui.OpenDialog(below(d.ID, question.noun))})
	add(rights.release, ui.ButtonView{Label: sc.t("deposit.release"), HX: ui.HX{Delete: below(d.ID, "claim"), Target: ui.At(key(d.ID)), Swap: ui.SwapWhole}})
	claim := ui.ButtonView{Label: sc.t("deposit.claim"), Key: "C", HX: toRow(d.ID, "claim")}
	if rights.claim.ok {
		claim.Kind = ui.Primary
	}
	add(rights.claim, claim)
	add(rights.approve, ui.ButtonView{Label: sc.t("deposit.approve.open"), Kind: ui.Primary, Key: "A", HX: ui.OpenDialog(below(d.ID, "approval"))})
	add(rights.confirm, ui.ButtonView{Label: sc.t("deposit.confirm.open"), Kind: ui.Primary, Key: "A", HX: ui.OpenDialog(below(d.ID, "confirmation"))})
	return foot
}

func (sc scene) footWords(d deposit.Deposit) (title, note string) {
	switch {
	case d.State == deposit.Approved:
		return sc.t("deposit.foot.second"), sc.t("deposit.foot.second.note", "name", sc.name(d.MakerID), "amount", amount(*d.Received, d.Currency))
	case d.State == deposit.Credited:
		return sc.t("deposit.foot.credited"), credit(*d.Received)
	case d.Undecided() && sc.two(d):
		return sc.t("deposit.foot.two"), sc.t("deposit.foot.two.note", "limit", credit(sc.above))
	case d.Undecided():
		return sc.t("deposit.foot.one"), sc.t("deposit.foot.one.note", "limit", credit(sc.above))
	default:
		return sc.t("deposit.chip." + string(d.State)), sc.reason(d.Reason)
	}
}
