package chatdesk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"candor/admin/desk"
	"candor/app/support"
	"candor/templates/ui"
)

// hoursFor writes the support hours for a customer, in the customer's time zone if known, else in that of the desk, with the holidays of the next days.
func (s Services) hoursFor(r *desk.Request, c support.Conversation, hours support.Hours) string {
	text := func(key string, args map[string]any) string { return s.Texts.T(c.Language, key, args) }
	if hours.Always() {
		return text("message.hours.always", nil)
	}
	zone, known := c.Location()
	if !known {
		zone = hours.Location()
	}
	words := usualText(hours.Usual(r.Now(), zone), func(day time.Weekday) string { return text(fmt.Sprintf("message.weekday.%d", day), nil) }) + " (" + ui.ZoneName(r.Now(), zone) + ")"
	var dates []string
	for _, d := range hours.Coming(r.Now(), support.HolidaysAhead) {
		date := d.Date.Format(time.DateOnly)
		if on := in(hours.On(d.Date), zone); len(on) > 0 {
			dates = append(dates, date+" "+timesText(on))
		} else {
			dates = append(dates, text("message.hours.closed_on", map[string]any{"date": date}))
		}
	}
	if len(dates) == 0 {
		return words
	}
	return text("message.hours.with_holidays", map[string]any{"hours": words, "dates": strings.Join(dates, ", ")})
}

// usualText writes the periods of a week; days in a row with the same times go together.
func usualText(periods []support.Period, name func(time.Weekday) string) string {
	type run struct {
		first, last time.Weekday
		times       string
	}
	byDay := map[time.Weekday][]support.Period{}
	for _, p := range periods {
		byDay[p.From.Weekday()] = append(byDay[p.From.Weekday()], p)
	}
	var runs []run
	for _, day := range week {
		times := timesText(byDay[day])
		last := len(runs) - 1
		switch {
		case times == "":
		case last >= 0 && runs[last].times == times && (runs[last].last+1)%7 == day:
			runs[last].last = day
		default:
			runs = append(runs, run{day, day, times})
		}
	}
	parts := make([]string, len(runs))
	for i, one := range runs {
		days := []string{name(one.first), name(one.last)}
		parts[i] = strings.Join(slices.Compact(days), "–") + " " + one.times
	}
	return strings.Join(parts, ", ")
}

// timesText writes the times of a day's periods.
func timesText(periods []support.Period) string {
	var times []string
	for _, p := range periods {
		times = append(times, p.From.Format("15:04")+"–"+p.To.Format("15:04"))
	}
	return strings.Join(times, " / ")
}

// in converts periods to a zone.
func in(periods []support.Period, zone *time.Location) (list []support.Period) {
	for _, p := range periods {
		list = append(list, support.Period{From: p.From.In(zone), To: p.To.In(zone)})
	}
	return list
}
