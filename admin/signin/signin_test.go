package signin_test

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"html"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/admin/signin"
	"candor/app/audit"
	"candor/app/platform/dbtest"
	"candor/app/session"
	"candor/app/staff"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

const password = "correct horse battery"

// bundle is an office with the sign-in routes, and one browser.
type bundle struct {
	*desktest.Office
	*desktest.Browser
	secret string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	o := desktest.New(t, dbtest.New(t).URL)
	o.Frame.MountPublic(o.Echo, signin.Routes(o.Staff))
	hello := func(r *desk.Request) error { return r.String(http.StatusOK, "hello "+r.Member.Name) }
	o.Mount([]desk.Route{
		{Method: "GET", Path: "", Permission: access.Home, Handle: hello},
		{Method: "GET", Path: "/staff", Permission: access.StaffView, Handle: hello},
		{Method: "POST", Path: "/act", Permission: access.Home, Handle: func(r *desk.Request) error { return r.StepUp(desk.Proof{Act: "test.act"}) }},
	})
	return &bundle{Office: o, Browser: o.Guest()}
}

// code is the current code of the authenticator; the clock moves on, because a code works once.
func (b *bundle) code(t *testing.T) string {
	t.Helper()
	b.Clock.Advance(30 * time.Second)
	code, err := totp.GenerateCode(b.secret, b.Clock.Now())
	require.NoError(t, err)
	return code
}

var secretText = regexp.MustCompile(`data-copy="([A-Z2-7]{32})"`)

// enrol completes the second step of a link.
func (b *bundle) enrol(t *testing.T, first *httptest.ResponseRecorder) {
	t.Helper()
	require.Equal(t, "/admin/enrolment", first.Header().Get("Location"), first.Body.String())
	page := b.Get("/admin/enrolment")
	found := secretText.FindStringSubmatch(page.Body.String())
	require.Len(t, found, 2)
	b.secret = found[1]
	done := b.Post("/admin/enrolment", url.Values{"code": {b.code(t)}})
	require.Equal(t, "/admin", done.Header().Get("Location"), done.Body.String())
}

// first creates the first administrator and leaves them signed in.
func (b *bundle) first(t *testing.T) {
	t.Helper()
	token, ok, err := b.Staff.FirstLink(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	b.enrol(t, b.Post(staff.FirstPath(token), url.Values{"name": {"Ada"}, "email": {"ada@example.com"}, "password": {password}}))
}

func (b *bundle) link(t *testing.T, email string) string {
	t.Helper()
	list, err := b.Outbox.List(t.Context(), email, 1)
	require.NoError(t, err)
	found := regexp.MustCompile(`http://desk\.test(/admin/\S+)`).FindStringSubmatch(list[0].Body)
	require.Len(t, found, 2)
	return found[1]
}

func credentials(email, password string) url.Values {
	return url.Values{"email": {email}, "password": {password}}
}

func TestTheFirstAdministratorComesIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token, _, err := b.Staff.FirstLink(t.Context())
	require.NoError(t, err)
	path := staff.FirstPath(token)
	for range 3 {
		require.Equal(t, http.StatusOK, b.Get(path).Code, "a look uses nothing up")
	}
	wrong := b.Post(path, url.Values{"name": {""}, "email": {"no"}, "password": {"short"}})
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code)
	require.NotContains(t, wrong.Body.String(), `value="short"`, "a password is never shown again")
	require.Nil(t, b.Cookie("candor_desk"), "a refused step leaves no session")

	b.first(t)
	require.Equal(t, "hello Ada", b.Get("/admin").Body.String())
	require.Equal(t, http.StatusNotFound, b.Guest().Get(path).Code, "the link is used up")
	require.Equal(t, http.StatusNotFound, b.Get("/admin/enrolment").Code, "and so is the enrolment")
}

