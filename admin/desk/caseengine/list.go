package caseengine

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/platform/sheet"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// pageSize is how many rows a page of a list has.
const pageSize = 50

// List declares the list of a desk: its tabs, filters and rows, and the file of it.
type List[T any] struct {
	Tabs    []Tab // the first one is the default, and has no name
	Filters []Filter
	// Counts are the numbers on the tabs; the tabs it leaves out of shown are hidden. It may be nil.
	Counts func(ctx context.Context) (counts map[string]int64, err error)
	// Hidden reports which tabs are not offered now; nil offers all.
	Hidden func(ctx context.Context) (func(tab string) bool, error)
	// Find reads the rows that a selection has after a cursor, at most limit of them, and the cursor of the next ones; the zero cursor when there are none.
	Find func(r *desk.Request, sel Selection, after Cursor, limit int) ([]T, Cursor, error)
	// Rows shows items that are together on a page. The engine fills in ids, addresses and what is selected.
	Rows func(r *desk.Request, items []T) ([]Row, error)
	ID   func(T) int64
	// Figure is a sum beside the title; nil shows none.
	Figure func(r *desk.Request) (label, value string, err error)
	Order  string // the key of the text that names the order; empty names none
	File   File[T]
}

// Tab is a part of a list.
type Tab struct {
	Name  string // in addresses
	Label string // the key of its text
	Icon  ui.IconName
	Over  bool // of ended cases: newest first, at the end of the tabs
}

// Row is a row of a list. One that awaits the trader is shown below the others.
type Row struct {
	ui.QueueRowView
	Asked bool
}

// File declares a list as a CSV file. Columns never change their names. None without a permission.
type File[T any] struct {
	Permission access.Permission
	Columns    []string
	Cells      func(r *desk.Request, items []T) ([][]string, error)
}

// A file has at most fileRows rows, read filePage at a time.
const (
	fileRows = 10_000
	filePage = 1_000
)

func (l List[T]) tab(name string) Tab {
	for _, tab := range l.Tabs {
		if tab.Name == name {
			return tab
		}
	}
	return Tab{}
}

// tabs are the tabs around a selection. They keep its filters as far as they have them.
func (d Desk[C, T]) tabs(r *desk.Request, sel Selection) (out []ui.TabView, err error) {
	ctx := r.Context.Request().Context()
	var counts map[string]int64
	if d.List.Counts != nil {
		if counts, err = d.List.Counts(ctx); err != nil {
			return nil, err
		}
	}
	hidden := func(string) bool { return false }
	if d.List.Hidden != nil {
		if hidden, err = d.List.Hidden(ctx); err != nil {
			return nil, err
		}
	}
	for _, tab := range d.List.Tabs {
		if hidden(tab.Name) {
			continue
		}
		view := ui.TabView{Label: r.Word(tab.Label), Href: d.turned(sel, tab.Name).href(d.home()), Current: tab.Name == sel.tab, Icon: tab.Icon, EndSide: tab.Over}
		if n := counts[tab.Name]; n > 0 {
			view.Count = strconv.FormatInt(n, 10)
		}
		out = append(out, view)
	}
	return out, nil
}

// turned is the selection on another tab, with the filters that the tab has.
func (d Desk[C, T]) turned(sel Selection, tab string) Selection {
	out := Selection{tab: tab}
	for _, f := range d.List.Filters {
		if value := sel.Value(f.Name); value != "" && f.has(tab) {
			out.values = append(out.values, filterValue{f.Name, value})
		}
	}
	return out
}

// filters are the active filters of a selection, with their removal, and the offers of others.
func (d Desk[C, T]) filters(r *desk.Request, sel Selection) (out []ui.FilterView) {
	pressed := "f"
	for _, f := range d.List.Filters {
		if !f.has(sel.tab) {
			continue
		}
		view := ui.FilterView{Label: r.Word(d.Texts + ".filter." + f.Name), Value: f.text(r, sel.Value(f.Name)), HX: ui.OpenDialog(ui.To("/admin/{}/filter", d.Name))}
		if view.Value == "" {
			view.Key, pressed = pressed, ""
		} else {
			view.Remove = sel.without(f.Name).href(d.home())
		}
		out = append(out, view)
	}
	return out
}

// askFilter opens the dialog with the filters of the requesting page.
func (d Desk[C, T]) askFilter(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(d.home().String())
	}
	sel := d.List.asked(r)
	view := caseview.Filters{Path: d.home()}
	if sel.tab != "" {
		view.Kept = []ui.Hidden{{Name: tabName, Value: sel.tab}}
	}
	for _, f := range d.List.Filters {
		if f.has(sel.tab) {
			view.Fields = append(view.Fields, f.field(r, d.Texts, sel.Value(f.Name)))
		}
	}
	return r.Dialog(http.StatusOK, caseview.FilterDialog(view))
}

// queue answers with a page of the list.
func (d Desk[C, T]) queue(r *desk.Request) error {
	q, err := d.readQueue(r, nil)
	if err != nil {
		return err
	}
	return r.Show(caseview.Show(r.Page(q.Title, d.Name), caseview.Page{Queue: q, None: d.none(r)}))
}

