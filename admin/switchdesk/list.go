package switchdesk

import (
	"fmt"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/approval"
	"candor/app/switches"
	"candor/templates/switchview"
	"candor/templates/ui"
)

const week = 7 * 24 * time.Hour

// tabs filter the list by a property of the keys.
var tabs = []string{"", "sensitive", "open", "week"}

func (s Services) list(r *desk.Request) error {
	open, last, err := s.state(r)
	if err != nil {
		return err
	}
	tab, words := r.Context.QueryParam("show"), strings.ToLower(strings.TrimSpace(r.Context.QueryParam("q")))
	recent := r.Now().Add(-week)
	fits := func(tab string, d switches.Definition) bool {
		switch tab {
		case "sensitive":
			return d.Risk == switches.Sensitive
		case "open":
			return len(open[d.Key]) > 0
		case "week":
			change, changed := last[d.Key]
			return changed && change.AppliedAt.After(recent)
		}
		return true
	}
	view := switchview.List{Words: r.Context.QueryParam("q")}
	if r.May(access.SwitchChange) {
		view.Several = &ui.ButtonView{Label: word(r, "switch.several"), Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/switch-batches/new"))}
	}
	for _, one := range tabs {
		n := 0
		for _, d := range switches.Definitions {
			if fits(one, d) {
				n++
			}
		}
		href := ui.To("/admin/switches")
		label := "all"
		if one != "" {
			href, label = href.With("show", one), one
		}
		view.Tabs = append(view.Tabs, ui.TabView{Label: word(r, "switch.tab."+label), Count: fmt.Sprint(n), Href: href.String(), Current: tab == one})
	}
	for _, area := range switches.Areas {
		group := switchview.Group{Label: word(r, "switch.area."+string(area))}
		for _, d := range switches.Definitions {
			found := words == "" || strings.Contains(strings.ToLower(d.Key+" "+name(r, d.Key)+" "+word(r, "switch.about."+d.Key)), words)
			if d.Area == area && found && fits(tab, d) {
				group.Rows = append(group.Rows, s.row(r, d, open[d.Key], last))
			}
		}
		if len(group.Rows) > 0 {
			view.Groups = append(view.Groups, group)
		}
	}
	return r.Show(switchview.ListPage(r.Page(word(r, "nav.switches"), "switches"), view))
}

// state reads the changes under way and the last one in force, by key.
func (s Services) state(r *desk.Request) (open map[string][]switches.Change, last map[string]switches.Change, err error) {
	list, err := s.Changes.UnderWay(ctxOf(r))
	if err != nil {
		return nil, nil, err
	}
	open = map[string][]switches.Change{}
	for _, change := range list {
		open[change.Key] = append(open[change.Key], change)
	}
	last, err = s.Changes.Last(ctxOf(r))
	return open, last, err
}

func (s Services) row(r *desk.Request, d switches.Definition, open []switches.Change, last map[string]switches.Change) switchview.Row {
	setting := s.Values.Setting(d.Key)
	row := switchview.Row{
		ID: "switch-" + strings.ReplaceAll(d.Key, ".", "-"), Href: path(d.Key), Name: name(r, d.Key), Key: d.Key, Type: word(r, "switch.type."+string(d.Type)),
		Value: shown(r, d, setting.Value), Risk: riskChip(r, d.Risk), Owner: roleOf(r, d.Owner), Last: ui.ChipView{Label: word(r, "switch.never")},
	}
	if n := len(setting.Rules); n > 0 {
		row.Rules = word(r, "switch.rules.count", "count", n)
	}
	if change, changed := last[d.Key]; changed {
		row.Last = ui.ChipView{Label: at(r, *change.AppliedAt)}
	}
	for _, change := range open {
		row.Last = stateChip(r, change)
		row.Last.Label = change.Number() + ", " + row.Last.Label
	}
	return row
}

var looks = map[approval.State]ui.ChipView{
	switches.Drafted:   {Icon: ui.IconEdit},
	approval.Requested: {Tone: ui.ToneAccent, Icon: ui.IconPeople},
	approval.Scheduled: {Tone: ui.ToneInfo, Icon: ui.IconCalendar},
	approval.Applied:   {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	approval.Failed:    {Tone: ui.ToneError, Icon: ui.IconWarning},
	approval.Withdrawn: {Icon: ui.IconUndo},
	approval.Refused:   {Tone: ui.ToneError, Icon: ui.IconClose},
}

func stateChip(r *desk.Request, change switches.Change) ui.ChipView {
	if change.Unreviewed() {
		return ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconBolt, Label: word(r, "switch.stopped")}
	}
	chip := looks[change.State()]
	chip.Label = word(r, "switch.state."+string(change.State()))
	return chip
}
