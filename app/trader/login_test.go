package trader_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/passwords"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/session"
	"candor/app/trader"
)

func (b *bundle) sendLoginCode(account, secret string, d session.Device) error {
	return b.traders.SendLoginCode(b.Context(), trader.Credentials{Account: account, Password: secret, Device: d})
}

// loginCode waits a minute and requests a code.
func (b *bundle) loginCode(account string) string {
	b.Helper()
	b.clock.Advance(session.ResendAfter)
	require.NoError(b, b.sendLoginCode(account, password, device(2)))
	return b.lastCode(account)
}

func TestLogin(t *testing.T) {
	t.Parallel()

	t.Run("AKnownDeviceNeedsNoCode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		registered := b.register(anna)
		opened, err := b.login(" ANNA@example.com", password, "", device(1))
		require.NoError(t, err)
		require.Equal(t, registered.Account.ID, opened.Account.ID)
		require.NotEqual(t, registered.Token, opened.Token)
		b.principal(opened.Token)
		b.principal(registered.Token)
		require.Equal(t, []string{"trader.register", "trader.login"}, b.acts())
	})
	t.Run("TheLogKnowsTheBrowser", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		known := device(1)
		known.UserAgent = "Mozilla/5.0 Firefox/140.0"
		_, err := b.login(anna, password, "", known)
		require.NoError(t, err)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.login' AND agent = 'Mozilla/5.0 Firefox/140.0' AND actor_roles = ''`))
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.register' AND agent = ''`))
	})
	t.Run("ByPhoneInAnyWriting", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(bert)
		_, err := b.login("+49 (151) 2345-6789", password, "", device(1))
		require.NoError(t, err)
	})
	t.Run("ANewDeviceNeedsACode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		_, err := b.login(anna, password, "", device(2))
		require.ErrorIs(t, err, trader.ErrCodeRequired)
		code := b.loginCode(anna)
		_, err = b.login(anna, password, "xxxxxx", device(2))
		require.ErrorIs(t, err, session.ErrCode)
		_, err = b.login(anna, password, "", device(2))
		require.ErrorIs(t, err, trader.ErrCodeRequired)
		_, err = b.login(anna, password, code, device(2))
		require.NoError(t, err)
		_, err = b.login(anna, password, "", device(2))
		require.NoError(t, err, "it is known now")
		_, err = b.login(anna, password, code, device(3))
		require.ErrorIs(t, err, session.ErrCode, "a code works once")
		require.Equal(t, []string{"trader.register", "trader.refuse_code", "trader.login", "trader.hold", "trader.login", "trader.refuse_code"}, b.acts())
	})
	t.Run("ACodeWithoutThePasswordOpensNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		code := b.loginCode(anna)
		_, err := b.login(anna, "wrong password", code, device(2))
		require.ErrorIs(t, err, trader.ErrCredentials)
		_, err = b.login(anna, password, code, device(2))
		require.NoError(t, err, "nor is it used up")
	})
	t.Run("ACodeForRegistrationDoesNotLogIn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		code := b.registerCode(anna)
		_, err := b.traders.Register(t.Context(), registration(anna, code))
		require.NoError(t, err)
		b.exec(`UPDATE codes SET used_at = NULL`)
		_, err = b.login(anna, password, code, device(2))
		require.ErrorIs(t, err, session.ErrCode)
	})
	t.Run("OfEightWithOneCodeAtOnceOneLogsIn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		code := b.loginCode(anna)
		var opened atomic.Int32
		var group errgroup.Group
		for n := range 8 {
			group.Go(func() error {
				_, err := b.login(anna, password, code, device(10+n))
				if err == nil {
					opened.Add(1)
				} else if !errors.Is(err, session.ErrCode) && !errors.Is(err, session.ErrThrottle) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 1, opened.Load())
	})
	t.Run("ACrowdThatLogsInAtOnceIsNotGuessing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		b.exec(`INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) SELECT 'crowd' || n || '@example.com', name, password_hash, country, 'CROWD' || n, accepted_at FROM traders, generate_series(1, 30) n`)
		b.hashWith(slow{})
		var group errgroup.Group
		for n := range 30 {
			group.Go(func() error {
				if _, err := b.login(fmt.Sprintf("crowd%d@example.com", n+1), password, "", device(100+n)); !errors.Is(err, trader.ErrCodeRequired) {
					return fmt.Errorf("log-in %d: %w", n, err)
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
	})
	t.Run("UnknownAndWrongGetTheSameAnswer", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		b.clock.Advance(session.ResendAfter)
		attempts := map[string]struct{ account, secret string }{
			"WrongPassword": {anna, "wrong password"}, "UnknownMail": {"nobody@example.com", password}, "UnknownPhone": {bert, password},
			"NoAddress": {"anna", password}, "NoPassword": {anna, ""}, "UnknownWithoutPassword": {"nobody@example.com", ""},
			"LongPassword": {anna, strings.Repeat("x", 100_000)}, "ZeroByte": {"anna\x00@example.com", password},
		}
		for name, attempt := range attempts {
			_, err := b.login(attempt.account, attempt.secret, "", device(2))
			require.Equal(t, trader.ErrCredentials, errs.As(err), name)
			require.Equal(t, trader.ErrCredentials.Error(), err.Error(), name)
			err = b.sendLoginCode(attempt.account, attempt.secret, device(2))
			require.Equal(t, trader.ErrCredentials.Error(), err.Error(), name)
			b.exec(`DELETE FROM throttles`)
		}
		require.Len(t, b.messages(""), 1, "only the registration's")
		_, err := b.login(anna, "wrong password", "", device(1))
		require.Equal(t, trader.ErrCredentials, errs.As(err))
		require.EqualValues(t, []int64{6, 1}, []int64{
			b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.refuse_login' AND actor_kind = 'system'`),
			b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.refuse_login' AND actor_kind = 'trader'`),
		}, "whoever mistypes it at a known device is taken for the trader")
		wrong := "trader.refuse_login"
		require.Equal(t, []string{"trader.register", wrong, wrong, wrong, wrong, wrong, wrong, wrong}, b.acts(), "of the one who is known")
	})
	t.Run("TheFifthWrongPasswordOfADayIsTold", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		for n := range 8 {
			_, err := b.login(anna, "wrong password", "", from(device(2), fmt.Sprint("198.51.100.", n)))
			require.ErrorIs(t, err, trader.ErrCredentials)
			told := 1
			if n >= 4 {
				told = 2
			}
			require.Len(t, b.messages(anna), told, "after %d", n+1)
		}
		require.Contains(t, b.messages(anna)[0].Body, "message.login_failures")
		require.Contains(t, b.messages(anna)[0].Body, "198.51.100.4")
		for n := range 8 {
			_, err := b.login(bert, "wrong password", "", from(device(2), fmt.Sprint("198.51.100.", n)))
			require.ErrorIs(t, err, trader.ErrCredentials)
		}
		require.Empty(t, b.messages("+4915123456789"), "who is nobody is told nothing")
	})
	t.Run("WhoeverIsGuessedComesInWithACodeOrAKnownDevice", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		b.clock.Advance(session.ResendAfter)
		for n := range 100 {
			_, err := b.login(anna, "wrong password", "", from(device(9), fmt.Sprintf("198.51.%d.%d", n/50, n%50)))
			require.ErrorIs(t, err, trader.ErrCredentials)
		}
		newcomer := from(device(2), "203.0.113.7")
		for _, secret := range []string{"wrong password", password} {
			_, err := b.login(anna, secret, "", newcomer)
			require.ErrorIs(t, err, session.ErrCodeFirst, "no password is compared any more")
			_, err = b.login(anna, secret, "000000", newcomer)
			require.ErrorIs(t, err, session.ErrCode)
			require.ErrorIs(t, b.sendLoginCode(anna, secret, newcomer), session.ErrVerify)
		}
		_, err := b.login(anna, password, "", device(1))
		require.NoError(t, err, "a known device is not kept out")
		require.NoError(t, b.traders.SendLoginCode(t.Context(), trader.Credentials{Account: anna, Password: "whatever", Solution: b.solved(), Device: newcomer}))
		code := b.lastCode(anna)
		_, err = b.login(anna, "wrong password", code, newcomer)
		require.ErrorIs(t, err, trader.ErrCredentials, "a code alone is no way in")
		_, err = b.login(anna, password, code, newcomer)
		require.NoError(t, err)
		b.clock.Advance(24*time.Hour + time.Second)
		_, err = b.login(anna, "wrong password", "", from(device(9), "198.51.100.200"))
		require.ErrorIs(t, err, trader.ErrCredentials, "the next day counts anew")
	})
	t.Run("CodesAreNotTriedWithoutEndInPlaceOfPasswords", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		attacker := from(device(9), "198.51.100.9")
		for n := range 20 {
			_, err := b.login(fmt.Sprintf("nobody%d@example.com", n), "wrong password", "", attacker)
			require.ErrorIs(t, err, trader.ErrCredentials)
		}
		_, err := b.login(anna, "wrong password", "000000", attacker)
		require.ErrorIs(t, err, session.ErrCode, "a password counts only with a code now")
		for range 299 {
			require.NoError(t, b.sessions.CountCodeTry(t.Context(), attacker.IP))
		}
		written := b.count(`SELECT count(*) FROM audit_entries`)
		_, err = b.login(anna, "wrong password", "000000", attacker)
		require.ErrorIs(t, err, session.ErrThrottle)
		require.Equal(t, written, b.count(`SELECT count(*) FROM audit_entries`))
	})
	t.Run("ALongPasswordCountsToItsLastLetter", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		secret := strings.Repeat("x", 72) + "y" + strings.Repeat("z", 50)
		r := registration(anna, b.registerCode(anna))
		r.Password = secret
		_, err := b.traders.Register(t.Context(), r)
		require.NoError(t, err)
		_, err = b.login(anna, secret[:72]+"Y"+secret[73:], "", device(1))
		require.ErrorIs(t, err, trader.ErrCredentials)
		_, err = b.login(anna, secret[:72], "", device(1))
		require.ErrorIs(t, err, trader.ErrCredentials)
		_, err = b.login(anna, secret, "", device(1))
		require.NoError(t, err)
	})
	t.Run("ADeviceWithoutANameIsRefusedOnlyAfterThePassword", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		nameless := session.Device{IP: ip}
		_, err := b.login(anna, password, "", nameless)
		requireField(t, "deviceId", "field.length", err)
		_, err = b.login(anna, "wrong password", "", nameless)
		require.ErrorIs(t, err, trader.ErrCredentials)
	})
}

