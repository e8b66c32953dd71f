package caseengine

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/desk"
	"candor/templates/ui"
)

// Selection is what an address selects of a list: a tab, and the values of its filters in their order.
type Selection struct {
	tab    string
	values []filterValue
}

type filterValue struct {
	name, value string
	private     bool
	fixed       bool
}

// tabName is the name of the tab in addresses.
const tabName = "tab"

// Selected reads the selection of an address.
func (l List[T]) Selected(values url.Values) (sel Selection) {
	for _, tab := range l.Tabs {
		if tab.Name == values.Get(tabName) {
			sel.tab = tab.Name
		}
	}
	for _, f := range l.Filters {
		if value := f.Read(values.Get(f.Name)); value != "" && f.has(sel.tab) {
			sel.values = append(sel.values, f.value(value))
		}
	}
	return sel
}

// asked is the selection of the requesting page: from its own address, or from the page around a requested part.
func (l List[T]) asked(r *desk.Request) Selection {
	if r.Partial() {
		return l.Selected(r.CurrentPage().Query())
	}
	return l.Selected(r.QueryParams())
}

// Tab is the name of the selected tab.
func (s Selection) Tab() string { return s.tab }

// Value is the value of a filter; empty if it is not set.
func (s Selection) Value(name string) string {
	for _, v := range s.values {
		if v.name == name {
			return v.value
		}
	}
	return ""
}

// Number is the value of a filter by a number; 0 if it is not set.
func (s Selection) Number(name string) int64 {
	n, _ := strconv.ParseInt(s.Value(name), 10, 64)
	return n
}

// Days are the moments from the first through the last day of the filters "from" and "to" in a zone; the zero time for a day that is not set.
func (s Selection) Days(zone *time.Location) (from, to time.Time) {
	if first := s.Value("from"); first != "" {
		from, _ = time.ParseInLocation(time.DateOnly, first, zone)
	}
	if last := s.Value("to"); last != "" {
		end, _ := time.ParseInLocation(time.DateOnly, last, zone)
		to = end.AddDate(0, 0, 1)
	}
	return from, to
}

// Values are the tab and the values by their names, for the audit log.
func (s Selection) Values() map[string]string {
	out := map[string]string{}
	if s.tab != "" {
		out[tabName] = s.tab
	}
	for _, v := range s.values {
		if out[v.name] = v.value; v.private {
			out[v.name] = "searched"
		}
	}
	return out
}

// filtered reports whether anything but the tab and what the page sets narrows the list.
func (s Selection) filtered() bool {
	return slices.ContainsFunc(s.values, func(v filterValue) bool { return !v.fixed })
}

// public is the selection without what stands in no link.
func (s Selection) public() Selection {
	return s.kept(func(v filterValue) bool { return !v.private })
}

// kept is the selection with some of its values.
func (s Selection) kept(keep func(filterValue) bool) Selection {
	out := Selection{tab: s.tab}
	for _, v := range s.values {
		if keep(v) {
			out.values = append(out.values, v)
		}
	}
	return out
}

// cleared is the selection without its filters.
func (s Selection) cleared() Selection {
	return s.kept(func(v filterValue) bool { return v.fixed })
}

// without is the selection without one of its filters.
func (s Selection) without(name string) Selection {
	return s.kept(func(v filterValue) bool { return v.name != name })
}

// way leads to a path with the whole selection and further names and values: a link, or a form if a value stands in no link.
func (s Selection) way(path ui.Path, more ...string) ui.Way {
	if len(s.public().values) == len(s.values) {
		return ui.Way{To: s.href(path, more...)}
	}
	way := ui.Way{To: path.String()}
	add := func(name, value string) {
		if value != "" {
			way.Values = append(way.Values, ui.Hidden{Name: name, Value: value})
		}
	}
	add(tabName, s.tab)
	for _, v := range s.values {
		add(v.name, v.value)
	}
	for i := 0; i+1 < len(more); i += 2 {
		add(more[i], more[i+1])
	}
	return way
}

// href is a plain link that carries the selection and further names and values. Private values are left out.
func (s Selection) href(path ui.Path, more ...string) string {
	query := &strings.Builder{}
	add := func(name, value string) {
		if value != "" {
			query.WriteString("&" + url.QueryEscape(name) + "=" + url.QueryEscape(value))
		}
	}
	add(tabName, s.tab)
	for _, v := range s.public().values {
		add(v.name, v.value)
	}
	for i := 0; i+1 < len(more); i += 2 {
		add(more[i], more[i+1])
	}
	return strings.Replace(path.String()+query.String(), "&", "?", 1)
}

// On adds the selection to a path that htmx requests. A private value and one with characters that such a path may not have are left out.
func (s Selection) On(path ui.Path) ui.Path {
	add := func(name, value string) {
		if longer := path.With(name, value); longer.String() != "" {
			path = longer
		}
	}
	add(tabName, s.tab)
	for _, v := range s.public().values {
		add(v.name, v.value)
	}
	return path
}
