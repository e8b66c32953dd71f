// Package payview shows the withdrawal desk: the queue, and one withdrawal with what is around it. Its dialogs are those of package caseview.
package payview

import (
	"candor/app/platform/i18n"
	"candor/templates/caseview"
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
	caseview.Queue
	Tabs    []ui.TabView
	Filters []ui.FilterView
	Clear   string // without any filter; empty where none is set
	Held    string // what has left accounts and is not out yet
	File    string // the same as a file; empty for who may not take it away
	Zone    string // whose times are told
}

// Detail is one withdrawal. Key begins the ids of its parts, which answers replace one by one.
type Detail struct {
	Key         string
	Number      string
	Head        caseview.Head
	Figures     []ui.StatView
	Destination []ui.Fact
	Risk        ui.ChipView
	Risks       []string // the reasons of the points
	Facts       []ui.Fact
	Earlier     []caseview.Line
	Deposits    []caseview.Line
	Deposited   string // the total
	History     []ui.StepView
	Foot        caseview.Foot
	Zone        string
}
