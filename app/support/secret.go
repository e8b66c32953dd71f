package support

import (
	_ "embed"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// hidden replaces masked text.
const hidden = "••••••"

// mask hides secrets that people paste unasked: six-digit codes in a text about a code or a password, the text after a word for a password, and runs of words
// that are a seed phrase. A text without secrets is returned unchanged.
func mask(text string) (shown string, masked bool) {
	whole := norm.NFC.String(text) // an accent may be a separate code point
	shown = maskCodes(maskPasswords(maskSeeds(whole)))
	if shown == whole {
		return text, false
	}
	return shown, true
}

// Patterns for the text between the word for a password and the password. Only those that announce it make any next word a password.
const (
	saying = `is|was|ist|lautet|es|est|é|è|jest|adalah|ialah|là`
	filler = `to|je|bu|e|hai|va|nó|है|ہے`
	joined = `是|为|為|は|이|가|은|는|을|를|が|คือ|هو|هي|არის`
	gap    = `(?:[\s:：=＝>"'“”„«»(（\p{Pd}]|(?:` + saying + `|` + filler + `)[\s:：=＝]|` + joined + `)`
	rest   = `([^\s，。；、！？]+)`
	far    = `((?:\s+[\p{L}\p{M}'’]+){1,4}?(?:\s*[:：=＝]\s*|\s+(?:` + saying + `)\s+))` // "for my account is"
)

var (
	spacedPassword = regexp.MustCompile(`(?i)(?:^|[^\p{L}\p{M}\p{N}])(?:` + spacedPasswords() + `)(` + gap + `+)` + rest)
	farPassword    = regexp.MustCompile(`(?i)(?:^|[^\p{L}\p{M}\p{N}])(?:` + spacedPasswords() + `)` + far + rest)
	joinedPassword = regexp.MustCompile(`(?i)(?:` + joinedPasswords() + `)(` + gap + `*)` + rest)
	spoken         = regexp.MustCompile(`(?i)(?:^|[^\p{L}\p{M}\p{N}])(?:` + spacedPasswords() + `|` + spacedCodes() + `)(?:$|[^\p{L}\p{M}])|` + joinedPasswords() + `|` + joinedCodes())
	follows        = regexp.MustCompile(`(?i)[:：=＝]|(?:^|\P{L})(?:` + saying + `)\s|是|为|為|は|은|는|คือ|هو|هي|არის`)
	digits         = regexp.MustCompile(`\p{Nd}+(?:[ -]\p{Nd}+)*`)
	numbers        = regexp.MustCompile(`(?i)^(?:DP|WD|TR|EX|AD|ID|CR)-\p{Nd}+`) // the product's reference numbers
	runOfLetters   = regexp.MustCompile(`\p{L}[\p{L}\p{M}]*`)
)

func maskPasswords(text string) string {
	for _, form := range []*regexp.Regexp{spacedPassword, farPassword, joinedPassword} {
		text = form.ReplaceAllStringFunc(text, func(found string) string {
			parts := form.FindStringSubmatch(found)
			if form == farPassword && !hasDigit(parts[2]) || !tells(parts[1], parts[2]) {
				return found
			}
			return strings.TrimSuffix(found, parts[2]) + hidden
		})
	}
	return text
}

// tells reports whether the text after a word for a password is probably one: if announced, any text except words about passwords; else only text with a digit.
func tells(between, after string) bool {
	latin := strings.TrimFunc(strings.Map(withoutSpaceless, after), unicode.IsPunct)
	if numbers.MatchString(latin) || after == hidden {
		return false
	}
	if strings.ContainsAny(between, ":：=＝") {
		return strings.ContainsFunc(after, isLetterOrDigit)
	}
	if follows.MatchString(between) {
		return latin != "" && !aboutPasswords[strings.ToLower(latin)]
	}
	return hasDigit(latin)
}

// hasDigit reports whether a word has a digit and at least 4 characters: a shorter one is a small number.
func hasDigit(word string) bool {
	return utf8.RuneCountInString(word) >= 4 && strings.ContainsFunc(word, unicode.IsDigit)
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// withoutSpaceless drops letters of scripts without spaces between words. Nobody types passwords in them: they belong to the sentence around one.
func withoutSpaceless(r rune) rune {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
		return -1
	}
	return r
}

// maskCodes hides six digits, whole or in two halves, in a text about a code or a password. Reference numbers and parts of longer numbers stay.
func maskCodes(text string) string {
	if !spoken.MatchString(text) {
		return text
	}
	var out strings.Builder
	done := 0
	for _, at := range digits.FindAllStringIndex(text, -1) {
		if partOfMore(text[:at[0]], text[at[1]:]) {
			continue
		}
		out.WriteString(text[done:at[0]])
		out.WriteString(maskGroups(text[at[0]:at[1]]))
		done = at[1]
	}
	return out.String() + text[done:]
}

// maskGroups hides groups of six digits, and pairs of three.
func maskGroups(text string) string {
	groups := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) })
	if len(groups) == 2 && utf8.RuneCountInString(groups[0]) == 3 && utf8.RuneCountInString(groups[1]) == 3 {
		return hidden
	}
	for _, group := range groups {
		if utf8.RuneCountInString(group) == 6 {
			text = strings.Replace(text, group, hidden, 1)
		}
	}
	return text
}

var (
	endsInMore   = regexp.MustCompile(`(?i)(?:\p{Nd}[.,]|(?:^|[^\p{L}])(?:DP|WD|TR|EX|AD|ID|CR)-|[A-Za-z0-9_])$`)
	beginsInMore = regexp.MustCompile(`^(?:[.,]\p{Nd}|[A-Za-z_])`)
	spokenLast   = regexp.MustCompile(`(?i)(?:` + spacedPasswords() + `|` + spacedCodes() + `)$`)
)

// partOfMore reports whether digits belong to the text around them: an amount, a reference number, the hash of a transaction.
func partOfMore(before, after string) bool {
	return endsInMore.MatchString(before) && !spokenLast.MatchString(before) || beginsInMore.MatchString(after)
}

// seedWords is the English BIP39 list, https://github.com/bitcoin/bips/blob/master/bip-0039/english.txt: wallets build their phrases from it.
//
//go:embed seed-words.txt
var seedWords string

var isSeedWord = func() map[string]bool {
	known := map[string]bool{}
	for _, word := range strings.Fields(seedWords) {
		known[word] = true
	}
	return known
}()

const shortestSeed = 12

// maskSeeds hides 12 or more seed words in a row, in any case and with any separators but words. Sentences have no such runs: the list lacks "the" and "is".
func maskSeeds(text string) string {
	var out strings.Builder
	done := 0
	var run [][]int
	end := func() {
		if len(run) >= shortestSeed {
			out.WriteString(text[done:run[0][0]] + hidden)
			done = run[len(run)-1][1]
		}
		run = nil
	}
	for _, at := range runOfLetters.FindAllStringIndex(text, -1) {
		if isSeedWord[strings.ToLower(text[at[0]:at[1]])] {
			run = append(run, at)
		} else {
			end()
		}
	}
	end()
	return out.String() + text[done:]
}
