package chatdesk

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/notice"
	"candor/app/support"
	"candor/templates/chatview"
	"candor/templates/ui"
)

const timesPath = home + "/times"

// timesDraft is the service times of a queue as the form shows them: texts by field; nil without times of its own.
type timesDraft struct {
	language, seen string
	texts          map[string]string
}

func timesOf(times support.ServiceTimes) map[string]string {
	if times == nil {
		return nil
	}
	texts := map[string]string{}
	for _, p := range support.Priorities {
		for _, t := range support.Targets {
			texts[support.TargetField(p, t)] = hoursMinutes(times[p][t])
		}
	}
	return texts
}

// postedTimes reads the form; a form without fields is one without times.
func postedTimes(r *desk.Request) timesDraft {
	d := timesDraft{language: r.PostFormValue("language"), seen: r.PostFormValue("seen")}
	for _, p := range support.Priorities {
		for _, t := range support.Targets {
			field := support.TargetField(p, t)
			if values := r.PostFormValues(field); len(values) > 0 {
				if d.texts == nil {
					d.texts = map[string]string{}
				}
				d.texts[field] = strings.TrimSpace(values[0])
			}
		}
	}
	return d
}

// times are what the draft means; a text that is no time becomes one that is refused.
func (d timesDraft) times() support.ServiceTimes {
	if d.texts == nil {
		return nil
	}
	times := support.ServiceTimes{}
	for _, p := range support.Priorities {
		times[p] = map[support.Target]time.Duration{}
		for _, t := range support.Targets {
			times[p][t] = parseHoursMinutes(d.texts[support.TargetField(p, t)])
		}
	}
	return times
}

// hoursMinutes writes a service time as "0:10" or "24:00", and none as nothing.
func hoursMinutes(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%02d", int(d.Hours()), int(d.Minutes())%60)
}

// parseHoursMinutes reads what hoursMinutes writes; negative for anything else.
func parseHoursMinutes(text string) time.Duration {
	if text == "" {
		return 0
	}
	hours, minutes, _ := strings.Cut(text, ":")
	h, err := strconv.ParseUint(hours, 10, 16)
	m, bad := strconv.ParseUint(minutes, 10, 16)
	if err != nil || bad != nil || len(minutes) != 2 || m > 59 {
		return -1
	}
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
}

func (s Services) times(r *desk.Request) error {
	table, err := s.Chat.ServiceTable(ctxOf(r))
	if err != nil {
		return err
	}
	language := r.QueryParam("language")
	if language != "" && !slices.Contains(notice.Locales, language) {
		return desk.ErrNotFound
	}
	view := s.timesView(r, table, s.storedTimes(r, table, language), nil)
	if r.Partial() {
		return r.Show(chatview.TimesForm(view))
	}
	view.Tabs = settings(r, "times")
	return r.Show(chatview.TimesPage(r.Page(r.Word("chat.settings"), navItem), view))
}

// storedTimes are a queue's own service times for whoever may change them, and else those in force; the general ones always are some.
func (s Services) storedTimes(r *desk.Request, table support.ServiceTable, language string) timesDraft {
	d := timesDraft{language, table[language].Version(), timesOf(table[language])}
	if language == "" || !r.May(access.ChatLead) {
		d.texts = timesOf(table.For(language))
	}
	return d
}

// setTimes stores the posted service times; a button that begins or removes those of a language shows the form again, and nothing is stored.
func (s Services) setTimes(r *desk.Request) error {
	d := postedTimes(r)
	if d.language != "" && !slices.Contains(notice.Locales, d.language) {
		return support.ErrLanguages
	}
	table, err := s.Chat.ServiceTable(ctxOf(r))
	if err != nil {
		return err
	}
	switch act := r.PostFormValue("row"); {
	case act == "start":
		d.texts = timesOf(table.For(d.language))
	case act == "clear" && d.language == "":
		d.texts = timesOf(support.DefaultTimes())
	case act == "clear":
		d.texts = nil
	default:
		return s.storeTimes(r, table, d)
	}
	return r.Show(chatview.TimesForm(s.timesView(r, table, d, nil)))
}

func (s Services) storeTimes(r *desk.Request, table support.ServiceTable, d timesDraft) error {
	refused := s.Chat.SetServiceTimes(ctxOf(r), r.Actor(), d.language, d.seen, d.times())
	if problems := r.FieldTexts(refused); problems != nil {
		return r.ShowStatus(http.StatusUnprocessableEntity, chatview.TimesForm(s.timesView(r, table, d, problems)))
	}
	if refused != nil {
		return refused
	}
	table, err := s.Chat.ServiceTable(ctxOf(r))
	if err != nil {
		return err
	}
	return r.Show(chatview.TimesDone(s.timesView(r, table, s.storedTimes(r, table, d.language), nil), r.Word("chat.times.saved")))
}

// timesView shows a draft of the service times of a queue.
func (s Services) timesView(r *desk.Request, table support.ServiceTable, d timesDraft, problems map[string]string) chatview.Times {
	hx := ui.HX{Post: ui.To(timesPath), Target: ui.At("times"), Swap: ui.SwapWhole}
	v := chatview.Times{
		Form: ui.FormView{Post: hx.Post, Target: hx.Target, Swap: hx.Swap, Hidden: []ui.Hidden{{Name: "language", Value: d.language}, {Name: "seen", Value: d.seen}}},
		Which: ui.FieldView{
			Name: "language", ID: "times-of", Label: r.Word("chat.hours.of"), Options: s.queues(r, d.language, func(language string) bool { return table[language] != nil }),
			HX: ui.HX{Get: ui.To(timesPath), Target: hx.Target, Swap: hx.Swap, Trigger: ui.OnChange, Push: true},
		},
		Edit: r.May(access.ChatLead), General: d.language != "" && table[d.language] == nil,
		Start: ui.ButtonView{Label: r.Word("chat.times.start"), Icon: ui.IconPlus, Size: ui.Small, Name: "row", Value: "start", HX: hx},
		Clear: ui.ButtonView{Label: r.Word("chat.times.clear"), Icon: ui.IconClose, Kind: ui.Ghost, Size: ui.Tiny, Name: "row", Value: "clear", HX: hx},
		Save:  ui.ButtonView{Label: r.Word("chat.times.save"), Kind: ui.Primary, Submit: true}, Unsaved: d.texts == nil && table[d.language] != nil,
	}
	if d.language == "" {
		v.Clear.Label, v.Clear.Icon = r.Word("chat.times.defaults"), ui.IconUndo
	}
	for _, t := range support.Targets {
		v.Targets = append(v.Targets, r.Word("chat.times."+string(t)))
	}
	if d.texts == nil {
		return v
	}
	for _, p := range support.Priorities {
		v.Rows = append(v.Rows, timesRow(r, p, d.texts, problems))
	}
	return v
}

func timesRow(r *desk.Request, p support.Priority, texts, problems map[string]string) chatview.TimesRow {
	row := chatview.TimesRow{Name: r.Word("chat.priority." + string(p))}
	for _, t := range support.Targets {
		field := support.TargetField(p, t)
		row.Fields = append(row.Fields, ui.FieldView{
			Name: field, Label: row.Name + ", " + r.Word("chat.times."+string(t)), HideLabel: true, Value: texts[field], Placeholder: r.Word("chat.times.none"), MaxLength: 6, Small: true, Invalid: problems[field] != "",
		})
		if problems[field] != "" {
			row.Problem = problems[field]
		}
	}
	return row
}
