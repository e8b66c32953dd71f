// Package desk is the frame of the back office: routes that name their permission, the request with its member of staff, and how a page is answered.
package desk

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"candor/admin/access"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/platform/upload"
	"candor/templates/layout"
	"candor/templates/ui"
)

// ErrNotFound is returned for an address that names nothing.
var ErrNotFound = errs.New(errs.NotFound, "not_found")

// Route is one power of the back office. The routing table reads as the list of powers; there is no route without a permission.
type Route struct {
	Method     string
	Path       string // below /admin, for example "/deposits/:id/approval"
	Permission access.Permission
	Quiet      bool   // polled by the page every few seconds: it does not extend the session
	Uploads    bool   // takes a picture
	Lists      string // the kind of things that the page lists, as the audit log names it: pages hear of their changes
	// Hears reports whether the member hears of a change of one of those things; nil is everybody with the permission.
	Hears   func(r *Request, id string) bool
	Private []string // names in the address of a list that no saved view has, as they may name a person
	Streams bool     // answers for minutes: not counted among the requests under way
	Handle  func(*Request) error
}

func (r Route) limit() int64 {
	if r.Uploads {
		return uploadLimit
	}
	return bodyLimit
}

// Member is the member of staff behind a request.
type Member struct {
	ID    int64
	Name  string
	Email string
	Roles []access.Role
}

// Request is an authorized request of a member of staff.
type Request struct {
	*echo.Context
	Member  Member
	TraceID string
	acting  audit.Actor
	frame   *Frame

	permission access.Permission
}

// Actor is the member as an actor of the audit log.
func (r *Request) Actor() audit.Actor { return r.acting }

// Sender is the member as an uploader.
func (r *Request) Sender() upload.Sender {
	return upload.Sender{Class: upload.Message, Person: fmt.Sprint("staff ", r.Member.ID)}
}

// May reports whether the member has a permission, to show or lock what it opens.
func (r *Request) May(p access.Permission) bool { return r.frame.Access.Allowed(r.Member.Roles, p) }

// Must refuses a request for something of which only the handler knows the permission. The audit log records the refusal.
func (r *Request) Must(p access.Permission) error {
	if !r.May(p) {
		return errDenied.With("permission", p)
	}
	return nil
}

// Texts are the texts of the back office, for a file in another language than the member's.
func (r *Request) Texts() *i18n.Catalogue { return r.frame.Texts }

// Now is the current time.
func (r *Request) Now() time.Time { return r.frame.Clock.Now() }

// Zone is the time zone of the member's browser, UTC until the browser has sent one.
func (r *Request) Zone() *time.Location { return zone(r.Context) }

// Moment writes a time in the member's zone and language.
func (r *Request) Moment(at time.Time) string {
	return ui.Moment(r.Context.Request().Context(), at, r.Now(), r.Zone())
}

// Day writes the day of a time in the member's zone and language.
func (r *Request) Day(at time.Time) string {
	return ui.Day(r.Context.Request().Context(), at, r.Zone())
}

// Date writes a calendar day, which has no zone.
func (r *Request) Date(day time.Time) string {
	return ui.Date(r.Context.Request().Context(), day)
}

// ZoneNote names the zone of a page's times.
func (r *Request) ZoneNote() string {
	name := ui.ZoneName(r.Now(), r.Zone())
	if name == "UTC" {
		return r.Word("time.zone.utc")
	}
	return r.Word("time.zone", "zone", name)
}

// Page is the frame of a page around r's member; current is the id of the navigation item it belongs to.
func (r *Request) Page(title, current string) layout.Page { return r.frame.Page(r, title, current) }

// Bare is the frame of a page without navigation.
func (r *Request) Bare(title string) layout.BarePage {
	return layout.BarePage{Title: title, Theme: theme(r.Context)}
}

// Partial reports whether htmx requests a part of a page.
func (r *Request) Partial() bool { return partial(r.Context) }

