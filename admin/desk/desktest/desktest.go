// Package desktest runs a back office for tests: routes on a real database, people with roles, and browsers that are signed in.
package desktest

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/approval"
	"candor/app/factor"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/events"
	"candor/app/platform/i18n"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/platform/vault"
	"candor/app/platform/vault/vaulttest"
	"candor/app/session"
	"candor/app/staff"
	"candor/app/trader"
	"candor/locales"
	"candor/templates/layout"
)

// Start is the time at which an office's clock is fixed.
var Start = time.Date(2026, 11, 20, 14, 32, 0, 0, time.UTC)

// Origin is an office's address.
const Origin = "http://desk.test"

// authenticator is the secret of every hired person.
const authenticator = "JBSWY3DPEHPK3PXP"

// Office is a running back office.
type Office struct {
	DB        *db.DB
	Clock     *clock.Fixed
	Approvals *approval.Engine
	Staff     *staff.Service
	Sessions  *session.Service
	Access    *access.Enforcer
	Keys      *vault.Vault
	Outbox    *mail.Outbox
	Texts     *i18n.Catalogue
	Frame     *desk.Frame
	Echo      *echo.Echo
	Bus       *events.Bus

	t       testing.TB
	mu      sync.Mutex
	missing map[string]bool // keys that were asked for and have no text
}

// Option changes the configuration before the frame is made.
type Option func(*desk.Config)

