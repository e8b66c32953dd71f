package support

import (
	"regexp"
	"strings"
)

// What people paste though nobody asks for it: codes, passwords after the word, and runs of words that look like a seed phrase.
var (
	codeForm     = regexp.MustCompile(`\b\d{6}\b`)
	passwordForm = regexp.MustCompile(`(?i)\b(password|passwort|contraseña|mot de passe|пароль|密码|密碼|パスワード|비밀번호|كلمة المرور|pin)\b?\s*(is|ist|es|est|:|=|是|：)\s*(\S+)`)
	codeWords    = regexp.MustCompile(`(?i)\b(code|codes|otp|pin|código|code de|код|验证码|驗證碼|コード|코드|رمز)`)
	wordForm     = regexp.MustCompile(`\b[a-z]{3,8}\b`)
	seedRun      = regexp.MustCompile(`\b(?:[a-z]{3,8}[ \n]+){11,23}[a-z]{3,8}\b`)
)

// hidden stands for what was taken out.
const hidden = "••••••"

// mask takes out what looks like a secret: six digits where a code is spoken of or nothing else is said, what follows the word for a password, and twelve to
// twenty-four short words in a row without anything between them.
func mask(text string) (shown string, masked bool) {
	shown = text
	if codeWords.MatchString(shown) || codeForm.FindString(strings.TrimSpace(shown)) == strings.TrimSpace(shown) {
		shown = codeForm.ReplaceAllString(shown, hidden)
	}
	shown = passwordForm.ReplaceAllStringFunc(shown, func(found string) string {
		parts := passwordForm.FindStringSubmatch(found)
		return strings.TrimSuffix(found, parts[3]) + hidden
	})
	shown = seedRun.ReplaceAllStringFunc(shown, func(run string) string {
		if !looksLikeSeed(run) {
			return run
		}
		return hidden
	})
	return shown, shown != text
}

// common are words that sentences have and seed phrases have not.
var common = map[string]bool{
	"the": true, "and": true, "but": true, "you": true, "your": true, "was": true, "for": true, "that": true, "with": true, "have": true, "has": true, "not": true,
	"are": true, "this": true, "from": true, "they": true, "were": true, "will": true, "been": true, "when": true, "what": true, "which": true, "there": true, "does": true,
}

func looksLikeSeed(run string) bool {
	words := wordForm.FindAllString(run, -1)
	if n := len(words); n != 12 && n != 15 && n != 18 && n != 21 && n != 24 {
		return false
	}
	for _, word := range words {
		if common[word] {
			return false
		}
	}
	return true
}
