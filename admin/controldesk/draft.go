package controldesk

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"candor/admin/desk"
	"candor/app/market"
	"candor/app/platform/errs"
	"candor/templates/controlview"
	"candor/templates/ui"
)

const (
	momentLayout = "2006-01-02T15:04" // of the browser's datetime field, read as UTC
	reasonRoom   = 500
)

// termsDraft is the form of new terms as typed.
type termsDraft struct {
	typedTerms
	base   market.Terms // the newest version, which the new one is compared with
	moment string
	reason string
}

// newTermsDraft is the empty form: the newest terms, effective at the first midnight that leaves an hour beyond the notice to fill it in.
func newTermsDraft(base market.Terms, now time.Time) termsDraft {
	first := now.Add(market.Notice + time.Hour).UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	return termsDraft{typedTerms: typedOf(base), base: base, moment: first.Format(momentLayout)}
}

// postedTerms reads the form. It returns market.ErrChangeOld when there are newer terms than those that the form was based on.
func postedTerms(r *desk.Request, base market.Terms) (termsDraft, error) {
	version, err := r.Version()
	if err != nil {
		return termsDraft{}, err
	}
	if version != base.Version {
		return termsDraft{}, market.ErrChangeOld
	}
	d := termsDraft{typedTerms: typedOf(base), base: base, moment: r.PostFormValue("effective_at"), reason: r.PostFormValue("reason")}
	for name := range d.values {
		d.values[name] = strings.TrimSpace(r.PostFormValue(name))
	}
	d.leverages, d.tiers = r.PostFormValues(leverageRows), nil
	leverages := r.PostFormValues(tierLeverage)
	for i, from := range r.PostFormValues(tierFrom) {
		if i < len(leverages) {
			d.tiers = append(d.tiers, tierRow{from, leverages[i]})
		}
	}
	return d, nil
}

// check checks the form by the rules of changes.
func (d termsDraft) check(s Services, p market.Product) (market.Change, error) {
	moment, err := time.Parse(momentLayout, d.moment)
	if err != nil {
		return market.Change{}, errs.Field("effective_at", "field.required")
	}
	return s.Changes.DraftTerms(p.ID, d.stored(d.base), moment, d.reason)
}

// hidden carries the form's values through the review.
func (d termsDraft) hidden() []ui.Hidden {
	out := []ui.Hidden{{Name: "version", Value: strconv.Itoa(d.base.Version)}, {Name: "effective_at", Value: d.moment}, {Name: "reason", Value: d.reason}}
	for _, term := range d.base.List() {
		if value, scalar := d.values[term.Name]; scalar {
			out = append(out, ui.Hidden{Name: term.Name, Value: value})
		}
	}
	for _, leverage := range d.leverages {
		out = append(out, ui.Hidden{Name: leverageRows, Value: leverage})
	}
	for _, tier := range d.tiers {
		out = append(out, ui.Hidden{Name: tierFrom, Value: tier.from}, ui.Hidden{Name: tierLeverage, Value: tier.leverage})
	}
	return out
}

// newestTerms reads the product in the address with its newest version of the terms, in force or not.
func (s Services) newestTerms(r *desk.Request) (market.Product, market.Terms, error) {
	p, err := s.readProduct(r)
	if err != nil {
		return p, market.Terms{}, err
	}
	versions, err := s.Market.Terms(p.ID)
	if err != nil {
		return p, market.Terms{}, err
	}
	return p, versions[len(versions)-1], nil
}

func (s Services) askTerms(r *desk.Request) error {
	p, newest, err := s.newestTerms(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(productPath(p.ID).String())
	}
	return s.showTermsForm(r, http.StatusOK, p, newTermsDraft(newest, s.Market.Now()), nil)
}

// reviewTerms shows the effect of the form, or the form again: with its errors, or to continue editing.
func (s Services) reviewTerms(r *desk.Request) error {
	p, newest, err := s.newestTerms(r)
	if err != nil {
		return err
	}
	d, err := postedTerms(r, newest)
	if err != nil {
		return err
	}
	d.rearrange(r.PostFormValue("row"))
	if r.PostFormValue("again") != "" || r.PostFormValue("row") != "" {
		return s.showTermsForm(r, http.StatusOK, p, d, nil)
	}
	change, err := d.check(s, p)
	if problems := termProblems(r, err); problems != nil {
		return s.showTermsForm(r, http.StatusUnprocessableEntity, p, d, problems)
	}
	if err != nil {
		return err
	}
	review := ui.To("/admin/products/{}/terms/review", p.ID)
	return r.Dialog(http.StatusOK, controlview.ConfirmDialog(controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "product.change.title", "symbol", p.Symbol), Note: word(r, "product.change.note"),
			Form:   ui.FormView{Post: ui.To("/admin/products/{}/terms", p.ID), Target: ui.At("product"), Swap: ui.SwapInside, Hidden: d.hidden()},
			Refuse: []ui.ButtonView{againButton(r, review)},
			Act:    ui.ButtonView{Label: word(r, "product.change.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Facts: draftFacts(r, change),
		Diff:  &ui.DiffView{Changes: difference(r, newest, change.Terms)},
	}))
}

// againButton leads from the review back to the form.
func againButton(r *desk.Request, review ui.Path) ui.ButtonView {
	return ui.ButtonView{Label: word(r, "product.change.again"), Name: "again", Value: "1", Main: true, HX: ui.HX{Post: review, Target: ui.TargetDialog, Swap: ui.SwapInside}}
}

