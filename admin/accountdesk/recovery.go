package accountdesk

import (
	"net/http"

	"candor/admin/desk"
	"candor/templates/accountview"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// creating is the act that a step-up confirms before recovery codes are shown.
var creating = desk.Proof{Act: "staff.new_recovery_codes"}

func (s Services) askCodes(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home.String())
	}
	return codesDialog(r, http.StatusOK, "")
}

func codesDialog(r *desk.Request, status int, problem string) error {
	code, err := r.CodeField(creating, problem)
	if err != nil {
		return err
	}
	return r.Dialog(status, caseview.Decide(caseview.Dialog{
		Frame: ui.DialogView{
			Title: r.Word("me.codes.title"), Note: r.Word("me.codes.note"),
			Form: ui.FormView{Post: ui.To("/admin/account/recovery-codes"), Target: ui.TargetDetail, Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: r.Word("me.codes.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy")},
		},
		Fields: []ui.FieldView{code},
	}))
}

// createCodes shows the new codes in the answer and nowhere else.
func (s Services) createCodes(r *desk.Request) error {
	may, err := r.Confirmed(creating, func(problem string) error { return codesDialog(r, http.StatusUnprocessableEntity, problem) })
	if !may {
		return err
	}
	codes, err := s.Staff.NewRecoveryCodes(ctxOf(r), r.Actor())
	if err != nil {
		return err
	}
	return r.Show(accountview.Codes(accountview.CodesPage{
		Codes: codes, Owner: r.Word("me.codes.owner", "name", r.Member.Name, "email", r.Member.Email, "at", r.Day(r.Now())), Back: home,
	}))
}
