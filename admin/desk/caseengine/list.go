package caseengine

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/platform/sheet"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// pageSize is how many rows a page of a list has.
const pageSize = 50

// List declares a list: its tabs, filters and rows, and the file of it. A desk has one; a list of things that nobody decides stands alone.
type List[T any] struct {
	Name    string // in addresses and in the navigation: "deposits"
	Letters string // before the numbers of its items: "DP-"
	Target  string // kind of its items in the audit log
	Texts   string // prefix of the keys of its texts
	Icon    ui.IconName
	View    access.Permission
	Work    access.Permission // to claim a case; empty for a list without claims
	Tabs    []Tab             // the first one is the default, and has no name
	Filters []Filter
	// Counts are the numbers on the tabs. It may be nil.
	Counts func(ctx context.Context) (counts map[string]int64, err error)
	// CountsOf is Counts for a list that differs between members.
	CountsOf func(r *desk.Request) (counts map[string]int64, err error)
	// Hears reports whether a member hears of a change of an item; nil is everybody who may view the list.
	Hears func(r *desk.Request, id string) bool
	// Hidden reports which tabs are not offered now; nil offers all.
	Hidden func(ctx context.Context) (func(tab string) bool, error)
	// Find reads the rows that a selection has after a cursor, at most limit of them, and the cursor of the next ones; the zero cursor when there are none.
	Find func(r *desk.Request, sel Selection, after Cursor, limit int) ([]T, Cursor, error)
	// Rows shows items that are together on a page. The engine fills in ids, addresses and what is selected.
	Rows func(r *desk.Request, items []T) ([]Row, error)
	ID   func(T) int64
	// Address is the path that an item opens; nil is the list's own with the item's id.
	Address func(T) ui.Path
	// Flat is a list whose items open nothing: their buttons are all that can be done.
	Flat bool
	// Open shows an item beside a list with columns, for what is read and not decided; nil for items with a page of their own.
	Open func(r *desk.Request, id int64) (Opened[T], error)
	// Said is the message about the act that led to the list; nil and the empty text are none.
	Said func(r *desk.Request) string
	// Buttons are the acts above the list that are about no single item; nil for none.
	Buttons func(r *desk.Request) []ui.ButtonView
	// Columns are the heads of the rows' cells; without them a row is shown beside the case that it opens.
	Columns []Column
	// Again is when the page reads the rows again, for a list with columns whose values change by themselves, such as prices; empty is never.
	Again ui.Trigger
	// Chips are the state of the whole list, beside its title; nil for none.
	Chips func(r *desk.Request) ([]ui.ChipView, error)
	// Alert is a message above the rows; nil, and a nil message, are none.
	Alert func(r *desk.Request) *ui.AlertView
	// Figure is a sum beside the title; nil shows none.
	Figure func(r *desk.Request) (label, value string, err error)
	Order  string       // the key of the text that names the order; empty names none
	Newest bool         // the newest come first
	Keys   []ui.KeyHint // in addition to those of every list; their labels are keys
	Split  bool         // the list is narrow, as the case needs the room
	File   File[T]
	Part   *Part // the page of something else that shows the list; nil for a page of its own

	// Ordered is Order for a list whose order is chosen; nil for one with a single order.
	Ordered func(sel Selection) string

	Audit *audit.Log
}

// Part shows a list on the page of something else, such as a trader: its addresses have the parameters of that page.
type Part struct {
	Path string // of its routes, below /admin: "/traders/:id/orders/fills"
	// Show answers with the page around the list.
	Show func(r *desk.Request, q caseview.Queue) error
	// Export is the audit entry of its file; what was selected is added to it.
	Export func(r *desk.Request) audit.Entry
}

// Column is the head of a column; its label is the key of its text.
type Column struct {
	Label   string
	Numeric bool
	Hidden  bool // the head is only read aloud: a column of buttons
	Wide    bool // takes the remaining width
}

