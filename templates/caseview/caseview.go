// Package caseview renders the parts shared by all desks that decide cases: the head and foot of a case, its dialogs, and the answers to acts.
package caseview

import (
	"github.com/a-h/templ"

	"candor/app/platform/i18n"
	"candor/templates/layout"
	"candor/templates/ui"
)

var t = i18n.T

// Queue is a desk's queue: the cases that await the desk, and below them the cases that await traders.
type Queue struct {
	Rows  []ui.QueueRowView
	Asked []ui.QueueRowView // cases that await the trader's answer
	Empty string            // the text of an empty queue
	Start string            // the first page; empty on it
	First string            // label of the Start link; the default when empty
	Next  string            // the next page; empty on the last
}

// Filters is the dialog of a list filter; Kept carries the filters that are already set.
type Filters struct {
	Path   ui.Path
	Kept   []ui.Hidden
	Fields []ui.FieldView
}

// Head is the head of a case: its trader, its state and its waiting time.
type Head struct {
	Trader     string
	TraderHref string // empty where the role may not see traders
	Chips      []ui.ChipView
	Due        *ui.DueView
}

// Foot is the foot of a case: the deciders and the available acts.
type Foot struct {
	People  []ui.Person
	Title   string
	Note    string
	Buttons []ui.ButtonView
}

// Line is an earlier case.
type Line struct {
	Day    string
	Number string
	Href   string // empty where the role may not open it
	Amount string
	State  string
	Good   bool
}

// Done is the answer to an act.
type Done struct {
	Row   ui.QueueRowView
	Flash string
	Count layout.NavItem
	Tabs  templ.Component
	Parts templ.Component // of the case when it is open beside the row; nil otherwise
}

// Dialog is a decision about one case. Alert is shown above the facts after a refusal.
type Dialog struct {
	Frame   ui.DialogView
	Alert   *ui.AlertView
	Figures []ui.StatView
	Facts   []ui.Fact
	People  []ui.Person
	Two     string // the meaning of the circles
	Fields  []ui.FieldView
	Carried []ui.Hidden // the inputs of the figures, sent with the fields
}

// The parts of an open dialog that answers replace while its fields are filled in: the act button's words by the button's id, and everything above the fields.
const (
	ActID   = "decision-act"
	factsID = "decision-facts"
)

// FactsTarget is everything above the fields of an open dialog.
var FactsTarget = ui.At(factsID)

func (d Dialog) frame(inside, proof templ.Component) ui.DialogView {
	frame := d.Frame
	frame.Facts, frame.Proof = inside, proof
	return frame
}

// proofOf are the fields at the end of a dialog; nil without any.
func proofOf(d Dialog) templ.Component {
	if len(d.Fields) == 0 {
		return nil
	}
	return fields(d)
}

// Decline is the dialog that refuses a case, or asks the trader, with a reason.
type Decline struct {
	Dialog
	Reason  ui.FieldView
	Note    ui.FieldView
	Preview Preview
}

// Preview is the text that the trader will read.
type Preview struct {
	Label string
	Text  string
	Lang  string // as in HTML
}

const previewID = "reason-preview"

// PreviewTarget is the place of a Preview.
var PreviewTarget = ui.At(previewID)

// besides marks a row for an out-of-band update.
func besides(row ui.QueueRowView) ui.QueueRowView {
	row.Aside = true
	return row
}
