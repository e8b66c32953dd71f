package ui

import "time"

// Times are shown in the reader's zone, and in UTC on hover.

// Moment formats a time as short as possible: the time of today, else with the day, and with the year when it is another one.
func Moment(at, now time.Time, zone *time.Location) string {
	at, now = at.In(zone), now.In(zone)
	switch {
	case at.Year() == now.Year() && at.YearDay() == now.YearDay():
		return at.Format("15:04")
	case at.Year() == now.Year():
		return at.Format("2 Jan, 15:04")
	default:
		return at.Format("2 Jan 2006, 15:04")
	}
}

// Day formats the day of a time.
func Day(at time.Time, zone *time.Location) string { return at.In(zone).Format("2 Jan 2006") }

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
