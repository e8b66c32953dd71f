package paydesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/ledger"
	"candor/app/withdrawal"
	"candor/templates/payview"
	"candor/templates/ui"
)

const pageSize = 50

func (s Services) queue(r *desk.Request) error {
	q, err := s.readQueue(r, nil)
	if err != nil {
		return err
	}
	return r.Show(payview.Show(r.Page(r.Word("withdrawal.title"), navItem), payview.Page{Queue: q}))
}

// readQueue reads one page of the queue. An open withdrawal always has its row, so that answers have a row to replace.
func (s Services) readQueue(r *desk.Request, open *withdrawal.Withdrawal) (q payview.Queue, err error) {
	lf := readListFilter(r.QueryParams())
	after := caseengine.Between(r.QueryParam("after"), caseengine.LastID)
	list, next, err := s.Withdrawals.Queue(r.Context.Request().Context(), lf.search(r.Zone()), after, pageSize)
	if err != nil {
		return q, err
	}
	if next != 0 {
		q.Next = lf.to(home, "after", decimal(next))
	}
	if after != 0 {
		q.Start = lf.to(home)
	}
	list = caseengine.WithOpen(list, open, func(a, b withdrawal.Withdrawal) bool { return a.ID == b.ID })
	pc, err := s.pageContext(r, list...)
	if err != nil {
		return q, err
	}
	for _, w := range list {
		row := pc.row(w)
		row.Selected = open != nil && open.ID == w.ID
		if w.State == withdrawal.MoreInfo {
			q.Asked = append(q.Asked, row)
		} else {
			q.Rows = append(q.Rows, row)
		}
	}
	underWay, more, err := s.Withdrawals.UnderWay(pc.Ctx)
	if err != nil {
		return q, err
	}
	q.Empty, q.UnderWay = pc.T("withdrawal.queue.empty"), pc.show.Sum(underWay, ledger.Currency)
	if more {
		q.UnderWay = pc.T("withdrawal.held.more", "amount", q.UnderWay)
	}
	q.Zone, q.Filters = pc.Zoned(), lf.filters(r)
	if r.May(access.WithdrawalExport) {
		q.File = lf.to(home + "/file")
	}
	if lf.tab.name == ended {
		q.First, q.Empty = pc.T("case.queue.newest"), pc.T("withdrawal.ended.empty")
	}
	if lf.set() {
		q.Clear = listFilter{tab: lf.tab}.to(home)
	}
	q.Tabs, err = s.tabs(r, lf)
	return q, err
}

// tabs are the parts of the queue, with their counts. They keep the other filters.
func (s Services) tabs(r *desk.Request, lf listFilter) ([]ui.TabView, error) {
	counts, err := s.Withdrawals.Counts(r.Context.Request().Context())
	if err != nil {
		return nil, err
	}
	var all int64
	for _, count := range counts {
		all += count
	}
	var out []ui.TabView
	for _, t := range tabs {
		here := lf
		here.tab = t
		view := ui.TabView{Label: r.Word("withdrawal.tab." + t.label()), Href: here.to(home), Current: t.name == lf.tab.name, Icon: t.icon}
		count := all
		switch t.name {
		case "":
		case ended:
			count = 0
		default:
			count = counts[t.states[0]]
		}
		if count > 0 {
			view.Count = decimal(count)
		}
		out = append(out, view)
	}
	return out, nil
}

func (t tab) label() string {
	if t.name == "" {
		return "all"
	}
	return t.name
}
