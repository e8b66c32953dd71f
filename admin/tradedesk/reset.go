package tradedesk

import (
	"candor/admin/desk"
	"candor/app/trader"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// askReset opens the dialog that sends a password reset.
func (s Services) askReset(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	if sub.trader.Guest() {
		return trader.ErrGuest
	}
	return r.Show(tradeview.Decide(sub.resetting(typed{})))
}

// resetting is the dialog of a password reset.
func (sub subject) resetting(in typed) tradeview.Act {
	reason := in.field(ui.FieldView{Name: "reason", Label: sub.t("trader.reset.reason"), StaffOnly: true, Rows: 3, MaxLength: trader.LongestNote, Required: true})
	return tradeview.Act{
		Alert: in.alert, Words: &reason,
		Frame: ui.DialogView{
			ID: "reset", Title: sub.t("trader.reset.title", "id", sub.trader.ID), Note: sub.t("trader.reset.note"),
			Form: ui.FormView{Post: sub.path("password-reset"), Swap: ui.SwapNone},
			Act:  ui.ButtonView{Label: sub.t("trader.reset.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: sub.t("trader.reset.busy")},
		},
	}
}

// reset sends the trader a password reset; the answer shows nothing of it.
func (s Services) reset(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	in := read(r, "reason")
	if err := s.Traders.SendPasswordReset(sub.ctx, r.Actor(), sub.trader.ID, in.values["reason"]); err != nil {
		return again(r, in, err, sub.resetting)
	}
	return r.RedirectTo(sub.path("audit").String())
}
