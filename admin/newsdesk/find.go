package newsdesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/notice"
)

// Finders find content by its number.
func Finders(s Services) []desk.Finder {
	return []desk.Finder{{Kind: "content", Permission: access.ContentView, Find: s.findItem}}
}

func (s Services) findItem(r *desk.Request, words string, _ int) ([]desk.Hit, error) {
	id := desk.Number(words, "N-")
	if id == 0 {
		return nil, nil
	}
	return desk.Found(s.Notices.Get(ctxOf(r), id))(func(details notice.ItemDetails) desk.Hit {
		chip := stateChip(r, details.Newest.Stage())
		return desk.Hit{Label: notice.Number(id), Note: word(r, "content.kind."+string(details.Item.Kind)), Chip: &chip, Href: path(id).String(), Exact: true}
	})
}
