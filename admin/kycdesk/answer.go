package kycdesk

import (
	"net/http"

	"candor/admin/desk"
	"candor/admin/desk/auditformat"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/templates/kycview"
	"candor/templates/ui"
)

// pages answers with whole pages: a case fills one page, and after a decision the next case follows.
type pages struct{ Services }

// Done answers a decision: the next case that the member can work on, claimed, or the queue when there is none.
func (s pages) Done(r *desk.Request, cc caseContext, flash caseengine.Flash) error {
	next, err := s.nextFor(cc.Ctx, cc)
	if err != nil {
		return err
	}
	to := cc.sel.On(home)
	if next != 0 {
		to = cc.address(next)
	}
	if next != 0 && cc.Undecided() { // a decision about a level is not one of a series
		if _, err := s.Identities.Claim(cc.Ctx, r.Actor(), next); err != nil && errs.As(err) == nil {
			return err
		} // a refused claim, perhaps because someone was faster, leaves the case to be read
	}
	if to = to.With("done", cc.ID); flash.Key != "" {
		to = to.With("did", flash.Key)
	}
	return r.RedirectTo(to.String())
}

// Claimed answers a claim and its release with the case's page, with or without data, pictures and the rights to fetch them. Extending a claim leaves the pictures
// untouched.
func (s pages) Claimed(r *desk.Request, cc caseContext, noun string) error {
	if noun == caseengine.Claim && cc.claimedByMe() {
		return s.changed(r, cc.ID)
	}
	return r.RedirectTo(cc.address(cc.ID).String())
}

// Notice answers an act that was not done: why, with a link to the current case.
func (s pages) Notice(r *desk.Request, cc caseContext, alert ui.AlertView) error {
	show := ui.ButtonView{Label: cc.T("identity.conflict.show"), Size: ui.Small, Href: cc.address(cc.ID).String()}
	frame := ui.DialogView{ID: "refusal", Title: cc.T("identity.refused"), Note: cc.Number(), Cancel: cc.T("ui.close")}
	return r.Dialog(http.StatusConflict, kycview.Decide(kycview.Dialog{Frame: frame, Alert: &alert, Show: &show}))
}

// changed answers an act that leaves the case open with every part of the page except the pictures, which are not fetched again.
func (s Services) changed(r *desk.Request, id int64) error {
	cc, err := s.read(r, id)
	if err != nil {
		return err
	}
	view, err := s.view(cc)
	if err != nil {
		return err
	}
	return r.Show(kycview.Changed(view))
}

// isReadOnly reports whether an entry is no decision of staff.
func isReadOnly(e audit.Entry) bool {
	return auditformat.IsRead(e) || e.ActorKind != audit.Staff
}
