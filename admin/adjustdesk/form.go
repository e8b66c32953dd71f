package adjustdesk

import (
	"crypto/rand"
	"net/http"

	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/trader"
	"candor/templates/adjustview"
	"candor/templates/ui"
)

// wholeCents is the step of a typed amount.
const wholeCents = money.Unit / 100

// fields are the names of the form's fields, in order.
var fields = []string{"direction", "amount", "again", "unit", "reason", "case_kind", "case_id", "note"}

// owner reads the trader in the address.
func (s Services) owner(r *desk.Request) (pageContext, trader.Trader, error) {
	id, err := r.ID("id")
	if err != nil {
		return pageContext{}, trader.Trader{}, err
	}
	t, err := s.Traders.Trader(r.Context.Request().Context(), id)
	if err != nil {
		return pageContext{}, t, err
	}
	pc, err := s.pageContext(r)
	return pc, t, err
}

// openForm answers with an empty form.
func (s Services) openForm(r *desk.Request) error {
	pc, t, err := s.owner(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(ui.To("/admin/traders/{}/funds", t.ID).String())
	}
	return r.Dialog(http.StatusOK, adjustview.AskDialog(pc.form(r, t, rand.Text(), nil)))
}

// ask requests an adjustment with the posted form.
func (s Services) ask(r *desk.Request) error {
	pc, t, err := s.owner(r)
	if err != nil {
		return err
	}
	request, problems := typed(r, t.ID)
	if len(problems) == 0 {
		made, err := s.Adjustments.Request(pc.Ctx, r.Actor(), request)
		if err == nil {
			return r.RedirectTo(address(made.ID).String())
		}
		refusal := errs.As(err)
		if refusal == nil || len(refusal.Fields) == 0 {
			return err
		}
		problems = refusal.Fields
	}
	return r.Dialog(http.StatusUnprocessableEntity, adjustview.AskDialog(pc.form(r, t, request.Key, problems)))
}

// typed reads the maker's input. The amount is typed twice, and its unit beside it, so that a slip shows.
func typed(r *desk.Request, traderID int64) (adjustment.Request, map[string]string) {
	request := adjustment.Request{
		TraderID: traderID, Reason: r.PostFormValue("reason"), Case: typedCase(r), Note: desk.Plain(r.PostFormValue("note")), Key: r.PostFormValue("key"),
	}
	problems := map[string]string{}
	amount, err := money.Parse(desk.Decimal(r.PostFormValue("amount")), money.Scale)
	again, second := money.Parse(desk.Decimal(r.PostFormValue("again")), money.Scale)
	switch {
	case err != nil || amount <= 0 || amount%wholeCents != 0:
		problems["amount"] = "field.amount"
	case second != nil || again != amount:
		problems["again"] = "field.again"
	}
	if r.PostFormValue("unit") != ledger.Currency {
		problems["unit"] = "field.unit"
	}
	switch r.PostFormValue("direction") {
	case "in":
		request.Amount = amount
	case "out":
		request.Amount = -amount
	default:
		problems["direction"] = "field.choice"
	}
	if len(request.Key) < 16 || len(request.Key) > 64 {
		problems["note"] = "field.required"
	}
	return request, problems
}

// form is the dialog with the input and its errors.
func (pc pageContext) form(r *desk.Request, t trader.Trader, key string, problems map[string]string) adjustview.Ask {
	field := map[string]ui.FieldView{}
	for _, name := range fields {
		f := ui.FieldView{Name: name, Label: pc.T("adjustment.field." + name), Value: r.PostFormValue(name), Required: true}
		if problem := problems[name]; problem != "" {
			f.Error = pc.T(problem)
		}
		field[name] = f
	}
	with := func(name string, change func(*ui.FieldView)) ui.FieldView {
		f := field[name]
		change(&f)
		return f
	}
	number := func(f *ui.FieldView) { f.InputMode, f.MaxLength = "decimal", 20 }
	return adjustview.Ask{
		Dialog: ui.DialogView{
			ID: "adjustment", Title: pc.T("adjustment.ask.title", "trader", t.ID), Note: pc.T("adjustment.ask.note"),
			Form: ui.FormView{Post: ui.To("/admin/traders/{}/adjustment", t.ID), Target: ui.TargetDialog, Swap: ui.SwapInside, Hidden: []ui.Hidden{{Name: "key", Value: key}}},
			Act:  ui.ButtonView{Label: pc.T("adjustment.ask.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: pc.T("act.busy")},
		},
		Direction: with("direction", func(f *ui.FieldView) {
			f.Options = []ui.Option{
				{Label: pc.T("adjustment.field.choose"), Selected: f.Value == ""}, {Value: "in", Label: pc.T("adjustment.in"), Selected: f.Value == "in"},
				{Value: "out", Label: pc.T("adjustment.out"), Selected: f.Value == "out"},
			}
		}),
		Amount: with("amount", number),
		Again:  with("again", number),
		Unit: with("unit", func(f *ui.FieldView) {
			f.Hint, f.MaxLength = pc.T("adjustment.field.unit.hint", "unit", ledger.Currency), 8
		}),
		Reason: with("reason", func(f *ui.FieldView) {
			f.Options, f.Hint = pc.Reasons("adjustment.reason", adjustment.Reasons, f.Value), pc.T("adjustment.read")
		}),
		CaseKind: with("case_kind", func(f *ui.FieldView) { f.Options = pc.caseKinds(f.Value) }),
		CaseID: with("case_id", func(f *ui.FieldView) {
			f.Hint, f.MaxLength = pc.T("adjustment.field.case_id.hint"), 20
		}),
		Text: with("note", func(f *ui.FieldView) { f.StaffOnly, f.Rows, f.MaxLength = true, 3, 500 }),
	}
}