func TestGuessing(t *testing.T) {
	t.Parallel()

	t.Run("FiveWrongOnesCloseTheSourceForAMinute", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		wrong := func(n int, why string) {
			for range 5 {
				_, err := b.login(anna, "wrong password", "", device(n))
				require.ErrorIs(t, err, trader.ErrCredentials, why)
			}
		}
		wrong(2, "")
		_, err := b.login(anna, password, "", device(3))
		require.ErrorIs(t, err, session.ErrThrottle, "even the right one")
		require.ErrorIs(t, b.sendLoginCode(anna, password, device(3)), session.ErrThrottle)
		_, err = b.login(anna, password, "", device(1))
		require.NoError(t, err, "the owner's device passes, whatever neighbours guess")
		_, err = b.login(anna, password, "", from(device(1), otherIP))
		require.NoError(t, err, "the owner comes in from elsewhere")
		b.clock.Advance(time.Minute)
		_, err = b.login(anna, password, "", device(3))
		require.ErrorIs(t, err, trader.ErrCodeRequired)
		wrong(2, "a right one forgets the wrong ones")
		wrong(1, "")
		_, err = b.login(anna, password, "", device(1))
		require.ErrorIs(t, err, session.ErrThrottle, "a known device waits after its own wrong ones")
	})
	t.Run("FiftyWrongOnesFromElsewhereDoNotShutTheOwnerOut", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		for range 50 {
			_, err := b.login(anna, "wrong password", "", from(device(2), otherIP))
			require.Error(t, err)
		}
		_, err := b.login(anna, password, "", device(1))
		require.NoError(t, err)
	})
	t.Run("UnknownAccountsAreThrottledAlike", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 5 {
			_, err := b.login("nobody@example.com", password, "", device(1))
			require.ErrorIs(t, err, trader.ErrCredentials)
		}
		_, err := b.login("nobody@example.com", password, "", device(1))
		require.ErrorIs(t, err, session.ErrThrottle)
	})
	t.Run("TwentyAtOnceCompareFive", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.register(anna)
		var compared atomic.Int32
		var group errgroup.Group
		for range 20 {
			group.Go(func() error {
				_, err := b.login(anna, "wrong password", "", device(2))
				if errors.Is(err, trader.ErrCredentials) {
					compared.Add(1)
				} else if !errors.Is(err, session.ErrThrottle) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 5, compared.Load())
	})
}

