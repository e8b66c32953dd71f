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
	"candor/admin/desk/caseengine"
	"candor/app/payee"
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/ui"
)

const home = "/admin/withdrawals"

// tab is a part of the queue.
type tab struct {
	name   string // in the address; empty is everything under way
	states []withdrawal.State
	icon   ui.IconName
}

// tabs are the parts of the queue, in the order of the work.
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
	{ended, nil, ""},
}

// ended is the tab of ended withdrawals, which are not part of the queue.
const ended = "ended"

// listFilter is the queue's filter from the address. Values that make no sense filter nothing.
type listFilter struct {
	tab           tab
	risk, minutes int
	trader, id    int64
	payment       string
	kind          withdrawal.Kind
	chain         string
	address       string           // as its chain writes it
	outcome       withdrawal.State // of ended withdrawals
	first, last   string           // days in the member's zone, both included
}

func readListFilter(values url.Values) listFilter {
	lf := listFilter{tab: tabs[0], payment: short(values.Get("payment"))}
	for _, t := range tabs {
		if t.name == values.Get("state") {
			lf.tab = t
		}
	}
	lf.risk, lf.minutes = int(caseengine.Between(values.Get("risk"), 100)), int(caseengine.Between(values.Get("waiting"), longestWait))
	lf.trader = caseengine.Between(values.Get("trader"), caseengine.LastID)
	lf.id = caseengine.Numbered(values.Get("number"), "WD-")
	lf.kind, lf.chain = caseengine.OneOf(withdrawal.Kinds, values.Get("kind")), caseengine.OneOf(chains(), values.Get("chain"))
	lf.address, lf.first, lf.last = payee.Typed(values.Get("address")), caseengine.Day(values.Get("from")), caseengine.Day(values.Get("to"))
	if lf.tab.name == ended {
		lf.outcome, lf.minutes = caseengine.OneOf(withdrawal.EndedStates, values.Get("outcome")), 0
	}
	return lf
}

// chains are the ids of the chains for withdrawals.
func chains() (ids []string) {
	for _, c := range payee.Chains() {
		ids = append(ids, c.ID)
	}
	return ids
}

const (
	longestWait    = 60 * 24 * 365 // minutes
	longestPayment = 66            // the hash of a transaction
)

func short(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > longestPayment || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	return text
}

// askedFrom is the filter of the requesting page: from its own address, or from the page around a requested part.
func askedFrom(r *desk.Request) listFilter {
	if r.Partial() {
		return readListFilter(r.CurrentPage().Query())
	}
	return readListFilter(r.QueryParams())
}

func (lf listFilter) search(zone *time.Location) withdrawal.Search {
	q := withdrawal.Search{
		States: lf.tab.states, Risk: lf.risk, Waiting: time.Duration(lf.minutes) * time.Minute, TraderID: lf.trader, ID: lf.id, Payment: lf.payment,
		Kind: lf.kind, Chain: lf.chain, Address: lf.address, Ended: lf.tab.name == ended,
	}
	if lf.outcome != "" {
		q.States = []withdrawal.State{lf.outcome}
	}
	q.From, q.To = caseengine.Days(zone, lf.first, lf.last)
	return q
}

func (lf listFilter) values() url.Values {
	values := url.Values{}
	add := func(name, value string) {
		if value != "" && value != "0" {
			values.Set(name, value)
		}
	}
	add("state", lf.tab.name)
	add("risk", strconv.Itoa(lf.risk))
	add("waiting", strconv.Itoa(lf.minutes))
	add("trader", decimal(lf.trader))
	add("number", decimal(lf.id))
	add("payment", lf.payment)
	add("kind", string(lf.kind))
	add("chain", lf.chain)
	add("address", lf.address)
	add("outcome", string(lf.outcome))
	add("from", lf.first)
	add("to", lf.last)
	return values
}

// to is an address of the desk with the filter, for plain links only.
func (lf listFilter) to(path string, more ...string) string {
	values := lf.values()
	for i := 0; i+1 < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// path is the address of a withdrawal that keeps the filter of the list beside it. A bank's reference is left out: it matches only one withdrawal.
func (lf listFilter) path(id int64) ui.Path {
	path, values := address(id), lf.values()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if name != "payment" {
			path = path.With(name, values.Get(name))
		}
	}
	return path
}

