package accountdesk

import (
	"errors"
	"net/http"

	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/session"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// changing is the act that a step-up confirms before a new password is stored.
var changing = desk.Proof{Act: "staff.change_password"}

var passwordPath = ui.To("/admin/account/password")

func (s Services) askPassword(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home.String())
	}
	return passwordDialog(r, http.StatusOK, nil)
}

// passwordDialog shows no typed password again.
func passwordDialog(r *desk.Request, status int, problems map[string]string) error {
	code, err := r.CodeField(changing, problems["code"])
	if err != nil {
		return err
	}
	return r.Dialog(status, caseview.Decide(caseview.Dialog{
		Frame: ui.DialogView{
			Title: r.Word("me.password.title"), Note: r.Word("me.password.note"),
			Form: ui.FormView{Post: passwordPath, Target: ui.TargetDetail, Swap: ui.SwapInside, Hidden: []ui.Hidden{{Name: "username", Value: r.Member.Email}}},
			Act:  ui.ButtonView{Label: r.Word("me.password.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy")},
		},
		Fields: []ui.FieldView{
			{Name: "password", Label: r.Word("me.password.current"), Type: "password", Autocomplete: "current-password", Error: problems["password"], MaxLength: 512, Required: true},
			{
				Name: "new_password", Label: r.Word("signin.password.new"), Hint: r.Word("signin.password.hint"), Type: "password", Autocomplete: "new-password",
				Error: problems["new_password"], MaxLength: 128, Required: true,
			},
			code,
		},
	}))
}

// changePassword checks the passwords before the step-up, so that a refused one uses up no code.
func (s Services) changePassword(r *desk.Request) error {
	change, err := s.Staff.CheckPasswords(ctxOf(r), r.Actor(), r.PostFormValue("password"), r.PostFormValue("new_password"))
	if problems := passwordProblems(r, err); problems != nil {
		return passwordDialog(r, http.StatusUnprocessableEntity, problems)
	}
	if err != nil {
		return err
	}
	may, err := r.Confirmed(changing, func(problem string) error {
		return passwordDialog(r, http.StatusUnprocessableEntity, map[string]string{"code": problem})
	})
	if !may {
		return err
	}
	if err := s.Staff.ChangePassword(ctxOf(r), r.Actor(), r.SessionID(), change); err != nil {
		return err
	}
	return s.done(r, r.Word("me.password.changed"))
}

// passwordProblems are the texts of a refusal by field; nil for any other error. After too many wrong passwords the current one has to wait.
func passwordProblems(r *desk.Request, err error) map[string]string {
	if errors.Is(err, session.ErrThrottle) {
		return map[string]string{"password": r.Text(err)}
	}
	if refusal := errs.As(err); refusal != nil && refusal.Kind == errs.Invalid {
		return r.FieldTexts(err)
	}
	return nil
}
