package staff_test

import (
	"bytes"
	"fmt"
	"image/png"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/staff"
)

func TestFirstLink(t *testing.T) {
	t.Parallel()
	t.Run("MakesASuperAdminWhoSignsIn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		require.Equal(t, []staff.Role{staff.SuperAdmin}, p.Roles)
		require.Equal(t, "root@example.com", p.Email)
		require.Equal(t, "Super admin 01", p.Name)
		require.Equal(t, 1, b.logged(t, "staff.accept_first", audit.Done))

		known, err := b.SignIn(ctx, "ROOT@example.com", password, session.Device{}, nobody)
		require.NoError(t, err)
		signed, err := b.SignInCode(ctx, known.ID, b.code(t, b.secret[p.ID]), nobody)
		require.NoError(t, err)
		require.Equal(t, p.ID, signed.ID)
	})
	t.Run("IsRefusedOnceAnybodyIsHere", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.first(t)
		token, ok, err := b.FirstLink(ctx)
		require.NoError(t, err)
		require.False(t, ok)
		require.Empty(t, token)
	})
	t.Run("ANewOneReplacesTheOldOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		old, _, err := b.FirstLink(ctx)
		require.NoError(t, err)
		fresh, _, err := b.FirstLink(ctx)
		require.NoError(t, err)
		_, err = b.Link(ctx, old)
		require.ErrorIs(t, err, staff.ErrLink)
		_, err = b.Link(ctx, fresh)
		require.NoError(t, err)
	})
	t.Run("DiesAfter15Minutes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		token, _, err := b.FirstLink(ctx)
		require.NoError(t, err)
		enrolment, err := b.Begin(ctx, token, staff.Entry{Email: "a@example.com", Name: "A", Password: password})
		require.NoError(t, err)
		b.clock.Advance(staff.FirstLinkLife)
		_, err = b.Link(ctx, token)
		require.ErrorIs(t, err, staff.ErrLink)
		_, err = b.Finish(ctx, enrolment, b.code(t, enrolment.Secret), nobody)
		require.ErrorIs(t, err, staff.ErrLink, "an enrolment that began in time ends in time")
	})
	t.Run("MakesOnePersonOfManyAtOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		token, _, err := b.FirstLink(ctx)
		require.NoError(t, err)
		enrolment, err := b.Begin(ctx, token, staff.Entry{Email: "a@example.com", Name: "A", Password: password})
		require.NoError(t, err)
		code := b.code(t, enrolment.Secret)
		done := make(chan error, 8)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				_, err := b.Finish(ctx, enrolment, code, nobody)
				done <- err
			})
		}
		group.Wait()
		close(done)
		right := 0
		for err := range done {
			if err == nil {
				right++
			} else {
				require.ErrorIs(t, err, staff.ErrLink)
			}
		}
		require.Equal(t, 1, right)
	})
	t.Run("IsStoredHashed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		token, _, err := b.FirstLink(ctx)
		require.NoError(t, err)
		conn, err := pgx.Connect(ctx, b.url.SuperURL)
		require.NoError(t, err)
		defer conn.Close(ctx)
		var dump string
		require.NoError(t, conn.QueryRow(ctx, `SELECT string_agg(l::text, '') || (SELECT string_agg(a::text, '') FROM audit_entries a) FROM staff_links l`).Scan(&dump))
		require.NotContains(t, dump, token)
	})
}

func TestBegin(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token, _, err := b.FirstLink(ctx)
	require.NoError(t, err)
	for name, e := range map[string]staff.Entry{
		"no name":          {Email: "a@example.com", Password: password},
		"a control letter": {Email: "a@example.com", Name: "a\x1b[31m", Password: password},
		"a long name":      {Email: "a@example.com", Name: strings.Repeat("a", 81), Password: password},
		"no address":       {Email: "a@", Name: "A", Password: password},
		"a header":         {Email: "a@example.com\r\nBcc: b@example.com", Name: "A", Password: password},
		"a short password": {Email: "a@example.com", Name: "A", Password: "1234567"},
		"a long password":  {Email: "a@example.com", Name: "A", Password: strings.Repeat("x", 129)},
		"a common one":     {Email: "a@example.com", Name: "A", Password: "Password1"},
	} {
		_, err := b.Begin(ctx, token, e)
		require.Error(t, err, name)
		require.Equal(t, errs.Invalid, errs.As(err).Kind, name)
	}
	enrolment, err := b.Begin(ctx, token, staff.Entry{Email: "a@example.com", Name: "A", Password: strings.Repeat("é", 64) + "😀"})
	require.NoError(t, err)
	_, err = b.Finish(ctx, enrolment, "000000", nobody)
	require.ErrorIs(t, err, staff.ErrCode)
	_, err = b.Link(ctx, token)
	require.NoError(t, err, "a wrong code does not use the link up")
	_, err = b.Begin(ctx, "ZZZZZZZZZZZZZZZZZZZZZZZZZZ", staff.Entry{Password: password})
	require.ErrorIs(t, err, staff.ErrLink)

	picture, err := enrolment.QR()
	require.NoError(t, err)
	_, err = png.Decode(bytes.NewReader(picture))
	require.NoError(t, err)
}

