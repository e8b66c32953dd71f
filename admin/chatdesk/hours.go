package chatdesk

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/notice"
	"candor/app/platform/zones"
	"candor/app/support"
	"candor/templates/chatview"
	"candor/templates/ui"
)

// week begins on Monday.
var week = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}

const hoursPath = home + "/hours"

func (s Services) hours(r *desk.Request) error {
	table, err := s.Chat.Timetable(ctxOf(r))
	if err != nil {
		return err
	}
	language := r.QueryParam("language")
	if language != "" && !slices.Contains(notice.Locales, language) {
		return desk.ErrNotFound
	}
	shown := table[language]
	if !r.May(access.ChatLead) {
		shown = table.For(language)
	}
	view := s.hoursView(r, table, draftOf(shown, language, r), nil)
	if r.Partial() {
		return r.Show(chatview.HoursForm(view))
	}
	view.Tabs = settings(r, "hours")
	return r.Show(chatview.HoursPage(r.Page(r.Word("chat.settings"), navItem), view))
}

// setHours stores the posted hours; a button that only adds or removes a row shows the form again, and nothing is stored.
func (s Services) setHours(r *desk.Request) error {
	d := postedHours(r)
	if d.language != "" && !slices.Contains(notice.Locales, d.language) {
		return support.ErrLanguages
	}
	table, err := s.Chat.Timetable(ctxOf(r))
	if err != nil {
		return err
	}
	if act := r.PostFormValue("row"); act != "" {
		d.rearrange(act, draftOf(table[""], d.language, r))
		return r.Show(chatview.HoursForm(s.hoursView(r, table, d, nil)))
	}
	refused := s.Chat.SetHours(ctxOf(r), r.Actor(), d.language, d.seen, d.hours())
	if problems := r.FieldTexts(refused); problems != nil {
		return r.ShowStatus(http.StatusUnprocessableEntity, chatview.HoursForm(s.hoursView(r, table, d, problems)))
	}
	if refused != nil {
		return refused
	}
	if table, err = s.Chat.Timetable(ctxOf(r)); err != nil {
		return err
	}
	return r.Show(chatview.HoursDone(s.hoursView(r, table, draftOf(table[d.language], d.language, r), nil), r.Word("chat.hours.saved")))
}

// hoursView shows a draft of the hours of a language.
func (s Services) hoursView(r *desk.Request, table support.Timetable, d hoursDraft, problems map[string]string) chatview.Hours {
	v := chatview.Hours{
		Form: ui.FormView{Post: ui.To(hoursPath), Target: ui.At("hours"), Swap: ui.SwapWhole, Hidden: []ui.Hidden{{Name: "language", Value: d.language}, {Name: "seen", Value: d.seen}}},
		Which: ui.FieldView{
			Name: "language", ID: "hours-of", Label: r.Word("chat.hours.of"), Options: s.queues(r, d.language, func(language string) bool { return !table[language].Always() }),
			HX: ui.HX{Get: ui.To(hoursPath), Target: ui.At("hours"), Swap: ui.SwapWhole, Trigger: ui.OnChange, Push: true},
		},
		Edit: r.May(access.ChatLead), Now: hoursNow(r, table, d.language), Problem: problems["hours"],
		Zone:       zoneField(r, d.zone, problems["zone"]),
		AddHoliday: rowButton(r.Word("chat.hours.holiday.add"), "add.holiday", ui.IconPlus, false),
		Save:       ui.ButtonView{Label: r.Word("chat.hours.save"), Kind: ui.Primary, Submit: true},
	}
	if d.empty() {
		v.Start, v.Unsaved = rowButton(r.Word("chat.hours.start"), "start", ui.IconPlus, false), !table[d.language].Always()
		v.Start.Kind, v.Start.Size = ui.Plain, ui.Small
		return v
	}
	v.Clear = rowButton(r.Word("chat.hours.clear"), "clear", ui.IconClose, false)
	for _, weekday := range week {
		name := r.Word("moment.weekday." + number(int64(weekday)))
		v.Days = append(v.Days, dayView(r, support.DayField(weekday), name, d.days[weekday], problems))
		if len(d.days[weekday]) > 0 && v.Copy.Label == "" {
			v.Copy = rowButton(r.Word("chat.hours.copy", "day", name), "copy."+support.DayField(weekday), ui.IconCopy, false)
		}
	}
	for n, h := range d.holidays {
		v.Holidays = append(v.Holidays, holidayView(r, n, h, problems))
	}
	return v
}

