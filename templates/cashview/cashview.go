// Package cashview shows the deposit desk: the queue, and one deposit beside its proof.
package cashview

import (
	"candor/app/platform/i18n"
	"candor/templates/caseview"
	"candor/templates/layout"
	"candor/templates/ui"
)

var t = i18n.T

// Page is the queue with the deposit that is open, if one is.
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
	Order   string // in which they stand
	File    string // the same as a file; empty for who may not take it away
	Zone    string // whose times are told
}

// Detail is one deposit. Key begins the ids of its parts, which answers replace one by one.
type Detail struct {
	Key     string
	Number  string
	Head    caseview.Head
	Figures []ui.StatView
	Against string // what the trader's words are held against
	Match   []MatchLine
	Agree   string // how many lines of the match agree
	Facts   []ui.Fact
	Earlier []caseview.Line
	History []ui.StepView
	Proof   *Proof
	NoProof string // why there is none
	Foot    caseview.Foot
	Zone    string
}

// Verdict is how a line of the match came out.
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

// MatchLine is one thing that two sides say.
type MatchLine struct {
	Label   string
	Trader  string
	Desk    string
	Pending bool // the desk has not typed it yet
	Ident   bool
	Verdict Verdict
	Note    string // the verdict in words that everybody reads
	Words   string // the verdict, for a screen reader
}

// Proof is the picture with what is known of it.
type Proof struct {
	Viewer ui.ViewerView
	Facts  []ui.Fact
}
