package changedesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/accountchange"
	"candor/app/approval"
	"candor/templates/ui"
)

// list declares the list: what waits for approval, and what ended, by outcome.
func (s Services) list() caseengine.List[accountchange.Change] {
	tabs := []caseengine.Tab{{Label: "account_change.tab.waiting"}}
	for _, state := range []approval.State{approval.Applied, approval.Refused, approval.Withdrawn, approval.Expired} {
		tabs = append(tabs, caseengine.Tab{Name: string(state), Label: "account_change.chip." + string(state)})
	}
	return caseengine.List[accountchange.Change]{
		Name: "account-changes", Letters: "AC-", Target: "account_change", Texts: "account_change", Icon: ui.IconShield, View: access.AccountChangeView, Audit: s.Audit,
		Tabs: tabs, Find: s.find, Rows: s.rows, ID: func(c accountchange.Change) int64 { return c.ID },
		Filters: []caseengine.Filter{caseengine.Number("trader", caseengine.LastID)},
	}
}

func (s Services) find(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) (list []accountchange.Change, next caseengine.Cursor, err error) {
	q := accountchange.Search{State: approval.State(sel.Tab()), TraderID: sel.Number("trader")}
	list, err = s.Changes.List(r.Context.Request().Context(), q, after.ID, limit+1)
	if len(list) > limit {
		list, next = list[:limit], caseengine.Cursor{ID: list[limit-1].ID}
	}
	return list, next, err
}

// rows shows requests in the list.
func (s Services) rows(r *desk.Request, list []accountchange.Change) ([]caseengine.Row, error) {
	pc, err := s.pageContext(r, list...)
	rows := make([]caseengine.Row, len(list))
	for i, c := range list {
		rows[i] = caseengine.Row{QueueRowView: ui.QueueRowView{
			Title: c.Number(), Sub: decimal(c.TraderID), Text: pc.kind(c.Kind), Strong: true, State: pc.chip(c), Due: pc.ApprovalDue(c.Approval, accountchange.Target), Note: pc.Name(&c.RequestedBy), People: pc.pair(c).People(),
		}}
	}
	return rows, err
}

func (pc pageContext) chip(c accountchange.Change) *ui.ChipView {
	chip := caseengine.ApprovalChip(pc.T, "account_change", c.State)
	return &chip
}

func (pc pageContext) kind(kind accountchange.Kind) string {
	return pc.T("account_change.kind." + string(kind))
}
