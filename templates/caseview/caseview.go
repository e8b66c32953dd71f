// Package caseview shows what all desks that decide cases have in common: the head and the foot of a case, the dialogs that decide it, and the answers to acts.
package caseview

import (
	"github.com/a-h/templ"

	"candor/app/platform/i18n"
	"candor/templates/layout"
	"candor/templates/ui"
)

var t = i18n.T

// Queue is what waits for a desk, and below it what waits for traders.
type Queue struct {
	Rows  []ui.QueueRowView
	Asked []ui.QueueRowView // the trader was asked something
	Empty string            // what is said when nothing waits
	Start string            // back to the first page; empty on it
	First string            // the words of Start; the longest waiting when empty
	Next  string            // those that wait less; empty on the last page
}

// Filters is the dialog that narrows a list; what is kept narrows it already and stays.
type Filters struct {
	Path   ui.Path
	Kept   []ui.Hidden
	Fields []ui.FieldView
}

// Head is who a case is about, where it stands, and how long it has waited.
type Head struct {
	Trader     string
	TraderHref string // empty where the role may not see traders
	Chips      []ui.ChipView
	Due        *ui.DueView
}

// Foot is who decides and what may be done.
type Foot struct {
	People  []ui.Person
	Title   string
	Note    string
	Buttons []ui.ButtonView
}

// Line is a case from before.
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

// Dialog is a decision about one case. Alert stands above the facts after a refusal.
type Dialog struct {
	Frame   ui.DialogView
	Alert   *ui.AlertView
	Figures []ui.StatView
	Facts   []ui.Fact
	People  []ui.Person
	Two     string // what the circles mean
	Fields  []ui.FieldView
	Carried []ui.Hidden // what the figures stand for, sent with the fields
}

// What answers replace of an open dialog while its fields are filled in: the button's words by the id of the button, and all above the fields.
const (
	ActID   = "decision-act"
	factsID = "decision-facts"
)

// FactsTarget is all above the fields of an open dialog.
var FactsTarget = ui.At(factsID)

func (d Dialog) frame(inside, proof templ.Component) ui.DialogView {
	frame := d.Frame
	frame.Facts, frame.Proof = inside, proof
	return frame
}

// proofOf are the fields at the end of a dialog, nil without any.
func proofOf(d Dialog) templ.Component {
	if len(d.Fields) == 0 {
		return nil
	}
	return fields(d)
}

// Decline is the dialog that refuses something or asks the trader, for a reason.
type Decline struct {
	Dialog
	Reason  ui.FieldView
	Note    ui.FieldView
	Preview Preview
}

// Preview is what the trader will read.
type Preview struct {
	Label string
	Text  string
	Lang  string // as HTML names it
}

const previewID = "reason-preview"

// PreviewTarget is where a Preview goes.
var PreviewTarget = ui.At(previewID)

// besides is a row that changes out of band.
func besides(row ui.QueueRowView) ui.QueueRowView {
	row.Aside = true
	return row
}
