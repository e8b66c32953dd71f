package db

import (
	"strings"
	"unicode"
)

var literal = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Prefix is the LIKE pattern of texts that begin with what a person typed; nothing in it is a wildcard.
func Prefix(text string) string { return literal.Replace(text) + "%" }

// Containing is the LIKE pattern of whatever has the text in it.
func Containing(text string) string { return "%" + literal.Replace(text) + "%" }

// PrefixRange is the first text that begins with what a person typed, and the first one behind all of these, as the operators ~>=~ and ~<~ compare
// them: an index for text_pattern_ops gives them in their order.
func PrefixRange(text string) (first, behind string) { return text, text + string(unicode.MaxRune) }
