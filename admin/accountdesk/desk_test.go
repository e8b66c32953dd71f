package accountdesk_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/accountdesk"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/factor"
	"candor/app/factor/factortest"
	"candor/app/platform/dbtest"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/trader"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

type bundle struct {
	*testing.T
	*desktest.Office
}

func setup(t *testing.T) *bundle {
	t.Helper()
	o := desktest.New(t, dbtest.New(t).URL)
	o.Mount(accountdesk.Routes(accountdesk.Services{Staff: o.Staff}))
	return &bundle{t, o}
}

func (b *bundle) of(who *desktest.Browser) factor.Factors {
	b.Helper()
	f, err := b.Staff.Factors(b.Context(), who.Person.ID)
	require.NoError(b, err)
	return f
}

// passkeyPath is the address of an act on a member's first passkey.
func (b *bundle) passkeyPath(who *desktest.Browser, act string) string {
	b.Helper()
	return "/admin/account/passkeys/" + strconv.FormatInt(b.of(who).Passkeys[0].ID, 10) + "/" + act
}

// begin confirms by a code and returns the dialog in which the browser creates the passkey.
func (b *bundle) begin(who *desktest.Browser, name string) string {
	b.Helper()
	answer := who.Send("/admin/account/passkeys/new", url.Values{"name": {name}, "code": {who.Code(b)}})
	require.Equal(b, http.StatusOK, answer.Code, answer.Body.String())
	return answer.Body.String()
}

func (b *bundle) add(who *desktest.Browser, name string) *factortest.Passkey {
	b.Helper()
	key, created := factortest.New(b, desktest.Origin, desktest.Options(b, b.begin(who, name)))
	answer := who.Send("/admin/account/passkeys", url.Values{"name": {name}, "passkey": {string(created)}})
	require.Equal(b, http.StatusOK, answer.Code, answer.Body.String())
	require.Contains(b, html.UnescapeString(answer.Body.String()), name)
	return key
}

func TestTheAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, who := range []*desktest.Browser{b.SignIn(t), b.SignIn(t, access.Auditor), b.SignIn(t, access.FinanceMaker)} {
		page := who.Get("/admin/account")
		require.Equal(t, http.StatusOK, page.Code)
		require.Contains(t, page.Body.String(), who.Person.Email)
		require.Contains(t, page.Body.String(), `href="/admin/account"`, "the member's name leads here")
		require.NotContains(t, page.Body.String(), "recovery-codes", "which are for super admins")
	}
	require.Contains(t, b.SignIn(t, access.SuperAdmin).Get("/admin/account").Body.String(), "No recovery codes")
	require.Equal(t, http.StatusSeeOther, b.Guest().Get("/admin/account").Code)
}

func TestAPasskeyIsAdded(t *testing.T) {
	t.Parallel()
	t.Run("AfterACodeAndLaterAfterATouch", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		who := b.SignIn(t, access.FinanceMaker)
		require.NotContains(t, who.Part("/admin/account/passkeys/new").Body.String(), "data-passkey")
		key := b.add(who, "Work laptop")
		dialog := who.Part("/admin/account/passkeys/new").Body.String()
		answer := who.Send("/admin/account/passkeys/new", url.Values{"name": {"Security key"}, "passkey": {desktest.Touch(t, key, dialog)}})
		require.Equal(t, http.StatusOK, answer.Code)
		_, created := factortest.New(t, desktest.Origin, desktest.Options(t, answer.Body.String()))
		require.Equal(t, http.StatusOK, who.Send("/admin/account/passkeys", url.Values{"name": {"Security key"}, "passkey": {string(created)}}).Code)
		require.Len(t, b.of(who).Passkeys, 2)
	})
	t.Run("NotWithoutAProof", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		who := b.SignIn(t, access.FinanceMaker)
		for code, words := range map[string]string{"": "Required", "000000": "The code is wrong or already used."} {
			answer := who.Send("/admin/account/passkeys/new", url.Values{"name": {"Laptop"}, "code": {code}})
			require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
			require.Contains(t, answer.Body.String(), words)
			require.Contains(t, answer.Body.String(), `value="Laptop"`)
			require.NotContains(t, answer.Body.String(), "data-passkey-new")
		}
	})
	t.Run("NotWithoutAName", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		who := b.SignIn(t, access.FinanceMaker)
		code := who.Code(t)
		answer := who.Send("/admin/account/passkeys/new", url.Values{"name": {" "}, "code": {code}})
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
		require.Equal(t, http.StatusOK, who.Send("/admin/account/passkeys/new", url.Values{"name": {"Laptop"}, "code": {code}}).Code, "the code was not used up")
	})
	t.Run("NotByAColleagueNorTwice", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		who, other := b.SignIn(t, access.FinanceMaker), b.SignIn(t, access.FinanceChecker)
		_, created := factortest.New(t, desktest.Origin, desktest.Options(t, b.begin(who, "Laptop")))
		form := url.Values{"name": {"Laptop"}, "passkey": {string(created)}}
		require.Equal(t, http.StatusUnprocessableEntity, other.Send("/admin/account/passkeys", form).Code)
		require.Equal(t, http.StatusOK, who.Send("/admin/account/passkeys", form).Code)
		require.Equal(t, http.StatusUnprocessableEntity, who.Send("/admin/account/passkeys", form).Code)
		require.Len(t, b.of(who).Passkeys, 1)
		require.Empty(t, b.of(other).Passkeys)
	})
}

