package caseengine

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// What the addresses of lists narrow them by. Words that make no sense narrow nothing.

// OneOf is a word of a list; empty for any other.
func OneOf[T ~string](list []T, text string) T {
	if slices.Contains(list, T(text)) {
		return T(text)
	}
	return ""
}

// Between reads a number from 1 to a limit; 0 for anything else.
func Between(text string, limit int64) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 1 || n > limit {
		return 0
	}
	return n
}

// LastID is more than any id of ours.
const LastID = 1 << 53

// Numbered reads the number of a case, with the letters before it or without; 0 for anything else.
func Numbered(text, letters string) int64 {
	return Between(strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(text)), letters), LastID)
}

const dayLayout = "2006-01-02"

// Day is a day as addresses name one; empty for anything else.
func Day(text string) string {
	if _, err := time.Parse(dayLayout, text); err != nil {
		return ""
	}
	return text
}

// Days are the moments from a first to a last day of a zone, which is included; no time for an empty day.
func Days(zone *time.Location, first, last string) (from, to time.Time) {
	if first != "" {
		from, _ = time.ParseInLocation(dayLayout, first, zone)
	}
	if last != "" {
		end, _ := time.ParseInLocation(dayLayout, last, zone)
		to = end.AddDate(0, 0, 1)
	}
	return from, to
}
