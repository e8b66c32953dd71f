package support

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"candor/app/platform/db"
	"candor/app/platform/zones"
)

// Limits of support hours.
const (
	MostSpans    = 6  // of a day
	MostHolidays = 60 // of a language, from today on
	LongestName  = 60 // characters of a holiday's name

	HolidaysAhead = 14 // days in which customers are told of holidays

	searchDays = 370 // of the search for the next opening and closing
	workedDays = 60  // of a longer wait, the last ones count
)

// Span is a part of a day, in minutes since midnight; it may close at 24:00.
type Span struct{ Opens, Closes int }

// Holiday is a date with hours of its own; without spans support is closed all day.
type Holiday struct {
	Date  time.Time // midnight in UTC
	Name  string
	Spans []Span
}

// Hours are the support hours of a week, and the dates that differ. The zero value is always open.
type Hours struct {
	Zone     string
	Week     [7][]Span // by time.Weekday, each in order
	Holidays []Holiday // by date
}

// Period is a stretch of support hours.
type Period struct{ From, To time.Time }

// holds reports whether a moment is in the period.
func (p Period) holds(at time.Time) bool { return !at.Before(p.From) && at.Before(p.To) }

// Always reports whether support has no hours: it is always open.
func (h Hours) Always() bool {
	return !slices.ContainsFunc(h.Week[:], func(day []Span) bool { return len(day) > 0 })
}

// Location is the zone of the hours; UTC without one.
func (h Hours) Location() *time.Location {
	zone, _ := zones.Load(h.Zone)
	return zone
}

// Today is the date of a moment in the zone of the hours.
func (h Hours) Today(at time.Time) time.Time { return dateOf(at.In(h.Location())) }

