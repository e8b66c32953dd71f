// Package tradeview shows traders to staff: the list, and one trader with accounts, orders, funds, devices and the audit log. Nothing in it changes any of
// them.
package tradeview

import (
	"candor/app/platform/i18n"
	"candor/templates/caseview"
	"candor/templates/ui"
)

var t = i18n.T

// Pages are the links to the newest and to older rows; empty where there are none.
type Pages struct{ Newest, Older string }

func (p Pages) any() bool { return p.Newest != "" || p.Older != "" }

// Card is a table or facts with a heading.
type Card struct {
	Title string
	Note  string
	End   *ui.ButtonView
	Side  string    // text at the end of the heading
	Facts []ui.Fact // instead of the table
	Table ui.GridView
	Foot  string
	Half  bool // takes one of two columns
	Pages Pages
}

// Trader is the frame around each tab of a trader.
type Trader struct {
	Number string
	ID     string
	Chips  []ui.ChipView
	Acts   []ui.ButtonView // at the end of the head
	Tabs   []ui.TabView
	About  []ui.Fact
	Tags   []ui.ChipView  // words of staff
	TagAct *ui.ButtonView // changes them; nil where the member may not
	Recent []ui.StepView
	Zone   string
}

// Live is the figures that follow the prices; Refresh reloads them.
type Live struct {
	Sums    []ui.StatView
	Cards   []Card
	Alert   string // why something can't be valued
	Refresh ui.HX
}

// Tab is the content of a tab: an introductory line, the choice of account and of the part of it, a list, and cards.
type Tab struct {
	Line     string
	Accounts []ui.ButtonView
	Sections []ui.ButtonView
	Acts     []ui.ButtonView // at the end of the line
	List     *caseview.Queue
	Cards    []Card
}

// Statement is the dialog that asks for the days of a statement.
type Statement struct {
	Path     ui.Path
	From, To ui.FieldView
	Note     string
}

// Act is the dialog of a decision about a trader.
type Act struct {
	Frame   ui.DialogView
	Alert   *ui.AlertView
	Facts   []ui.Fact
	Choices []ui.FieldView
	Words   *ui.FieldView // the note to record
}

// framed is the dialog's frame, with the alert and facts above its fields if there are any.
func (v Act) framed() ui.DialogView {
	frame := v.Frame
	if v.Alert != nil || len(v.Facts) > 0 {
		frame.Facts = inside(v)
	}
	return frame
}

// Mirror is what a trader sees, in the trader's language.
type Mirror struct {
	Lang, Dir string
	Banner    ui.AlertView
	Words     []string // about the verification and the restrictions
	Accounts  []ui.ButtonView
	Cards     []Card
}

// TagForm is the dialog that puts tags on a trader and takes them off.
type TagForm struct {
	Frame ui.DialogView
	Tags  []ui.CheckView
	None  string // instead of the tags when there are none
}

// Notes is the staff notes on a trader, with the form for a new one.
type Notes struct {
	Add   ui.FormView
	Field ui.FieldView
	Act   ui.ButtonView
	List  []Note
	Empty string
	Pages Pages
}

// Note is a note by one member of staff.
type Note struct{ Author, Text, Time, UTC string }

// Reveal is the dialog that asks for the reason to show a contact.
type Reveal struct {
	Frame  ui.DialogView
	Reason ui.FieldView
}

func asking(v Reveal) ui.DialogView {
	frame := v.Frame
	frame.Proof = reason(v.Reason)
	return frame
}
