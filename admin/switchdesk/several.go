package switchdesk

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/switches"
	"candor/templates/controlview"
	"candor/templates/layout"
	"candor/templates/switchview"
	"candor/templates/ui"
)

var (
	reviewSeveralPath = ui.To("/admin/switch-batches/review")
	sendSeveralPath   = ui.To("/admin/switch-batches")
)

// several is a form that sets many boolean keys.
type several struct {
	value, reason string
	seen          []seen
}

// seen is a chosen key, with the version that was reviewed.
type seen struct {
	switches.Definition
	version int
}

func (one seen) text() string { return one.Key + ":" + strconv.Itoa(one.version) }

// flips lists the keys with on and off values, in display order.
func flips() (out []switches.Definition) {
	for _, area := range switches.Areas {
		for _, d := range switches.Definitions {
			if d.Area == area && d.Type == switches.Bool && d.Risk != switches.Locked {
				out = append(out, d)
			}
		}
	}
	return out
}

// postedSeveral reads the form. Its keys have a version once they were reviewed.
func (s Services) postedSeveral(r *desk.Request) several {
	f := several{value: r.PostFormValue("value"), reason: r.PostFormValue("reason")}
	versions := map[string]int{}
	for _, text := range r.PostFormValues("keys") {
		key, number, looked := strings.Cut(text, ":")
		version, err := desk.ParseCount(number)
		if !looked || err != nil {
			version = s.Values.Setting(key).Version
		}
		versions[key] = version
	}
	for _, d := range flips() {
		if version, chosen := versions[d.Key]; chosen {
			f.seen = append(f.seen, seen{d, version})
		}
	}
	return f
}

func (f several) chosen(key string) bool {
	return slices.ContainsFunc(f.seen, func(one seen) bool { return one.Key == key })
}

// wish is the change that the form requests for a key: a new value for all, with the existing rules.
func (f several) wish(r *desk.Request, now switches.Setting) switches.ChangeInput {
	return switches.ChangeInput{Value: f.value, Rules: now.Rules, Reason: f.reason, Zone: r.Zone().String()}
}

func (s Services) askSeveral(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo("/admin/switches")
	}
	return s.showSeveral(r, http.StatusOK, several{value: "false"}, nil)
}

func (s Services) showSeveral(r *desk.Request, status int, f several, problems map[string]string) error {
	value := ui.FieldView{Name: "value", Label: word(r, "switch.several.value"), Required: true, Error: problems["value"]}
	for _, one := range []string{"true", "false"} {
		value.Options = append(value.Options, ui.Option{Value: one, Label: word(r, "switch.value."+one), Selected: f.value == one})
	}
	var checks []ui.CheckView
	for _, d := range flips() {
		hint := word(r, "switch.value.now", "value", shown(r, d, s.Values.Value(d.Key)))
		if d.Risk == switches.Sensitive {
			hint = word(r, "switch.several.two", "now", hint)
		}
		checks = append(checks, ui.CheckView{Name: "keys", ID: "several-" + strings.ReplaceAll(d.Key, ".", "-"), Value: d.Key, Label: name(r, d.Key), Hint: hint, Checked: f.chosen(d.Key)})
	}
	return r.Dialog(status, switchview.SeveralDialog(
		ui.DialogView{
			Title: word(r, "switch.several.title"), Note: word(r, "switch.several.note"),
			Form: ui.FormView{Post: reviewSeveralPath, Target: ui.TargetDialog, Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: word(r, "switch.change.review"), Kind: ui.Primary, Submit: true},
		}, value, checks, problems["keys"], reasonField(r, f.reason, problems["reason"]),
	))
}

