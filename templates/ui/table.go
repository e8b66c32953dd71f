package ui

import "github.com/a-h/templ"

// SortState says whether a column orders the table.
type SortState string

// The states of a column that can order.
const (
	Unsorted   SortState = ""
	Ascending  SortState = "ascending"
	Descending SortState = "descending"
)

// Column is a head of a Table. Href set makes it a link that orders by it.
type Column struct {
	Label   string
	Numeric bool
	Href    string
	Sorted  SortState
	Hidden  bool // the head is read aloud only: a column of buttons
	Wide    bool // takes the room that is left
}

// Density is the height of rows: 40, 32 and 28 px.
type Density string

// The densities.
const (
	Office  Density = ""
	Compact Density = "table-sm"
	Dense   Density = "table-xs"
)

// TableView is the head of a table; its rows are the children.
type TableView struct {
	ID      string // of the body, for swaps
	Caption string // read aloud
	Columns []Column
	Density Density
	Rows    bool // J and K walk over its rows
}

// RowView is a row. Give it the id its answer comes back under.
type RowView struct {
	ID       string
	Href     string // what Enter and a click open
	HX       HX
	Selected bool
	Stale    bool // somebody changed it meanwhile
}

func (r RowView) linkAttrs() templ.Attributes {
	attrs := r.HX.Attrs()
	attrs["data-open"] = true
	return attrs
}

// TabView is one tab.
type TabView struct {
	Label   string
	Count   string
	Href    string
	HX      HX
	Icon    IconName
	Current bool
	EndSide bool
}

// PagerView turns pages by key: there is no count of pages and no last page.
type PagerView struct {
	Previous string // empty at the first page
	Next     string // empty at the last
	Note     string // for example "50 of many, newest first"
}
