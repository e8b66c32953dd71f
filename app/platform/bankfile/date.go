package bankfile

import (
	"cmp"
	"fmt"
	"time"
)

// Date is a civil date: banks book by day, in no time zone. The zero Date is none.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf is the date of a moment in that moment's zone.
func DateOf(at time.Time) Date {
	var d Date
	d.Year, d.Month, d.Day = at.Date()
	return d
}

// IsZero reports whether there is no date.
func (d Date) IsZero() bool { return d == Date{} }

// String is the date as YYYY-MM-DD; empty for none.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

// Time is midnight UTC of the date.
func (d Date) Time() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// Compare orders dates as cmp.Compare does.
func (d Date) Compare(other Date) int {
	return cmp.Or(cmp.Compare(d.Year, other.Year), cmp.Compare(d.Month, other.Month), cmp.Compare(d.Day, other.Day))
}

// parseDate reads a date in a layout of package time.
func parseDate(layout, text string) (Date, bool) {
	at, err := time.Parse(layout, text)
	if err != nil || at.Year() < 1 {
		return Date{}, false
	}
	return DateOf(at), true
}

// parseISODate reads YYYY-MM-DD; a time or zone after it is ignored, as the date is the bank's own.
func parseISODate(text string) (Date, bool) {
	if len(text) < len(time.DateOnly) {
		return Date{}, false
	}
	rest := text[len(time.DateOnly):]
	if rest != "" && rest[0] != 'T' && rest[0] != 'Z' && rest[0] != '+' && rest[0] != '-' {
		return Date{}, false
	}
	return parseDate(time.DateOnly, text[:len(time.DateOnly)])
}

// parseShortDate reads YYMMDD; two digits of the year are 1980 to 2079.
func parseShortDate(text string) (Date, bool) {
	if len(text) != 6 || !allDigits(text) {
		return Date{}, false
	}
	century := "20"
	if text[:2] >= "80" {
		century = "19"
	}
	return parseDate("20060102", century+text)
}

// nearestDate reads MMDD as the day closest to another date, so that the entry date may fall into the next or previous year.
func nearestDate(text string, near Date) (best Date, found bool) {
	if len(text) != 4 || !allDigits(text) {
		return Date{}, false
	}
	distance := func(d Date) time.Duration { return d.Time().Sub(near.Time()).Abs() }
	for year := near.Year - 1; year <= near.Year+1; year++ {
		d, ok := parseDate("20060102", fmt.Sprintf("%04d%s", year, text))
		if ok && (!found || distance(d) < distance(best)) {
			best, found = d, true
		}
	}
	return best, found
}

func allDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}
