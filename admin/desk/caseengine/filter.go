package caseengine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/desk"
	"candor/templates/ui"
)

// Filter narrows a list by one value of its address. Values that make no sense filter nothing.
type Filter struct {
	Name string // in addresses; the keys of its texts are the desk's prefix, ".filter." and the name
	// Read is a value as addresses write it; empty for text that makes no sense.
	Read func(text string) string
	// Choices are the values to choose from; nil for a typed value.
	Choices func(r *desk.Request) []Choice
	None    string // the key of the text of no choice; "All" when empty
	// Show is the text of a set value; nil shows the choice's label, or the value itself.
	Show func(r *desk.Request, value string) string
	// In are the tabs that have the filter; nil is all of them.
	In    func(tab string) bool
	Field ui.FieldView // how a typed value is typed
	Label string       // the key of the search box's placeholder; the desk's prefix and ".search" when empty
	// Box shows the filter as the search box beside the title.
	Box bool
	// Private is for what may name a person: it stands in no link and no saved view, and the audit log says of an export that it was searched, not for what.
	Private bool
	// Fixed is a value that the page sets by its own links: neither in the dialog nor among the active filters.
	Fixed bool
}

// Choice is a value of a filter with its label.
type Choice struct{ Value, Label string }

// OneOf is a filter by one of a list's values; label is the text of a value.
func OneOf[T ~string](name string, values []T, label func(r *desk.Request, value T) string) Filter {
	return Filter{
		Name: name,
		Read: func(text string) string {
			if slices.Contains(values, T(text)) {
				return text
			}
			return ""
		},
		Choices: func(r *desk.Request) (out []Choice) {
			for _, value := range values {
				out = append(out, Choice{string(value), label(r, value)})
			}
			return out
		},
	}
}

// Fixed is a value that the page around the list sets by its own links, such as an account.
func Fixed(name string) Filter {
	f := Number(name, LastID)
	f.Fixed = true
	return f
}

// value is a value of the filter in a selection.
func (f Filter) value(text string) filterValue { return filterValue{f.Name, text, f.Private, f.Fixed} }

// Number is a filter by a whole number from 1 to a limit.
func Number(name string, limit int64) Filter {
	return Filter{Name: name, Field: ui.FieldView{InputMode: "numeric", MaxLength: 19}, Read: func(text string) string { return decimal(between(text, limit)) }}
}

// CaseNumber is a filter by the number of a case, typed with or without the letters before it.
func CaseNumber(name, letters string) Filter {
	return Filter{Name: name, Field: ui.FieldView{MaxLength: 20}, Read: func(text string) string { return decimal(Numbered(text, letters)) }}
}

// Text is a filter by a typed text; read is the text as addresses write it, empty for text that makes no sense.
func Text(name string, length int, read func(text string) string) Filter {
	return Filter{Name: name, Field: ui.FieldView{MaxLength: length}, Read: read}
}

// Day is a filter by a day of the member's zone.
func Day(name string) Filter {
	return Filter{Name: name, Field: ui.FieldView{Type: "date"}, Read: func(text string) string {
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return ""
		}
		return text
	}}
}

// Search is the list's search box for things; the key of its placeholder is the desk's prefix and ".search".
func Search(length int, read func(text string) string) Filter {
	return Filter{Name: "q", Read: read, Field: ui.FieldView{MaxLength: length}, Box: true}
}

// SearchPeople is the search box of a list of people.
func SearchPeople(length int, read func(text string) string) Filter {
	f := Search(length, read)
	f.Private = true
	return f
}

// Only limits a filter to some tabs.
func (f Filter) Only(in func(tab string) bool) Filter {
	f.In = in
	return f
}

// Shown sets the text of a set value.
func (f Filter) Shown(show func(r *desk.Request, value string) string) Filter {
	f.Show = show
	return f
}

func (f Filter) has(tab string) bool { return f.In == nil || f.In(tab) }

// text is the text of a set value.
func (f Filter) text(r *desk.Request, value string) string {
	if f.Show != nil && value != "" {
		return f.Show(r, value)
	}
	if f.Choices == nil {
		return value
	}
	for _, choice := range f.Choices(r) {
		if choice.Value == value {
			return choice.Label
		}
	}
	return ""
}

// field is the filter in the dialog.
func (f Filter) field(r *desk.Request, texts, value string) ui.FieldView {
	field := f.Field
	field.Name, field.Label = f.Name, r.Word(texts+".filter."+f.Name)
	if f.Choices == nil {
		field.Value, field.Hint = value, r.Word(texts+".filter."+f.Name+".hint")
		return field
	}
	field.Options = []ui.Option{{Label: r.Word(cmp.Or(f.None, "case.filter.all")), Selected: value == ""}}
	for _, choice := range f.Choices(r) {
		field.Options = append(field.Options, ui.Option{Value: choice.Value, Label: choice.Label, Selected: choice.Value == value})
	}
	return field
}

// between reads a number from 1 to a limit; 0 for anything else.
func between(text string, limit int64) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 1 || n > limit {
		return 0
	}
	return n
}

// LastID is above every id of ours.
const LastID = 1 << 53

// Numbered reads the number of a case, with or without the letters before it; 0 for anything else.
func Numbered(text, letters string) int64 {
	return between(strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(text)), letters), LastID)
}

// decimal writes a number; 0 is none.
func decimal(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// yes is the value of a filter that is set or not.
type yes string

// Mine keeps what the member has claimed.
func Mine() Filter {
	return OneOf("mine", []yes{"1"}, func(r *desk.Request, _ yes) string { return r.Word("case.filter.mine") })
}

// Largest puts the largest sums first instead of what has waited longest.
func Largest() Filter {
	f := OneOf("order", []yes{"amount"}, func(r *desk.Request, _ yes) string { return r.Word("case.filter.largest") })
	f.None = "case.filter.longest"
	return f
}

// Least keeps sums of at least an amount, in units of 10^-6.
func Least() Filter {
	return Text("least", 20, func(text string) string {
		if amount, err := desk.ReadAmount(text); err != nil || amount <= 0 {
			return ""
		}
		return strings.TrimSpace(text)
	})
}

// Amount is the value of a filter by an amount, in units of 10^-6; 0 if it is not set.
func (s Selection) Amount(name string) int64 {
	amount, err := desk.ReadAmount(s.Value(name))
	if err != nil {
		return 0
	}
	return amount
}
