package tradedesk

import (
	"strconv"

	"candor/admin/desk"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// askEndSessions opens the dialog that logs a trader out everywhere.
func (s Services) askEndSessions(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	return r.Show(tradeview.Decide(sub.endDialog("trader.end_sessions", sub.path("sessions", "end"))))
}

// endDialog is the dialog that confirms ending sessions.
func (sub subject) endDialog(words string, post ui.Path) tradeview.Act {
	return tradeview.Act{Frame: ui.DialogView{
		ID: "end", Title: sub.t(words+".title", "id", sub.trader.ID), Note: sub.t(words + ".note"),
		Form: ui.FormView{Post: post, Swap: ui.SwapNone},
		Act:  ui.ButtonView{Label: sub.t(words + ".act"), Kind: ui.Danger, Submit: true, Money: true, Busy: sub.t("trader.end_sessions.busy")},
	}}
}

// endSessions logs a trader out everywhere.
func (s Services) endSessions(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	if _, err := s.Traders.EndSessions(sub.ctx, r.Actor(), sub.trader.ID); err != nil {
		return err
	}
	return r.RedirectTo(sub.path("devices").String())
}

// askEndSession opens the dialog that ends one session.
func (s Services) askEndSession(r *desk.Request) error {
	sub, id, err := s.session(r)
	if err != nil {
		return err
	}
	return r.Show(tradeview.Decide(sub.endDialog("trader.end_session", sub.path("sessions", strconv.FormatInt(id, 10), "end"))))
}

func (s Services) session(r *desk.Request) (sub subject, id int64, err error) {
	if sub, err = s.read(r); err != nil {
		return sub, 0, err
	}
	id, err = r.ID("session")
	return sub, id, err
}

// endSession ends one session.
func (s Services) endSession(r *desk.Request) error {
	sub, id, err := s.session(r)
	if err != nil {
		return err
	}
	if err := s.Traders.EndSession(sub.ctx, r.Actor(), sub.trader.ID, id); err != nil {
		return err
	}
	return r.RedirectTo(sub.path("devices").String())
}
