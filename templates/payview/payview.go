// Package payview shows the withdrawal desk: the queue, and one withdrawal with what is around it. Its dialogs are those of package cashview.
package payview

import (
	"candor/app/platform/i18n"
	"candor/templates/cashview"
	"candor/templates/layout"
	"candor/templates/ui"
)

var t = i18n.T

// Page is the queue with the withdrawal that is open, if one is.
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

// Queue is what waits for the desk, and below it what waits for traders.
type Queue struct {
	Tabs    []ui.TabView
	Filters []ui.FilterView
	Clear   string // without any filter; empty where none is set
	Rows    []ui.QueueRowView
	Asked   []ui.QueueRowView // the trader was asked something
	Start   string            // back to the longest waiting; empty on the first page
	Next    string            // those that wait less; empty on the last page
	Held    string            // what has left accounts and is not out yet
	File    string            // the same as a file
	Zone    string            // whose times are told
}

// Detail is one withdrawal. Key begins the ids of its parts, which answers replace one by one.
type Detail struct {
	Key         string
	Number      string
	Head        cashview.Head
	Figures     []ui.StatView
	Destination []ui.Fact
	Risk        ui.ChipView
	Risks       []string // the reasons of the points
	Facts       []ui.Fact
	Earlier     []Line
	Deposits    []Line
	Deposited   string // the total
	History     []ui.StepView
	Foot        cashview.Foot
	Zone        string
}

// Line is a withdrawal or a deposit from before.
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
	Row    ui.QueueRowView
	Flash  string
	Count  layout.NavItem
	Tabs   []ui.TabView
	Detail *Detail // when it is open beside the row
}

// Filters is the dialog that narrows the queue; State is the tab that stays.
type Filters struct {
	State  string
	Fields []ui.FieldView
}

// besides is a row that changes out of band.
func besides(row ui.QueueRowView) ui.QueueRowView {
	row.Aside = true
	return row
}