// hoursNow says whether support is open now in a language, and until when.
func hoursNow(r *desk.Request, table support.Timetable, language string) string {
	hours, now := table.For(language), r.Now()
	words := ""
	switch next, until := hours.Next(now), hours.Until(now); {
	case hours.Always():
		return r.Word("chat.hours.always")
	case hours.Open(now) && until.IsZero():
		words = r.Word("chat.hours.open")
	case hours.Open(now):
		words = r.Word("chat.hours.open_until", "at", at(r, until))
	case next.IsZero():
		words = r.Word("chat.hours.closed")
	default:
		words = r.Word("chat.hours.closed_until", "at", at(r, next))
	}
	if language != "" && table[language].Always() {
		words += " " + r.Word("chat.hours.general")
	}
	return words
}

// queues lists the queues with settings of their own: all languages together, and each language; own marks those that have some.
func (s Services) queues(r *desk.Request, chosen string, own func(language string) bool) []ui.Option {
	options := []ui.Option{{Label: r.Word("chat.queue.all"), Selected: chosen == ""}}
	for _, option := range s.languages(chosen) {
		if own(option.Value) {
			option.Note = r.Word("chat.queue.own")
		}
		options = append(options, option)
	}
	return options
}

// zoneField chooses a zone of the list; each shows its present offset.
func zoneField(r *desk.Request, value, problem string) ui.FieldView {
	f := ui.FieldView{Name: "zone", Label: r.Word("chat.hours.zone"), Value: value, Required: true, MaxLength: 64, Hint: r.Word("chat.hours.zone.hint"), Error: problem}
	for _, name := range zones.Names() {
		zone, _ := zones.Load(name)
		f.Options = append(f.Options, ui.Option{Value: name, Label: ui.ZoneName(r.Now(), zone)})
	}
	return f
}

// rowButton adds or removes rows of the form.
func rowButton(label, act string, icon ui.IconName, square bool) ui.ButtonView {
	return ui.ButtonView{
		ID: "row-" + strings.ReplaceAll(act, ".", "-"), Label: label, Icon: icon, Square: square, Kind: ui.Ghost, Size: ui.Tiny, Name: "row", Value: act,
		HX: ui.HX{Post: ui.To(hoursPath), Target: ui.At("hours"), Swap: ui.SwapWhole},
	}
}

// dayView is a weekday, or the hours of a holiday.
func dayView(r *desk.Request, field, name string, spans []spanText, problems map[string]string) chatview.Day {
	v := chatview.Day{Name: name, Text: r.Word("chat.hours.day.closed"), Problem: problems[field], Add: rowButton(r.Word("chat.hours.add"), "add."+field, ui.IconPlus, false)}
	if len(spans) >= support.MostSpans {
		v.Add.Locked, v.Add.HX = true, ui.HX{}
	}
	input := func(end, label, value string, n int) ui.FieldView {
		return ui.FieldView{
			Name: field + "-" + end, ID: field + "-" + end + "-" + number(int64(n)), Label: r.Word(label, "day", name), HideLabel: true, Value: value, Placeholder: "00:00", MaxLength: 5, InputMode: "numeric", Small: true,
			Invalid: v.Problem != "", Autofocus: value == "" && end == "opens",
		}
	}
	var texts []string
	for n, s := range spans {
		v.Spans = append(v.Spans, chatview.Span{
			Opens: input("opens", "chat.hours.opens", s.opens, n), Closes: input("closes", "chat.hours.closes", s.closes, n),
			Remove: rowButton(r.Word("chat.hours.remove", "day", name, "from", s.opens, "to", s.closes), "remove."+field+"."+number(int64(n)), ui.IconClose, true),
		})
		texts = append(texts, s.opens+"–"+s.closes)
	}
	if len(texts) > 0 {
		v.Text = strings.Join(texts, ", ")
	}
	return v
}

func holidayView(r *desk.Request, n int, h holidayText, problems map[string]string) chatview.Holiday {
	field := support.HolidayField(n)
	name := h.name
	if name == "" {
		name = r.Word("chat.hours.holiday.nth", "n", n+1)
	}
	return chatview.Holiday{
		Date:   ui.FieldView{Name: field + "-date", Label: r.Word("chat.hours.holiday.date"), Type: "date", Value: h.date, Small: true, Required: true, Invalid: problems[field] != "", Autofocus: h.date == ""},
		Name:   ui.FieldView{Name: field + "-name", Label: r.Word("chat.hours.holiday.name"), Value: h.name, MaxLength: support.LongestName, Small: true, Required: true, Invalid: problems[field] != ""},
		Remove: rowButton(r.Word("chat.hours.holiday.remove", "name", name), "drop."+number(int64(n)), ui.IconClose, true),
		Day:    dayView(r, field, name, h.spans, problems),
	}
}
