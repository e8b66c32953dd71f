package caseengine

import (
	"strconv"
	"strings"
	"time"
)

// Cursor names the last row of a page in an address: microseconds of a moment, nil is none, then its id.
func Cursor(at *time.Time, id int64) string {
	micros := int64(0)
	if at != nil {
		micros = at.UnixMicro()
	}
	return strconv.FormatInt(micros, 10) + "." + strconv.FormatInt(id, 10)
}

// ReadCursor reads a Cursor; the zero time and no id for anything else.
func ReadCursor(text string) (at time.Time, id int64) {
	before, after, _ := strings.Cut(text, ".")
	micros, err1 := strconv.ParseInt(before, 10, 64)
	id, err2 := strconv.ParseInt(after, 10, 64)
	if err1 != nil || err2 != nil || micros < 0 || id < 0 {
		return time.Time{}, 0
	}
	return time.UnixMicro(micros).UTC(), id
}
