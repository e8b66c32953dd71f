package market

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"time"
	_ "time/tzdata" // sessions are correct on machines without system zones

	"github.com/jackc/pgx/v5"
)

const (
	dayMinutes  = 24 * 60
	weekMinutes = 7 * dayMinutes
	searchDays  = 370 // range of the search for the next change; every change recurs within a year
)

// Session is one weekly stretch in which a calendar is open, in minutes from Sunday 00:00 in its zone.
type Session struct {
	Calendar    string
	Zone        string
	OpenMinute  int
	CloseMinute int
}

// TableName is GORM's name of the table.
func (Session) TableName() string { return "market_hours" }

// Holiday is a local date on which a calendar is closed all day, or from CloseMinute (minutes from 00:00) until midnight.
type Holiday struct {
	Calendar    string
	Day         time.Time
	Name        string
	CloseMinute *int
}

// TableName is GORM's name of the table.
func (Holiday) TableName() string { return "market_holidays" }

// Interval is a stretch of time in UTC, From included and Until excluded.
type Interval struct{ From, Until time.Time }

// Hours knows when each calendar is open. It is safe for many goroutines.
type Hours struct{ calendars map[string]*calendar }

type calendar struct {
	zone     *time.Location
	sessions []Session            // ascending, not overlapping
	holidays map[civilDay]Holiday // by local date
	current  atomic.Pointer[stretch]
}

type civilDay struct {
	year  int
	month time.Month
	day   int
}

// stretch is an answer for every moment from from to until; a zero until is valid for a day, then it is looked up again.
type stretch struct {
	open        bool
	from, until time.Time
}

// NewHours builds the calendars. It fails on an unknown zone, a calendar in two zones, minutes outside a week or day, overlapping sessions,
// and a holiday of a calendar without sessions.
func NewHours(sessions []Session, holidays []Holiday) (*Hours, error) {
	h := &Hours{calendars: map[string]*calendar{}}
	for _, s := range sessions {
		if err := h.addSession(s); err != nil {
			return nil, err
		}
	}
	for _, day := range holidays {
		if err := h.addHoliday(day); err != nil {
			return nil, err
		}
	}
	for name, c := range h.calendars {
		if err := c.order(); err != nil {
			return nil, fmt.Errorf("calendar %s: %w", name, err)
		}
	}
	return h, nil
}

// readHours reads the calendars of this installation.
func readHours(ctx context.Context, q querier) (*Hours, error) {
	rows, err := q.Query(ctx, `SELECT calendar, zone, open_minute, close_minute FROM market_hours ORDER BY calendar, open_minute`)
	if err != nil {
		return nil, fmt.Errorf("read the market hours: %w", err)
	}
	sessions, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Session])
	if err != nil {
		return nil, fmt.Errorf("read the market hours: %w", err)
	}
	if rows, err = q.Query(ctx, `SELECT calendar, day, name, close_minute FROM market_holidays ORDER BY calendar, day`); err != nil {
		return nil, fmt.Errorf("read the holidays: %w", err)
	}
	holidays, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Holiday])
	if err != nil {
		return nil, fmt.Errorf("read the holidays: %w", err)
	}
	return NewHours(sessions, holidays)
}

func (h *Hours) addSession(s Session) error {
	if s.OpenMinute < 0 || s.CloseMinute <= s.OpenMinute || s.CloseMinute > weekMinutes {
		return fmt.Errorf("calendar %s: session from minute %d to %d is not inside a week", s.Calendar, s.OpenMinute, s.CloseMinute)
	}
	zone, err := time.LoadLocation(s.Zone)
	if err != nil {
		return fmt.Errorf("calendar %s: %w", s.Calendar, err)
	}
	c := h.calendars[s.Calendar]
	if c == nil {
		c = &calendar{zone: zone, holidays: map[civilDay]Holiday{}}
		h.calendars[s.Calendar] = c
	}
	if c.zone.String() != zone.String() {
		return fmt.Errorf("calendar %s is in two zones: %s and %s", s.Calendar, c.zone, zone)
	}
	c.sessions = append(c.sessions, s)
	return nil
}

