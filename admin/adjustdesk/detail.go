package adjustdesk

import (
	"encoding/json"
	"strings"

	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/app/audit"
	"candor/templates/adjustview"
	"candor/templates/ui"
)

const historyLimit = 20

func (s Services) detail(r *desk.Request) error {
	pc, a, err := s.read(r)
	if err != nil {
		return err
	}
	view, err := s.view(pc, a)
	if err != nil {
		return err
	}
	if r.Partial() {
		return r.Show(adjustview.Parts(view))
	}
	q, err := s.readQueue(r, &a)
	if err != nil {
		return err
	}
	return r.Show(adjustview.Show(r.Page(a.Number(), navItem), adjustview.Page{Queue: q, Detail: &view}))
}

func (s Services) view(pc pageContext, a adjustment.Adjustment) (adjustview.Detail, error) {
	entries, _, err := s.Audit.List(pc.ctx, audit.Filter{TargetKind: "adjustment", TargetID: decimal(a.ID), Limit: historyLimit})
	if err != nil {
		return adjustview.Detail{}, err
	}
	view := adjustview.Detail{
		Number: a.Number(), Chip: *pc.chip(a), Figures: pc.figures(a), Facts: append(pc.facts(a), pc.decided(a)...), People: pc.people(a), Buttons: pc.buttons(a),
		Zone: pc.t("case.zone", "zone", ui.ZoneName(pc.now, pc.zone)), Title: pc.t("deposit.foot.two"), Note: pc.t("withdrawal.foot.two.note", "limit", ui.Amount(pc.above)+" "+a.Currency),
	}
	if pc.three(a) {
		view.Title = pc.t("adjustment.foot.three")
	}
	for _, e := range entries {
		view.History = append(view.History, pc.step(a, e))
	}
	return view, nil
}

func (pc pageContext) figures(a adjustment.Adjustment) []ui.StatView {
	return []ui.StatView{{Label: pc.t("adjustment.fact.amount"), Value: ui.Signed(a.Amount), Unit: a.Currency, Main: true, Note: pc.t("adjustment." + direction(a))}}
}

func direction(a adjustment.Adjustment) string {
	if a.Amount < 0 {
		return "out"
	}
	return "in"
}

// facts are the facts of the request, in the order they are checked.
func (pc pageContext) facts(a adjustment.Adjustment) []ui.Fact {
	whose := ui.Fact{Label: pc.t("case.fact.trader"), Value: decimal(a.TraderID), Ident: true}
	if pc.opens {
		whose.Href = ui.To("/admin/traders/{}/funds", a.TraderID).String()
	}
	return []ui.Fact{
		whose,
		{Label: pc.t("withdrawal.fact.account"), Value: decimal(a.AccountID), Ident: true},
		{Label: pc.t("adjustment.fact.reason"), Value: pc.reason(a.Reason), Strong: true, Note: pc.t("adjustment.read")},
		{Label: pc.t("adjustment.fact.reference"), Value: a.Reference, Ident: true},
		{Label: pc.t("withdrawal.fact.note"), Value: a.Note},
		{Label: pc.t("adjustment.fact.maker"), Value: pc.names[a.RequestedBy], Note: pc.at(a.RequestedAt)},
	}
}

// decided shows who decided, and how.
func (pc pageContext) decided(a adjustment.Adjustment) (facts []ui.Fact) {
	for _, fact := range []struct {
		name string
		id   *int64
	}{{"checker", a.SecondBy}, {"lead", a.ThirdBy}, {"refused_by", a.RefusedBy()}} {
		if fact.id != nil {
			facts = append(facts, ui.Fact{Label: pc.t("adjustment.fact." + fact.name), Value: pc.name(fact.id)})
		}
	}
	if a.Refusal != "" {
		facts = append(facts, ui.Fact{Label: pc.t("adjustment.fact.refusal"), Value: a.Refusal, Strong: true})
	}
	if a.TransactionID != nil {
		facts = append(facts, ui.Fact{Label: pc.t("adjustment.fact.transaction"), Value: decimal(*a.TransactionID), Ident: true})
	}
	return facts
}

// buttons are the acts of the state; the main one is locked, with its reason, for members who may not decide.
func (pc pageContext) buttons(a adjustment.Adjustment) (out []ui.ButtonView) {
	for _, d := range decisions() {
		b := ui.ButtonView{Label: pc.t("adjustment." + d.verb + ".open"), Kind: d.kind, HX: ui.OpenDialog(ui.To(home+"/{}/"+d.noun, a.ID))}
		switch {
		case !d.offered(a):
		case d.step != "":
			b.Why = pc.whyLocked(d, a)
			b.Locked = b.Why != ""
			out = append(out, b)
		case pc.r.May(d.permission) && d.mine == (a.RequestedBy == pc.r.Member.ID):
			if why := pc.conflicts[a.TraderID]; why != nil && !d.mine {
				b.Locked, b.Why = true, pc.r.Text(why)
			}
			out = append(out, b)
		}
	}
	return out
}

// acts are the icons of a history's acts.
var acts = map[string]ui.StepView{
	"request": {Icon: ui.IconPlus}, "approve": {Icon: ui.IconCheck, State: ui.StepDone}, "refuse": {Icon: ui.IconClose, State: ui.StepBad}, "withdraw": {Icon: ui.IconUndo}, "expire": {Icon: ui.IconClock},
}

func (pc pageContext) step(a adjustment.Adjustment, e audit.Entry) ui.StepView {
	act := strings.TrimPrefix(e.Action, "adjustment.")
	step := acts[act]
	step.Time, step.UTC = pc.at(e.At), ui.Stamp(e.At)
	step.Text = e.ActorName + " " + pc.t("audit."+e.Action, "target", a.Number(), "amount", amount(a), "trader", decimal(a.TraderID))
	var after struct{ Refusal string }
	if act == "refuse" && json.Unmarshal([]byte(e.After), &after) == nil {
		step.Note = after.Refusal
	}
	return step
}
