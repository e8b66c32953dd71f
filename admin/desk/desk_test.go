package desk_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/templates/layout"
)

// answers are routes that answer in every way a handler can.
func answers(calls *int) []desk.Route {
	say := func(err error) func(*desk.Request) error {
		return func(r *desk.Request) error {
			*calls++
			if err != nil {
				return err
			}
			return r.String(http.StatusOK, "hello "+r.Member.Name)
		}
	}
	route := func(method, path string, p access.Permission, err error) desk.Route {
		return desk.Route{Method: method, Path: path, Permission: p, Handle: say(err)}
	}
	return []desk.Route{
		route("GET", "", access.Home, nil),
		route("GET", "/staff", access.StaffView, nil),
		route("GET", "/staff/:id", access.StaffView, nil),
		route("POST", "/staff/:id/disabling", access.StaffManage, nil),
		{Method: "GET", Path: "/poll", Permission: access.Home, Quiet: true, Handle: say(nil)},
		route("GET", "/invalid", access.Home, errs.Field("email", "field.email")),
		route("GET", "/refused", access.Home, staff.ErrPair.With("other", staff.FinanceMaker)),
		route("GET", "/absent", access.Home, staff.ErrUnknown),
		route("GET", "/forbidden", access.Home, staff.ErrSelf),
		route("GET", "/changed", access.Home, db.ErrChanged),
		route("GET", "/throttled", access.Home, errs.New(errs.TooMany, "login.too_many").With("seconds", 60)),
		route("GET", "/later", access.Home, errs.New(errs.Unavailable, "busy")),
		route("GET", "/broken", access.Home, errors.New(`pq: column "secret" of SELECT * FROM staff`)),
		{Method: "GET", Path: "/panic", Permission: access.Home, Handle: func(*desk.Request) error { panic("SELECT secret") }},
		{Method: "GET", Path: "/broken-off", Permission: access.Home, Handle: func(*desk.Request) error { panic(http.ErrAbortHandler) }},
	}
}

type bundle struct {
	*desktest.Office
	calls int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{}
	b.Office = desktest.New(t, dbtest.New(t).URL)
	b.Mount(answers(&b.calls))
	return b
}

func (b *bundle) denials(t *testing.T) []audit.Entry {
	t.Helper()
	list, _, err := audit.NewLog(b.DB).List(t.Context(), audit.Filter{Action: "access.refuse", Result: audit.Denied})
	require.NoError(t, err)
	return list
}

func TestOnlyHoldersReachAHandler(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, "hello auditor", b.SignIn(t, access.Auditor).Get("/admin/staff").Body.String())
	require.Equal(t, 1, b.calls)

	maker := b.SignIn(t, access.FinanceMaker, access.ContentEditor)
	page := maker.Get("/admin/staff")
	require.Equal(t, http.StatusForbidden, page.Code)
	require.Contains(t, page.Body.String(), "</html>")
	part := maker.Part("/admin/staff")
	require.Equal(t, http.StatusForbidden, part.Code)
	require.NotContains(t, part.Body.String(), "</html>", "a part of a page for htmx")
	require.Equal(t, "true", part.Header().Get("Desk-Refusal"))
	require.Equal(t, 1, b.calls)

	denials := b.denials(t)
	require.Len(t, denials, 2)
	require.Equal(t, maker.Person.ID, denials[0].ActorID)
	require.Equal(t, "GET /admin/staff", denials[0].TargetID)
	require.JSONEq(t, `{"reason":"denied","permission":"staff.view"}`, denials[0].After)
	require.Equal(t, part.Header().Get("X-Trace-Id"), denials[0].TraceID)
	require.ElementsMatch(t, []string{"finance_maker", "content_editor"}, strings.Split(denials[0].ActorRoles, ","))
	require.Empty(t, denials[0].Agent, "the test's browser names itself nothing")

	r := httptest.NewRequest(http.MethodGet, "/admin/staff", nil)
	r.Header.Set("User-Agent", "Mozilla/5.0 "+strings.Repeat("\u202e<b>", 200))
	require.Equal(t, http.StatusForbidden, maker.Do(r).Code)
	named := b.denials(t)
	require.Len(t, named, 3)
	require.True(t, strings.HasPrefix(named[0].Agent, "Mozilla/5.0 <b><b>"), named[0].Agent)
	require.LessOrEqual(t, len(named[0].Agent), 300)
}

