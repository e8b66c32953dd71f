// Package kycview renders the verification desk: the queue, one case in three panes, and the dialogs that decide it.
package kycview

import (
	"context"

	"candor/app/platform/i18n"
	"candor/templates/ui"
)

var t = i18n.T

// Case is one application. Key is the prefix of its parts' ids; answers replace the parts one by one.
type Case struct {
	ID       string
	Key      string
	Number   string
	Back     ui.Path
	Head     Head
	Data     []Line
	Rest     *Rest     // for the claim's owner
	First    []ui.Fact // the first person's judgements, after the second decision
	Hidden   string    // why the data and pictures are hidden; empty for the claim's owner
	Pictures []Picture // for the claim's owner
	Window   ui.Path   // the pictures on a second monitor
	Sides    []ui.Fact // the state of the pictures, for everyone else
	Hints    []Hint
	Levels   []ui.Fact // the level of a verified trader
	Who      string
	Next     []Next
	Replaced []ui.Fact
	Earlier  []ui.Fact
	History  []ui.StepView
	Foot     Foot
	Zone     string
	Done     string
}

// Window shows a case's pictures in a second window, beside the one with the case.
type Window struct {
	Case
	Seconds int // how long the pictures may be shown
}

// keys are the hints below a case; one that stands alone has no others beside it, and nothing to mark.
func keys(ctx context.Context, c Case) []ui.KeyHint {
	hints := []ui.KeyHint{
		{Keys: []string{"J", "K"}, Label: t(ctx, "identity.keys.cases")}, {Keys: []string{"1", "2", "3"}, Label: t(ctx, "identity.keys.panes")}, {Keys: []string{"4", "…", "9"}, Label: t(ctx, "identity.keys.marks")},
		{Keys: []string{"[", "]"}, Label: t(ctx, "identity.keys.rotate")}, {Keys: []string{"0"}, Label: t(ctx, "identity.keys.reset")},
	}
	if c.Head.Alone {
		return append(hints[1:2], hints[3:]...)
	}
	return hints
}

// papers are the pictures of the document; faces are those of the person.
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

// current is the initial picture: the first undecided one, else the first.
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

// wide is the front pane: the one with the current picture.
func (c Case) wide() string {
	for _, p := range c.faces() {
		if p.ID == c.current() {
			return "3"
		}
	}
	return "2"
}

// hiddenAtFirst reports whether another picture of the pane covers this one at first.
func hiddenAtFirst(list []Picture, p Picture, current string) bool {
	front := list[0].ID
	for _, one := range list {
		if one.ID == current {
			front = current
		}
	}
	return p.ID != front
}

// Head is the head of a case: its trader, its state and its place in the queue.
type Head struct {
	Trader     string
	TraderHref string // empty where the role may not see traders
	Chips      []ui.ChipView
	Attempt    string
	Due        *ui.DueView
	Buttons    []ui.ButtonView
	Position   string
	Previous   string
	Next       string
	Alone      bool // no case comes before or after it
}

// Line is one field of the data, with its verdict and the buttons that set it.
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

// Rest matches all fields that are not judged yet.
type Rest struct {
	Words  string
	Form   ui.FormView
	Button ui.ButtonView
}

// Picture is a picture in its viewer, with its verdict.
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

// Hint is a reason for a second look, or the absence of one.
type Hint struct {
	Found   bool
	Unknown bool // not checked
	Text    string
	Note    string
	Traders []Link
}

// Link is a link to another trader.
type Link struct{ Label, Href string }

// Next is a following case in the queue.
type Next struct {
	Number string
	Href   string
	Note   string
	Due    ui.DueView
}

// Foot is what is missing and which acts are available.
type Foot struct {
	Words   string
	Buttons []ui.ButtonView
}

// Dialog is a decision about one case. Alert is shown above the facts after a refusal.
type Dialog struct {
	Frame ui.DialogView
	Alert *ui.AlertView
	Show  *ui.ButtonView // below the alert
	Facts []ui.Fact
	Parts []Part
	Note  *ui.FieldView
	Foot  string // the consequence
}

func (d Dialog) frame() ui.DialogView {
	frame := d.Frame
	if d.Alert != nil || len(d.Facts) > 0 {
		frame.Facts = facts(d)
	}
	return frame
}

// Part is the choice of a reason, with the text that the trader will read.
type Part struct {
	Field   ui.FieldView
	Preview *Preview
}

// Preview is the text that the trader will read; it takes no room when empty.
type Preview struct {
	ID    string
	Label string
	Text  string
	Lang  string // as in HTML
}

// PreviewID is the id of a field's preview.
func PreviewID(field string) string { return "preview-" + field }

// Quality is the page of the samples.
type Quality struct {
	Back  ui.Path
	Draw  *ui.ButtonView // nil where the member may not
	Cards []QualityCard
	Done  string
}

// QualityCard is a table with a heading.
type QualityCard struct {
	Title, Note string
	Table       ui.GridView
}

// Refusal is the dialog that refuses a picture.
type Refusal struct {
	Frame   ui.DialogView
	Reasons []Reason
}

// Reason is a reason with its digit key.
type Reason struct {
	Code  string
	Digit string
	Label string
	Text  string // the text that the trader will read
	Lang  string
}
