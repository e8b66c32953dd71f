package switchdesk

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/approval"
	"candor/app/switches"
	"candor/templates/controlview"
	"candor/templates/switchview"
	"candor/templates/ui"
)

func (s Services) key(r *desk.Request) error {
	d, err := s.define(r)
	if err != nil {
		return err
	}
	view, err := s.view(r, d)
	if err != nil {
		return err
	}
	return r.Show(switchview.KeyPage(r.Page(name(r, d.Key), "switches"), view))
}

// done answers an act on a key with its current page.
func (s Services) done(r *desk.Request, key, flash string) error {
	d, _ := switches.Define(key)
	view, err := s.view(r, d)
	if err != nil {
		return err
	}
	return r.Show(switchview.Done(view, r.Count("switches"), flash))
}

func (s Services) view(r *desk.Request, d switches.Definition) (view switchview.Key, err error) {
	changes, err := s.Changes.Of(ctxOf(r), d.Key)
	if err != nil {
		return view, err
	}
	setting := s.Values.Setting(d.Key)
	view = switchview.Key{
		Name: name(r, d.Key), Key: d.Key, Chips: []ui.ChipView{riskChip(r, d.Risk)}, About: word(r, "switch.about."+d.Key), Buttons: s.buttons(r, d, setting), Zone: r.ZoneNote(),
		Now:  []ui.StatView{{Label: word(r, "switch.version_n", "n", setting.Version), Value: shown(r, d, setting.Value), Main: true}},
		Note: word(r, "switch.note."+string(d.Risk)), Facts: s.facts(r, d), Versions: s.versions(r, d, setting, changes),
	}
	for i, rule := range setting.Rules {
		view.Rules = append(view.Rules, switchview.Rule{
			Number: strconv.Itoa(i + 1), Countries: anyOf(r, rule.Countries), Languages: anyOf(r, rule.Languages), Platforms: anyOf(r, rule.Platforms), Value: shown(r, d, rule.Value),
		})
	}
	for _, change := range changes {
		switch {
		case change.Open() || change.Unreviewed():
			view.Changes = append(view.Changes, s.openChange(r, d, change))
		case change.Closed():
			view.Closed = append(view.Closed, closedChange(r, d, change))
		}
	}
	if d.Key == switches.MaintenanceKey {
		view.Preview, view.Online = s.preview(), word(r, "switch.preview.note", "count", s.Online())
	}
	view.Try, err = s.try(r, d, setting)
	return view, err
}

// preview is the text that traders see during maintenance, in each language.
func (s Services) preview() (out []switchview.Preview) {
	for _, language := range s.Texts.Languages() {
		out = append(out, switchview.Preview{
			Language: language, Title: s.Texts.T(language, "offline.stopped.title", nil), Text: s.Texts.T(language, "error.platform.maintenance", nil),
		})
	}
	return out
}

func anyOf(r *desk.Request, list []string) string {
	if len(list) == 0 {
		return word(r, "switch.any")
	}
	return strings.Join(list, ", ")
}

func (s Services) facts(r *desk.Request, d switches.Definition) []ui.Fact {
	bounds := word(r, "switch.bounds.none")
	if d.Min != "" || d.Max != "" {
		bounds = word(r, "switch.bounds.range", "min", shown(r, d, d.Min), "max", shown(r, d, d.Max))
	}
	facts := []ui.Fact{
		{Label: word(r, "switch.type"), Value: word(r, "switch.type."+string(d.Type))},
		{Label: word(r, "switch.bounds"), Value: bounds},
		{Label: word(r, "switch.default"), Value: shown(r, d, d.Default)},
		{Label: word(r, "switch.owner"), Value: roleOf(r, d.Owner)},
		{Label: word(r, "switch.public"), Value: word(r, "switch.public."+strconv.FormatBool(d.Public))},
	}
	if d.Safe != "" {
		names := make([]string, len(d.StopBy))
		for i, role := range d.StopBy {
			names[i] = roleOf(r, role)
		}
		facts = append(facts, ui.Fact{Label: word(r, "switch.stop_by"), Value: strings.Join(names, ", ")})
	}
	return facts
}

