package caseengine

import (
	"errors"
	"strconv"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/templates/ui"
)

// HistoryLimit is how many entries of the audit log a case shows.
const HistoryLimit = 100

// Entries is a case's part of the audit log, the newest first.
func (a About) Entries() audit.Filter {
	return audit.Filter{TargetKind: a.Target, TargetID: strconv.FormatInt(a.ID, 10), Limit: HistoryLimit}
}

// Refuse answers an act that the state of the case did not allow: it says why, and shows the case as it is now.
// The frame answers any other refusal, and records what is forbidden.
func (d Desk[C, T]) Refuse(r *desk.Request, id int64, reason error) error {
	if !conflicts(reason) {
		return reason
	}
	cc, err := d.Read(r, id)
	if err != nil {
		return err
	}
	return d.answers().Notice(r, cc, nothing(cc, reason))
}

func conflicts(reason error) bool {
	refusal := errs.As(reason)
	return refusal != nil && refusal.Kind == errs.Conflict
}

// nothing is the alert that nothing was done, and why.
func nothing(cc CaseContext, reason error) ui.AlertView {
	here := cc.Page()
	return ui.AlertView{Tone: ui.ToneWarning, Title: here.Why(reason, cc.About().Claim), Text: here.T(here.TextPrefix + ".conflict.nothing")}
}

// stale says who changed the case, when, and from which version to which, after a decision about an older one.
func (d Desk[C, T]) stale(cc C, seen int, reason error) (ui.AlertView, error) {
	alert, here, about := nothing(cc, reason), cc.Page(), cc.About()
	if seen == about.Version {
		return alert, nil
	}
	entries, _, err := d.Audit.List(here.Ctx, about.Entries())
	if err != nil {
		return alert, err
	}
	for _, e := range entries {
		if !d.isReadOnly(e) {
			alert.Title = here.T(here.TextPrefix+".conflict.who", "name", e.ActorName, "at", e.At.In(here.Zone).Format("15:04:05"))
			break
		}
	}
	alert.Text = here.T(here.TextPrefix+".conflict.versions", "seen", seen, "now", about.Version)
	return alert, nil
}

func (d Desk[C, T]) isReadOnly(e audit.Entry) bool { return d.ReadOnly != nil && d.ReadOnly(e) }

// fieldErrors are the texts of refusals that belong beside fields; nil for any other.
func (d Desk[C, T]) fieldErrors(r *desk.Request, err error) map[string]string {
	for field, refusal := range d.FieldErrors {
		if errors.Is(err, refusal) {
			return map[string]string{field: r.Text(err)}
		}
	}
	if problem := r.CodeProblem(err); problem != "" {
		return map[string]string{"code": problem}
	}
	return r.FieldTexts(err)
}
