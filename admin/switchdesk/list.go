package switchdesk

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/platform/sheet"
	"candor/app/switches"
	"candor/templates/ui"
)

const longestSearch = 80

// The tabs beside the one of all keys.
const (
	sensitive = "sensitive"
	open      = "open"
)

// The values of the filters by an open change and by the last one in force.
var (
	changing = []approval.State{switches.Drafted, approval.Requested, approval.Scheduled}
	spans    = map[string]time.Duration{"day": 24 * time.Hour, "week": 7 * 24 * time.Hour, "month": 30 * 24 * time.Hour}
)

// line is a key with its setting, its open changes and the last one in force.
type line struct {
	switches.Definition
	at      int // in the definitions, from 1
	setting switches.Setting
	open    []switches.Change
	last    *switches.Change
}

// list declares the list of all keys, in the order of their groups.
func (s Services) list() caseengine.List[line] {
	return caseengine.List[line]{
		Name: "switches", Letters: "switch-", Target: "switch", Texts: "switch.list", Icon: ui.IconSwitch, View: access.SwitchView, Audit: s.Audit,
		Tabs: []caseengine.Tab{{Label: "switch.tab.all"}, {Name: sensitive, Label: "switch.tab.sensitive"}, {Name: open, Label: "switch.tab.open"}}, Counts: s.counts,
		Filters: []caseengine.Filter{
			caseengine.Search(longestSearch, searched),
			caseengine.OneOf("group", switches.Areas, func(r *desk.Request, area switches.Area) string { return word(r, "switch.area."+string(area)) }),
			caseengine.OneOf("change", changing, func(r *desk.Request, state approval.State) string { return word(r, "switch.state."+string(state)) }),
			caseengine.OneOf("changed", []string{"day", "week", "month"}, func(r *desk.Request, span string) string { return word(r, "switch.changed."+span) }),
		},
		Columns: []caseengine.Column{
			{Label: "switch.key"}, {Label: "switch.value", Numeric: true}, {Label: "switch.group"}, {Label: "switch.risk"}, {Label: "switch.owner"}, {Label: "switch.last"},
		},
		Find: s.find, Rows: rows, ID: func(l line) int64 { return int64(l.at) }, Address: func(l line) ui.Path { return path(l.Key) }, Buttons: listButtons,
		File: caseengine.File[line]{
			Permission: access.SwitchView, Columns: []string{"key", "name", "group", "type", "value", "rules", "risk", "owner", "open_changes", "changed_at"}, Cells: cells,
		},
	}
}

// searched cleans the search box's input.
func searched(text string) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, ""))
	if runes := []rune(text); len(runes) > longestSearch {
		return string(runes[:longestSearch])
	}
	return text
}

func (s Services) counts(ctx context.Context) (map[string]int64, error) {
	lines, err := s.lines(ctx)
	counts := map[string]int64{}
	for _, l := range lines {
		if l.Risk == switches.Sensitive {
			counts[sensitive]++
		}
		if len(l.open) > 0 {
			counts[open]++
		}
	}
	return counts, err
}

// lines reads the state of every key. Their number is fixed.
func (s Services) lines(ctx context.Context) ([]line, error) {
	changes, err := s.Changes.UnderWay(ctx)
	if err != nil {
		return nil, err
	}
	last, err := s.Changes.Last(ctx)
	if err != nil {
		return nil, err
	}
	var out []line
	for _, area := range switches.Areas {
		for i, d := range switches.Definitions {
			if d.Area != area {
				continue
			}
			l := line{Definition: d, at: i + 1, setting: s.Values.Setting(d.Key)}
			if change, changed := last[d.Key]; changed {
				l.last = &change
			}
			for _, change := range changes {
				if change.Key == d.Key {
					l.open = append(l.open, change)
				}
			}
			out = append(out, l)
		}
	}
	return out, nil
}

// find selects the lines and pages through them by their place.
func (s Services) find(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) (list []line, next caseengine.Cursor, err error) {
	lines, err := s.lines(ctxOf(r))
	if err != nil {
		return nil, next, err
	}
	lines = slices.DeleteFunc(lines, func(l line) bool { return !l.fits(r, sel) })
	from := 0
	if i := slices.IndexFunc(lines, func(l line) bool { return int64(l.at) == after.ID }); i >= 0 {
		from = i + 1
	}
	if list = lines[from:]; len(list) > limit {
		list = list[:limit]
		next.ID = int64(list[limit-1].at)
	}
	return list, next, nil
}

func (l line) fits(r *desk.Request, sel caseengine.Selection) bool {
	is := func(state string) bool {
		return slices.ContainsFunc(l.open, func(c switches.Change) bool { return string(c.State()) == state })
	}
	words, span := strings.ToLower(sel.Value("q")), spans[sel.Value("changed")]
	switch {
	case sel.Tab() == sensitive && l.Risk != switches.Sensitive, sel.Tab() == open && len(l.open) == 0:
		return false
	case sel.Value("group") != "" && sel.Value("group") != string(l.Area):
		return false
	case sel.Value("change") != "" && !is(sel.Value("change")):
		return false
	case span > 0 && (l.last == nil || l.last.AppliedAt.Before(r.Now().Add(-span))):
		return false
	}
	return words == "" || strings.Contains(strings.ToLower(l.Key+" "+name(r, l.Key)+" "+word(r, "switch.about."+l.Key)), words)
}

func rows(r *desk.Request, list []line) ([]caseengine.Row, error) {
	out := make([]caseengine.Row, len(list))
	for i, l := range list {
		value := ui.Cell{Text: shown(r, l.Definition, l.setting.Value), Strong: true}
		if n := len(l.setting.Rules); n > 0 {
			value.Note = word(r, "switch.rules.count", "count", n)
		}
		out[i] = caseengine.Row{Cells: []ui.Cell{
			{Text: name(r, l.Key), Note: l.Key}, value, {Text: word(r, "switch.area."+string(l.Area)), Muted: true}, {Chips: []ui.ChipView{riskChip(r, l.Risk)}}, {Text: roleOf(r, l.Owner)},
			{Chips: []ui.ChipView{lastChip(r, l)}},
		}}
	}
	return out, nil
}

// lastChip is the newest open change of a key, or when it changed last.
func lastChip(r *desk.Request, l line) ui.ChipView {
	if n := len(l.open); n > 0 {
		change := l.open[n-1]
		chip := stateChip(r, change)
		chip.Label = change.Number() + ", " + chip.Label
		return chip
	}
	if l.last != nil {
		return ui.ChipView{Label: at(r, *l.last.AppliedAt)}
	}
	return ui.ChipView{Label: word(r, "switch.never")}
}

func cells(r *desk.Request, list []line) ([][]string, error) {
	out := make([][]string, len(list))
	for i, l := range list {
		numbers := make([]string, len(l.open))
		for j, change := range l.open {
			numbers[j] = change.Number()
		}
		changedAt := ""
		if l.last != nil {
			changedAt = sheet.Moment(l.last.AppliedAt)
		}
		out[i] = []string{
			l.Key, name(r, l.Key), string(l.Area), string(l.Type), l.setting.Value, strconv.Itoa(len(l.setting.Rules)), string(l.Risk), l.Owner, strings.Join(numbers, " "), changedAt,
		}
	}
	return out, nil
}

func listButtons(r *desk.Request) []ui.ButtonView {
	if !r.May(access.SwitchChange) {
		return nil
	}
	return []ui.ButtonView{{Label: word(r, "switch.several"), Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/switch-batches/new"))}}
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
