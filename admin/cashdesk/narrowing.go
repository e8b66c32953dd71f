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

// narrowing is what the address of the list narrows it by. Words that make no sense are left out.
type narrowing struct {
	kind        deposit.Kind
	ended       bool // what has ended instead of the queue
	state       deposit.State
	id          int64  // of the one deposit that is wanted, or
	named       string // the reference that its transfer names
	first, last string // days in the member's zone, both included
}

// ended is the word of the address for the list of what has ended.
const ended = "ended"

var kinds = []string{deposit.ByBank, deposit.ThirdParty, deposit.OTC, deposit.OnChain}

func readNarrowing(values url.Values) narrowing {
	n := narrowing{
		kind: caseengine.OneOf(kinds, values.Get("kind")), ended: values.Get("list") == ended, id: caseengine.Numbered(values.Get("q"), "DP-"),
		first: caseengine.Day(values.Get("from")), last: caseengine.Day(values.Get("to")),
	}
	n.named, _ = deposit.ReadReference(values.Get("q"))
	n.state = caseengine.OneOf(n.states(), values.Get("state"))
	return n
}

// askedFrom is the narrowing of the page that asks: its own address, or the one that a part of it names.
func askedFrom(r *desk.Request) narrowing {
	if r.Partial() {
		return readNarrowing(r.Asker().Query())
	}
	return readNarrowing(r.QueryParams())
}

// states are those that the list may hold.
func (n narrowing) states() []deposit.State {
	if n.ended {
		return deposit.Ends
	}
	return deposit.Waits
}

func (n narrowing) search(zone *time.Location) deposit.Search {
	q := deposit.Search{Kind: n.kind, State: n.state, ID: n.id, Named: n.named, Ended: n.ended}
	q.From, q.To = caseengine.Days(zone, n.first, n.last)
	return q
}

// pairs are the names and values in the address, in their order.
func (n narrowing) pairs() (out [][2]string) {
	add := func(name, value string) {
		if value != "" {
			out = append(out, [2]string{name, value})
		}
	}
	if n.ended {
		add("list", ended)
	}
	add("kind", n.kind)
	add("state", string(n.state))
	add("q", n.one())
	add("from", n.first)
	add("to", n.last)
	return out
}

// one is the deposit that is wanted, by its number or by the reference that its transfer names; empty for none.
func (n narrowing) one() string {
	if n.id != 0 {
		return number(n.id)
	}
	return n.named
}

// on is an address of the desk with the narrowing in it.
func (n narrowing) on(path ui.Path) ui.Path {
	for _, pair := range n.pairs() {
		path = path.With(pair[0], pair[1])
	}
	return path
}

// tab is the narrowing in another tab: what narrows every list stays.
func (n narrowing) tab(kind deposit.Kind, over bool) narrowing {
	if over != n.ended {
		n.state = ""
	}
	n.kind, n.ended = kind, over
	return n
}

// without is the narrowing with one filter less.
func (n narrowing) without(name string) narrowing {
	values := url.Values{}
	for _, pair := range n.pairs() {
		values.Set(pair[0], pair[1])
	}
	values.Del(name)
	return readNarrowing(values)
}

// filterNames are the filters of a list in their order; in the queue the kinds are tabs.
func (n narrowing) filterNames() []string {
	if n.ended {
		return []string{"state", "kind", "q", "from", "to"}
	}
	return []string{"state", "q", "from", "to"}
}

// set tells whether anything but the tab narrows the list.
func (n narrowing) set() bool {
	return n.state != "" || n.one() != "" || n.first != "" || n.last != "" || n.ended && n.kind != ""
}

// filters are those that are set, with their removal, and offers of the others.
func (n narrowing) filters(r *desk.Request) (out []ui.FilterView) {
	words := map[string]string{"q": n.one(), "from": n.first, "to": n.last}
	for _, name := range []string{"state", "kind"} {
		for _, o := range n.options(r, name) {
			if o.Selected && o.Value != "" {
				words[name] = o.Label
			}
		}
	}
	pressed := "f"
	for _, name := range n.filterNames() {
		f := ui.FilterView{Label: r.Word("deposit.filter." + name), Value: words[name], Remove: n.without(name).on(home).String(), HX: ui.OpenDialog(ui.To("/admin/deposits/filter"))}
		if f.Value == "" {
			f.Key, pressed = pressed, ""
		}
		out = append(out, f)
	}
	return out
}

// options are the choices of a filter, the first of which narrows nothing. States of the same name are told apart by their own.
func (n narrowing) options(r *desk.Request, name string) []ui.Option {
	options := []ui.Option{{Label: r.Word("audit.filter.all")}}
	switch name {
	case "state":
		said := map[string]bool{}
		for _, state := range n.states() {
			label := r.Word("deposit.chip." + string(state))
			if said[label] {
				label += fmt.Sprintf(" (%s)", state)
			}
			said[label] = true
			options = append(options, ui.Option{Value: string(state), Label: label, Selected: state == n.state})
		}
	case "kind":
		for _, kind := range kinds {
			options = append(options, ui.Option{Value: kind, Label: r.Word("deposit.tab." + kind), Selected: kind == n.kind})
		}
	}
	return options
}

// askFilter opens the dialog with the filters of the page that asks.
func (s Services) askFilter(r *desk.Request) error {
	if !r.Partial() {
		return r.Go(home.String())
	}
	n := askedFrom(r)
	view := caseview.Filters{Path: home}
	if n.ended {
		view.Kept = append(view.Kept, ui.Hidden{Name: "list", Value: ended})
	} else if n.kind != "" {
		view.Kept = append(view.Kept, ui.Hidden{Name: "kind", Value: n.kind})
	}
	values := map[string]string{"q": n.one(), "from": n.first, "to": n.last}
	for _, name := range n.filterNames() {
		field := ui.FieldView{Name: name, Label: r.Word("deposit.filter." + name), Value: values[name]}
		switch name {
		case "state", "kind":
			field.Options = n.options(r, name)
		case "from", "to":
			field.Type, field.Hint = "date", r.Word("deposit.filter."+name+".hint")
		default:
			field.MaxLength, field.Hint = 20, r.Word("deposit.filter."+name+".hint")
		}
		view.Fields = append(view.Fields, field)
	}
	return r.Dialog(http.StatusOK, caseview.FilterDialog(view))
}
