// Package names compares people's names as banks and documents write them, and finds rows by the words of a sealed name without opening it.
package names

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded writes letters that don't decompose into a letter and an accent.
var folded = strings.NewReplacer("ß", "ss", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "æ", "ae", "œ", "oe", "ı", "i")

// Words are the words of a name in small letters, without accents and punctuation, in their order.
func Words(name string) []string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' {
			return -1
		}
		return r
	}, norm.NFKD.String(name))
	return strings.FieldsFunc(folded.Replace(strings.ToLower(plain)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Searchable reports whether the words of a search are enough to find a name: two words, or a longer one.
func Searchable(words []string) bool {
	words = distinct(words)
	return len(words) > 1 && !slices.ContainsFunc(words, isNumber) || len(words) == 1 && longEnough(words[0])
}

// Lengths in letters. A name in Han characters or Hangul is as short as two.
const (
	shortest       = 3
	shortestSigned = 2
)

func longEnough(word string) bool {
	if isNumber(word) {
		return false
	}
	n := utf8.RuneCountInString(word)
	return n >= shortest || n >= shortestSigned && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.In(r, unicode.Han, unicode.Hangul) })
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// distinct are the words without repetitions, in alphabetic order.
func distinct(words []string) []string { return slices.Compact(slices.Sorted(slices.Values(words))) }