func TestNobodyIsSentToTheDoor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	got := b.Guest().Get("/admin/staff?after=3")
	require.Equal(t, http.StatusSeeOther, got.Code)
	require.Equal(t, "/admin/signin?next=%2Fadmin%2Fstaff%3Fafter%3D3", got.Header().Get("Location"))
	require.Equal(t, "/admin/signin", b.Guest().Get("/admin").Header().Get("Location"))
	part := b.Guest().Part("/admin/staff")
	require.Equal(t, http.StatusUnauthorized, part.Code)
	require.Equal(t, "/admin/signin", part.Header().Get("HX-Redirect"))
	require.Empty(t, part.Body.String())
	post := b.Guest().Post("/admin/staff/100/disabling", nil)
	require.Equal(t, "/admin/signin", post.Header().Get("Location"))
	require.Zero(t, b.calls)
	require.Empty(t, b.denials(t))
}

func TestNextStaysInside(t *testing.T) {
	t.Parallel()
	for next, want := range map[string]string{
		"":                                   "/admin",
		"/admin/staff":                       "/admin/staff",
		"/admin/audit?area=staff&x=%22":      "/admin/audit?area=staff&x=%22",
		"https://evil.example":               "/admin",
		"//evil.example/admin/":              "/admin",
		"/\\evil.example":                    "/admin",
		"/admin/../client":                   "/admin",
		"/admin//evil.example":               "/admin",
		"/admin/%2e%2e/client":               "/admin",
		"/adminevil":                         "/admin",
		"/admin/signin":                      "/admin",
		"javascript:alert(1)":                "/admin",
		"/admin/staff\r\nSet-Cookie: a=b":    "/admin",
		"/admin/" + strings.Repeat("a", 600): "/admin",
	} {
		require.Equal(t, want, desk.Next(next), next)
	}
}

func TestRevocationCountsAtTheNextRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	auditor := b.SignIn(t, access.Auditor)
	require.Equal(t, http.StatusOK, auditor.Get("/admin/staff").Code)
	root := b.Hire(t, "Root", access.SuperAdmin)
	actor := audit.Actor{Kind: audit.Staff, ID: root.ID, Name: root.Name}
	require.NoError(t, b.Staff.RevokeRole(t.Context(), actor, auditor.Person.ID, access.Auditor))
	require.Equal(t, http.StatusForbidden, auditor.Get("/admin/staff").Code)
	require.Equal(t, http.StatusOK, auditor.Get("/admin").Code, "whoever works here has a start page")
}

func TestDisablingEndsTheSessionAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	auditor := b.SignIn(t, access.Auditor)
	root := b.Hire(t, "Root", access.SuperAdmin)
	actor := audit.Actor{Kind: audit.Staff, ID: root.ID, Name: root.Name}
	require.NoError(t, b.Staff.Disable(t.Context(), actor, auditor.Person.ID, 1))
	require.Equal(t, http.StatusSeeOther, auditor.Get("/admin/staff").Code)
	require.NoError(t, b.Staff.Enable(t.Context(), actor, auditor.Person.ID, 2))
	require.Equal(t, http.StatusSeeOther, auditor.Get("/admin/staff").Code, "and for good")
}

