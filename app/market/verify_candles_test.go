package market

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
)

func TestVerifyCandlesNamesTheFirstWrongOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, bid := range []string{"1.10000", "1.10020", "1.10010"} {
		b.say("EURUSD", bid, "1.10030")
		b.say("BTCUSD", "90000.00", "90001.00")
		b.time.Advance(40 * time.Second)
	}
	b.flush()
	const minute = ` WHERE product_id = 1 AND period = 60 AND start_ms = (SELECT min(start_ms) FROM candles WHERE period = 60)`
	tests := []struct{ name, sql, row, what string }{
		{"AnOpen", `UPDATE candles SET open = open + 1` + minute, "product 1, period 60, 2026-11-24T15:00:00Z", "is 110001 110020 110000 110020 2, the tape draws 110000 110020 110000 110020 2 (open, high, low, close, ticks)"},
		{"AHigh", `UPDATE candles SET high = high + 1` + minute, "product 1, period 60, 2026-11-24T15:00:00Z", "is 110000 110021"},
		{"ALow", `UPDATE candles SET low = low - 1` + minute, "product 1, period 60, 2026-11-24T15:00:00Z", "is 110000 110020 109999"},
		{"AClose", `UPDATE candles SET close = close - 1` + minute, "product 1, period 60, 2026-11-24T15:00:00Z", "is 110000 110020 110000 110019"},
		{"ACountOfTicks", `UPDATE candles SET ticks = 3` + minute, "product 1, period 60, 2026-11-24T15:00:00Z", "is 110000 110020 110000 110020 3"},
		{"ARemovedOne", `DELETE FROM candles` + minute, "product 1, period 60, 2026-11-24T15:00:00Z", "is missing: the tape draws 110000 110020 110000 110020 2"},
		{"OneTooMany", `INSERT INTO candles VALUES (2, 300, 1764000000000, 1, 1, 1, 1, 1)`, "product 2, period 300, 2025-11-24T16:00:00Z", "is drawn from no quote of the tape"},
		{"OneAtAnotherTime", `UPDATE candles SET start_ms = start_ms - 1` + minute, "product 1, period 60, 2026-11-24T14:59:59Z", "is drawn from no quote of the tape"},
		{"AWeek", `UPDATE candles SET high = high + 1 WHERE product_id = 201 AND period = 604800`, "product 201, period 604800, 2026-11-23T00:00:00Z", "is 9000000 9000001"},
		{"APeriodThatIsNotDrawn", `INSERT INTO candles VALUES (1, 120, 1764000000000, 1, 1, 1, 1, 1)`, "product 1, period 120, 2025-11-24T16:00:00Z", "is of a period that is not drawn"},
		{"TheFirstOfTwo", `UPDATE candles SET close = close + 1 WHERE period = 3600`, "product 1, period 3600, 2026-11-24T15:00:00Z", ""},
	}
	problem, proved, err := VerifyCandles(t.Context(), b.db)
	require.NoError(t, err)
	require.Nil(t, problem)
	require.EqualValues(t, b.count(`SELECT count(*) FROM candles`), proved)
	b.tamper(`CREATE TABLE kept AS TABLE candles`)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Positive(t, b.tamper(test.sql))
			problem, _, err := VerifyCandles(t.Context(), b.db)
			require.NoError(t, err)
			require.NotNil(t, problem)
			require.Equal(t, audit.Problem{Table: "candles", Row: test.row, What: problem.What}, *problem)
			require.Contains(t, problem.What, test.what)
			b.tamper(`DELETE FROM candles`)
			b.tamper(`INSERT INTO candles TABLE kept`)
		})
	}
}

// TestVerifyCandlesPassesOverWhatTheNextFlushSeals checks that a fill's quote enters a candle when its batch is sealed, not before.
func TestVerifyCandlesPassesOverWhatTheNextFlushSeals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proves := func(want int64) {
		t.Helper()
		problem, proved, err := VerifyCandles(t.Context(), b.db)
		require.NoError(t, err)
		require.Nil(t, problem)
		require.Equal(t, want, proved)
	}
	proves(0)
	b.say("BTCUSD", "90000.00", "90001.00")
	b.flush()
	proves(int64(len(Periods)))
	b.time.Advance(time.Hour)
	b.say("BTCUSD", "91000.00", "91001.00")
	require.NoError(t, b.record(b.newest(btcusd)))
	proves(int64(len(Periods)))
	b.crash()
	b.crash()
	require.Greater(t, b.count(`SELECT count(*) FROM candles`), len(Periods))
	problem, _, err := VerifyCandles(t.Context(), b.db)
	require.NoError(t, err)
	require.Nil(t, problem, "after the crash the left quote is sealed and drawn")
}
