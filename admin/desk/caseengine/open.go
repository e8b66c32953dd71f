package caseengine

import (
	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/templates/caseview"
)

// Opened is an item that is shown beside its list.
type Opened[T any] struct {
	Item  T
	Title string // of the page
	Pane  templ.Component
}

// open shows the item in the address beside the list.
func (l List[T]) open(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	opened, err := l.Open(r, id)
	if err != nil {
		return err
	}
	return l.show(r, opened)
}

// show answers with an opened item: only its pane for an opened row, else the whole page.
func (l List[T]) show(r *desk.Request, opened Opened[T]) error {
	if r.Partial() {
		return r.Show(opened.Pane)
	}
	q, err := l.readPage(r, &opened.Item)
	if err != nil {
		return err
	}
	return r.Show(caseview.Show(r.Page(opened.Title, l.Name), caseview.Page{Queue: q, None: l.none(r), Detail: opened.Pane}))
}

// Answer answers an act on an item of a list with columns: its row as it is now, and what was done.
func (l List[T]) Answer(r *desk.Request, item T, said string) error {
	rows, err := l.rows(r, l.asked(r), []T{item})
	if err != nil {
		return err
	}
	return r.Show(caseview.RowDone(*l.grid(r, rows, ""), said))
}