func TestSessions(t *testing.T) {
	t.Parallel()
	t.Run("EndAfter30MinutesIdle", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		auditor := b.SignIn(t, access.Auditor)
		for range 3 {
			b.Clock.Advance(desk.Idle - time.Minute)
			require.Equal(t, http.StatusOK, auditor.Get("/admin/staff").Code)
		}
		b.Clock.Advance(desk.Idle)
		require.Equal(t, http.StatusSeeOther, auditor.Get("/admin/staff").Code)
		require.Nil(t, auditor.Cookie("candor_desk"), "the cookie is taken back")
	})
	t.Run("EndAfter12HoursWhateverHappens", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		auditor := b.SignIn(t, access.Auditor)
		for range 36 {
			b.Clock.Advance(desk.Absolute / 36)
			if b.Clock.Now().Sub(desktest.Start) < desk.Absolute {
				require.Equal(t, http.StatusOK, auditor.Get("/admin/staff").Code)
			}
		}
		require.Equal(t, http.StatusSeeOther, auditor.Get("/admin/staff").Code)
	})
	t.Run("ArePagesThatAskByThemselvesNoUse", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		auditor := b.SignIn(t, access.Auditor)
		for range 29 {
			b.Clock.Advance(time.Minute)
			require.Equal(t, http.StatusOK, auditor.Part("/admin/poll").Code)
		}
		b.Clock.Advance(time.Minute)
		require.Equal(t, "/admin/signin", auditor.Part("/admin/poll").Header().Get("HX-Redirect"), "a poll keeps no session alive")
	})
	t.Run("AreStoredHashed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		auditor := b.SignIn(t, access.Auditor)
		var dump string
		require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT string_agg(token || encode(data, 'escape'), '') FROM sessions`).Scan(&dump))
		require.NotContains(t, dump, auditor.Cookie("candor_desk").Value)
	})
	t.Run("GetANewTokenAtEachSignIn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		auditor := b.SignIn(t, access.Auditor)
		old := auditor.Cookie("candor_desk")
		again := b.SignInAs(t, auditor.Person)
		require.NotEqual(t, old.Value, again.Cookie("candor_desk").Value)
		fixed := b.Guest()
		fixed.SetCookie(&http.Cookie{Name: "candor_desk", Value: "chosen-by-somebody-else"})
		require.Equal(t, http.StatusSeeOther, fixed.Get("/admin/staff").Code)
	})
	t.Run("ExpiredOnesAreDropped", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.SignIn(t, access.Auditor)
		_, err := b.DB.Pool.Exec(t.Context(), `UPDATE sessions SET expiry = now() - interval '1 second'`)
		require.NoError(t, err)
		require.NoError(t, b.Frame.DropExpired(t.Context()))
		var n int
		require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM sessions`).Scan(&n))
		require.Zero(t, n)
	})
}

func TestCookie(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cookie := b.SignIn(t, access.Auditor).Cookie("candor_desk")
	require.True(t, cookie.HttpOnly)
	require.False(t, cookie.Secure)
	require.Equal(t, http.SameSiteStrictMode, cookie.SameSite)
	require.Zero(t, cookie.MaxAge, "it ends with the browser")

	production := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) { c.Production = true }).Mount(answers(new(int)))
	browser := production.SignIn(t, access.Auditor)
	cookie = browser.Cookie("__Host-candor_desk")
	require.NotNil(t, cookie)
	require.True(t, cookie.Secure)
	require.Equal(t, "/", cookie.Path)
	require.Empty(t, cookie.Domain)
	require.Contains(t, browser.Get("/admin").Header().Get("Strict-Transport-Security"), "max-age=31536000")
}

// TestHeaders checks every kind of answer.
func TestHeaders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	auditor := b.SignIn(t, access.Auditor)
	nonces := map[string]bool{}
	for _, got := range []*httptest.ResponseRecorder{
		auditor.Get("/admin"), auditor.Get("/admin/broken"), auditor.Get("/admin/panic"), auditor.Get("/admin/nothing"), auditor.Get("/admin/staff/"),
		b.Guest().Get("/admin/staff"), b.Guest().Part("/admin/staff"), auditor.Send("/admin/staff/1/disabling", nil),
	} {
		h := got.Header()
		csp := h.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'", "form-action 'self'", "script-src 'nonce-"} {
			require.Contains(t, csp, want)
		}
		require.NotContains(t, csp, "unsafe")
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
		require.Equal(t, "no-referrer", h.Get("Referrer-Policy"))
		require.Equal(t, "no-store", h.Get("Cache-Control"))
		require.Equal(t, "DENY", h.Get("X-Frame-Options"))
		require.False(t, nonces[csp], "a nonce serves once")
		nonces[csp] = true
	}
}