// slow takes its time, as the product's hash does.
type slow struct{ passwordstest.Quick }

// Matches implements passwords.Argon2.
func (s slow) Matches(password []byte, hash string) (bool, error) {
	time.Sleep(50 * time.Millisecond)
	return s.Quick.Matches(password, hash)
}

func TestLoginLink(t *testing.T) {
	t.Parallel()
	link := func(b *bundle) (trader.Opened, string) {
		b.Helper()
		opened := b.register(anna)
		code, life, err := b.traders.CreateLoginCode(b.Context(), b.principal(opened.Token))
		require.NoError(b, err)
		require.Equal(b, 60*time.Second, life)
		return opened, code
	}
	exchange := func(b *bundle, code string, d session.Device) (trader.Opened, error) {
		return b.traders.LoginByCode(b.Context(), code, d, "trace-0003")
	}

	t.Run("OpensTheTradersRealAccountElsewhere", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		registered, code := link(b)
		opened, err := exchange(b, code, device(2))
		require.NoError(t, err)
		require.Equal(t, registered.Account.ID, opened.Account.ID)
		require.NotEqual(t, code, opened.Token)
		b.principal(opened.Token)
		b.principal(registered.Token)
		require.Equal(t, []string{"trader.register", "trader.login", "trader.hold"}, b.acts())
	})
	t.Run("OfFiftyAtOnceOneOpens", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, code := link(b)
		var opened atomic.Int32
		var group errgroup.Group
		for n := range 50 {
			group.Go(func() error {
				_, err := exchange(b, code, device(10+n))
				if err == nil {
					opened.Add(1)
				} else if !errors.Is(err, trader.ErrLoginCode) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 1, opened.Load())
		require.EqualValues(t, 2, b.count(`SELECT count(*) FROM trader_sessions`))
	})
	for name, end := range map[string]func(b *bundle, opened trader.Opened) error{
		"LogOut": func(b *bundle, opened trader.Opened) error {
			return b.sessions.End(b.Context(), b.principal(opened.Token).SessionID)
		},
		"EndOfAll": func(b *bundle, opened trader.Opened) error {
			return b.db.InTx(b.Context(), func(tx *db.Tx) error {
				_, err := b.sessions.EndAllTx(b.Context(), tx, opened.Trader.ID)
				return err
			})
		},
	} {
		t.Run("EndsWithItsSession/"+name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			opened, code := link(b)
			require.NoError(t, end(b, opened))
			_, err := exchange(b, code, device(2))
			require.ErrorIs(t, err, trader.ErrLoginCode)
			require.Zero(t, b.count(`SELECT count(*) FROM trader_sessions WHERE ended_at IS NULL`))
		})
	}
	t.Run("SurvivesTheEndOfOthers", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened, code := link(b)
		own := b.principal(opened.Token).SessionID
		require.NoError(t, b.db.InTx(b.Context(), func(tx *db.Tx) error {
			_, err := b.sessions.EndOthersTx(b.Context(), tx, opened.Trader.ID, own)
			return err
		}))
		_, err := exchange(b, code, device(2))
		require.NoError(t, err)
	})
	t.Run("LivesSixtySeconds", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened, code := link(b)
		b.clock.Advance(time.Minute)
		_, err := exchange(b, code, device(2))
		require.ErrorIs(t, err, trader.ErrLoginCode)
		code, _, err = b.traders.CreateLoginCode(t.Context(), b.principal(opened.Token))
		require.NoError(t, err)
		b.clock.Advance(time.Minute - time.Millisecond)
		_, err = exchange(b, code, device(2))
		require.NoError(t, err)
	})
	t.Run("NothingElseIsALink", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened, code := link(b)
		digits := b.loginCode(anna)
		b.clock.Set(start)
		for _, text := range []string{"", code[1:], code + "A", strings.ToLower(code) + "x", opened.Token, digits, "\xff", "a\x00"} {
			_, err := exchange(b, text, device(2))
			require.ErrorIs(t, err, trader.ErrLoginCode, "%q", text)
		}
		_, err := b.sessions.Check(t.Context(), code, session.Device{})
		require.ErrorIs(t, err, session.ErrToken, "a link is no token")
		_, err = b.sessions.TryCode(t.Context(), session.Purpose("link").To("10000001"), session.Owner(ip), code)
		require.ErrorIs(t, err, session.ErrCode)
	})
	t.Run("IsKeptHashed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, code := link(b)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM codes WHERE hash = $1`, session.HashToken(code)))
		require.Zero(t, b.count(`SELECT count(*) FROM codes c WHERE c::text LIKE '%' || $1 || '%'`, code))
	})
	t.Run("ADeviceWithoutANameDoesNotUseItUp", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, code := link(b)
		for _, fingerprint := range []string{"", "short", strings.Repeat("f", 65)} {
			_, err := exchange(b, code, session.Device{Fingerprint: fingerprint, IP: ip})
			requireField(t, "deviceId", "field.length", err)
		}
		_, err := exchange(b, code, device(2))
		require.NoError(t, err)
	})
}