func (h *Hours) addHoliday(day Holiday) error {
	c := h.calendars[day.Calendar]
	if c == nil {
		return fmt.Errorf("holiday %q: no calendar %s", day.Name, day.Calendar)
	}
	if m := day.CloseMinute; m != nil && (*m < 1 || *m >= dayMinutes) {
		return fmt.Errorf("holiday %q: minute %d is not inside a day", day.Name, *m)
	}
	c.holidays[civil(day.Day)] = day
	return nil
}

func (c *calendar) order() error {
	slices.SortFunc(c.sessions, func(a, b Session) int { return cmp.Compare(a.OpenMinute, b.OpenMinute) })
	for i := 1; i < len(c.sessions); i++ {
		if c.sessions[i].OpenMinute < c.sessions[i-1].CloseMinute {
			return fmt.Errorf("sessions overlap at minute %d", c.sessions[i].OpenMinute)
		}
	}
	return nil
}

func civil(day time.Time) civilDay {
	y, m, d := day.Date()
	return civilDay{y, m, d}
}

// State returns whether the calendar is open at a moment and the time of the next change, in UTC; zero when there is none.
// An unknown calendar is always closed.
func (h *Hours) State(calendar string, at time.Time) (open bool, until time.Time) {
	c := h.calendars[calendar]
	if c == nil {
		return false, time.Time{}
	}
	if known := c.current.Load(); known != nil && known.holds(at) {
		return known.open, known.until
	}
	found := c.find(at)
	c.current.Store(&found)
	return found.open, found.until
}

func (s *stretch) holds(at time.Time) bool {
	if s.until.IsZero() {
		return !at.Before(s.from) && at.Before(s.from.AddDate(0, 0, 1))
	}
	return !at.Before(s.from) && at.Before(s.until)
}

// find searches for the next change from at, day by day; parts that touch at midnight are one.
func (c *calendar) find(at time.Time) stretch {
	open, edge := false, at
	for part := range c.parts(at, searchDays) {
		if !part.Until.After(at) {
			continue
		}
		if part.From.After(edge) && open {
			return stretch{open: true, from: at, until: edge}
		}
		if part.From.After(edge) {
			return stretch{open: false, from: at, until: part.From}
		}
		open, edge = true, part.Until
	}
	return stretch{open: open, from: at}
}

// parts yields the open parts of each local day from the one before at, oldest first, never past midnight.
func (c *calendar) parts(at time.Time, days int) iter.Seq[Interval] {
	year, month, day := at.In(c.zone).Date()
	return func(yield func(Interval) bool) {
		for i := -1; i < days; i++ {
			date := time.Date(year, month, day+i, 0, 0, 0, 0, time.UTC)
			for _, s := range c.sessions {
				if part, ok := c.part(s, date); ok && !yield(part) {
					return
				}
			}
		}
	}
}

// part is the part of a session on a local date, without holidays.
func (c *calendar) part(s Session, date time.Time) (Interval, bool) {
	start := int(date.Weekday()) * dayMinutes
	from, until := max(s.OpenMinute-start, 0), min(s.CloseMinute-start, dayMinutes)
	if from >= until {
		return Interval{}, false
	}
	if holiday, ok := c.holidays[civil(date)]; ok {
		if holiday.CloseMinute == nil {
			return Interval{}, false
		}
		until = min(until, *holiday.CloseMinute)
	}
	return Interval{c.wall(date, from), c.wall(date, until)}, from < until
}

func (c *calendar) wall(date time.Time, minute int) time.Time {
	y, m, d := date.Date()
	return time.Date(y, m, d, minute/60, minute%60, 0, 0, c.zone).UTC()
}

