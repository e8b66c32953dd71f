package caseengine

import (
	"strconv"
	"strings"
	"time"
)

// Cursor is the place of a list's last row that was read: its moment, for lists in the order of a time, and its id. The zero value is the start.
type Cursor struct {
	At time.Time
	ID int64
}

// String is the cursor in an address: microseconds of the moment, 0 for none, then the id.
func (c Cursor) String() string {
	micros := int64(0)
	if !c.At.IsZero() {
		micros = c.At.UnixMicro()
	}
	return strconv.FormatInt(micros, 10) + "." + strconv.FormatInt(c.ID, 10)
}

// ReadCursor reads a cursor in an address; anything else is the start.
func ReadCursor(text string) (c Cursor) {
	before, after, _ := strings.Cut(text, ".")
	micros, err1 := strconv.ParseInt(before, 10, 64)
	id, err2 := strconv.ParseInt(after, 10, 64)
	if err1 != nil || err2 != nil || micros < 0 || id <= 0 {
		return Cursor{}
	}
	if c.ID = id; micros > 0 {
		c.At = time.UnixMicro(micros).UTC()
	}
	return c
}
