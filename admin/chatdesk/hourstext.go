package chatdesk

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/desk"
	"candor/app/platform/zones"
	"candor/app/support"
)

// spanText is a span as its fields show it.
type spanText struct{ opens, closes string }

// holidayText is a holiday as its fields show it.
type holidayText struct {
	date, name string
	spans      []spanText
}

// hoursDraft is the hours of a language as the form shows them: as stored, or as posted.
type hoursDraft struct {
	language, seen, zone string
	days                 [7][]spanText // by weekday
	holidays             []holidayText // from today on
}

func (d hoursDraft) empty() bool {
	return len(d.holidays) == 0 && !slices.ContainsFunc(d.days[:], func(day []spanText) bool { return len(day) > 0 })
}

// draftOf is the draft of stored hours. Without any its zone is the member's, or UTC if that is none of the list.
func draftOf(h support.Hours, language string, r *desk.Request) hoursDraft {
	own, _ := zones.Listed(r.Zone().String())
	d := hoursDraft{language: language, seen: h.Version(), zone: cmp.Or(h.Zone, own, "UTC")}
	for weekday, spans := range h.Week {
		d.days[weekday] = textsOf(spans)
	}
	for _, holiday := range h.Holidays {
		if !holiday.Date.Before(h.Today(r.Now())) {
			d.holidays = append(d.holidays, holidayText{holiday.Date.Format(time.DateOnly), holiday.Name, textsOf(holiday.Spans)})
		}
	}
	return d
}

func textsOf(spans []support.Span) (list []spanText) {
	for _, s := range spans {
		list = append(list, spanText{support.Clock(s.Opens), support.Clock(s.Closes)})
	}
	return list
}

// postedHours reads the form.
func postedHours(r *desk.Request) hoursDraft {
	d := hoursDraft{language: r.PostFormValue("language"), seen: r.PostFormValue("seen"), zone: strings.TrimSpace(r.PostFormValue("zone"))}
	for weekday := range time.Weekday(7) {
		d.days[weekday] = postedSpans(r, support.DayField(weekday))
	}
	for n := 0; n <= support.MostHolidays; n++ {
		field := support.HolidayField(n)
		if len(r.PostFormValues(field+"-date")) == 0 {
			break
		}
		d.holidays = append(d.holidays, holidayText{r.PostFormValue(field + "-date"), strings.TrimSpace(r.PostFormValue(field + "-name")), postedSpans(r, field)})
	}
	return d
}

func postedSpans(r *desk.Request, field string) (list []spanText) {
	closes := r.PostFormValues(field + "-closes")
	for n, opens := range r.PostFormValues(field + "-opens") {
		if n < len(closes) {
			list = append(list, spanText{strings.TrimSpace(opens), strings.TrimSpace(closes[n])})
		}
	}
	return list
}

// hours are what the draft means. A text that is no time of a day becomes a span that is refused; rows without any text are left out.
func (d hoursDraft) hours() support.Hours {
	h := support.Hours{Zone: d.zone}
	if listed, ok := zones.Listed(d.zone); ok {
		h.Zone = listed
	}
	for weekday, spans := range d.days {
		h.Week[weekday] = spansOf(spans)
	}
	for _, holiday := range d.holidays {
		date, err := time.Parse(time.DateOnly, holiday.date)
		if err != nil {
			date = time.Time{} // which is over
		}
		h.Holidays = append(h.Holidays, support.Holiday{Date: date, Name: holiday.name, Spans: spansOf(holiday.spans)})
	}
	return h
}

func spansOf(texts []spanText) (list []support.Span) {
	for _, t := range texts {
		if t.opens != "" || t.closes != "" {
			list = append(list, support.Span{Opens: minutes(t.opens), Closes: end(minutes(t.closes))})
		}
	}
	slices.SortFunc(list, func(a, b support.Span) int { return cmp.Compare(a.Opens, b.Opens) })
	return list
}

// minutes parses "9", "9:00", "0900" and "09:00"; -1 for anything else.
func minutes(text string) int {
	hour, minute, found := strings.Cut(text, ":")
	if !found && len(text) > 2 {
		hour, minute = text[:len(text)-2], text[len(text)-2:]
	}
	h, err := strconv.Atoi(hour)
	m, bad := strconv.Atoi(cmp.Or(minute, "0"))
	if err != nil || bad != nil || h < 0 || h > 24 || m < 0 || m > 59 || found && len(minute) != 2 {
		return -1
	}
	return h*60 + m
}

// end is the minute of an end: midnight is that of the next day.
func end(minute int) int {
	if minute == 0 {
		return 24 * 60
	}
	return minute
}

// rearrange runs a button of the form, such as "add.day-1", "remove.holiday-0.1", "copy.day-1" or "drop.0"; an unknown one changes nothing.
func (d *hoursDraft) rearrange(act string, general hoursDraft) {
	word, rest, _ := strings.Cut(act, ".")
	field, number, _ := strings.Cut(rest, ".")
	spans := d.spans(field)
	switch {
	case word == "clear":
		d.days, d.holidays = [7][]spanText{}, nil
	case word == "start" && general.empty():
		d.zone, d.days[time.Monday] = general.zone, []spanText{{"09:00", "18:00"}}
		d.rearrange("copy."+support.DayField(time.Monday), general)
	case word == "start":
		d.zone, d.days, d.holidays = general.zone, general.days, general.holidays
	case word == "add" && field == "holiday" && len(d.holidays) < support.MostHolidays:
		d.holidays = append(d.holidays, holidayText{})
	case word == "drop":
		if at, err := strconv.Atoi(field); err == nil && at >= 0 && at < len(d.holidays) {
			d.holidays = slices.Delete(d.holidays, at, at+1)
		}
	case spans == nil:
	case word == "add" && len(*spans) == 0:
		*spans = []spanText{{"09:00", "18:00"}}
	case word == "add" && len(*spans) < support.MostSpans:
		*spans = append(*spans, spanText{})
	case word == "copy":
		for day := time.Monday; day <= time.Friday; day++ {
			d.days[day] = slices.Clone(*spans)
		}
	case word == "remove":
		if at, err := strconv.Atoi(number); err == nil && at >= 0 && at < len(*spans) {
			*spans = slices.Delete(*spans, at, at+1)
		}
	}
}

// spans are those of a weekday or a holiday, by its field; nil for any other field.
func (d *hoursDraft) spans(field string) *[]spanText {
	for day := range d.days {
		if field == support.DayField(time.Weekday(day)) {
			return &d.days[day]
		}
	}
	for n := range d.holidays {
		if field == support.HolidayField(n) {
			return &d.holidays[n].spans
		}
	}
	return nil
}
