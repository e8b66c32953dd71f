package desk

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/alexedwards/scs/pgxstore"
	"github.com/alexedwards/scs/v2"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v5"

	"candor/app/staff"
)

// How long a session lives.
const (
	Idle     = 30 * time.Minute
	Absolute = 12 * time.Hour
	// a session's last use is written down this often, so that a busy page costs no write each time
	seenEvery = time.Minute
)

// Cookie names. A __Host- cookie belongs to one host, comes over https only and can't be set from a subdomain.
const (
	devCookie  = "candor_desk"
	prodCookie = "__Host-candor_desk"
)

// What a session holds.
const (
	keyStaff = "staff" // who
	keyEpoch = "epoch" // of the person's sessions
	keySince = "since" // signed in at, Unix seconds
	keySeen  = "seen"  // last used at, Unix seconds
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

// signed finds the person of the session. It returns staff.ErrSignedOut when there is none, or when it has lasted too long.
func (f *Frame) signed(c *echo.Context, quiet bool) (staff.Person, error) {
	ctx := c.Request().Context()
	id := f.sessions.GetInt64(ctx, keyStaff)
	if id == 0 {
		return staff.Person{}, staff.ErrSignedOut
	}
	now := f.Clock.Now()
	since, seen := time.Unix(f.sessions.GetInt64(ctx, keySince), 0), time.Unix(f.sessions.GetInt64(ctx, keySeen), 0)
	if now.Sub(since) >= Absolute || now.Sub(seen) >= Idle {
		return staff.Person{}, errors.Join(staff.ErrSignedOut, f.sessions.Destroy(ctx))
	}
	person, err := f.Staff.Signed(ctx, id, f.sessions.GetInt(ctx, keyEpoch))
	if errors.Is(err, staff.ErrSignedOut) {
		return person, errors.Join(err, f.sessions.Destroy(ctx))
	}
	if err == nil && !quiet && now.Sub(seen) >= seenEvery {
		f.sessions.Put(ctx, keySeen, now.Unix())
	}
	return person, err
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
	now := f.Clock.Now().Unix()
	f.sessions.Put(ctx, keyStaff, p.ID)
	f.sessions.Put(ctx, keyEpoch, p.SessionEpoch)
	f.sessions.Put(ctx, keySince, now)
	f.sessions.Put(ctx, keySeen, now)
	return nil
}
