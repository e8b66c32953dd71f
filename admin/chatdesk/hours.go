package chatdesk

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/notice"
	"candor/app/support"
	"candor/templates/chatview"
	"candor/templates/ui"
)

// week begins on Monday.
var week = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}

func clock(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }

func (s Services) hours(r *desk.Request) error {
	table, err := s.Chat.Timetable(ctxOf(r))
	if err != nil {
		return err
	}
	language := r.QueryParam("language")
	if language != "" && !slices.Contains(notice.Locales, language) {
		return desk.ErrNotFound
	}
	view := s.hoursView(r, table, language, table[language], nil)
	if r.Partial() {
		return r.Show(chatview.HoursForm(view))
	}
	view.Tabs = settings(r, "hours")
	return r.Show(chatview.HoursPage(r.Page(r.Word("chat.settings"), navItem), view))
}

// hoursView shows the hours of a language (empty: the general hours), as stored or as posted.
func (s Services) hoursView(r *desk.Request, table support.Timetable, language string, hours support.Hours, problems map[string]string) chatview.Hours {
	may := r.May(access.ChatLead)
	v := chatview.Hours{
		Form: ui.FormView{Post: ui.To(home + "/hours"), Target: ui.At("hours"), Swap: ui.SwapWhole, Hidden: []ui.Hidden{{Name: "language", Value: language}, {Name: "seen", Value: table[language].Version()}}},
		Which: ui.FieldView{
			Name: "language", ID: "hours-of", Label: r.Word("chat.hours.of"), Options: s.hoursOf(r, table, language),
			HX: ui.HX{Get: ui.To(home + "/hours"), Target: ui.At("hours"), Swap: ui.SwapWhole, Trigger: ui.OnChange, Push: true},
		},
		Edit: may, Now: r.Word("chat.hours.always"),
		Zone:    ui.FieldView{Name: "zone", Label: r.Word("chat.hours.zone"), Value: r.Zone().String(), Disabled: !may, Required: true, Hint: r.Word("chat.hours.zone.hint"), Error: problems["zone"]},
		Problem: problems["hours"],
		Save:    ui.ButtonView{Label: r.Word("chat.hours.save"), Kind: ui.Primary, Submit: true},
	}
	switch {
	case language != "" && len(table[language]) == 0:
		v.Now = r.Word("chat.hours.general")
	case table[language].Open(r.Now()) && len(table[language]) > 0:
		v.Now = r.Word("chat.hours.open")
	case len(table[language]) > 0:
		v.Now = r.Word("chat.hours.closed")
	}
	if len(hours) > 0 {
		v.Zone.Value = hours[0].Zone
	}
	for _, weekday := range week {
		day := support.Day{Weekday: weekday, Opens: 9 * 60, Closes: 18 * 60}
		works := false
		for _, d := range hours {
			if d.Weekday == weekday {
				day, works = d, true
			}
		}
		id := fmt.Sprintf("day-%d", weekday)
		name := r.Word(fmt.Sprintf("chat.hours.day.%d", weekday))
		v.Days = append(v.Days, chatview.Day{
			Name: name, Works: ui.CheckView{Name: id, Label: name, Checked: works, Disabled: !may},
			Opens:  ui.FieldView{Name: id + "-opens", Label: r.Word("chat.hours.opens", "day", name), HideLabel: true, Type: "time", Value: clock(day.Opens), Disabled: !may, Small: true},
			Closes: ui.FieldView{Name: id + "-closes", Label: r.Word("chat.hours.closes", "day", name), HideLabel: true, Type: "time", Value: clock(day.Closes % (24 * 60)), Disabled: !may, Small: true},
		})
	}
	return v
}

// hoursOf lists the choices of hours: the general ones, and those of each language.
func (s Services) hoursOf(r *desk.Request, table support.Timetable, chosen string) []ui.Option {
	options := []ui.Option{{Label: r.Word("chat.hours.of.all"), Selected: chosen == ""}}
	for _, option := range s.languages(chosen) {
		if len(table[option.Value]) > 0 {
			option.Note = r.Word("chat.hours.of.own")
		}
		options = append(options, option)
	}
	return options
}

// minutes parses the browser's "09:00" to minutes, -1 for anything else; as an end, 00:00 is midnight.
func minutes(text string, end bool) int {
	at, err := time.Parse("15:04", text)
	if err != nil {
		return -1
	}
	n := at.Hour()*60 + at.Minute()
	if end && n == 0 {
		n = 24 * 60
	}
	return n
}

func (s Services) setHours(r *desk.Request) error {
	language := r.PostFormValue("language")
	if language != "" && !slices.Contains(notice.Locales, language) {
		return support.ErrLanguages
	}
	var hours support.Hours
	for _, weekday := range week {
		id := fmt.Sprintf("day-%d", weekday)
		if r.PostFormValue(id) != "" {
			hours = append(hours, support.Day{Weekday: weekday, Opens: minutes(r.PostFormValue(id+"-opens"), false), Closes: minutes(r.PostFormValue(id+"-closes"), true), Zone: r.PostFormValue("zone")})
		}
	}
	refused := s.Chat.SetHours(ctxOf(r), r.Actor(), language, r.PostFormValue("seen"), hours)
	problems := r.FieldTexts(refused)
	if refused != nil && problems == nil {
		return refused
	}
	table, err := s.Chat.Timetable(ctxOf(r))
	if err != nil {
		return err
	}
	if refused != nil {
		return r.ShowStatus(http.StatusUnprocessableEntity, chatview.HoursForm(s.hoursView(r, table, language, hours, problems)))
	}
	return r.Show(chatview.HoursDone(s.hoursView(r, table, language, hours, nil), r.Word("chat.hours.saved")))
}
