// Package cashview shows the deposit desk: the queue, one deposit beside its proof, and the dialogs that decide it.
package cashview

import (
	"github.com/a-h/templ"

	"candor/app/platform/i18n"
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
	Tabs  []ui.TabView
	Rows  []ui.QueueRowView
	Asked []ui.QueueRowView // the trader was asked for another proof
	Start string            // back to the longest waiting; empty on the first page
	Next  string            // those that wait less; empty on the last page
	Zone  string            // whose times are told
}

// Detail is one deposit. Key begins the ids of its parts, which answers replace one by one.
type Detail struct {
	Key     string
	Number  string
	Head    Head
	Figures []ui.StatView
	Match   []MatchLine
	Agree   string // how many lines of the match agree
	Facts   []ui.Fact
	Earlier []EarlierLine
	History []ui.StepView
	Proof   *Proof
	Foot    Foot
	Zone    string
}

// Head is who sent it, where it stands, and how long it has waited.
type Head struct {
	Trader     string
	TraderHref string // empty where the role may not see traders
	Chips      []ui.ChipView
	Due        *ui.DueView
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
	Words   string // the verdict, for a screen reader
}

// EarlierLine is a deposit that was credited before.
type EarlierLine struct {
	Day    string
	Number string
	Href   string
	Amount string
}

// Proof is the picture with what is known of it.
type Proof struct {
	Viewer ui.ViewerView
	Facts  []ui.Fact
}

// Foot is who decides and what may be done.
type Foot struct {
	People  []ui.Person
	Title   string
	Note    string
	Buttons []ui.ButtonView
}

// Done is the answer to an act.
type Done struct {
	Row    ui.QueueRowView
	Flash  string
	Count  layout.NavItem
	Tabs   []ui.TabView
	Detail *Detail // when it is open beside the row
}

// Dialog is a decision about one deposit. Alert stands above the facts after a refusal.
type Dialog struct {
	Frame   ui.DialogView
	Alert   *ui.AlertView
	Show    *ui.ButtonView // below the alert
	Figures []ui.StatView
	Facts   []ui.Fact
	People  []ui.Person
	Two     string // what the circles mean
	Fields  []ui.FieldView
}

func (d Dialog) frame(inside, proof templ.Component) ui.DialogView {
	frame := d.Frame
	frame.Facts, frame.Proof = inside, proof
	return frame
}

// Decline is the dialog that refuses a deposit or asks for another proof.
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
