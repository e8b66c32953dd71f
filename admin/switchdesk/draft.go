package switchdesk

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/switches"
	"candor/templates/controlview"
	"candor/templates/switchview"
	"candor/templates/ui"
)

const momentLayout = "2006-01-02T15:04" // of the browser's datetime field

func inZone(ctx context.Context, moment time.Time, zone string) string {
	location, err := time.LoadLocation(zone)
	if err != nil {
		location = time.UTC
	}
	return ui.Full(ctx, moment, location) + " " + zone
}

// form is a change as typed.
type form struct {
	value, moment, zone, reason string
	rules                       []ruleForm
}

func posted(r *desk.Request) form {
	return form{value: r.PostFormValue("value"), moment: r.PostFormValue("at"), zone: r.Zone().String(), reason: r.PostFormValue("reason"), rules: postedRules(r)}
}

func (f form) wish(d switches.Definition) (switches.ChangeInput, error) {
	w := switches.ChangeInput{Value: f.value, Rules: rules(f.rules), Reason: f.reason, Zone: f.zone}
	location, err := time.LoadLocation(f.zone)
	if err != nil {
		return w, errs.Field("at", "field.choice")
	}
	if d.Type == switches.Moment && f.value != "" {
		at, err := time.ParseInLocation(momentLayout, f.value, location)
		if err != nil {
			return w, errs.Field("value", "field.required")
		}
		w.Value = at.UTC().Format(time.RFC3339)
	}
	if f.moment == "" {
		return w, nil
	}
	if w.At, err = time.ParseInLocation(momentLayout, f.moment, location); err != nil {
		return w, errs.Field("at", "field.required")
	}
	return w, nil
}

func (f form) hidden(version string) []ui.Hidden {
	return append([]ui.Hidden{{Name: "value", Value: f.value}, {Name: "at", Value: f.moment}, {Name: "reason", Value: f.reason}, {Name: "version", Value: version}}, hiddenRules(f.rules)...)
}

// typed is a value as the form shows it: a time in the member's zone.
func typed(r *desk.Request, d switches.Definition, value string) string {
	if at, err := time.Parse(time.RFC3339, value); d.Type == switches.Moment && err == nil {
		return at.In(r.Zone()).Format(momentLayout)
	}
	return value
}

// goal is the target of a form: a new change of a key, or a revision of an existing change.
type goal struct {
	d       switches.Definition
	review  ui.Path
	send    ui.Path
	version string // of the change that is edited; of the key for a new one
	edits   *switches.Change
}

func (s Services) newGoal(r *desk.Request) (goal, error) {
	d, err := s.define(r)
	return goal{
		d: d, review: ui.To("/admin/switches/{}/change/review", d.Key), send: ui.To("/admin/switches/{}/change", d.Key), version: strconv.Itoa(s.Values.Setting(d.Key).Version),
	}, err
}

func (s Services) editGoal(r *desk.Request) (goal, error) {
	change, d, err := s.read(r)
	if err != nil {
		return goal{}, err
	}
	return goal{
		d: d, review: ui.To("/admin/switch-changes/{}/edit/review", change.ID), send: ui.To("/admin/switch-changes/{}/edit", change.ID), version: strconv.Itoa(change.Version), edits: &change,
	}, nil
}

func (s Services) askChange(r *desk.Request) error {
	g, err := s.newGoal(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(path(g.d.Key).String())
	}
	setting := s.Values.Setting(g.d.Key)
	return s.showForm(r, http.StatusOK, g, form{value: typed(r, g.d, setting.Value), rules: ruleForms(setting.Rules)}, nil)
}

func (s Services) askEdit(r *desk.Request) error {
	g, err := s.editGoal(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(path(g.d.Key).String())
	}
	f := form{value: typed(r, g.d, g.edits.After().Value), rules: ruleForms(g.edits.After().Rules), reason: g.edits.Reason}
	if g.edits.ApplyAt != nil {
		f.moment = g.edits.ApplyAt.In(r.Zone()).Format(momentLayout)
	}
	return s.showForm(r, http.StatusOK, g, f, nil)
}

