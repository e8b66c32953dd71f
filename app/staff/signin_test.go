package staff_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/staff"
)

func from(n int) audit.Actor { return audit.Actor{IP: fmt.Sprintf("198.51.100.%d", n), TraceID: "t"} }

func TestSignIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin, _, p := b.admins(t)
	_, err := b.Invite(ctx, by(admin), "invited@example.com", "Invited")
	require.NoError(t, err)
	other := b.join(t, admin, "disabled@example.com", "Disabled")
	require.NoError(t, b.Disable(ctx, by(admin), other.ID, other.Version))

	for n, try := range []struct{ email, password string }{
		{"unknown@example.com", password},
		{"no address", password},
		{"", ""},
		{p.Email, "wrong password"},
		{p.Email, ""},
		{p.Email, string(make([]byte, 10_000))},
		{"invited@example.com", ""},
		{"disabled@example.com", password},
	} {
		_, err := b.SignIn(ctx, try.email, try.password, session.Device{}, from(n))
		require.Equal(t, staff.ErrSignIn, errs.As(err), "one answer for %q", try.email)
	}
	known, err := b.SignIn(ctx, " Third@Example.com", password, session.Device{}, nobody)
	require.NoError(t, err)
	require.Equal(t, p.ID, known.ID)
}

func TestWrongPasswordsAreThrottledPerAccountAndSource(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.first(t)
	for range 5 {
		_, err := b.SignIn(ctx, p.Email, "wrong password", session.Device{}, from(1))
		require.ErrorIs(t, err, staff.ErrSignIn)
	}
	_, err := b.SignIn(ctx, p.Email, password, session.Device{}, from(1))
	require.ErrorIs(t, err, session.ErrThrottle, "even the right one waits")
	_, err = b.SignIn(ctx, p.Email, password, session.Device{}, from(2))
	require.NoError(t, err, "the owner comes in from elsewhere")
	b.clock.Advance(61 * time.Second)
	_, err = b.SignIn(ctx, p.Email, password, session.Device{}, from(1))
	require.NoError(t, err)
}

// TestAnAccountHas100GuessesADay: from however many sources. Only a browser that the person has used before comes in after that.
func TestAnAccountHas100GuessesADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.first(t)
	require.NoError(t, b.RecordDevice(ctx, p, browser(1), nobody))
	for n := range 100 {
		_, err := b.SignIn(ctx, p.Email, "wrong password", session.Device{}, from(n/4))
		require.ErrorIs(t, err, staff.ErrSignIn)
	}
	b.clock.Advance(time.Hour)
	_, err := b.SignIn(ctx, p.Email, password, session.Device{}, from(200))
	require.ErrorIs(t, err, session.ErrStaffGuesses, "nothing more is compared, from any source")
	require.Equal(t, "23", errs.As(err).Args["hours"])
	_, err = b.SignIn(ctx, p.Email, password, browser(1), from(200))
	require.NoError(t, err)
	b.clock.Advance(23*time.Hour + time.Second)
	_, err = b.SignIn(ctx, p.Email, password, session.Device{}, from(200))
	require.NoError(t, err)
}

func TestTheFifthWrongPasswordOfADayIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.first(t)
	require.NoError(t, b.RecordDevice(ctx, p, browser(1), nobody))
	told := func() int { return countOf(b.kinds(t, p.Email), "staff_wrong_passwords") }
	for range 4 {
		_, err := b.SignIn(ctx, p.Email, "wrong password", browser(1), from(1))
		require.ErrorIs(t, err, staff.ErrSignIn)
	}
	for n := range 4 {
		_, err := b.SignIn(ctx, p.Email, "wrong password", session.Device{}, from(n+2))
		require.ErrorIs(t, err, staff.ErrSignIn)
	}
	require.Zero(t, told(), "a known browser mistypes")
	for n := range 3 {
		_, err := b.SignIn(ctx, p.Email, "wrong password", session.Device{}, from(n+20))
		require.ErrorIs(t, err, staff.ErrSignIn)
		require.Equal(t, 1, told())
	}
	b.clock.Advance(24*time.Hour + time.Second)
	for n := range 5 {
		_, err := b.SignIn(ctx, p.Email, "wrong password", session.Device{}, from(n+30))
		require.ErrorIs(t, err, staff.ErrSignIn)
	}
	require.Equal(t, 2, told())
}

func TestASourceTriesFewAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.first(t)
	for n := range 20 {
		_, err := b.SignIn(ctx, fmt.Sprintf("unknown%d@example.com", n), "wrong password", session.Device{}, from(1))
		require.ErrorIs(t, err, staff.ErrSignIn)
	}
	_, err := b.SignIn(ctx, p.Email, password, session.Device{}, from(1))
	require.ErrorIs(t, err, session.ErrThrottle, "nothing more is compared for this source")
	_, err = b.SignIn(ctx, p.Email, password, session.Device{}, from(2))
	require.NoError(t, err, "others are not kept out")
	b.clock.Advance(time.Hour + time.Second)
	_, err = b.SignIn(ctx, p.Email, password, session.Device{}, from(1))
	require.NoError(t, err)
}

