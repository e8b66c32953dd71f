package cashdesk

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/deposit"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// listFilter is the list's filter from the address. Values that make no sense filter nothing.
type listFilter struct {
	kind        deposit.Kind
	ended       bool // ended deposits instead of the queue
	state       deposit.State
	id          int64  // of one deposit, or
	named       string // the reference that its transfer names
	first, last string // days in the member's zone, both included
}

// ended is the value in the address for the list of ended deposits.
const ended = "ended"

var kinds = []string{deposit.ByBank, deposit.ThirdParty, deposit.OTC, deposit.Crypto}

func readListFilter(values url.Values) listFilter {
	lf := listFilter{
		kind: caseengine.OneOf(kinds, values.Get("kind")), ended: values.Get("list") == ended, id: caseengine.Numbered(values.Get("q"), "DP-"),
		first: caseengine.Day(values.Get("from")), last: caseengine.Day(values.Get("to")),
	}
	lf.named, _ = deposit.ReadReference(values.Get("q"))
	lf.state = caseengine.OneOf(lf.states(), values.Get("state"))
	return lf
}

// askedFrom is the filter of the requesting page: from its own address, or from the page around a requested part.
func askedFrom(r *desk.Request) listFilter {
	if r.Partial() {
		return readListFilter(r.CurrentPage().Query())
	}
	return readListFilter(r.QueryParams())
}

// states are the states that the list may contain.
func (lf listFilter) states() []deposit.State {
	if lf.ended {
		return deposit.EndedStates
	}
	return deposit.WaitingStates
}

func (lf listFilter) search(zone *time.Location) deposit.Search {
	q := deposit.Search{Kind: lf.kind, State: lf.state, ID: lf.id, Reference: lf.named, Ended: lf.ended}
	q.From, q.To = caseengine.Days(zone, lf.first, lf.last)
	return q
}

// pairs are the names and values in the address, in order.
func (lf listFilter) pairs() (out [][2]string) {
	add := func(name, value string) {
		if value != "" {
			out = append(out, [2]string{name, value})
		}
	}
	if lf.ended {
		add("list", ended)
	}
	add("kind", lf.kind)
	add("state", string(lf.state))
	add("q", lf.one())
	add("from", lf.first)
	add("to", lf.last)
	return out
}

// one is the deposit that the filter names, by its number or by its transfer's reference; empty for none.
func (lf listFilter) one() string {
	if lf.id != 0 {
		return number(lf.id)
	}
	return lf.named
}

// on adds the filter to an address of the desk.
func (lf listFilter) on(path ui.Path) ui.Path {
	for _, pair := range lf.pairs() {
		path = path.With(pair[0], pair[1])
	}
	return path
}

// tab is the filter for another tab: the filters that all lists have are kept.
func (lf listFilter) tab(kind deposit.Kind, over bool) listFilter {
	if over != lf.ended {
		lf.state = ""
	}
	lf.kind, lf.ended = kind, over
	return lf
}

// without is the filter without one of its parts.
func (lf listFilter) without(name string) listFilter {
	values := url.Values{}
	for _, pair := range lf.pairs() {
		values.Set(pair[0], pair[1])
	}
	values.Del(name)
	return readListFilter(values)
}

// filterNames are the filters of a list in order; in the queue the kinds are tabs.
func (lf listFilter) filterNames() []string {
	if lf.ended {
		return []string{"state", "kind", "q", "from", "to"}
	}
	return []string{"state", "q", "from", "to"}
}

// set reports whether anything but the tab filters the list.
func (lf listFilter) set() bool {
	return lf.state != "" || lf.one() != "" || lf.first != "" || lf.last != "" || lf.ended && lf.kind != ""
}

// filters are the active filters, with their removal, and the offers of others.
func (lf listFilter) filters(r *desk.Request) (out []ui.FilterView) {
	texts := map[string]string{"q": lf.one(), "from": lf.first, "to": lf.last}
	for _, name := range []string{"state", "kind"} {
		for _, o := range lf.options(r, name) {
			if o.Selected && o.Value != "" {
				texts[name] = o.Label
			}
		}
	}
	pressed := "f"
	for _, name := range lf.filterNames() {
		f := ui.FilterView{Label: r.Word("deposit.filter." + name), Value: texts[name], Remove: lf.without(name).on(home).String(), HX: ui.OpenDialog(ui.To("/admin/deposits/filter"))}
		if f.Value == "" {
			f.Key, pressed = pressed, ""
		}
		out = append(out, f)
	}
	return out
}

// options are the choices of a filter, the first of which filters nothing. States with the same label are distinguished by their code.
func (lf listFilter) options(r *desk.Request, name string) []ui.Option {
	options := []ui.Option{{Label: r.Word("audit.filter.all")}}
	switch name {
	case "state":
		seen := map[string]bool{}
		for _, state := range lf.states() {
			label := r.Word("deposit.chip." + string(state))
			if seen[label] {
				label += fmt.Sprintf(" (%s)", state)
			}
			seen[label] = true
			options = append(options, ui.Option{Value: string(state), Label: label, Selected: state == lf.state})
		}
	case "kind":
		for _, kind := range kinds {
			options = append(options, ui.Option{Value: kind, Label: r.Word("deposit.tab." + kind), Selected: kind == lf.kind})
		}
	}
	return options
}

// askFilter opens the dialog with the filters of the requesting page.
func (s Services) askFilter(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home.String())
	}
	lf := askedFrom(r)
	view := caseview.Filters{Path: home}
	if lf.ended {
		view.Kept = append(view.Kept, ui.Hidden{Name: "list", Value: ended})
	} else if lf.kind != "" {
		view.Kept = append(view.Kept, ui.Hidden{Name: "kind", Value: lf.kind})
	}
	values := map[string]string{"q": lf.one(), "from": lf.first, "to": lf.last}
	for _, name := range lf.filterNames() {
		field := ui.FieldView{Name: name, Label: r.Word("deposit.filter." + name), Value: values[name]}
		switch name {
		case "state", "kind":
			field.Options = lf.options(r, name)
		case "from", "to":
			field.Type, field.Hint = "date", r.Word("deposit.filter."+name+".hint")
		default:
			field.MaxLength, field.Hint = 20, r.Word("deposit.filter."+name+".hint")
		}
		view.Fields = append(view.Fields, field)
	}
	return r.Dialog(http.StatusOK, caseview.FilterDialog(view))
}
