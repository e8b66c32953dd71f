package trader_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/trader"
)

func (b *bundle) hold(traderID int64, reason string, life time.Duration) error {
	return b.db.InTx(b.Context(), func(tx *db.Tx) error { return b.traders.HoldTx(b.Context(), tx, traderID, reason, life) })
}

func (b *bundle) requireHeld(traderID int64, until time.Time, reason string) {
	b.Helper()
	got, why, err := b.traders.Held(b.Context(), traderID)
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
		b.requireHeld(id, time.Time{}, "")
		require.NoError(t, b.hold(id, trader.HoldContactChange, 72*time.Hour))
		b.clock.Advance(time.Hour)
		require.NoError(t, b.hold(id, trader.HoldNewDevice, day))
		b.requireHeld(id, start.Add(72*time.Hour), "contact_change")
		b.requireHeld(other, time.Time{}, "")
		require.NoError(t, b.hold(id, trader.HoldPasswordChange, 96*time.Hour))
		b.requireHeld(id, start.Add(97*time.Hour), "password_change")
		b.clock.Set(start.Add(97*time.Hour - time.Millisecond))
		b.requireHeld(id, start.Add(97*time.Hour), "password_change")
		b.clock.Set(start.Add(97 * time.Hour))
		b.requireHeld(id, time.Time{}, "")
		require.EqualValues(t, 3, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.hold'`))
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE after = '{"reason":"new_device","until":"2026-11-21T13:00:00Z"}'`))
	})
	t.Run("OnlyForAReasonThatIsKnownAndAWhile", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		require.Error(t, b.hold(id, "because", day))
		require.Error(t, b.hold(id, trader.HoldAuthenticatorChange, 0))
		require.Zero(t, b.holds())
		require.NotContains(t, b.acts(), "trader.hold")
	})
	t.Run("IsNeverTakenBack", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		require.NoError(t, b.hold(id, trader.HoldAuthenticatorChange, day))
		for _, statement := range []string{`UPDATE money_out_holds SET until_at = from_at`, `DELETE FROM money_out_holds`} {
			_, err := b.db.Pool.Exec(t.Context(), statement)
			require.ErrorContains(t, err, "permission denied")
		}
	})
}
