// Package reportview renders the reports: the list of them, and a report with its picture, its table and its span.
package reportview

import (
	"encoding/json"

	"candor/app/platform/i18n"
	"candor/templates/ui"
)

var t = i18n.T

// Group is a part of the list of reports.
type Group struct {
	Title string
	Links []Link
}

// Link is a report in the list.
type Link struct {
	Title   string
	Note    string
	Href    ui.Path
	Mailed  string // when it comes by mail; empty when it does not
	Current bool
}

// Report is the page of a report.
type Report struct {
	Title    string
	Note     string
	Zone     string
	Groups   []Group
	Presets  []ui.TabView
	From, To ui.FieldView
	Action   ui.Path
	Error    string // why there are no figures
	Buttons  []ui.ButtonView
	Summary  string // of the picture, in words
	Chart    *Chart // nil when there is nothing to draw
	Columns  []ui.Column
	Totals   [][]string
	Rows     [][]string
	Texts    int // how many cells of a row are words
	Comments []Comment
}

// Comment is what a customer wrote with a rating.
type Comment struct {
	At     string
	Rating string
	Words  string
}

// Chart is a picture for the script, in a unit of its own; every text is the server's.
type Chart struct {
	Labels  []string
	Low     int64
	High    int64
	Ticks   []Tick
	Series  []Series
	Stacked bool
}

// Tick is a line across the picture.
type Tick struct {
	At   int64
	Text string
}

// Series is a colour of the picture.
type Series struct {
	Name   string
	Values []int64
	Texts  []string
}

func (c Chart) text() string {
	out, err := json.Marshal(c)
	if err != nil {
		return ""
	}
	return string(out)
}

// Form is the dialog of a subscription.
type Form struct {
	Frame  ui.DialogView
	Alert  *ui.AlertView
	Rhythm ui.FieldView
	Hour   ui.FieldView
}