// Routes lists the routes of the list.
func (l List[T]) Routes() []desk.Route {
	routes := []desk.Route{{Method: http.MethodGet, Path: l.path(), Permission: l.View, Lists: l.Target, Hears: l.Hears, Private: l.private(), Handle: l.page}}
	if l.chooses() {
		routes = append(routes, desk.Route{Method: http.MethodGet, Path: l.path() + "/filter", Permission: l.View, Handle: l.askFilter})
	}
	if p := l.File.Permission; p != "" {
		routes = append(routes, desk.Route{Method: http.MethodGet, Path: l.path() + "/file", Permission: p, Handle: l.file})
	}
	if l.Open != nil {
		routes = append(routes, desk.Route{Method: http.MethodGet, Path: l.path() + "/:id", Permission: l.View, Handle: l.open})
	}
	if l.Again != "" {
		routes = append(routes, desk.Route{Method: http.MethodGet, Path: l.path() + "/rows", Permission: l.View, Quiet: true, Handle: l.rowsAgain})
	}
	return routes
}

// private are the names of the values that no saved view has.
func (l List[T]) private() (names []string) {
	for _, f := range l.Filters {
		if f.Private {
			names = append(names, f.Name)
		}
	}
	return names
}

// path is the path of the list's routes, below /admin.
func (l List[T]) path() string {
	if l.Part != nil {
		return l.Part.Path
	}
	return "/" + l.Name
}

// home is the address of the list, with the parameters of the request.
func (l List[T]) home(r *desk.Request, words ...string) ui.Path {
	parts := strings.Split(l.path(), "/")
	var ids []any
	for i, part := range parts {
		if name, ok := strings.CutPrefix(part, ":"); ok {
			parts[i], ids = "{}", append(ids, r.Param(name))
		}
	}
	return ui.To(strings.Join(append([]string{"/admin" + strings.Join(parts, "/")}, words...), "/"), ids...)
}

// chooses reports whether the dialog of filters has any.
func (l List[T]) chooses() bool {
	return slices.ContainsFunc(l.Filters, func(f Filter) bool { return !f.Box && !f.Fixed })
}

func (l List[T]) address(id int64) ui.Path { return ui.To("/admin/{}/{}", l.Name, id) }

// key is the id of an item's row.
func (l List[T]) key(id int64) string { return strings.ToLower(l.Letters) + decimal(id) }

// keys are the hints below the list.
func (l List[T]) keys(r *desk.Request) []ui.KeyHint {
	var hints []ui.KeyHint
	if !l.flat() {
		hints = append(hints, ui.KeyHint{Keys: []string{"J", "K"}, Label: r.Word("case.keys.rows")})
	}
	if l.Work != "" && len(l.Columns) == 0 {
		hints = append(hints, ui.KeyHint{Keys: []string{"C"}, Label: r.Word("case.keys.claim")})
	}
	if l.chooses() {
		hints = append(hints, ui.KeyHint{Keys: []string{"F"}, Label: r.Word("keys.filter")})
	}
	for _, hint := range l.Keys {
		hint.Label = r.Word(hint.Label)
		hints = append(hints, hint)
	}
	return hints
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
	Cells []ui.Cell // of a list with columns
	Group string    // the heading above it, such as its day, where the row before has another; of a list with columns
}

// File declares a list as a CSV file. Columns never change their names. None without a permission.
type File[T any] struct {
	Permission access.Permission
	Columns    []string
	Cells      func(r *desk.Request, items []T) ([][]string, error)
	Most       int // rows; 0 is fileRows
}

// A file has at most fileRows rows unless its list says otherwise, read filePage at a time.
const (
	fileRows = 10_000
	filePage = 1_000
)

// errLong refuses a file of more rows: one that lacks some would pass for the whole.
var errLong = errs.New(errs.Refused, "case.file_long")

func (l List[T]) tab(name string) Tab {
	for _, tab := range l.Tabs {
		if tab.Name == name {
			return tab
		}
	}
	return Tab{}
}