func dateOf(at time.Time) time.Time {
	y, m, d := at.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// On lists the periods of a date, holidays considered.
func (h Hours) On(date time.Time) []Period {
	at := slices.IndexFunc(h.Holidays, func(d Holiday) bool { return d.Date.Equal(date) })
	if at >= 0 {
		return h.periodsOf(date, h.Holidays[at].Spans)
	}
	return h.periodsOf(date, h.Week[date.Weekday()])
}

// periodsOf places spans on a date.
func (h Hours) periodsOf(date time.Time, spans []Span) (list []Period) {
	zone := h.Location()
	y, m, d := date.Date()
	for _, s := range spans {
		p := Period{time.Date(y, m, d, 0, s.Opens, 0, 0, zone), time.Date(y, m, d, 0, s.Closes, 0, 0, zone)}
		if p.From.Before(p.To) { // a span may be in the hour that summer time skips
			list = append(list, p)
		}
	}
	return list
}

// periods yields the periods of the dates from the day before a moment until days after it, in order; those that touch are one.
func (h Hours) periods(at time.Time, days int) iter.Seq[Period] {
	today := h.Today(at)
	return func(yield func(Period) bool) {
		var last Period
		for n := -1; n <= days; n++ {
			for _, p := range h.On(today.AddDate(0, 0, n)) {
				if p.From.Equal(last.To) {
					last.To = p.To
					continue
				}
				if !last.To.IsZero() && !yield(last) {
					return
				}
				last = p
			}
		}
		if !last.To.IsZero() {
			yield(last)
		}
	}
}

// Open reports whether agents work at a moment.
func (h Hours) Open(at time.Time) bool {
	if h.Always() {
		return true
	}
	for p := range h.periods(at, 0) {
		if p.holds(at) {
			return true
		}
	}
	return false
}

// Next is when support next opens after a moment; zero if it doesn't within a year, or never closes.
func (h Hours) Next(at time.Time) time.Time {
	for p := range h.periods(at, searchDays) {
		if p.From.After(at) {
			return p.From
		}
	}
	return time.Time{}
}

// Until is when support closes after a moment at which it is open; zero if it doesn't within a year.
func (h Hours) Until(at time.Time) time.Time {
	for p := range h.periods(at, searchDays) {
		if p.holds(at) && p.To.Before(at.AddDate(1, 0, 0)) {
			return p.To
		}
	}
	return time.Time{}
}

// Worked is the time between two moments in which support was open.
func (h Hours) Worked(from, to time.Time) (worked time.Duration) {
	if h.Always() {
		return max(0, to.Sub(from))
	}
	if earliest := to.AddDate(0, 0, -workedDays); from.Before(earliest) {
		from = earliest
	}
	for p := range h.periods(from, int(to.Sub(from)/(24*time.Hour))+1) {
		if begin, end := later(p.From, from), earlier(p.To, to); end.After(begin) {
			worked += end.Sub(begin)
		}
	}
	return worked
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// Usual lists, in order, the periods of a usual week, holidays not considered: of the week from the Monday on or before a moment, in another zone.
func (h Hours) Usual(at time.Time, zone *time.Location) (list []Period) {
	local := at.In(zone)
	monday := local.AddDate(0, 0, -(int(local.Weekday())+6)%7)
	first := time.Date(monday.Year(), monday.Month(), monday.Day(), 0, 0, 0, 0, zone)
	for days := -1; days <= 7; days++ { // a day in another zone may begin a day earlier or later
		date := h.Today(first).AddDate(0, 0, days)
		for _, p := range h.periodsOf(date, h.Week[date.Weekday()]) {
			if !p.From.Before(first) && p.From.Before(first.AddDate(0, 0, 7)) {
				list = append(list, Period{p.From.In(zone), p.To.In(zone)})
			}
		}
	}
	return list
}

// Coming lists the holidays from the date of a moment on, for a number of days.
func (h Hours) Coming(at time.Time, days int) (list []Holiday) {
	today := h.Today(at)
	for _, d := range h.Holidays {
		if !d.Date.Before(today) && d.Date.Before(today.AddDate(0, 0, days)) {
			list = append(list, d)
		}
	}
	return list
}

// Timetable maps a language to its own hours; the empty name has those of all other languages.
type Timetable map[string]Hours

// For returns a language's own hours, or the general ones.
func (t Timetable) For(language string) Hours {
	if own := t[language]; !own.Always() {
		return own
	}
	return t[""]
}

// Timetable returns the hours in force.
func (s *Service) Timetable(ctx context.Context) (Timetable, error) {
	return readTimetable(ctx, s.db.Pool)
}

// readTimetable reads the spans of the weekdays and of the holidays; a holiday without hours has none.
func readTimetable(ctx context.Context, q db.Querier) (Timetable, error) {
	table := Timetable{}
	rows, err := q.Query(ctx, `SELECT language, zone, weekday, opens, closes FROM chat_hours ORDER BY language, weekday, opens`)
	if err != nil {
		return nil, fmt.Errorf("read the support hours: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var language, zone string
		var weekday int
		var span Span
		if err := rows.Scan(&language, &zone, &weekday, &span.Opens, &span.Closes); err != nil {
			return nil, fmt.Errorf("read the support hours: %w", err)
		}
		hours := table[language]
		hours.Zone, hours.Week[weekday] = zone, append(hours.Week[weekday], span)
		table[language] = hours
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the support hours: %w", err)
	}
	return table, readHolidays(ctx, q, table)
}

func readHolidays(ctx context.Context, q db.Querier, table Timetable) error {
	rows, err := q.Query(ctx, `SELECT language, day, name, opens, closes FROM chat_holidays ORDER BY language, day, opens`)
	if err != nil {
		return fmt.Errorf("read the holidays: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var language string
		var day Holiday
		var opens, closes *int
		if err := rows.Scan(&language, &day.Date, &day.Name, &opens, &closes); err != nil {
			return fmt.Errorf("read the holidays: %w", err)
		}
		hours := table[language]
		if n := len(hours.Holidays); n == 0 || !hours.Holidays[n-1].Date.Equal(day.Date) {
			hours.Holidays = append(hours.Holidays, day)
		}
		if opens != nil {
			last := &hours.Holidays[len(hours.Holidays)-1]
			last.Spans = append(last.Spans, Span{*opens, *closes})
		}
		table[language] = hours
	}
	return rows.Err()
}
