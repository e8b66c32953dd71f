package adjustdesk

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/templates/adjustview"
	"candor/templates/ui"
)

const pageSize = 50

// states are those that the address of the queue may name; empty is all that waits.
var states = []adjustment.State{"", adjustment.Posted, adjustment.Refused, adjustment.Withdrawn}

// narrowing is what the address of the queue narrows it by. Words that make no sense are left out.
type narrowing struct {
	state  adjustment.State
	trader int64
	reason string
}

func readNarrowing(values url.Values) (n narrowing) {
	if state := adjustment.State(values.Get("state")); slices.Contains(states, state) {
		n.state = state
	}
	if reason := values.Get("reason"); slices.Contains(adjustment.Reasons, reason) {
		n.reason = reason
	}
	n.trader = positive(values.Get("trader"))
	return n
}

// positive reads a number above zero; anything else is 0.
func positive(text string) int64 {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return max(id, 0)
}

// to is the queue with the narrowing in its address. It is only ever put into a plain link.
func (n narrowing) to(more ...string) string { return n.on(home, more...) }

// on adds the narrowing to an address.
func (n narrowing) on(address string, more ...string) string {
	values := url.Values{}
	add := func(name, value string) {
		if value != "" && value != "0" {
			values.Set(name, value)
		}
	}
	add("state", string(n.state))
	add("trader", decimal(n.trader))
	add("reason", n.reason)
	for i := 0; i+1 < len(more); i += 2 {
		add(more[i], more[i+1])
	}
	if len(values) == 0 {
		return address
	}
	return address + "?" + values.Encode()
}

// search is the narrowing for the service.
func (n narrowing) search() adjustment.Search {
	return adjustment.Search{State: n.state, TraderID: n.trader, Reason: n.reason}
}

func (s Services) queue(r *desk.Request) error {
	q, err := s.readQueue(r, nil)
	if err != nil {
		return err
	}
	return r.Show(adjustview.Show(r.Page(q.Title, place), adjustview.Page{Queue: q}))
}

// readQueue reads one page of the queue. One that is open always has its row, for its answers to go to.
func (s Services) readQueue(r *desk.Request, open *adjustment.Adjustment) (q adjustview.Queue, err error) {
	n, after := readNarrowing(r.QueryParams()), positive(r.QueryParam("after"))
	list, err := s.Adjustments.List(r.Context.Request().Context(), n.search(), after, pageSize+1)
	if err != nil {
		return q, err
	}
	if len(list) > pageSize {
		list = list[:pageSize]
		q.Next = n.to("after", decimal(list[pageSize-1].ID))
	}
	if after != 0 {
		q.Start = n.to()
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
	q.Title, q.Zone, q.Tabs, q.Filters = pc.t("adjustment.title"), pc.t("case.zone", "zone", ui.ZoneName(pc.now, pc.zone)), pc.tabs(n), pc.filters(n)
	if r.May(access.AdjustmentExport) {
		q.File = n.on(home + "/file")
	}
	if (narrowing{state: n.state}) != n {
		q.Clear = narrowing{state: n.state}.to()
	}
	return q, nil
}

func (pc pageContext) tabs(n narrowing) (out []ui.TabView) {
	for _, state := range states {
		here := n
		here.state = state
		label := pc.t("adjustment.tab.waiting")
		if state != "" {
			label = pc.t("adjustment.chip." + string(state))
		}
		out = append(out, ui.TabView{Label: label, Href: here.to(), Current: n.state == state})
	}
	return out
}

// filters are those that are set, with their removal, and offers of the others.
func (pc pageContext) filters(n narrowing) []ui.FilterView {
	open := ui.OpenDialog(ui.To(home + "/filter"))
	whose, why := ui.FilterView{Label: pc.t("withdrawal.filter.trader"), HX: open, Key: "f"}, ui.FilterView{Label: pc.t("adjustment.fact.reason"), HX: open}
	if n.trader != 0 {
		whose.Value, whose.Remove = decimal(n.trader), narrowing{state: n.state, reason: n.reason}.to()
	}
	if n.reason != "" {
		why.Value, why.Remove = pc.reason(n.reason), narrowing{state: n.state, trader: n.trader}.to()
	}
	return []ui.FilterView{whose, why}
}

// askFilter opens the dialog with the filters of the page that asks.
func (s Services) askFilter(r *desk.Request) error {
	if !r.Partial() {
		return r.Go(home)
	}
	pc, err := s.pageContext(r)
	if err != nil {
		return err
	}
	n := narrowing{}
	if page, err := url.Parse(r.Context.Request().Header.Get("HX-Current-URL")); err == nil {
		n = readNarrowing(page.Query())
	}
	trader := ui.FieldView{Name: "trader", Label: pc.t("withdrawal.filter.trader"), Hint: pc.t("withdrawal.filter.trader.hint"), InputMode: "numeric", MaxLength: 19}
	if n.trader != 0 {
		trader.Value = decimal(n.trader)
	}
	reason := ui.FieldView{Name: "reason", Label: pc.t("adjustment.fact.reason"), Options: pc.reasons(n.reason, pc.t("audit.filter.all"))}
	return r.Dialog(http.StatusOK, adjustview.FilterDialog(string(n.state), trader, reason))
}

// reasons are the choices, led by what stands for none.
func (pc pageContext) reasons(chosen, none string) []ui.Option {
	options := []ui.Option{{Label: none, Selected: chosen == ""}}
	for _, code := range adjustment.Reasons {
		options = append(options, ui.Option{Value: code, Label: pc.reason(code), Selected: code == chosen})
	}
	return options
}
