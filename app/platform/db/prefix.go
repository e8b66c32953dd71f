package db

import (
	"strings"
	"unicode"
)

var literal = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Prefix is the LIKE pattern of texts that begin with what a person typed; nothing in it is a wildcard.
func Prefix(text string) string { return literal.Replace(text) + "%" }

// Containing is the LIKE pattern of texts that contain the text.
func Containing(text string) string { return "%" + literal.Replace(text) + "%" }

// PrefixRange is the first text with a typed prefix, and the first one after all of these, in the order of the operators ~>=~ and ~<~:
// an index for text_pattern_ops has that order.
func PrefixRange(text string) (first, behind string) { return text, text + string(unicode.MaxRune) }
