package desk

import (
	"cmp"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"candor/admin/access"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/templates/ui"
)

// viewRoutes keep selections of lists that members have named.
func (f *Frame) viewRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: "/views/new", Permission: access.Home, Handle: f.askView},
		{Method: http.MethodPost, Path: "/views/new", Permission: access.Home, Handle: f.saveView},
		{Method: http.MethodPost, Path: "/views/:id/removal", Permission: access.Home, Handle: f.removeView},
	}
}

// Views are the member's saved views of the list with this address.
func (r *Request) Views(path string) ([]staff.View, error) {
	return r.frame.Staff.Views(r.Context.Request().Context(), r.Member.ID, path)
}

// passing are the names of an address that belong to a moment, not to a selection.
var passing = []string{"after", "claimed", "decided"}

// Selecting is the part of an address's query that selects, in the order of the names, without those that a view doesn't have.
func Selecting(query url.Values, without ...string) string {
	kept := url.Values{}
	for name, values := range query {
		if !slices.Contains(passing, name) && !slices.Contains(without, name) {
			kept[name] = values
		}
	}
	return kept.Encode()
}

// listed is the list with this address, if the member may open it.
func (f *Frame) listed(r *Request, path string) (list Route, ok bool) {
	below, ok := strings.CutPrefix(path, Root)
	at := slices.IndexFunc(f.routes, func(route Route) bool {
		return ok && route.Method == http.MethodGet && route.Path == below && route.Lists != "" && r.May(route.Permission)
	})
	if at < 0 {
		return list, false
	}
	return f.routes[at], true
}

// listAt is the list of a page: the page itself, or the list around what it shows; empty for a page of neither.
func (f *Frame) listAt(r *Request, page string) (address string, list Route) {
	for _, address := range []string{page, path.Dir(page)} {
		if list, ok := f.listed(r, address); ok {
			return address, list
		}
	}
	return "", list
}

func (f *Frame) askView(r *Request) error {
	if !r.Partial() {
		return r.RedirectTo(Root)
	}
	page := r.CurrentPage()
	path, list := f.listAt(r, page.Path)
	if path == "" {
		return ErrNotFound
	}
	return f.viewDialog(r, http.StatusOK, path, Selecting(page.Query(), list.Private...), "", "")
}

func (f *Frame) viewDialog(r *Request, status int, path, query, name, problem string) error {
	return r.Dialog(status, ui.Dialog(ui.DialogView{
		Title: r.Word("view.title"), Note: r.Word("view.note"),
		Form:  ui.FormView{Post: ui.To("/admin/views/new"), Target: ui.At("dialog"), Swap: ui.SwapInside, Hidden: []ui.Hidden{{Name: "path", Value: path}, {Name: "query", Value: query}}},
		Proof: ui.Input(ui.FieldView{Name: "name", Label: r.Word("view.name"), Value: name, Error: problem, MaxLength: staff.ViewNameLength, Required: true}),
		Act:   ui.ButtonView{Label: r.Word("view.save"), Kind: ui.Primary, Submit: true},
	}))
}

func (f *Frame) saveView(r *Request) error {
	path, name := r.PostFormValue("path"), r.PostFormValue("name")
	query, err := url.ParseQuery(r.PostFormValue("query"))
	list, ok := f.listed(r, path)
	if err != nil || !ok {
		return ErrNotFound
	}
	selected := Selecting(query, list.Private...)
	err = f.Staff.SaveView(r.Context.Request().Context(), r.Actor(), path, staff.View{Name: name, Query: selected})
	if errs.As(err) != nil {
		problem := r.FieldTexts(err)["name"]
		if problem == "" {
			problem = r.Text(err)
		}
		return f.viewDialog(r, http.StatusUnprocessableEntity, path, selected, name, problem)
	}
	if err != nil {
		return err
	}
	r.Response().Header().Set("HX-Redirect", path+"?"+selected)
	return r.NoContent(http.StatusNoContent)
}

func (f *Frame) removeView(r *Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	if err := f.Staff.RemoveView(r.Context.Request().Context(), r.Actor(), id); err != nil {
		return err
	}
	back, _ := f.listAt(r, r.CurrentPage().Path)
	r.Response().Header().Set("HX-Redirect", cmp.Or(back, Root))
	return r.NoContent(http.StatusNoContent)
}
