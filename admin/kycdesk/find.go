package kycdesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/kyc"
	"candor/templates/ui"
)

// Finders find applications by their number.
func Finders(s Services) []desk.Finder {
	return []desk.Finder{{Kind: "identity", Permission: access.IdentityView, Find: s.named}}
}

func (s Services) named(r *desk.Request, words string, _ int) ([]desk.Hit, error) {
	id := desk.Number(words, "ID-")
	if id == 0 {
		return nil, nil
	}
	return desk.Found(s.Identities.Application(r.Context.Request().Context(), id))(func(a kyc.Application) desk.Hit {
		chip := looks[a.Stage()]
		chip.Label = r.Word("identity.state." + string(a.Stage()))
		return desk.Hit{Label: a.Number(), Note: r.Word("find.trader", "id", a.TraderID), Chip: &chip, Href: ui.To("/admin/identity/{}", a.ID).String(), Exact: true}
	})
}