// TestAKnownBrowserIsNotKeptOut: wrong passwords from a shared network do not block a browser that a member has used before.
func TestAKnownBrowserIsNotKeptOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.first(t)
	require.NoError(t, b.RecordDevice(ctx, p, browser(1), nobody))
	for n := range 20 {
		_, err := b.SignIn(ctx, fmt.Sprintf("unknown%d@example.com", n), "wrong password", browser(1), from(1))
		require.ErrorIs(t, err, staff.ErrSignIn)
	}
	_, err := b.SignIn(ctx, p.Email, password, browser(2), from(1))
	require.ErrorIs(t, err, session.ErrThrottle, "another browser")
	for range 5 {
		_, err = b.SignIn(ctx, p.Email, "wrong password", browser(2), from(3))
		require.ErrorIs(t, err, staff.ErrSignIn)
	}
	_, err = b.SignIn(ctx, p.Email, password, browser(2), from(3))
	require.ErrorIs(t, err, session.ErrThrottle)
	_, err = b.SignIn(ctx, p.Email, password, browser(1), from(3))
	require.NoError(t, err, "whatever a neighbour has guessed of the same account")
	_, err = b.SignIn(ctx, p.Email, password, browser(1), from(1))
	require.NoError(t, err)
	for range 5 {
		_, err = b.SignIn(ctx, p.Email, "wrong password", browser(1), from(1))
		require.ErrorIs(t, err, staff.ErrSignIn)
	}
	_, err = b.SignIn(ctx, p.Email, password, browser(1), from(1))
	require.ErrorIs(t, err, session.ErrThrottle, "a known browser waits after its own wrong ones")
}

func TestUnknownAccountsAreThrottledAlike(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	for range 5 {
		_, err := b.SignIn(ctx, "unknown@example.com", "wrong password", session.Device{}, from(1))
		require.ErrorIs(t, err, staff.ErrSignIn)
	}
	_, err := b.SignIn(ctx, "unknown@example.com", "wrong password", session.Device{}, from(1))
	require.ErrorIs(t, err, session.ErrThrottle)
}

