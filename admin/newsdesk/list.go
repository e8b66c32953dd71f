package newsdesk

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/notice"
	"candor/app/platform/errs"
	"candor/templates/newsview"
	"candor/templates/ui"
)

// stateFilters are the stages that the list can be filtered by.
var stateFilters = []notice.State{"", notice.Drafted, notice.InReview, notice.Scheduled, notice.Live, notice.Expired, notice.Unpublished, notice.Archived}

func (s Services) list(r *desk.Request) error {
	view, err := s.listView(r, notice.Kind(r.Context.QueryParam("kind")), notice.State(r.Context.QueryParam("state")))
	if err != nil {
		return err
	}
	return r.Show(newsview.ListPage(r.Page(word(r, "nav.content"), "content"), view))
}

func listPath(kind notice.Kind, state notice.State) ui.Path {
	path := ui.To("/admin/content")
	if kind != "" {
		path = path.With("kind", kind)
	}
	if state != "" {
		path = path.With("state", state)
	}
	return path
}

func (s Services) listView(r *desk.Request, kind notice.Kind, state notice.State) (view newsview.List, err error) {
	if kind != "" && !slices.Contains(notice.Kinds, kind) || !slices.Contains(stateFilters, state) {
		return view, desk.ErrNotFound
	}
	all, err := s.Notices.Items(ctxOf(r), "", state)
	if err != nil {
		return view, err
	}
	counts := map[notice.Kind]int{"": len(all)}
	var listed []notice.Listed
	for _, l := range all {
		counts[l.Kind]++
		if kind == "" || l.Kind == kind {
			listed = append(listed, l)
			view.Rows = append(view.Rows, s.row(r, l))
		}
	}
	if view.Ordered = kind.Ordered(); view.Ordered && r.May(access.ContentPublish) {
		order(view.Rows, listed)
	}
	for _, one := range append([]notice.Kind{""}, notice.Kinds...) {
		label := "all"
		if one != "" {
			label = string(one)
		}
		view.Tabs = append(view.Tabs, ui.TabView{Label: word(r, "content.kinds."+label), Count: strconv.Itoa(counts[one]), Href: listPath(one, state).String(), Current: one == kind})
	}
	for _, one := range stateFilters {
		label := word(r, "content.state.any")
		if one != "" {
			label = word(r, "content.state."+string(one))
		}
		view.States = append(view.States, ui.TabView{Label: label, Href: listPath(kind, one).String(), Current: one == state})
	}
	if r.May(access.ContentEdit) {
		view.New = &ui.ButtonView{Label: word(r, "content.new"), Icon: ui.IconPlus, Kind: ui.Primary, Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/new-content"))}
	}
	return view, nil
}

func (s Services) row(r *desk.Request, l notice.Listed) newsview.Row {
	row := newsview.Row{
		ID: fmt.Sprintf("content-%d", l.ItemID), Href: path(l.ItemID).String(), Title: l.Title, Number: notice.Number(l.ItemID), Kind: word(r, "content.kind."+string(l.Kind)),
		Category: word(r, "content.category."+l.Category), State: stateChip(r, l.Stage()), Window: window(r, l.Settings),
		Coverage: word(r, "content.coverage", "n", len(l.Locales), "of", len(notice.Locales)), NoDefault: !slices.Contains(l.Locales, notice.Default),
		Reach: word(r, "content.reach", "seen", l.Seen, "clicks", l.Clicks), Changed: at(r, l.ChangedAt), By: author(r, l.AuthorName), Sort: strconv.Itoa(l.Position),
	}
	if row.Title == "" {
		row.Title = word(r, "content.untitled")
	}
	if l.LiveNumber != nil && *l.LiveNumber != l.Number {
		live := stateChip(r, notice.Live)
		live.Label = word(r, "content.live_n", "n", *l.LiveNumber)
		row.Live = &live
	}
	return row
}

// order lets a publisher move each row: up, down, or to the position of any other row.
func order(rows []newsview.Row, listed []notice.Listed) {
	for i, l := range listed {
		position := newsview.Position{Path: ui.To("/admin/content/{}/place", l.ItemID), Version: strconv.Itoa(l.Version)}
		if i > 0 {
			position.Up = rows[i-1].Sort
		}
		if i < len(rows)-1 {
			position.Down = rows[i+1].Sort
		}
		rows[i].Position = &position
	}
}

// author is the name of a text's author; texts of a new installation have none.
func author(r *desk.Request, name string) string {
	if name == "" {
		return word(r, "content.system")
	}
	return name
}

// moveTo moves an item to another position, and answers with the filtered list.
func (s Services) moveTo(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	version, err := r.Version()
	if err != nil {
		return err
	}
	sort, err := desk.ParseCount(r.PostFormValue("sort"))
	if err != nil {
		return errs.Field("sort", "field.number")
	}
	if _, err := s.Notices.Reorder(ctxOf(r), r.Actor(), id, version, sort); err != nil {
		return err
	}
	query := r.CurrentPage().Query()
	view, err := s.listView(r, notice.Kind(query.Get("kind")), notice.State(query.Get("state")))
	if err != nil {
		return err
	}
	return r.Show(newsview.Moved(view, word(r, "content.place.done")))
}

func (s Services) askNew(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo("/admin/content")
	}
	return s.showNew(r, http.StatusOK, nil)
}

func (s Services) showNew(r *desk.Request, status int, problems map[string]string) error {
	kinds := ui.FieldView{Name: "kind", Label: word(r, "content.kind"), Error: problems["kind"]}
	for _, kind := range notice.Kinds {
		if kind != notice.Page {
			kinds.Options = append(kinds.Options, ui.Option{Value: string(kind), Label: word(r, "content.kind."+string(kind))})
		}
	}
	return r.Dialog(status, newsview.NewDialog(ui.DialogView{
		Title: word(r, "content.new.title"), Note: word(r, "content.new.note"),
		Form: ui.FormView{Post: ui.To("/admin/content"), Target: ui.TargetDialog, Swap: ui.SwapInside},
		Act:  ui.ButtonView{Label: word(r, "content.new.act"), Kind: ui.Primary, Submit: true},
	}, kinds))
}

// create creates an item with the default settings of its kind, and opens it for editing.
func (s Services) create(r *desk.Request) error {
	kind := notice.Kind(r.PostFormValue("kind"))
	if len(notice.Categories[kind]) == 0 || kind == notice.Page {
		return s.showNew(r, http.StatusUnprocessableEntity, map[string]string{"kind": word(r, "field.choice")})
	}
	item, err := s.Notices.Create(ctxOf(r), r.Actor(), kind, notice.Settings{
		Category: notice.Categories[kind][0], Placement: notice.Placements[kind][0], Severity: notice.Severities[0], Audience: notice.Audiences[0], Zone: r.Zone().String(),
		Frequency: notice.Once,
	})
	if err != nil {
		return err
	}
	return r.RedirectTo(path(item.ID).String())
}