func TestAPasskeyIsRenamedAndRemoved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	who, other := b.SignIn(t, access.FinanceMaker), b.SignIn(t, access.SuperAdmin)
	first := b.add(who, "Work laptop")
	b.add(who, "Phone")

	require.Contains(t, who.Part(b.passkeyPath(who, "name")).Body.String(), `value="Work laptop"`)
	require.Equal(t, http.StatusUnprocessableEntity, who.Send(b.passkeyPath(who, "name"), url.Values{"name": {""}}).Code)
	require.Contains(t, who.Send(b.passkeyPath(who, "name"), url.Values{"name": {"Old laptop"}}).Body.String(), "Old laptop")
	for _, act := range []string{"name", "removal"} {
		require.Equal(t, http.StatusNotFound, other.Part(b.passkeyPath(who, act)).Code, "a colleague's is out of reach")
		require.Equal(t, http.StatusNotFound, other.Send(b.passkeyPath(who, act), url.Values{"name": {"Mine"}, "code": {other.Code(t)}}).Code)
	}

	removal := b.passkeyPath(who, "removal")
	require.Equal(t, http.StatusUnprocessableEntity, who.Send(removal, nil).Code)
	elsewhere := desktest.Touch(t, first, who.Part("/admin/account/passkeys/new").Body.String())
	refused := who.Send(removal, url.Values{"passkey": {elsewhere}})
	require.Equal(t, http.StatusUnprocessableEntity, refused.Code, "a touch for another act proves nothing")
	require.Contains(t, refused.Body.String(), "The passkey was not accepted.")
	require.Equal(t, http.StatusOK, who.Send(removal, url.Values{"passkey": {desktest.Touch(t, first, refused.Body.String())}}).Code)
	require.Len(t, b.of(who).Passkeys, 1)
	require.Equal(t, "Phone", b.of(who).Passkeys[0].Name)
	list, _, err := audit.NewLog(b.DB).List(t.Context(), audit.Filter{Action: "staff.refuse_passkey"})
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Contains(t, list[0].After, "staff.remove_passkey")
}

// knowing signs a member in who has a password; hired ones have none.
func (b *bundle) knowing(password string, roles ...access.Role) *desktest.Browser {
	b.Helper()
	hash, err := trader.NewHasherWith(passwordstest.Quick{}).Hash(b.Context(), trader.Invited("192.0.2.1"), password)
	require.NoError(b, err)
	p := b.Hire(b, "Known", roles...)
	_, err = b.DB.Pool.Exec(b.Context(), `UPDATE staff SET password_hash = $2 WHERE id = $1`, p.ID, hash)
	require.NoError(b, err)
	return b.SignInAs(b, p)
}

func TestThePassword(t *testing.T) {
	t.Parallel()
	const path, old, next = "/admin/account/password", "correct horse battery", "another battery horse"
	t.Run("IsChangedAndOtherBrowsersAreSignedOut", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		who := b.knowing(old, access.FinanceMaker)
		elsewhere, colleague := b.SignInAs(t, who.Person), b.SignIn(t, access.Auditor)
		require.Contains(t, who.Part(path).Body.String(), `autocomplete="new-password"`)
		answer := who.Send(path, url.Values{"password": {old}, "new_password": {next}, "code": {who.Code(t)}})
		require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
		require.Contains(t, answer.Body.String(), "Password changed.")
		require.Equal(t, http.StatusOK, who.Get("/admin/account").Code)
		require.Equal(t, http.StatusSeeOther, elsewhere.Get("/admin/account").Code)
		require.Equal(t, http.StatusOK, colleague.Get("/admin/account").Code)
	})
	t.Run("NotByAStolenSession", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		who := b.knowing(old, access.FinanceMaker)
		code := who.Code(t)
		for _, form := range []url.Values{
			{"password": {"guess"}, "new_password": {next}, "code": {code}},
			{"new_password": {next}, "code": {code}},
			{"password": {old}, "new_password": {next}},
			{"password": {old}, "new_password": {next}, "code": {"000000"}},
			{"password": {old}, "new_password": {next}, "passkey": {"{}"}},
			{"password": {old}, "new_password": {old}, "code": {code}},
			{"password": {old}, "new_password": {"short"}, "code": {code}},
		} {
			answer := who.Send(path, form)
			require.Equal(t, http.StatusUnprocessableEntity, answer.Code, form)
			require.Contains(t, answer.Body.String(), "field-error", form)
			require.NotContains(t, answer.Body.String(), old, "a typed password is not shown again")
		}
		require.Equal(t, http.StatusOK, who.Send(path, url.Values{"password": {old}, "new_password": {next}, "code": {code}}).Code, "no refusal used up the code")
	})
	t.Run("WaitsAfterWrongOnes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		who := b.knowing(old, access.FinanceMaker)
		form := url.Values{"password": {"guess"}, "new_password": {next}, "code": {who.Code(t)}}
		for range 5 {
			require.Contains(t, who.Send(path, form).Body.String(), "The current password is wrong.")
		}
		form.Set("password", old)
		require.Contains(t, who.Send(path, form).Body.String(), "60")
	})
	t.Run("ByATouch", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		who := b.knowing(old, access.FinanceMaker)
		key := b.add(who, "Laptop")
		touch := desktest.Touch(t, key, who.Part(path).Body.String())
		require.Equal(t, http.StatusOK, who.Send(path, url.Values{"password": {old}, "new_password": {next}, "passkey": {touch}}).Code)
	})
}

func TestRecoveryCodes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	who := b.SignIn(t, access.SuperAdmin)
	require.Equal(t, http.StatusUnprocessableEntity, who.Send("/admin/account/recovery-codes", nil).Code)
	require.Zero(t, b.of(who).RecoveryCodes)
	shown := who.Send("/admin/account/recovery-codes", url.Values{"code": {who.Code(t)}}).Body.String()
	codes := regexp.MustCompile(`<li><bdi class="id" dir="ltr">([A-Z2-7]{4}(?:-[A-Z2-7]{4}){3})</bdi></li>`).FindAllStringSubmatch(shown, -1)
	require.Len(t, codes, 10)
	page := who.Get("/admin/account").Body.String()
	require.Contains(t, page, "10 codes are left.")
	require.NotContains(t, page, codes[0][1], "they are shown once")
	for _, code := range codes[:7] {
		_, err := b.Staff.Recover(t.Context(), who.Person.ID, strings.ToLower(code[1]), audit.Actor{IP: "192.0.2.1"})
		require.NoError(t, err)
		b.Clock.Advance(time.Second)
	}
	require.Contains(t, who.Get("/admin/account").Body.String(), "Create new ones before they run out.")
	auditor := b.SignIn(t, access.Auditor)
	require.Equal(t, http.StatusForbidden, auditor.Part("/admin/account/recovery-codes").Code)
	require.Equal(t, http.StatusForbidden, auditor.Send("/admin/account/recovery-codes", url.Values{"code": {auditor.Code(t)}}).Code)
}
