package bonusdesk

import (
	"crypto/rand"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/app/bonus"
	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/templates/bonusview"
	"candor/templates/ui"
)

// form is what a member has typed, and what is wrong with it.
type form struct {
	*desk.Request
	problems map[string]string
	refusal  *errs.Error
}

// refuse keeps the problem of one field.
func (f *form) refuse(name, problem string) { f.problems[name] = problem }

// amount reads an amount in 10^-6 USDT.
func (f *form) amount(name string) int64 {
	value, err := desk.ReadAmount(f.PostFormValue(name))
	if err != nil || value <= 0 {
		f.refuse(name, "field.amount")
	}
	return value
}

// days reads a number of days; what is no number is none.
func (f *form) days() int {
	days, err := strconv.Atoi(desk.Decimal(f.PostFormValue("days")))
	if err != nil {
		return 0
	}
	return days
}

// bps reads a percentage as basis points; what is none is 0.
func (f *form) bps(name string) int {
	bps, err := money.Parse(desk.Decimal(f.PostFormValue(name)), percentDecimals)
	if err != nil || bps < 0 || bps > 1_000_000 {
		return 0
	}
	return int(bps)
}

// campaign reads a campaign.
func (f *form) campaign() bonus.Campaign {
	c := bonus.Campaign{Rule: bonus.Rule(f.PostFormValue("rule")), Amount: f.amount("amount"), Budget: f.amount("budget"), Days: f.days()}
	if c.Rule == bonus.ByDeposit {
		c.ShareBps, c.Minimum = f.bps("share"), f.amount("minimum")
	}
	day, err := time.Parse(time.DateOnly, f.PostFormValue("last_day"))
	if err != nil {
		f.refuse("last_day", "bonus.last_day")
	}
	c.LastDay = day
	return c
}

// ask requests with the form; a refusal of fields shows it again.
func (f *form) ask(view func(form, string) templ.Component, request func(key string) (bonus.Request, error)) error {
	key := f.PostFormValue("key")
	if len(key) < 16 || len(key) > 64 {
		f.refuse("note", "field.required")
	}
	if len(f.problems) == 0 {
		made, err := request(key)
		if err == nil {
			return f.RedirectTo(address(made.ID).String())
		}
		refusal := errs.As(err)
		if refusal == nil || len(refusal.Fields) == 0 {
			return err
		}
		f.problems, f.refusal = refusal.Fields, refusal
	}
	return f.Dialog(http.StatusUnprocessableEntity, view(*f, key))
}

// field is a field with what was typed, and its error.
func (f form) field(v ui.FieldView) ui.FieldView {
	v.Label, v.Value, v.Required = f.Word("bonus.field."+v.Name), f.PostFormValue(v.Name), true
	if problem := f.problems[v.Name]; problem != "" {
		v.Error = f.Word(problem)
		if f.refusal != nil {
			var args []any
			for name, value := range f.refusal.Args {
				args = append(args, name, value)
			}
			v.Error = f.Word(problem, args...)
		}
	}
	return v
}

func (f form) amountField(name, hint string) ui.FieldView {
	v := ui.FieldView{Name: name, InputMode: "decimal", MaxLength: 20, Suffix: ledger.Currency}
	if hint != "" {
		v.Hint = f.Word(hint)
	}
	return f.field(v)
}

func (f form) dialog(title string, post ui.Path, key string, values ...any) ui.DialogView {
	return ui.DialogView{
		ID: "bonus", Title: f.Word(title, values...), Note: f.Word("bonus.ask.note"),
		Form: ui.FormView{Post: post, Target: ui.TargetDialog, Swap: ui.SwapInside, Hidden: []ui.Hidden{{Name: "key", Value: key}}},
		Act:  ui.ButtonView{Label: f.Word("bonus.ask.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: f.Word("act.busy")},
	}
}

func (f form) daysField() ui.FieldView {
	return f.field(ui.FieldView{Name: "days", Hint: f.Word("bonus.field.days.hint"), InputMode: "numeric", MaxLength: 4})
}

func (f form) noteField() ui.FieldView {
	return f.field(ui.FieldView{Name: "note", StaffOnly: true, Rows: 3, MaxLength: 500})
}

func campaignForm(f form, key string) templ.Component {
	rules := []ui.Option{{Label: f.Word("bonus.field.choose"), Selected: f.PostFormValue("rule") == ""}}
	for _, rule := range bonus.Rules {
		rules = append(rules, ui.Option{Value: string(rule), Label: f.Word("bonus.kind." + string(rule)), Selected: f.PostFormValue("rule") == string(rule)})
	}
	share := f.field(ui.FieldView{Name: "share", Hint: f.Word("bonus.field.by_deposit"), InputMode: "decimal", MaxLength: 6, Suffix: "%"})
	minimum := f.amountField("minimum", "bonus.field.by_deposit")
	share.Required, minimum.Required = false, false
	return bonusview.CampaignDialog(bonusview.Campaign{
		Dialog: f.dialog("bonus.ask.title", ui.To("/admin/bonuses/new"), key), Rule: f.field(ui.FieldView{Name: "rule", Options: rules}), Amount: f.amountField("amount", "bonus.field.amount.hint"),
		Share: share, Minimum: minimum, Days: f.daysField(), LastDay: f.field(ui.FieldView{Name: "last_day", Type: "date", Hint: f.Word("bonus.field.last_day.hint")}),
		Budget: f.amountField("budget", "bonus.field.budget.hint"), Note: f.noteField(),
	})
}

// openCampaignForm answers with an empty form.
func (s Services) openCampaignForm(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home.String())
	}
	return r.Dialog(http.StatusOK, campaignForm(form{Request: r}, rand.Text()))
}

// askCampaign requests a campaign with the posted form.
func (s Services) askCampaign(r *desk.Request) error {
	f := &form{Request: r, problems: map[string]string{}}
	c := f.campaign()
	return f.ask(campaignForm, func(key string) (bonus.Request, error) {
		return s.Bonuses.RequestCampaign(r.Context.Request().Context(), r.Actor(), c, desk.Plain(r.PostFormValue("note")), key)
	})
}

func giftForm(traderID int64) func(form, string) templ.Component {
	return func(f form, key string) templ.Component {
		amount := f.amountField("amount", "")
		amount.Label = f.Word("bonus.fact.amount.gift")
		return bonusview.GiftDialog(bonusview.Gift{
			Dialog: f.dialog("bonus.ask.gift", ui.To("/admin/traders/{}/bonus", traderID), key, "trader", traderID), Amount: amount, Days: f.daysField(), Note: f.noteField(),
		})
	}
}

// openGiftForm answers with an empty form.
func (s Services) openGiftForm(r *desk.Request) error {
	t, err := desk.Trader(r, s.Traders.Trader)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(ui.To("/admin/traders/{}", t.ID).String())
	}
	return r.Dialog(http.StatusOK, giftForm(t.ID)(form{Request: r}, rand.Text()))
}

// askGift requests a bonus for one trader with the posted form.
func (s Services) askGift(r *desk.Request) error {
	t, err := desk.Trader(r, s.Traders.Trader)
	if err != nil {
		return err
	}
	f := &form{Request: r, problems: map[string]string{}}
	amount, days := f.amount("amount"), f.days()
	return f.ask(giftForm(t.ID), func(key string) (bonus.Request, error) {
		return s.Bonuses.RequestGift(r.Context.Request().Context(), r.Actor(), t.ID, amount, days, desk.Plain(r.PostFormValue("note")), key)
	})
}
