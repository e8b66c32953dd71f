package bonusdesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/bonus"
	"candor/app/ledger"
	"candor/templates/ui"
)

// list declares the list: what waits for approval, and what ended, by outcome.
func (s Services) list() caseengine.List[bonus.Request] {
	tabs := []caseengine.Tab{{Label: "bonus.tab.waiting"}}
	for _, state := range []approval.State{approval.Applied, approval.Refused, approval.Withdrawn, approval.Expired} {
		tabs = append(tabs, caseengine.Tab{Name: string(state), Label: "bonus.chip." + string(state)})
	}
	return caseengine.List[bonus.Request]{
		Name: "bonuses", Letters: "BO-", Target: "bonus_request", Texts: "bonus", Icon: ui.IconTag, View: access.BonusView, Audit: s.Audit,
		Tabs: tabs, Find: s.find, Rows: s.rows, ID: func(b bonus.Request) int64 { return b.ID },
		Filters: []caseengine.Filter{caseengine.Number("trader", caseengine.LastID)}, Buttons: headButtons,
	}
}

// headButtons is the request of a campaign.
func headButtons(r *desk.Request) []ui.ButtonView {
	if !r.May(access.BonusAsk) {
		return nil
	}
	return []ui.ButtonView{{Label: r.Word("bonus.ask.open"), Icon: ui.IconPlus, Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/bonuses/new"))}}
}

func (s Services) find(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) (list []bonus.Request, next caseengine.Cursor, err error) {
	q := bonus.Search{State: approval.State(sel.Tab()), TraderID: sel.Number("trader")}
	list, err = s.Bonuses.List(r.Context.Request().Context(), q, after.ID, limit+1)
	if len(list) > limit {
		list, next = list[:limit], caseengine.Cursor{ID: list[limit-1].ID}
	}
	return list, next, err
}

// rows shows requests in the list.
func (s Services) rows(r *desk.Request, list []bonus.Request) ([]caseengine.Row, error) {
	pc, err := s.pageContext(r, list...)
	rows := make([]caseengine.Row, len(list))
	for i, b := range list {
		row := ui.QueueRowView{
			Title: b.Number(), Text: ui.Amount(b.Wanted.Amount) + " " + ledger.Currency + " · " + pc.T("bonus.kind."+kind(b)), Strong: true, State: pc.chip(b),
			Due: pc.ApprovalDue(b.Approval, bonus.Target), Note: pc.Name(&b.RequestedBy), People: pc.pair(b).People(),
		}
		if b.Gift() {
			row.Sub = decimal(*b.TraderID)
		}
		rows[i] = caseengine.Row{QueueRowView: row}
	}
	return rows, err
}

func (pc pageContext) chip(b bonus.Request) *ui.ChipView {
	chip := caseengine.ApprovalChip(pc.T, "bonus", b.State)
	return &chip
}
