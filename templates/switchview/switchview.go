// Package switchview shows what steers the product: every key with its value, its changes, and who agreed to them.
package switchview

import (
	"candor/app/platform/i18n"
	"candor/templates/controlview"
	"candor/templates/ui"
)

var t = i18n.T

// List is every key, by area.
type List struct {
	Tabs   []ui.TabView
	Words  string // what is looked for
	Groups []Group
	// Several opens the dialog for many keys; nil where the member writes no changes.
	Several *ui.ButtonView
}

// Group is an area of the product.
type Group struct {
	Label string
	Rows  []Row
}

// Row is one key.
type Row struct {
	ID    string
	Href  ui.Path
	Name  string
	Key   string
	Type  string
	Value string
	Rules string // how many other values there are for some viewers; empty for none
	Risk  ui.ChipView
	Owner string
	Last  ui.ChipView
}

func (r Row) row() ui.RowView { return ui.RowView{ID: r.ID, Href: r.Href.String()} }

// Key is one key in full.
type Key struct {
	Name, Key string
	Chips     []ui.ChipView
	About     string
	Buttons   []ui.ButtonView
	Now       []ui.StatView
	Facts     []ui.Fact
	Rules     []Rule
	Changes   []Change // those under way
	Closed    []Closed
	Versions  []Version
	Try       *Try
	Preview   []Preview // of maintenance
	Online    string
	Zone      string
	Note      string
}

// Rule gives another value to some viewers.
type Rule struct{ Number, Countries, Languages, Platforms, Value string }

// Change is one that is under way, or a stop that waits for a look.
type Change struct {
	Request controlview.Request
	Steps   []ui.StepView
	Facts   []ui.Fact
	Diff    ui.DiffView
}

// Closed is a change that came to nothing.
type Closed struct {
	Number, Value, Rules string
	Chip                 ui.ChipView
	When, UTC            string
	Author, Reason       string
	Came                 string // who or what closed it, and why
}

// Version is a value that was in force once, or is.
type Version struct {
	Number, Value, When, UTC, People, Change string
	Reason                                   string
	Chip                                     *ui.ChipView
	Back                                     *ui.ButtonView
}

// Preview is what traders see in a language.
type Preview struct{ Language, Title, Text string }

// direction is that of the language's writing.
func (p Preview) direction() string {
	if p.Language == "ar" || p.Language == "ur" {
		return "rtl"
	}
	return "ltr"
}

// Try is the tester: what a viewer gets.
type Try struct {
	Path                        ui.Path
	Trader                      *ui.FieldView // nil for whoever may not see traders
	Country, Language, Platform ui.FieldView
	Who                         string // the trader who was found, with what was taken of them
	Answer                      string
}

// Rules are the rows of a form, the first that fits gives the value.
type Rules struct {
	Count   string
	Rows    []RuleRow
	Add     ui.ButtonView
	Problem string
}

// RuleRow is a rule to be filled in.
type RuleRow struct {
	Title                string
	Countries, Value     ui.FieldView
	Languages, Platforms Choices
	Up, Down             *ui.ButtonView // nil at the ends
	Remove               ui.ButtonView
}

// Choices are boxes of which any number is ticked; none means every one.
type Choices struct {
	Label, Chosen string
	Checks        []ui.CheckView
}