func TestInvite(t *testing.T) {
	t.Parallel()
	t.Run("LetsAPersonComeWithoutAnyRole", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin := b.first(t)
		p := b.join(t, admin, "new@example.com", "New person")
		require.Equal(t, staff.Active, p.State)
		require.Empty(t, p.Roles)
		require.Equal(t, 1, b.logged(t, "staff.invite", audit.Done))
		require.Equal(t, 1, b.logged(t, "staff.accept_invite", audit.Done))
	})
	t.Run("WorksOnceAndFor24Hours", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin := b.first(t)
		b.join(t, admin, "new@example.com", "New person")
		_, err := b.Link(ctx, b.sent(t, "new@example.com"))
		require.ErrorIs(t, err, staff.ErrLink, "used")
		_, err = b.Invite(ctx, by(admin), "late@example.com", "Late")
		require.NoError(t, err)
		b.clock.Advance(staff.LinkLife)
		_, err = b.Link(ctx, b.sent(t, "late@example.com"))
		require.ErrorIs(t, err, staff.ErrLink)
	})
	t.Run("AKnownAddressIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin := b.first(t)
		_, err := b.Invite(ctx, by(admin), "ROOT@example.com", "Again")
		require.ErrorIs(t, err, staff.ErrTaken)
		require.Contains(t, errs.As(err).Fields, "email")
	})
	t.Run("AgainReplacesTheLink", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin := b.first(t)
		p, err := b.Invite(ctx, by(admin), "new@example.com", "New")
		require.NoError(t, err)
		old := b.sent(t, "new@example.com")
		require.NoError(t, b.InviteAgain(ctx, by(admin), p.ID, p.Version))
		_, err = b.Link(ctx, old)
		require.ErrorIs(t, err, staff.ErrLink)
		b.completeLink(t, b.sent(t, "new@example.com"), staff.Entry{Password: password})
		require.ErrorIs(t, b.InviteAgain(ctx, by(admin), p.ID, b.read(t, p.ID).Version), staff.ErrState, "they are here")
	})
	t.Run("AWithdrawnOneIsDead", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin := b.first(t)
		p, err := b.Invite(ctx, by(admin), "new@example.com", "New")
		require.NoError(t, err)
		token := b.sent(t, "new@example.com")
		require.NoError(t, b.Disable(ctx, by(admin), p.ID, p.Version))
		_, err = b.Link(ctx, token)
		require.ErrorIs(t, err, staff.ErrLink)
		require.NoError(t, b.Enable(ctx, by(admin), p.ID, p.Version+1))
		require.Equal(t, staff.Invited, b.read(t, p.ID).State, "nobody becomes active without a password")
	})
}

func TestResetAuthenticator(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin, _, p := b.admins(t)
	epoch := p.SessionEpoch
	_, err := b.Signed(ctx, p.ID, epoch)
	require.NoError(t, err)
	require.NoError(t, b.ResetAuthenticator(ctx, by(admin), p.ID, p.Version))

	_, err = b.Signed(ctx, p.ID, epoch)
	require.ErrorIs(t, err, staff.ErrSignedOut, "its sessions are over")
	_, err = b.SignIn(ctx, p.Email, password, session.Device{}, nobody)
	require.ErrorIs(t, err, staff.ErrSignIn, "without an authenticator nobody comes in")

	token := b.sent(t, p.Email)
	_, err = b.Begin(ctx, token, staff.Entry{Password: "not the password", IP: "192.0.2.7"})
	require.ErrorIs(t, err, staff.ErrSignIn, "the link alone is not enough")
	for range 5 {
		_, err = b.Begin(ctx, token, staff.Entry{Password: "not the password", IP: "192.0.2.7"})
	}
	require.ErrorIs(t, err, session.ErrThrottle)

	for n := range 20 {
		_, err = b.SignIn(ctx, fmt.Sprintf("unknown%d@example.com", n), "wrong password", session.Device{}, from(8))
		require.ErrorIs(t, err, staff.ErrSignIn)
	}
	_, err = b.SignIn(ctx, admin.Email, password, session.Device{}, from(8))
	require.ErrorIs(t, err, session.ErrThrottle, "the address of a guest network is used up")

	old := b.secret[p.ID]
	back := b.completeLink(t, token, staff.Entry{Password: password, IP: from(8).IP})
	require.NotEqual(t, old, b.secret[p.ID])
	_, err = b.SignIn(ctx, p.Email, password, session.Device{}, nobody)
	require.NoError(t, err)
	_, err = b.SignInCode(ctx, p.ID, b.code(t, old), nobody)
	require.ErrorIs(t, err, staff.ErrCode, "the old authenticator is worth nothing")
	_, err = b.SignInCode(ctx, p.ID, b.code(t, b.secret[p.ID]), nobody)
	require.NoError(t, err)

	require.ErrorIs(t, b.ResetAuthenticator(ctx, by(back), back.ID, back.Version), staff.ErrSelf)
}

func TestALinkOfADisabledPersonIsDead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin, _, p := b.admins(t)
	require.NoError(t, b.ResetAuthenticator(ctx, by(admin), p.ID, p.Version))
	enrolment, err := b.Begin(ctx, b.sent(t, p.Email), staff.Entry{Password: password})
	require.NoError(t, err)
	require.NoError(t, b.Disable(ctx, by(admin), p.ID, p.Version+1))
	_, err = b.Finish(ctx, enrolment, b.code(t, enrolment.Secret), nobody)
	require.ErrorIs(t, err, staff.ErrLink)
	require.Equal(t, staff.Disabled, b.read(t, p.ID).State)
	b.clock.Advance(time.Hour)
}
