package cashdesk

import (
	"slices"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/deposit"
	"candor/templates/ui"
)

// Finders find deposits by their number, by a payment reference of the trader's or the bank's, and by a transaction.
func Finders(s Services) []desk.Finder {
	return []desk.Finder{{Kind: "deposit", Permission: access.DepositView, Find: s.named}}
}

func (s Services) named(r *desk.Request, words string, limit int) (hits []desk.Hit, err error) {
	ctx := r.Context.Request().Context()
	if id := desk.Number(words, "DP-"); id != 0 {
		hits, err = desk.Found(s.Deposits.Read(ctx, id))(func(d deposit.Deposit) desk.Hit { return hit(r, d) })
		if err != nil {
			return nil, err
		}
	}
	list, err := s.Deposits.ByAnyReference(ctx, words, limit)
	for _, d := range list {
		if h := hit(r, d); !slices.ContainsFunc(hits, func(other desk.Hit) bool { return other.Href == h.Href }) {
			hits = append(hits, h)
		}
	}
	return hits, err
}

func hit(r *desk.Request, d deposit.Deposit) desk.Hit {
	chip := looks[d.State]
	chip.Label = r.Word("deposit.chip." + string(d.State))
	note := r.Word("find.trader", "id", d.TraderID) + " · " + d.Reference
	return desk.Hit{Label: d.Number(), Note: note, Chip: &chip, Href: ui.To("/admin/deposits/{}", d.ID).String(), Exact: true}
}
