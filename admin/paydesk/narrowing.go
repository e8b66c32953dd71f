package paydesk

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/desk"
	"candor/app/withdrawal"
	"candor/templates/payview"
	"candor/templates/ui"
)

const home = "/admin/withdrawals"

// tab is a part of the queue.
type tab struct {
	name   string // in the address; empty is all that is under way
	states []withdrawal.State
	icon   ui.IconName
}

// tabs are the parts of the queue in the order of the work.
var tabs = []tab{
	{"", nil, ""},
	{"approve", []withdrawal.State{withdrawal.Review}, ""},
	{"second", []withdrawal.State{withdrawal.Approved1}, ""},
	{"lead", []withdrawal.State{withdrawal.Approved2}, ""},
	{"send", []withdrawal.State{withdrawal.Queued}, ""},
	{"sending", []withdrawal.State{withdrawal.Processing}, ""},
	{"unknown", []withdrawal.State{withdrawal.OutcomeUnknown}, ui.IconQuestion},
	{"frozen", []withdrawal.State{withdrawal.Frozen}, ""},
	{"sent", []withdrawal.State{withdrawal.Sent}, ""},
}

// narrowing is what the address of the queue narrows it by. Words that make no sense are left out.
type narrowing struct {
	tab           tab
	risk, minutes int
	trader, id    int64
	payment       string
}

func readNarrowing(values url.Values) narrowing {
	n := narrowing{tab: tabs[0], payment: short(values.Get("payment"))}
	for _, t := range tabs {
		if t.name == values.Get("state") {
			n.tab = t
		}
	}
	n.risk, n.minutes = int(between(values.Get("risk"), 100)), int(between(values.Get("waiting"), longestWait))
	n.trader = between(values.Get("trader"), 1<<53)
	n.id = between(strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(values.Get("number"))), "WD-"), 1<<53)
	return n
}

const (
	longestWait    = 60 * 24 * 365 // minutes
	longestPayment = 64
)

// between reads a number from 1 to a limit; anything else is 0.
func between(text string, limit int64) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 1 || n > limit {
		return 0
	}
	return n
}

func short(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > longestPayment || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	return text
}

// askedFrom is the narrowing of the page that asks: its own address, or the one that a part of it names.
func askedFrom(r *desk.Request) narrowing {
	if r.Partial() {
		return readNarrowing(r.Asker().Query())
	}
	return readNarrowing(r.QueryParams())
}

func (n narrowing) search() withdrawal.Search {
	return withdrawal.Search{
		States: n.tab.states, Risk: n.risk, Waiting: time.Duration(n.minutes) * time.Minute, TraderID: n.trader, ID: n.id, Payment: n.payment,
	}
}

func (n narrowing) values() url.Values {
	values := url.Values{}
	add := func(name, value string) {
		if value != "" && value != "0" {
			values.Set(name, value)
		}
	}
	add("state", n.tab.name)
	add("risk", strconv.Itoa(n.risk))
	add("waiting", strconv.Itoa(n.minutes))
	add("trader", decimal(n.trader))
	add("number", decimal(n.id))
	add("payment", n.payment)
	return values
}

// to is a page of the desk with the narrowing in its address. It is only ever put into a plain link.
func (n narrowing) to(path string, more ...string) string {
	values := n.values()
	for i := 0; i+1 < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// path is the address of a withdrawal that keeps the list beside it narrowed. A bank's reference, which finds one, is left out.
func (n narrowing) path(id int64) ui.Path {
	path, values := address(id), n.values()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if name != "payment" {
			path = path.With(name, values.Get(name))
		}
	}
	return path
}

// set tells whether anything but the tab narrows the queue.
func (n narrowing) set() bool {
	n.tab = tabs[0]
	return len(n.values()) > 0
}

// without is the narrowing with one filter less.
func (n narrowing) without(name string) string {
	values := n.values()
	values.Del(name)
	return readNarrowing(values).to(home)
}

// filters are those that are set, with their removal, and offers of the others.
func (n narrowing) filters(r *desk.Request) []ui.FilterView {
	values := n.values()
	words := map[string]string{}
	for _, name := range filterNames {
		if value := values.Get(name); value != "" {
			words[name] = r.Word("withdrawal.filter."+name+".set", "value", value)
		}
	}
	if n.minutes > 0 {
		words["waiting"] = r.Word("withdrawal.filter.waiting.set", "value", ui.Age(r.Context.Request().Context(), time.Duration(n.minutes)*time.Minute))
	}
	var out []ui.FilterView
	pressed := "f"
	for _, name := range filterNames {
		f := ui.FilterView{Label: r.Word("withdrawal.filter." + name), Value: words[name], Remove: n.without(name), HX: ui.OpenDialog(ui.To(home + "/filter"))}
		if f.Value == "" {
			f.Key, pressed = pressed, ""
		}
		out = append(out, f)
	}
	return out
}

var filterNames = []string{"risk", "waiting", "trader", "number", "payment"}

// askFilter opens the dialog with the filters of the page that asks.
func (s Services) askFilter(r *desk.Request) error {
	if !r.Partial() {
		return r.Go(home)
	}
	n := askedFrom(r)
	values := n.values()
	view := payview.Filters{State: n.tab.name}
	for _, name := range filterNames {
		field := ui.FieldView{Name: name, Label: r.Word("withdrawal.filter." + name), Value: values.Get(name), MaxLength: longestPayment, Hint: r.Word("withdrawal.filter." + name + ".hint")}
		if slices.Contains([]string{"risk", "waiting", "trader"}, name) {
			field.InputMode = "numeric"
		}
		view.Fields = append(view.Fields, field)
	}
	return r.Dialog(http.StatusOK, payview.FilterDialog(view))
}
