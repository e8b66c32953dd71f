package chatdesk

import (
	"fmt"
	"net/http"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/support"
	"candor/templates/chatview"
	"candor/templates/ui"
)

// week begins on Monday.
var week = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}

func clock(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }

func (s Services) hours(r *desk.Request) error {
	hours, err := s.Chat.Hours(ctxOf(r))
	if err != nil {
		return err
	}
	return r.Show(chatview.HoursPage(r.Page(r.Word("chat.hours"), place), hoursView(r, hours, "")))
}

func hoursView(r *desk.Request, hours support.Hours, problem string) chatview.Hours {
	may := r.May(access.ChatLead)
	v := chatview.Hours{
		Form: ui.FormView{Post: ui.To(home + "/hours"), Target: ui.At("hours"), Swap: ui.SwapWhole}, Edit: may, Now: r.Word("chat.hours.always"),
		Zone: ui.FieldView{Name: "zone", Label: r.Word("chat.hours.zone"), Value: r.Zone().String(), Disabled: !may, Required: true, Hint: r.Word("chat.hours.zone.hint"), Error: problem},
		Save: ui.ButtonView{Label: r.Word("chat.hours.save"), Kind: ui.Primary, Submit: true},
	}
	if len(hours) > 0 {
		v.Zone.Value, v.Now = hours[0].Zone, r.Word("chat.hours.closed")
		if hours.Open(r.Now()) {
			v.Now = r.Word("chat.hours.open")
		}
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

// minutes reads "09:00" of the browser's field; 00:00 as an end is midnight.
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
	var hours support.Hours
	for _, weekday := range week {
		id := fmt.Sprintf("day-%d", weekday)
		if r.Posted(id) != "" {
			hours = append(hours, support.Day{Weekday: weekday, Opens: minutes(r.Posted(id+"-opens"), false), Closes: minutes(r.Posted(id+"-closes"), true), Zone: r.Posted("zone")})
		}
	}
	err := s.Chat.SetHours(ctxOf(r), r.Actor(), hours)
	if refusal := errs.As(err); refusal != nil {
		return r.ShowStatus(http.StatusUnprocessableEntity, chatview.HoursForm(hoursView(r, hours, r.Text(err))))
	}
	if err != nil {
		return err
	}
	return r.Show(chatview.HoursDone(hoursView(r, hours, ""), r.Word("chat.hours.saved")))
}
