package staff_test

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/geo"
	"candor/app/platform/geo/geotest"
	"candor/app/session"
	"candor/app/staff"
)

const newPassword = "another battery horse"

// Browsers as they name themselves.
const (
	chrome  = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
	firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
)

// browse signs a person in with a browser and returns the session.
func (b *bundle) browse(t *testing.T, p staff.Person) int64 {
	t.Helper()
	id, err := b.OpenSession(ctx, p, session.Device{UserAgent: chrome, IP: "192.0.2.9"})
	require.NoError(t, err)
	return id
}

// usePlaces lets the service know the places of some networks.
func (b *bundle) usePlaces(t *testing.T) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "places.mmdb")
	require.NoError(t, geotest.Write(path))
	places, err := geo.Open(path)
	require.NoError(t, err)
	b.sessions.UsePlaces(places)
}

// lives reports whether a session of a person is active.
func (b *bundle) lives(t *testing.T, p staff.Person, sessionID int64) bool {
	t.Helper()
	return b.comes(t, p, sessionID, audit.Actor{IP: "192.0.2.9", Agent: chrome})
}

// comes reports whether somebody is let in with the cookie of a person's session.
func (b *bundle) comes(t *testing.T, p staff.Person, sessionID int64, from audit.Actor) bool {
	t.Helper()
	_, err := b.InSession(ctx, staff.Visit{SessionID: sessionID, StaffID: p.ID, Epoch: p.SessionEpoch, From: from})
	if !errors.Is(err, staff.ErrSignedOut) {
		require.NoError(t, err)
	}
	return err == nil
}

// checked is a new password whose current one was right.
func (b *bundle) checked(t *testing.T, p staff.Person, current, next string) staff.PasswordChange {
	t.Helper()
	change, err := b.CheckPasswords(ctx, by(p), current, next)
	require.NoError(t, err)
	return change
}

