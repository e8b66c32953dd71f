package trader_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/audit"
	"candor/app/platform/admission"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/passwords"
	"candor/app/session"
	"candor/app/trader"
)

const (
	pin      = "482915"
	otherPin = "739104"
	day      = 24 * time.Hour
)

// paymentCode waits a minute and requests a code.
func (b *bundle) paymentCode(p session.Principal, account string) string {
	b.Helper()
	b.clock.Advance(session.ResendAfter)
	require.NoError(b, b.traders.SendPaymentPasswordCode(b.Context(), p, ip))
	return b.lastCode(account)
}

func (b *bundle) change(login, old, next, code string) trader.PaymentPasswordChange {
	return trader.PaymentPasswordChange{LoginPassword: login, Old: old, New: next, Code: code, IP: ip, TraceID: "trace-0003"}
}

// withPin registers a trader and sets the payment password.
func (b *bundle) withPin(account string) session.Principal {
	b.Helper()
	p := b.principal(b.register(account).Token)
	require.NoError(b, b.traders.SetPaymentPassword(b.Context(), p, b.change(password, "", pin, b.paymentCode(p, account))))
	return p
}

func (b *bundle) security(p session.Principal) trader.Security {
	b.Helper()
	s, err := b.traders.Security(b.Context(), p)
	require.NoError(b, err)
	return s
}

func (b *bundle) locks() int64 { return b.count(`SELECT count(*) FROM withdrawal_locks`) }

// requireLeft expects a wrong payment password with a number of tries left.
func requireLeft(t testing.TB, left string, err error) {
	t.Helper()
	require.ErrorIs(t, err, trader.ErrPaymentPassword)
	require.Equal(t, left, errs.As(err).Args["left"])
}

func requireLocked(t testing.TB, seconds string, err error) {
	t.Helper()
	require.ErrorIs(t, err, trader.ErrPaymentPasswordLocked)
	require.Equal(t, seconds, errs.As(err).Args["seconds"])
}

func TestCheckPaymentPassword(t *testing.T) {
	t.Parallel()
	for _, digits := range []string{pin, otherPin, "112233", "123455", "000001", "135790", "543219"} {
		require.NoError(t, trader.CheckPaymentPassword(digits), digits)
	}
	for reason, list := range map[string][]string{
		"field.payment_digits": {"", "48291", "4829150", "48291a", "48 291", "-48291", "４８２９１５", "٤٨٢٩١٥", "48291\x00", strings.Repeat("4", 5_000)},
		"field.payment_simple": {"000000", "111111", "999999", "123456", "012345", "456789", "567890", "890123", "654321", "543210", "098765", "210987"},
	} {
		for _, digits := range list {
			requireField(t, "newPassword", reason, trader.CheckPaymentPassword(digits))
		}
	}
}

