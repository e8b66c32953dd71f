package controldesk

import (
	"fmt"
	"net/http"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/templates/controlview"
	"candor/templates/ui"
)

const historyLimit = 6

func personPath(id int64) ui.Path { return ui.To("/admin/staff/{}", id) }

func roleList(r *desk.Request, roles []staff.Role) string {
	if len(roles) == 0 {
		return word(r, "nav.no_role")
	}
	names := make([]string, len(roles))
	for i, role := range roles {
		names[i] = roleName(r, role)
	}
	return strings.Join(names, ", ")
}

// personChips mark an unusual state of a person; active people have none.
func personChips(r *desk.Request, p staff.Person) (chips []ui.ChipView) {
	switch {
	case p.State == staff.Disabled:
		chips = append(chips, ui.ChipView{Tone: ui.ToneError, Icon: ui.IconPause, Label: word(r, "staff.state.disabled")})
	case p.State == staff.Invited:
		chips = append(chips, ui.ChipView{Tone: ui.ToneInfo, Icon: ui.IconMail, Label: word(r, "staff.state.invited")})
	case !p.HasAuthenticator():
		chips = append(chips, ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconKey, Label: word(r, "staff.state.no_authenticator")})
	}
	if p.ID == r.Member.ID {
		chips = append(chips, ui.ChipView{Tone: ui.ToneAccent, Icon: ui.IconPerson, Label: word(r, "staff.you")})
	}
	return chips
}

// read reads the person in the address.
func (s Services) read(r *desk.Request) (staff.Person, error) {
	id, err := r.ID("id")
	if err != nil {
		return staff.Person{}, err
	}
	return s.Staff.Person(ctxOf(r), id)
}

func (s Services) person(r *desk.Request) error {
	p, err := s.read(r)
	if err != nil {
		return err
	}
	view, err := s.personView(r, p)
	if err != nil {
		return err
	}
	if r.Partial() {
		return r.Show(controlview.PersonParts(view))
	}
	said := ""
	if r.QueryParam("invited") != "" && p.State == staff.Invited {
		said = s.mailed(r, "staff.invite.done", "email", p.Email)
	}
	return r.Show(controlview.PersonPage(r.Page(p.Name, "staff"), view, said))
}

func (s Services) personView(r *desk.Request, p staff.Person) (view controlview.Person, err error) {
	locked := lockedFor(r, p)
	view = controlview.Person{Name: p.Name, Chips: personChips(r, p), Facts: personFacts(r, p), Buttons: personButtons(r, p, locked), Note: locked}
	for _, role := range p.Roles {
		view.Roles = append(view.Roles, roleLine(r, p, role, locked))
	}
	if view.Requests, err = s.requestsOf(r, p); err != nil {
		return view, err
	}
	if view.Sessions, err = s.sessionLines(r, p, locked); err != nil {
		return view, err
	}
	if r.May(access.AuditView) {
		view.Log = logHome.With("kind", "staff").With("target", p.ID)
		view.History, err = s.recent(r, audit.Filter{TargetKind: "staff", TargetID: fmt.Sprint(p.ID), Limit: historyLimit})
	}
	return view, err
}

// lockedFor is the reason why the member may not change a person; empty if they may.
func lockedFor(r *desk.Request, p staff.Person) string {
	switch {
	case !r.May(access.StaffManage):
		return word(r, "staff.no_power")
	case p.ID == r.Member.ID:
		return r.Text(staff.ErrSelf)
	}
	return ""
}

func personFacts(r *desk.Request, p staff.Person) []ui.Fact {
	set := ui.Fact{Label: word(r, "staff.authenticator"), Value: word(r, "staff.authenticator.set")}
	if !p.HasAuthenticator() {
		set.Value, set.Tone = word(r, "staff.authenticator.none"), ui.ToneWarning
	}
	return []ui.Fact{
		{Label: word(r, "signin.email"), Value: p.Email},
		phoneFact(r, p),
		{Label: word(r, "staff.since"), Value: r.Day(p.CreatedAt)},
		{Label: word(r, "staff.last"), Value: lastSignIn(r, p)},
		set,
	}
}

func roleLine(r *desk.Request, p staff.Person, role staff.Role, locked string) controlview.RoleLine {
	var powers []string
	for _, permission := range access.PermissionsOf(role) {
		if permission != access.Home {
			powers = append(powers, word(r, "permission."+string(permission)))
		}
	}
	line := controlview.RoleLine{Name: roleName(r, role), Powers: strings.Join(powers, " · "), Sensitive: staff.Sensitive[role]}
	if len(powers) == 0 {
		line.Powers = word(r, "staff.roles.no_power")
	}
	line.Revoke = lockable(ui.ButtonView{
		Label: word(r, "staff.revoke"), Size: ui.Tiny, HX: ui.OpenDialog(ui.To("/admin/staff/{}/roles/{}/revocation", p.ID, role)),
	}, locked)
	return line
}

func lockable(b ui.ButtonView, locked string) ui.ButtonView {
	if locked != "" {
		b.HX, b.Key, b.Locked, b.Why = ui.HX{}, "", true, locked
	}
	return b
}

