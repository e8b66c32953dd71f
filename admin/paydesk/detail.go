package paydesk

import (
	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/payview"
	"candor/templates/ui"
)

// detail shows one withdrawal: its pane when a row was opened, else the whole page.
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
		return r.Show(payview.Withdrawal(view))
	}
	q, err := s.readQueue(r, &m.Withdrawal)
	if err != nil {
		return err
	}
	return r.Show(payview.Show(r.Page(m.Number(), place), payview.Page{Queue: q, Detail: &view}))
}

// view is everything the detail pane shows.
func (s Services) view(m matter) (payview.Detail, error) {
	entries, _, err := s.Audit.List(m.Ctx, m.About().Entries())
	if err != nil {
		return payview.Detail{}, err
	}
	return payview.Detail{
		Key: key(m.ID), Number: m.Number(), Head: m.head(), Figures: m.figures(), Destination: m.destination(ui.Fact{Part: ui.Masked(m.mask())}), Facts: m.facts(), Risk: m.risk(m.Withdrawal), Risks: m.risks(m.Withdrawal),
		Earlier: m.earlier(), Deposits: m.deposits(), Deposited: m.T("withdrawal.deposits.total", "amount", m.show.Sum(m.Deposited, m.Currency)),
		History: m.history(entries), Foot: m.foot(m.Withdrawal), Zone: m.Zoned(),
	}, nil
}

func (m matter) head() caseview.Head {
	h := caseview.Head{
		Trader: decimal(m.TraderID), TraderHref: m.TraderHref(m.TraderID), Chips: append([]ui.ChipView{*m.chip(m.Withdrawal)}, m.HeldChips(m.Claim)...), Due: m.due(m.Withdrawal),
	}
	if h.Due != nil && !h.Due.Since.IsZero() {
		h.Due.Plain, h.Due.Note = true, m.T("withdrawal.target", "hours", target(m.Withdrawal))
	}
	return h
}

// foot says who decides and offers what may be done, with a reason on what may not. What ends it stands away from what leads on.
func (sc scene) foot(w withdrawal.Withdrawal) caseview.Foot {
	rights := sc.rights(w)
	foot := caseview.Foot{People: sc.people(w)}
	foot.Title, foot.Note = sc.footWords(w)
	var last []ui.ButtonView
	for _, d := range decisions() {
		v := rights[d.noun]
		if !v.Offered() {
			continue
		}
		b := ui.ButtonView{Label: sc.T("withdrawal." + d.verb + ".open"), HX: ui.OpenDialog(below(w.ID, d.noun))}
		switch {
		case d.kind == ui.Danger:
			b.Kind = ui.Danger
		case d.noun == nounAsk:
			b.Key = "N"
		case leads(d.noun):
			b.Key, b.Kind = "A", ui.Primary
		}
		foot.Buttons = append(foot.Buttons, sc.Button(v, w.Claim, b))
	}
	if n := len(foot.Buttons); n > 0 && foot.Buttons[n-1].Kind == ui.Primary {
		foot.Buttons, last = foot.Buttons[:n-1:n-1], foot.Buttons[n-1:]
	}
	if v := rights[nounEnquire]; v.Offered() {
		foot.Buttons = append(foot.Buttons, sc.Button(v, w.Claim, sc.enquireButton(w)))
	}
	foot.Buttons = append(foot.Buttons, sc.ClaimButtons(rights, w.Claim, below(w.ID, casework.Claim), ui.At(key(w.ID)))...)
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
	if w.Provider != "" && (w.State == withdrawal.Queued || w.State == withdrawal.Processing) {
		return sc.T(words), sc.T("withdrawal.foot.provider.note")
	}
	switch w.State {
	case withdrawal.Review, withdrawal.Approved1:
		if w.Amount > sc.above {
			return sc.T("withdrawal.foot.three"), sc.T("withdrawal.foot.three.note", "limit", bound(sc.above)+" "+w.Currency)
		}
		return sc.T("withdrawal.foot.two"), sc.T("withdrawal.foot.two.note", "limit", bound(sc.above)+" "+w.Currency)
	case withdrawal.Approved2, withdrawal.Queued, withdrawal.Processing, withdrawal.OutcomeUnknown:
		return sc.T(words), sc.T(words + ".note")
	case withdrawal.Sent, withdrawal.Completed:
		return sc.T("withdrawal.chip." + string(w.State)), given(w.Payment)
	default:
		return sc.T("withdrawal.chip." + string(w.State)), sc.reason(w.Reason)
	}
}
