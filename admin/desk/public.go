package desk

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"candor/app/audit"
	"candor/app/staff"
	"candor/templates/layout"
)

// Public is a route that anyone may request, such as the sign-in page.
type Public struct {
	Method string
	Path   string // below /admin
	Handle func(*Visitor) error
}

// Visitor is a request whose sender may not have signed in.
type Visitor struct {
	*echo.Context
	TraceID string
	frame   *Frame
	member  *Request // set once the member is known

	authenticated func() // frees the slot of a long request; nil for others
}

// From is the origin of a visitor, for the audit log.
func (v *Visitor) From() audit.Actor {
	return audit.Actor{IP: v.RealIP(), Agent: v.Request().UserAgent(), TraceID: v.TraceID}
}

// PostFormValue is a value of the posted form.
func (v *Visitor) PostFormValue(name string) string { return postFormValue(v.Context, name) }

// Text is the text of a refusal.
func (v *Visitor) Text(err error) string { return refusalText(v.Request().Context(), err) }

// Show answers with a status and components.
func (v *Visitor) Show(status int, parts ...templ.Component) error {
	return show(v.Context, status, parts...)
}

// RedirectTo sends the browser to another page.
func (v *Visitor) RedirectTo(path string) error { return redirectTo(v.Context, path) }

// Bare is the frame of a page without navigation.
func (v *Visitor) Bare(title string) layout.BarePage {
	return layout.BarePage{Title: title, Theme: theme(v.Context)}
}

// Now is the current time.
func (v *Visitor) Now() time.Time { return v.frame.Clock.Now() }

// Keep stores values in the visitor's session under a new token, without signing anyone in.
func (v *Visitor) Keep(values map[string]string) error {
	ctx := v.Request().Context()
	if err := v.frame.sessions.Clear(ctx); err != nil {
		return fmt.Errorf("empty the session: %w", err)
	}
	if err := v.frame.sessions.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew the session: %w", err)
	}
	for name, value := range values {
		v.frame.sessions.Put(ctx, "kept_"+name, value)
	}
	return nil
}

// Kept is a value that Keep stored, or empty.
func (v *Visitor) Kept(name string) string {
	return v.frame.sessions.GetString(v.Request().Context(), "kept_"+name)
}

// SignIn begins the session of a person.
func (v *Visitor) SignIn(p staff.Person) error {
	if v.frame.SignedIn != nil {
		if err := v.frame.SignedIn(v.Request().Context(), p.Acting(v.From())); err != nil {
			return err
		}
	}
	return v.frame.open(v.Context, p)
}

// Signed is the person who is signed in. It returns staff.ErrSignedOut when there is none.
func (v *Visitor) Signed() (staff.Person, error) { return v.frame.signed(v, true) }

// SignOut ends the session.
func (v *Visitor) SignOut() error { return v.frame.close(v.Request().Context()) }

// SignInPath is the address of the sign-in page, which leads back to where the visitor wanted to go.
func SignInPath(next string) string {
	if next == "" || next == Root {
		return Root + "/signin"
	}
	return Root + "/signin?next=" + url.QueryEscape(next)
}

// The sign-in page for a member whose sessions have ended after wrong codes, and for one whose session was used elsewhere; it says so.
const (
	WrongCodesPath = Root + "/signin?ended=codes"
	MovedPath      = Root + "/signin?ended=moved"
)

// Ended is why the visitor was signed out, if the sign-in page is to say it; nil otherwise.
func (v *Visitor) Ended() error {
	switch v.QueryParam("ended") {
	case "codes":
		return staff.ErrWrongCodes
	case "moved":
		return staff.ErrMoved
	}
	return nil
}

// Next is the safe address after a sign-in: a page of ours, never another site's.
func Next(path string) string {
	address, query, _ := strings.Cut(path, "?")
	if !strings.HasPrefix(address, Root+"/") || !clean(address) || strings.HasPrefix(address, Root+"/signin") || len(path) > 500 {
		return Root
	}
	if values, err := url.ParseQuery(query); err == nil && len(values) > 0 {
		return address + "?" + values.Encode()
	}
	return address
}

// DropExpired removes expired sessions; a schedule runs it.
func (f *Frame) DropExpired(ctx context.Context) error {
	if _, err := f.DB.Pool.Exec(ctx, `DELETE FROM sessions WHERE expiry < now()`); err != nil {
		return err
	}
	return f.Staff.DropSessions(ctx)
}