func personButtons(r *desk.Request, p staff.Person, locked string) (buttons []ui.ButtonView) {
	add := func(key, path string, button ui.ButtonView) {
		button.Label, button.HX = word(r, key), ui.OpenDialog(ui.To("/admin/staff/{}/"+path, p.ID))
		buttons = append(buttons, lockable(button, locked))
	}
	switch p.State {
	case staff.Disabled:
		add("staff.enable", "enabling", ui.ButtonView{Kind: ui.Primary})
	case staff.Invited:
		add("staff.withdraw_invitation", "disabling", ui.ButtonView{Kind: ui.Danger})
		add("staff.invite_again", "invitation", ui.ButtonView{})
		add("staff.phone.set", "phone", ui.ButtonView{})
		add("staff.give_role", "role", ui.ButtonView{Kind: ui.Primary, Key: "R"})
	case staff.Active:
		add("staff.disable", "disabling", ui.ButtonView{Kind: ui.Danger})
		add("staff.start_afresh", "fresh-start", ui.ButtonView{})
		add("staff.reset", "authenticator", ui.ButtonView{})
		add("staff.phone.set", "phone", ui.ButtonView{})
		add("staff.give_role", "role", ui.ButtonView{Kind: ui.Primary, Key: "R"})
	}
	return buttons
}

// requestsOf shows the open requests for a person, with buttons for the members who may use them.
func (s Services) requestsOf(r *desk.Request, p staff.Person) (out []controlview.Request, err error) {
	list, err := s.Staff.OpenRequests(ctxOf(r), 100)
	for _, request := range list {
		if request.StaffID != p.ID {
			continue
		}
		view := requestView(r, request)
		view.Title = roleName(r, request.Role)
		if view.Locked == "" {
			view.Buttons = []ui.ButtonView{
				{Label: word(r, "staff.refuse"), Size: ui.Small, Kind: ui.Danger, HX: ui.OpenDialog(ui.To("/admin/role-requests/{}/refusal", request.ID))},
				{Label: word(r, "staff.grant"), Size: ui.Small, Kind: ui.Primary, HX: ui.OpenDialog(ui.To("/admin/role-requests/{}/approval", request.ID))},
			}
		}
		if request.RequestedBy == r.Member.ID && r.May(access.StaffManage) {
			view.Buttons = append(view.Buttons, ui.ButtonView{Label: word(r, "staff.withdraw"), Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/role-requests/{}/withdrawal", request.ID))})
		}
		out = append(out, view)
	}
	return out, err
}

// done answers an act on a person with the current detail.
func (s Services) done(r *desk.Request, id int64, flash string) error {
	p, err := s.Staff.Person(ctxOf(r), id)
	if err != nil {
		return err
	}
	detail, err := s.personView(r, p)
	if err != nil {
		return err
	}
	return r.Show(controlview.PersonDone(controlview.Done{Detail: detail, Count: r.Count("staff"), Flash: flash}))
}

func (s Services) askInvitation(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo("/admin/staff")
	}
	return showInvitation(r, http.StatusOK, "", "", nil)
}

// inviting is the step-up of an invitation, whose address is typed after the dialog has asked for it.
var inviting = desk.Proof{Act: "staff.invite", About: "staff"}

func showInvitation(r *desk.Request, status int, name, email string, problems map[string]string) error {
	return showProved(r, status, inviting, problems["code"], controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "staff.invite.title"), Note: word(r, "staff.invite.note"),
			Form: ui.FormView{Post: ui.To("/admin/staff/invitation"), Target: ui.TargetDialog, Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: word(r, "staff.invite.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Fields: []ui.FieldView{
			{Name: "name", Label: word(r, "signin.name"), Hint: word(r, "signin.name.hint"), Value: name, MaxLength: 80, Required: true, Error: problems["name"]},
			{Name: "email", Label: word(r, "signin.email"), Type: "email", Value: email, MaxLength: 254, Required: true, Error: problems["email"]},
		},
	})
}

func (s Services) invite(r *desk.Request) error {
	name, email := r.PostFormValue("name"), r.PostFormValue("email")
	err := s.Staff.CheckInvitation(ctxOf(r), email, name)
	if problems := fieldProblems(r, err); problems != nil {
		return showInvitation(r, http.StatusUnprocessableEntity, name, email, problems)
	}
	if err != nil {
		return err
	}
	may, err := r.Confirmed(inviting, func(problem string) error {
		return showInvitation(r, http.StatusUnprocessableEntity, name, email, map[string]string{"code": problem})
	})
	if !may {
		return err
	}
	p, err := s.Staff.Invite(ctxOf(r), r.Actor(), email, name)
	if problems := fieldProblems(r, err); problems != nil {
		return showInvitation(r, http.StatusUnprocessableEntity, name, email, problems)
	}
	if err != nil {
		return err
	}
	return r.RedirectTo(personPath(p.ID).With("invited", 1).String())
}

// fieldProblems are the texts of refusals that belong beside fields; nil for any other.
func fieldProblems(r *desk.Request, err error) map[string]string {
	refusal := errs.As(err)
	if refusal == nil || refusal.Kind != errs.Invalid {
		return nil
	}
	out := map[string]string{}
	for field, key := range refusal.Fields {
		out[field] = word(r, key)
	}
	return out
}
