package switchdesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/switches"
)

// Finders find changes of switches by their number.
func Finders(s Services) []desk.Finder {
	return []desk.Finder{{Kind: "change", Permission: access.SwitchView, Find: s.findChange}}
}

func (s Services) findChange(r *desk.Request, words string, _ int) ([]desk.Hit, error) {
	id := desk.Number(words, "CR-")
	if id == 0 {
		return nil, nil
	}
	return desk.Found(s.Changes.Get(ctxOf(r), id))(func(change switches.Change) desk.Hit {
		chip := stateChip(r, change)
		return desk.Hit{Label: change.Number(), Note: name(r, change.Key), Chip: &chip, Href: path(change.Key).String(), Exact: true}
	})
}