// tabs are the tabs around a selection. They keep its filters as far as they have them.
func (l List[T]) tabs(r *desk.Request, sel Selection) (out []ui.TabView, err error) {
	ctx := r.Context.Request().Context()
	var counts map[string]int64
	switch {
	case l.CountsOf != nil:
		counts, err = l.CountsOf(r)
	case l.Counts != nil:
		counts, err = l.Counts(ctx)
	}
	if err != nil {
		return nil, err
	}
	hidden := func(string) bool { return false }
	if l.Hidden != nil {
		if hidden, err = l.Hidden(ctx); err != nil {
			return nil, err
		}
	}
	over := false // the first tab of ended cases begins the end of the line
	for _, tab := range l.Tabs {
		if hidden(tab.Name) {
			continue
		}
		view := ui.TabView{Label: r.Word(tab.Label), Href: l.turned(sel, tab.Name).href(l.home(r)), Current: tab.Name == sel.tab, Icon: tab.Icon, EndSide: tab.Over && !over}
		over = over || tab.Over
		if n := counts[tab.Name]; n > 0 {
			view.Count = strconv.FormatInt(n, 10)
		}
		out = append(out, view)
	}
	return out, nil
}

// turned is the selection on another tab, with the filters that the tab has.
func (l List[T]) turned(sel Selection, tab string) Selection {
	out := Selection{tab: tab}
	for _, f := range l.Filters {
		if value := sel.Value(f.Name); value != "" && f.has(tab) {
			out.values = append(out.values, f.value(value))
		}
	}
	return out
}

// filters are the active filters of a selection, with their removal.
func (l List[T]) filters(r *desk.Request, sel Selection) (out []ui.FilterView) {
	for _, f := range l.Filters {
		if value := sel.Value(f.Name); value != "" && !f.Box && !f.Fixed {
			out = append(out, ui.FilterView{Label: r.Word(l.Texts + ".filter." + f.Name), Value: f.text(r, value), Remove: sel.without(f.Name).href(l.home(r))})
		}
	}
	return out
}

// askFilter opens the dialog with the filters of the requesting page.
func (l List[T]) askFilter(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(l.home(r).String())
	}
	sel := l.asked(r)
	view := caseview.Filters{Path: l.home(r)}
	if sel.tab != "" {
		view.Kept = []ui.Hidden{{Name: tabName, Value: sel.tab}}
	}
	for _, f := range l.Filters {
		if value := sel.Value(f.Name); f.Fixed && value != "" {
			view.Kept = append(view.Kept, ui.Hidden{Name: f.Name, Value: value})
		}
		if f.has(sel.tab) && !f.Box && !f.Fixed {
			view.Fields = append(view.Fields, f.field(r, l.Texts, sel.Value(f.Name)))
		}
	}
	return r.Dialog(http.StatusOK, caseview.FilterDialog(view))
}

// page answers with a page of the list.
func (l List[T]) page(r *desk.Request) error {
	q, err := l.readPage(r, nil)
	if err != nil {
		return err
	}
	if l.Part != nil {
		return l.Part.Show(r, q)
	}
	return r.Show(caseview.Show(r.Page(q.Title, l.Name), caseview.Page{Queue: q, None: l.none(r), Said: l.said(r)}))
}

// rowsAgain answers a page that reads its rows again: the rows of the same selection, and its tabs.
func (l List[T]) rowsAgain(r *desk.Request) error {
	q, err := l.readRows(r, l.asked(r), ReadCursor(r.CurrentPage().Query().Get("after")), nil)
	if err != nil {
		return err
	}
	return r.Show(caseview.RowsAgain(q))
}

// none is the text beside a list of which nothing is open.
func (l List[T]) none(r *desk.Request) ui.EmptyView {
	return ui.EmptyView{Icon: l.Icon, Text: r.Word(l.Texts + ".choose")}
}

// readPage reads one page of the list. An open case always has its row, so that answers have a row to replace.
func (l List[T]) readPage(r *desk.Request, open *T) (caseview.Queue, error) {
	return l.readRows(r, l.Selected(r.QueryParams()), ReadCursor(r.QueryParam("after")), open)
}

