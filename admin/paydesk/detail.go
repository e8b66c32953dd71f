package paydesk

import (
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/withdrawal"
	"candor/templates/cashview"
	"candor/templates/payview"
	"candor/templates/ui"
)

// detail shows one withdrawal: its pane when a row was opened, else the whole page.
func (s Services) detail(r *desk.Request) error {
	m, err := s.read(r)
	if err != nil {
		return err
	}
	m.view = readNarrowing(r.QueryParams())
	view, err := s.view(m)
	if err != nil {
		return err
	}
	if r.Partial() {
		return r.Show(payview.Withdrawal(view))
	}
	q, err := s.readQueue(r, &m.Withdrawal)
	if err != nil {
		return err
	}
	return r.Show(payview.Show(r.Page(m.Number(), place), payview.Page{Queue: q, Detail: &view}))
}

const historyLimit = 60

// view is everything the detail pane shows.
func (s Services) view(m matter) (payview.Detail, error) {
	entries, _, err := s.Audit.List(m.ctx, m.entries(historyLimit))
	if err != nil {
		return payview.Detail{}, err
	}
	return payview.Detail{
		Key: key(m.ID), Number: m.Number(), Head: m.head(), Figures: m.figures(), Destination: m.destination(), Facts: m.facts(), Risk: m.risk(m.Withdrawal), Risks: m.risks(m.Withdrawal),
		Earlier: m.earlier(), Deposits: m.deposits(), Deposited: m.t("withdrawal.deposits.total", "amount", amount(m.Deposited, m.Currency)),
		History: m.history(entries), Foot: m.foot(m.Withdrawal), Zone: m.t("deposit.zone", "zone", ui.ZoneName(m.now, m.zone)),
	}, nil
}

// entries are the withdrawal's part of the audit log.
func (m matter) entries(limit int) audit.Filter {
	return audit.Filter{TargetKind: "withdrawal", TargetID: decimal(m.ID), Limit: limit}
}

func (m matter) head() cashview.Head {
	h := cashview.Head{Trader: decimal(m.TraderID), Chips: []ui.ChipView{*m.chip(m.Withdrawal)}, Due: m.due(m.Withdrawal)}
	if m.trader {
		h.TraderHref = ui.To("/admin/traders/{}", m.TraderID).String()
	}
	switch {
	case m.HeldBy(m.me.id, m.now):
		h.Chips = append(h.Chips, ui.ChipView{Tone: ui.ToneAccent, Icon: ui.IconPerson, Label: m.t("deposit.held.you", "until", m.at(*m.ClaimedUntil))})
	case heldBySomebodyElse(m.Withdrawal, m.me.id, m.now):
		h.Chips = append(h.Chips, ui.ChipView{Icon: ui.IconLock, Label: m.t("deposit.held.other", "name", m.name(m.ClaimedBy), "until", m.at(*m.ClaimedUntil))})
	}
	if h.Due != nil && !h.Due.Since.IsZero() {
		h.Due.Plain, h.Due.Note = true, m.t("withdrawal.target", "hours", target(m.Withdrawal))
	}
	return h
}

// foot says who decides and offers what may be done, with a reason on what may not. What ends it stands away from what leads on.
func (sc scene) foot(w withdrawal.Withdrawal) cashview.Foot {
	rights := sc.rights(w)
	foot := cashview.Foot{People: sc.people(w)}
	foot.Title, foot.Note = sc.footWords(w)
	add := func(v verdict, b ui.ButtonView) {
		if v.offered() {
			b.Locked, b.Why = !v.ok, sc.why(v, w)
			foot.Buttons = append(foot.Buttons, b)
		}
	}
	var last []ui.ButtonView
	for _, d := range decisions() {
		b := ui.ButtonView{Label: sc.t("withdrawal." + d.verb + ".open"), HX: ui.OpenDialog(below(w.ID, d.noun))}
		switch {
		case d.kind == ui.Danger:
			b.Kind = ui.Danger
		case d.noun == nounAsk:
			b.Key = "N"
		case leads(d.noun):
			b.Key, b.Kind = "A", ui.Primary
		}
		add(rights[d.noun], b)
	}
	if n := len(foot.Buttons); n > 0 && foot.Buttons[n-1].Kind == ui.Primary {
		foot.Buttons, last = foot.Buttons[:n-1:n-1], foot.Buttons[n-1:]
	}
	add(rights[nounRelease], ui.ButtonView{Label: sc.t("deposit.release"), HX: ui.HX{Delete: below(w.ID, nounClaim), Target: ui.At(key(w.ID)), Swap: ui.SwapWhole}})
	claim := ui.ButtonView{Label: sc.t("deposit.claim"), Key: "C", HX: toRow(w.ID)}
	if rights[nounClaim].ok {
		claim.Kind = ui.Primary
	}
	add(rights[nounClaim], claim)
	foot.Buttons = append(foot.Buttons, last...)
	return foot
}

// leads tells whether an act leads on to the next step of a payment; of those a state offers one.
func leads(noun string) bool {
	switch noun {
	case nounApprove, nounConfirm, nounThird, nounSend, nounPaid, nounSettle, nounThaw:
		return true
	}
	return false
}

func (sc scene) footWords(w withdrawal.Withdrawal) (title, note string) {
	words := "withdrawal.foot." + string(w.State)
	switch w.State {
	case withdrawal.Review, withdrawal.Approved1:
		if w.Amount > sc.above {
			return sc.t("withdrawal.foot.three"), sc.t("withdrawal.foot.three.note", "limit", amount(sc.above, w.Currency))
		}
		return sc.t("withdrawal.foot.two"), sc.t("withdrawal.foot.two.note", "limit", amount(sc.above, w.Currency))
	case withdrawal.Approved2, withdrawal.Queued, withdrawal.Processing, withdrawal.OutcomeUnknown:
		return sc.t(words), sc.t(words + ".note")
	case withdrawal.Sent, withdrawal.Completed:
		return sc.t("withdrawal.chip." + string(w.State)), given(w.Payment)
	default:
		return sc.t("withdrawal.chip." + string(w.State)), sc.reason(w.Reason)
	}
}
