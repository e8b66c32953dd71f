// Package kycview shows the verification desk: the queue, one case in three panes, and the dialogs that decide it.
package kycview

import (
	"candor/app/platform/i18n"
	"candor/templates/ui"
)

var t = i18n.T

// Queue is what waits for the desk, the longest waiting first.
type Queue struct {
	Filters []ui.FieldView
	Clear   string // without filters; empty when none is set
	File    string // the same as a file; empty for who may not take it away
	Rows    []Row
	Start   string // back to the longest waiting; empty on the first page
	Next    string // those that wait less; empty on the last page
	Zone    string // whose times are told
	Done    string // what the decision has done that led here
}

// Row is a case in the queue.
type Row struct {
	Link    ui.RowView
	Number  string
	Trader  string
	Country string
	Type    string
	Attempt string
	State   ui.ChipView
	Risk    *ui.ChipView
	More    string // how many hints there are besides
	Due     *ui.DueView
	Owner   *ui.AvatarView
	Held    string // who has it, and until when
}

// Case is one application. Key begins the ids of its parts, which answers replace one by one.
type Case struct {
	ID       string
	Key      string
	Number   string
	Back     ui.Path
	Head     Head
	Data     []Line
	Hidden   string    // why neither data nor pictures are shown; empty for whoever holds the case
	Pictures []Picture // for whoever holds the case
	Window   ui.Path   // the pictures on a second monitor
	Sides    []ui.Fact // how the pictures stand, for everybody else
	Hints    []Hint
	Levels   []ui.Fact // the level of a trader who is verified
	Who      string
	Next     []Next
	Replaced []ui.Fact
	Earlier  []ui.Fact
	History  []ui.StepView
	Foot     Foot
	Zone     string
	Done     string
}

// Window is a case's pictures in a window of their own, beside the one that the case is worked on in.
type Window struct {
	Case
	Seconds int // for how long the pictures may be shown
}

// papers are the pictures of the document, faces those of the person.
func (c Case) papers() []Picture { return c.some(false) }

func (c Case) faces() []Picture { return c.some(true) }

func (c Case) some(selfie bool) (out []Picture) {
	for _, p := range c.Pictures {
		if p.Selfie == selfie {
			out = append(out, p)
		}
	}
	return out
}

// current is the picture to begin with: the first that nobody has judged, else the first.
func (c Case) current() string {
	for _, p := range c.Pictures {
		if p.Pending {
			return p.ID
		}
	}
	if len(c.Pictures) > 0 {
		return c.Pictures[0].ID
	}
	return ""
}

// wide is the pane that is in front: the one with the current picture.
func (c Case) wide() string {
	for _, p := range c.faces() {
		if p.ID == c.current() {
			return "3"
		}
	}
	return "2"
}

// hiddenAtFirst tells whether a picture lies behind another one of its pane.
func hiddenAtFirst(list []Picture, p Picture, current string) bool {
	front := list[0].ID
	for _, one := range list {
		if one.ID == current {
			front = current
		}
	}
	return p.ID != front
}

// Head is whose case it is, where it stands, and where it stands in the queue.
type Head struct {
	Trader     string
	TraderHref string // empty where the role may not see traders
	Chips      []ui.ChipView
	Attempt    string
	Due        *ui.DueView
	Buttons    []ui.ButtonView
	Place      string
	Previous   string
	Next       string
}

// Line is one of the data, with what is said of it and the buttons that say so.
type Line struct {
	Label   string
	Value   string
	Ident   bool
	Tone    ui.Tone
	Mark    *ui.ChipView
	Key     string
	Form    ui.FormView
	Buttons []ui.ButtonView
}

// Picture is a picture in its viewer with what is said of it.
type Picture struct {
	ID      string
	Side    string
	Selfie  bool
	Image   ui.Path
	Alt     string
	Mark    string
	Pending bool
	Chip    ui.ChipView
	Reason  string
	Form    ui.FormView
	Buttons []ui.ButtonView
}

// Hint is a reason to look twice, or that there is none.
type Hint struct {
	Found   bool
	Unknown bool // nobody was asked
	Text    string
	Note    string
	Traders []Link
}

// Link is a number that may be opened.
type Link struct{ Label, Href string }

// Next is a case that follows in the queue.
type Next struct {
	Number string
	Href   string
	Note   string
	Due    ui.DueView
}

// Foot is what is missing and what may be done.
type Foot struct {
	Words   string
	Buttons []ui.ButtonView
}

// Dialog is a decision about one case. Alert stands above the facts after a refusal.
type Dialog struct {
	Frame ui.DialogView
	Alert *ui.AlertView
	Show  *ui.ButtonView // below the alert
	Facts []ui.Fact
	Parts []Part
	Note  *ui.FieldView
	Foot  string // what follows from it
}

func (d Dialog) frame() ui.DialogView {
	frame := d.Frame
	if d.Alert != nil || len(d.Facts) > 0 {
		frame.Facts = facts(d)
	}
	return frame
}

// Part is the choice of a reason, with what the trader will read.
type Part struct {
	Field   ui.FieldView
	Preview *Preview
}

// Preview is what the trader will read; without words it takes no room.
type Preview struct {
	ID    string
	Label string
	Text  string
	Lang  string // as HTML names it
}

// PreviewID is the id of the preview of a field.
func PreviewID(field string) string { return "preview-" + field }

// Refusal is the dialog that refuses a picture.
type Refusal struct {
	Frame   ui.DialogView
	Reasons []Reason
}

// Reason is one that a digit chooses.
type Reason struct {
	Code  string
	Digit string
	Label string
	Text  string // what the trader will read
	Lang  string
}
