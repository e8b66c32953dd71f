package changedesk

import (
	"net/http"

	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/accountchange"
	"candor/app/platform/errs"
	"candor/templates/changeview"
	"candor/templates/ui"
)

// openForm answers with an empty form.
func (s Services) openForm(r *desk.Request) error {
	t, err := desk.Trader(r, s.Traders.Trader)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(ui.To("/admin/traders/{}", t.ID).String())
	}
	return r.Dialog(http.StatusOK, changeview.AskDialog(form(r, t.ID, nil)))
}

// ask requests a change with the posted form.
func (s Services) ask(r *desk.Request) error {
	t, err := desk.Trader(r, s.Traders.Trader)
	if err != nil {
		return err
	}
	c, err := s.Changes.Request(r.Context.Request().Context(), r.Actor(), accountchange.Request{
		TraderID: t.ID, Kind: accountchange.Kind(r.PostFormValue("kind")), ConversationID: caseengine.Numbered(r.PostFormValue("conversation"), ""),
		Contact: desk.Plain(r.PostFormValue("contact")), Compared: r.PostFormValue("compared") != "", Note: desk.Plain(r.PostFormValue("note")),
	})
	if err == nil {
		return r.RedirectTo(address(c.ID).String())
	}
	refusal := errs.As(err)
	if refusal == nil || len(refusal.Fields) == 0 {
		return err
	}
	return r.Dialog(http.StatusUnprocessableEntity, changeview.AskDialog(form(r, t.ID, refusal.Fields)))
}

// form is the dialog with the input and its errors.
func form(r *desk.Request, traderID int64, problems map[string]string) changeview.Ask {
	field := func(f ui.FieldView) ui.FieldView {
		f.Label, f.Value = r.Word("account_change.field."+f.Name), r.PostFormValue(f.Name)
		if problem := problems[f.Name]; problem != "" {
			f.Error = r.Word(problem)
		}
		return f
	}
	kinds := []ui.Option{{Label: r.Word("account_change.field.choose"), Selected: r.PostFormValue("kind") == ""}}
	for _, kind := range accountchange.Kinds {
		kinds = append(kinds, ui.Option{Value: string(kind), Label: r.Word("account_change.kind." + string(kind)), Selected: r.PostFormValue("kind") == string(kind)})
	}
	compared := ui.CheckView{Name: "compared", ID: "change-compared", Label: r.Word("account_change.field.compared"), Checked: r.PostFormValue("compared") != ""}
	if problem := problems["compared"]; problem != "" {
		compared.Error = r.Word(problem)
	}
	return changeview.Ask{
		Dialog: ui.DialogView{
			ID: "account-change", Title: r.Word("account_change.ask.title", "trader", traderID), Note: r.Word("account_change.ask.note"),
			Form: ui.FormView{Post: ui.To("/admin/traders/{}/change", traderID), Target: ui.TargetDialog, Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: r.Word("account_change.ask.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy")},
		},
		Kind:         field(ui.FieldView{Name: "kind", Options: kinds, Required: true}),
		Conversation: field(ui.FieldView{Name: "conversation", Hint: r.Word("account_change.field.conversation.hint"), InputMode: "numeric", MaxLength: 20}),
		Contact:      field(ui.FieldView{Name: "contact", Hint: r.Word("account_change.field.contact.hint"), MaxLength: 90}),
		Compared:     compared,
		Note:         field(ui.FieldView{Name: "note", StaffOnly: true, Rows: 3, MaxLength: 500, Required: true}),
	}
}