// TestAPasswordThatIsNotComparedDoesNotCount disconnects callers while their passwords wait, more often than there are tries.
func TestAPasswordThatIsNotComparedDoesNotCount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.register(anna)
	wrong, err := b.login(anna, "wrong password", "", device(2))
	require.ErrorIs(t, err, trader.ErrCredentials, "%v", wrong)
	counts := func() [3]int64 {
		return [3]int64{
			b.count(`SELECT coalesce(sum(count), 0) FROM throttles WHERE name = 'password'`),
			b.count(`SELECT coalesce(sum(count), 0) FROM throttles WHERE name = 'account_guesses'`),
			b.count(`SELECT count(*) FROM wrong_logins`),
		}
	}
	require.Equal(t, [3]int64{1, 1, 1}, counts())
	leave, err := b.hasher.Occupy(t.Context())
	require.NoError(t, err)
	for range 6 {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := b.traders.Login(ctx, trader.Credentials{Account: anna, Password: password, Device: device(2)})
			done <- err
		}()
		require.Eventually(t, func() bool { return b.hasher.Waiting() == 1 }, 10*time.Second, time.Millisecond)
		require.Equal(t, [3]int64{2, 2, 1}, counts(), "it is counted before it is compared")
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
		require.Equal(t, [3]int64{1, 1, 1}, counts(), "what was compared stays counted")
	}
	leave()
	_, err = b.login(anna, password, "", device(2))
	require.ErrorIs(t, err, trader.ErrCodeRequired)
	require.Equal(t, [3]int64{0, 1, 0}, counts(), "the wrong one stays counted for the account")
}

// leaver compares a password and then cancels the caller's context.
type leaver struct {
	passwords.InProcess
	leave context.CancelFunc
}

func (l leaver) Matches(password []byte, hash string) (bool, error) {
	defer l.leave()
	return l.InProcess.Matches(password, hash)
}

// TestWhoLeavesAfterTheComparisonHasGuessed checks that a wrong password is recorded for a disconnected caller: leaving early would hide guesses from the
// owner.
func TestWhoLeavesAfterTheComparisonHasGuessed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.register(anna)
	ctx, leave := context.WithCancel(t.Context())
	b.hashWith(leaver{leave: leave})
	_, err := b.traders.Login(ctx, trader.Credentials{Account: anna, Password: "wrong password", Device: device(2)})
	require.ErrorIs(t, err, trader.ErrCredentials)
	require.ErrorIs(t, ctx.Err(), context.Canceled)
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.refuse_login' AND actor_name = 'visitor'`), "nobody knows that it was the owner")
	require.EqualValues(t, 1, b.count(`SELECT count FROM throttles WHERE name = 'account_wrong'`))
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM wrong_logins`))
}
