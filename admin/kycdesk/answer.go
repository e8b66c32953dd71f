package kycdesk

import (
	"net/http"

	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/audit"
	"candor/templates/kycview"
	"candor/templates/ui"
)

// pages answers with whole pages: a case fills one, and the next case follows a decision.
type pages struct{ Services }

// Done answers a decision: the next case that the member can work on, or the queue when there is none.
func (s pages) Done(r *desk.Request, m matter, said casework.Flash) error {
	next, err := s.nextFor(m.Ctx, m)
	if err != nil {
		return err
	}
	to := m.narrow.on(home)
	if next != 0 {
		to = m.address(next)
	}
	if to = to.With("done", m.ID); said.Key != "" {
		to = to.With("did", said.Key)
	}
	return r.Go(to.String())
}

// Held answers a claim and its release with the case's page: with data, pictures and the rights to fetch them, or without. A claim that only goes on
// leaves the pictures where they are.
func (s pages) Held(r *desk.Request, m matter, noun string) error {
	if noun == casework.Claim && m.held() {
		return s.changed(r, m.ID)
	}
	return r.Go(m.address(m.ID).String())
}

// Notice answers an act that was not done: why, and the way to how the case stands now.
func (s pages) Notice(r *desk.Request, m matter, alert ui.AlertView) error {
	show := ui.ButtonView{Label: m.T("identity.conflict.show"), Size: ui.Small, Href: m.address(m.ID).String()}
	frame := ui.DialogView{ID: "refusal", Title: m.T("identity.refused"), Note: m.Number(), Cancel: m.T("ui.close")}
	return r.Dialog(http.StatusConflict, kycview.Decide(kycview.Dialog{Frame: frame, Alert: &alert, Show: &show}))
}

// changed answers an act that leaves the case open: every part of the page but the pictures, which are not fetched again.
func (s Services) changed(r *desk.Request, id int64) error {
	m, err := s.read(r, id)
	if err != nil {
		return err
	}
	view, err := s.view(m)
	if err != nil {
		return err
	}
	return r.Show(kycview.Changed(view))
}

// looked tells whether an entry is no decision of staff.
func looked(e audit.Entry) bool {
	return e.Action == "kyc.read_data" || e.Action == "kyc.view" || e.ActorKind != audit.Staff
}