// readRows reads the page of a selection after a cursor.
func (l List[T]) readRows(r *desk.Request, sel Selection, after Cursor, open *T) (q caseview.Queue, err error) {
	items, next, err := l.Find(r, sel, after, pageSize)
	if err != nil {
		return q, err
	}
	if open != nil {
		items = withOpen(items, *open, func(a, b T) bool { return l.ID(a) == l.ID(b) })
	}
	rows, err := l.rows(r, sel, items)
	if err != nil {
		return q, err
	}
	for i := range rows {
		row := &rows[i]
		row.Selected = open != nil && l.ID(items[i]) == l.ID(*open)
		switch {
		case row.Cells != nil: // shown in the table
		case row.Asked:
			q.Asked = append(q.Asked, row.QueueRowView)
		default:
			q.Rows = append(q.Rows, row.QueueRowView)
		}
	}
	if err = l.frame(r, sel, after, next, &q); err == nil && len(l.Columns) > 0 {
		q.Grid, q.Beside = l.grid(r, rows, q.Empty), l.Open != nil
	}
	return q, err
}

// grid is the table of a list with columns.
func (l List[T]) grid(r *desk.Request, rows []Row, empty string) *ui.GridView {
	view := &ui.GridView{Caption: r.Word(l.Texts + ".title"), Empty: empty, Walk: true}
	if l.Again != "" {
		view.ID = l.Name + "-rows"
	}
	for _, c := range l.Columns {
		view.Columns = append(view.Columns, ui.Column{Label: r.Word(c.Label), Numeric: c.Numeric, Hidden: c.Hidden, Wide: c.Wide})
	}
	for _, row := range rows {
		shown := ui.GridRow{ID: row.ID, Opens: row.Href, Cells: row.Cells, Group: row.Group, Selected: row.Selected}
		if l.Open != nil {
			shown.HX = row.HX
		}
		view.Rows = append(view.Rows, shown)
	}
	return view
}

// rows are the rows of items, with the addresses of their cases.
func (l List[T]) rows(r *desk.Request, sel Selection, items []T) ([]Row, error) {
	rows, err := l.Rows(r, items)
	for i := range rows {
		rows[i].ID = l.key(l.ID(items[i]))
		if l.flat() {
			continue
		}
		path := l.address(l.ID(items[i]))
		if l.Address != nil {
			path = l.Address(items[i])
		}
		path = sel.On(path)
		rows[i].Href, rows[i].HX = path.String(), ui.OpenDetail(path)
	}
	return rows, err
}

// flat reports whether the rows open nothing.
func (l List[T]) flat() bool { return l.Flat || l.Part != nil }

// frame fills in everything around the rows of a page.
func (l List[T]) frame(r *desk.Request, sel Selection, after, next Cursor, q *caseview.Queue) (err error) {
	tab := l.tab(sel.tab)
	q.ID, q.Title, q.Zone, q.Filters = l.Name, r.Word(l.Texts+".title"), r.Word("case.zone", "zone", ui.ZoneName(r.Now(), r.Zone())), l.filters(r, sel)
	q.Split, q.Kind, q.Key, q.Path = l.Split, l.Target, strings.ToLower(l.Letters), l.home(r)
	q.Empty, q.Keys = r.Word(l.Texts+".queue.empty"), l.keys(r)
	order := l.Order
	if l.Ordered != nil {
		order = l.Ordered(sel)
	}
	if order != "" {
		q.Order = r.Word(order)
	}
	if l.Again != "" {
		q.Again = ui.HX{Get: l.home(r, "rows"), Target: ui.At(l.Name + "-rows"), Swap: ui.SwapRows, Trigger: l.Again}
	}
	if l.Chips != nil {
		if q.Chips, err = l.Chips(r); err != nil {
			return err
		}
	}
	if l.Alert != nil {
		q.Alert = l.Alert(r)
	}
	if tab.Over || l.Newest {
		q.Order, q.First = r.Word("case.queue.order.newest"), r.Word("case.queue.newest")
	}
	switch {
	case tab.Over:
		q.Empty = r.Word(l.Texts + ".ended.empty")
	case sel.filtered():
		q.Empty = r.Word(l.Texts + ".queue.none")
	}
	if l.chooses() {
		q.Narrow = ui.OpenDialog(l.home(r, "filter"))
	}
	for _, f := range l.Filters {
		if f.Box {
			q.Search = &caseview.Search{Path: l.home(r), Name: f.Name, Words: sel.Value(f.Name), Label: r.Word(cmp.Or(f.Label, l.Texts+".search"))}
		}
	}
	if next != (Cursor{}) {
		q.Next = sel.way(l.home(r), "after", next.String())
	}
	if after != (Cursor{}) {
		q.Start = sel.way(l.home(r))
	}
	if sel.filtered() && l.chooses() { // a search alone is ended beside its box
		q.Clear = sel.cleared().href(l.home(r))
	}
	if err := l.views(r, sel, q); err != nil {
		return err
	}
	if p := l.File.Permission; p != "" && r.May(p) {
		q.File = sel.way(l.home(r, "file"))
	}
	if l.Buttons != nil {
		q.Buttons = l.Buttons(r)
	}
	if l.Figure != nil {
		if q.Label, q.Figure, err = l.Figure(r); err != nil {
			return err
		}
	}
	q.Tabs, err = l.tabs(r, sel)
	return err
}