// Week lists the open intervals of the seven days from a moment, cut at both ends, oldest first; none for an unknown calendar.
func (h *Hours) Week(calendar string, at time.Time) []Interval {
	c := h.calendars[calendar]
	if c == nil {
		return nil
	}
	at = at.UTC()
	end := at.AddDate(0, 0, 7)
	var out []Interval
	for part := range c.parts(at, 9) {
		part = Interval{later(part.From, at), earlier(part.Until, end)}
		switch last := len(out) - 1; {
		case !part.From.Before(part.Until):
		case last >= 0 && out[last].Until.Equal(part.From):
			out[last].Until = part.Until
		default:
			out = append(out, part)
		}
	}
	return out
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

// DefaultSessions is the seed of the weekly sessions.
func DefaultSessions() []Session {
	const newYork, hongKong = "America/New_York", "Asia/Hong_Kong"
	at := func(day time.Weekday, hour, minute int) int { return int(day)*dayMinutes + hour*60 + minute }
	out := []Session{
		{calendarCrypto, "UTC", 0, weekMinutes},
		{calendarForex, newYork, at(time.Sunday, 17, 0), at(time.Friday, 17, 0)},
	}
	for day := time.Sunday; day < time.Friday; day++ { // each trading day ends with an hour's break
		out = append(out,
			Session{calendarMetal, newYork, at(day, 18, 0), at(day+1, 17, 0)},
			Session{calendarUSIndex, newYork, at(day, 18, 0), at(day+1, 17, 0)})
	}
	for day := time.Monday; day <= time.Friday; day++ {
		out = append(out,
			Session{calendarNYSE, newYork, at(day, 9, 30), at(day, 16, 0)},
			Session{calendarHKEX, hongKong, at(day, 9, 30), at(day, 12, 0)},
			Session{calendarHKEX, hongKong, at(day, 13, 0), at(day, 16, 0)})
	}
	return out
}

// DefaultHolidays is the seed of the holidays and half days of 2024 to 2027; staff maintain later ones.
func DefaultHolidays() []Holiday {
	return slices.Concat(nyseHolidays(), hkexHolidays(), otcHolidays())
}

func closed(calendar, name string, days ...string) []Holiday {
	out := make([]Holiday, 0, len(days))
	for _, text := range days {
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			panic(err) // a constant of this file
		}
		out = append(out, Holiday{Calendar: calendar, Day: day, Name: name})
	}
	return out
}

func halfDay(calendar, name string, closeMinute int, days ...string) []Holiday {
	out := closed(calendar, name, days...)
	for i := range out {
		out[i].CloseMinute = &closeMinute
	}
	return out
}

func nyseHolidays() []Holiday {
	const one = 13 * 60
	return slices.Concat(
		closed(calendarNYSE, "New Year's Day", "2024-01-01", "2025-01-01", "2026-01-01", "2027-01-01"),
		closed(calendarNYSE, "National Day of Mourning", "2025-01-09"),
		closed(calendarNYSE, "Martin Luther King Jr. Day", "2024-01-15", "2025-01-20", "2026-01-19", "2027-01-18"),
		closed(calendarNYSE, "Washington's Birthday", "2024-02-19", "2025-02-17", "2026-02-16", "2027-02-15"),
		closed(calendarNYSE, "Good Friday", "2024-03-29", "2025-04-18", "2026-04-03", "2027-03-26"),
		closed(calendarNYSE, "Memorial Day", "2024-05-27", "2025-05-26", "2026-05-25", "2027-05-31"),
		closed(calendarNYSE, "Juneteenth", "2024-06-19", "2025-06-19", "2026-06-19", "2027-06-18"),
		closed(calendarNYSE, "Independence Day", "2024-07-04", "2025-07-04", "2026-07-03", "2027-07-05"),
		closed(calendarNYSE, "Labor Day", "2024-09-02", "2025-09-01", "2026-09-07", "2027-09-06"),
		closed(calendarNYSE, "Thanksgiving Day", "2024-11-28", "2025-11-27", "2026-11-26", "2027-11-25"),
		closed(calendarNYSE, "Christmas Day", "2024-12-25", "2025-12-25", "2026-12-25", "2027-12-24"),
		halfDay(calendarNYSE, "Day before Independence Day", one, "2024-07-03", "2025-07-03"),
		halfDay(calendarNYSE, "Day after Thanksgiving", one, "2024-11-29", "2025-11-28", "2026-11-27", "2027-11-26"),
		halfDay(calendarNYSE, "Christmas Eve", one, "2024-12-24", "2025-12-24", "2026-12-24"),
	)
}

