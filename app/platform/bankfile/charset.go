package bankfile

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// swiftSymbols are the characters of the SWIFT x character set besides the Latin letters and digits; the SEPA schemes guarantee the same set.
const swiftSymbols = `/-?:().,'+ `

// latinLetters are spellings that decomposition doesn't give: umlauts as banks of the DACH countries spell them, and letters that are no base letter with a mark.
var latinLetters = map[rune]string{
	'ä': "ae", 'ö': "oe", 'ü': "ue", 'Ä': "Ae", 'Ö': "Oe", 'Ü': "Ue", 'ß': "ss", 'ẞ': "SS", 'æ': "ae", 'Æ': "AE", 'œ': "oe", 'Œ': "OE", 'ø': "o", 'Ø': "O", 'đ': "d", 'Đ': "D",
	'ð': "d", 'Ð': "D", 'þ': "th", 'Þ': "TH", 'ł': "l", 'Ł': "L", 'ħ': "h", 'Ħ': "H", 'ı': "i", 'ŧ': "t", 'Ŧ': "T", 'ŋ': "n", 'Ŋ': "N",
	'&': "+", '_': "-", '–': "-", '—': "-", '‐': "-", '‘': "'", '’': "'", '`': "'", '´': "'", '"': "'", '“': "'", '”': "'", '„': "'", ';': ",", '€': "EUR", '\t': " ", '\n': " ", '\r': " ",
}

// spell writes a rune in the SWIFT character set; false when it has no spelling there.
func spell(r rune) (string, bool) {
	if inSWIFT(r) {
		return string(r), true
	}
	if known, ok := latinLetters[r]; ok {
		return known, true
	}
	var out strings.Builder
	for _, part := range norm.NFKD.String(string(r)) {
		switch {
		case inSWIFT(part):
			out.WriteRune(part)
		case !unicode.Is(unicode.Mn, part):
			return "", false
		}
	}
	return out.String(), true
}

func inSWIFT(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r < 0x80 && strings.ContainsRune(swiftSymbols, r)
}

// transliterate writes a text in the SWIFT character set with single spaces, at most longest characters, and a full stop for what has no spelling there; lost
// reports whether a letter or digit was among that.
func transliterate(text string, longest int) (out string, lost bool) {
	var all strings.Builder
	for _, r := range norm.NFC.String(text) {
		spelled, ok := spell(r)
		if !ok {
			spelled = "."
			lost = lost || unicode.IsLetter(r) || unicode.IsNumber(r)
		}
		all.WriteString(spelled)
	}
	out = squeeze(all.String())
	if len(out) > longest {
		out = strings.TrimSpace(out[:longest])
	}
	return out, lost
}

// fold keeps letters and digits only, in capitals and without marks: formats wrap and spell the same text differently.
func fold(text string, longest int) string {
	var out []rune
	for _, r := range norm.NFC.String(text) {
		spelled, ok := spell(r)
		if !ok {
			spelled = string(r)
		}
		for _, s := range strings.ToUpper(spelled) {
			if unicode.IsLetter(s) || unicode.IsNumber(s) {
				out = append(out, s)
			}
		}
		if len(out) >= longest {
			return string(out[:longest])
		}
	}
	return string(out)
}
