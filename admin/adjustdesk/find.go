package adjustdesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/adjustment"
	"candor/templates/ui"
)

// Finders find adjustments by their number.
func Finders(s Services) []desk.Finder {
	return []desk.Finder{{Kind: "adjustment", Permission: access.AdjustmentView, Find: s.named}}
}

func (s Services) named(r *desk.Request, words string, _ int) ([]desk.Hit, error) {
	id := desk.Number(words, "AD-")
	if id == 0 {
		return nil, nil
	}
	return desk.Found(s.Adjustments.Read(r.Context.Request().Context(), id))(func(a adjustment.Adjustment) desk.Hit {
		chip := caseengine.ApprovalChip(r.Word, "adjustment", a.State)
		return desk.Hit{Label: a.Number(), Note: r.Word("find.trader", "id", a.TraderID), Chip: &chip, Href: ui.To("/admin/adjustments/{}", a.ID).String(), Exact: true}
	})
}
