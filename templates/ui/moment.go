package ui

import (
	"context"
	"strconv"
	"time"

	"candor/app/platform/i18n"
)

// Times are shown in the reader's zone and language, and in UTC on hover.

// Moment formats a time as short as possible: the time of today, else with the day, and with the year when it is another one.
func Moment(ctx context.Context, at, now time.Time, zone *time.Location) string {
	at, now = at.In(zone), now.In(zone)
	switch {
	case at.Year() == now.Year() && at.YearDay() == now.YearDay():
		return at.Format("15:04")
	case at.Year() == now.Year():
		return dated(ctx, "moment.this_year", at, "15:04")
	default:
		return dated(ctx, "moment.full", at, "15:04")
	}
}

// Full formats a time with its day and year.
func Full(ctx context.Context, at time.Time, zone *time.Location) string {
	return dated(ctx, "moment.full", at.In(zone), "15:04")
}

// ToSecond is Full to the second.
func ToSecond(ctx context.Context, at time.Time, zone *time.Location) string {
	return dated(ctx, "moment.full", at.In(zone), "15:04:05")
}

// Day formats the day of a time.
func Day(ctx context.Context, at time.Time, zone *time.Location) string {
	return dated(ctx, "moment.day", at.In(zone), "")
}

// Date formats a calendar day, which has no zone.
func Date(ctx context.Context, day time.Time) string { return Day(ctx, day, day.Location()) }

// ShortDate is Date without the year.
func ShortDate(ctx context.Context, day time.Time) string {
	return dated(ctx, "moment.day_this_year", day, "")
}

// Weekday formats the day of a time with its weekday, and without its year.
func Weekday(ctx context.Context, at time.Time, zone *time.Location) string {
	return dated(ctx, "moment.weekday", at.In(zone), "")
}

// dated fills in the text of a key.
func dated(ctx context.Context, key string, at time.Time, clock string) string {
	return i18n.T(ctx, key, "day", strconv.Itoa(at.Day()), "month", i18n.T(ctx, "moment.month."+strconv.Itoa(int(at.Month()))), "year", strconv.Itoa(at.Year()),
		"weekday", i18n.T(ctx, "moment.weekday."+strconv.Itoa(int(at.Weekday()))), "time", at.Format(clock))
}

// Exact formats a time to the second in a zone, with its date.
func Exact(at time.Time, zone *time.Location) string {
	return at.In(zone).Format("2006-01-02 15:04:05")
}

// Stamp formats a time to the second in UTC.
func Stamp(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05 UTC") }

// ZoneName is a zone's present offset: "UTC", "UTC+1", "UTC−3:30".
func ZoneName(now time.Time, zone *time.Location) string {
	_, seconds := now.In(zone).Zone()
	if seconds == 0 {
		return "UTC"
	}
	sign := "+"
	if seconds < 0 {
		sign, seconds = minus, -seconds
	}
	at := time.Unix(int64(seconds), 0).UTC()
	if seconds%3600 == 0 {
		return "UTC" + sign + at.Format("15")[hourStart(at):]
	}
	return "UTC" + sign + at.Format("15:04")[hourStart(at):]
}

// hourStart is the index after an hour's leading zero.
func hourStart(at time.Time) int {
	if at.Hour() < 10 {
		return 1
	}
	return 0
}
