package db

import (
	"strings"
	"unicode/utf8"
)

// IsText reports whether PostgreSQL can store a text: UTF-8 without a zero byte. Check any text from outside before it is stored or
// searched for, or a stranger's typing error would be reported as ours.
func IsText(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }
