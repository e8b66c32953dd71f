package accountdesk_test

import (
	"bufio"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
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
	"candor/app/platform/geo"
	"candor/app/platform/geo/geotest"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/session"
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

func TestWhoResetsTheAuthenticatorIsSaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const last, another = "There is no other super admin to reset it.", "Another super admin can reset it."
	only := b.SignIn(t, access.SuperAdmin)
	require.Contains(t, only.Get("/admin/account").Body.String(), last)
	b.SignIn(t, access.SuperAdmin)
	require.Contains(t, only.Get("/admin/account").Body.String(), another)
	require.NotContains(t, only.Get("/admin/account").Body.String(), last)
	require.Contains(t, b.SignIn(t, access.SupportAgent).Get("/admin/account").Body.String(), "A super admin can reset it.")
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

// sessionID is the session of a browser that is signed in besides others.
func (b *bundle) sessionID(who *desktest.Browser) string {
	b.Helper()
	p, err := b.Staff.Person(b.Context(), who.Person.ID)
	require.NoError(b, err)
	list, err := b.Staff.Sessions(b.Context(), p, 1)
	require.NoError(b, err)
	return strconv.FormatInt(list[0].ID, 10)
}

func TestTheSessions(t *testing.T) {
	t.Parallel()
	const path = "/admin/account/sessions/"
	t.Run("AreListedWithTheirPlaces", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		file := filepath.Join(t.TempDir(), "places.mmdb")
		require.NoError(t, geotest.Write(file))
		places, err := geo.Open(file)
		require.NoError(t, err)
		b.Sessions.UsePlaces(places)
		who := b.SignIn(t, access.FinanceMaker)
		alone := who.Get("/admin/account").Body.String()
		require.Contains(t, alone, "This browser")
		require.NotContains(t, alone, path, "there is nothing to end")
		_, err = b.Staff.OpenSession(t.Context(), who.Person, session.Device{IP: "203.0.113.9", UserAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"})
		require.NoError(t, err)
		page := who.Get("/admin/account").Body.String()
		require.Contains(t, page, "Firefox, Windows")
		require.Contains(t, page, "203.0.113.9")
		require.Contains(t, page, "Lisbon, Portugal")
		require.Equal(t, 1, strings.Count(page, "This browser"))
		require.Contains(t, page, path+"end")
	})
	t.Run("EndAtOnceWithTheirStreams", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		server := httptest.NewServer(b.Echo)
		t.Cleanup(server.Close)
		who := b.SignIn(t, access.FinanceMaker)
		b.Clock.Advance(time.Second)
		elsewhere := b.SignInAs(t, who.Person)
		ended := b.stream(server, elsewhere)
		answer := who.Send(path+b.sessionID(elsewhere)+"/end", nil)
		require.Equal(t, http.StatusOK, answer.Code)
		require.Contains(t, answer.Body.String(), "Session ended.")
		require.NotContains(t, answer.Body.String(), path)
		require.Equal(t, http.StatusSeeOther, elsewhere.Get("/admin/account").Code)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			require.Fail(t, "the stream goes on")
		}
	})
	t.Run("AllOthersEnd", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		who, colleague := b.SignIn(t, access.FinanceMaker), b.SignIn(t, access.Auditor)
		others := []*desktest.Browser{b.SignInAs(t, who.Person), b.SignInAs(t, who.Person)}
		require.Equal(t, http.StatusOK, who.Send(path+"end", nil).Code)
		for _, other := range others {
			require.Equal(t, http.StatusSeeOther, other.Get("/admin/account").Code)
		}
		require.Equal(t, http.StatusOK, who.Get("/admin/account").Code)
		require.Equal(t, http.StatusOK, colleague.Get("/admin/account").Code)
	})
	t.Run("OfAColleagueAreOutOfReach", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		who, colleague := b.SignIn(t, access.SuperAdmin), b.SignIn(t, access.Auditor)
		require.Equal(t, http.StatusConflict, who.Send(path+b.sessionID(colleague)+"/end", nil).Code)
		require.Equal(t, http.StatusConflict, who.Send(path+b.sessionID(who)+"/end", nil).Code, "nor is the own one ended here")
		require.Equal(t, http.StatusNotFound, who.Send(path+"none/end", nil).Code)
		require.Equal(t, http.StatusOK, colleague.Get("/admin/account").Code)
		require.Equal(t, http.StatusOK, who.Get("/admin/account").Code)
	})
}

// stream opens the event stream of a browser and returns what is closed at its end.
func (b *bundle) stream(server *httptest.Server, who *desktest.Browser) <-chan struct{} {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, server.URL+"/admin/events", nil)
	require.NoError(b, err)
	r.AddCookie(who.Cookie("candor_desk"))
	answer, err := server.Client().Do(r)
	require.NoError(b, err)
	b.Cleanup(func() { _ = answer.Body.Close() })
	lines := bufio.NewScanner(answer.Body)
	require.True(b, lines.Scan())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines.Scan() { //nolint:revive // to the end
		}
	}()
	return ended
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
