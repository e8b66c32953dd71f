package support

import (
	"maps"
	"slices"
	"strings"
)

// secretWords holds one language's words for a password and for a code, as patterns.
type secretWords struct {
	password, code string
	joined         bool // the start of a word is not visible
}

// spokenIn holds the secret words of each language of the product.
var spokenIn = map[string]secretWords{
	"en":    {password: `pass(?:word|code|phrase)s?|pin|pwd`, code: `codes?|otp|2fa|totp`},
	"zh_CN": {password: `密码|口令`, code: `验证码|动态码|校验码|安全码|短信码|谷歌码|动态口令`, joined: true},
	"zh_tw": {password: `密碼|口令`, code: `驗證碼|動態碼|校驗碼|安全碼|簡訊碼|認證碼`, joined: true},
	"ko":    {password: `비밀번호|비번|패스워드|암호|핀번호`, code: `인증번호|인증코드|보안코드|코드`, joined: true},
	"ja":    {password: `パスワード|暗証番号|パスコード`, code: `認証番号|確認番号|コード`, joined: true},
	"de":    {password: `pass(?:wort|wörter|wörtern|phrase)|kennwort`, code: `codes?|(?:bestätigungs|sicherheits|prüf|einmal|zugangs|sms)-?codes?`},
	"ru":    {password: `парол\p{Cyrillic}{0,3}|пин(?:-?код\p{Cyrillic}{0,2})?`, code: `код(?:а|у|ом|е|ы|ов|ик)?`},
	"th":    {password: `รหัสผ่าน|พาสเวิร์ด|พิน`, code: `รหัส|โค้ด`, joined: true},
	"ar":    {password: `كلمة (?:ال)?(?:مرور|سر)|الرقم السري|الباسوورد|باسورد`, code: `رمز|كود`, joined: true},
	"pt":    {password: `senhas?|palavra-passe`, code: `c[oó]digos?`},
	"fr":    {password: `mots? de passe|mdp`, code: `codes?`},
	"es":    {password: `contrase[nñ]as?|claves?`, code: `c[oó]digos?`},
	"tr":    {password: `[sş][iİ]fre\p{Latin}{0,4}|parola\p{Latin}{0,3}`, code: `kod(?:u|um|unu|umu|lar|ları)?`},
	"hi":    {password: `पासवर्ड|पिन`, code: `कोड|ओटीपी`},
	"kk":    {password: `құпия ?сөз\p{Cyrillic}{0,4}`, code: `код\p{Cyrillic}{0,3}`},
	"ms":    {password: `kata ?laluan`, code: `kod`},
	"id":    {password: `kata ?sandi|sandi`, code: `kode`},
	"ur":    {password: `پاس ?ورڈ|پن`, code: `کوڈ`},
	"vn":    {password: `mật khẩu|mat khau`, code: `mã(?: otp| xác (?:minh|nhận|thực)| pin| bảo mật)?`},
	"mn":    {password: `нууц ?(?:үг|код|дугаар)\p{Cyrillic}{0,3}`, code: `код\p{Cyrillic}{0,2}`},
	"uz":    {password: `parol\p{Latin}{0,5}|maxfiy so.z\p{Latin}{0,3}`, code: `kod\p{Latin}{0,4}`},
	"cs":    {password: `hesl(?:o|a|em|u)`, code: `k[oó]d(?:u|em|y)?`},
	"nl":    {password: `wachtwoord(?:en)?|toegangscode`, code: `codes?|(?:verificatie|beveiligings|bevestigings|sms)-?codes?`},
	"it":    {password: `parola d.ordine|parola chiave`, code: `codic[ei]`},
	"pl":    {password: `has[lł](?:o|a|em|u)`, code: `kod(?:u|y|em)?`},
	"ka":    {password: `პაროლ\p{Georgian}{0,3}`, code: `კოდ\p{Georgian}{0,3}`},
}

func passwordWords(w secretWords) string { return w.password }
func codeWords(w secretWords) string     { return w.code }

func spacedPasswords() string { return wordsOf(passwordWords, false) }
func spacedCodes() string     { return wordsOf(codeWords, false) }
func joinedPasswords() string { return wordsOf(passwordWords, true) }
func joinedCodes() string     { return wordsOf(codeWords, true) }

// wordsOf joins the patterns of the languages with visible starts of words, or of those without (joined).
func wordsOf(which func(secretWords) string, joined bool) string {
	var patterns []string
	for _, language := range slices.Sorted(maps.Keys(spokenIn)) {
		if spokenIn[language].joined == joined {
			patterns = append(patterns, which(spokenIn[language]))
		}
	}
	return strings.Join(patterns, "|")
}

// aboutPasswords holds words that describe a password and are not one.
var aboutPasswords = func() map[string]bool {
	known := map[string]bool{}
	for _, word := range strings.Fields(`not wrong incorrect invalid correct right rejected refused always never still no the a an my too being now ok fine required needed missing lost forgotten
		blocked locked expired strong weak same different changed reset working accepted asked nicht falsch richtig korrekt ungültig abgelaufen gesperrt immer noch zu vergessen
		incorrecta incorrecto correcta inválida muy la el una incorrect incorrecte invalide bon mauvais refusé toujours trop le errata sbagliata corretta non scaduta errada incorreta não
		correta niet fout onjuist verkeerd juist nieprawidłowe złe błędne poprawne salah benar tidak betul sai đúng không`) {
		known[word] = true
	}
	return known
}()
