// Package signin signs staff in and out: e-mail, password, and a code or a passkey; one-time links for new people; recovery codes for a lost authenticator.
package signin

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"candor/admin/desk"
	"candor/app/factor"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/session"
	"candor/app/staff"
	"candor/templates/signinview"
	"candor/templates/ui"
)

// codeTimeout is how long the second step stays open for its code.
const codeTimeout = 10 * time.Minute

type handlers struct{ staff *staff.Service }

// Routes lists the sign-in routes, all of them public.
func Routes(s *staff.Service) []desk.Public {
	d := handlers{s}
	return []desk.Public{
		{Method: http.MethodGet, Path: "/signin", Handle: d.askPassword},
		{Method: http.MethodPost, Path: "/signin", Handle: d.takePassword},
		{Method: http.MethodGet, Path: "/signin/code", Handle: d.askCode},
		{Method: http.MethodPost, Path: "/signin/code", Handle: d.takeCode},
		{Method: http.MethodPost, Path: "/signin/passkey", Handle: d.takePasskey},
		{Method: http.MethodGet, Path: "/signin/recovery", Handle: d.askRecovery},
		{Method: http.MethodPost, Path: "/signin/recovery", Handle: d.takeRecovery},
		{Method: http.MethodPost, Path: "/signout", Handle: d.signOut},
		{Method: http.MethodGet, Path: "/first/:token", Handle: d.openLink},
		{Method: http.MethodPost, Path: "/first/:token", Handle: d.takeLink},
		{Method: http.MethodGet, Path: "/invitation/:token", Handle: d.openLink},
		{Method: http.MethodPost, Path: "/invitation/:token", Handle: d.takeLink},
		{Method: http.MethodGet, Path: "/authenticator/:token", Handle: d.openLink},
		{Method: http.MethodPost, Path: "/authenticator/:token", Handle: d.takeLink},
		{Method: http.MethodGet, Path: "/enrolment", Handle: d.askEnrolment},
		{Method: http.MethodPost, Path: "/enrolment", Handle: d.takeEnrolment},
		{Method: http.MethodGet, Path: "/enrolment/picture", Handle: d.picture},
	}
}

func word(v *desk.Visitor, key string, pairs ...any) string {
	return i18n.T(v.Request().Context(), key, pairs...)
}

func (d handlers) askPassword(v *desk.Visitor) error {
	if _, err := v.Signed(); err == nil {
		return v.RedirectTo(desk.Next(v.QueryParam("next")))
	}
	page := signinview.PasswordPage{Next: v.QueryParam("next")}
	if err := v.Ended(); err != nil {
		page.Error = v.Text(err)
	}
	return d.showPassword(v, http.StatusOK, page)
}

func (d handlers) showPassword(v *desk.Visitor, status int, page signinview.PasswordPage) error {
	page.Frame, page.Post, page.Next = v.Bare(word(v, "signin.title")), ui.To("/admin/signin"), desk.Next(page.Next)
	return v.Show(status, signinview.Password(page))
}

func (d handlers) takePassword(v *desk.Visitor) error {
	email, next := v.PostFormValue("email"), v.PostFormValue("next")
	person, err := d.staff.SignInWithRecovery(v.Request().Context(), email, v.PostFormValue("password"), v.PostFormValue("recovery"), browser(v), v.From())
	if refused(v, err) {
		return d.showPassword(v, statusOf(err), signinview.PasswordPage{Email: email, Next: next, Page: signinview.Page{Error: v.Text(err)}, Recovery: errors.Is(err, session.ErrStaffGuesses)})
	}
	if err != nil {
		return err
	}
	err = v.Keep(map[string]string{
		"step": "code", "staff": strconv.FormatInt(person.ID, 10), "version": strconv.Itoa(person.Version), "at": stamp(v), "next": desk.Next(next),
	})
	if err != nil {
		return err
	}
	return v.RedirectTo("/admin/signin/code")
}

// refused reports whether a sign-in was refused, and logs the refusal.
func refused(v *desk.Visitor, err error) bool {
	for _, refusal := range []error{staff.ErrSignIn, staff.ErrCode, session.ErrThrottle, session.ErrStaffGuesses, factor.ErrPasskey, factor.ErrExpired, factor.ErrCode} {
		if errors.Is(err, refusal) {
			v.Refused(err)
			return true
		}
	}
	return false
}

func statusOf(err error) int {
	if errs.As(err).Kind == errs.TooMany {
		return http.StatusTooManyRequests
	}
	return http.StatusUnprocessableEntity
}