// buttons are locked, with a reason, for members who may not use them.
func (s Services) buttons(r *desk.Request, d switches.Definition, setting switches.Setting) (buttons []ui.ButtonView) {
	if d.Safe != "" && setting.Value != d.Safe && mayStop(r, d) {
		buttons = append(buttons, ui.ButtonView{Label: word(r, "switch.stop"), Icon: ui.IconBolt, Kind: ui.Danger, Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/switches/{}/stop", d.Key))})
	}
	change := ui.ButtonView{Label: word(r, "switch.change"), Kind: ui.Primary, Size: ui.Small, Key: "T", HX: ui.OpenDialog(ui.To("/admin/switches/{}/change", d.Key))}
	why := ""
	switch {
	case d.Risk == switches.Locked:
		why = r.Text(switches.ErrLocked)
	case !r.May(access.SwitchChange):
		why = word(r, "switch.no_power")
	}
	if why != "" {
		change.HX, change.Key, change.Kind, change.Locked, change.Why = ui.HX{}, "", ui.Plain, true, why
	}
	return append(buttons, change)
}

// versions are the settings that were in force, newest first, down to the default.
func (s Services) versions(r *desk.Request, d switches.Definition, now switches.Setting, changes []switches.Change) (out []switchview.Version) {
	back := func(version int, setting switches.Setting) *ui.ButtonView {
		if d.Risk == switches.Locked || !r.May(access.SwitchChange) || version == now.Version || setting.Same(now) {
			return nil
		}
		return &ui.ButtonView{Label: word(r, "switch.back"), Size: ui.Tiny, HX: ui.OpenDialog(ui.To("/admin/switches/{}/versions/{}/return", d.Key, version))}
	}
	inForce := &ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: word(r, "switch.in_force")}
	for _, change := range changes {
		if change.ToVersion == nil {
			continue
		}
		line := switchview.Version{
			Number: strconv.Itoa(*change.ToVersion), Value: shown(r, d, change.After().Value), When: at(r, *change.AppliedAt), UTC: ui.Stamp(*change.AppliedAt), Change: change.Number(),
			People: change.AuthorName, Reason: change.Reason, Back: back(*change.ToVersion, change.After()),
		}
		if change.DeciderName != "" {
			line.People = word(r, "switch.people.two", "author", change.AuthorName, "decider", change.DeciderName)
		}
		if *change.ToVersion == now.Version {
			line.Chip = inForce
		}
		out = append(out, line)
	}
	slices.SortFunc(out, func(a, b switchview.Version) int { return strings.Compare(pad(b.Number), pad(a.Number)) })
	first := switchview.Version{Number: "0", Value: shown(r, d, d.Default), When: word(r, "switch.default"), Back: back(0, switches.Setting{Value: d.Default})}
	if now.Version == 0 {
		first.Chip = inForce
	}
	return append(out, first)
}

func pad(number string) string { return fmt.Sprintf("%09s", number) }

// openChange shows a change under way, with buttons for the members who may use them.
func (s Services) openChange(r *desk.Request, d switches.Definition, change switches.Change) switchview.Change {
	chip := stateChip(r, change)
	view := switchview.Change{
		Request: controlview.Request{Title: change.Number() + ", " + chip.Label, Note: word(r, "switch.by", "name", change.AuthorName, "at", at(r, change.CreatedAt))},
		Diff:    ui.DiffView{Changes: difference(r, d, change.Before(), change.After())}, Facts: changeFacts(r, change), Steps: steps(r, change),
	}
	second := ui.Person{State: ui.PersonYou, Words: word(r, "switch.second.you")}
	switch {
	case change.DeciderName != "":
		second = ui.Person{State: ui.PersonApproved, Initials: desk.Initials(change.DeciderName), Words: word(r, "switch.second.was", "name", change.DeciderName)}
	case change.People() == 1 && !change.Unreviewed():
		second = ui.Person{State: ui.PersonLocked, Words: word(r, "switch.second.none")}
	case change.AuthorID == r.Member.ID:
		second = ui.Person{State: ui.PersonLocked, Words: r.Text(approval.ErrSamePerson)}
	case !r.May(access.SwitchApprove):
		second = ui.Person{State: ui.PersonLocked, Words: word(r, "switch.no_approver")}
	}
	view.Request.Locked = second.Words
	view.Request.People = []ui.Person{{State: ui.PersonApproved, Initials: desk.Initials(change.AuthorName), Words: word(r, "switch.second.wrote", "name", change.AuthorName)}, second}
	for _, o := range decisions {
		if o.offered(r, change) {
			view.Request.Buttons = append(view.Request.Buttons, ui.ButtonView{Label: word(r, "switch."+o.name), Size: ui.Small, Kind: o.kind, HX: ui.OpenDialog(o.address(change.ID))})
		}
	}
	if change.Open() && r.May(access.SwitchChange) {
		view.Request.Buttons = append(view.Request.Buttons, ui.ButtonView{Label: word(r, "switch.edit"), Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/switch-changes/{}/edit", change.ID))})
	}
	return view
}

// closedChange is the record of a change that did not take effect: its value and reason, who closed it, when and why.
func closedChange(r *desk.Request, d switches.Definition, change switches.Change) switchview.Closed {
	view := switchview.Closed{
		Number: change.Number(), Chip: stateChip(r, change), Value: shown(r, d, change.After().Value), When: at(r, *change.ClosedAt), UTC: ui.Stamp(*change.ClosedAt),
		Author: change.AuthorName, Reason: change.Reason,
	}
	if n := len(change.After().Rules); n > 0 {
		view.Rules = word(r, "switch.rules.count", "count", n)
	}
	if change.State() == approval.Failed {
		view.Came = word(r, "switch.closed.failed."+strings.TrimPrefix(change.Request.Refusal, "switch."))
		return view
	}
	view.Came = word(r, "switch.closed."+string(change.State()), "name", change.CloserName, "why", change.Request.Refusal)
	return view
}

// steps are the states of a change so far, and the next ones.
func steps(r *desk.Request, change switches.Change) (out []ui.StepView) {
	if change.Kind == switches.Stopped {
		return []ui.StepView{
			{State: ui.StepDone, Icon: ui.IconBolt, Text: word(r, "switch.step.stopped"), Time: at(r, change.CreatedAt)},
			{State: ui.StepNow, Icon: ui.IconEye, Text: word(r, "switch.step.look"), Time: at(r, *change.ReviewDue)},
		}
	}
	order := []approval.State{switches.Drafted, approval.Requested, approval.Scheduled, approval.Applied}
	reached := slices.Index(order, change.State())
	for i, state := range order {
		if state == approval.Requested && change.People() == 1 || state == approval.Scheduled && change.ApplyAt == nil {
			continue
		}
		step := ui.StepView{State: ui.StepTodo, Icon: looks[state].Icon, Text: word(r, "switch.step."+string(state))}
		if i < reached {
			step.State = ui.StepDone
		}
		if i == reached {
			step.State = ui.StepNow
		}
		out = append(out, step)
	}
	return out
}

func changeFacts(r *desk.Request, change switches.Change) []ui.Fact {
	facts := []ui.Fact{{Label: word(r, "switch.reason"), Value: change.Reason}, {Label: word(r, "switch.applies"), Value: moment(r, change), Strong: true}}
	if change.RevertOf != nil {
		facts = append(facts, ui.Fact{Label: word(r, "switch.back"), Value: word(r, "switch.version_n", "n", *change.RevertOf)})
	}
	return facts
}

// moment says when a change takes effect: at once, or at a time in the zone it was chosen in and in UTC, with the time left.
func moment(r *desk.Request, change switches.Change) string {
	if change.Kind == switches.Stopped {
		return at(r, change.CreatedAt)
	}
	if change.ApplyAt == nil {
		return word(r, "switch.at_once")
	}
	return word(r, "switch.at", "at", inZone(ctxOf(r), *change.ApplyAt, change.Zone), "utc", ui.Stamp(*change.ApplyAt), "in", ui.Age(ctxOf(r), change.ApplyAt.Sub(r.Now())))
}
