package desk

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v5"

	"candor/admin/access"
	"candor/app/audit"
	"candor/app/platform/admission"
	"candor/app/platform/clientip"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/events"
	"candor/app/platform/i18n"
	"candor/app/platform/netlimit"
	"candor/app/platform/refusals"
	"candor/app/platform/upload"
	"candor/app/staff"
	"candor/templates/layout"
)

// Root is the path of the back office, and AccountPath of the member's own account in it.
const (
	Root        = "/admin"
	AccountPath = Root + "/account"
)

// Limits of request bodies of staff, in bytes: typed forms, and a picture on routes that take one.
const (
	bodyLimit   = 256 << 10
	publicLimit = 4<<10 - 1 // of anyone's request: such bodies need no room in a budget
	uploadLimit = upload.MaxBytes + 64<<10
)

// Config configures the frame.
type Config struct {
	DB         *db.DB
	Clock      clock.Clock
	Staff      *staff.Service
	Access     *access.Enforcer
	Texts      *i18n.Catalogue
	Production bool                                     // cookies for https only
	SignedIn   func(context.Context, audit.Actor) error // runs when a member's session begins; nil for nothing
	// Counts reads the waiting items of a navigation item, by its id ("deposits", "staff"). A navigation item that is not in it has no count.
	Counts map[string]func(context.Context) (Waiting, error)
	// OwnCounts are counts that differ between members.
	OwnCounts  map[string]func(*Request) (Waiting, error)
	Bus        *events.Bus
	Sources    []Source                                          // of events besides the frame's own
	Closed     Closed                                            // nil: no account is closed
	Tag        func(purpose string, text []byte) ([]byte, error) // of a text that the audit log must not have, by a key
	Ending     <-chan struct{}                                   // closed at shutdown: pages reconnect to another server
	CheckEvery time.Duration                                     // how often an open stream checks whether its member is still signed in; 0 for every 5 s
	SmallStep  func() staff.SmallStep                            // what one code of the authenticator covers; nil covers nothing
	// Health is the system state at the foot of the navigation, its times in a zone; nil shows none.
	Health func(context.Context, *time.Location) []layout.HealthLine
}

// Waiting is the state of a queue.
type Waiting struct {
	Count  int64
	Oldest time.Time     // since when the first item waits; zero when nothing waits or it is unknown
	Target time.Duration // how long an item may wait; 0 is no target
	Late   bool          // something is past its own deadline
}

// late reports whether an item is past its deadline, or the oldest has waited longer than the target.
func (w Waiting) late(now time.Time) bool {
	return w.Late || w.Count > 0 && w.Target > 0 && !w.Oldest.IsZero() && now.Sub(w.Oldest) >= w.Target
}

// Frame serves the routes.
type Frame struct {
	Config
	sessions *scs.SessionManager
	crossing *http.CrossOriginProtection
	members  *admission.Limiter
	visitors *admission.Limiter
	bodies   *admission.Bodies
	refused  refusals.Counter
	health   healthWatch
	kinds    map[string]Route // the lists of kinds of things in the audit log
	mounted  map[string]bool  // "GET /admin/staff"
	finders  []Finder
	routes   []Route
	public   []Public
}

// New makes the frame.
func New(c Config) *Frame {
	return &Frame{
		Config:   c,
		sessions: newSessions(c.DB.Pool.Of(db.Staff), c.Production),
		crossing: http.NewCrossOriginProtection(),
		members:  admission.New(requestLimits),
		visitors: admission.New(requestLimits),
		bodies:   admission.NewBodies(admission.NewBudget(bodyBudget, bodyBudget/8)),
		mounted:  map[string]bool{},
		kinds:    map[string]Route{},
	}
}

// Routes lists the mounted routes, for the table in the golden file.
func (f *Frame) Routes() ([]Route, []Public) { return f.routes, f.public }

// Mount serves the sign-in pages and the routes under /admin, and answers everything else there with "not found".
// It panics on a route without a permission: that is a programming error, to be seen at the first start.
func (f *Frame) Mount(e *echo.Echo, routes ...[]Route) {
	for _, list := range append(routes, f.OwnRoutes()) {
		for _, route := range list {
			if route.Permission == "" || route.Handle == nil {
				panic(fmt.Sprintf("%s %s has no permission or no handler", route.Method, route.Path))
			}
			f.routes = append(f.routes, route)
			if route.Lists != "" {
				f.kinds[route.Lists] = route
			}
			f.add(e, route.Method, route.Path, guarding{limit: route.limit(), streams: route.Streams, uploads: route.Uploads}, func(v *Visitor) error { return f.serve(v, route) })
		}
	}
	nothing := f.guard(guarding{limit: publicLimit}, func(*Visitor) error { return ErrNotFound })
	e.Any(Root, nothing)
	e.Any(Root+"/*", nothing)
}

