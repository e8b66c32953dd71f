package paydesk

import (
	"net/http"
	"net/url"

	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/templates/cashview"
	"candor/templates/payview"
	"candor/templates/ui"
)

// done answers an act: the changed row, and out of band the flash, the counts and the parts of the withdrawal that is open.
func (s Services) done(r *desk.Request, id int64, flash string, pairs ...any) error {
	m, err := s.readAgain(r, id)
	if err != nil {
		return err
	}
	after, err := s.after(r, m)
	if err != nil {
		return err
	}
	after.Flash = m.t(flash, append(pairs, "number", m.Number())...)
	return r.Show(payview.After(after))
}

// after is how a withdrawal stands now, for its row and its open parts.
func (s Services) after(r *desk.Request, m matter) (after payview.Done, err error) {
	after.Row, after.Count = m.row(m.Withdrawal), r.Count(place)
	if after.Tabs, err = s.tabs(r, m.view); err != nil || !isOpen(r, m.ID) {
		return after, err
	}
	after.Row.Selected = true
	view, err := s.view(m)
	after.Detail = &view
	return after, err
}

// isOpen tells whether the page that asks shows this withdrawal beside the list.
func isOpen(r *desk.Request, id int64) bool {
	page, err := url.Parse(r.Context.Request().Header.Get("HX-Current-URL"))
	return err == nil && page.Path == address(id).String()
}

// refuse answers an act that was not done because the withdrawal is not, or no more, as it must be: why, and how it stands now.
// Any other refusal is left to the frame; what is forbidden it records.
func (s Services) refuse(r *desk.Request, id int64, reason error) error {
	if !conflicts(reason) {
		return reason
	}
	m, err := s.readAgain(r, id)
	if err != nil {
		return err
	}
	return s.notice(r, m, m.nothing(reason))
}

func conflicts(reason error) bool {
	refusal := errs.As(reason)
	return refusal != nil && refusal.Kind == errs.Conflict
}

// nothing says that nothing was done, and why.
func (m matter) nothing(reason error) ui.AlertView {
	return ui.AlertView{Tone: ui.ToneWarning, Title: m.refusal(m.told(reason, m.Withdrawal)), Text: m.t("withdrawal.conflict.nothing")}
}

// notice is a dialog without a decision, and out of band how the withdrawal stands.
func (s Services) notice(r *desk.Request, m matter, alert ui.AlertView) error {
	after, err := s.after(r, m)
	if err != nil {
		return err
	}
	frame := ui.DialogView{ID: "refusal", Title: m.t("withdrawal.refused"), Note: m.Number(), Cancel: m.t("ui.close")}
	return r.Dialog(http.StatusConflict, payview.Refused(cashview.Dialog{Frame: frame, Alert: &alert}, after))
}

// changed says who changed the withdrawal, when, and from which version to which, to somebody who decided about an older one.
func (s Services) changed(m matter, seen int, reason error) (ui.AlertView, error) {
	alert := m.nothing(reason)
	if seen == m.Version {
		return alert, nil
	}
	entries, _, err := s.Audit.List(m.ctx, m.entries(1))
	if err != nil {
		return alert, err
	}
	for _, e := range entries {
		alert.Title = m.t("withdrawal.conflict.who", "name", e.ActorName, "at", e.At.In(m.zone).Format("15:04:05"))
	}
	alert.Text = m.t("withdrawal.conflict.versions", "seen", seen, "now", m.Version)
	return alert, nil
}
