// Package ledgerview renders the reconciliation page: the state of the books, withdrawal halts, and the approval by two people that ends one.
package ledgerview

import (
	"candor/app/platform/i18n"
	"candor/templates/ui"
)

var t = i18n.T

// Reconciliation is the page.
type Reconciliation struct {
	State   State
	Prove   *ui.ButtonView // nil where the role may not
	Halt    *ui.ButtonView // the same
	Clients *ui.GridView   // client money owed and held; nil where the role may not see it
	Outside *ui.GridView   // bank accounts beside their banks; nil where the role may not see them
	Runs    []Run
	Newest  string // the first page; empty on it
	Older   string // the next page; empty on the last
	Halts   []Halt
	Zone    string
}

// State is whether withdrawals are halted, and what their resumption still needs.
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

// Halt is a withdrawal halt.
type Halt struct {
	Since    string
	UTC      string
	Found    string
	State    ui.ChipView
	Asked    string
	Ended    string
	EndedUTC string
	By       string
}

// HaltForm is the dialog that halts all withdrawals.
type HaltForm struct {
	Frame  ui.DialogView
	Alert  *ui.AlertView // what prevents the halt
	Life   ui.FieldView
	Reason ui.FieldView
}

func (v HaltForm) framed() ui.DialogView {
	if v.Alert != nil {
		v.Frame.Facts = ui.Alert(*v.Alert)
	}
	return v.Frame
}