func (s Services) reviewChange(r *desk.Request) error {
	g, err := s.newGoal(r)
	if err != nil {
		return err
	}
	return s.review(r, g)
}

func (s Services) reviewEdit(r *desk.Request) error {
	g, err := s.editGoal(r)
	if err != nil {
		return err
	}
	return s.review(r, g)
}

// review shows the effect of the form, or the form again: with its errors, after an act on its rows of rules, or to continue editing.
func (s Services) review(r *desk.Request, g goal) error {
	f := posted(r)
	if act := r.PostFormValue("rule"); act != "" {
		rules, row := rearrange(g.d, f.rules, act)
		f.rules = rules
		return s.showFormAt(r, http.StatusOK, g, f, row, nil)
	}
	if r.PostFormValue("again") != "" {
		return s.showForm(r, http.StatusOK, g, f, nil)
	}
	change, err := s.previewChange(g, f)
	if problems := s.problems(r, g.d, err); problems != nil {
		return s.showForm(r, http.StatusUnprocessableEntity, g, f, problems)
	}
	if err != nil {
		return err
	}
	words := "switch.change.apply"
	switch {
	case change.People() > 1:
		words = "switch.change.ask"
	case change.ApplyAt != nil:
		words = "switch.change.schedule"
	}
	refuse := []ui.ButtonView{{Label: word(r, "switch.again"), Name: "again", Value: "1", Main: true, HX: ui.HX{Post: g.review, Target: ui.TargetDialog, Swap: ui.SwapInside}}}
	if g.edits == nil {
		refuse = append(refuse, ui.ButtonView{Label: word(r, "switch.draft"), Name: "draft", Value: "1", HX: ui.HX{Post: g.send, Target: ui.At("switch"), Swap: ui.SwapInside}})
	}
	return r.Dialog(http.StatusOK, controlview.ConfirmDialog(controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "switch.change.look", "name", name(r, g.d.Key)), Note: word(r, words+".note"),
			Form:   ui.FormView{Post: g.send, Target: ui.At("switch"), Swap: ui.SwapInside, Hidden: f.hidden(g.version)},
			Refuse: refuse,
			Act:    ui.ButtonView{Label: word(r, words), Kind: ui.Primary, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Facts: append(changeFacts(r, change), ui.Fact{Label: word(r, "switch.felt"), Value: word(r, felt(g.d))}),
		Diff:  &ui.DiffView{Changes: difference(r, g.d, change.Before(), change.After())},
	}))
}

// felt is the text key for who is affected by a change.
func felt(d switches.Definition) string {
	if d.Targeted {
		return "switch.felt.targeted"
	}
	return "switch.felt.all"
}

func (s Services) previewChange(g goal, f form) (switches.Change, error) {
	w, err := f.wish(g.d)
	if err != nil {
		return switches.Change{}, err
	}
	return s.Changes.Preview(g.d.Key, w)
}

func (s Services) change(r *desk.Request) error {
	g, err := s.newGoal(r)
	if err != nil {
		return err
	}
	version, err := desk.ParseCount(r.PostFormValue("version")) // 0 for a key that nobody has changed
	if err != nil {
		return switches.ErrOutdated
	}
	write := s.Changes.Ask
	if r.PostFormValue("draft") != "" {
		write = s.Changes.Draft
	}
	f := posted(r)
	w, err := f.wish(g.d)
	var change switches.Change
	if err == nil {
		change, err = write(ctxOf(r), r.Actor(), g.d.Key, version, w)
	}
	return s.answer(r, g, f, change, err)
}

// answer shows what became of a change, or its form with the errors.
func (s Services) answer(r *desk.Request, g goal, f form, change switches.Change, err error) error {
	if problems := s.problems(r, g.d, err); problems != nil {
		return s.showForm(r, http.StatusUnprocessableEntity, g, f, problems)
	}
	if err != nil {
		return err
	}
	return s.done(r, g.d.Key, word(r, "switch.done."+string(change.State()), "number", change.Number()))
}

