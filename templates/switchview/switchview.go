// Package switchview renders the switches: every key with its value, its changes, and their approvals.
package switchview

import (
	"candor/app/platform/i18n"
	"candor/templates/controlview"
	"candor/templates/ui"
)

var t = i18n.T

// Key is one key in full.
type Key struct {
	Name, Key string
	Chips     []ui.ChipView
	About     string
	Buttons   []ui.ButtonView
	Now       []ui.StatView
	Facts     []ui.Fact
	Rules     []Rule
	Changes   []Change // open changes
	Closed    []Closed
	Versions  []Version
	Try       *Try
	Preview   []Preview // of maintenance
	Online    string
	Zone      string
	Note      string
}

// Rule sets another value for some viewers.
type Rule struct{ Number, Countries, Languages, Platforms, Value string }

// Change is an open change, or an emergency stop that awaits review.
type Change struct {
	Request controlview.Request
	Steps   []ui.StepView
	Facts   []ui.Fact
	Diff    ui.DiffView
}

// Closed is a change that did not take effect.
type Closed struct {
	Number, Value, Rules string
	Chip                 ui.ChipView
	When, UTC            string
	Author, Reason       string
	Came                 string // what closed it, and why
}

// Version is a value that is or was in force.
type Version struct {
	Number, Value, When, UTC, People, Change string
	Reason                                   string
	Chip                                     *ui.ChipView
	Back                                     *ui.ButtonView
}

// Preview is the text that traders see in a language.
type Preview struct{ Language, Title, Text string }

// direction is the writing direction of the language.
func (p Preview) direction() string {
	if p.Language == "ar" || p.Language == "ur" {
		return "rtl"
	}
	return "ltr"
}

// Try is the tester: the value that a given viewer gets.
type Try struct {
	Path                        ui.Path
	Trader                      *ui.FieldView // nil where the member may not see traders
	Country, Language, Platform ui.FieldView
	Who                         string // the trader found, with the attributes that were used
	Answer                      string
}

// Rules are the rows of a form; the first matching one sets the value.
type Rules struct {
	Count   string
	Rows    []RuleRow
	Add     ui.ButtonView
	Problem string
}

// RuleRow is the fields of one rule.
type RuleRow struct {
	Title                string
	Countries, Value     ui.FieldView
	Languages, Platforms Choices
	Up, Down             *ui.ButtonView // nil at the ends
	Remove               ui.ButtonView
}

// Choices are checkboxes; none ticked means all.
type Choices struct {
	Label, Chosen string
	Checks        []ui.CheckView
}
