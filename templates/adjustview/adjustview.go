// Package adjustview renders manual adjustments of accounts: the queue, the detail, and the dialogs that request and decide one.
package adjustview

import (
	"candor/app/platform/i18n"
	"candor/templates/layout"
	"candor/templates/ui"
)

var t = i18n.T

// Page is the queue, with the open adjustment if there is one.
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
	Clear   string // the queue without filters; empty when none is set
	File    string // the queue as a file; empty for roles that may not export
	Rows    []ui.QueueRowView
	Start   string // the first page; empty on it
	Next    string // the next page; empty on the last
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

// Ask is the dialog in which a maker enters an adjustment.
type Ask struct {
	Dialog              ui.DialogView
	Direction, Reason   ui.FieldView
	Amount, Again, Unit ui.FieldView
	Reference, Text     ui.FieldView
}
