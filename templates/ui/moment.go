package ui

import "time"

// Moment says when something was, as short as it can be: the time today, the day too otherwise, and the year when it is another one.
func Moment(at, now time.Time) string {
	at, now = at.UTC(), now.UTC()
	switch {
	case at.YearDay() == now.YearDay() && at.Year() == now.Year():
		return at.Format("15:04")
	case at.Year() == now.Year():
		return at.Format("2 Jan, 15:04")
	default:
		return at.Format("2 Jan 2006, 15:04")
	}
}

// Day says on which day something was.
func Day(at time.Time) string { return at.UTC().Format("2 Jan 2006") }

// Stamp is a moment to the second, for the words on hover.
func Stamp(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05 UTC") }