func draftFacts(r *desk.Request, change market.Change) []ui.Fact {
	return []ui.Fact{
		{Label: word(r, "product.change.from."+string(change.Kind)), Value: utc(r, change.EffectiveAt), Strong: true},
		{Label: word(r, "product.change.reason"), Value: change.Note},
		{Label: word(r, "staff.then"), Value: word(r, "product.change.then")},
	}
}

// changeTerms requests the reviewed terms.
func (s Services) changeTerms(r *desk.Request) error {
	p, newest, err := s.newestTerms(r)
	if err != nil {
		return err
	}
	d, err := postedTerms(r, newest)
	if err != nil {
		return err
	}
	change, err := d.check(s, p)
	if err == nil {
		_, err = s.Changes.AskTerms(ctxOf(r), r.Actor(), p.ID, d.stored(d.base), change.EffectiveAt, d.reason)
	}
	if problems := termProblems(r, err); problems != nil {
		return s.showTermsForm(r, http.StatusUnprocessableEntity, p, d, problems)
	}
	if err != nil {
		return err
	}
	return s.productDone(r, p.ID, word(r, "product.change.done", "symbol", p.Symbol))
}

func (s Services) showTermsForm(r *desk.Request, status int, p market.Product, d termsDraft, problems map[string]string) error {
	return r.Dialog(status, controlview.TermsDialog(controlview.TermsForm{
		Dialog: ui.DialogView{
			Title: word(r, "product.change.form", "symbol", p.Symbol), Note: word(r, "product.change.base", "n", d.base.Version, "at", since(r, d.base)),
			Form: ui.FormView{
				Post: ui.To("/admin/products/{}/terms/review", p.ID), Target: ui.TargetDialog, Swap: ui.SwapInside,
				Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(d.base.Version)}},
			},
			Act: ui.ButtonView{Label: word(r, "product.change.review"), Kind: ui.Primary, Submit: true},
		},
		Groups: termFields(r, d, ui.To("/admin/products/{}/terms/review", p.ID), problems),
		Moment: ui.FieldView{
			Name: "effective_at", Label: word(r, "product.change.from_utc"), Type: "datetime-local", Value: d.moment, Required: true, Error: problems["effective_at"],
			Hint: word(r, "product.change.from.hint", "now", utc(r, s.Market.Now())),
		},
		Reason: reasonField(r, d.reason, problems),
	}))
}

func reasonField(r *desk.Request, reason string, problems map[string]string) ui.FieldView {
	return ui.FieldView{
		Name: "reason", Label: word(r, "product.change.reason"), Hint: word(r, "product.change.reason.hint"), Value: reason, MaxLength: reasonRoom, Required: true,
		Rows: 3, Error: problems["reason"],
	}
}

// termFields are the fields of the terms, each with its current value beside it.
func termFields(r *desk.Request, d termsDraft, review ui.Path, problems map[string]string) (groups []controlview.FieldGroup) {
	for _, group := range termGroups {
		fields := controlview.FieldGroup{Title: word(r, "product.terms."+group.name)}
		for _, name := range group.terms {
			if name == "multiple" || name == "tiers" {
				fields.Lists = append(fields.Lists, termRows(r, d, review, name, problems[name]))
				continue
			}
			field := ui.FieldView{
				Name: name, Label: termLabel(r, name), Value: d.values[name], Suffix: termSuffix(r, name), MaxLength: 40, Error: problems[name],
				Hint: word(r, "product.change.now", "value", termWords(r, d.base, name)), Options: termOptions(r, name, d.values[name]),
			}
			if _, number := termUnits[name]; number {
				field.InputMode = "decimal"
			}
			fields.Fields = append(fields.Fields, field)
		}
		groups = append(groups, fields)
	}
	return groups
}

// termSuffix is the unit that a term is typed in; empty if another term names it.
func termSuffix(r *desk.Request, name string) string {
	if suffix := termUnits[name].suffix; strings.HasPrefix(suffix, "product.") {
		return word(r, suffix)
	}
	return termUnits[name].suffix
}

// termOptions are the values of a term with a choice; none for a typed one.
func termOptions(r *desk.Request, name, chosen string) (out []ui.Option) {
	list, label := []string{}, ""
	switch name {
	case "mode":
		list, label = []string{string(market.FullTrading), string(market.CloseOnly)}, "product.mode."
	case "swap_model":
		list, label = []string{string(market.NoSwap), string(market.PointSwap), string(market.MoneySwap), string(market.PercentSwap)}, "product.swap."
	case "triple_day":
		list = []string{"", "1", "2", "3", "4", "5"}
	}
	for _, value := range list {
		option := ui.Option{Value: value, Label: word(r, label+value), Selected: value == chosen}
		if name == "triple_day" {
			option.Label = dayName(r, value)
		}
		out = append(out, option)
	}
	return out
}

// termProblems are the refusals that belong beside the fields of terms; each term has its own message for a value out of range.
func termProblems(r *desk.Request, err error) map[string]string {
	problems := fieldProblems(r, err)
	if problems == nil {
		return nil
	}
	for name, key := range errs.As(err).Fields {
		if key != "field.range" && termUnits[name].shift == 0 { // a number with too many decimals is out of range too
			continue
		}
		problems[name] = word(r, "field.choice")
		if termOptions(r, name, "") == nil {
			problems[name] = word(r, "product.term."+name+".range")
		}
	}
	return problems
}