func TestSetPaymentPassword(t *testing.T) {
	t.Parallel()

	t.Run("TheFirstOneHoldsNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.hashWith(passwords.InProcess{})
		p := b.principal(b.register(anna).Token)
		require.Nil(t, b.security(p).PaymentPasswordAt)
		require.NoError(t, b.traders.SetPaymentPassword(t.Context(), p, b.change(password, "", pin, b.paymentCode(p, anna))))
		now := b.security(p)
		require.Equal(t, b.clock.Now(), now.PaymentPasswordAt.UTC())
		require.Nil(t, now.WithdrawalLockedUntil)
		require.Zero(t, b.locks())
		require.Equal(t, []string{"trader.register", "trader.set_payment_password"}, b.acts())
		require.Contains(t, b.messages(anna)[0].Body, "de message.payment_password_set.body")
		require.Zero(t, b.count(`SELECT count(*) FROM payment_passwords WHERE hash LIKE '%' || $1 || '%'`, pin))
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM payment_passwords WHERE hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'`))
	})
	t.Run("ByPhone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(bert)
		require.Equal(t, "sms", string(b.messages(bert)[0].Channel))
		require.Equal(t, []string{"", "+49***89"}, []string{b.security(p).Mail, b.security(p).Phone})
	})
	t.Run("OnlyWithTheLoginPassword", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		code := b.paymentCode(p, anna)
		for _, secret := range []string{"", "wrong password", strings.Repeat("x", 100_000)} {
			require.ErrorIs(t, b.traders.SetPaymentPassword(t.Context(), p, b.change(secret, "", pin, code)), trader.ErrLoginPassword)
		}
		require.Nil(t, b.security(p).PaymentPasswordAt)
		require.NoError(t, b.traders.SetPaymentPassword(t.Context(), p, b.change(password, "", pin, code)), "the code was not touched")
	})
	t.Run("WrongLoginPasswordsAreFailedLogins", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		code := b.paymentCode(p, anna)
		for range 5 {
			require.ErrorIs(t, b.traders.SetPaymentPassword(t.Context(), p, b.change("wrong password", "", pin, code)), trader.ErrLoginPassword)
		}
		require.ErrorIs(t, b.traders.SetPaymentPassword(t.Context(), p, b.change(password, "", pin, code)), session.ErrThrottle)
		_, err := b.login(anna, password, "", device(1))
		require.ErrorIs(t, err, session.ErrThrottle, "the log-in waits too")
		b.clock.Advance(time.Minute)
		require.NoError(t, b.traders.SetPaymentPassword(t.Context(), p, b.change(password, "", pin, code)))
		_, err = b.login(anna, password, "", device(1))
		require.NoError(t, err, "a right one forgets them")
	})
	t.Run("ALoginPasswordThatIsNotComparedDoesNotCount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		code := b.paymentCode(p, anna)
		counted := func() int64 { return b.count(`SELECT coalesce(sum(count), 0) FROM throttles WHERE name = 'password'`) }
		b.hashWith(busy{})
		for range 6 {
			require.ErrorIs(t, b.traders.SetPaymentPassword(t.Context(), p, b.change(password, "", pin, code)), admission.ErrBusy)
			require.Zero(t, counted())
		}
		b.hashWith(passwords.InProcess{})
		require.ErrorIs(t, b.traders.SetPaymentPassword(t.Context(), p, b.change("wrong password", "", pin, code)), trader.ErrLoginPassword)
		require.EqualValues(t, 2, counted(), "within the session, and for the address")
		require.NoError(t, b.traders.SetPaymentPassword(t.Context(), p, b.change(password, "", pin, code)))
	})
	t.Run("AnotherAddressGivesNoMoreTries", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		c := b.change("wrong password", "", pin, b.paymentCode(p, anna))
		for _, c.IP = range []string{"192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"} {
			require.ErrorIs(t, b.traders.SetPaymentPassword(t.Context(), p, c), trader.ErrLoginPassword)
		}
		c.IP, c.LoginPassword = "192.0.2.6", password
		require.ErrorIs(t, b.traders.SetPaymentPassword(t.Context(), p, c), session.ErrThrottle)
		_, err := b.login(anna, password, "", device(1))
		require.NoError(t, err, "nobody outside is locked out by it")
	})
	t.Run("OnlyWithItsCode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		b.clock.Advance(session.ResendAfter)
		require.NoError(t, b.traders.SendMoneyOutCode(t.Context(), p, rule, nil, ip))
		for _, code := range []string{"", "xxxxxx", b.lastCode(anna)} {
			require.ErrorIs(t, b.traders.SetPaymentPassword(t.Context(), p, b.change(password, "", pin, code)), session.ErrCode)
		}
		require.Nil(t, b.security(p).PaymentPasswordAt)
	})
	t.Run("NotTheLoginPassword", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		hash, err := trader.NewHasher().Hash(t.Context(), trader.Account(1), pin)
		require.NoError(t, err)
		b.exec(`UPDATE traders SET password_hash = $1`, hash)
		code := b.paymentCode(p, anna)
		requireField(t, "newPassword", "field.payment_login", b.traders.SetPaymentPassword(t.Context(), p, b.change(pin, "", pin, code)))
		require.NoError(t, b.traders.SetPaymentPassword(t.Context(), p, b.change(pin, "", otherPin, code)))
	})
	t.Run("NotASimpleOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		code := b.paymentCode(p, anna)
		requireField(t, "newPassword", "field.payment_simple", b.traders.SetPaymentPassword(t.Context(), p, b.change(password, "", "123456", code)))
		require.NoError(t, b.traders.SetPaymentPassword(t.Context(), p, b.change(password, "", pin, code)))
	})
	t.Run("NotTheDateOfBirth", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		born := time.Time{}
		b.config.BornOn = func(_ context.Context, traderID int64) (time.Time, error) {
			require.Equal(t, p.TraderID, traderID)
			return born, nil
		}
		b.traders = trader.New(b.config)
		acts := map[string]func(next, code string) error{
			"Change": func(next, code string) error {
				return b.traders.ChangePaymentPassword(t.Context(), p, b.change("", pin, next, code))
			},
			"Reset": func(next, code string) error {
				return b.traders.ResetPaymentPassword(t.Context(), p, b.change(password, "", next, code))
			},
		}
		born = time.Date(1985, 11, 23, 0, 0, 0, 0, time.UTC)
		set := func(next, code string) error {
			return b.traders.SetPaymentPassword(t.Context(), p, b.change(password, "", next, code))
		}
		code := b.paymentCode(p, anna)
		require.ErrorIs(t, set("231185", "xxxxxx"), session.ErrCode, "whoever has no code learns nothing")
		for _, written := range []string{"231185", "112385", "851123"} {
			requireField(t, "newPassword", "field.payment_birth", set(written, code))
		}
		require.Nil(t, b.security(p).PaymentPasswordAt)
		require.NoError(t, set(pin, code))
		for name, act := range acts {
			code := b.paymentCode(p, anna)
			requireField(t, "newPassword", "field.payment_birth", act("231185", code))
			require.NoError(t, b.prove(p, pin), name)
		}
		born = time.Time{}
		require.NoError(t, acts["Change"]("231185", b.paymentCode(p, anna)), "of who is not verified nobody knows it")
	})
	t.Run("ASecondOneIsNoFirst", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		err := b.traders.SetPaymentPassword(t.Context(), p, b.change(password, "", otherPin, b.paymentCode(p, anna)))
		require.ErrorIs(t, err, trader.ErrPaymentPasswordSet)
		require.NoError(t, b.prove(p, pin))
	})
	t.Run("OfEightAtOnceOneIsTheFirst", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		code := b.paymentCode(p, anna)
		require.EqualValues(t, 1, b.eight(func(int) error {
			return b.traders.SetPaymentPassword(t.Context(), p, b.change(password, "", pin, code))
		}, session.ErrCode, session.ErrThrottle, trader.ErrPaymentPasswordSet))
		acts := slices.DeleteFunc(b.acts(), func(act string) bool { return act == "trader.refuse_code" })
		require.Equal(t, []string{"trader.register", "trader.set_payment_password"}, acts)
	})
	t.Run("NotOnPracticeMoney", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.register(anna)
		mock, err := b.traders.Switch(t.Context(), b.principal(opened.Token), trader.Destination{Type: trader.MockType}, audit.Actor{IP: ip})
		require.NoError(t, err)
		guest, err := b.traders.Try(t.Context(), trader.Visit{Language: "en", Device: device(9)})
		require.NoError(t, err)
		for token, refusal := range map[string]error{mock.Token: trader.ErrMock, guest.Token: trader.ErrGuest} {
			p := b.principal(token)
			c := b.change(password, pin, otherPin, "123456")
			require.ErrorIs(t, b.traders.SendPaymentPasswordCode(t.Context(), p, ip), refusal)
			require.ErrorIs(t, b.traders.SendMoneyOutCode(t.Context(), p, rule, nil, ip), refusal)
			require.ErrorIs(t, b.traders.SetPaymentPassword(t.Context(), p, c), refusal)
			require.ErrorIs(t, b.traders.ChangePaymentPassword(t.Context(), p, c), refusal)
			require.ErrorIs(t, b.traders.ResetPaymentPassword(t.Context(), p, c), refusal)
		}
		require.ErrorIs(t, b.traders.Prove(t.Context(), guest.Trader.ID, trader.Proof{PaymentPassword: pin, Code: "123456"}), trader.ErrGuest)
		_, err = b.traders.Security(t.Context(), b.principal(guest.Token))
		require.ErrorIs(t, err, trader.ErrGuest)
		_, err = b.db.Pool.Exec(t.Context(), `INSERT INTO payment_passwords (trader_id, hash, changed_at) VALUES ($1, '', now())`, guest.Trader.ID)
		require.Error(t, err, "the database itself refuses a guest's")
		require.Len(t, b.messages(""), 1, "only the registration's")
	})
}

