package kycdesk

import (
	"net/http"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/templates/kycview"
	"candor/templates/ui"
)

// changed answers an act that leaves the case open: every part of the page but the pictures, which are not fetched again.
func (s Services) changed(r *desk.Request, id int64) error {
	m, err := s.readAgain(r, id)
	if err != nil {
		return err
	}
	view, err := s.view(m)
	if err != nil {
		return err
	}
	return r.Show(kycview.Changed(view))
}

// onward answers a decision: the next case that the member can work on, or the queue when there is none.
func (s Services) onward(r *desk.Request, m matter) error {
	next, err := s.nextFor(m.ctx, m)
	if err != nil {
		return err
	}
	to := m.narrow.on(home)
	if next != 0 {
		to = m.address(next)
	}
	return r.Go(to.With("done", m.ID).String())
}

// refuse answers an act that was not done because the case is not, or no more, as it must be: why, and the way to how it stands now.
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
	return ui.AlertView{Tone: ui.ToneWarning, Title: m.why(no(reason), m.Application), Text: m.t("identity.conflict.nothing")}
}

// notice is a dialog without a decision.
func (s Services) notice(r *desk.Request, m matter, alert ui.AlertView) error {
	show := ui.ButtonView{Label: m.t("identity.conflict.show"), Size: ui.Small, Href: m.address(m.ID).String()}
	frame := ui.DialogView{ID: "refusal", Title: m.t("identity.refused"), Note: m.Number(), Cancel: m.t("ui.close")}
	return r.Dialog(http.StatusConflict, kycview.Decide(kycview.Dialog{Frame: frame, Alert: &alert, Show: &show}))
}

// stale says who changed the case, when, and from which version to which, to somebody who decided about an older one.
func (s Services) stale(m matter, seen int, reason error) (ui.AlertView, error) {
	alert := m.nothing(reason)
	if seen == m.Version {
		return alert, nil
	}
	entries, _, err := s.Audit.List(m.ctx, m.entries(historyLimit))
	if err != nil {
		return alert, err
	}
	for _, e := range entries {
		if looked := e.Action == "kyc.read_data" || e.Action == "kyc.view"; !looked && e.ActorKind == audit.Staff {
			alert.Title = m.t("identity.conflict.who", "name", e.ActorName, "at", e.At.In(m.zone).Format("15:04:05"))
			break
		}
	}
	alert.Text = m.t("identity.conflict.versions", "seen", seen, "now", m.Version)
	return alert, nil
}

// fieldErrors are the refusals that belong beside fields, in words; nil for any other.
func fieldErrors(r *desk.Request, err error) map[string]string {
	refusal := errs.As(err)
	if refusal == nil {
		return nil
	}
	words := map[string]string{}
	for field, key := range refusal.Fields {
		words[field] = word(r, key)
	}
	return words
}