func TestThePageCarriesTheNonceOfItsPolicy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	got := b.SignIn(t, access.Auditor).Get("/admin/absent")
	require.NotContains(t, got.Body.String(), "<script>")
	require.NotContains(t, got.Body.String(), " style=")
}

func TestErrors(t *testing.T) {
	t.Parallel()
	b := setup(t)
	auditor := b.SignIn(t, access.Auditor)
	for path, want := range map[string]struct {
		status int
		words  string
	}{
		"invalid":   {http.StatusUnprocessableEntity, "Enter a valid email address."},
		"refused":   {http.StatusUnprocessableEntity, "together with Finance maker"},
		"absent":    {http.StatusNotFound, "Person or request not found"},
		"forbidden": {http.StatusForbidden, "You can’t change your own account"},
		"changed":   {http.StatusConflict, "changed after you opened it"},
		"throttled": {http.StatusTooManyRequests, "Wait 60 seconds"},
		"later":     {http.StatusServiceUnavailable, "The back office is busy"},
		"broken":    {http.StatusInternalServerError, "give an administrator the trace id"},
		"panic":     {http.StatusInternalServerError, "give an administrator the trace id"},
		"nothing":   {http.StatusNotFound, "This page does not exist"},
	} {
		page := auditor.Get("/admin/" + path)
		require.Equal(t, want.status, page.Code, path)
		require.Contains(t, page.Body.String(), want.words, path)
		require.Contains(t, page.Body.String(), page.Header().Get("X-Trace-Id"), "%s: an administrator finds it by its trace", path)
		part := auditor.Part("/admin/" + path)
		require.Equal(t, want.status, part.Code, path)
		require.Contains(t, part.Body.String(), want.words, path)
		for _, body := range []string{page.Body.String(), part.Body.String()} {
			require.NotContains(t, body, "SELECT", "%s: the inside stays inside", path)
			require.NotContains(t, body, "goroutine", path)
		}
	}
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { auditor.Get("/admin/broken-off") }, "a file that breaks off gets no page at its end")
	require.Len(t, b.denials(t), 2, "what a service forbids is recorded like what the policy forbids")
}

func TestWritesFromOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	root := b.SignIn(t, access.SuperAdmin)
	for name, headers := range map[string]map[string]string{
		"says nothing":         {},
		"cross site":           {"Sec-Fetch-Site": "cross-site"},
		"same site":            {"Sec-Fetch-Site": "same-site"},
		"another origin":       {"Origin": "https://evil.example"},
		"the null origin":      {"Origin": "null"},
		"another port":         {"Origin": "http://example.com:8443"},
		"a lie about the site": {"Sec-Fetch-Site": "cross-site", "Origin": "http://example.com"},
	} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			r := httptest.NewRequest(method, "/admin/staff/1/disabling", strings.NewReader("version=1"))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			for key, value := range headers {
				r.Header.Set(key, value)
			}
			require.Equal(t, http.StatusForbidden, root.Do(r).Code, "%s, %s", name, method)
		}
	}
	require.Zero(t, b.calls)
	require.Empty(t, b.denials(t), "nobody fills the audit log from outside")
	require.Equal(t, http.StatusOK, root.Send("/admin/staff/1/disabling", url.Values{"version": {"1"}}).Code)
	require.Equal(t, 1, b.calls)
}

