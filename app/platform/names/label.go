package names

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// blanks are letters and signs that show nothing: the fillers of Hangul, the empty pattern of Braille, and the joiner of graphemes.
const blanks = "\u115f\u1160\u3164\uffa0\u2800\u034f"

// Hidden reports whether a character shows nothing of its own: a blank, a space, a control, or a mark of the direction.
func Hidden(r rune) bool {
	return !unicode.IsGraphic(r) || unicode.IsSpace(r) || strings.ContainsRune(blanks, r) || unicode.Is(unicode.Variation_Selector, r)
}

// Label tidies the name that a person gives to a thing, and checks its length in characters and that it is visible text: controls of the direction are none,
// joiners are parts of words. An empty name stays empty. Refusal: the field name.
func Label(name string, longest int) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	if utf8.RuneCountInString(name) > longest || !db.IsText(name) {
		return "", errs.Field("name", "field.length")
	}
	const nonJoiner, joiner = '\u200c', '\u200d'
	hidden := func(r rune) bool { return r != nonJoiner && r != joiner && !unicode.IsGraphic(r) }
	seen := func(r rune) bool { return !Hidden(r) && !unicode.IsMark(r) }
	if name != "" && (strings.ContainsFunc(name, hidden) || !strings.ContainsFunc(name, seen)) {
		return "", errs.Field("name", "field.type")
	}
	return name, nil
}
