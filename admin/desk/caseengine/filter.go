package caseengine

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// List filters in addresses. Values that make no sense filter nothing.

// OneOf is the text if the list has it; empty for anything else.
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

// LastID is above every id of ours.
const LastID = 1 << 53

// Numbered reads the number of a case, with or without the letters before it; 0 for anything else.
func Numbered(text, letters string) int64 {
	return Between(strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(text)), letters), LastID)
}

const dayLayout = "2006-01-02"

// Day is a day as addresses write it; empty for anything else.
func Day(text string) string {
	if _, err := time.Parse(dayLayout, text); err != nil {
		return ""
	}
	return text
}

// Days are the moments from a first through a last day of a zone; the zero time for an empty day.
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
