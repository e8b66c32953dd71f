package trader_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
)

func (b *bundle) try(d session.Device, target *int64) (trader.Opened, error) {
	b.Helper()
	return b.traders.Try(b.Context(), trader.Visit{Language: "de", Target: target, Device: d, TraceID: "trace-0005"})
}

// guest makes a guest on device 1.
func (b *bundle) guest() trader.Opened {
	b.Helper()
	opened, err := b.try(device(1), nil)
	require.NoError(b, err)
	return opened
}

func TestTry(t *testing.T) {
	t.Parallel()

	t.Run("OpensOneMockAccountWithTenThousandAndNothingElse", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		guest := b.guest()
		require.Equal(t, []any{ledger.Mock, trader.GuestType, int64(10 * thousand)}, []any{guest.Account.Book, guest.Account.Type, guest.Account.Cash})
		require.Equal(t, guest.Account.Cash, b.account(guest.Account.ID).Cash)
		p := b.principal(guest.Token)
		require.Equal(t, []any{guest.Trader.ID, guest.Account.ID, ""}, []any{p.TraderID, p.AccountID, p.Country})
		require.True(t, p.Guest())
		require.True(t, p.Mock())
		read, account, err := b.traders.Find(t.Context(), p)
		require.NoError(t, err)
		require.True(t, read.Guest())
		require.Equal(t, guest.Account.ID, account.ID)
		require.Regexp(t, `^de guest\.name map\[code:[0-9A-F]{4}\]$`, read.Name)
		require.Equal(t, read.Name, read.MaskedName(), "there is nothing to hide in it")
		require.Empty(t, read.MaskedMail())
		require.EqualValues(t, 1, b.count(`
			SELECT count(*) FROM traders WHERE num_nonnulls(email, phone, password_hash, country, invite_code, invited_by, accepted_at) = 0 AND language = 'de'`))
		require.Zero(t, b.count(`SELECT count(*) FROM postings WHERE book = 'real'`))
		require.Equal(t, []string{"trader.guest"}, b.acts())
		require.Empty(t, b.messages(""))
	})
	t.Run("TheSameDeviceComesBackToTheSameAccount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		guest := b.guest()
		target := int64(50 * thousand)
		again, err := b.try(from(device(1), otherIP), &target)
		require.NoError(t, err)
		require.Equal(t, []any{guest.Trader.ID, guest.Account.ID}, []any{again.Trader.ID, again.Account.ID})
		require.EqualValues(t, 10*thousand, again.Account.Cash, "only a new one starts with what is asked for")
		require.Equal(t, guest.Trader.Name, again.Trader.Name)
		require.NotEqual(t, guest.Token, again.Token)
		require.Equal(t, []string{"trader.guest", "trader.login"}, b.acts())
	})
	t.Run("AnotherDeviceIsAnotherGuest", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		guest := b.guest()
		other, err := b.try(device(2), nil)
		require.NoError(t, err)
		require.NotEqual(t, guest.Trader.ID, other.Trader.ID)
		require.NotEqual(t, guest.Account.ID, other.Account.ID)
	})
	t.Run("TheLifeOfAGuestEndsThirtyDaysAfterTheLastVisit", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		guest := b.guest()
		for _, step := range []struct {
			wait time.Duration
			same bool
		}{{29 * 24 * time.Hour, true}, {29 * 24 * time.Hour, true}, {30 * 24 * time.Hour, false}} {
			b.clock.Advance(step.wait)
			again, err := b.try(device(1), nil)
			require.NoError(t, err)
			require.Equal(t, step.same, again.Trader.ID == guest.Trader.ID, "after %v", step.wait)
		}
	})
	t.Run("ATradersDeviceGivesAwayNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		registered := b.register(anna)
		guest := b.guest()
		require.NotEqual(t, registered.Trader.ID, guest.Trader.ID)
		require.True(t, guest.Trader.Guest())
		b.principal(registered.Token)
	})
	t.Run("EightAtOnceOnOneDeviceAreOneGuest", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		var group errgroup.Group
		for range 8 {
			group.Go(func() error {
				_, err := b.traders.Try(t.Context(), trader.Visit{Language: "de", Device: device(1)})
				return err
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM traders`))
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM ledger_transactions`))
		require.EqualValues(t, 8, b.count(`SELECT count(*) FROM trader_sessions`))
	})
	t.Run("TheFirstBalanceIsChosenWithinTheLimit", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, target := range []int64{0, -1, 100*thousand + 1, 1<<63 - 1} {
			_, err := b.try(device(1), &target)
			require.ErrorIs(t, err, trader.ErrTopUp, "%d", target)
			require.Equal(t, "100000", errs.As(err).Args["limit"])
		}
		require.Zero(t, b.count(`SELECT count(*) FROM traders`))
		target := int64(100 * thousand)
		guest, err := b.try(device(1), &target)
		require.NoError(t, err)
		require.EqualValues(t, 100*thousand, b.account(guest.Account.ID).Cash)
	})
	t.Run("ADeviceIsNamed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.try(session.Device{Fingerprint: "short", IP: ip}, nil)
		requireField(t, "deviceId", "field.length", err)
	})
	t.Run("WhileTheSwitchIsOffNobodyComesIn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.guest()
		b.set(switches.DemoKey, "false")
		for n := range 2 {
			_, err := b.try(device(1+n), nil)
			require.ErrorIs(t, err, trader.ErrDemoOff)
		}
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM traders`))
	})
	t.Run("TwentyVisitsADayAndDevice", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for n := range 20 {
			_, err := b.try(from(device(1), fmt.Sprint("198.51.100.", n)), nil)
			require.NoError(t, err)
		}
		for range 2 {
			_, err := b.try(device(1), nil)
			require.ErrorIs(t, err, session.ErrGuests)
		}
		_, err := b.try(device(2), nil)
		require.NoError(t, err)
		b.clock.Advance(24*time.Hour + time.Second)
		b.guest()
	})
	t.Run("FromASourceOfManyNewGuestsEachFurtherOneSolvesAChallenge", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for n := range 30 {
			_, err := b.try(device(n), nil)
			require.NoError(t, err)
		}
		_, err := b.try(device(50), nil)
		require.ErrorIs(t, err, session.ErrVerify)
		require.EqualValues(t, 30, b.count(`SELECT count(*) FROM traders`))
		solution := b.solved()
		for n, want := range []error{nil, session.ErrVerifyWrong} {
			_, err = b.traders.Try(t.Context(), trader.Visit{Language: "de", Solution: solution, Device: device(50 + n), TraceID: "trace-0005"})
			require.ErrorIs(t, err, want, "a solution counts once")
		}
		_, err = b.try(device(0), nil)
		require.NoError(t, err, "who was here before is no new guest")
		_, err = b.try(from(device(51), otherIP), nil)
		require.NoError(t, err)
		b.clock.Advance(24*time.Hour + time.Second)
		_, err = b.try(device(52), nil)
		require.NoError(t, err)
	})
}

func TestGuest(t *testing.T) {
	t.Parallel()

	t.Run("HasNoRealAccount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		guest := b.guest()
		for _, accountType := range []int{trader.Ordinary, 2, 4, 0, -1, 99} {
			_, err := b.switchTo(guest.Token, accountType, nil)
			require.ErrorIs(t, err, trader.ErrGuest, "type %d", accountType)
		}
		b.principal(guest.Token)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM accounts WHERE kind <> 'house'`))
	})
	t.Run("BothMockTypesMeanTheOneAccountAndTopItUp", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		guest := b.guest()
		token := guest.Token
		for n, accountType := range []int{trader.GuestType, trader.MockType} {
			target := int64(20*thousand + n*thousand)
			opened, err := b.switchTo(token, accountType, &target)
			require.NoError(t, err)
			require.Equal(t, []any{guest.Account.ID, trader.GuestType, target}, []any{opened.Account.ID, opened.Account.Type, opened.Account.Cash})
			require.Equal(t, target, b.account(guest.Account.ID).Cash)
			token = opened.Token
		}
		over := int64(100*thousand + 1)
		_, err := b.switchTo(token, trader.GuestType, &over)
		require.ErrorIs(t, err, trader.ErrTopUp)
		b.position(guest.Account.ID)
		target := int64(50 * thousand)
		_, err = b.switchTo(token, trader.GuestType, &target)
		require.ErrorIs(t, err, trader.ErrTopUpOpen)
		require.EqualValues(t, 21*thousand, b.account(guest.Account.ID).Cash)
		require.Zero(t, b.count(`SELECT count(*) FROM postings WHERE book = 'real'`))
	})
	t.Run("MakesNoLoginCode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, _, err := b.traders.CreateLoginCode(t.Context(), b.principal(b.guest().Token))
		require.ErrorIs(t, err, trader.ErrGuest)
		require.Zero(t, b.count(`SELECT count(*) FROM codes`))
		_, _, err = b.traders.CreateLoginCode(t.Context(), b.principal(b.register(anna).Token))
		require.NoError(t, err)
	})
	t.Run("RegistersAsSomebodyNew", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		guest := b.guest()
		registered := b.register(anna)
		require.NotEqual(t, guest.Trader.ID, registered.Trader.ID)
		require.Zero(t, registered.Account.Worth())
		require.EqualValues(t, 10*thousand, b.account(guest.Account.ID).Cash)
	})
	t.Run("IsFoundByStaffWithoutAContact", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		guest := b.guest()
		found, _, err := b.traders.Search(t.Context(), "", 0, 10)
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.Equal(t, guest.Trader.ID, found[0].ID)
		require.Equal(t, []ledger.Book{ledger.Mock}, found[0].Books)
		require.Empty(t, found[0].Contact(trader.MailContact)+found[0].Contact(trader.PhoneContact))
	})
}

func TestTypeEightIsNoChoiceForARegisteredTrader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	real := b.register(anna)
	for _, target := range []*int64{nil, new(int64(thousand))} {
		_, err := b.switchTo(real.Token, trader.GuestType, target)
		requireField(t, "accountType", "field.choice", err)
	}
	b.principal(real.Token)
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM accounts WHERE kind <> 'house'`))
}