func stamp(v *desk.Visitor) string { return strconv.FormatInt(v.Now().Unix(), 10) }

// waiting reports whether a first step was taken within the timeout.
func waiting(v *desk.Visitor, step string, timeout time.Duration) bool {
	at, err := strconv.ParseInt(v.Kept("at"), 10, 64)
	return err == nil && v.Kept("step") == step && v.Now().Sub(time.Unix(at, 0)) < timeout
}

// halfway is the person whose password was right within the timeout; 0 for nobody. A password that was changed since then is not right any more.
func (d handlers) halfway(v *desk.Visitor) (int64, error) {
	id, err := strconv.ParseInt(v.Kept("staff"), 10, 64)
	if err != nil || !waiting(v, "code", codeTimeout) {
		return 0, nil //nolint:nilerr // nothing is kept
	}
	p, err := d.staff.Person(v.Request().Context(), id)
	if err != nil || v.Kept("version") != strconv.Itoa(p.Version) {
		return 0, err
	}
	return id, nil
}

func (d handlers) askCode(v *desk.Visitor) error {
	id, err := d.halfway(v)
	if err != nil {
		return err
	}
	if id == 0 {
		return v.RedirectTo(desk.SignInPath(""))
	}
	return d.showCode(v, http.StatusOK, id, "")
}

// showCode asks for the code, or for a passkey of a person who has one.
func (d handlers) showCode(v *desk.Visitor, status int, id int64, problem string) error {
	ctx := v.Request().Context()
	request, err := d.staff.AskSignIn(ctx, id)
	if err != nil {
		return err
	}
	passkey, err := desk.PasskeyView(request)
	if err != nil {
		return err
	}
	recovers, err := d.staff.CanRecover(ctx, id)
	if err != nil {
		return err
	}
	page := signinview.CodePage{
		Page:    signinview.Page{Frame: v.Bare(word(v, "signin.code.title")), Post: ui.To("/admin/signin/code"), Error: problem},
		Passkey: passkey, PasskeyPost: ui.To("/admin/signin/passkey"),
	}
	if recovers {
		page.Recovery = ui.To("/admin/signin/recovery")
	}
	return v.Show(status, signinview.Code(page))
}

func (d handlers) takeCode(v *desk.Visitor) error {
	return d.take(v, func(id int64) (staff.Person, error) {
		return d.staff.SignInCode(v.Request().Context(), id, digits(v.PostFormValue("code")), v.From())
	})
}

func (d handlers) takePasskey(v *desk.Visitor) error {
	return d.take(v, func(id int64) (staff.Person, error) {
		return d.staff.SignInPasskey(v.Request().Context(), id, []byte(v.PostFormValue("passkey")), v.From())
	})
}

// take signs in the person whose password was right, by a second factor.
func (d handlers) take(v *desk.Visitor, check func(id int64) (staff.Person, error)) error {
	id, err := d.halfway(v)
	if err != nil {
		return err
	}
	if id == 0 {
		return v.RedirectTo(desk.SignInPath(""))
	}
	next := v.Kept("next")
	person, err := check(id)
	if refused(v, err) {
		return d.showCode(v, statusOf(err), id, v.Text(err))
	}
	if err != nil {
		return err
	}
	return d.enter(v, person, desk.Next(next))
}

// enter remembers the browser and begins the session.
func (d handlers) enter(v *desk.Visitor, person staff.Person, next string) error {
	if err := d.staff.RecordDevice(v.Request().Context(), person, browser(v), v.From()); err != nil {
		return err
	}
	if err := v.SignIn(person); err != nil {
		return err
	}
	return v.RedirectTo(next)
}

// browser is the browser's fingerprint, which the form posts.
func browser(v *desk.Visitor) session.Device {
	return session.Device{Fingerprint: v.PostFormValue("device")}
}

// digits removes the spaces that authenticators show inside a code.
func digits(code string) string { return strings.Join(strings.Fields(code), "") }

func (d handlers) signOut(v *desk.Visitor) error {
	person, err := v.Signed()
	if err == nil {
		actor := v.From()
		actor.Kind, actor.ID, actor.Name = "staff", person.ID, person.Name
		err = d.staff.SignedOut(v.Request().Context(), actor)
	}
	if err != nil && !errors.Is(err, staff.ErrSignedOut) {
		return err
	}
	if err := v.SignOut(); err != nil {
		return err
	}
	v.Response().Header().Set("Clear-Site-Data", `"cache"`)
	return v.RedirectTo(desk.SignInPath(""))
}