// none is the text beside a list of which nothing is open.
func (d Desk[C, T]) none(r *desk.Request) ui.EmptyView {
	return ui.EmptyView{Icon: d.Icon, Text: r.Word(d.Texts + ".choose")}
}

// readQueue reads one page of the list. An open case always has its row, so that answers have a row to replace.
func (d Desk[C, T]) readQueue(r *desk.Request, open *T) (q caseview.Queue, err error) {
	sel, after := d.List.Selected(r.QueryParams()), ReadCursor(r.QueryParam("after"))
	items, next, err := d.List.Find(r, sel, after, pageSize)
	if err != nil {
		return q, err
	}
	if open != nil {
		items = withOpen(items, *open, func(a, b T) bool { return d.List.ID(a) == d.List.ID(b) })
	}
	rows, err := d.rows(r, sel, items)
	if err != nil {
		return q, err
	}
	for i, row := range rows {
		row.Selected = open != nil && d.List.ID(items[i]) == d.List.ID(*open)
		if row.Asked {
			q.Asked = append(q.Asked, row.QueueRowView)
		} else {
			q.Rows = append(q.Rows, row.QueueRowView)
		}
	}
	return q, d.frame(r, sel, after, next, &q)
}

// rows are the rows of items, with the addresses of their cases.
func (d Desk[C, T]) rows(r *desk.Request, sel Selection, items []T) ([]Row, error) {
	rows, err := d.List.Rows(r, items)
	for i := range rows {
		id := d.List.ID(items[i])
		path := sel.on(d.address(id))
		rows[i].ID, rows[i].Href, rows[i].HX = d.key(id), path.String(), ui.OpenDetail(path)
	}
	return rows, err
}

// frame fills in everything around the rows of a page.
func (d Desk[C, T]) frame(r *desk.Request, sel Selection, after, next Cursor, q *caseview.Queue) (err error) {
	tab := d.List.tab(sel.tab)
	q.ID, q.Title, q.Zone, q.Filters = d.Name, r.Word(d.Texts+".title"), r.Word("case.zone", "zone", ui.ZoneName(r.Now(), r.Zone())), d.filters(r, sel)
	q.Narrow = d.Split
	q.Empty, q.Keys = r.Word(d.Texts+".queue.empty"), d.keys(r)
	if d.List.Order != "" {
		q.Order = r.Word(d.List.Order)
	}
	if tab.Over {
		q.Order, q.First, q.Empty = r.Word("case.queue.order.newest"), r.Word("case.queue.newest"), r.Word(d.Texts+".ended.empty")
	}
	if next != (Cursor{}) {
		q.Next = sel.href(d.home(), "after", next.String())
	}
	if after != (Cursor{}) {
		q.Start = sel.href(d.home())
	}
	if sel.filtered() {
		q.Clear = Selection{tab: sel.tab}.href(d.home())
	}
	if p := d.List.File.Permission; p != "" && r.May(p) {
		q.File = sel.href(ui.To("/admin/{}/file", d.Name))
	}
	if d.List.Figure != nil {
		if q.Label, q.Figure, err = d.List.Figure(r); err != nil {
			return err
		}
	}
	q.Tabs, err = d.tabs(r, sel)
	return err
}

// withOpen puts the open case on top of a page of the list that lacks it.
func withOpen[T any](list []T, open T, same func(a, b T) bool) []T {
	for _, one := range list {
		if same(one, open) {
			return list
		}
	}
	return append([]T{open}, list...)
}

// file answers with the selected list as a file. The audit log records the export first.
func (d Desk[C, T]) file(r *desk.Request) error {
	ctx, sel := r.Context.Request().Context(), d.List.Selected(r.QueryParams())
	items, next, err := d.List.Find(r, sel, Cursor{}, filePage)
	if err != nil {
		return err
	}
	how, err := json.Marshal(sel.Values())
	if err != nil {
		return err
	}
	entry := audit.By(r.Actor(), r.Now(), d.Target+".export", d.Name, "queue")
	entry.After = string(how)
	if err := d.Audit.Record(ctx, entry); err != nil {
		return err
	}
	return r.File(d.Name, func() error { return d.write(r, sel, items, next) })
}

// write writes the first page's rows, and those of the following pages.
func (d Desk[C, T]) write(r *desk.Request, sel Selection, items []T, next Cursor) error {
	w := sheet.New(r.Response())
	if err := w.Row(d.List.File.Columns...); err != nil {
		return err
	}
	for written := 0; ; {
		cells, err := d.List.File.Cells(r, items)
		if err != nil {
			return err
		}
		for _, row := range cells {
			if err := w.Row(row...); err != nil {
				return err
			}
		}
		if written += len(items); next == (Cursor{}) || written >= fileRows {
			return w.Flush()
		}
		if items, next, err = d.List.Find(r, sel, next, filePage); err != nil {
			return err
		}
	}
}
