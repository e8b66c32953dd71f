package paydesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/withdrawal"
)

// Finders find withdrawals by their number, by the bank's reference of the payment, and by a transaction.
func Finders(s Services) []desk.Finder {
	return []desk.Finder{{Kind: "withdrawal", Permission: access.WithdrawalView, Find: s.named}}
}

func (s Services) named(r *desk.Request, words string, _ int) (hits []desk.Hit, err error) {
	ctx := r.Context.Request().Context()
	if id := desk.Number(words, "WD-"); id != 0 {
		hits, err = desk.Found(s.Withdrawals.Read(ctx, id))(func(w withdrawal.Withdrawal) desk.Hit { return hit(r, w) })
		if err != nil {
			return nil, err
		}
	}
	w, found, err := s.Withdrawals.ByPayment(ctx, words)
	if found && (len(hits) == 0 || hits[0].Href != address(w.ID).String()) {
		hits = append(hits, hit(r, w))
	}
	return hits, err
}

func hit(r *desk.Request, w withdrawal.Withdrawal) desk.Hit {
	chip := looks[w.State]
	chip.Label = r.Word("withdrawal.chip." + string(w.State))
	return desk.Hit{Label: w.Number(), Note: r.Word("find.trader", "id", w.TraderID), Chip: &chip, Href: address(w.ID).String(), Exact: true}
}
