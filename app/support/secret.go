package support

import (
	_ "embed"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// hidden stands for what was taken out.
const hidden = "••••••"

// mask takes out what people paste though nobody asks for it: codes of six digits where a code or a password is spoken of, what follows the word for a password,
// and runs of words that are a seed phrase. What is not masked stays as it was written.
func mask(text string) (shown string, masked bool) {
	whole := norm.NFC.String(text) // an accent may come as a sign of its own
	shown = maskCodes(maskPasswords(maskSeeds(whole)))
	if shown == whole {
		return text, false
	}
	return shown, true
}

// What is said between the word for a password and the password. Only what says that it follows makes anything that follows one.
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
	numbers        = regexp.MustCompile(`(?i)^(?:DP|WD|TR|EX|AD|ID|CR)-\p{Nd}+`) // of what the product keeps
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

// tells guesses whether what stands after the word for a password is one: all that is said to be one, but for words about it, and else what has a digit.
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

// hasDigit tells whether a word is more than a small number and has a digit.
func hasDigit(word string) bool {
	return utf8.RuneCountInString(word) >= 4 && strings.ContainsFunc(word, unicode.IsDigit)
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// withoutSpaceless drops the scripts that have no spaces between words, and in which nobody types passwords: they are the sentence around one.
func withoutSpaceless(r rune) rune {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
		return -1
	}
	return r
}

// maskCodes takes out six digits, whole or in two halves, where a code or a password is spoken of. Numbers of the product, and parts of longer ones, stay.
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

// maskGroups masks groups of six digits, and two of three.
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

// partOfMore tells whether digits belong to what stands around them: an amount, a number of the product, the hash of a transaction.
func partOfMore(before, after string) bool {
	return endsInMore.MatchString(before) && !spokenLast.MatchString(before) || beginsInMore.MatchString(after)
}

// seedWords is the English list of BIP39, https://github.com/bitcoin/bips/blob/master/bip-0039/english.txt: the words of which wallets make their phrases.
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

// maskSeeds takes out twelve and more words of seed phrases in a row, whatever their case, and whatever stands between them that is no word. Sentences have no
// such runs: the list has neither "the" nor "is".
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
