package newsdesk

import (
	"fmt"
	"slices"
	"strconv"

	"candor/admin/desk"
	"candor/app/notice"
	"candor/app/platform/errs"
	"candor/templates/newsview"
	"candor/templates/ui"
)

func orderPath(kind notice.Kind) ui.Path { return ui.To("/admin/content-order/{}", kind) }

// ordering shows the items of a kind in the order in which readers see them.
func (s Services) ordering(r *desk.Request) error {
	view, err := s.order(r, notice.Kind(r.Param("kind")))
	if err != nil {
		return err
	}
	return r.Show(newsview.OrderPage(r.Page(word(r, "content.place"), "content"), view))
}

func (s Services) order(r *desk.Request, kind notice.Kind) (view newsview.Order, err error) {
	if !kind.Ordered() {
		return view, desk.ErrNotFound
	}
	for _, one := range slices.DeleteFunc(slices.Clone(notice.Kinds), func(k notice.Kind) bool { return !k.Ordered() }) {
		view.Tabs = append(view.Tabs, ui.TabView{Label: word(r, "content.kinds."+string(one)), Href: orderPath(one).String(), Current: one == kind})
	}
	list, err := s.Notices.Items(ctxOf(r), kind, "")
	for i, l := range list {
		row := newsview.OrderRow{
			ID: fmt.Sprintf("content-%d", l.ItemID), Href: path(l.ItemID).String(), Title: titled(r, l.Title), Number: notice.Number(l.ItemID), State: stateChip(r, l.Stage()),
			Audience: audience(r, l.Settings), Sort: strconv.Itoa(l.Position), Path: ui.To("/admin/content/{}/place", l.ItemID), Version: strconv.Itoa(l.Version),
		}
		if i > 0 {
			row.Up = strconv.Itoa(list[i-1].Position)
		}
		if i < len(list)-1 {
			row.Down = strconv.Itoa(list[i+1].Position)
		}
		view.Rows = append(view.Rows, row)
	}
	return view, err
}

// moveTo moves an item to another position, and answers with its kind in the new order.
func (s Services) moveTo(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	version, err := r.Version()
	if err != nil {
		return err
	}
	sort, err := desk.ParseCount(r.PostFormValue("sort"))
	if err != nil {
		return errs.Field("sort", "field.number")
	}
	item, err := s.Notices.Reorder(ctxOf(r), r.Actor(), id, version, sort)
	if err != nil {
		return err
	}
	view, err := s.order(r, item.Kind)
	if err != nil {
		return err
	}
	return r.Show(newsview.Moved(view, word(r, "content.place.done")))
}