// reviewSeveral shows each key before and after, and counts the keys that change at once, that need a second person, and that have the value already.
func (s Services) reviewSeveral(r *desk.Request) error {
	f := s.postedSeveral(r)
	if r.PostFormValue("again") != "" {
		return s.showSeveral(r, http.StatusOK, f, nil)
	}
	var lines []ui.FieldDiff
	var atOnce, asked, already int
	hidden := []ui.Hidden{{Name: "value", Value: f.value}, {Name: "reason", Value: f.reason}}
	for _, one := range f.seen {
		setting := s.Values.Setting(one.Key)
		change, err := s.Changes.Preview(one.Key, f.wish(r, setting))
		if problems := s.problems(r, one.Definition, err); problems != nil && !errors.Is(err, switches.ErrNothing) {
			return s.showSeveral(r, http.StatusUnprocessableEntity, f, problems)
		}
		line := ui.FieldDiff{Field: name(r, one.Key), Before: shown(r, one.Definition, setting.Value), After: shown(r, one.Definition, f.value)}
		switch {
		case errors.Is(err, switches.ErrNothing):
			line.Same = true
			already++
		case err != nil:
			return err
		case change.People() > 1:
			line.After = word(r, "switch.several.asks", "value", line.After)
			asked++
		default:
			atOnce++
		}
		if !line.Same {
			hidden = append(hidden, ui.Hidden{Name: "keys", Value: one.text()})
		}
		lines = append(lines, line)
	}
	if atOnce+asked == 0 {
		return s.showSeveral(r, http.StatusUnprocessableEntity, f, map[string]string{"keys": word(r, "switch.several.none")})
	}
	return r.Dialog(http.StatusOK, controlview.ConfirmDialog(controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "switch.several.look"), Note: word(r, "switch.several.look.note"),
			Form:   ui.FormView{Post: sendSeveralPath, Target: ui.TargetDialog, Swap: ui.SwapInside, Hidden: hidden},
			Refuse: []ui.ButtonView{{Label: word(r, "switch.again"), Name: "again", Value: "1", Main: true, HX: ui.HX{Post: reviewSeveralPath, Target: ui.TargetDialog, Swap: ui.SwapInside}}},
			Act:    ui.ButtonView{Label: word(r, "switch.several.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Facts: []ui.Fact{
			{Label: word(r, "switch.several.at_once"), Value: strconv.Itoa(atOnce)}, {Label: word(r, "switch.several.asked"), Value: strconv.Itoa(asked)},
			{Label: word(r, "switch.several.already"), Value: strconv.Itoa(already)}, {Label: word(r, "switch.reason"), Value: f.reason},
		},
		Diff: &ui.DiffView{Changes: lines},
	}))
}

// several requests each change by itself and shows each result: a refused one does not stop the others.
func (s Services) several(r *desk.Request) error {
	f := s.postedSeveral(r)
	if len(f.seen) == 0 {
		return s.showSeveral(r, http.StatusUnprocessableEntity, f, map[string]string{"keys": word(r, "switch.several.none")})
	}
	var facts []ui.Fact
	for _, one := range f.seen {
		change, err := s.Changes.Ask(ctxOf(r), r.Actor(), one.Key, one.version, f.wish(r, s.Values.Setting(one.Key)))
		refusal := errs.As(err)
		if err != nil && refusal == nil {
			return err
		}
		if refusal != nil && refusal.Kind == errs.Invalid {
			return s.showSeveral(r, http.StatusUnprocessableEntity, f, s.problems(r, one.Definition, err))
		}
		fact := ui.Fact{Label: name(r, one.Key), Href: path(one.Key).String()}
		if refusal != nil {
			fact.Value, fact.Tone, fact.Href = r.Text(err), ui.ToneError, ""
		} else {
			chip := stateChip(r, change)
			fact.Value, fact.Chip = change.Number(), &chip
		}
		facts = append(facts, fact)
	}
	return r.Dialog(http.StatusOK, controlview.ConfirmDialog(controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "switch.several.done"), Cancel: word(r, "ui.close"),
			Act: ui.ButtonView{Label: word(r, "switch.several.list"), Kind: ui.Primary, Href: ui.To("/admin/switches").String(), Main: true},
		},
		Facts: facts,
	}), layout.Count(r.Count("switches")))
}
