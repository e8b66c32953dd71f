package ui

import (
	"strconv"
	"strings"
)

// GridView is rows of cells under columns.
type GridView struct {
	ID      string // of the body, for swaps; empty where nothing replaces its rows
	Caption string
	Columns []Column
	Rows    []GridRow
	Empty   string // the text without rows
	Walk    bool   // J and K move through its rows
}

func (v GridView) width() string { return strconv.Itoa(len(v.Columns)) }

func (v GridView) numeric(i int) bool { return i < len(v.Columns) && v.Columns[i].Numeric }

// GridRow is a row; Opens is the path that its first cell opens.
type GridRow struct {
	ID       string
	Opens    string
	HX       HX     // opens the path beside the table; none opens a page
	Group    string // the heading above, where the row before has another; empty without headings
	Selected bool
	Cells    []Cell
}

// begins reports whether a row begins a group.
func (v GridView) begins(i int) bool {
	group := v.Rows[i].Group
	return group != "" && (i == 0 || v.Rows[i-1].Group != group)
}

// Cell is one value.
type Cell struct {
	Text    string
	Title   string // on hover
	Note    string // below, in small type
	Href    string
	Ident   bool
	Strong  bool
	Muted   bool
	Price   PriceSide
	Priced  bool // a profit or loss
	Chips   []ChipView
	Wrap    bool
	Buttons []ButtonView
	Due     *DueView
	Icon    IconName    // before the text
	Owner   *AvatarView // before the text
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