// eight runs work eight times concurrently and counts the successes; every other run must fail with one of the refusals.
func (b *bundle) eight(work func(n int) error, refusals ...error) int32 {
	b.Helper()
	var done atomic.Int32
	var group errgroup.Group
	for n := range 8 {
		group.Go(func() error {
			err := work(n)
			if err == nil {
				done.Add(1)
				return nil
			}
			for _, refusal := range refusals {
				if errors.Is(err, refusal) {
					return nil
				}
			}
			return err
		})
	}
	require.NoError(b, group.Wait())
	return done.Load()
}

func TestChangePaymentPassword(t *testing.T) {
	t.Parallel()

	t.Run("HoldsADay", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		require.NoError(t, b.traders.ChangePaymentPassword(t.Context(), p, b.change("", pin, otherPin, b.paymentCode(p, anna))))
		now := b.security(p)
		require.Equal(t, b.clock.Now(), now.PaymentPasswordAt.UTC())
		require.Equal(t, b.clock.Now().Add(day), now.WithdrawalLockedUntil.UTC())
		require.Equal(t, "payment_password_change", now.WithdrawalLockReason)
		require.Equal(t, []string{"trader.register", "trader.set_payment_password", "trader.hold", "trader.change_payment_password"}, b.acts())
		require.Contains(t, b.messages(anna)[0].Body, "de message.payment_password_changed.body")
		require.ErrorIs(t, b.prove(p, pin), trader.ErrPaymentPassword)
		require.NoError(t, b.prove(p, otherPin))
	})
	t.Run("OnlyWithTheOldOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		code := b.paymentCode(p, anna)
		requireLeft(t, "4", b.traders.ChangePaymentPassword(t.Context(), p, b.change(password, otherPin, otherPin, code)))
		require.ErrorIs(t, b.traders.ChangePaymentPassword(t.Context(), p, b.change(password, "", otherPin, code)), trader.ErrPaymentPasswordMissing)
		require.Zero(t, b.locks())
		require.NoError(t, b.traders.ChangePaymentPassword(t.Context(), p, b.change("", pin, otherPin, code)))
	})
	t.Run("OnlyWithItsCode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		for _, code := range []string{"", "xxxxxx", b.moneyOutCode(p, anna)} {
			require.ErrorIs(t, b.traders.ChangePaymentPassword(t.Context(), p, b.change("", pin, otherPin, code)), session.ErrCode)
		}
		require.Zero(t, b.locks())
	})
	t.Run("OnlyToAnother", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		code := b.paymentCode(p, anna)
		requireField(t, "newPassword", "field.payment_same", b.traders.ChangePaymentPassword(t.Context(), p, b.change("", pin, pin, code)))
		require.ErrorIs(t, b.traders.ChangePaymentPassword(t.Context(), p, b.change("", otherPin, otherPin, code)), trader.ErrPaymentPassword, "it says nothing of the old one")
	})
	t.Run("OnlyIfThereIsOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.principal(b.register(anna).Token)
		c := b.change(password, pin, otherPin, b.paymentCode(p, anna))
		require.ErrorIs(t, b.traders.ChangePaymentPassword(t.Context(), p, c), trader.ErrPaymentPasswordUnset)
		require.ErrorIs(t, b.traders.ResetPaymentPassword(t.Context(), p, c), trader.ErrPaymentPasswordUnset)
	})
	t.Run("NotWhileItIsLocked", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		b.mistype(p, 5)
		err := b.traders.ChangePaymentPassword(t.Context(), p, b.change("", pin, otherPin, b.paymentCode(p, anna)))
		requireLocked(t, "1740", err)
	})
	t.Run("OfEightAtOnceOneChangesIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		code := b.paymentCode(p, anna)
		require.EqualValues(t, 1, b.eight(func(int) error {
			return b.traders.ChangePaymentPassword(t.Context(), p, b.change("", pin, otherPin, code))
		}, session.ErrCode, trader.ErrPaymentPassword, trader.ErrPaymentPasswordLocked, db.ErrChanged))
		require.EqualValues(t, 1, b.locks())
	})
}

