// Package adjustview shows the corrections of accounts: the queue, one of them, and the dialogs that ask for one and decide it.
package adjustview

import (
	"candor/app/platform/i18n"
	"candor/templates/layout"
	"candor/templates/ui"
)

var t = i18n.T

// Page is the queue with the adjustment that is open, if one is.
type Page struct {
	Queue  Queue
	Detail *Detail
}

func (p Page) show() layout.Show {
	if p.Detail == nil {
		return layout.ShowList
	}
	return layout.ShowDetail
}

// Queue is a page of adjustments.
type Queue struct {
	Title   string
	Tabs    []ui.TabView
	Filters []ui.FilterView
	Clear   string // without any filter; empty where none is set
	File    string // the same as a file; empty for who may not take it away
	Rows    []ui.QueueRowView
	Start   string // back to the front; empty there
	Next    string // empty on the last page
	Zone    string
}

// Detail is one adjustment.
type Detail struct {
	Number  string
	Chip    ui.ChipView
	Figures []ui.StatView
	Facts   []ui.Fact
	History []ui.StepView
	People  []ui.Person
	Title   string
	Note    string
	Buttons []ui.ButtonView
	Zone    string
}

// Ask is the dialog in which a maker types what is to be corrected.
type Ask struct {
	Dialog              ui.DialogView
	Direction, Reason   ui.FieldView
	Amount, Again, Unit ui.FieldView
	Reference, Text     ui.FieldView
}
