package paydesk

import (
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/payview"
	"candor/templates/ui"
)

// detail shows one withdrawal: only its pane for an opened row, else the whole page.
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
		return r.Show(payview.Withdrawal(view))
	}
	q, err := s.readQueue(r, &cc.Withdrawal)
	if err != nil {
		return err
	}
	return r.Show(payview.Show(r.Page(cc.Number(), navItem), payview.Page{Queue: q, Detail: &view}))
}

// view is everything the detail pane shows.
func (s Services) view(cc caseContext) (payview.Detail, error) {
	entries, _, err := s.Audit.List(cc.Ctx, cc.About().Entries())
	if err != nil {
		return payview.Detail{}, err
	}
	return payview.Detail{
		Key: key(cc.ID), Number: cc.Number(), Head: cc.head(), Figures: cc.figures(), Destination: cc.destination(ui.Fact{Part: ui.Masked(cc.mask())}), Facts: cc.facts(), Risk: cc.risk(cc.Withdrawal), Risks: cc.risks(cc.Withdrawal),
		Earlier: cc.earlier(), Deposits: cc.deposits(), Deposited: cc.T("withdrawal.deposits.total", "amount", cc.show.Sum(cc.Deposited, cc.Currency)),
		History: cc.history(entries), Foot: cc.foot(cc.Withdrawal), Zone: cc.Zoned(),
	}, nil
}

func (cc caseContext) head() caseview.Head {
	h := caseview.Head{
		Trader: decimal(cc.TraderID), TraderHref: cc.TraderHref(cc.TraderID), Chips: append([]ui.ChipView{*cc.chip(cc.Withdrawal)}, cc.ClaimChips(cc.Claim)...), Due: cc.due(cc.Withdrawal),
	}
	if h.Due != nil && !h.Due.Since.IsZero() {
		h.Due.Plain, h.Due.Note = true, cc.T("withdrawal.target", "hours", target(cc.Withdrawal))
	}
	return h
}

// foot shows who decides, with the buttons of the acts; those that are not allowed are locked with their reason. Acts that end the withdrawal are set apart
// from those that move it forward.
func (pc pageContext) foot(w withdrawal.Withdrawal) caseview.Foot {
	rights := pc.rights(w)
	foot := caseview.Foot{People: pc.people(w)}
	foot.Title, foot.Note = pc.footWords(w)
	var last []ui.ButtonView
	for _, d := range decisions() {
		v := rights[d.noun]
		if !v.Offered() {
			continue
		}
		b := ui.ButtonView{Label: pc.T("withdrawal." + d.verb + ".open"), HX: ui.OpenDialog(below(w.ID, d.noun))}
		switch {
		case d.kind == ui.Danger:
			b.Kind = ui.Danger
		case d.noun == nounAsk:
			b.Key = "N"
		case leads(d.noun):
			b.Key, b.Kind = "A", ui.Primary
		}
		foot.Buttons = append(foot.Buttons, pc.Button(v, w.Claim, b))
	}
	if n := len(foot.Buttons); n > 0 && foot.Buttons[n-1].Kind == ui.Primary {
		foot.Buttons, last = foot.Buttons[:n-1:n-1], foot.Buttons[n-1:]
	}
	if v := rights[nounEnquire]; v.Offered() {
		foot.Buttons = append(foot.Buttons, pc.Button(v, w.Claim, pc.enquireButton(w)))
	}
	foot.Buttons = append(foot.Buttons, pc.ClaimButtons(rights, w.Claim, below(w.ID, caseengine.Claim), ui.At(key(w.ID)))...)
	foot.Buttons = append(foot.Buttons, last...)
	return foot
}

// leads reports whether an act moves a payment to its next step; a state offers one of those.
func leads(noun string) bool {
	switch noun {
	case nounApprove, nounConfirm, nounThird, nounSend, nounPaid, nounSettle, nounUnfreeze:
		return true
	}
	return false
}

func (pc pageContext) footWords(w withdrawal.Withdrawal) (title, note string) {
	words := "withdrawal.foot." + string(w.State)
	if w.Provider != "" && (w.State == withdrawal.Queued || w.State == withdrawal.Processing) {
		return pc.T(words), pc.T("withdrawal.foot.provider.note")
	}
	switch w.State {
	case withdrawal.Review, withdrawal.Approved1:
		if w.Amount > pc.above {
			return pc.T("withdrawal.foot.three"), pc.T("withdrawal.foot.three.note", "limit", bound(pc.above)+" "+w.Currency)
		}
		return pc.T("withdrawal.foot.two"), pc.T("withdrawal.foot.two.note", "limit", bound(pc.above)+" "+w.Currency)
	case withdrawal.Approved2, withdrawal.Queued, withdrawal.Processing, withdrawal.OutcomeUnknown:
		return pc.T(words), pc.T(words + ".note")
	case withdrawal.Sent, withdrawal.Completed:
		return pc.T("withdrawal.chip." + string(w.State)), given(w.Payment)
	default:
		return pc.T("withdrawal.chip." + string(w.State)), pc.reason(w.Reason)
	}
}