func TestResetPaymentPassword(t *testing.T) {
	t.Parallel()

	t.Run("EndsTheLockAndHoldsADay", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		b.mistype(p, 5)
		require.NotNil(t, b.security(p).LockedUntil)
		require.NoError(t, b.traders.ResetPaymentPassword(t.Context(), p, b.change(password, "", otherPin, b.paymentCode(p, anna))))
		now := b.security(p)
		require.Nil(t, now.LockedUntil)
		require.Equal(t, b.clock.Now().Add(day), now.WithdrawalLockedUntil.UTC())
		require.Equal(t, "payment_password_reset", now.WithdrawalLockReason)
		require.Equal(t, []string{"trader.register", "trader.set_payment_password", "trader.lock_payment_password", "trader.hold", "trader.reset_payment_password"}, b.acts())
		require.Contains(t, b.messages(anna)[0].Body, "de message.payment_password_reset.body")
		require.NoError(t, b.prove(p, otherPin))
	})
	t.Run("OnlyWithTheLoginPasswordAndTheCode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		code := b.paymentCode(p, anna)
		require.ErrorIs(t, b.traders.ResetPaymentPassword(t.Context(), p, b.change("wrong password", pin, otherPin, code)), trader.ErrLoginPassword)
		require.ErrorIs(t, b.traders.ResetPaymentPassword(t.Context(), p, b.change(password, pin, otherPin, "xxxxxx")), session.ErrCode)
		require.Zero(t, b.locks())
		require.NoError(t, b.prove(p, pin))
	})
	t.Run("OfEightAtOnceOneResetsIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.withPin(anna)
		code := b.paymentCode(p, anna)
		require.EqualValues(t, 1, b.eight(func(int) error {
			return b.traders.ResetPaymentPassword(t.Context(), p, b.change(password, "", otherPin, code))
		}, session.ErrCode, session.ErrThrottle, db.ErrChanged))
		require.EqualValues(t, 1, b.locks())
	})
}

// busy refuses every comparison.
type busy struct{ passwords.InProcess }

func (busy) Matches([]byte, string) (bool, error) { return false, admission.ErrBusy }
