package support

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Refusals of SetHours.
var (
	ErrHours = errs.Field("hours", "field.hours") // a day that does not close after it opens, or two of a weekday
	ErrZone  = errs.Field("zone", "field.zone")
)

// Day holds the working hours of one weekday, in minutes since midnight in a zone.
type Day struct {
	Weekday       time.Weekday
	Opens, Closes int
	Zone          string
}

// Hours are the working hours of a week. Without any day, agents always work.
type Hours []Day

// Open reports whether agents work at a moment.
func (h Hours) Open(at time.Time) bool {
	if len(h) == 0 {
		return true
	}
	for _, d := range h {
		from, to := d.around(at)
		if !at.Before(from) && at.Before(to) {
			return true
		}
	}
	return false
}

// Place is the day's time zone.
func (d Day) Place() *time.Location {
	zone, _ := place(d.Zone)
	return zone
}

// around returns the working hours on the date of at in the day's zone; zero times on another weekday.
func (d Day) around(at time.Time) (from, to time.Time) {
	zone := d.Place()
	local := at.In(zone)
	if local.Weekday() != d.Weekday {
		return from, to
	}
	y, m, n := local.Date()
	return time.Date(y, m, n, 0, d.Opens, 0, 0, zone), time.Date(y, m, n, 0, d.Closes, 0, 0, zone)
}

// place finds a zone by its IANA name; UTC and false for any other name.
func place(zone string) (*time.Location, bool) {
	if zone == "" || zone == "Local" || len(zone) > 64 {
		return time.UTC, false
	}
	found, err := time.LoadLocation(zone)
	if err != nil {
		return time.UTC, false
	}
	return found, true
}

// Next is when working hours next begin after a moment; zero if agents always work.
func (h Hours) Next(at time.Time) (next time.Time) {
	for _, d := range h {
		for days := range 8 {
			from, _ := d.around(at.AddDate(0, 0, days))
			if from.After(at) && (next.IsZero() || from.Before(next)) {
				next = from
			}
		}
	}
	return next
}

// Until is the end of the working hours that a moment falls into; zero if agents always work.
func (h Hours) Until(at time.Time) (until time.Time) {
	for _, d := range h {
		if from, to := d.around(at); !at.Before(from) && at.Before(to) && to.After(until) {
			until = to
		}
	}
	return until
}

// Span is a period of work.
type Span struct{ Opens, Closes time.Time }

// Week lists, in order, the periods of work in the seven days from the Monday on or before a moment, converted to a zone.
func (h Hours) Week(at time.Time, zone *time.Location) (list []Span) {
	local := at.In(zone)
	monday := local.AddDate(0, 0, -(int(local.Weekday())+6)%7)
	first := time.Date(monday.Year(), monday.Month(), monday.Day(), 0, 0, 0, 0, zone)
	for _, d := range h {
		for days := -1; days <= 7; days++ { // a day in another zone may begin a day earlier or later
			opens, closes := d.around(monday.AddDate(0, 0, days))
			if !opens.Before(first) && opens.Before(first.AddDate(0, 0, 7)) && !opens.IsZero() {
				list = append(list, Span{opens.In(zone), closes.In(zone)})
			}
		}
	}
	slices.SortFunc(list, func(a, b Span) int { return a.Opens.Compare(b.Opens) })
	return slices.Compact(list)
}

// Worked is the working time between two moments.
func (h Hours) Worked(from, to time.Time) (worked time.Duration) {
	if len(h) == 0 {
		return max(0, to.Sub(from))
	}
	if to.Sub(from) > 60*24*time.Hour {
		from = to.AddDate(0, 0, -60)
	}
	for _, d := range h {
		for day := from.AddDate(0, 0, -1); day.Before(to.AddDate(0, 0, 2)); day = day.AddDate(0, 0, 1) {
			opens, closes := d.around(day)
			if opens.IsZero() {
				continue
			}
			begin, end := later(opens, from), earlier(closes, to)
			if end.After(begin) {
				worked += end.Sub(begin)
			}
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

// Timetable maps a language to its own hours; the empty name has those of all other languages.
type Timetable map[string]Hours

// For returns a language's own hours, or the general ones.
func (t Timetable) For(language string) Hours {
	if own := t[language]; len(own) > 0 {
		return own
	}
	return t[""]
}

// Timetable returns the hours in force.
func (s *Service) Timetable(ctx context.Context) (Timetable, error) {
	return readTimetable(s.db.Rows(ctx))
}

// workingDay is a day of a language.
type workingDay struct {
	Language string
	Day
}

// TableName is GORM's name of the table.
func (workingDay) TableName() string { return "chat_hours" }

func readTimetable(rows *gorm.DB) (Timetable, error) {
	var days []workingDay
	if err := rows.Order("language, weekday").Find(&days).Error; err != nil {
		return nil, fmt.Errorf("read the hours: %w", err)
	}
	table := Timetable{}
	for _, d := range days {
		table[d.Language] = append(table[d.Language], d.Day)
	}
	return table, nil
}

// Version names the hours: it changes with them.
func (h Hours) Version() string {
	sum := sha256.Sum256([]byte(h.text("")))
	return hex.EncodeToString(sum[:8])
}

// SetHours replaces the weekly hours of a language, or the general ones if language is empty. Seen is the Version of the hours that the author saw. A language
// without days has the general hours. Refusals: ErrHours, ErrZone, db.ErrChanged.
func (s *Service) SetHours(ctx context.Context, by audit.Actor, language, seen string, h Hours) error {
	days := map[time.Weekday]bool{}
	for _, d := range h {
		if _, known := place(d.Zone); !known {
			return ErrZone
		}
		if d.Opens < 0 || d.Closes > 24*60 || d.Opens >= d.Closes || d.Weekday < time.Sunday || d.Weekday > time.Saturday || days[d.Weekday] {
			return ErrHours
		}
		days[d.Weekday] = true
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtext('chat.hours'))`); err != nil {
			return fmt.Errorf("lock the hours: %w", err)
		}
		before, err := readTimetable(tx.Rows)
		if err != nil {
			return err
		}
		if before[language].Version() != seen {
			return db.ErrChanged
		}
		if err := tx.Rows.Where("language = ?", language).Delete(&workingDay{}).Error; err != nil {
			return err
		}
		for _, d := range h {
			if err := tx.Rows.Create(&workingDay{language, d}).Error; err != nil {
				return err
			}
		}
		entry := audit.By(by, s.clock.Now(), "chat.set_hours", "chat", 0)
		entry.Before, entry.After = before[language].text(language), h.text(language)
		return audit.RecordTx(ctx, tx, entry)
	})
}

func (h Hours) text(language string) string {
	text := fmt.Sprintf(`{"language":%q,"hours":"`, language)
	for _, d := range h {
		text += fmt.Sprintf("%s %02d:%02d-%02d:%02d %s; ", d.Weekday, d.Opens/60, d.Opens%60, d.Closes/60, d.Closes%60, d.Zone)
	}
	return text + `"}`
}
