package adjustdesk

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/app/approval"
	"candor/templates/adjustview"
	"candor/templates/ui"
)

const pageSize = 50

// states are the values of the filter "state"; empty is everything that waits.
var states = []approval.State{"", approval.Applied, approval.Refused, approval.Withdrawn, approval.Expired}

// listFilter is the queue's filter from the address. Values that make no sense filter nothing.
type listFilter struct {
	state  approval.State
	trader int64
	reason string
}

func readListFilter(values url.Values) (lf listFilter) {
	if state := approval.State(values.Get("state")); slices.Contains(states, state) {
		lf.state = state
	}
	if reason := values.Get("reason"); slices.Contains(adjustment.Reasons, reason) {
		lf.reason = reason
	}
	lf.trader = positive(values.Get("trader"))
	return lf
}

// positive reads a number above zero; anything else is 0.
func positive(text string) int64 {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return max(id, 0)
}

// to is the queue's address with the filter, for plain links only.
func (lf listFilter) to(more ...string) string { return lf.on(home, more...) }

// on adds the filter to an address.
func (lf listFilter) on(address string, more ...string) string {
	values := url.Values{}
	add := func(name, value string) {
		if value != "" && value != "0" {
			values.Set(name, value)
		}
	}
	add("state", string(lf.state))
	add("trader", decimal(lf.trader))
	add("reason", lf.reason)
	for i := 0; i+1 < len(more); i += 2 {
		add(more[i], more[i+1])
	}
	if len(values) == 0 {
		return address
	}
	return address + "?" + values.Encode()
}

// search is the filter for the service.
func (lf listFilter) search() adjustment.Search {
	return adjustment.Search{State: lf.state, TraderID: lf.trader, Reason: lf.reason}
}

func (s Services) queue(r *desk.Request) error {
	q, err := s.readQueue(r, nil)
	if err != nil {
		return err
	}
	return r.Show(adjustview.Show(r.Page(q.Title, navItem), adjustview.Page{Queue: q}))
}

// readQueue reads one page of the queue. An open adjustment always has its row, so that answers have a row to replace.
func (s Services) readQueue(r *desk.Request, open *adjustment.Adjustment) (q adjustview.Queue, err error) {
	lf, after := readListFilter(r.QueryParams()), positive(r.QueryParam("after"))
	list, err := s.Adjustments.List(r.Context.Request().Context(), lf.search(), after, pageSize+1)
	if err != nil {
		return q, err
	}
	if len(list) > pageSize {
		list = list[:pageSize]
		q.Next = lf.to("after", decimal(list[pageSize-1].ID))
	}
	if after != 0 {
		q.Start = lf.to()
	}
	if open != nil && !slices.ContainsFunc(list, func(a adjustment.Adjustment) bool { return a.ID == open.ID }) {
		list = append([]adjustment.Adjustment{*open}, list...)
	}
	pc, err := s.pageContext(r, list...)
	if err != nil {
		return q, err
	}
	for _, a := range list {
		row := pc.row(a)
		row.Selected = open != nil && open.ID == a.ID
		q.Rows = append(q.Rows, row)
	}
	q.Title, q.Zone, q.Tabs, q.Filters = pc.t("adjustment.title"), pc.t("case.zone", "zone", ui.ZoneName(pc.now, pc.zone)), pc.tabs(lf), pc.filters(lf)
	if r.May(access.AdjustmentExport) {
		q.File = lf.on(home + "/file")
	}
	if (listFilter{state: lf.state}) != lf {
		q.Clear = listFilter{state: lf.state}.to()
	}
	return q, nil
}

func (pc pageContext) tabs(lf listFilter) (out []ui.TabView) {
	for _, state := range states {
		here := lf
		here.state = state
		label := pc.t("adjustment.tab.waiting")
		if state != "" {
			label = pc.t("adjustment.chip." + string(state))
		}
		out = append(out, ui.TabView{Label: label, Href: here.to(), Current: lf.state == state})
	}
	return out
}

// filters are the active filters, with their removal, and the offers of others.
func (pc pageContext) filters(lf listFilter) []ui.FilterView {
	open := ui.OpenDialog(ui.To(home + "/filter"))
	whose, why := ui.FilterView{Label: pc.t("withdrawal.filter.trader"), HX: open, Key: "f"}, ui.FilterView{Label: pc.t("adjustment.fact.reason"), HX: open}
	if lf.trader != 0 {
		whose.Value, whose.Remove = decimal(lf.trader), listFilter{state: lf.state, reason: lf.reason}.to()
	}
	if lf.reason != "" {
		why.Value, why.Remove = pc.reason(lf.reason), listFilter{state: lf.state, trader: lf.trader}.to()
	}
	return []ui.FilterView{whose, why}
}

// askFilter opens the dialog with the filters of the requesting page.
func (s Services) askFilter(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home)
	}
	pc, err := s.pageContext(r)
	if err != nil {
		return err
	}
	lf := listFilter{}
	if page, err := url.Parse(r.Context.Request().Header.Get("HX-Current-URL")); err == nil {
		lf = readListFilter(page.Query())
	}
	trader := ui.FieldView{Name: "trader", Label: pc.t("withdrawal.filter.trader"), Hint: pc.t("withdrawal.filter.trader.hint"), InputMode: "numeric", MaxLength: 19}
	if lf.trader != 0 {
		trader.Value = decimal(lf.trader)
	}
	reason := ui.FieldView{Name: "reason", Label: pc.t("adjustment.fact.reason"), Options: pc.reasons(lf.reason, pc.t("case.filter.all"))}
	return r.Dialog(http.StatusOK, adjustview.FilterDialog(string(lf.state), trader, reason))
}

// reasons are the choices of a reason, after none.
func (pc pageContext) reasons(chosen, none string) []ui.Option {
	options := []ui.Option{{Label: none, Selected: chosen == ""}}
	for _, code := range adjustment.Reasons {
		options = append(options, ui.Option{Value: code, Label: pc.reason(code), Selected: code == chosen})
	}
	return options
}