// set reports whether anything but the tab filters the queue.
func (lf listFilter) set() bool {
	lf.tab = tabs[0]
	return len(lf.values()) > 0
}

// without is the filter without one of its parts.
func (lf listFilter) without(name string) string {
	values := lf.values()
	values.Del(name)
	return readListFilter(values).to(home)
}

// filters are the active filters, with their removal, and the offers of others.
func (lf listFilter) filters(r *desk.Request) []ui.FilterView {
	values := lf.values()
	texts := map[string]string{}
	for _, name := range lf.filterNames() {
		if value := values.Get(name); value != "" {
			texts[name] = r.Word("withdrawal.filter."+name+".set", "value", value)
		}
	}
	for name, value := range lf.chosen(r) {
		texts[name] = value
	}
	if lf.minutes > 0 {
		texts["waiting"] = r.Word("withdrawal.filter.waiting.set", "value", ui.Age(r.Context.Request().Context(), time.Duration(lf.minutes)*time.Minute))
	}
	var out []ui.FilterView
	pressed := "f"
	for _, name := range lf.filterNames() {
		f := ui.FilterView{Label: r.Word("withdrawal.filter." + name), Value: texts[name], Remove: lf.without(name), HX: ui.OpenDialog(ui.To(home + "/filter"))}
		if f.Value == "" {
			f.Key, pressed = pressed, ""
		}
		out = append(out, f)
	}
	return out
}

// filterNames are the filters of a tab, in order: ended withdrawals don't wait, but have an outcome.
func (lf listFilter) filterNames() []string {
	second := "waiting"
	if lf.tab.name == ended {
		second = "outcome"
	}
	return []string{"risk", second, "trader", "number", "payment", "kind", "chain", "address", "from", "to"}
}

// chosen are the labels of the filters chosen from a list, and of an address.
func (lf listFilter) chosen(r *desk.Request) map[string]string {
	texts := map[string]string{}
	for _, name := range []string{"kind", "chain", "outcome"} {
		for _, o := range lf.options(r, name) {
			if o.Selected && o.Value != "" {
				texts[name] = o.Label
			}
		}
	}
	if lf.address != "" {
		texts["address"] = shortened(lf.address)
	}
	return texts
}

// options are the choices of a filter, the first of which filters nothing.
func (lf listFilter) options(r *desk.Request, name string) []ui.Option {
	chosen := lf.values().Get(name)
	options := []ui.Option{{Label: r.Word("audit.filter.all"), Selected: chosen == ""}}
	add := func(value, label string) {
		options = append(options, ui.Option{Value: value, Label: label, Selected: value == chosen})
	}
	switch name {
	case "kind":
		for _, kind := range withdrawal.Kinds {
			add(string(kind), r.Word("withdrawal.kind."+string(kind)))
		}
	case "chain":
		for _, chain := range payee.Chains() {
			add(chain.ID, chain.Name)
		}
	case "outcome":
		for _, state := range withdrawal.EndedStates {
			add(string(state), r.Word("withdrawal.chip."+string(state)))
		}
	}
	return options
}

// askFilter opens the dialog with the filters of the requesting page.
func (s Services) askFilter(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home)
	}
	lf := askedFrom(r)
	values := lf.values()
	view := caseview.Filters{Path: ui.To(home)}
	if lf.tab.name != "" {
		view.Kept = []ui.Hidden{{Name: "state", Value: lf.tab.name}}
	}
	for _, name := range lf.filterNames() {
		field := ui.FieldView{Name: name, Label: r.Word("withdrawal.filter." + name), Value: values.Get(name), MaxLength: longestPayment, Hint: r.Word("withdrawal.filter." + name + ".hint")}
		switch name {
		case "risk", "waiting", "trader":
			field.InputMode = "numeric"
		case "from", "to":
			field.Type, field.MaxLength = "date", 0
		case "kind", "chain", "outcome":
			field.Hint, field.MaxLength, field.Options = "", 0, lf.options(r, name)
		}
		view.Fields = append(view.Fields, field)
	}
	return r.Dialog(http.StatusOK, caseview.FilterDialog(view))
}
