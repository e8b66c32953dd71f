package market

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAQuoteIsInTheMonthOfItsArrival stores quotes on both sides of the end of a month, by fills and by the tape: each is there once.
func TestAQuoteIsInTheMonthOfItsArrival(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, month := range []string{"01-01') TO ('2031-02", "02-01') TO ('2031-03"} {
		name := "tape_quotes_2031_" + month[:2]
		b.tamper(`CREATE TABLE ` + name + ` PARTITION OF tape_quotes FOR VALUES FROM ('2031-` + month + `-01')`)
		b.tamper(`CREATE UNIQUE INDEX ON ` + name + ` (product_id, seq)`)
	}
	january := time.Date(2031, 1, 31, 23, 59, 59, 0, time.UTC)
	b.real.Advance(january.Sub(b.real.Now()))
	b.say("EURUSD", "1.10000", "1.10010")
	b.say("EURUSD", "1.10001", "1.10011")
	second := b.newest(eurusd)
	require.NoError(t, b.record(second), "a fill before the tape")
	b.say("EURUSD", "1.10002", "1.10012")
	third := b.newest(eurusd)

	b.real.Advance(2 * time.Second)
	b.say("EURUSD", "1.10003", "1.10013")
	require.NoError(t, b.record(second, third, b.newest(eurusd)), "a fill in the new month names quotes of the old one")
	b.flush()
	b.real.Advance(-3 * time.Second)
	b.say("EURUSD", "1.10004", "1.10014")
	b.flush()
	b.crash()
	b.say("EURUSD", "1.10005", "1.10015")
	b.flush()

	days := map[int64]string{}
	for _, q := range b.tape(eurusd) {
		days[q.Seq] = time.Unix(int64(q.StoredOn)*24*60*60, 0).UTC().Format(time.DateOnly)
	}
	const old, next = "2031-01-31", "2031-02-01"
	require.Equal(t, map[int64]string{1: old, 2: old, 3: old, 4: next, 5: next, 6: next}, days, "a clock that goes back changes no day")
	require.Equal(t, 3, b.count(`SELECT count(*) FROM tape_quotes_2031_01`))
	b.proves(6)

	late := b.newest(eurusd)
	late.StoredOn = 0
	require.Error(t, b.record(late), "the same number in another month")
	b.proves(6)
}
