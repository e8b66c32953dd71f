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
	sc, a, err := s.read(r)
	if err != nil {
		return err
	}
	view, err := s.view(sc, a)
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
	return r.Show(adjustview.Show(r.Page(a.Number(), place), adjustview.Page{Queue: q, Detail: &view}))
}

func (s Services) view(sc scene, a adjustment.Adjustment) (adjustview.Detail, error) {
	entries, _, err := s.Audit.List(sc.ctx, audit.Filter{TargetKind: "adjustment", TargetID: decimal(a.ID), Limit: historyLimit})
	if err != nil {
		return adjustview.Detail{}, err
	}
	view := adjustview.Detail{
		Number: a.Number(), Chip: *sc.chip(a), Figures: sc.figures(a), Facts: append(sc.facts(a), sc.decided(a)...), People: sc.people(a), Buttons: sc.buttons(a),
		Zone: sc.t("case.zone", "zone", ui.ZoneName(sc.now, sc.zone)), Title: sc.t("deposit.foot.two"), Note: sc.t("withdrawal.foot.two.note", "limit", ui.Amount(sc.above)+" "+a.Currency),
	}
	if sc.three(a) {
		view.Title = sc.t("adjustment.foot.three")
	}
	for _, e := range entries {
		view.History = append(view.History, sc.step(a, e))
	}
	return view, nil
}

func (sc scene) figures(a adjustment.Adjustment) []ui.StatView {
	return []ui.StatView{{Label: sc.t("adjustment.fact.amount"), Value: ui.Signed(a.Amount), Unit: a.Currency, Main: true, Note: sc.t("adjustment." + direction(a))}}
}

func direction(a adjustment.Adjustment) string {
	if a.Amount < 0 {
		return "out"
	}
	return "in"
}

// facts are what was asked for, in the order it is checked.
func (sc scene) facts(a adjustment.Adjustment) []ui.Fact {
	whose := ui.Fact{Label: sc.t("case.fact.trader"), Value: decimal(a.TraderID), Ident: true}
	if sc.opens {
		whose.Href = ui.To("/admin/traders/{}/funds", a.TraderID).String()
	}
	return []ui.Fact{
		whose,
		{Label: sc.t("withdrawal.fact.account"), Value: decimal(a.AccountID), Ident: true},
		{Label: sc.t("adjustment.fact.reason"), Value: sc.reason(a.Reason), Strong: true, Note: sc.t("adjustment.read")},
		{Label: sc.t("adjustment.fact.reference"), Value: a.Reference, Ident: true},
		{Label: sc.t("withdrawal.fact.note"), Value: a.StaffNote},
		{Label: sc.t("adjustment.fact.maker"), Value: sc.names[a.MakerID], Note: sc.at(a.CreatedAt)},
	}
}

// decided are who has decided, and how.
func (sc scene) decided(a adjustment.Adjustment) (facts []ui.Fact) {
	for _, fact := range []struct {
		name string
		id   *int64
	}{{"checker", a.CheckerID}, {"lead", a.LeadID}, {"refused_by", a.RefusedBy}} {
		if fact.id != nil {
			facts = append(facts, ui.Fact{Label: sc.t("adjustment.fact." + fact.name), Value: sc.name(fact.id)})
		}
	}
	if a.Refusal != "" {
		facts = append(facts, ui.Fact{Label: sc.t("adjustment.fact.refusal"), Value: a.Refusal, Strong: true})
	}
	if a.TransactionID != nil {
		facts = append(facts, ui.Fact{Label: sc.t("adjustment.fact.transaction"), Value: decimal(*a.TransactionID), Ident: true})
	}
	return facts
}

// buttons are the acts of the state: the main one locked with its reason for whoever has no part in it.
func (sc scene) buttons(a adjustment.Adjustment) (out []ui.ButtonView) {
	for _, d := range decisions() {
		b := ui.ButtonView{Label: sc.t("adjustment." + d.verb + ".open"), Kind: d.kind, HX: ui.OpenDialog(ui.To(home+"/{}/"+d.noun, a.ID))}
		switch {
		case !d.offered(a):
		case d.step != "":
			b.Why = sc.unable(d, a)
			b.Locked = b.Why != ""
			out = append(out, b)
		case sc.r.May(d.permission) && d.mine == (a.MakerID == sc.r.Member.ID):
			if why := sc.conflicts[a.TraderID]; why != nil && !d.mine {
				b.Locked, b.Why = true, sc.r.Text(why)
			}
			out = append(out, b)
		}
	}
	return out
}

// acts are the icons of what happened to an adjustment.
var acts = map[string]ui.StepView{
	"ask": {Icon: ui.IconPlus}, "confirm": {Icon: ui.IconCheck, State: ui.StepDone}, "refuse": {Icon: ui.IconClose, State: ui.StepBad}, "withdraw": {Icon: ui.IconUndo},
}

func (sc scene) step(a adjustment.Adjustment, e audit.Entry) ui.StepView {
	act := strings.TrimPrefix(e.Action, "adjustment.")
	step := acts[act]
	step.Time, step.UTC = sc.at(e.At), ui.Stamp(e.At)
	step.Text = e.ActorName + " " + sc.t("audit."+e.Action, "target", a.Number(), "amount", amount(a), "trader", decimal(a.TraderID))
	var after struct{ Refusal string }
	if act == "refuse" && json.Unmarshal([]byte(e.After), &after) == nil {
		step.Note = after.Refusal
	}
	return step
}
