package controldesk

import (
	"context"
	"fmt"
	"net/http"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/staff"
	"candor/templates/controlview"
	"candor/templates/ui"
)

// act is an act on a person, after a dialog that states its consequences.
type act struct {
	name    string // in the keys of its texts
	audited string // the act as the audit log names it
	path    string
	kind    ui.ButtonKind
	do      func(s *staff.Service, ctx context.Context, actor audit.Actor, id int64, version int) error
}

// The acts.
var (
	disable            = act{"disable", "staff.disable", "disabling", ui.Danger, (*staff.Service).Disable}
	enable             = act{"enable", "staff.enable", "enabling", ui.Primary, (*staff.Service).Enable}
	resetAuthenticator = act{"reset", "staff.reset_authenticator", "authenticator", ui.Danger, (*staff.Service).ResetAuthenticator}
	resetAccess        = act{"start_afresh", "staff.start_afresh", "fresh-start", ui.Danger, (*staff.Service).ResetAccess}
	inviteAgain        = act{"invite_again", "staff.invite_again", "invitation", ui.Primary, (*staff.Service).InviteAgain}
)

// ask opens the dialog of an act.
func (s Services) ask(a act) func(*desk.Request) error {
	return func(r *desk.Request) error {
		p, err := s.read(r)
		if err != nil {
			return err
		}
		if !r.Partial() {
			return r.RedirectTo(personPath(p.ID).String())
		}
		return a.show(r, http.StatusOK, p, "")
	}
}

func (a act) show(r *desk.Request, status int, p staff.Person, problem string) error {
	key := "staff." + a.name
	if a.name == disable.name && p.State == staff.Invited {
		key = "staff.withdraw_invitation"
	}
	return showProved(r, status, proofOf(a.audited, p), problem, controlview.Confirm{
		Alert: a.lossAlert(r, p),
		Dialog: ui.DialogView{
			Title: word(r, key+".title", "name", p.Name),
			Form:  personForm(p, ui.To("/admin/staff/{}/"+a.path, p.ID)),
			Act:   ui.ButtonView{Label: word(r, key+".act", "name", p.Name), Kind: a.kind, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Facts: append(whoFacts(r, p), ui.Fact{Label: word(r, "staff.then"), Value: word(r, key+".then")}),
	})
}

// lossAlert warns of what follows when a super admin is lost; nil for other acts.
func (a act) lossAlert(r *desk.Request, p staff.Person) *ui.AlertView {
	if !p.Has(staff.SuperAdmin) || p.State != staff.Active || a.name != disable.name && a.name != resetAccess.name {
		return nil
	}
	return lossAlert(r)
}

func lossAlert(r *desk.Request) *ui.AlertView {
	return &ui.AlertView{Tone: ui.ToneWarning, Text: word(r, "staff.admin_loss")}
}

// proofOf is the step-up of an act, as the audit log names it, on a person as the dialog showed them.
func proofOf(act string, p staff.Person) desk.Proof {
	return desk.Proof{Act: act, About: fmt.Sprintf("staff %d version %d", p.ID, p.Version)}
}

// showProved shows a dialog whose act needs a step-up. Problem is the text of its refusal.
func showProved(r *desk.Request, status int, proof desk.Proof, problem string, c controlview.Confirm) error {
	code, err := r.CodeField(proof, problem)
	if err != nil {
		return err
	}
	c.Fields = append(c.Fields, code)
	return r.Dialog(status, controlview.ConfirmDialog(c))
}

// personForm posts the shown version, and shows the answer in the detail.
func personForm(p staff.Person, post ui.Path) ui.FormView {
	return ui.FormView{Post: post, Target: ui.TargetDetail, Swap: ui.SwapInside, Hidden: []ui.Hidden{{Name: "version", Value: fmt.Sprint(p.Version)}}}
}

func whoFacts(r *desk.Request, p staff.Person) []ui.Fact {
	return []ui.Fact{
		{Label: word(r, "signin.name"), Value: p.Name, Strong: true},
		{Label: word(r, "signin.email"), Value: p.Email},
		{Label: word(r, "staff.roles"), Value: roleList(r, p.Roles)},
	}
}

// outcome is what an act reports. Without a sender the link that it mails stays in the outbox.
func (s Services) outcome(r *desk.Request, a act) string {
	switch a.name {
	case resetAuthenticator.name, resetAccess.name, inviteAgain.name:
		return s.mailed(r, "staff."+a.name+".done")
	}
	return word(r, "staff."+a.name+".done")
}

// mailed is the report of a mail that was queued, or kept where there is no sender.
func (s Services) mailed(r *desk.Request, key string, pairs ...any) string {
	if s.Kept && !s.Production {
		key += ".kept"
	}
	return word(r, key, pairs...)
}

// act runs the act that the dialog posted.
func (s Services) act(a act) func(*desk.Request) error {
	return func(r *desk.Request) error {
		p, err := s.read(r)
		if err != nil {
			return err
		}
		version, err := r.Version()
		if err != nil {
			return err
		}
		may, err := r.Confirmed(proofOf(a.audited, p), func(problem string) error { return a.show(r, http.StatusUnprocessableEntity, p, problem) })
		if !may {
			return err
		}
		if err := a.do(s.Staff, ctxOf(r), r.Actor(), p.ID, version); err != nil {
			return err
		}
		return s.done(r, p.ID, s.outcome(r, a))
	}
}