func (b *bundle) signs(p staff.Person, password string) error {
	_, err := b.SignIn(ctx, p.Email, password, session.Device{}, nobody)
	return err
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	t.Run("TheNewOneCountsAndTheOtherSessionsEnd", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin, p, _ := b.admins(t)
		own, other, colleague := b.browse(t, p), b.browse(t, p), b.browse(t, admin)
		require.NoError(t, b.ChangePassword(ctx, by(p), own, b.checked(t, p, password, newPassword)))
		require.ErrorIs(t, b.signs(p, password), staff.ErrSignIn)
		require.NoError(t, b.signs(p, newPassword))
		require.True(t, b.lives(t, p, own))
		require.False(t, b.lives(t, p, other))
		require.True(t, b.lives(t, admin, colleague))
		require.Equal(t, 1, b.logged(t, "staff.change_password", audit.Done))
		list, err := b.outbox.List(ctx, p.Email, 1)
		require.NoError(t, err)
		require.Equal(t, "staff_password_changed", list[0].Kind)
		require.Contains(t, list[0].Body, by(p).IP)
		require.NotContains(t, list[0].Body, newPassword)
	})
	t.Run("TheMailNamesThePlaceInTheLanguageOfThePages", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.usePlaces(t)
		p := b.first(t)
		for _, one := range []struct{ language, ip, from, next string }{
			{"en", "203.0.113.7", "from 203.0.113.7 (Lisbon, Portugal).", newPassword}, {"zh_CN", "198.51.100.7", "198.51.100.7 (西班牙)", password},
		} {
			actor := p.Acting(audit.Actor{IP: one.ip})
			require.NoError(t, b.SetLanguage(ctx, actor, one.language))
			current := password
			if one.next == password {
				current = newPassword
			}
			change, err := b.CheckPasswords(ctx, actor, current, one.next)
			require.NoError(t, err)
			require.NoError(t, b.ChangePassword(ctx, actor, b.browse(t, p), change))
			list, err := b.outbox.List(ctx, p.Email, 1)
			require.NoError(t, err)
			require.Contains(t, list[0].Body, one.from)
		}
	})
	t.Run("OpenLinksAreVoid", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p, _, _ := b.admins(t)
		own := b.browse(t, p)
		path, err := b.Recover(ctx, p.ID, b.recoveryCodes(t, p)[0], nobody)
		require.NoError(t, err)
		token := path[strings.LastIndex(path, "/")+1:]
		enrolment, err := b.Begin(ctx, token, staff.Entry{Password: password})
		require.NoError(t, err)
		require.NoError(t, b.ChangePassword(ctx, by(p), own, b.checked(t, p, password, newPassword)))
		_, err = b.Begin(ctx, token, staff.Entry{Password: newPassword})
		require.ErrorIs(t, err, staff.ErrLink)
		_, err = b.Finish(ctx, enrolment, b.code(t, enrolment.Secret), nobody)
		require.ErrorIs(t, err, staff.ErrLink, "nor one that was half used")
	})
	t.Run("AWrongCurrentOneIsRefusedAndCounted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		for range 5 {
			_, err := b.CheckPasswords(ctx, by(p), "wrong password", newPassword)
			require.Equal(t, errs.Field("password", "field.password_wrong").Fields, errs.As(err).Fields)
		}
		_, err := b.CheckPasswords(ctx, by(p), password, newPassword)
		require.ErrorIs(t, err, session.ErrThrottle, "even the right one waits")
		require.Equal(t, 5, b.logged(t, "staff.change_password", audit.Failed))
		require.NoError(t, b.RecordDevice(ctx, p, browser(1), nobody))
		_, err = b.SignIn(ctx, p.Email, password, browser(1), by(p))
		require.ErrorIs(t, err, session.ErrThrottle, "a sign-in from there counts with it")
		require.NoError(t, b.signs(p, password), "one from elsewhere does not")
		b.clock.Advance(61 * time.Second)
		b.checked(t, p, password, newPassword)
	})
	t.Run("TheRulesOfANewOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		for next, reason := range map[string]string{
			"short": "field.password_short", strings.Repeat("x", 129): "field.password_long", "password123": "field.password_common", password: "field.password_same",
		} {
			_, err := b.CheckPasswords(ctx, by(p), password, next)
			require.Equal(t, map[string]string{"new_password": reason}, errs.As(err).Fields)
		}
		_, err := b.CheckPasswords(ctx, by(p), "", newPassword)
		require.Equal(t, map[string]string{"password": "field.required"}, errs.As(err).Fields)
	})
	t.Run("OfTwoAtOnceOneChangesIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		sessions := []int64{b.browse(t, p), b.browse(t, p)}
		changes := []staff.PasswordChange{b.checked(t, p, password, newPassword), b.checked(t, p, password, newPassword+" 2")}
		var done atomic.Int32
		var group sync.WaitGroup
		for i, change := range changes {
			group.Go(func() {
				switch err := b.ChangePassword(ctx, by(p), sessions[i], change); {
				case err == nil:
					done.Add(1)
				case !errors.Is(err, staff.ErrSignedOut) && !errors.Is(err, db.ErrChanged):
					t.Error(err)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, done.Load())
		require.Equal(t, 1, b.logged(t, "staff.change_password", audit.Done))
	})
	t.Run("AfterAnotherChangeItIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		own, late := b.browse(t, p), b.checked(t, p, password, newPassword+" 2")
		require.NoError(t, b.ChangePassword(ctx, by(p), own, b.checked(t, p, password, newPassword)))
		require.ErrorIs(t, b.ChangePassword(ctx, by(p), own, late), db.ErrChanged)
		require.NoError(t, b.signs(p, newPassword))
	})
	t.Run("FromAnEndedSessionOrAColleaguesNothingChanges", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin, p, _ := b.admins(t)
		ended, colleague, other := b.browse(t, p), b.browse(t, admin), b.browse(t, p)
		require.NoError(t, b.EndSession(ctx, by(admin), p.ID, ended))
		change := b.checked(t, p, password, newPassword)
		for _, sessionID := range []int64{ended, colleague} {
			require.ErrorIs(t, b.ChangePassword(ctx, by(p), sessionID, change), staff.ErrSignedOut)
		}
		require.True(t, b.lives(t, p, other))
		require.NoError(t, b.signs(p, password))
	})
	t.Run("NobodyWhoIsDisabledOrResetMeanwhile", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin, second, third := b.admins(t)
		own, change := b.browse(t, second), b.checked(t, second, password, newPassword)
		require.NoError(t, b.Disable(ctx, by(admin), second.ID, second.Version))
		require.ErrorIs(t, b.ChangePassword(ctx, by(second), own, change), staff.ErrSignedOut)
		_, err := b.CheckPasswords(ctx, by(second), password, newPassword)
		require.ErrorIs(t, err, staff.ErrSignedOut)
		own, change = b.browse(t, third), b.checked(t, third, password, newPassword)
		require.NoError(t, b.ResetAccess(ctx, by(admin), third.ID, third.Version))
		require.ErrorIs(t, b.ChangePassword(ctx, by(third), own, change), staff.ErrSignedOut)
	})
}
