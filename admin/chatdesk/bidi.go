package chatdesk

import "strings"

// bidi shows characters that turn the direction of a text around as a sign: a name or an amount reads as it was written.
var bidi = strings.NewReplacer(
	"\u202a", "\ufffd", "\u202b", "\ufffd", "\u202c", "\ufffd", "\u202d", "\ufffd", "\u202e", "\ufffd", "\u2066", "\ufffd", "\u2067", "\ufffd", "\u2068", "\ufffd", "\u2069", "\ufffd",
)

// plain is a person's text without such characters.
func plain(text string) string { return bidi.Replace(text) }
