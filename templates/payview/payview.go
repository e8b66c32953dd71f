// Package payview renders the withdrawal desk: the queue, and one withdrawal with its context. Its dialogs are in package caseview.
package payview

import (
	"candor/app/platform/i18n"
	"candor/templates/caseview"
	"candor/templates/layout"
	"candor/templates/ui"
)

var t = i18n.T

// Page is the queue, with the open withdrawal if there is one.
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

// Queue is the withdrawal desk's queue.
type Queue struct {
	caseview.Queue
	Tabs     []ui.TabView
	Filters  []ui.FilterView
	Clear    string // the queue without filters; empty when none is set
	UnderWay string // the sum under way
	File     string // the queue as a file; empty for roles that may not export
	Zone     string // the zone of the times
}

// Detail is one withdrawal. Key is the prefix of its parts' ids; answers replace the parts one by one.
type Detail struct {
	Key         string
	Number      string
	Head        caseview.Head
	Figures     []ui.StatView
	Destination []ui.Fact
	Risk        ui.ChipView
	Risks       []string // the reasons for the risk score
	Facts       []ui.Fact
	Earlier     []caseview.Line
	Deposits    []caseview.Line
	Deposited   string // the total
	History     []ui.StepView
	Foot        caseview.Foot
	Zone        string
}