// MountPublic serves routes that anyone may request.
func (f *Frame) MountPublic(e *echo.Echo, routes []Public) {
	for _, route := range routes {
		f.public = append(f.public, route)
		f.add(e, route.Method, route.Path, guarding{limit: publicLimit, public: true}, route.Handle)
	}
}

func (f *Frame) add(e *echo.Echo, method, path string, g guarding, handle func(*Visitor) error) {
	key := method + " " + Root + path
	if f.mounted[key] {
		panic(key + " is mounted twice")
	}
	f.mounted[key] = true
	e.Add(method, Root+path, f.guard(g, handle))
}

// serve identifies the member and checks the permission, then lets the route handle the request.
func (f *Frame) serve(v *Visitor, route Route) error {
	person, err := f.signed(v, route.Quiet)
	if err != nil {
		return err
	}
	r := &Request{
		Context: v.Context, TraceID: v.TraceID, acting: person.Acting(v.From()), frame: f, permission: route.Permission,
		Member: Member{ID: person.ID, Name: person.Name, Email: person.Email, Roles: person.Roles},
	}
	v.member = r
	r.SetRequest(r.Context.Request().WithContext(i18n.WithLang(r.Context.Request().Context(), f.Texts, f.languageOf(person))))
	if err := f.may(person, route.Permission); err != nil {
		return err
	}
	if v.authenticated != nil {
		v.authenticated()
	}
	return route.Handle(r)
}

// requestLimits bound the back office's requests under way, per source and in total. Requests without a session cookie or to public routes have
// limits of their own; one with a made-up session takes a slot only until the database has checked it.
var requestLimits = admission.Limits{Running: 16, Waiting: 256, Total: 32, Crowd: 1024, Patience: 10 * time.Second}

// guarding configures the guard of a route.
type guarding struct {
	limit   int64 // of the body, in bytes
	public  bool
	streams bool
	uploads bool
}

// isLong reports whether the client decides how long a request takes. Such a request keeps its slot only until the member is authenticated.
func (g guarding) isLong() bool { return g.streams || g.uploads }

// bodyBudget is how many bytes of forms above 4 kB may be in memory at a time, an eighth of them from one source.
const bodyBudget = 16 << 20

// enter admits a request within the limits of its source and of all. It returns admission.ErrBusy.
func (f *Frame) enter(c *echo.Context, g guarding) (leave func(), err error) {
	source, release := clientip.Source(c.RealIP()), func() {}
	defer netlimit.Waiting(c.Request().Context())()
	if !g.isLong() {
		release, err = f.bodies.Receive(c.Response(), c.Request(), source, g.limit)
		if err != nil && errs.As(err) == nil { // the sender stopped
			err = errs.New(errs.Invalid, "invalid_input")
		}
		if err != nil {
			return nil, err
		}
	}
	limiter := f.members
	if _, noSession := c.Cookie(f.sessions.Cookie.Name); g.public || noSession != nil {
		limiter = f.visitors
	}
	done, err := limiter.Enter(c.Request().Context(), source)
	if err != nil {
		release()
		return nil, err
	}
	return func() { done(); release() }, nil
}

// may refuses a person without a permission. Home is open to all staff, even before they have a role: it shows only what they may open.
func (f *Frame) may(person staff.Person, p access.Permission) error {
	if p != access.Home && !f.Access.Allowed(person.Roles, p) {
		return errDenied.With("permission", p)
	}
	return nil
}

// guard runs before every handler: headers, path, origin, size in bytes, session. After the handler, it answers errors by Fail.
func (f *Frame) guard(g guarding, handle func(*Visitor) error) echo.HandlerFunc {
	return func(c *echo.Context) error {
		v := &Visitor{Context: c, TraceID: newTrace(), frame: f}
		f.prepare(v)
		if !clean(c.Request().URL.EscapedPath()) {
			return f.Fail(v, ErrNotFound)
		}
		if f.crosses(c.Request()) {
			return f.Fail(v, errCrossing)
		}
		leave, err := f.enter(c, g)
		if err != nil {
			return f.Fail(v, err)
		}
		defer leave()
		if g.isLong() {
			v.authenticated = leave
		}
		c.Request().Body = http.MaxBytesReader(c.Response(), c.Request().Body, g.limit)
		return f.withSession(c, func() error {
			err := f.recovered(v, handle)
			if err == nil {
				return nil
			}
			return f.Fail(v, err)
		})
	}
}

// crosses reports a write that does not come from a page of ours. One that does not state its origin counts as such: every browser that staff
// may use states it, and no program has business here.
func (f *Frame) crosses(r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return false
	}
	silent := r.Header.Get("Origin") == "" && r.Header.Get("Sec-Fetch-Site") == ""
	return silent || f.crossing.Check(r) != nil
}