func hkexHolidays() []Holiday {
	const noon = 12 * 60
	return slices.Concat(
		closed(calendarHKEX, "New Year's Day", "2024-01-01", "2025-01-01", "2026-01-01", "2027-01-01"),
		halfDay(calendarHKEX, "Lunar New Year's Eve", noon, "2024-02-09", "2025-01-28", "2026-02-16", "2027-02-05"),
		closed(calendarHKEX, "Lunar New Year", "2024-02-12", "2024-02-13", "2025-01-29", "2025-01-30", "2025-01-31", "2026-02-17", "2026-02-18", "2026-02-19", "2027-02-08", "2027-02-09"),
		closed(calendarHKEX, "Ching Ming Festival", "2024-04-04", "2025-04-04", "2026-04-06", "2027-04-05"),
		closed(calendarHKEX, "Good Friday", "2024-03-29", "2025-04-18", "2026-04-03", "2027-03-26"),
		closed(calendarHKEX, "Easter Monday", "2024-04-01", "2025-04-21", "2026-04-07", "2027-03-29"),
		closed(calendarHKEX, "Labour Day", "2024-05-01", "2025-05-01", "2026-05-01"),
		closed(calendarHKEX, "Buddha's Birthday", "2024-05-15", "2025-05-05", "2026-05-25", "2027-05-13"),
		closed(calendarHKEX, "Tuen Ng Festival", "2024-06-10", "2026-06-19", "2027-06-09"), // a Saturday in 2025
		closed(calendarHKEX, "Establishment Day", "2024-07-01", "2025-07-01", "2026-07-01", "2027-07-01"),
		closed(calendarHKEX, "Day after Mid-Autumn Festival", "2024-09-18", "2025-10-07", "2027-09-16"), // a Saturday in 2026
		closed(calendarHKEX, "National Day", "2024-10-01", "2025-10-01", "2026-10-01", "2027-10-01"),
		closed(calendarHKEX, "Chung Yeung Festival", "2024-10-11", "2025-10-29", "2026-10-19", "2027-10-08"),
		halfDay(calendarHKEX, "Christmas Eve", noon, "2024-12-24", "2025-12-24", "2026-12-24", "2027-12-24"),
		closed(calendarHKEX, "Christmas", "2024-12-25", "2024-12-26", "2025-12-25", "2025-12-26", "2026-12-25", "2027-12-27"),
		halfDay(calendarHKEX, "New Year's Eve", noon, "2024-12-31", "2025-12-31", "2026-12-31", "2027-12-31"),
	)
}

// otcHolidays closes the around-the-clock markets on the two days without quotes; the US index also closes on Good Friday.
func otcHolidays() []Holiday {
	out := closed(calendarUSIndex, "Good Friday", "2024-03-29", "2025-04-18", "2026-04-03", "2027-03-26")
	for _, calendar := range []string{calendarForex, calendarMetal, calendarUSIndex} {
		out = append(out, closed(calendar, "New Year's Day", "2024-01-01", "2025-01-01", "2026-01-01", "2027-01-01")...)
		out = append(out, closed(calendar, "Christmas Day", "2024-12-25", "2025-12-25", "2026-12-25")...) // a Saturday in 2027
	}
	return out
}

// rolloverHour is the hour at which the trading day ends in New York.
const rolloverHour = 17

// rollover is the first 17:00 New York after a moment, in UTC.
func rollover(at time.Time) time.Time { return RolloverOn(LastRollover(at).Day.AddDate(0, 0, 1)) }
