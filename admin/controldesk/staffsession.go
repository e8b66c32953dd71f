package controldesk

import (
	"net/http"

	"candor/admin/desk"
	"candor/app/staff"
	"candor/templates/controlview"
	"candor/templates/ui"
)

// mostSessions is how many sessions a person's page shows.
const mostSessions = 20

// sessionLines are a person's active sessions, each with the button that ends it.
func (s Services) sessionLines(r *desk.Request, p staff.Person, locked string) (out []controlview.SessionLine, err error) {
	list, err := s.Staff.Sessions(ctxOf(r), p, mostSessions)
	for _, one := range list {
		out = append(out, controlview.SessionLine{
			Browser: one.Browser, IP: one.IP, Since: at(r, one.StartedAt), Seen: at(r, one.LastSeenAt),
			End: lockable(ui.ButtonView{Label: word(r, "staff.session.end"), Size: ui.Tiny, HX: ui.OpenDialog(ui.To("/admin/staff/{}/sessions/{}/end", p.ID, one.ID))}, locked),
		})
	}
	return out, err
}

func (s Services) askEndSession(r *desk.Request) error {
	p, err := s.read(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(personPath(p.ID).String())
	}
	id, err := r.ID("session")
	if err != nil {
		return err
	}
	one, err := s.Staff.Session(ctxOf(r), p, id)
	if err != nil {
		return err
	}
	return r.Dialog(http.StatusOK, controlview.ConfirmDialog(controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "staff.session.title", "name", p.Name),
			Form:  personForm(p, ui.To("/admin/staff/{}/sessions/{}/end", p.ID, one.ID)),
			Act:   ui.ButtonView{Label: word(r, "staff.session.act"), Kind: ui.Danger, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Facts: []ui.Fact{
			{Label: word(r, "signin.name"), Value: p.Name, Strong: true}, {Label: word(r, "staff.session.browser"), Value: one.Browser},
			{Label: word(r, "staff.session.ip"), Value: one.IP, Ident: true}, {Label: word(r, "staff.session.since"), Value: at(r, one.StartedAt)},
			{Label: word(r, "staff.then"), Value: word(r, "staff.session.then")},
		},
	}))
}

func (s Services) endSession(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	session, err := r.ID("session")
	if err != nil {
		return err
	}
	if err := s.Staff.EndSession(ctxOf(r), r.Actor(), id, session); err != nil {
		return err
	}
	return s.done(r, id, word(r, "staff.session.done"))
}
