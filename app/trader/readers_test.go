package trader_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/notice"
	"candor/app/platform/db"
	"candor/app/trader"
)

// TestReaders reads a registered trader, a guest and nobody.
func TestReaders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	anna := b.register(anna).Trader
	guest := b.guest().Trader

	readers := trader.Readers{DB: b.db}
	read := func(id int64) notice.Reader {
		r, err := readers.Reader(t.Context(), id)
		require.NoError(t, err)
		r.Since, r.AcceptedAt = r.Since.UTC(), r.AcceptedAt.UTC()
		return r
	}
	now := b.clock.Now()
	require.Equal(t, notice.Reader{Since: now, AcceptedAt: now}, read(anna.ID))
	require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error { return trader.SetAuthTx(tx, anna.ID, trader.AuthPassed, 1) }))
	require.True(t, read(anna.ID).Verified)
	require.Equal(t, notice.Reader{Since: now}, read(guest.ID), "a guest has accepted nothing")
	require.Equal(t, notice.Reader{}, read(1))

	count := func(countries, languages []string, verified bool, limit int) int64 {
		n, err := readers.Count(t.Context(), countries, languages, verified, limit)
		require.NoError(t, err)
		return n
	}
	require.EqualValues(t, 1, count(nil, nil, false, 9), "the guest is not registered")
	require.EqualValues(t, 1, count([]string{anna.Country}, []string{anna.Language}, true, 9))
	require.EqualValues(t, 0, count([]string{"XX"}, nil, false, 9))
	require.EqualValues(t, 0, count(nil, []string{"xx"}, false, 9))
	require.EqualValues(t, 0, count(nil, nil, false, 0))

	guests, err := trader.Guests(t.Context(), b.db.Pool, anna.ID, guest.ID, 1)
	require.NoError(t, err)
	require.Equal(t, map[int64]bool{guest.ID: true}, guests)
}
