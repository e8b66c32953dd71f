package support

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sentences hold, for each language of the product, one with a password (S3cret99), one with a code (482913), and a harmless one about both.
var sentences = map[string]struct{ password, code, harmless string }{
	"en":    {"my password is: S3cret99 please help", "the code 482913 does not work", "my password is wrong, and WD-482913 is open"},
	"zh_CN": {"我的密码是S3cret99，请帮我", "验证码482913无效", "我忘记密码了，订单 WD-482913 还没到"},
	"zh_tw": {"我的密碼是S3cret99", "驗證碼 482913", "我忘記密碼了"},
	"ko":    {"비밀번호는 S3cret99 입니다", "인증번호는 482913입니다", "비밀번호를 잊어버렸어요"},
	"ja":    {"パスワードはS3cret99です", "認証コードは482913です", "パスワードを忘れました"},
	"de":    {"mein Passwort lautet S3cret99", "der Bestätigungscode 482913 geht nicht", "mein Passwort ist falsch"},
	"ru":    {"мой пароль: S3cret99", "код 482913", "не помню пароль, заявка 48291 открыта"},
	"th":    {"รหัสผ่านคือS3cret99", "รหัส 482913", "ลืมรหัสผ่าน"},
	"ar":    {"كلمة المرور هي S3cret99", "الرمز 482913", "نسيت كلمة المرور"},
	"pt":    {"minha senha é S3cret99", "o código 482913 não funciona", "minha senha é incorreta"},
	"fr":    {"mon mot de passe est S3cret99", "le code 482913 ne marche pas", "mon mot de passe est incorrect"},
	"es":    {"mi contraseña es S3cret99", "el codigo 482913 no vale", "mi contraseña es incorrecta"},
	"tr":    {"şifrem S3cret99", "doğrulama kodu 482913", "şifremi unuttum"},
	"hi":    {"मेरा पासवर्ड S3cret99 है", "कोड 482913", "मैं पासवर्ड भूल गया"},
	"kk":    {"құпиясөзім S3cret99", "растау коды 482913", "құпиясөзді ұмыттым"},
	"ms":    {"kata laluan saya ialah S3cret99", "kod 482913", "saya lupa kata laluan"},
	"id":    {"kata sandi S3cret99", "kode 482913", "saya lupa kata sandi"},
	"ur":    {"پاس ورڈ S3cret99", "کوڈ 482913", "میں پاس ورڈ بھول گیا"},
	"vn":    {"mật khẩu là S3cret99", "mã xác nhận 482913", "tôi quên mật khẩu"},
	"mn":    {"нууц үг: S3cret99", "баталгаажуулах код 482913", "нууц үгээ мартсан"},
	"uz":    {"parolim S3cret99", "tasdiqlash kodi 482913", "parolimni unutdim"},
	"cs":    {"moje heslo je S3cret99", "kód 482913 nefunguje", "zapomněl jsem heslo"},
	"nl":    {"mijn wachtwoord is S3cret99", "de verificatiecode 482913", "mijn wachtwoord is onjuist"},
	"it":    {"la mia password è S3cret99", "il codice 482913", "la password è errata"},
	"pl":    {"moje hasło to S3cret99", "kod 482913", "zapomniałem hasło"},
	"ka":    {"ჩემი პაროლია S3cret99", "კოდი 482913", "პაროლი დამავიწყდა"},
}

