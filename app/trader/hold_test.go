package trader_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/session"
	"candor/app/trader"
)

func (b *bundle) lockWithdrawals(traderID int64, reason string, life time.Duration) error {
	return b.db.InTx(b.Context(), func(tx *db.Tx) error { return b.traders.LockWithdrawalsTx(b.Context(), tx, traderID, reason, life) })
}

func (b *bundle) requireLock(traderID int64, until time.Time, reason string) {
	b.Helper()
	got, why, err := b.traders.WithdrawalLock(b.Context(), traderID)
	require.NoError(b, err)
	require.Equal(b, []any{until, reason}, []any{got.UTC(), why})
}

func TestHeld(t *testing.T) {
	t.Parallel()

	t.Run("TheLongestOfTheLivingOnes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		other := b.register(bert).Trader.ID
		b.requireLock(id, time.Time{}, "")
		require.NoError(t, b.lockWithdrawals(id, trader.LockContactChange, 72*time.Hour))
		b.clock.Advance(time.Hour)
		require.NoError(t, b.lockWithdrawals(id, trader.LockNewDevice, day))
		b.requireLock(id, start.Add(72*time.Hour), "contact_change")
		b.requireLock(other, time.Time{}, "")
		require.NoError(t, b.lockWithdrawals(id, trader.LockPasswordChange, 96*time.Hour))
		b.requireLock(id, start.Add(97*time.Hour), "password_change")
		b.clock.Set(start.Add(97*time.Hour - time.Millisecond))
		b.requireLock(id, start.Add(97*time.Hour), "password_change")
		b.clock.Set(start.Add(97 * time.Hour))
		b.requireLock(id, time.Time{}, "")
		require.EqualValues(t, 3, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.hold'`))
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE after = '{"reason":"new_device","until":"2026-11-21T13:00:00Z"}'`))
	})
	t.Run("OnlyForAReasonThatIsKnownAndAWhile", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		require.Error(t, b.lockWithdrawals(id, "because", day))
		require.Error(t, b.lockWithdrawals(id, trader.LockAuthenticatorChange, 0))
		require.Zero(t, b.locks())
		require.NotContains(t, b.acts(), "trader.hold")
	})
	t.Run("IsNeverTakenBack", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		require.NoError(t, b.lockWithdrawals(id, trader.LockAuthenticatorChange, day))
		for _, statement := range []string{`UPDATE withdrawal_locks SET until_at = from_at`, `DELETE FROM withdrawal_locks`} {
			_, err := b.db.Pool.Exec(t.Context(), statement)
			require.ErrorContains(t, err, "permission denied")
		}
	})
}

func TestANewDeviceHoldsMoney(t *testing.T) {
	t.Parallel()
	// Two ways to log in, from a known device and from a new one.
	ways := map[string]func(b *bundle, opened trader.Opened, d session.Device) error{
		"ByPassword": func(b *bundle, _ trader.Opened, d session.Device) error {
			_, err := b.login(anna, password, b.loginCode(anna), d)
			return err
		},
		"ByCode": func(b *bundle, opened trader.Opened, d session.Device) error {
			code, _, err := b.traders.CreateLoginCode(b.Context(), b.principal(opened.Token))
			require.NoError(b, err)
			b.clock.Advance(session.ResendAfter - time.Second)
			_, err = b.traders.LoginByCode(b.Context(), code, d, "trace-0003")
			return err
		},
	}
	notices := func(b *bundle) (n int) {
		for _, m := range b.messages(anna) {
			if strings.Contains(m.Subject, "message.new_device.subject") {
				n++
			}
		}
		return n
	}
	for name, enter := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			opened := b.register(anna)
			id := opened.Trader.ID
			b.requireLock(id, time.Time{}, "")
			require.NoError(t, enter(b, opened, device(1)))
			b.requireLock(id, time.Time{}, "")
			require.Zero(t, notices(b), "it registered from there")

			strange := device(2)
			strange.UserAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
			require.NoError(t, enter(b, opened, from(strange, otherIP)))
			entered := b.clock.Now()
			b.requireLock(id, entered.Add(day), "new_device")
			require.Equal(t, 1, notices(b))
			require.Equal(t, "de message.new_device.body map[device:Chrome, Windows ip:198.51.100.1 time:"+entered.Format("2006-01-02 15:04")+" UTC]", b.messages(anna)[0].Body)

			require.NoError(t, enter(b, opened, from(strange, ip)))
			require.EqualValues(t, 1, b.locks(), "it is known now, wherever it is")
			require.Equal(t, 1, notices(b))
			b.clock.Set(entered.Add(day - time.Minute))
			b.requireLock(id, entered.Add(day), "new_device")
			b.clock.Set(entered.Add(day))
			b.requireLock(id, time.Time{}, "")

			require.NoError(t, enter(b, opened, device(3)))
			b.requireLock(id, b.clock.Now().Add(day), "new_device")
			require.Equal(t, 2, notices(b))
		})
	}
	t.Run("WhoIsRefusedHoldsNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		code := b.loginCode(anna)
		for _, try := range [][2]string{{"wrong password", code}, {password, ""}, {password, "000000x"}} {
			_, err := b.login(anna, try[0], try[1], device(2))
			require.Error(t, err)
		}
		b.requireLock(id, time.Time{}, "")
		require.Zero(t, notices(b))
	})
	t.Run("TheSameDeviceOfSomebodyElseIsNew", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id, other := b.register(anna).Trader.ID, b.register(bert).Trader.ID
		_, err := b.login(anna, password, b.loginCode(anna), device(2))
		require.NoError(t, err)
		b.requireLock(id, b.clock.Now().Add(day), "new_device")
		b.requireLock(other, time.Time{}, "")
	})
}