func TestPicture(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token, _, err := b.Staff.FirstLink(t.Context())
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, b.Get("/admin/enrolment/picture").Code, "there is none before the first step")
	b.Post(staff.FirstPath(token), url.Values{"name": {"Ada"}, "email": {"ada@example.com"}, "password": {password}})
	got := b.Get("/admin/enrolment/picture")
	require.Equal(t, "image/png", got.Header().Get("Content-Type"))
	require.Equal(t, "no-store", got.Header().Get("Cache-Control"))
	_, err = png.Decode(bytes.NewReader(got.Body.Bytes()))
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, b.Guest().Get("/admin/enrolment/picture").Code, "nor for anybody else")
	b.Clock.Advance(time.Hour)
	require.Equal(t, http.StatusNotFound, b.Get("/admin/enrolment/picture").Code, "nor later")
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	b.Post("/admin/signout", nil)

	step := b.Get("/admin/staff")
	require.Equal(t, "/admin/signin?next=%2Fadmin%2Fstaff", step.Header().Get("Location"))
	require.Contains(t, b.Get(step.Header().Get("Location")).Body.String(), `name="next" value="/admin/staff"`)
	form := credentials("ADA@example.com", password)
	form.Set("next", "/admin/staff")
	require.Equal(t, "/admin/signin/code", b.Post("/admin/signin", form).Header().Get("Location"))
	before := b.Cookie("candor_desk").Value
	require.Equal(t, http.StatusSeeOther, b.Get("/admin/staff").Code, "a password alone opens nothing")
	require.Equal(t, http.StatusOK, b.Get("/admin/signin/code").Code)
	require.Equal(t, http.StatusUnprocessableEntity, b.Post("/admin/signin/code", url.Values{"code": {"000000"}}).Code)
	code := b.code(t)
	done := b.Post("/admin/signin/code", url.Values{"code": {code[:3] + " " + code[3:]}})
	require.Equal(t, "/admin/staff", done.Header().Get("Location"))
	require.NotEqual(t, before, b.Cookie("candor_desk").Value, "a new token")
	require.Equal(t, http.StatusOK, b.Get("/admin/staff").Code)
	require.Equal(t, "/admin/staff", b.Get("/admin/signin?next=/admin/staff").Header().Get("Location"), "who is in needs no door")

	stolen := b.Guest()
	stolen.SetCookie(&http.Cookie{Name: "candor_desk", Value: before})
	require.Equal(t, http.StatusSeeOther, stolen.Get("/admin/staff").Code, "the token of the first step is dead")
}

// TestTheBrowserIsRemembered checks that the sign-in stores the browser's fingerprint after a right code, and that a browser without one may sign in.
func TestTheBrowserIsRemembered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	const id, second = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
	devices := func() (list []string) {
		rows, err := b.DB.Pool.Query(t.Context(), `SELECT encode(d.fingerprint, 'hex') FROM staff_devices d JOIN staff s ON s.id = d.staff_id WHERE s.name = 'Ada' ORDER BY 1`)
		require.NoError(t, err)
		list, err = pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return list
	}
	hash := func(id string) string { return hex.EncodeToString(session.Device{Fingerprint: id}.Hash()) }
	comeIn := func(form url.Values) {
		b.Post("/admin/signout", nil)
		require.Equal(t, "/admin/signin/code", b.Post("/admin/signin", credentials("ada@example.com", password)).Header().Get("Location"))
		require.Contains(t, b.Get("/admin/signin/code").Body.String(), `<input type="hidden" name="device" data-device>`)
		b.Post("/admin/signin/code", url.Values{"code": {"000000"}, "device": {strings.Repeat("e", 32)}})
		form.Set("code", b.code(t))
		require.Equal(t, "/admin", b.Post("/admin/signin/code", form).Header().Get("Location"))
		require.Equal(t, "hello Ada", b.Get("/admin").Body.String())
	}
	comeIn(url.Values{})
	comeIn(url.Values{"device": {"short"}})
	require.Empty(t, devices(), "neither nothing, nor nonsense, nor what came with a wrong code")
	comeIn(url.Values{"device": {id}})
	require.Equal(t, []string{hash(id)}, devices())
	comeIn(url.Values{"device": {id}})
	told := func() int {
		list, err := b.Outbox.List(t.Context(), "ada@example.com", 20)
		require.NoError(t, err)
		return len(list)
	}
	before := told()
	comeIn(url.Values{"device": {id}})
	require.Equal(t, before, told())
	comeIn(url.Values{"device": {second}})
	require.Equal(t, before+1, told(), "a mail says that the browser is new")
	require.ElementsMatch(t, []string{hash(id), hash(second)}, devices())
}

