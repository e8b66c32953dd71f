package db

import "strings"

var literal = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Prefix is the LIKE pattern of texts that begin with what a person typed; nothing in it is a wildcard.
func Prefix(text string) string { return literal.Replace(text) + "%" }
