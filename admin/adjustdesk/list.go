package adjustdesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/adjustment"
	"candor/app/approval"
	"candor/templates/ui"
)

// list declares the list: what waits for approval, and what ended, by outcome.
func (s Services) list() caseengine.List[adjustment.Adjustment] {
	tabs := []caseengine.Tab{{Label: "adjustment.tab.waiting"}}
	for _, state := range []approval.State{approval.Applied, approval.Refused, approval.Withdrawn, approval.Expired} {
		tabs = append(tabs, caseengine.Tab{Name: string(state), Label: "adjustment.chip." + string(state)})
	}
	return caseengine.List[adjustment.Adjustment]{
		Name: "adjustments", Letters: "AD-", Target: "adjustment", Texts: "adjustment", Icon: ui.IconSwap, View: access.AdjustmentView, Audit: s.Audit,
		Tabs: tabs, Find: s.find, Rows: s.rows, ID: func(a adjustment.Adjustment) int64 { return a.ID },
		Filters: []caseengine.Filter{
			caseengine.Number("trader", caseengine.LastID),
			caseengine.OneOf("reason", adjustment.Reasons, func(r *desk.Request, code string) string { return r.Word("adjustment.reason." + code) }),
		},
		File: caseengine.File[adjustment.Adjustment]{Permission: access.AdjustmentExport, Columns: fileColumns, Cells: s.cells},
	}
}

func (s Services) find(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) (list []adjustment.Adjustment, next caseengine.Cursor, err error) {
	q := adjustment.Search{State: approval.State(sel.Tab()), TraderID: sel.Number("trader"), Reason: sel.Value("reason")}
	list, err = s.Adjustments.List(r.Context.Request().Context(), q, after.ID, limit+1)
	if len(list) > limit {
		list, next = list[:limit], caseengine.Cursor{ID: list[limit-1].ID}
	}
	return list, next, err
}

// rows shows adjustments in the list.
func (s Services) rows(r *desk.Request, list []adjustment.Adjustment) ([]caseengine.Row, error) {
	pc, err := s.pageContext(r, list...)
	rows := make([]caseengine.Row, len(list))
	for i, a := range list {
		rows[i] = caseengine.Row{QueueRowView: ui.QueueRowView{
			Title: a.Number(), Sub: decimal(a.TraderID), Text: amount(a), Strong: true, State: pc.chip(a), Due: pc.ApprovalDue(a.Approval, adjustment.Target), Note: pc.reason(a.Reason), About: pc.caseName(a.Case), AboutHref: pc.caseHref(a), People: pc.people(a),
		}}
	}
	return rows, err
}

func (pc pageContext) chip(a adjustment.Adjustment) *ui.ChipView {
	chip := caseengine.ApprovalChip(pc.T, "adjustment", a.State)
	return &chip
}