func TestSignInCode(t *testing.T) {
	t.Parallel()
	t.Run("ACodeWorksOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		code := b.code(t, b.secret[p.ID])
		_, err := b.SignInCode(ctx, p.ID, code, nobody)
		require.NoError(t, err)
		_, err = b.SignInCode(ctx, p.ID, code, nobody)
		require.ErrorIs(t, err, staff.ErrCode)
		require.ErrorIs(t, b.CheckCode(ctx, by(p), step, code), staff.ErrCode, "nor for another act")
		require.Equal(t, 1, b.logged(t, "staff.sign_in", audit.Done))
		require.Equal(t, 1, b.logged(t, "staff.sign_in", audit.Failed))
	})
	t.Run("AnOlderCodeThanTheLastUsedIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		older := b.code(t, b.secret[p.ID])
		newer := b.code(t, b.secret[p.ID])
		require.NoError(t, b.CheckCode(ctx, by(p), step, newer))
		require.ErrorIs(t, b.CheckCode(ctx, by(p), step, older), staff.ErrCode)
	})
	t.Run("TheFifthWrongOneBeforeAnActEndsTheSessions", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		epoch := b.read(t, p.ID).SessionEpoch
		for range 4 {
			require.ErrorIs(t, b.CheckCode(ctx, by(p), step, "000000"), staff.ErrCode)
		}
		_, err := b.Signed(ctx, p.ID, epoch)
		require.NoError(t, err, "four are forgiven")
		require.ErrorIs(t, b.CheckCode(ctx, by(p), step, "000000"), staff.ErrSignedOut)
		_, err = b.Signed(ctx, p.ID, epoch)
		require.ErrorIs(t, err, staff.ErrSignedOut)
		require.ErrorIs(t, b.CheckCode(ctx, by(p), step, b.code(t, b.secret[p.ID])), session.ErrThrottle, "nor does a right one help now")
		require.Equal(t, 5, b.logged(t, "staff.step_up", audit.Failed))
	})
	t.Run("ARightOneForgetsTheWrongOnes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		for range 3 {
			for range 4 {
				require.ErrorIs(t, b.CheckCode(ctx, by(p), step, "000000"), staff.ErrCode)
			}
			require.NoError(t, b.CheckCode(ctx, by(p), step, b.code(t, b.secret[p.ID])))
		}
	})
	t.Run("OneStepEarlyOrLateIsTaken", func(t *testing.T) {
		t.Parallel()
		for _, off := range []time.Duration{-30 * time.Second, 0, 30 * time.Second} {
			b := setup(t)
			p := b.first(t)
			b.clock.Advance(10 * time.Minute)
			code, err := totp.GenerateCode(b.secret[p.ID], b.clock.Now().Add(off))
			require.NoError(t, err)
			require.NoError(t, b.CheckCode(ctx, by(p), step, code), off)
		}
	})
	t.Run("TwoStepsAreNot", func(t *testing.T) {
		t.Parallel()
		for _, off := range []time.Duration{-time.Minute, time.Minute} {
			b := setup(t)
			p := b.first(t)
			b.clock.Advance(10 * time.Minute)
			code, err := totp.GenerateCode(b.secret[p.ID], b.clock.Now().Add(off))
			require.NoError(t, err)
			require.ErrorIs(t, b.CheckCode(ctx, by(p), step, code), staff.ErrCode, off)
		}
	})
	t.Run("OfManyAtOnceOneWins", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		code := b.code(t, b.secret[p.ID])
		var right, wrong int
		var mu sync.Mutex
		var group sync.WaitGroup
		for range 5 {
			group.Go(func() {
				_, err := b.SignInCode(ctx, p.ID, code, nobody)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					right++
				} else {
					wrong++
				}
			})
		}
		group.Wait()
		require.Equal(t, 1, right)
		require.Equal(t, 4, wrong)
	})
	t.Run("GuessesAreCountedBeforeTheyAreCompared", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		for range 5 {
			_, err := b.SignInCode(ctx, p.ID, "000000", nobody)
			require.ErrorIs(t, err, staff.ErrCode)
		}
		code := b.code(t, b.secret[p.ID])
		_, err := b.SignInCode(ctx, p.ID, code, from(2))
		require.ErrorIs(t, err, session.ErrThrottle, "another source does not help: the password is known")
		b.clock.Advance(16 * time.Minute)
		_, err = b.SignInCode(ctx, p.ID, b.code(t, b.secret[p.ID]), nobody)
		require.NoError(t, err)
	})
	t.Run("TheFifthWrongOneIsToldOnceALockOut", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.usePlaces(t)
		p := b.first(t)
		for range 2 {
			for range 7 {
				_, err := b.SignInCode(ctx, p.ID, "000000", from(7))
				require.Error(t, err)
			}
			b.clock.Advance(16 * time.Minute)
		}
		require.Equal(t, []string{"staff_wrong_codes", "staff_wrong_codes"}, b.kinds(t, p.Email))
		list, err := b.outbox.List(ctx, p.Email, 1)
		require.NoError(t, err)
		require.Contains(t, list[0].Body, "198.51.100.7 (Spain)")
	})
	t.Run("FourWrongOnesAreNotTold", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		for range 2 {
			for range 4 {
				_, err := b.SignInCode(ctx, p.ID, "000000", nobody)
				require.ErrorIs(t, err, staff.ErrCode)
			}
			_, err := b.SignInCode(ctx, p.ID, b.code(t, b.secret[p.ID]), nobody)
			require.NoError(t, err)
		}
		require.Empty(t, b.kinds(t, p.Email))
	})
	t.Run("GuessesAtASignInDoNotStopAMemberWhoIsSignedIn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		for range 5 {
			_, err := b.SignInCode(ctx, p.ID, "000000", nobody)
			require.ErrorIs(t, err, staff.ErrCode)
		}
		require.NoError(t, b.CheckCode(ctx, by(p), step, b.code(t, b.secret[p.ID])))
		_, err := b.SignInCode(ctx, p.ID, b.code(t, b.secret[p.ID]), nobody)
		require.ErrorIs(t, err, session.ErrThrottle, "nor does the member’s work give whoever guesses more tries")
		_, err = b.Signed(ctx, p.ID, p.SessionEpoch)
		require.NoError(t, err)
	})
	t.Run("AfterWrongOnesBeforeAnActTheMemberSignsInAndActs", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		for range 4 {
			require.ErrorIs(t, b.CheckCode(ctx, by(p), step, "000000"), staff.ErrCode)
		}
		require.ErrorIs(t, b.CheckCode(ctx, by(p), step, "000000"), staff.ErrWrongCodes)
		_, err := b.SignInCode(ctx, p.ID, b.code(t, b.secret[p.ID]), nobody)
		require.NoError(t, err)
		require.NoError(t, b.CheckCode(ctx, by(p), step, b.code(t, b.secret[p.ID])))
	})
	t.Run("RightCodesAreNotCounted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.first(t)
		for range 12 {
			require.NoError(t, b.CheckCode(ctx, by(p), step, b.code(t, b.secret[p.ID])))
		}
	})
	t.Run("SomebodyDisabledBetweenTheStepsStaysOut", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin, _, p := b.admins(t)
		known, err := b.SignIn(ctx, p.Email, password, session.Device{}, nobody)
		require.NoError(t, err)
		require.NoError(t, b.Disable(ctx, by(admin), p.ID, p.Version))
		_, err = b.SignInCode(ctx, known.ID, b.code(t, b.secret[p.ID]), nobody)
		require.ErrorIs(t, err, staff.ErrSignedOut)
	})
}