func TestMask(t *testing.T) {
	t.Parallel()
	t.Run("TheWordsOfEachLanguage", func(t *testing.T) {
		t.Parallel()
		require.Len(t, sentences, 26)
		require.Len(t, spokenIn, 26)
		for language, said := range sentences {
			for secret, text := range map[string]string{"S3cret99": said.password, "482913": said.code} {
				shown, masked := mask(text)
				require.True(t, masked, "%s: %s", language, text)
				require.NotContains(t, shown, secret, language)
			}
			shown, masked := mask(said.harmless)
			require.False(t, masked, "%s: %s", language, shown)
			require.Equal(t, said.harmless, shown)
		}
	})
	t.Run("OnlyTheSecret", func(t *testing.T) {
		t.Parallel()
		for text, want := range map[string]string{
			"my password is: hunter2":                   "my password is: ••••••",
			"my password is sunshine please":            "my password is •••••• please",
			"the password for my account is hunter2":    "the password for my account is ••••••",
			"payment password 482915":                   "payment password ••••••",
			"code: 123 456":                             "code: ••••••",
			"code 123-456, thank you":                   "code ••••••, thank you",
			"пароль: секрет123":                         "пароль: ••••••",
			"ПАРОЛЬ = секрет123":                        "ПАРОЛЬ = ••••••",
			"密码是abc123":                                 "密码是••••••",
			"我的密码：abc123，请看":                            "我的密码：••••••，请看",
			"验证码 123456":                                "验证码 ••••••",
			"код 482913":                                "код ••••••",
			"الرمز ٤٨٢٩١٣":                              "الرمز ••••••",
			"code482913":                                "code••••••",
			"G-482913 is my code":                       "G-•••••• is my code",
			"mi co\u0301digo 482913":                    "mi código ••••••",
			"the code for WD-100200 is 482913":          "the code for WD-100200 is ••••••",
			"Password:\nhunter2\nCode:\n482913":         "Password:\n••••••\nCode:\n••••••",
			"passwords: one1 and password: two2":        "passwords: •••••• and password: ••••••",
			"my codes are 482913 482914 and no balance": "my codes are •••••• •••••• and no balance",
		} {
			shown, masked := mask(text)
			require.Equal(t, want, shown)
			require.True(t, masked, text)
		}
	})
	t.Run("WhatIsNoSecret", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{
			"150000",
			"about the code: DP-100200 and WD-100200",
			"the code of order 1.083451 at 150000.00",
			"password WD-100200",
			"my password is not accepted",
			"the password page of the app is broken",
			"password? I never had one",
			"the password:",
			"the code fails for transaction 0x9f482913ab",
			"code 4829130 is too long",
			"decode 482913",
			"pinned 482913",
			"密码错误，怎么办",
			"密码是错的",
			"co\u0301digo", // returned as written, not normalised
		} {
			shown, masked := mask(text)
			require.Equal(t, text, shown)
			require.False(t, masked)
		}
	})
}

func TestMaskSeeds(t *testing.T) {
	t.Parallel()
	phrase := strings.Fields("legal winner thank year wave sausage worth useful actual winner thank yellow")
	require.Len(t, isSeedWord, 2048)
	for name, text := range map[string]string{
		"Plain":       strings.Join(phrase, " "),
		"ACapital":    "Legal" + strings.TrimPrefix(strings.Join(phrase, " "), "legal"),
		"Capitals":    strings.ToUpper(strings.Join(phrase, " ")),
		"Commas":      strings.Join(phrase, ", "),
		"Numbers":     "1. " + strings.Join(phrase, "\n2. "),
		"WordsBefore": "here are my twelve: " + strings.Join(phrase, " ") + ". Is that right?",
		"Longer":      strings.Join(append(phrase, phrase...), " "),
		"WordThat":    strings.Join(phrase, " ") + " that you can",
	} {
		shown, masked := mask(text)
		require.True(t, masked, name)
		require.NotContains(t, strings.ToLower(shown), "sausage", name)
	}
	shown, _ := mask("my words: " + strings.Join(phrase, " ") + ". Is it right?")
	require.Equal(t, "my words: ••••••. Is it right?", shown)
	for _, text := range []string{
		strings.Join(phrase[:11], " "),
		"I would like to know why my order was filled at that price, and when the money comes back to the account that I have with you",
	} {
		shown, masked := mask(text)
		require.Equal(t, text, shown)
		require.False(t, masked)
	}
}