// TestVariants requests a guarded address in every other spelling and with every other method: no handler is reached.
func TestVariants(t *testing.T) {
	t.Parallel()
	b := setup(t)
	browsers := []*desktest.Browser{b.SignIn(t, access.SuperAdmin), b.SignIn(t, access.ContentEditor), b.Guest()}
	for _, browser := range browsers {
		for _, path := range []string{
			"/admin/", "/admin/staff/", "/admin//staff", "//admin/staff", "/admin/./staff", "/admin/x/../staff", "/ADMIN/staff", "/Admin/staff", "/admin/Staff",
			"/admin%2fstaff", "/admin/staff%2f1", "/admin/%73taff", "/admin/staff%00", "/admin/staff;x=1", "/admin/staff\\1", "/admin/staff/1%2fdisabling", "/admin/staff/1/disabling/",
			"/admin/staff/%2e%2e/staff", "/admin/staff/1/", "/admin/staff/.hidden",
		} {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				r := httptest.NewRequest(method, "http://desk.test/", nil)
				parsed, err := url.Parse("http://desk.test" + path)
				if err != nil {
					parsed = &url.URL{Scheme: "http", Host: "desk.test", Path: strings.ReplaceAll(path, "\\", `\`)}
				}
				r.URL, r.RequestURI = parsed, path
				got := browser.Do(r)
				require.Contains(t, []int{http.StatusNotFound, http.StatusForbidden, http.StatusMethodNotAllowed}, got.Code, "%s %s", method, path)
			}
		}
		for _, method := range []string{http.MethodHead, http.MethodOptions, http.MethodTrace, http.MethodConnect, http.MethodPut, http.MethodPatch, http.MethodDelete, "PROPFIND", "GETX", "get"} {
			for _, path := range []string{"/admin", "/admin/staff", "/admin/staff/1", "/admin/staff/1/disabling"} {
				r := httptest.NewRequest(method, path, nil)
				r.Header.Set("Sec-Fetch-Site", "same-origin")
				got := browser.Do(r)
				require.Contains(t, []int{http.StatusNotFound, http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusBadRequest}, got.Code, "%s %s", method, path)
			}
		}
		require.Equal(t, http.StatusNotFound, browser.Get("/admin/staff/1/disabling").Code, "a write is no read")
	}
	require.Zero(t, b.calls)
}

func TestARouteWithoutAPermissionStopsTheStart(t *testing.T) {
	t.Parallel()
	o := desktest.New(t, dbtest.New(t).URL)
	handle := func(*desk.Request) error { return nil }
	require.Panics(t, func() { o.Frame.Mount(echo.New(), []desk.Route{{Method: "GET", Path: "/x", Handle: handle}}) })
	require.Panics(t, func() { o.Frame.Mount(echo.New(), []desk.Route{{Method: "GET", Path: "/x", Permission: access.Home}}) })
	twice := desk.Route{Method: "GET", Path: "/y", Permission: access.Home, Handle: handle}
	require.Panics(t, func() { o.Frame.Mount(echo.New(), []desk.Route{twice, twice}) })
}

func TestAFormHasALimit(t *testing.T) {
	t.Parallel()
	o := desktest.New(t, dbtest.New(t).URL)
	o.Mount([]desk.Route{{Method: "POST", Path: "/x", Permission: access.Home, Handle: func(r *desk.Request) error {
		if _, err := r.FormValues(); err != nil {
			return err
		}
		return r.String(http.StatusOK, "taken")
	}}})
	b := o.SignIn(t, access.Auditor)
	require.Equal(t, http.StatusOK, b.Post("/admin/x", url.Values{"a": {strings.Repeat("x", 1000)}}).Code)
	require.Equal(t, http.StatusRequestEntityTooLarge, b.Post("/admin/x", url.Values{"a": {strings.Repeat("x", 300<<10)}}).Code)
}

func TestPage(t *testing.T) {
	t.Parallel()
	waiting := desk.Waiting{Count: 3, Oldest: desktest.Start.Add(-3 * time.Hour), Target: 2 * time.Hour}
	o := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) {
		c.Health = func(ctx context.Context, zone *time.Location) []layout.HealthLine {
			require.Equal(t, "Europe/Madrid", zone.String(), "times of the house are in the member's zone as all others")
			return desktest.Healthy(ctx, zone)
		}
		c.Counts = map[string]func(context.Context) (desk.Waiting, error){
			"staff":    func(context.Context) (desk.Waiting, error) { return waiting, nil },
			"deposits": func(context.Context) (desk.Waiting, error) { return desk.Waiting{}, errors.New("no") },
		}
	})
	var nav []string
	var queues []desk.Queue
	see := func(r *desk.Request) error {
		nav, queues = nil, r.Queues()
		page := r.Page("Home", "home")
		for _, group := range page.Nav {
			for _, item := range group.Items {
				nav = append(nav, item.ID)
			}
		}
		require.Equal(t, "dark", page.Theme)
		require.Len(t, page.Health, 3)
		require.Equal(t, "Europe/Madrid", r.Zone().String())
		return r.NoContent(http.StatusOK)
	}
	nothing := func(*desk.Request) error { return nil }
	o.Mount([]desk.Route{
		{Method: "GET", Path: "", Permission: access.Home, Handle: see},
		{Method: "GET", Path: "/staff", Permission: access.StaffView, Handle: nothing},
		{Method: "GET", Path: "/deposits", Permission: access.DepositView, Handle: nothing},
		{Method: "GET", Path: "/withdrawals", Permission: access.WithdrawalView, Handle: nothing},
		{Method: "GET", Path: "/audit", Permission: access.AuditView, Handle: nothing},
	})
	for role, want := range map[access.Role][]string{
		access.Auditor:       {"home", "deposits", "withdrawals", "audit", "staff"},
		access.SuperAdmin:    {"home", "audit", "staff"},
		access.FinanceMaker:  {"home", "deposits", "withdrawals"},
		access.ContentEditor: {"home"},
	} {
		b := o.SignIn(t, role)
		b.SetCookie(&http.Cookie{Name: "desk_theme", Value: "dark"})
		b.SetCookie(&http.Cookie{Name: "desk_zone", Value: "Europe/Madrid"})
		require.Equal(t, http.StatusOK, b.Get("/admin").Code)
		require.Equal(t, want, nav, "only what is mounted and may be opened")
		if role == access.SuperAdmin {
			require.Len(t, queues, 1)
			require.EqualValues(t, 3, queues[0].Waiting.Count)
			require.True(t, queues[0].Hot, "the oldest has waited too long")
		}
	}
}

func TestZone(t *testing.T) {
	t.Parallel()
	var seen string
	o := desktest.New(t, dbtest.New(t).URL).Mount([]desk.Route{{Method: "GET", Path: "", Permission: access.Home, Handle: func(r *desk.Request) error {
		seen = r.Zone().String()
		return nil
	}}})
	b := o.SignIn(t, access.Auditor)
	for value, want := range map[string]string{"Asia/Tokyo": "Asia/Tokyo", "": "UTC", "Local": "UTC", "../../etc/passwd": "UTC", "/etc/passwd": "UTC", "No/Where": "UTC", strings.Repeat("A", 80): "UTC"} {
		b.SetCookie(&http.Cookie{Name: "desk_zone", Value: value})
		b.Get("/admin")
		require.Equal(t, want, seen, value)
	}
}

func TestInitials(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Super admin 01": "S1", "Marta Specimen": "MS", "Ada": "AD", "X": "X", "": "?", "łukasz żak": "ŁŻ", "山田 太郎": "山太"} {
		require.Equal(t, want, desk.Initials(name))
	}
}

// TestTheDatabaseIsDown: the answer is the general message, without internals.
func TestTheDatabaseIsDown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	auditor := b.SignIn(t, access.Auditor)
	b.DB.Close()
	got := auditor.Get("/admin/staff")
	require.Equal(t, http.StatusServiceUnavailable, got.Code)
	require.NotContains(t, got.Body.String(), "pool")
	require.Zero(t, b.calls)
}

// TestStreamsTakeAPlaceUntilItIsKnownWhoAsks: a member may open more streams than a source has slots; an invalid session waits like any request.
func TestStreamsTakeAPlaceUntilItIsKnownWhoAsks(t *testing.T) {
	t.Parallel()
	const streams, places = 20, 16
	began, finish := make(chan struct{}), make(chan struct{})
	stays := func(r *desk.Request) error {
		began <- struct{}{}
		<-finish
		return r.NoContent(http.StatusNoContent)
	}
	b := desktest.New(t, dbtest.New(t).URL)
	b.Mount([]desk.Route{
		{Method: "GET", Path: "/stream", Permission: access.Home, Streams: true, Handle: stays},
		{Method: "GET", Path: "/stays", Permission: access.Home, Handle: stays},
	})
	member := b.SignIn(t, access.Auditor)
	var group sync.WaitGroup
	for n := range streams + places {
		path := "/admin/stream"
		if n >= streams {
			path = "/admin/stays"
		}
		group.Go(func() { member.Get(path) })
		<-began
	}
	soon, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	forger := b.Guest()
	forger.SetCookie(&http.Cookie{Name: "candor_desk", Value: "made up"})
	waits := forger.Do(httptest.NewRequestWithContext(soon, http.MethodGet, "/admin/stream", nil))
	require.NotEqual(t, http.StatusSeeOther, waits.Code, "it was let in, and sent to the door")
	close(finish)
	group.Wait()
	require.Equal(t, http.StatusSeeOther, forger.Get("/admin/stream").Code)
}

// TestACopiedCookieOpensNothingElsewhere: neither to whoever uses it from another network and browser, nor to its member afterwards.
func TestACopiedCookieOpensNothingElsewhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := b.SignIn(t, access.Auditor)
	from := func(ip, agent string) int {
		r := httptest.NewRequest(http.MethodGet, "/admin/staff", nil)
		r.RemoteAddr = ip + ":40000"
		r.Header.Set("User-Agent", agent)
		return member.Do(r).Code
	}
	const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
	require.Equal(t, http.StatusOK, from("198.51.100.7", ""), "a laptop changes networks")
	require.Equal(t, http.StatusSeeOther, from("198.51.100.7", firefox))
	require.Equal(t, http.StatusSeeOther, from("198.51.100.7", firefox))
	require.Equal(t, desk.MovedPath, member.Get("/admin/staff").Header().Get("Location"), "the member reads why")
}

// TestVisitorsTakeNoPlaceOfMembers fills the public routes from more sources than there are slots, and requests a member's page meanwhile.
func TestVisitorsTakeNoPlaceOfMembers(t *testing.T) {
	t.Parallel()
	b := &bundle{Office: desktest.New(t, dbtest.New(t).URL)}
	inside, open := make(chan struct{}, 100), make(chan struct{})
	b.Frame.MountPublic(b.Echo, []desk.Public{{Method: http.MethodGet, Path: "/door", Handle: func(v *desk.Visitor) error {
		inside <- struct{}{}
		<-open
		return v.NoContent(http.StatusNoContent)
	}}})
	b.Mount(answers(&b.calls))
	member := b.SignIn(t, access.Auditor)
	var group sync.WaitGroup
	answers := make(chan int, 100)
	for n := range 64 {
		group.Go(func() {
			r := httptest.NewRequest(http.MethodGet, "/admin/door", nil)
			r.RemoteAddr = fmt.Sprintf("198.51.100.%d:40000", n)
			answers <- b.Guest().Do(r).Code
		})
	}
	for range 32 {
		<-inside
	}
	require.Equal(t, http.StatusOK, member.Get("/admin/staff").Code)
	require.Empty(t, inside, "the thirty-third waits")
	close(open)
	group.Wait()
	close(answers)
	for code := range answers {
		require.Equal(t, http.StatusNoContent, code)
	}
}
