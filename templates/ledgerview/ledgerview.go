// Package ledgerview shows whether the books agree and money goes out: the stop, the proofs, and the two people who end a stop.
package ledgerview

import (
	"candor/app/platform/i18n"
	"candor/templates/ui"
)

var t = i18n.T

// Books is the page.
type Books struct {
	State  State
	Prove  *ui.ButtonView // nil where the role may not
	Stop   *ui.ButtonView // the same
	Runs   []Run
	Newest string // the first page; empty there
	Older  string // the next page; empty on the last
	Stops  []Stop
	Zone   string
}

// State says whether money goes out, and what its end is missing.
type State struct {
	Alert   ui.AlertView
	Facts   []ui.Fact
	People  []ui.Person
	Buttons []ui.ButtonView
}

// Run is one reconciliation.
type Run struct {
	Number string
	Time   string
	UTC    string
	Result ui.ChipView
	Proved string
	Took   string
	Found  string
}

// Stop is a time without money out.
type Stop struct {
	Since    string
	UTC      string
	Found    string
	State    ui.ChipView
	Asked    string
	Ended    string
	EndedUTC string
	By       string
}

// Stopping is the dialog that stops all money out.
type Stopping struct {
	Frame  ui.DialogView
	Alert  *ui.AlertView // in the way of it
	Life   ui.FieldView
	Reason ui.FieldView
}

func (v Stopping) framed() ui.DialogView {
	if v.Alert != nil {
		v.Frame.Facts = ui.Alert(*v.Alert)
	}
	return v.Frame
}
