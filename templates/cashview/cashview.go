// Package cashview renders the deposit desk: the queue, and one deposit beside its proof.
package cashview

import (
	"candor/app/platform/i18n"
	"candor/templates/caseview"
	"candor/templates/layout"
	"candor/templates/ui"
)

var t = i18n.T

// Page is the queue, with the open deposit if there is one.
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

// Queue is the deposit desk's queue.
type Queue struct {
	caseview.Queue
	Tabs    []ui.TabView
	Filters []ui.FilterView
	Clear   string // the queue without filters; empty when none is set
	Order   string // the sort order
	File    string // the queue as a file; empty for roles that may not export
	Zone    string // the zone of the times
}

// Detail is one deposit. Key is the prefix of its parts' ids; answers replace the parts one by one.
type Detail struct {
	Key     string
	Number  string
	Head    caseview.Head
	Figures []ui.StatView
	Against string // the source that the trader's data is compared with
	Match   []MatchLine
	Agree   string // the number of matching lines
	Facts   []ui.Fact
	Earlier []caseview.Line
	History []ui.StepView
	Proof   *Proof
	NoProof string // why there is no proof
	Foot    caseview.Foot
	Zone    string
}

// Verdict is the result of a line of the match.
type Verdict string

// The verdicts. Open is not known yet.
const (
	Open   Verdict = ""
	Agrees Verdict = "y"
	Look   Verdict = "w"
	Wrong  Verdict = "n"
)

func (v Verdict) icon() ui.IconName {
	if v == Agrees {
		return ui.IconCheck
	}
	return ui.IconWarning
}

// MatchLine is one value as given by the trader and by the desk.
type MatchLine struct {
	Label   string
	Trader  string
	Desk    string
	Pending bool // the desk has not entered it yet
	Ident   bool
	Verdict Verdict
	Note    string // the visible verdict
	Words   string // the verdict for screen readers
}

// Proof is the picture with its metadata.
type Proof struct {
	Viewer ui.ViewerView
	Facts  []ui.Fact
}