// New makes an office on a database of the test; mount its routes with Mount.
func New(t testing.TB, databaseURL string, options ...Option) *Office {
	t.Helper()
	d, err := db.Open(t.Context(), databaseURL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	texts, err := i18n.Load(locales.Backoffice())
	require.NoError(t, err)
	queue, err := jobs.New(d.Pool)
	require.NoError(t, err)
	enforcer, err := access.New()
	require.NoError(t, err)

	o := &Office{DB: d, Clock: clock.NewFixed(Start), Access: enforcer, Texts: texts, Keys: vaulttest.New(t), t: t, missing: map[string]bool{}}
	texts.Missing = o.miss
	o.Outbox = mail.New(mail.Config{DB: d, Clock: o.Clock, Queue: queue, Vault: o.Keys, KeepUnsent: true})
	o.Approvals = approval.New(d, o.Clock, trader.TakeDutyTx)
	sessions := session.New(d, o.Clock, nil)
	factors, err := factor.New(factor.Config{DB: d, Clock: o.Clock, Vault: o.Keys, Sessions: sessions, Staff: factor.Site{Domain: "desk.test", Origins: []string{Origin}}})
	require.NoError(t, err)
	o.Sessions = sessions
	o.Staff = staff.New(staff.Config{
		DB: d, Clock: o.Clock, Hasher: trader.NewHasherWith(passwordstest.Quick{}), Sessions: sessions, Factors: factors, Outbox: o.Outbox, Vault: o.Keys, Texts: texts, Address: Origin,
		Approvals: o.Approvals,
	})
	o.Bus, err = events.Open("")
	require.NoError(t, err)
	t.Cleanup(o.Bus.Close)
	d.Publish = o.Bus.Publish
	config := desk.Config{DB: d, Clock: o.Clock, Staff: o.Staff, Access: enforcer, Texts: texts, Bus: o.Bus, Tag: o.Keys.Tag, CheckEvery: 50 * time.Millisecond}
	for _, change := range options {
		change(&config)
	}
	o.Frame, o.Echo = desk.New(config), echo.New()
	return o
}

// Mount serves the routes, and a route that signs a test's browser in.
func (o *Office) Mount(routes ...[]desk.Route) *Office {
	o.Frame.MountPublic(o.Echo, []desk.Public{{Method: http.MethodPost, Path: "/test/:id", Handle: func(v *desk.Visitor) error {
		id, _ := strconv.ParseInt(v.Param("id"), 10, 64)
		person, err := o.Staff.Person(v.Request().Context(), id)
		if err == nil {
			err = v.SignIn(person)
		}
		if err != nil {
			return err
		}
		return v.NoContent(http.StatusNoContent)
	}}})
	o.Frame.Mount(o.Echo, routes...)
	return o
}

// Hire adds a person with roles to the database; no password matches the stored hash, so they can't sign in by themselves.
func (o *Office) Hire(t testing.TB, name string, roles ...access.Role) staff.Person {
	t.Helper()
	var id int64
	ctx := context.Background()
	err := o.DB.Pool.QueryRow(ctx, `
		INSERT INTO staff (email, name, password_hash, state, created_at) VALUES ($1, $2, 'none', 'active', $3) RETURNING id`,
		strings.ToLower(strings.ReplaceAll(url.PathEscape(name), "%", "."))+fmt.Sprint(time.Now().UnixNano())+"@desk.test", name, o.Clock.Now()).Scan(&id)
	require.NoError(t, err)
	sealed, err := o.Keys.Seal(staff.SecretOwner(id), []byte(authenticator))
	require.NoError(t, err)
	_, err = o.DB.Pool.Exec(ctx, `UPDATE staff SET totp_key = $2, totp_sealed = $3 WHERE id = $1`, id, sealed.WrappedKey, sealed.Ciphertext)
	require.NoError(t, err)
	for _, role := range roles {
		_, err := o.DB.Pool.Exec(ctx, `INSERT INTO staff_roles (staff_id, role, granted_at) VALUES ($1, $2, $3)`, id, role, o.Clock.Now())
		require.NoError(t, err)
	}
	person, err := o.Staff.Person(ctx, id)
	require.NoError(t, err)
	return person
}

// wholeKey matches a key of the locale files; what staff typed into a part of one is none.
var wholeKey = regexp.MustCompile(`^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+$`)

// miss notes a key that has no text; roles of tests have none. A key may be asked for and not shown.
func (o *Office) miss(key string) {
	if !wholeKey.MatchString(key) || strings.HasPrefix(key, "role.") {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.missing[key] = true
}

// checkWords fails the test when an answer shows a key in place of its text.
func (o *Office) checkWords(path, body string) {
	o.t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	for key := range o.missing {
		if strings.Contains(body, ">"+key+"<") {
			o.t.Errorf("%s shows %s, which has no text", path, key)
		}
	}
}

// Browser keeps cookies and sends requests as a browser on our own page does.
type Browser struct {
	Person  staff.Person
	office  *Office
	cookies map[string]*http.Cookie
}

// Guest is a browser that is not signed in.
func (o *Office) Guest() *Browser { return &Browser{office: o, cookies: map[string]*http.Cookie{}} }

// SignIn hires a person with the roles and signs them in.
func (o *Office) SignIn(t testing.TB, roles ...access.Role) *Browser {
	t.Helper()
	name := "Nobody"
	if len(roles) > 0 {
		name = strings.ReplaceAll(string(roles[0]), "_", " ")
	}
	return o.SignInAs(t, o.Hire(t, name, roles...))
}

// SignInAs signs a person in.
func (o *Office) SignInAs(t testing.TB, p staff.Person) *Browser {
	t.Helper()
	b := o.Guest()
	b.Person = p
	answer := b.Post(fmt.Sprintf("/admin/test/%d", p.ID), nil)
	require.Equal(t, http.StatusNoContent, answer.Code, answer.Body.String())
	return b
}

// Code is the current code of the person's authenticator, as if the last code had been used long ago.
func (b *Browser) Code(t testing.TB) string {
	t.Helper()
	_, err := b.office.DB.Pool.Exec(context.Background(), `UPDATE staff SET totp_step = 0 WHERE id = $1`, b.Person.ID)
	require.NoError(t, err)
	code, err := totp.GenerateCode(authenticator, b.office.Clock.Now())
	require.NoError(t, err)
	return code
}

// Get requests a page.
func (b *Browser) Get(path string) *httptest.ResponseRecorder {
	return b.Do(httptest.NewRequest(http.MethodGet, path, nil))
}

// Part requests a part of a page, as htmx does.
func (b *Browser) Part(path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("HX-Request", "true")
	return b.Do(r)
}

// Post sends a form, as the browser itself does.
func (b *Browser) Post(path string, form url.Values) *httptest.ResponseRecorder {
	return b.Do(b.form(path, form))
}

// Send sends a form by htmx.
func (b *Browser) Send(path string, form url.Values) *httptest.ResponseRecorder {
	r := b.form(path, form)
	r.Header.Set("HX-Request", "true")
	return b.Do(r)
}

// Prove sends a form by htmx with a fresh code of the person's authenticator.
func (b *Browser) Prove(t testing.TB, path string, form url.Values) *httptest.ResponseRecorder {
	t.Helper()
	proved := maps.Clone(form)
	if proved == nil {
		proved = url.Values{}
	}
	proved.Set("code", b.Code(t))
	return b.Send(path, proved)
}

func (b *Browser) form(path string, form url.Values) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationForm)
	r.Header.Set(echo.HeaderSecFetchSite, "same-origin")
	return r
}

// Do sends a request with the browser's cookies and keeps the ones of the answer.
func (b *Browser) Do(r *http.Request) *httptest.ResponseRecorder {
	for _, cookie := range b.cookies {
		r.AddCookie(cookie)
	}
	answer := httptest.NewRecorder()
	b.office.Echo.ServeHTTP(answer, r)
	for _, cookie := range answer.Result().Cookies() {
		if cookie.MaxAge < 0 {
			delete(b.cookies, cookie.Name)
		} else {
			b.cookies[cookie.Name] = cookie
		}
	}
	b.office.checkWords(r.URL.Path, answer.Body.String())
	return answer
}

// Cookie returns a cookie of the browser, or nil.
func (b *Browser) Cookie(name string) *http.Cookie { return b.cookies[name] }

// SetCookie gives the browser a cookie.
func (b *Browser) SetCookie(c *http.Cookie) { b.cookies[c.Name] = c }

// Healthy is a health state for pages.
func Healthy(context.Context, *time.Location) []layout.HealthLine {
	return []layout.HealthLine{{State: "ok", Label: "Price feeds", Value: "all fresh"}, {State: "ok", Label: "Ledger", Value: "balanced 14:31"}, {State: "ok", Label: "Audit chain", Value: "verified 14:31"}}
}