func (s Services) edit(r *desk.Request) error {
	g, err := s.editGoal(r)
	if err != nil {
		return err
	}
	version, err := r.Version()
	if err != nil {
		return err
	}
	f := posted(r)
	w, err := f.wish(g.d)
	change := *g.edits
	if err == nil {
		change, err = s.Changes.Amend(ctxOf(r), r.Actor(), change.ID, version, w)
	}
	if err == nil && change.State() == switches.Drafted && r.PostFormValue("draft") == "" {
		change, err = s.Changes.Submit(ctxOf(r), r.Actor(), change.ID, change.Version)
	}
	return s.answer(r, g, f, change, err)
}

// valueField is the field for a key's value.
func valueField(r *desk.Request, d switches.Definition, now string) ui.FieldView {
	value := ui.FieldView{Name: "value", Label: word(r, "switch.value"), Value: now, Required: true, MaxLength: 500}
	switch d.Type {
	case switches.Bool:
		value.Options = []ui.Option{{Value: "true", Label: word(r, "switch.value.true"), Selected: now == "true"}, {Value: "false", Label: word(r, "switch.value.false"), Selected: now == "false"}}
	case switches.Enum:
		for _, choice := range d.Choices {
			value.Options = append(value.Options, ui.Option{Value: choice, Label: shown(r, d, choice), Selected: now == choice})
		}
	case switches.Decimal, switches.Int:
		value.InputMode, value.MaxLength = "decimal", 24
		if d.Unit != "" {
			value.Suffix = word(r, "switch.unit."+d.Unit)
		}
	case switches.Moment:
		value.Type, value.Required, value.Label = "datetime-local", false, word(r, "switch.value.moment", "zone", r.Zone().String())
	case switches.Countries:
		value.Required = false // an empty list
	case switches.Text:
	}
	return value
}

func (s Services) showForm(r *desk.Request, status int, g goal, f form, problems map[string]string) error {
	return s.showFormAt(r, status, g, f, noRow, problems)
}

// showFormAt shows the form with the focus in a row of rules.
func (s Services) showFormAt(r *desk.Request, status int, g goal, f form, row int, problems map[string]string) error {
	d, value := g.d, valueField(r, g.d, f.value)
	value.Error, value.Hint = problems["value"], word(r, "switch.value.now", "value", shown(r, d, s.Values.Value(d.Key)))
	var rules *switchview.Rules
	if d.Targeted {
		rules = s.rows(r, g, f.rules, row, problems["rules"])
	}
	return r.Dialog(status, switchview.ChangeDialog(
		ui.DialogView{
			Title: word(r, "switch.change.form", "name", name(r, d.Key)), Note: d.Key,
			Form: ui.FormView{Post: g.review, Target: ui.TargetDialog, Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: word(r, "switch.change.review"), Kind: ui.Primary, Submit: true},
		}, value, rules,
		ui.FieldView{Name: "at", Label: word(r, "switch.when.field", "zone", r.Zone().String()), Hint: word(r, "switch.when.hint"), Type: "datetime-local", Value: f.moment, Error: problems["at"]},
		reasonField(r, f.reason, problems["reason"]),
	))
}

func reasonField(r *desk.Request, reason, problem string) ui.FieldView {
	return ui.FieldView{Name: "reason", Label: word(r, "switch.reason"), Hint: word(r, "switch.reason.hint"), Value: reason, MaxLength: 500, Required: true, Rows: 3, Error: problem}
}

// problems are the texts of refusals that belong beside fields; nil for any other. The allowed values depend on the key.
func (s Services) problems(r *desk.Request, d switches.Definition, err error) map[string]string {
	refusal := errs.As(err)
	switch {
	case refusal == nil:
		return nil
	case refusal.Is(switches.ErrOrder):
		return map[string]string{"value": word(r, "switch.contradicts", "other", name(r, refusal.Args["other"]), "value", s.Values.Value(refusal.Args["other"]))}
	case refusal.Is(switches.ErrNothing):
		return map[string]string{"value": r.Text(err)}
	case refusal.Kind != errs.Invalid:
		return nil
	}
	out := map[string]string{}
	for field, key := range refusal.Fields {
		out[field] = word(r, key)
		if d.Min+d.Max != "" && field == "value" && key == "field.range" {
			out[field] = word(r, "switch.bounds.range", "min", shown(r, d, d.Min), "max", shown(r, d, d.Max))
		}
	}
	return out
}
