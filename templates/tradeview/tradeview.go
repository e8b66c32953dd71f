// Package tradeview shows traders to staff: the list, and one trader with accounts, orders, funds, devices and the audit log. Nothing in it changes any of
// them.
package tradeview

import (
	"strconv"
	"strings"

	"candor/app/platform/i18n"
	"candor/templates/ui"
)

var t = i18n.T

// List is the traders found.
type List struct {
	Words string // the search words
	Table Table
	Pages Pages
	Zone  string

	Filters []ui.FilterView
	Clear   string // the list without filters; empty when none is set
	File    string // the list as a file; empty for roles that may not export
}

// Pages are the links to the newest and to older rows; empty where there are none.
type Pages struct{ Newest, Older string }

func (p Pages) any() bool { return p.Newest != "" || p.Older != "" }

// Table is rows of cells under columns.
type Table struct {
	Caption string
	Columns []ui.Column
	Rows    []Row
	Empty   string // the text without rows
	Walk    bool   // J and K move through its rows
}

func (v Table) width() string { return strconv.Itoa(len(v.Columns)) }

func (v Table) numeric(i int) bool { return i < len(v.Columns) && v.Columns[i].Numeric }

// Row is a row; Opens is the path that its first cell opens.
type Row struct {
	ID    string
	Opens string
	Cells []Cell
}

// Cell is one value.
type Cell struct {
	Text   string
	Title  string // on hover
	Href   string
	Ident  bool
	Strong bool
	Muted  bool
	Price  ui.PriceSide
	Priced bool // a profit or loss
	Chips  []ui.ChipView
	Wrap   bool
	Button *ui.ButtonView
}

func (c Cell) class(numeric bool) string {
	var words []string
	for _, word := range []struct {
		name string
		on   bool
	}{{"num", numeric}, {"id", c.Ident}, {"f5", c.Strong}, {"muted", c.Muted}, {"wrap", c.Wrap}} {
		if word.on {
			words = append(words, word.name)
		}
	}
	return strings.Join(words, " ")
}

// Card is a table with a heading.
type Card struct {
	Title string
	Note  string
	End   *ui.ButtonView
	Side  string // text at the end of the heading
	Table Table
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

// Tab is the content of a tab: an introductory line, the choice of account, and cards.
type Tab struct {
	Line     string
	Accounts []ui.ButtonView
	Cards    []Card
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
