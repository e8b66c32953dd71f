// Package caseview renders the parts shared by all desks that decide cases: the head and foot of a case, its dialogs, and the answers to acts.
package caseview

import (
	"github.com/a-h/templ"

	"candor/app/platform/i18n"
	"candor/templates/layout"
	"candor/templates/ui"
)

var t = i18n.T

// Page is a desk's list, with the open case if there is one.
type Page struct {
	Queue  Queue
	None   ui.EmptyView    // beside a list of which nothing is open
	Detail templ.Component // PaneParts; nil when nothing is open
	Said   string          // about the act that led to the page
}

func (p Page) show() layout.Show {
	if p.Detail == nil {
		return layout.ShowList
	}
	return layout.ShowDetail
}

// Queue is a page of a desk's list: the cases that await the desk, and below them the cases that await traders.
type Queue struct {
	ID      string // of the desk
	Kind    string // of its things in the audit log, by which pages hear of changes
	Key     string // before the ids of its rows
	Path    ui.Path
	Title   string
	Chips   []ui.ChipView // the state of the whole list, beside the title
	Again   ui.HX         // reads the rows again by itself; none for a list that changes only by acts
	Label   string        // of the figure beside the title; empty without one
	Figure  string
	Search  *Search
	Order   string // the sort order; empty names none
	Tabs    []ui.TabView
	Narrow  ui.HX           // opens the dialog with the filters; none for a list without
	Filters []ui.FilterView // the active ones
	Clear   string          // the list without filters; empty when none is set
	Views   []View          // the member's saved selections
	Save    ui.HX           // saves the selection; none when there is nothing to save
	File    ui.Way          // the list as a file; none for roles that may not export
	Buttons []ui.ButtonView // of acts that are about no single case
	Grid    *ui.GridView    // the list as a table over the whole page; nil for rows beside the open case
	Beside  bool            // what the table opens is shown beside it
	Alert   *ui.AlertView   // above the rows
	Rows    []ui.QueueRowView
	Asked   []ui.QueueRowView // cases that await the trader's answer
	Empty   string            // the text of an empty list
	Start   ui.Way            // the first page; none on it
	First   string            // label of the Start link; the default when empty
	Next    ui.Way            // the next page; none on the last
	Keys    []ui.KeyHint
	Zone    string // the zone of the times
	Split   bool   // the case needs the room
}

// View is a saved selection of a list. The one that is shown can be removed.
type View struct {
	Name   string
	Href   string
	Remove ui.HX
}

// bar reports whether anything stands between the tabs and the rows.
func (q Queue) bar() bool {
	return q.Narrow != (ui.HX{}) || len(q.Filters) > 0 || q.Clear != "" || len(q.Views) > 0 || len(q.Buttons) > 0
}

// Search is the search box of a list.
type Search struct {
	Path  ui.Path
	Name  string
	Words string
	Label string
}

func paneOf(q Queue) layout.PaneView {
	return layout.PaneView{Title: q.Title, First: true, Head: queueHead(q), Under: under(q), Foot: ui.KeyHints(q.Keys, q.Zone)}
}

// Detail is one case. Key is the prefix of its parts' ids; answers replace the parts one by one.
type Detail struct {
	Key     string
	Number  string
	Back    ui.Path
	Head    Head
	Figures []ui.StatView
	Main    []Section // before the history
	Side    []Section // beside it; none leaves the whole width
	Fixed   bool      // answers leave the side as it is, as each view of it is logged
	Even    bool      // both columns have the same width
	History []ui.StepView
	Foot    Foot
	Zone    string
}

// historyBeside reports whether the history stands at the side: answers must replace it.
func (d Detail) historyBeside() bool { return d.Even && !d.Fixed }

// Section is a part of a case under a title. Empty titles show none.
type Section struct {
	Title string
	Note  string
	Chip  *ui.ChipView
	Body  templ.Component
}

// FactsSection shows facts.
func FactsSection(title string, facts []ui.Fact) Section {
	return Section{Title: title, Body: ui.Facts(ui.FactsView{Items: facts})}
}

// LinesSection shows earlier cases; none is the text without any.
func LinesSection(title, note string, lines []Line, none string) Section {
	return Section{Title: title, Note: note, Body: EarlierCases(lines, none)}
}

// Filters is the dialog of a list filter; Kept carries the filters that are already set.
type Filters struct {
	Path   ui.Path
	Kept   []ui.Hidden
	Fields []ui.FieldView
}

// Head is the head of a case: its trader, its state and its waiting time.
type Head struct {
	Trader     string
	TraderHref string // empty where the role may not see traders
	Chips      []ui.ChipView
	Due        *ui.DueView
}

// Foot is the foot of a case: the deciders and the available acts.
type Foot struct {
	People  []ui.Person
	Title   string
	Note    string
	Buttons []ui.ButtonView
}

// Line is an earlier case.
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
	Row   ui.QueueRowView
	Flash string
	Count layout.NavItem
	Tabs  templ.Component
	Parts templ.Component // of the case when it is open beside the row; nil otherwise
}

// Dialog is a decision about one case. Alert is shown above the facts after a refusal.
type Dialog struct {
	Frame   ui.DialogView
	Alert   *ui.AlertView
	Figures []ui.StatView
	Facts   []ui.Fact
	People  []ui.Person
	Two     string // the meaning of the circles
	Fields  []ui.FieldView
	Carried []ui.Hidden // the inputs of the figures, sent with the fields
}

// Together is the dialog of a decision about several cases: each is chosen by itself.
type Together struct {
	Dialog
	Cases []ui.CheckView
	Error string // of the choice
	None  string // the text without any case
}

// The parts of an open dialog that answers replace while its fields are filled in: the act button's words by the button's id, and everything above the fields.
const (
	ActID   = "decision-act"
	factsID = "decision-facts"
)

// FactsTarget is everything above the fields of an open dialog.
var FactsTarget = ui.At(factsID)

func (d Dialog) frame(inside, proof templ.Component) ui.DialogView {
	frame := d.Frame
	frame.Facts, frame.Proof = inside, proof
	return frame
}

// proofOf are the fields at the end of a dialog; nil without any.
func proofOf(d Dialog) templ.Component {
	if len(d.Fields) == 0 {
		return nil
	}
	return fields(d)
}

// Decline is the dialog that refuses a case, or asks the trader, with a reason.
type Decline struct {
	Dialog
	Reason  ui.FieldView
	Note    ui.FieldView
	Preview Preview
}

// Preview is the text that the trader will read.
type Preview struct {
	Label string
	Text  string
	Lang  string // as in HTML
}

const previewID = "reason-preview"

// PreviewTarget is the place of a Preview.
var PreviewTarget = ui.At(previewID)

// besides marks a row for an out-of-band update.
func besides(row ui.QueueRowView) ui.QueueRowView {
	row.Aside = true
	return row
}
