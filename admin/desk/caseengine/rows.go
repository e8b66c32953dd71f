package caseengine

import (
	"net/http"

	"candor/admin/desk"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// Rows answers with the changed row of a queue, and out of band with the counts and the parts of the case that is open beside the queue.
type Rows[M CaseContext] struct {
	Read func(r *desk.Request, id int64) (M, error)
	// Current reads the current state of a case: its row, the counts, and its parts when it is open.
	Current func(r *desk.Request, cc M) (caseview.Done, error)
}

// Done answers an act.
func (a Rows[M]) Done(r *desk.Request, cc M, flash Flash) error {
	cc, err := a.Read(r, cc.About().ID)
	if err != nil {
		return err
	}
	done, err := a.Current(r, cc)
	if err != nil {
		return err
	}
	done.Flash = cc.Page().T(flash.Key, append(flash.Pairs, "number", cc.About().Number)...)
	return r.Show(caseview.CaseDone(done))
}

// Claimed answers a claim, with the moment it ends, or its release.
func (a Rows[M]) Claimed(r *desk.Request, cc M, noun string) error {
	if noun == Release {
		return a.Done(r, cc, NewFlash("case.released"))
	}
	cc, err := a.Read(r, cc.About().ID)
	if err != nil {
		return err
	}
	return a.Done(r, cc, NewFlash("case.claimed", "until", cc.Page().At(*cc.About().Claim.ClaimedUntil)))
}

// Notice answers an act that was not done: why, and the current state of the case.
func (a Rows[M]) Notice(r *desk.Request, cc M, alert ui.AlertView) error {
	done, err := a.Current(r, cc)
	if err != nil {
		return err
	}
	here := cc.Page()
	frame := ui.DialogView{ID: "refusal", Title: here.T(here.TextPrefix + ".refused"), Note: cc.About().Number, Cancel: here.T("ui.close")}
	return r.Dialog(http.StatusConflict, caseview.Refused(caseview.Dialog{Frame: frame, Alert: &alert}, done))
}

// IsOpen reports whether the requesting page shows a case beside its list.
func IsOpen(r *desk.Request, address ui.Path) bool { return r.CurrentPage().Path == address.String() }

// WithOpen puts the open case on top of a page of the queue that lacks it, so that its answers have a row to replace.
func WithOpen[T any](list []T, open *T, same func(a, b T) bool) []T {
	if open == nil {
		return list
	}
	for _, one := range list {
		if same(one, *open) {
			return list
		}
	}
	return append([]T{*open}, list...)
}