// views fills in the member's saved views, and offers to save the selection if it is none of them.
func (l List[T]) views(r *desk.Request, sel Selection, q *caseview.Queue) error {
	if l.Part != nil || !l.chooses() {
		return nil
	}
	home := l.home(r).String()
	list, err := r.Views(home)
	if err != nil {
		return err
	}
	_, query, _ := strings.Cut(sel.href(l.home(r)), "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return err
	}
	current, saved := desk.Selecting(values), false
	for _, v := range list {
		view := caseview.View{Name: v.Name, Href: home + "?" + v.Query}
		if v.Query == current {
			saved, view.Remove = true, ui.HX{Post: ui.To("/admin/views/{}/removal", v.ID)}
		}
		q.Views = append(q.Views, view)
	}
	if sel.public().filtered() && !saved {
		q.Save = ui.OpenDialog(ui.To("/admin/views/new"))
	}
	return nil
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

// file answers with the selected list as a file. The audit log records the export first. Refusal: errLong.
func (l List[T]) file(r *desk.Request) error {
	ctx, sel := r.Context.Request().Context(), l.Selected(r.QueryParams())
	items, err := l.all(r, sel)
	if err != nil {
		return err
	}
	how, err := json.Marshal(sel.Values())
	if err != nil {
		return err
	}
	entry := audit.By(r.Actor(), r.Now(), l.Target+".export", l.Name, "queue")
	if l.Part != nil {
		entry = l.Part.Export(r)
	}
	entry.After = string(how)
	if err := l.Audit.Record(ctx, entry); err != nil {
		return err
	}
	return r.File(l.Name, func() error { return l.write(r, items) })
}

// all reads every item of a selection. Refusal: errLong.
func (l List[T]) all(r *desk.Request, sel Selection) (items []T, err error) {
	most := cmp.Or(l.File.Most, fileRows)
	for after := (Cursor{}); ; {
		page, next, err := l.Find(r, sel, after, filePage)
		if err != nil {
			return nil, err
		}
		if items = append(items, page...); len(items) > most || len(items) == most && next != (Cursor{}) {
			return nil, errLong.With("limit", most)
		}
		if after = next; next == (Cursor{}) {
			return items, nil
		}
	}
}

// write writes the rows of items, filePage at a time.
func (l List[T]) write(r *desk.Request, items []T) error {
	w := sheet.New(r.Response())
	if err := w.Row(l.File.Columns...); err != nil {
		return err
	}
	for page := range slices.Chunk(items, filePage) {
		cells, err := l.File.Cells(r, page)
		if err != nil {
			return err
		}
		for _, row := range cells {
			if err := w.Row(row...); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}