// PostFormValue is a value of the posted form. Query values are ignored.
func (r *Request) PostFormValue(name string) string { return postFormValue(r.Context, name) }

// PostFormValues are the values of a field that the posted form may name several times.
func (r *Request) PostFormValues(name string) []string {
	if err := r.Request().ParseForm(); err != nil {
		return nil
	}
	return r.Request().PostForm[name]
}

// Plain is a typed text without blanks around it and without what can't be stored.
func Plain(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", ""))
}

// ID reads a number of the path. It returns ErrNotFound for anything else.
func (r *Request) ID(name string) (int64, error) {
	id, err := strconv.ParseInt(r.Param(name), 10, 64)
	if err != nil || id <= 0 {
		return 0, ErrNotFound
	}
	return id, nil
}

// Version reads the version that the member saw when they decided. It returns an Invalid error for anything but a version.
func (r *Request) Version() (int, error) {
	version, err := ParseCount(r.PostFormValue("version"))
	if err != nil || version <= 0 {
		return 0, errs.Field("version", "field.required")
	}
	return version, nil
}

// ParseCount parses a number for a 32-bit column, such as a version or a sort position.
func ParseCount(text string) (int, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	return int(n), err
}

// Text is the text of a refusal in the member's language, for a message beside its field.
func (r *Request) Text(err error) string { return refusalText(r.Context.Request().Context(), err) }

// Word is one text in the member's language.
func (r *Request) Word(key string, pairs ...any) string {
	return i18n.T(r.Context.Request().Context(), key, pairs...)
}

// Show answers with a component.
func (r *Request) Show(c ...templ.Component) error { return r.ShowStatus(http.StatusOK, c...) }

// ShowStatus answers with components and a status.
func (r *Request) ShowStatus(status int, c ...templ.Component) error {
	return show(r.Context, status, c...)
}

// CurrentPage is the address of the requesting page as htmx sends it; empty when it sends none.
func (r *Request) CurrentPage() *url.URL {
	page, err := url.Parse(r.Context.Request().Header.Get("HX-Current-URL"))
	if err != nil {
		return &url.URL{}
	}
	return page
}

// RevealedEnough says that the member has reached the limit of revealed contacts, and when they may reveal more.
func (r *Request) RevealedEnough(limit int, until time.Time) string {
	return r.Word("quota.contacts", "limit", limit, "at", r.Moment(until))
}

// Dialog answers with a dialog, whatever target the request names: a form to correct, or more to read. A request that already targets the dialog is not
// retargeted: htmx resolves a new target from the pressed button, and fails when a live update has removed that button.
func (r *Request) Dialog(status int, c ...templ.Component) error {
	if r.Request().Header.Get("HX-Target") != "dialog" {
		header := r.Response().Header()
		header.Set("HX-Retarget", "#dialog")
		header.Set("HX-Reswap", "innerHTML")
	}
	return r.ShowStatus(status, c...)
}

// RedirectTo sends the browser to another page, for plain and htmx requests.
func (r *Request) RedirectTo(path string) error { return redirectTo(r.Context, path) }

func show(c *echo.Context, status int, parts ...templ.Component) error {
	response := c.Response()
	response.Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	response.WriteHeader(status)
	for _, part := range parts {
		if err := part.Render(c.Request().Context(), response); err != nil {
			return err
		}
	}
	return nil
}

func redirectTo(c *echo.Context, path string) error {
	if partial(c) {
		c.Response().Header().Set("HX-Redirect", path)
		return c.NoContent(http.StatusNoContent)
	}
	return c.Redirect(http.StatusSeeOther, path)
}

func partial(c *echo.Context) bool { return c.Request().Header.Get("HX-Request") == "true" }

func postFormValue(c *echo.Context, name string) string {
	if err := c.Request().ParseForm(); err != nil {
		return ""
	}
	return c.Request().PostForm.Get(name)
}
