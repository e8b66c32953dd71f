package staff_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/factor"
	"candor/app/session"
	"candor/app/staff"
)

func (b *bundle) recoveryCodes(t *testing.T, p staff.Person) []string {
	t.Helper()
	codes, err := b.NewRecoveryCodes(ctx, by(p))
	require.NoError(t, err)
	require.Len(t, codes, 10)
	return codes
}

func (b *bundle) canRecover(t *testing.T, p staff.Person) bool {
	t.Helper()
	can, err := b.CanRecover(ctx, p.ID)
	require.NoError(t, err)
	return can
}

// recover uses a recovery code and returns the token of the link.
func (b *bundle) recover(t *testing.T, p staff.Person, code string) string {
	t.Helper()
	path, err := b.Recover(ctx, p.ID, code, nobody)
	require.NoError(t, err)
	token, ok := strings.CutPrefix(path, "/admin/authenticator/")
	require.True(t, ok, path)
	return token
}

func TestRecover(t *testing.T) {
	t.Parallel()
	t.Run("ASuperAdminSetsUpANewAuthenticator", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, _ := b.admins(t)
		require.False(t, b.canRecover(t, first))
		codes := b.recoveryCodes(t, first)
		require.True(t, b.canRecover(t, first))
		b.passkey(t, first)
		old := b.secret[first.ID]

		token := b.recover(t, first, strings.ToLower(codes[3]))
		require.NoError(t, b.CheckCode(ctx, by(first), step, b.code(t, old)), "the old one works until the new one does")
		_, err := b.Begin(ctx, token, staff.Entry{Password: "wrong password"})
		require.ErrorIs(t, err, staff.ErrSignIn)
		again := b.completeLink(t, token, staff.Entry{Password: password})
		require.Equal(t, first.SessionEpoch+1, again.SessionEpoch)
		_, err = b.Signed(ctx, first.ID, first.SessionEpoch)
		require.ErrorIs(t, err, staff.ErrSignedOut, "the sessions of the lost one end")
		require.ErrorIs(t, b.CheckCode(ctx, by(again), step, b.code(t, old)), staff.ErrCode)
		require.NoError(t, b.CheckCode(ctx, by(again), step, b.code(t, b.secret[first.ID])))
		require.Nil(t, b.askSignIn(t, again), "and so do its passkeys")
		f, err := b.Factors(ctx, first.ID)
		require.NoError(t, err)
		require.Equal(t, 9, f.RecoveryCodes)

		require.Equal(t, 1, b.logged(t, "staff.recover", audit.Done))
		require.Contains(t, b.kinds(t, second.Email), "staff_admin_recovered")
		require.NotContains(t, b.kinds(t, first.Email), "staff_admin_recovered")
		require.Contains(t, b.kinds(t, first.Email), "staff_recovered")
	})
	t.Run("ACodeWorksOnceAndOnlyForItsOwner", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, third := b.admins(t)
		codes := b.recoveryCodes(t, first)
		_, err := b.Recover(ctx, second.ID, codes[0], nobody)
		require.ErrorIs(t, err, factor.ErrCode)
		_, err = b.Recover(ctx, third.ID, codes[0], nobody)
		require.ErrorIs(t, err, staff.ErrNotAdmin)
		b.recover(t, first, codes[0])
		_, err = b.Recover(ctx, first.ID, codes[0], nobody)
		require.ErrorIs(t, err, factor.ErrCode)
		require.Equal(t, 2, b.logged(t, "staff.recover", audit.Failed))
	})
	t.Run("GuessesAreCounted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		codes := b.recoveryCodes(t, p)
		for range 5 {
			_, err := b.Recover(ctx, p.ID, "AAAA-BBBB-CCCC-DDDD", nobody)
			require.ErrorIs(t, err, factor.ErrCode)
		}
		_, err := b.Recover(ctx, p.ID, codes[0], from(2))
		require.ErrorIs(t, err, session.ErrThrottle)
		told := func() int { return countOf(b.kinds(t, p.Email), "staff_wrong_recovery_codes") }
		require.Equal(t, 1, told())
		b.clock.Advance(16 * time.Minute)
		for range 4 {
			_, err := b.Recover(ctx, p.ID, "AAAA-BBBB-CCCC-DDDD", nobody)
			require.ErrorIs(t, err, factor.ErrCode)
		}
		b.recover(t, p, codes[0])
		require.Equal(t, 1, told(), "four may be misread")
	})
	t.Run("APrintedCodePassesTheGuessesOfOthers", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		codes := b.recoveryCodes(t, p)
		for n := range 100 {
			_, err := b.SignIn(ctx, p.Email, "wrong password", session.Device{}, from(n/4))
			require.ErrorIs(t, err, staff.ErrSignIn)
		}
		enter := func(password, code string) error {
			_, err := b.SignInWithRecovery(ctx, p.Email, password, code, session.Device{}, from(200))
			return err
		}
		require.ErrorIs(t, enter(password, ""), session.ErrStaffGuesses)
		require.ErrorIs(t, enter(password, "AAAA-BBBB-CCCC-DDDD"), session.ErrStaffGuesses)
		require.ErrorIs(t, enter("wrong password", codes[2]), staff.ErrSignIn)
		require.NoError(t, enter(password, codes[2]))
		b.recover(t, p, codes[2])
		require.ErrorIs(t, enter(password, codes[2]), session.ErrStaffGuesses, "it was used up")
		require.Equal(t, 1, countOf(b.kinds(t, p.Email), "staff_wrong_passwords"), "the owner was told at the fifth")
	})
	t.Run("TheLinkIsShortLivedAndTheLatestCounts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		codes := b.recoveryCodes(t, p)
		older := b.recover(t, p, codes[0])
		newer := b.recover(t, p, codes[1])
		_, err := b.Link(ctx, older)
		require.ErrorIs(t, err, staff.ErrLink)
		b.clock.Advance(staff.RecoveryLinkLife + time.Second)
		_, err = b.Link(ctx, newer)
		require.ErrorIs(t, err, staff.ErrLink)
		require.NoError(t, b.signIn(t, p), "whoever finds the authenticator again has lost a code at most")
	})
	t.Run("NewCodesReplaceTheOldOnes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		old := b.recoveryCodes(t, p)
		fresh := b.recoveryCodes(t, p)
		_, err := b.Recover(ctx, p.ID, old[0], nobody)
		require.ErrorIs(t, err, factor.ErrCode)
		b.recover(t, p, fresh[0])
		require.Equal(t, 2, b.logged(t, "staff.new_recovery_codes", audit.Done))
		require.Contains(t, b.kinds(t, p.Email), "staff_recovery_codes")
	})
	t.Run("OnlySuperAdminsHaveThem", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, third := b.admins(t)
		_, err := b.NewRecoveryCodes(ctx, by(third))
		require.ErrorIs(t, err, staff.ErrNotAdmin)
		codes := b.recoveryCodes(t, second)
		require.NoError(t, b.RevokeRole(ctx, by(first), second.ID, staff.SuperAdmin))
		require.False(t, b.canRecover(t, second))
		_, err = b.Recover(ctx, second.ID, codes[0], nobody)
		require.ErrorIs(t, err, staff.ErrNotAdmin)
		b.clock.Advance(73 * time.Hour) // until then, it would take a second person
		granted, err := b.AskRole(ctx, by(first), second.ID, staff.SuperAdmin)
		require.NoError(t, err)
		require.True(t, granted)
		_, err = b.Recover(ctx, second.ID, codes[0], nobody)
		require.ErrorIs(t, err, factor.ErrCode, "the codes went with the role")
	})
	t.Run("NobodyWhoIsDisabledComesBack", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, _ := b.admins(t)
		codes := b.recoveryCodes(t, second)
		require.NoError(t, b.Disable(ctx, by(first), second.ID, second.Version))
		require.False(t, b.canRecover(t, second))
		_, err := b.Recover(ctx, second.ID, codes[0], nobody)
		require.ErrorIs(t, err, staff.ErrSignedOut)
	})
}
