// Package tradeview shows traders to staff: the list, and one trader with accounts, orders, funds, devices and what was done. Nothing in it changes any of it.
package tradeview

import (
	"strconv"
	"strings"

	"candor/app/platform/i18n"
	"candor/templates/ui"
)

var t = i18n.T

// List is the traders that were found.
type List struct {
	Words string // that were searched for
	Table Table
	Pages Pages
	Zone  string

	Filters []ui.FilterView
	Clear   string // without any filter; empty where none is set
	File    string // the same as a file; empty for who may not take it away
}

// Pages leads to the newest and to older ones; empty where there are none.
type Pages struct{ Newest, Older string }

func (p Pages) any() bool { return p.Newest != "" || p.Older != "" }

// Table is rows of cells under columns.
type Table struct {
	Caption string
	Columns []ui.Column
	Rows    []Row
	Empty   string // what it says without rows
	Walk    bool   // J and K walk over its rows
}

func (v Table) width() string { return strconv.Itoa(len(v.Columns)) }

func (v Table) numeric(i int) bool { return i < len(v.Columns) && v.Columns[i].Numeric }

// Row is a line. Opens makes the first cell open it.
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
	Priced bool // a profit or a loss
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

// Card is a table with a head.
type Card struct {
	Title string
	Note  string
	End   *ui.ButtonView
	Side  string // words at the end of the head
	Table Table
	Foot  string
	Half  bool // takes one of two columns
	Pages Pages
}

// Trader is what stands around each tab of a trader.
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

// Live is what follows the prices. Again asks for it anew.
type Live struct {
	Sums  []ui.StatView
	Cards []Card
	Alert string // why something can't be valued
	Again ui.HX
}

// Tab is the inside of a tab: a line that leads, a choice of account, cards.
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
	Words   *ui.FieldView // what is written down
}

// framed is the frame of the dialog, with what stands above its fields where there is something.
func (v Act) framed() ui.DialogView {
	frame := v.Frame
	if v.Alert != nil || len(v.Facts) > 0 {
		frame.Facts = inside(v)
	}
	return frame
}

// Notes is what staff noted about a trader, and where one is added.
type Notes struct {
	Add   ui.FormView
	Field ui.FieldView
	Act   ui.ButtonView
	List  []Note
	Empty string
	Pages Pages
}

// Note is what somebody wrote.
type Note struct{ Author, Text, Time, UTC string }

// Reveal is the dialog that asks why a contact is needed.
type Reveal struct {
	Frame  ui.DialogView
	Reason ui.FieldView
}

func asking(v Reveal) ui.DialogView {
	frame := v.Frame
	frame.Proof = reason(v.Reason)
	return frame
}
