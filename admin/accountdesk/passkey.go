package accountdesk

import (
	"encoding/json"
	"net/http"
	"strconv"

	"candor/admin/desk"
	"candor/app/factor"
	"candor/app/platform/errs"
	"candor/templates/accountview"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// adding is the act that a step-up confirms before the browser creates a passkey.
var adding = desk.Proof{Act: "staff.add_passkey"}

func removing(id int64) desk.Proof {
	return desk.Proof{Act: "staff.remove_passkey", About: "passkey " + strconv.FormatInt(id, 10)}
}

func (s Services) askNew(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home.String())
	}
	return newDialog(r, http.StatusOK, "", nil)
}

func newDialog(r *desk.Request, status int, name string, problems map[string]string) error {
	code, err := r.CodeField(adding, problems["code"])
	if err != nil {
		return err
	}
	return r.Dialog(status, caseview.Decide(caseview.Dialog{
		Frame: ui.DialogView{
			Title: r.Word("me.passkey.add"), Note: r.Word("me.passkey.before"),
			Form: ui.FormView{Post: ui.To("/admin/account/passkeys/new"), Target: ui.TargetDialog, Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: r.Word("signin.next"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy")},
		},
		Fields: []ui.FieldView{nameField(r, name, r.Word("me.passkey.name.hint"), problems["name"]), code},
	}))
}

func nameField(r *desk.Request, name, hint, problem string) ui.FieldView {
	return ui.FieldView{Name: "name", Label: r.Word("me.passkey.name"), Hint: hint, Value: name, Error: problem, MaxLength: factor.LongestName, Required: true}
}

// begin answers a step-up with what the browser needs to create the passkey.
func (s Services) begin(r *desk.Request) error {
	typed := r.PostFormValue("name")
	name, err := factor.CheckName(typed)
	if err != nil {
		return newDialog(r, http.StatusUnprocessableEntity, typed, r.FieldTexts(err))
	}
	may, err := r.Confirmed(adding, func(problem string) error {
		return newDialog(r, http.StatusUnprocessableEntity, typed, map[string]string{"code": problem})
	})
	if !may {
		return err
	}
	creation, err := s.Staff.NewPasskey(ctxOf(r), r.Actor())
	if err != nil {
		return err
	}
	options, err := json.Marshal(creation.Response)
	if err != nil {
		return err
	}
	return r.Dialog(http.StatusOK, accountview.Create(ui.DialogView{
		Title: r.Word("me.passkey.create.title", "name", name), Note: r.Word("me.passkey.create.note"),
		Form: ui.FormView{Post: ui.To("/admin/account/passkeys"), Target: ui.TargetDetail, Swap: ui.SwapInside, Hidden: []ui.Hidden{{Name: "name", Value: name}}},
		Act:  ui.ButtonView{Label: r.Word("me.passkey.create"), Icon: ui.IconKey, Kind: ui.Primary, Submit: true, Main: true},
	}, ui.PasskeyView{Options: string(options)}))
}

func (s Services) add(r *desk.Request) error {
	if err := s.Staff.AddPasskey(ctxOf(r), r.Actor(), r.PostFormValue("name"), []byte(r.PostFormValue("passkey"))); err != nil {
		return err
	}
	return s.done(r, r.Word("me.passkey.added"))
}

// named is the member's passkey in the address.
func (s Services) named(r *desk.Request) (factor.Passkey, error) {
	id, err := r.ID("id")
	if err != nil {
		return factor.Passkey{}, err
	}
	return s.Staff.Passkey(ctxOf(r), r.Member.ID, id)
}

func (s Services) askName(r *desk.Request) error {
	one, err := s.named(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(home.String())
	}
	return nameDialog(r, http.StatusOK, one.ID, one.Name, "")
}

func nameDialog(r *desk.Request, status int, id int64, name, problem string) error {
	return r.Dialog(status, caseview.Decide(caseview.Dialog{
		Frame: ui.DialogView{
			Title: r.Word("me.passkey.rename.title"),
			Form:  ui.FormView{Post: ui.To("/admin/account/passkeys/{}/name", id), Target: ui.TargetDetail, Swap: ui.SwapInside},
			Act:   ui.ButtonView{Label: r.Word("me.passkey.rename.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy")},
		},
		Fields: []ui.FieldView{nameField(r, name, "", problem)},
	}))
}

func (s Services) rename(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	name := r.PostFormValue("name")
	err = s.Staff.RenamePasskey(ctxOf(r), r.Actor(), id, name)
	if refusal := errs.As(err); refusal != nil && refusal.Kind == errs.Invalid {
		return nameDialog(r, http.StatusUnprocessableEntity, id, name, r.FieldTexts(err)["name"])
	}
	if err != nil {
		return err
	}
	return s.done(r, r.Word("me.passkey.renamed"))
}

func (s Services) askRemoval(r *desk.Request) error {
	one, err := s.named(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(home.String())
	}
	return removalDialog(r, http.StatusOK, one, "")
}

func removalDialog(r *desk.Request, status int, one factor.Passkey, problem string) error {
	code, err := r.CodeField(removing(one.ID), problem)
	if err != nil {
		return err
	}
	return r.Dialog(status, caseview.Decide(caseview.Dialog{
		Frame: ui.DialogView{
			Title: r.Word("me.passkey.remove.title", "name", one.Name), Note: r.Word("me.passkey.remove.note"),
			Form: ui.FormView{Post: ui.To("/admin/account/passkeys/{}/removal", one.ID), Target: ui.TargetDetail, Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: r.Word("me.passkey.remove.act"), Kind: ui.Danger, Submit: true, Money: true, Busy: r.Word("act.busy")},
		},
		Fields: []ui.FieldView{code},
	}))
}

func (s Services) remove(r *desk.Request) error {
	one, err := s.named(r)
	if err != nil {
		return err
	}
	may, err := r.Confirmed(removing(one.ID), func(problem string) error {
		return removalDialog(r, http.StatusUnprocessableEntity, one, problem)
	})
	if !may {
		return err
	}
	if err := s.Staff.RemovePasskey(ctxOf(r), r.Actor(), one.ID); err != nil {
		return err
	}
	return s.done(r, r.Word("me.passkey.removed"))
}
