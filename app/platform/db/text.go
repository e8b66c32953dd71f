package db

import (
	"strings"
	"unicode/utf8"
)

// IsText tells whether PostgreSQL can hold a text at all: it is UTF-8 without a zero byte. Whoever stores or looks for what came from outside
// asks first, or a stranger's typing error would be ours.
func IsText(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }
