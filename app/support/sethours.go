package support

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/zones"
)

// Problems of support hours, beside their fields.
const (
	problemSpans = "field.hours"         // a span closes before it opens, spans overlap, or there are more than MostSpans
	problemTwice = "field.holiday_twice" // two holidays have the same date
	problemPast  = "field.past_day"      // the date is over
	problemName  = "field.length"
	problemZone  = "field.zone" // not in the list
	problemWeek  = "field.week" // holidays of a desk that is always open, or too many
)

// DayField names the field of a weekday in refusals.
func DayField(weekday time.Weekday) string { return fmt.Sprintf("day-%d", weekday) }

// HolidayField names the field of the nth holiday in refusals.
func HolidayField(n int) string { return fmt.Sprintf("holiday-%d", n) }

// SetHours replaces the support hours of a language, or the general ones if language is empty; holidays that are over stay as they are. Seen is the Version of
// the hours that the author saw. A language set to the zero value has the general hours. Refusals: fields, db.ErrChanged.
func (s *Service) SetHours(ctx context.Context, by audit.Actor, language, seen string, h Hours) error {
	today := h.Today(s.clock.Now())
	if problems := h.problems(today); len(problems) > 0 {
		return &errs.Error{Kind: errs.Invalid, Key: "invalid_input", Fields: problems}
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtext('chat.hours'))`); err != nil {
			return fmt.Errorf("lock the support hours: %w", err)
		}
		table, err := readTimetable(ctx, tx.Conn)
		if err != nil {
			return err
		}
		before := table[language]
		if before.Version() != seen {
			return db.ErrChanged
		}
		if !h.Always() {
			over := slices.DeleteFunc(slices.Clone(before.Holidays), func(d Holiday) bool { return !d.Date.Before(today) })
			h.Holidays = slices.Concat(over, h.sorted())
		}
		if err := writeHoursTx(ctx, tx, language, h); err != nil {
			return err
		}
		tx.AfterCommit(func() { s.publish(Event{What: Desk, AgentID: by.ID}) })
		entry := audit.By(by, s.clock.Now(), "chat.set_hours", "chat", 0)
		entry.Before, entry.After = before.text(language), h.text(language)
		return audit.RecordTx(ctx, tx, entry)
	})
}

// problems are the fields that are wrong, with the reasons.
func (h Hours) problems(today time.Time) map[string]string {
	problems := map[string]string{}
	if h.Always() {
		if len(h.Holidays) > 0 {
			problems["hours"] = problemWeek
		}
		return problems
	}
	if listed, ok := zones.Listed(h.Zone); !ok || listed != h.Zone {
		problems["zone"] = problemZone
	}
	for weekday, spans := range h.Week {
		if !ordered(spans) {
			problems[DayField(time.Weekday(weekday))] = problemSpans
		}
	}
	dates := map[time.Time]bool{}
	for n, d := range h.Holidays {
		switch {
		case d.Date.Before(today):
			problems[HolidayField(n)] = problemPast
		case dates[d.Date]:
			problems[HolidayField(n)] = problemTwice
		case d.Name == "" || utf8.RuneCountInString(d.Name) > LongestName || !db.IsText(d.Name):
			problems[HolidayField(n)] = problemName
		case !ordered(d.Spans):
			problems[HolidayField(n)] = problemSpans
		}
		dates[d.Date] = true
	}
	if len(h.Holidays) > MostHolidays {
		problems["hours"] = problemWeek
	}
	return problems
}

// ordered reports whether the spans of a day follow each other.
func ordered(spans []Span) bool {
	end := 0
	for _, s := range spans {
		if s.Opens < end || s.Opens >= s.Closes || s.Closes > 24*60 {
			return false
		}
		end = s.Closes
	}
	return len(spans) <= MostSpans
}

func (h Hours) sorted() []Holiday {
	return slices.SortedFunc(slices.Values(h.Holidays), func(a, b Holiday) int { return a.Date.Compare(b.Date) })
}

func writeHoursTx(ctx context.Context, tx *db.Tx, language string, h Hours) error {
	for _, table := range []string{"chat_hours", "chat_holidays"} {
		if _, err := tx.Conn.Exec(ctx, `DELETE FROM `+table+` WHERE language = $1`, language); err != nil {
			return fmt.Errorf("replace the support hours: %w", err)
		}
	}
	for weekday, spans := range h.Week {
		for _, span := range spans {
			if _, err := tx.Conn.Exec(ctx, `INSERT INTO chat_hours (language, zone, weekday, opens, closes) VALUES ($1, $2, $3, $4, $5)`, language, h.Zone, weekday, span.Opens, span.Closes); err != nil {
				return fmt.Errorf("store the support hours: %w", err)
			}
		}
	}
	const holiday = `INSERT INTO chat_holidays (language, day, name, opens, closes) VALUES ($1, $2, $3, $4, $5)`
	for _, d := range h.Holidays {
		if len(d.Spans) == 0 {
			if _, err := tx.Conn.Exec(ctx, holiday, language, d.Date, d.Name, nil, nil); err != nil {
				return fmt.Errorf("store a holiday: %w", err)
			}
		}
		for _, span := range d.Spans {
			if _, err := tx.Conn.Exec(ctx, holiday, language, d.Date, d.Name, span.Opens, span.Closes); err != nil {
				return fmt.Errorf("store a holiday: %w", err)
			}
		}
	}
	return nil
}

// Version names the hours: it changes with them.
func (h Hours) Version() string {
	sum := sha256.Sum256([]byte(h.text("")))
	return hex.EncodeToString(sum[:8])
}

// text is the hours as JSON for the audit log.
func (h Hours) text(language string) string {
	var week, holidays []string
	for weekday, spans := range h.Week {
		if len(spans) > 0 {
			week = append(week, time.Weekday(weekday).String()[:3]+" "+spansText(spans))
		}
	}
	for _, d := range h.Holidays {
		holidays = append(holidays, fmt.Sprintf("%s %s: %s", d.Date.Format(time.DateOnly), d.Name, cmp.Or(spansText(d.Spans), "closed")))
	}
	raw, _ := json.Marshal(map[string]string{"language": language, "zone": h.Zone, "hours": strings.Join(week, "; "), "holidays": strings.Join(holidays, "; ")})
	return string(raw)
}

func spansText(spans []Span) string {
	parts := make([]string, len(spans))
	for i, s := range spans {
		parts[i] = Clock(s.Opens) + "-" + Clock(s.Closes)
	}
	return strings.Join(parts, " ")
}

// Clock writes minutes since midnight as "09:00"; the end of a day is "24:00".
func Clock(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }
