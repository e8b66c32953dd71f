package chatdesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/support"
	"candor/templates/ui"
)

// Finders find conversations by their number.
func Finders(s Services) []desk.Finder {
	return []desk.Finder{{Kind: "conversation", Permission: access.ChatView, Find: s.named}}
}

func (s Services) named(r *desk.Request, words string, _ int) ([]desk.Hit, error) {
	id := desk.Number(words, "")
	if id == 0 {
		return nil, nil
	}
	return desk.Found(s.Chat.Get(ctxOf(r), id))(func(c support.Conversation) desk.Hit {
		chip := ui.ChipView{Label: r.Word("chat.state." + string(c.State))}
		return desk.Hit{Label: r.Word("find.conversation", "id", c.ID), Note: s.title(r, c), Chip: &chip, Href: path(c.ID).String(), Exact: true}
	})
}