// TestTheBrowserOfANewPersonIsRemembered checks the same for a person who signs in by a link.
func TestTheBrowserOfANewPersonIsRemembered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token, _, err := b.Staff.FirstLink(t.Context())
	require.NoError(t, err)
	b.Post(staff.FirstPath(token), url.Values{"name": {"Ada"}, "email": {"ada@example.com"}, "password": {password}})
	page := b.Get("/admin/enrolment").Body.String()
	require.Contains(t, page, `<input type="hidden" name="device" data-device>`)
	b.secret = secretText.FindStringSubmatch(page)[1]
	device := session.Device{Fingerprint: strings.Repeat("a", 32)}
	require.Equal(t, "/admin", b.Post("/admin/enrolment", url.Values{"code": {b.code(t)}, "device": {device.Fingerprint}}).Header().Get("Location"))
	var kept []byte
	require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT fingerprint FROM staff_devices`).Scan(&kept))
	require.Equal(t, device.Hash(), kept)
}

func TestTheAnswerIsTheSameForAll(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	volatile := regexp.MustCompile(`nonce="[A-Z2-7]+"|[a-z2-7]{16}|value="[^"]*@[^"]*"`)
	var bodies []string
	for _, form := range []url.Values{credentials("ada@example.com", "wrong password"), credentials("nobody@example.com", password)} {
		got := b.Guest().Post("/admin/signin", form)
		require.Equal(t, http.StatusUnprocessableEntity, got.Code)
		require.Empty(t, got.Header().Get("Set-Cookie"))
		bodies = append(bodies, volatile.ReplaceAllString(got.Body.String(), ""))
	}
	require.Equal(t, bodies[0], bodies[1])
}

func TestTooManyTriesWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	guest := b.Guest()
	for range 5 {
		guest.Post("/admin/signin", credentials("ada@example.com", "wrong password"))
	}
	got := guest.Post("/admin/signin", credentials("ada@example.com", password))
	require.Equal(t, http.StatusTooManyRequests, got.Code)
	require.Contains(t, got.Body.String(), "Wait 60 seconds")
	require.Equal(t, "hello Ada", b.Get("/admin").Body.String(), "an open session goes on")
}

func TestAnAccountsGuessesOfADayAreUsedUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	for n := range 100 {
		_, err := b.Staff.SignIn(t.Context(), "ada@example.com", "wrong password", session.Device{}, audit.Actor{IP: fmt.Sprintf("198.51.100.%d", n)})
		require.ErrorIs(t, err, staff.ErrSignIn)
	}
	got := b.Guest().Post("/admin/signin", credentials("ada@example.com", password))
	require.Equal(t, http.StatusTooManyRequests, got.Code)
	require.Contains(t, got.Body.String(), "in 24 hours")
	require.Contains(t, got.Body.String(), `name="recovery"`)
	require.NotContains(t, b.Guest().Get("/admin/signin").Body.String(), `name="recovery"`)
	codes, err := b.Staff.NewRecoveryCodes(t.Context(), b.ada(t).Acting(audit.Actor{}))
	require.NoError(t, err)
	with := credentials("ada@example.com", password)
	with.Set("recovery", codes[0])
	require.Equal(t, "/admin/signin/code", b.Guest().Post("/admin/signin", with).Header().Get("Location"))
}

func TestTheSecondStepWaits10Minutes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	guest := &bundle{Office: b.Office, Browser: b.Guest(), secret: b.secret}
	require.Equal(t, "/admin/signin", guest.Get("/admin/signin/code").Header().Get("Location"), "there was no first step")
	require.Equal(t, "/admin/signin", guest.Post("/admin/signin/code", url.Values{"code": {guest.code(t)}}).Header().Get("Location"))
	guest.Post("/admin/signin", credentials("ada@example.com", password))
	guest.Clock.Advance(10 * time.Minute)
	require.Equal(t, "/admin/signin", guest.Post("/admin/signin/code", url.Values{"code": {guest.code(t)}}).Header().Get("Location"))
}

// TestAPasswordThatWasChangedMeanwhileIsNotRight: whoever was half way in with the old password begins again.
func TestAPasswordThatWasChangedMeanwhileIsNotRight(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	ada, err := b.Staff.SignIn(t.Context(), "ada@example.com", password, session.Device{}, audit.Actor{IP: "192.0.2.7"})
	require.NoError(t, err)
	sessions, err := b.Staff.Sessions(t.Context(), ada, 1)
	require.NoError(t, err)
	other := &bundle{Office: b.Office, Browser: b.Guest(), secret: b.secret}
	require.Equal(t, "/admin/signin/code", other.Post("/admin/signin", credentials("ada@example.com", password)).Header().Get("Location"))
	change, err := b.Staff.CheckPasswords(t.Context(), ada.Acting(audit.Actor{}), password, "another battery horse")
	require.NoError(t, err)
	require.NoError(t, b.Staff.ChangePassword(t.Context(), ada.Acting(audit.Actor{}), sessions[0].ID, change))
	require.Equal(t, "/admin/signin", other.Get("/admin/signin/code").Header().Get("Location"))
	require.Equal(t, "/admin/signin", other.Post("/admin/signin/code", url.Values{"code": {other.code(t)}}).Header().Get("Location"))
	require.Equal(t, "/admin/signin/code", other.Post("/admin/signin", credentials("ada@example.com", "another battery horse")).Header().Get("Location"))
	require.Equal(t, "/admin", other.Post("/admin/signin/code", url.Values{"code": {other.code(t)}}).Header().Get("Location"))
}

// TestWhoeverWasSignedOutAfterWrongCodesReadsWhy goes through the refusal of a step-up, as a form of htmx and as a plain one.
func TestWhoeverWasSignedOutAfterWrongCodesReadsWhy(t *testing.T) {
	t.Parallel()
	const why = "too many wrong codes"
	b := setup(t)
	b.first(t)
	for _, send := range []func(string, url.Values) *httptest.ResponseRecorder{b.Send, b.Post} {
		for range 4 {
			require.Equal(t, http.StatusUnprocessableEntity, send("/admin/act", url.Values{"code": {"000000"}}).Code)
		}
		out := send("/admin/act", url.Values{"code": {"000000"}})
		path := cmp.Or(out.Header().Get("HX-Redirect"), out.Header().Get("Location"))
		require.Equal(t, "/admin/signin?ended=codes", path)
		page := b.Get(path)
		require.Contains(t, page.Body.String(), why)
		require.NotContains(t, b.Get("/admin/signin").Body.String(), why)
		b.Post("/admin/signin", credentials("ada@example.com", password))
		require.Equal(t, "/admin", b.Post("/admin/signin/code", url.Values{"code": {b.code(t)}}).Header().Get("Location"))
	}
}

func TestSignOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	kept := b.Cookie("candor_desk")
	require.Equal(t, http.StatusNotFound, b.Get("/admin/signout").Code, "a link signs nobody out")
	got := b.Post("/admin/signout", nil)
	require.Equal(t, "/admin/signin", got.Header().Get("Location"))
	require.Equal(t, `"cache"`, got.Header().Get("Clear-Site-Data"))
	require.Nil(t, b.Cookie("candor_desk"))
	thief := b.Guest()
	thief.SetCookie(kept)
	require.Equal(t, http.StatusSeeOther, thief.Get("/admin").Code, "the session is over on the server")
	require.Equal(t, "/admin/signin", b.Post("/admin/signout", nil).Header().Get("Location"), "twice does no harm")
	list, _, err := audit.NewLog(b.DB).List(t.Context(), audit.Filter{Action: "staff.sign_out"})
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, "Ada", list[0].ActorName)
}

func TestAnInvitedPersonComesIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	ada, err := b.Staff.List(t.Context(), 0, 1)
	require.NoError(t, err)
	actor := audit.Actor{Kind: audit.Staff, ID: ada[0].ID, Name: "Ada"}
	_, err = b.Staff.Invite(t.Context(), actor, "bob@example.com", `<script>alert("Bob")</script>`)
	require.NoError(t, err)

	bob := &bundle{Office: b.Office, Browser: b.Guest()}
	path := bob.link(t, "bob@example.com")
	page := bob.Get(path).Body.String()
	require.NotContains(t, page, "<script>alert")
	require.Contains(t, html.UnescapeString(page), `<script>alert("Bob")</script>`)
	bob.enrol(t, bob.Post(path, url.Values{"password": {password}, "email": {"other@example.com"}, "name": {"Other"}}))
	require.Equal(t, http.StatusOK, bob.Get("/admin").Code)
	require.Equal(t, http.StatusForbidden, bob.Get("/admin/staff").Code, "without a role there is nothing more to see")
	list, err := b.Staff.List(t.Context(), ada[0].ID, 1)
	require.NoError(t, err)
	require.Equal(t, "bob@example.com", list[0].Email, "a link can't be turned to another address")
}

func TestALostAuthenticatorIsReplaced(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	ada, err := b.Staff.List(t.Context(), 0, 1)
	require.NoError(t, err)
	root := b.Hire(t, "Root", access.SuperAdmin)
	require.NoError(t, b.Staff.ResetAuthenticator(t.Context(), audit.Actor{Kind: audit.Staff, ID: root.ID, Name: "Root"}, ada[0].ID, ada[0].Version))
	require.Equal(t, http.StatusSeeOther, b.Get("/admin").Code, "the session ended")

	path := b.link(t, "ada@example.com")
	require.True(t, strings.HasPrefix(path, "/admin/authenticator/"))
	require.Equal(t, http.StatusUnprocessableEntity, b.Post(path, url.Values{"password": {"wrong password"}}).Code)
	b.enrol(t, b.Post(path, url.Values{"password": {password}}))
	require.Equal(t, "hello Ada", b.Get("/admin").Body.String())
}

func TestAnUnknownLinkSaysNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{"/admin/first/AAAAAAAAAAAAAAAAAAAAAAAAAA", "/admin/invitation/x", "/admin/authenticator/" + strings.Repeat("A", 5000)} {
		require.Equal(t, http.StatusNotFound, b.Get(path).Code, path)
		require.Equal(t, http.StatusNotFound, b.Post(path, url.Values{"password": {password}}).Code, path)
	}
}

func TestSignInFromAnotherSiteIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	r := httptest.NewRequest(http.MethodPost, "/admin/signin", strings.NewReader(credentials("ada@example.com", password).Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "https://evil.example")
	require.Equal(t, http.StatusForbidden, b.Guest().Do(r).Code)
}
