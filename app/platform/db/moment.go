package db

import "time"

// Moment is a time as a query argument: NULL for the zero time.
func Moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
