package desk

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/alexedwards/scs/pgxstore"
	"github.com/alexedwards/scs/v2"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/session"
	"candor/app/staff"
)

// Limits of a session.
const (
	Idle     = staff.SessionIdle
	Absolute = staff.SessionAbsolute
	// a session's last use is stored this often, so that a busy page does not write each time
	seenEvery = time.Minute
)

// Cookie names. A __Host- cookie belongs to one host, comes over https only and can't be set from a subdomain.
const (
	devCookie  = "candor_desk"
	prodCookie = "__Host-candor_desk"
)

// Keys of a session's values.
const (
	keyStaff = "staff" // who
	keyEpoch = "epoch" // of the person's sessions
	keyEntry = "entry" // the session's own id in the list of sessions
	keySince = "since" // signed in at, Unix seconds
	keySeen  = "seen"  // last used at, Unix seconds
	keyMoved = "moved" // it has ended because it was used elsewhere
)

func newSessions(pool *pgxpool.Pool, production bool) *scs.SessionManager {
	s := scs.New()
	s.Store = pgxstore.NewWithCleanupInterval(pool, 0)
	s.Lifetime = Absolute
	s.ErrorFunc = sessionBroken
	s.HashTokenInStore = true
	s.Cookie.Name, s.Cookie.Secure, s.Cookie.Path = devCookie, production, "/"
	if production {
		s.Cookie.Name = prodCookie
	}
	s.Cookie.HttpOnly, s.Cookie.SameSite, s.Cookie.Persist = true, http.SameSiteStrictMode, false
	return s
}

// withSession loads the session around handle and stores it with the answer.
func (f *Frame) withSession(c *echo.Context, handle func() error) (err error) {
	outer := c.Response()
	defer c.SetResponse(outer)
	f.sessions.LoadAndSave(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.SetRequest(r)
		c.SetResponse(w)
		err = handle()
	})).ServeHTTP(outer, c.Request())
	return err
}

// signed finds the person of the session. It returns staff.ErrSignedOut when there is none, or when the session is too old.
func (f *Frame) signed(v *Visitor, quiet bool) (staff.Person, error) {
	ctx := v.Request().Context()
	person, err := f.person(ctx, v.From())
	switch {
	case errors.Is(err, staff.ErrMoved):
		f.sessions.Remove(ctx, keyStaff)
		f.sessions.Put(ctx, keyMoved, true) // so that the member reads why, whoever asks first
		return person, err
	case errors.Is(err, staff.ErrSignedOut) && f.sessions.GetBool(ctx, keyMoved):
		return person, errors.Join(err, staff.ErrMoved)
	case errors.Is(err, staff.ErrSignedOut) && f.sessions.Exists(ctx, keyStaff):
		return person, errors.Join(err, f.close(ctx))
	}
	if now := f.Clock.Now(); err == nil && !quiet && now.Sub(f.seen(ctx)) >= seenEvery {
		f.sessions.Put(ctx, keySeen, now.Unix())
		err = f.Staff.UseSession(ctx, f.entry(ctx))
	}
	return person, err
}

// close ends the session of ctx.
func (f *Frame) close(ctx context.Context) error {
	if entry := f.entry(ctx); entry != 0 {
		if err := f.Staff.CloseSession(ctx, entry); err != nil {
			return err
		}
	}
	return f.sessions.Destroy(ctx)
}

func (f *Frame) entry(ctx context.Context) int64 { return f.sessions.GetInt64(ctx, keyEntry) }

// person finds the person of the session in ctx. It returns staff.ErrSignedOut as signed does.
func (f *Frame) person(ctx context.Context, from audit.Actor) (staff.Person, error) {
	id, now := f.sessions.GetInt64(ctx, keyStaff), f.Clock.Now()
	since := time.Unix(f.sessions.GetInt64(ctx, keySince), 0)
	if id == 0 || now.Sub(since) >= Absolute || now.Sub(f.seen(ctx)) >= Idle {
		return staff.Person{}, staff.ErrSignedOut
	}
	return f.Staff.InSession(ctx, staff.Visit{SessionID: f.entry(ctx), StaffID: id, Epoch: f.sessions.GetInt(ctx, keyEpoch), From: from})
}

// SessionID is the id of the member's session in the list of their sessions.
func (r *Request) SessionID() int64 { return r.frame.entry(r.Context.Request().Context()) }

func (f *Frame) seen(ctx context.Context) time.Time {
	return time.Unix(f.sessions.GetInt64(ctx, keySeen), 0)
}

// checkTime limits a check during an answer.
const checkTime = 2 * time.Second

// Check reports, during a long answer, whether the member is still signed in, with the roles and the route's permission that they had. It reads the session as it
// is stored now, without counting as a use. It returns staff.ErrSignedOut, a refusal, or an internal error when neither is known; any error ends the answer.
func (r *Request) Check() error {
	ctx, cancel := context.WithTimeout(db.WithLane(context.Background(), db.Staff), checkTime) // not the request's, which carries the old session
	defer cancel()
	ctx, err := r.frame.sessions.Load(ctx, r.frame.sessions.Token(r.Context.Request().Context()))
	if err != nil {
		return fmt.Errorf("read the session again: %w", err)
	}
	person, err := r.frame.person(ctx, r.Actor())
	if err != nil {
		return err
	}
	if !slices.Equal(person.Roles, r.Member.Roles) {
		return errDenied.With("permission", r.permission)
	}
	return r.frame.may(person, r.permission)
}

// open begins the session of a person under a new token.
func (f *Frame) open(c *echo.Context, p staff.Person) error {
	ctx := c.Request().Context()
	if err := f.sessions.Clear(ctx); err != nil {
		return fmt.Errorf("empty the session: %w", err)
	}
	if err := f.sessions.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew the session: %w", err)
	}
	entry, err := f.Staff.OpenSession(ctx, p, session.Device{UserAgent: c.Request().UserAgent(), IP: c.RealIP()})
	if err != nil {
		return err
	}
	now := f.Clock.Now().Unix()
	f.sessions.Put(ctx, keyStaff, p.ID)
	f.sessions.Put(ctx, keyEntry, entry)
	f.sessions.Put(ctx, keyEpoch, p.SessionEpoch)
	f.sessions.Put(ctx, keySince, now)
	f.sessions.Put(ctx, keySeen, now)
	return nil
}
