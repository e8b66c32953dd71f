package caseengine

import (
	"net/http"

	"candor/admin/desk"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// rows answers with the changed row of the list, and out of band with the counts and the parts of the case that is open beside the list.
type rows[C CaseContext, T any] struct{ desk Desk[C, T] }

// Done answers an act.
func (a rows[C, T]) Done(r *desk.Request, cc C, flash Flash) error {
	cc, err := a.desk.Read(r, cc.About().ID)
	if err != nil {
		return err
	}
	done, err := a.current(r, cc)
	if err != nil {
		return err
	}
	done.Flash = cc.Page().T(flash.Key, append(flash.Pairs, "number", cc.About().Number)...)
	return r.Show(caseview.CaseDone(done))
}

// row answers a page that heard of a change of the case in the address: its row, and everything that depends on it.
func (d Desk[C, T]) row(r *desk.Request) error {
	cc, err := d.Named(r)
	if err != nil {
		return err
	}
	done, err := rows[C, T]{d}.current(r, cc)
	if err != nil {
		return err
	}
	return r.Show(caseview.Changed(done))
}

// Claimed answers a claim, with the moment it ends, or its release.
func (a rows[C, T]) Claimed(r *desk.Request, cc C, noun string) error {
	if noun == Release {
		return a.Done(r, cc, NewFlash("case.released"))
	}
	cc, err := a.desk.Read(r, cc.About().ID)
	if err != nil {
		return err
	}
	return a.Done(r, cc, NewFlash("case.claimed", "until", cc.Page().At(*cc.About().Claim.ClaimedUntil)))
}

// Notice answers an act that was not done: why, and the current state of the case.
func (a rows[C, T]) Notice(r *desk.Request, cc C, alert ui.AlertView) error {
	done, err := a.current(r, cc)
	if err != nil {
		return err
	}
	here := cc.Page()
	frame := ui.DialogView{ID: "refusal", Title: here.T(here.TextPrefix + ".refused"), Note: cc.About().Number, Cancel: here.T("ui.close")}
	return r.Dialog(http.StatusConflict, caseview.Refused(caseview.Dialog{Frame: frame, Alert: &alert}, done))
}

// current reads the current state of a case: its row, the counts, and its parts if the requesting page shows it.
func (a rows[C, T]) current(r *desk.Request, cc C) (done caseview.Done, err error) {
	d, sel := a.desk, a.desk.asked(r)
	list, err := d.rows(r, sel, []T{d.Item(cc)})
	if err != nil {
		return done, err
	}
	done.Row, done.Count = list[0].QueueRowView, r.Count(d.Name)
	tabs, err := d.tabs(r, sel)
	done.Tabs = caseview.Tabs(d.Name, r.Word(d.Texts+".title"), tabs, true)
	if err != nil || r.CurrentPage().Path != d.address(cc.About().ID).String() {
		return done, err
	}
	done.Row.Selected = true
	view, err := d.view(cc)
	done.Parts = caseview.Parts(view)
	return done, err
}
