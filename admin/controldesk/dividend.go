package controldesk

import (
	"net/http"
	"strings"
	"time"

	"candor/admin/desk"
	"candor/app/market"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/templates/controlview"
	"candor/templates/ui"
)

// dividendDraft is the form of a dividend as typed.
type dividendDraft struct{ exDate, amount, reason string }

func postedDividend(r *desk.Request) dividendDraft {
	return dividendDraft{exDate: r.PostFormValue("ex_date"), amount: strings.TrimSpace(r.PostFormValue("amount")), reason: r.PostFormValue("reason")}
}

// check checks the form by the rules of changes.
func (d dividendDraft) check(s Services, p market.Product) (market.Change, error) {
	day, err := time.Parse(time.DateOnly, d.exDate)
	if err != nil {
		return market.Change{}, errs.Field("ex_date", "field.required")
	}
	amount, err := money.Parse(desk.Decimal(d.amount), money.Scale)
	if err != nil {
		return market.Change{}, errs.Field("amount", "field.number")
	}
	return s.Changes.DraftDividend(p.ID, day, amount, d.reason)
}

func (d dividendDraft) hidden() []ui.Hidden {
	return []ui.Hidden{{Name: "ex_date", Value: d.exDate}, {Name: "amount", Value: d.amount}, {Name: "reason", Value: d.reason}}
}

// dividendProduct reads the product in the address. It returns desk.ErrNotFound for one that pays no dividends.
func (s Services) dividendProduct(r *desk.Request) (market.Product, error) {
	p, err := s.readProduct(r)
	if err == nil && !p.PaysDividends() {
		err = desk.ErrNotFound
	}
	return p, err
}

func (s Services) askDividend(r *desk.Request) error {
	p, err := s.dividendProduct(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(productPath(p.ID).String())
	}
	return s.showDividendForm(r, http.StatusOK, p, dividendDraft{}, nil)
}

// reviewDividend shows the effect of the form, or the form again.
func (s Services) reviewDividend(r *desk.Request) error {
	p, err := s.dividendProduct(r)
	if err != nil {
		return err
	}
	d := postedDividend(r)
	if r.PostFormValue("again") != "" {
		return s.showDividendForm(r, http.StatusOK, p, d, nil)
	}
	change, err := d.check(s, p)
	if problems := dividendProblems(r, err); problems != nil {
		return s.showDividendForm(r, http.StatusUnprocessableEntity, p, d, problems)
	}
	if err != nil {
		return err
	}
	return r.Dialog(http.StatusOK, controlview.ConfirmDialog(controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "product.dividend.title", "symbol", p.Symbol), Note: word(r, "product.dividend.note"),
			Form:   ui.FormView{Post: ui.To("/admin/products/{}/dividend", p.ID), Target: ui.At("product"), Swap: ui.SwapInside, Hidden: d.hidden()},
			Refuse: []ui.ButtonView{againButton(r, ui.To("/admin/products/{}/dividend/review", p.ID))},
			Act:    ui.ButtonView{Label: word(r, "product.change.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Facts: draftFacts(r, change),
		Diff:  &ui.DiffView{Changes: changesOf(r, change, p, nil)},
	}))
}

// addDividend requests the reviewed dividend.
func (s Services) addDividend(r *desk.Request) error {
	p, err := s.dividendProduct(r)
	if err != nil {
		return err
	}
	d := postedDividend(r)
	change, err := d.check(s, p)
	if err == nil {
		_, err = s.Changes.AskDividend(ctxOf(r), r.Actor(), p.ID, change.ExDate, change.Amount, d.reason)
	}
	if problems := dividendProblems(r, err); problems != nil {
		return s.showDividendForm(r, http.StatusUnprocessableEntity, p, d, problems)
	}
	if err != nil {
		return err
	}
	return s.productDone(r, p.ID, word(r, "product.dividend.done", "symbol", p.Symbol))
}

// dividendProblems are the refusals that belong beside the fields of a dividend. Its effective time is the rollover before the ex-date.
func dividendProblems(r *desk.Request, err error) map[string]string {
	problems := fieldProblems(r, err)
	if text, ok := problems["effective_at"]; ok {
		problems["ex_date"] = text
	}
	if refusal := errs.As(err); problems != nil && refusal.Fields["amount"] == "field.range" {
		problems["amount"] = word(r, "field.positive")
	}
	return problems
}

func (s Services) showDividendForm(r *desk.Request, status int, p market.Product, d dividendDraft, problems map[string]string) error {
	reason := reasonField(r, d.reason, problems)
	return r.Dialog(status, controlview.ConfirmDialog(controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "product.dividend.form", "symbol", p.Symbol), Note: word(r, "product.dividend.note"),
			Form: ui.FormView{Post: ui.To("/admin/products/{}/dividend/review", p.ID), Target: ui.TargetDialog, Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: word(r, "product.change.review"), Kind: ui.Primary, Submit: true},
		},
		Fields: []ui.FieldView{
			{
				Name: "ex_date", Label: word(r, "product.dividend.ex_date"), Type: "date", Value: d.exDate, Required: true, Error: problems["ex_date"],
				Hint: word(r, "product.dividend.ex_date.hint", "now", utc(r, s.Market.Now())),
			},
			{Name: "amount", Label: word(r, "product.dividend.amount"), Value: d.amount, InputMode: "decimal", Suffix: p.Quote, MaxLength: 20, Required: true, Error: problems["amount"]},
		},
		Text: &reason,
	}))
}