func (f *Frame) recovered(v *Visitor, handle func(*Visitor) error) (err error) {
	defer func() {
		if cause := recover(); cause == http.ErrAbortHandler { //nolint:errorlint // it is this exact value
			panic(cause) // half an answer is sent: only a broken connection can show that the rest is missing
		} else if cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return handle(v)
}

// prepare sets the headers of every answer and gives the page its language and nonce.
func (f *Frame) prepare(v *Visitor) {
	v.Set("trace", v.TraceID) // the request's other log lines have the same id
	nonce := rand.Text()
	header := v.Response().Header()
	for name, value := range map[string]string{
		echo.HeaderContentSecurityPolicy: policy(nonce),
		echo.HeaderXContentTypeOptions:   "nosniff",
		echo.HeaderXFrameOptions:         "DENY",
		echo.HeaderReferrerPolicy:        "no-referrer",
		echo.HeaderCacheControl:          "no-store",
		"Cross-Origin-Opener-Policy":     "same-origin",
		"Cross-Origin-Resource-Policy":   "same-origin",
		"Permissions-Policy":             "camera=(), geolocation=(), microphone=()",
		"X-Robots-Tag":                   "noindex",
		"X-Trace-Id":                     v.TraceID,
	} {
		header.Set(name, value)
	}
	if f.Production {
		header.Set(echo.HeaderStrictTransportSecurity, "max-age=31536000; includeSubDomains")
	}
	ctx := templ.WithNonce(db.WithLane(v.Request().Context(), db.Staff), nonce)
	v.SetRequest(v.Request().WithContext(i18n.WithLang(ctx, f.Texts, i18n.Reference)))
}

// policy lets a page run its one script, which carries the nonce, and connect only to us.
func policy(nonce string) string {
	return "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'nonce-" + nonce + "'; img-src 'self'; font-src 'self'; " +
		"connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
}

// framing allows a page to hold frames with answers of ours.
const framing = "; frame-src 'self'"

// Frames allows the page that r answers with to hold frames with answers of ours.
func (r *Request) Frames() {
	header := r.Response().Header()
	header.Set(echo.HeaderContentSecurityPolicy, header.Get(echo.HeaderContentSecurityPolicy)+framing)
}

// Framed replaces the policy of an answer that a page of ours holds in a frame. The policy says who may.
func (r *Request) Framed(policy string) {
	header := r.Response().Header()
	header.Set(echo.HeaderContentSecurityPolicy, policy)
	header.Set(echo.HeaderXFrameOptions, "SAMEORIGIN")
}

// ours matches every path that we write: words, numbers and tokens between single slashes.
var ours = regexp.MustCompile(`^(/[A-Za-z0-9_~=-][A-Za-z0-9_~=.-]*)+$`)

// clean reports whether a path is written in our only form, so that no other spelling of a guarded address exists.
func clean(path string) bool { return ours.MatchString(path) }

func newTrace() string { return strings.ToLower(rand.Text()[:16]) }

// zone is the browser's time zone, which its script stores in a cookie.
func zone(c *echo.Context) *time.Location {
	cookie, err := c.Cookie("desk_zone")
	if err != nil || len(cookie.Value) > 64 {
		return time.UTC
	}
	location, err := time.LoadLocation(cookie.Value)
	if err != nil || location == time.Local {
		return time.UTC
	}
	return location
}

// recordDenial records which member requested something forbidden. Denials of strangers go to the log file, so that outsiders can't fill the audit log.
func (f *Frame) recordDenial(v *Visitor, reason error) {
	ctx := context.WithoutCancel(v.Request().Context())
	if v.member == nil {
		f.logRefusal(v, reason)
		return
	}
	entry := audit.By(v.member.Actor(), f.Clock.Now(), "access.refuse", "route", v.Request().Method+" "+v.Path())
	entry.Result, entry.After = audit.Denied, denial(reason)
	err := f.DB.InTx(ctx, func(tx *db.Tx) error { return audit.RecordTx(ctx, tx, entry) })
	if err != nil {
		slog.ErrorContext(ctx, "a refused access could not be recorded", "trace", v.TraceID, "error", err)
	}
}

// logRefusal logs a refused visitor, only some of many alike: anyone can cause them.
func (f *Frame) logRefusal(v *Visitor, reason error) {
	kind, n, log := f.refused.Count(refusals.Kind{Subject: v.Path(), Reason: errs.As(reason).Key, Source: clientip.Source(v.RealIP())}, f.Clock.Now())
	if log {
		slog.WarnContext(v.Request().Context(), "a visitor of the back office was refused", "trace", v.TraceID, "ip", v.RealIP(),
			"route", kind.Subject, "reason", kind.Reason, "this_minute", n)
	}
}

// Refused logs a visitor that a public route has turned down.
func (v *Visitor) Refused(reason error) { v.frame.logRefusal(v, reason) }
