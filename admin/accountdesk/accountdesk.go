// Package accountdesk is each member's own account: who they are here, their password, their sessions, their passkeys, and the recovery codes of a super admin.
package accountdesk

import (
	"context"
	"net/http"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/factor"
	"candor/app/staff"
	"candor/templates/accountview"
	"candor/templates/ui"
)

// Services holds the dependencies of the desk.
type Services struct {
	Staff *staff.Service
}

var home = ui.To(desk.AccountPath)

// Routes lists the desk's routes. Each acts on the account of the member who asks.
func Routes(s Services) []desk.Route {
	return []desk.Route{
		{Method: http.MethodGet, Path: "/account", Permission: access.Home, Handle: s.page},
		{Method: http.MethodGet, Path: "/account/password", Permission: access.Home, Handle: s.askPassword},
		{Method: http.MethodPost, Path: "/account/password", Permission: access.Home, Handle: s.changePassword},
		{Method: http.MethodPost, Path: "/account/sessions/end", Permission: access.Home, Handle: s.endOtherSessions},
		{Method: http.MethodPost, Path: "/account/sessions/:id/end", Permission: access.Home, Handle: s.endSession},
		{Method: http.MethodGet, Path: "/account/passkeys/new", Permission: access.Home, Handle: s.askNew},
		{Method: http.MethodPost, Path: "/account/passkeys/new", Permission: access.Home, Handle: s.begin},
		{Method: http.MethodPost, Path: "/account/passkeys", Permission: access.Home, Handle: s.add},
		{Method: http.MethodGet, Path: "/account/passkeys/:id/name", Permission: access.Home, Handle: s.askName},
		{Method: http.MethodPost, Path: "/account/passkeys/:id/name", Permission: access.Home, Handle: s.rename},
		{Method: http.MethodGet, Path: "/account/passkeys/:id/removal", Permission: access.Home, Handle: s.askRemoval},
		{Method: http.MethodPost, Path: "/account/passkeys/:id/removal", Permission: access.Home, Handle: s.remove},
		{Method: http.MethodGet, Path: "/account/recovery-codes", Permission: access.StaffManage, Handle: s.askCodes},
		{Method: http.MethodPost, Path: "/account/recovery-codes", Permission: access.StaffManage, Handle: s.createCodes},
	}
}

func ctxOf(r *desk.Request) context.Context { return r.Context.Request().Context() }

func (s Services) page(r *desk.Request) error {
	view, err := s.view(r)
	if err != nil {
		return err
	}
	return r.Show(accountview.Page(r.Page(r.Word("me.title"), ""), view))
}

// done answers an act with the account as it is now.
func (s Services) done(r *desk.Request, flash string) error {
	view, err := s.view(r)
	if err != nil {
		return err
	}
	return r.Show(accountview.Done(view, flash))
}

func (s Services) view(r *desk.Request) (view accountview.Account, err error) {
	f, err := s.Staff.Factors(ctxOf(r), r.Member.ID)
	if err != nil {
		return view, err
	}
	roles := make([]string, len(r.Member.Roles))
	for i, role := range r.Member.Roles {
		roles[i] = r.Word("role." + string(role))
	}
	if len(roles) == 0 {
		roles = []string{r.Word("nav.no_role")}
	}
	reset := "me.authenticator.note"
	if r.May(access.StaffManage) {
		reset = "me.authenticator.note.admin"
		last, err := s.Staff.LastAdmin(ctxOf(r), r.Member.ID)
		if err != nil {
			return view, err
		}
		if last {
			reset = "me.authenticator.note.last"
		}
	}
	view.Facts = []ui.Fact{
		{Label: r.Word("signin.name"), Value: r.Member.Name, Strong: true},
		{Label: r.Word("signin.email"), Value: r.Member.Email},
		{Label: r.Word("staff.roles"), Value: strings.Join(roles, ", ")},
		{Label: r.Word("staff.authenticator"), Value: r.Word("staff.authenticator.set"), Note: r.Word(reset)},
	}
	view.Password = ui.ButtonView{Label: r.Word("me.password.change"), Size: ui.Small, HX: ui.OpenDialog(passwordPath)}
	view.Add = ui.ButtonView{Label: r.Word("me.passkey.add"), Icon: ui.IconPlus, Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/account/passkeys/new"))}
	for _, one := range f.Passkeys {
		view.Passkeys = append(view.Passkeys, passkeyLine(r, one))
	}
	if r.May(access.StaffManage) {
		view.Recovery = recovery(r, f.RecoveryCodes)
	}
	view.Sessions, err = s.sessions(r)
	return view, err
}

func passkeyLine(r *desk.Request, one factor.Passkey) accountview.Passkey {
	line := accountview.Passkey{Name: one.Name, Times: r.Word("me.passkey.unused", "added", r.Day(one.CreatedAt))}
	if one.LastUsedAt != nil {
		line.Times = r.Word("me.passkey.times", "added", r.Day(one.CreatedAt), "used", r.Moment(*one.LastUsedAt))
	}
	line.Buttons = []ui.ButtonView{
		{Label: r.Word("me.passkey.rename"), Size: ui.Tiny, HX: ui.OpenDialog(ui.To("/admin/account/passkeys/{}/name", one.ID))},
		{Label: r.Word("me.passkey.remove"), Size: ui.Tiny, HX: ui.OpenDialog(ui.To("/admin/account/passkeys/{}/removal", one.ID))},
	}
	return line
}

// fewCodes is when new recovery codes are due.
const fewCodes = 3

func recovery(r *desk.Request, left int) *accountview.Recovery {
	out := accountview.Recovery{
		Left:   r.Word("me.codes.left", "count", left),
		Create: ui.ButtonView{Label: r.Word("me.codes.new"), Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/account/recovery-codes"))},
	}
	switch {
	case left == 0:
		out.Left = r.Word("me.codes.none")
		out.Warning = r.Word("me.codes.none.why")
		out.Create.Label = r.Word("me.codes.first")
	case left <= fewCodes:
		out.Warning = r.Word("me.codes.few")
	}
	return &out
}
