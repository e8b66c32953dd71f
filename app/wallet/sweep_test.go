package wallet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/wallet"
)

// sweep runs SweepQuotes and returns its count.
func (b *bundle) sweep() int64 {
	b.Helper()
	n, err := b.wallet.SweepQuotes(b.Context())
	require.NoError(b, err)
	return n
}

// quoted are the ids of the stored quotes.
func (b *bundle) quoted() (ids []int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM exchange_quotes`).Scan(&ids))
	return ids
}

func TestSweepQuotes(t *testing.T) {
	t.Parallel()

	t.Run("OnlyThoseThatNobodyTookADayAfterTheirEnd", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		b.fundUSDT(o, 100*usdt)
		b.clock.Set(time.Now().Add(-24*time.Hour - time.Minute)) // the database uses its own time
		old, taken := b.quote(o, "USDT", "USD", wallet.PaidSide, usdt), b.quote(o, "USDT", "BTC", wallet.PaidSide, 10*usdt)
		_, err := b.exchange(o, taken.ID)
		require.NoError(t, err)
		b.clock.Set(time.Now().Add(-24*time.Hour + 10*time.Minute))
		young := b.quote(o, "USDT", "USD", wallet.PaidSide, usdt)
		b.clock.Set(time.Now())
		valid := b.quote(o, "USDT", "USD", wallet.PaidSide, usdt)
		require.Equal(t, []int64{old.ID, taken.ID, young.ID, valid.ID}, b.quoted())

		require.EqualValues(t, 1, b.sweep())
		require.Equal(t, []int64{taken.ID, young.ID, valid.ID}, b.quoted())
		require.Zero(t, b.sweep())
		_, err = b.exchange(o, valid.ID)
		require.NoError(t, err, "what holds can be taken")
		_, err = b.exchange(o, old.ID)
		require.ErrorIs(t, err, wallet.ErrQuote)
		_, err = b.exchange(o, taken.ID)
		require.ErrorIs(t, err, wallet.ErrQuoteExpired)
		b.requireProved()
	})
	t.Run("ManyGoInBatches", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(0)
		b.fundUSDT(o, 100*usdt)
		b.clock.Set(time.Now().Add(-48 * time.Hour))
		fill := func(n int) {
			_, err := b.db.Pool.Exec(t.Context(), `
				INSERT INTO exchange_quotes (trader_id, from_currency, to_currency, given, from_amount, to_amount, fee, spread, rate, created_at, expires_at)
				SELECT $1, 'USDT', 'USD', 'from', 1, 1, 0, 0, 1, $2, $2::timestamptz + interval '15 seconds' FROM generate_series(1, $3)`, o.TraderID, b.clock.Now().Add(-time.Hour), n)
			require.NoError(t, err)
		}
		fill(700)
		first := b.quote(o, "USDT", "USD", wallet.PaidSide, usdt)
		_, err := b.exchange(o, first.ID)
		require.NoError(t, err)
		fill(1_500)
		require.EqualValues(t, 2_200, b.sweep())
		require.Equal(t, []int64{first.ID}, b.quoted())
		b.requireProved()
	})
}
