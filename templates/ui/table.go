package ui

import "github.com/a-h/templ"

// SortState is the order of the table by a column.
type SortState string

// The states of a sortable column.
const (
	Unsorted   SortState = ""
	Ascending  SortState = "ascending"
	Descending SortState = "descending"
)

// Column is the head of a Table's column. Href makes it a link that sorts by it.
type Column struct {
	Label   string
	Numeric bool
	Href    string
	Sorted  SortState
	Hidden  bool // the head is only read aloud: a column of buttons
	Wide    bool // takes the remaining width
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
	Rows    bool // J and K move through its rows
}

// RowView is a row. ID is the id of the answer that replaces it.
type RowView struct {
	ID       string
	Href     string // opened by Enter and a click
	HX       HX
	Selected bool
	Stale    bool // another member of staff changed it meanwhile
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

// PagerView turns pages by keyset: there is no count of pages and no last page.
type PagerView struct {
	Previous string // empty on the first page
	Next     string // empty on the last
	Note     string // for example "50 of many, newest first"
}
