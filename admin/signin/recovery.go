package signin

import (
	"net/http"

	"candor/admin/desk"
	"candor/templates/signinview"
	"candor/templates/ui"
)

// askRecovery asks a super admin who has recovery codes for one. The page of the code tells everybody else whom to ask.
func (d handlers) askRecovery(v *desk.Visitor) error {
	id, err := d.halfway(v)
	if err != nil {
		return err
	}
	if id == 0 {
		return v.RedirectTo(desk.SignInPath(""))
	}
	recovers, err := d.staff.CanRecover(v.Request().Context(), id)
	if err != nil {
		return err
	}
	if !recovers {
		return v.RedirectTo("/admin/signin/code")
	}
	return d.showRecovery(v, http.StatusOK, "")
}

func (d handlers) showRecovery(v *desk.Visitor, status int, problem string) error {
	return v.Show(status, signinview.Recovery(signinview.Page{Frame: v.Bare(word(v, "signin.recovery.title")), Post: ui.To("/admin/signin/recovery"), Error: problem}))
}

// takeRecovery turns a right recovery code into the one-time link for a new authenticator, which asks for the password again.
func (d handlers) takeRecovery(v *desk.Visitor) error {
	id, err := d.halfway(v)
	if err != nil {
		return err
	}
	if id == 0 {
		return v.RedirectTo(desk.SignInPath(""))
	}
	path, err := d.staff.Recover(v.Request().Context(), id, v.PostFormValue("code"), v.From())
	if refused(v, err) {
		return d.showRecovery(v, statusOf(err), v.Text(err))
	}
	if err != nil {
		return err
	}
	return v.RedirectTo(path)
}
