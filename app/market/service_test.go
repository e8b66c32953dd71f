package market

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/platform/seal"
)

func seqs(quotes []Quote) (out []int64) {
	for _, q := range quotes {
		out = append(out, q.Seq)
	}
	return out
}

func TestSequences(t *testing.T) {
	t.Parallel()
	t.Run("AreContiguousPerProductAndSkipNothingThatWasRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, bid := range []string{"1.10000", "NaN", "1.10001", "1.99999", "1.10002"} {
			b.say("EURUSD", bid, bid)
			b.say("BTCUSD", "90000.00", "90001.00")
		}
		b.market.ingest(b.raw("UNKNOWN", "1", "2"), false)
		b.flush()
		require.Equal(t, []int64{1, 2, 3}, seqs(b.tape(eurusd)))
		require.Equal(t, []int64{1, 2, 3, 4, 5}, seqs(b.tape(btcusd)))
		require.Equal(t, map[Rejection]int64{rejectedNumber: 1, rejectedSpike: 1}, b.market.Rejections())
		require.Len(t, b.heard, 8)
		require.Equal(t, "script", b.heard[0].Source)
	})
	t.Run("GoOnAboveTheTapeAfterARestart", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.Empty(t, b.feed.lasts)
		b.say("EURUSD", "1.10000", "1.10010")
		b.say("EURUSD", "1.10001", "1.10011")
		last := b.newest(eurusd)
		b.flush()
		b.crash()
		require.Equal(t, last, b.newest(eurusd))
		require.Equal(t, map[string]Last{"EURUSD": {"1.10001", "1.10011", last.At()}}, b.feed.lasts, "the feed learns where to go on")
		b.say("EURUSD", "1.10002", "1.10012")
		b.flush()
		require.Equal(t, []int64{1, 2, 3}, seqs(b.tape(eurusd)))
		b.proves(3)
	})
	t.Run("GoOnAboveWhatAFillWroteAfterACrash", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.say("EURUSD", "1.10000", "1.10010")
		b.flush()
		b.say("EURUSD", "1.10001", "1.10011") // lost in the crash
		b.say("EURUSD", "1.10002", "1.10012")
		named := b.newest(eurusd)
		require.NoError(t, b.record(named))
		b.crash()
		require.Equal(t, named, b.newest(eurusd))
		b.say("EURUSD", "1.10003", "1.10013")
		b.flush()
		require.Equal(t, []int64{1, 3, 4}, seqs(b.tape(eurusd)), "no number is given twice")
		b.proves(3)
	})
	t.Run("StartAnewForWhatTheCrashTookUnseen", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.say("EURUSD", "1.10000", "1.10010")
		b.flush()
		b.say("EURUSD", "1.10001", "1.10011")
		b.crash()
		require.EqualValues(t, 1, b.newest(eurusd).Seq)
	})
}

func TestSpike(t *testing.T) {
	t.Parallel()
	t.Run("HaltsTheProductUntilItIsOver", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.say("EURUSD", "1.10000", "1.10010")
		b.say("USDJPY", "150.000", "150.010")
		b.say("EURUSD", "1.20000", "1.20010")
		q, err := b.market.Tradable(eurusd)
		require.ErrorIs(t, err, ErrHalted)
		require.EqualValues(t, 110_000, q.Bid, "the confirmed price stays")
		status, err := b.market.Status(eurusd)
		require.NoError(t, err)
		require.True(t, status.Halted && status.Open)
		_, err = b.market.Tradable(usdjpy)
		require.NoError(t, err, "the others go on")
		for range confirmations - 1 {
			b.say("EURUSD", "1.10001", "1.10011")
			_, err = b.market.Tradable(eurusd)
			require.ErrorIs(t, err, ErrHalted, "not yet three good ones")
		}
		b.say("EURUSD", "1.10001", "1.10011")
		_, err = b.market.Tradable(eurusd)
		require.NoError(t, err)
		require.Equal(t, []int{eurusd, eurusd}, b.halts, "told when it began and when it ended, and nothing else")
		b.flush()
		require.Len(t, b.tape(eurusd), 4, "the spike is not on the tape")
		require.EqualValues(t, 110_001, b.market.Figures(eurusd).High, "nor in the figures")
		require.Len(t, b.heard, 5, "nobody heard of it")
	})
	t.Run("IsBelievedWhenThreeAgree", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.say("EURUSD", "1.10000", "1.10010")
		for range confirmations {
			b.say("EURUSD", "1.20000", "1.20010")
		}
		q, err := b.market.Tradable(eurusd)
		require.NoError(t, err)
		require.EqualValues(t, 120_000, q.Bid)
		require.EqualValues(t, 2, q.Seq)
	})
	t.Run("IsHeldAfterARestartToo", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 3 {
			b.say("EURUSD", "1.10000", "1.10010")
		}
		b.flush()
		b.crash()
		b.say("EURUSD", "1.20000", "1.20010")
		_, err := b.market.Tradable(eurusd)
		require.ErrorIs(t, err, ErrHalted)
		for range confirmations {
			b.say("EURUSD", "1.10005", "1.10015")
		}
		_, err = b.market.Tradable(eurusd)
		require.NoError(t, err)
	})
	t.Run("IsHeldAfterABackfillToo", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.feed.past = []Raw{b.raw("EURUSD", "1.10000", "1.10010")}
		b.time.Advance(time.Second)
		require.NoError(t, b.market.Backfill(t.Context()))
		b.say("EURUSD", "1.20000", "1.20010")
		_, err := b.market.Tradable(eurusd)
		require.ErrorIs(t, err, ErrHalted)
	})
	t.Run("AfterASessionBreakIsAWiderMatter", func(t *testing.T) {
		t.Parallel()
		for _, restart := range []bool{false, true} {
			b := setup(t)
			b.time.Set(utc(t, "2026-11-20 21:59"))
			b.say("EURUSD", "1.10000", "1.10010")
			b.say("BTCUSD", "90000.00", "90010.00")
			if restart {
				b.flush()
				b.crash()
			}
			b.time.Set(utc(t, "2026-11-22 22:00"))
			for range confirmations {
				_, err := b.market.Tradable(eurusd)
				require.Error(t, err)
				b.say("EURUSD", "1.12000", "1.12010")
				b.say("BTCUSD", "93000.00", "93010.00")
			}
			_, err := b.market.Tradable(eurusd)
			require.NoError(t, err, "a weekend lies between")
			b.flush()
			require.Len(t, b.tape(eurusd), 1+confirmations, "each of them was believed")
			require.Len(t, b.tape(btcusd), 2, "crypto was open all the time: only the third was")
		}
	})
	t.Run("AfterASessionBreakIsHeldTooWhenItIsVeryFar", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.time.Set(utc(t, "2026-11-20 21:59"))
		b.say("EURUSD", "1.10000", "1.10010")
		b.time.Set(utc(t, "2026-11-22 22:00"))
		b.say("EURUSD", "1.12300", "1.12310")
		require.EqualValues(t, 110_000, b.newest(eurusd).Bid)
		for range confirmations - 1 {
			b.say("EURUSD", "1.12300", "1.12310")
		}
		q, err := b.market.Tradable(eurusd)
		require.NoError(t, err, "three agree")
		require.EqualValues(t, 112_300, q.Bid)
	})
	t.Run("ARestartRemembersTheLevelsSinceTheBreakOnly", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.time.Set(utc(t, "2026-11-20 21:58"))
		for range 5 {
			b.say("EURUSD", "1.10000", "1.10010")
		}
		b.time.Set(utc(t, "2026-11-22 22:00"))
		b.say("EURUSD", "1.12000", "1.12010")
		b.flush()
		b.crash()
		b.say("EURUSD", "1.12010", "1.12020")
		require.EqualValues(t, 112_010, b.newest(eurusd).Bid)
		b.say("EURUSD", "1.10000", "1.10010")
		_, err := b.market.Tradable(eurusd)
		require.ErrorIs(t, err, ErrHalted)
		require.EqualValues(t, 112_010, b.newest(eurusd).Bid)
	})
	t.Run("AfterANightIsAWiderMatterForAStock", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.time.Set(utc(t, "2026-11-23 20:59"))
		b.say("AAPL", "200.00", "200.05")
		b.time.Set(utc(t, "2026-11-24 14:30"))
		for range confirmations {
			b.say("AAPL", "165.00", "165.05")
		}
		_, err := b.market.Tradable(aapl)
		require.NoError(t, err)
		b.say("AAPL", "200.00", "200.05")
		_, err = b.market.Tradable(aapl)
		require.ErrorIs(t, err, ErrHalted, "inside the session the new level counts")
	})
}

func TestQuotesAheadOfMarketTimeAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.say("EURUSD", "1.10000", "1.10010")
	ahead := b.raw("EURUSD", "1.10001", "1.10011")
	ahead.At = ahead.At.Add(aheadLimit + time.Millisecond)
	b.market.ingest(ahead, false)
	require.Equal(t, map[Rejection]int64{rejectedAhead: 1}, b.market.Rejections())
	b.say("EURUSD", "1.10002", "1.10012")
	require.EqualValues(t, 110_002, b.newest(eurusd).Bid, "or every honest quote until then would be out of order")
	ahead = b.raw("EURUSD", "1.10003", "1.10013")
	ahead.At = ahead.At.Add(aheadLimit)
	b.market.ingest(ahead, false)
	require.EqualValues(t, 110_003, b.newest(eurusd).Bid, "clocks differ a little")
}

func TestTradable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, symbol := range []string{"EURUSD", "BTCUSD"} {
		b.say(symbol, "1000", "1001")
	}
	quoted := b.newest(btcusd).At()
	tests := []struct {
		name    string
		product int
		at      time.Time
		want    error
	}{
		{"Now", btcusd, quoted, nil},
		{"AtTheStaleLimit", btcusd, quoted.Add(5 * time.Second), nil},
		{"JustPastTheStaleLimit", btcusd, quoted.Add(5*time.Second + time.Millisecond), ErrStale},
		{"EachProductHasItsOwnLimit", eurusd, quoted.Add(8 * time.Second), nil},
		{"Closed", eurusd, utc(t, "2026-11-28 12:00"), ErrClosed},
		{"ClosedAtTheVeryMoment", eurusd, utc(t, "2026-11-27 22:00"), ErrClosed},
		{"AHoliday", aapl, utc(t, "2026-11-26 15:00"), ErrClosed},
		{"OpenOnTheDayAfter", aapl, utc(t, "2026-11-27 15:00"), ErrNoPrice},
		{"NoPriceYet", usdjpy, quoted, ErrNoPrice},
		{"Unknown", 999, quoted, ErrProduct},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b.time.Set(test.at)
			q, err := b.market.Tradable(test.product)
			require.ErrorIs(t, err, test.want)
			if test.want == nil {
				require.Equal(t, b.newest(test.product), q)
			}
		})
	}
	t.Run("ClosedSaysUntilWhen", func(t *testing.T) {
		b.time.Set(utc(t, "2026-11-28 12:00"))
		_, err := b.market.Tradable(eurusd)
		require.Equal(t, "1795989600000", errs.As(err).Args["until"]) // Sunday 22:00
	})
	t.Run("StatusAgrees", func(t *testing.T) {
		b.time.Set(quoted.Add(6 * time.Second))
		status, err := b.market.Status(btcusd)
		require.NoError(t, err)
		require.Equal(t, Status{Open: true, Stale: true, AgeMS: 6_000}, status)
		b.time.Set(quoted)
		status, err = b.market.Status(usdjpy)
		require.NoError(t, err)
		require.True(t, status.Stale && status.AgeMS == 0, "without a price it is stale")
		_, err = b.market.Status(999)
		require.ErrorIs(t, err, ErrProduct)
	})
}

// TestPriceOfBeforeTheSession quotes a stock two seconds before New York opens at half past nine: 14:30 UTC.
func TestPriceOfBeforeTheSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	opening := utc(t, "2026-11-24 14:30")
	b.time.Set(opening.Add(-5 * time.Second))
	for range 3 {
		b.say("AAPL", "200.00", "200.10")
	}
	require.False(t, b.newest(aapl).At().After(opening))
	b.time.Set(opening.Add(time.Second))
	_, err := b.market.Tradable(aapl)
	require.ErrorIs(t, err, ErrStale, "seconds old, but of before the session")
	status, err := b.market.Status(aapl)
	require.NoError(t, err)
	require.True(t, status.Open && status.Stale)
	b.say("AAPL", "200.01", "200.11")
	q, err := b.market.Tradable(aapl)
	require.NoError(t, err)
	require.EqualValues(t, 200_01, q.Bid)
}

func TestBackfill(t *testing.T) {
	t.Parallel()
	b := setup(t)
	start := b.time.Now()
	for i, bid := range []string{"1.10000", "1.50000", "1.20000"} { // past prices may have jumped
		raw := b.raw("EURUSD", bid, "1.60000")
		raw.At = start.Add(time.Duration(i-10) * time.Minute)
		b.feed.past = append(b.feed.past, raw)
	}
	ahead := b.raw("EURUSD", "1.10000", "1.10010")
	ahead.At = start.Add(time.Hour)
	b.feed.past = append(b.feed.past, ahead)
	require.NoError(t, b.market.Backfill(t.Context()))
	require.Equal(t, []int64{1, 2, 3}, seqs(b.tape(eurusd)))
	require.Empty(t, b.heard, "nobody trades on the past")
	b.proves(3)
	candles, err := b.market.Klines(t.Context(), eurusd, 60, time.Time{}, 10)
	require.NoError(t, err)
	require.Equal(t, redrawn(b.tape(eurusd), 60), candles)
	_, err = b.market.Tradable(eurusd)
	require.ErrorIs(t, err, ErrStale)
}

func TestBackfillStoresAsItGoes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 3 {
		b.feed.past = append(b.feed.past, b.raw("EURUSD", "1.10000", "1.10010"))
		b.time.Advance(time.Second)
	}
	b.market.tape.pending = pendingLimit/4 - 2 // simulates a large unsaved history
	require.NoError(t, b.market.Backfill(t.Context()))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM tape_heads`), "the first two, and the rest")
	b.proves(3)
}

// simulate replaces the bundle's feed by the simulated one.
func (b *bundle) simulate() {
	b.t.Helper()
	b.market = New(Config{DB: b.db, Feed: NewSimulated(1, b.time), Clock: b.real, Key: b.key, Checkpoints: b.outside})
	b.heard, b.halts = nil, nil
	b.market.OnQuote(func(q Quote) { b.heard = append(b.heard, q) })
	require.NoError(b.t, b.market.Load(b.t.Context()))
}

// live emits a quote of the simulated feed for each product that is due within d.
func (b *bundle) live(d time.Duration) {
	b.t.Helper()
	steps(b.market.feed.(*Simulated), d, func(raw Raw) {
		b.time.Set(raw.At)
		b.market.ingest(raw, false)
	})
}

func TestFirstStart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.simulate()
	require.NoError(t, b.market.Backfill(t.Context()))
	require.Len(t, b.tape(btcusd), 1, "one quote on the tape, of now")
	require.Equal(t, b.time.Now(), b.tape(btcusd)[0].At())
	require.Empty(t, b.heard)
	b.proves(len(Catalogue()))

	t.Run("ChartsReachBackTwoYears", func(t *testing.T) {
		days := b.pageBack(btcusd, 86_400, 300)
		require.Len(t, days, 732)
		require.Len(t, b.pageBack(eurusd, 604_800, 1_000), 106)
		for i := 1; i < len(days); i++ {
			require.Equal(t, days[i-1].StartMS+dayMS, days[i].StartMS)
			require.Equal(t, days[i-1].Close, days[i].Open)
		}
		for _, limit := range []int{7, 1_000} {
			require.Equal(t, b.pageBack(aapl, 3_600, KlineLimit), b.pageBack(aapl, 3_600, limit), "pages of %d", limit)
		}
	})
	t.Run("TheDayHasFigures", func(t *testing.T) {
		f := b.market.Figures(btcusd)
		five := b.pageBack(btcusd, windowPeriod, KlineLimit)
		day := five[len(five)-289:]
		require.Equal(t, day[0].Open, f.Open)
		require.Equal(t, day[288].Close, f.Close)
		require.Greater(t, f.High, max(f.Open, f.Close))
		require.Len(t, f.Line, 49)
	})
	t.Run("TradingBeginsWithTheThirdQuote", func(t *testing.T) {
		before := b.pageBack(btcusd, 60, KlineLimit)
		for n := 1; n <= confirmations; n++ {
			_, err := b.market.Tradable(btcusd)
			require.ErrorIs(t, err, ErrHalted)
			for heard := len(b.heard); len(b.heard) == heard; {
				b.live(50 * time.Millisecond)
				b.heard = slices.DeleteFunc(b.heard, func(q Quote) bool { return q.ProductID != btcusd })
			}
		}
		_, err := b.market.Tradable(btcusd)
		require.NoError(t, err)
		require.Empty(t, b.market.Rejections(), "the live quotes go on where the history ended")
		after := b.pageBack(btcusd, 60, KlineLimit)
		require.Equal(t, before[:len(before)-1], after[:len(before)-1])
		require.InEpsilon(t, before[len(before)-1].Close, after[len(before)-1].Close, 0.002)
	})
	t.Run("AnotherStartDrawsNothingTwice", func(t *testing.T) {
		b.flush()
		rows, charts := b.count(`SELECT count(*) FROM history_candles`), b.pageBack(btcusd, 3_600, KlineLimit)
		figures := b.market.Figures(btcusd)
		b.simulate()
		require.NoError(t, b.market.Backfill(t.Context()))
		require.Equal(t, rows, b.count(`SELECT count(*) FROM history_candles`))
		require.Equal(t, charts, b.pageBack(btcusd, 3_600, KlineLimit))
		require.Equal(t, figures, b.market.Figures(btcusd))
	})
	problem, _, err := VerifyCandles(t.Context(), b.db)
	require.NoError(t, err)
	require.Nil(t, problem)
}

// TestFirstStartAtAWeekend checks that a closed market has the price with which it closed, and opens with three quotes.
func TestFirstStartAtAWeekend(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.time.Set(utc(t, "2026-11-29 21:59"))
	b.simulate()
	require.NoError(t, b.market.Backfill(t.Context()))
	require.Equal(t, utc(t, "2026-11-27 22:00").Add(-time.Millisecond), b.newest(eurusd).At())
	require.Equal(t, b.newest(eurusd).Bid, b.market.Figures(eurusd).Close)
	require.Greater(t, len(b.market.Figures(eurusd).Line), 40)
	status, err := b.market.Status(eurusd)
	require.NoError(t, err)
	require.False(t, status.Open || status.Halted, "closed, and nothing else")
	status, err = b.market.Status(btcusd)
	require.NoError(t, err)
	require.True(t, status.Open && status.Halted)
	days := b.pageBack(eurusd, 86_400, KlineLimit)
	require.Equal(t, utc(t, "2026-11-27 00:00").UnixMilli(), days[len(days)-1].StartMS)

	good := 0
	b.market.OnQuote(func(q Quote) {
		if q.ProductID != eurusd {
			return
		}
		good++
		_, err := b.market.Tradable(eurusd)
		require.Equal(t, good >= confirmations, err == nil, "quote %d: %v", good, err)
	})
	b.live(time.Minute + 10*time.Second)
	require.Greater(t, good, confirmations)
	require.Empty(t, b.market.Rejections())
	days = b.pageBack(eurusd, 86_400, KlineLimit)
	require.Equal(t, utc(t, "2026-11-29 00:00").UnixMilli(), days[len(days)-1].StartMS)
	weeks := b.pageBack(eurusd, 604_800, KlineLimit)
	week := weeks[len(weeks)-1]
	require.Equal(t, utc(t, "2026-11-23 00:00").UnixMilli(), week.StartMS)
	require.Equal(t, days[len(days)-1].Close, week.Close, "a Sunday belongs to the week before")
	require.Equal(t, days[len(days)-6].Open, week.Open)
}

// TestHistoryIsStoredWithItsQuotesOrNotAtAll stops a first start before its commit.
func TestHistoryIsStoredWithItsQuotesOrNotAtAll(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.feed.past = []Raw{b.raw("BTCUSD", "90000.00", "90001.00")}
	b.feed.drawn = []Candle{{ProductID: btcusd, Period: 60, StartMS: candleStart(b.time.Now().UnixMilli(), 60) - 60_000, Open: 1, High: 1, Low: 1, Close: 1, Ticks: 1}}
	past, drawn := b.feed.past, b.feed.drawn
	b.tamper(`ALTER TABLE tape_heads RENAME TO hidden`)
	require.Error(t, b.market.Backfill(t.Context()))
	b.tamper(`ALTER TABLE hidden RENAME TO tape_heads`)
	require.Zero(t, b.count(`SELECT count(*) FROM history_candles`)+len(b.tape(btcusd)))
	b.crash()
	b.feed.past, b.feed.drawn = past, drawn
	require.NoError(t, b.market.Backfill(t.Context()))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM history_candles`))
	require.Len(t, b.tape(btcusd), 1)
}

// TestHistoryMeetsTheTape gives Bitcoin a history before the tape and two gaps in one hour. Prices are 100 times the number of their minute.
func TestHistoryMeetsTheTape(t *testing.T) {
	t.Parallel()
	b := setup(t)
	hour := b.time.Now().UnixMilli()
	minute := func(n int64) Candle {
		return Candle{ProductID: btcusd, Period: 60, StartMS: hour + n*60_000, Open: n * 100, High: n*100 + 30, Low: n*100 - 20, Close: n*100 + 10, Ticks: 50}
	}
	whole := func(from, until int64) Candle {
		c := minute(from)
		for n := from + 1; n <= until; n++ {
			c.join(minute(n))
		}
		c.Period, c.StartMS = 3_600, candleStart(c.StartMS, 3_600)
		return c
	}
	quote := func(ms, bid int64) {
		b.time.Set(time.UnixMilli(ms).UTC())
		b.market.ingest(b.raw("BTCUSD", money.Format(bid, 2), money.Format(bid+5, 2)), true)
	}
	gap := func(untilMS, bid int64, candles ...Candle) {
		b.crash()
		b.time.Set(time.UnixMilli(untilMS).UTC())
		b.feed.past, b.feed.drawn = []Raw{b.raw("BTCUSD", money.Format(bid, 2), money.Format(bid+5, 2))}, candles
		require.NoError(t, b.market.Backfill(t.Context()))
	}
	gap(hour+11*60_000-20_000, 1_010, minute(9), minute(10), whole(9, 10))
	quote(hour+11*60_000-10_000, 1_040)
	quote(hour+12*60_000+5_000, 1_205)
	b.flush()
	gap(hour+30*60_000+20_000, 3_020, minute(12), minute(13), minute(29), minute(30), whole(12, 30))
	b.flush()
	gap(hour+61*60_000, 6_110, minute(30), minute(31), minute(60), whole(30, 59), whole(60, 60))

	get := func(period int) map[int64]Candle {
		out := map[int64]Candle{}
		for _, limit := range []int{2, KlineLimit} {
			for _, c := range b.pageBack(btcusd, period, limit) {
				if before, ok := out[(c.StartMS-hour)/60_000]; ok {
					require.Equal(t, before, c, "pages of %d", limit)
				}
				out[(c.StartMS-hour)/60_000] = c
			}
		}
		return out
	}
	minutes := get(60)
	require.Equal(t, minute(9), minutes[9], "history alone")
	require.Equal(t, Candle{btcusd, 60, hour + 10*60_000, 1_000, 1_040, 980, 1_040, 52}, minutes[10], "history, then the tape")
	require.Equal(t, Candle{btcusd, 60, hour + 12*60_000, 1_205, 1_230, 1_180, 1_210, 51}, minutes[12], "the tape, then history")
	require.Equal(t, Candle{btcusd, 60, hour + 30*60_000, 3_000, 3_030, 2_980, 3_010, 101}, minutes[30], "history, the tape, and history")
	require.Equal(t, Candle{btcusd, 60, hour + 61*60_000, 6_110, 6_110, 6_110, 6_110, 1}, minutes[61], "the tape alone")
	hours := get(3_600)
	require.Equal(t, Candle{btcusd, 3_600, hour, 900, 5_930, 880, 5_910, 50*(2+19+30) + 4}, hours[0], "three histories and the tape between them")
	require.Equal(t, Candle{btcusd, 3_600, hour + 60*60_000, 6_000, 6_110, 5_980, 6_110, 51}, hours[60])
	problem, _, err := VerifyCandles(t.Context(), b.db)
	require.NoError(t, err)
	require.Nil(t, problem)
}

// TestTheFirstQuotesAfterAGap checks that a gap over which the price moved far halts nothing longer than three quotes.
func TestTheFirstQuotesAfterAGap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 30 {
		b.say("BTCUSD", "90000.00", "90001.00")
	}
	b.flush()
	b.crash()
	b.time.Advance(30 * time.Hour)
	b.feed.past = []Raw{b.raw("BTCUSD", "60000.00", "60001.00")}
	b.feed.drawn = []Candle{{ProductID: btcusd, Period: 60, StartMS: candleStart(b.time.Now().UnixMilli(), 60) - 60_000, Open: 9_000_000, High: 9_000_000, Low: 6_000_000, Close: 6_000_000, Ticks: 1}}
	require.NoError(t, b.market.Backfill(t.Context()))
	for range confirmations {
		_, err := b.market.Tradable(btcusd)
		require.ErrorIs(t, err, ErrHalted)
		b.say("BTCUSD", "60010.00", "60011.00")
	}
	_, err := b.market.Tradable(btcusd)
	require.NoError(t, err)
	require.Empty(t, b.market.Rejections())
	require.Equal(t, []int{btcusd}, b.halts, "told once, when it ended")
	b.say("BTCUSD", "90000.00", "90001.00")
	_, err = b.market.Tradable(btcusd)
	require.ErrorIs(t, err, ErrHalted, "what it was before the gap is far now")
}

func TestFeedsDoNotMixOnOneTape(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.say("EURUSD", "1.10000", "1.10010")
	b.flush()
	other := New(Config{DB: b.db, Feed: NewSimulated(1, b.time), Clock: b.real, Key: b.key, Checkpoints: b.outside})
	require.ErrorContains(t, other.Load(t.Context()), "this database holds prices of the script feed")
	b.crash() // the same feed continues
}

// choosy is a feed that prices only Bitcoin.
type choosy struct{ *script }

func (choosy) Covers(p Product) bool { return p.ID == btcusd }

func TestOnlyWhatTheFeedPricesIsOffered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.market = New(Config{DB: b.db, Feed: choosy{b.feed}, Clock: b.real, Key: b.key, Checkpoints: b.outside})
	require.NoError(t, b.market.Load(t.Context()))
	require.Len(t, b.market.Products(), 1)
	require.Equal(t, []int{btcusd}, b.market.Hot())
	_, err := b.market.ProductBySymbol("EURUSD")
	require.ErrorIs(t, err, ErrProduct)
	b.say("EURUSD", "1.10000", "1.10010")
	_, err = b.market.Tradable(eurusd)
	require.ErrorIs(t, err, ErrProduct)
	b.say("BTCUSD", "90000.00", "90001.00")
	_, err = b.market.Tradable(btcusd)
	require.NoError(t, err)
}

func TestRunStoresWhatIsLeftWhenItEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, cancel := context.WithCancel(t.Context())
	parting := make(chan struct{})
	b.market.feed = &partingFeed{b.feed, b.raw("EURUSD", "1.10001", "1.10011"), parting}
	done := make(chan error)
	go func() { done <- b.market.Run(ctx) }()
	b.feed.now <- b.raw("EURUSD", "1.10000", "1.10010")
	cancel()
	close(parting)
	require.NoError(t, <-done)
	require.Equal(t, []int64{1, 2}, seqs(b.tape(eurusd)))
	b.proves(2)
}

// recordNineOfTwo records nine quotes of each of two products.
func (b *bundle) recordNineOfTwo() {
	for range 9 {
		b.say("EURUSD", "1.10000", "1.10010")
		b.say("BTCUSD", "90000.00", "90001.00")
	}
	b.flush()
}

// TestQuotesAround reads the neighbours of a quote, and nothing for a quote that is not on the tape.
func TestQuotesAround(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.recordNineOfTwo()
	around := func(seq int64) []int64 {
		quotes, err := b.market.QuotesAround(t.Context(), eurusd, seq, 2)
		require.NoError(t, err)
		for _, q := range quotes {
			require.Equal(t, eurusd, q.ProductID)
		}
		return seqs(quotes)
	}
	require.Equal(t, []int64{3, 4, 5, 6, 7}, around(5))
	require.Equal(t, []int64{1, 2, 3}, around(1))
	require.Equal(t, []int64{7, 8, 9}, around(9))
	require.Empty(t, around(10), "its neighbours are no answer for a quote that is not there")
}

// partingFeed emits one more quote after it was asked to stop.
type partingFeed struct {
	*script
	last Raw
	wait chan struct{}
}

func (f *partingFeed) Run(ctx context.Context, emit func(Raw)) error {
	err := f.script.Run(ctx, emit)
	<-f.wait
	emit(f.last)
	return err
}

func TestProof(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.recordNineOfTwo()
	for _, sealed := range b.tape(eurusd) {
		q, head, ok, err := b.market.ReadQuote(t.Context(), eurusd, sealed.Seq)
		require.NoError(t, err)
		require.True(t, ok)
		require.True(t, head.Genuine(b.publicKey()))
		path, err := b.market.Proof(t.Context(), q)
		require.NoError(t, err)
		require.Equal(t, head.Root, seal.Climb(q.Leaf(), path))
		q.Bid++
		require.NotEqual(t, head.Root, seal.Climb(q.Leaf(), path), "another price proves nothing")
	}
	b.say("EURUSD", "1.10000", "1.10010")
	require.NoError(t, b.record(b.newest(eurusd)))
	_, _, ok, err := b.market.ReadQuote(t.Context(), eurusd, b.newest(eurusd).Seq)
	require.NoError(t, err)
	require.False(t, ok, "its batch is not sealed yet")
	_, _, _, err = b.market.ReadQuote(t.Context(), eurusd, 999)
	require.Error(t, err)
	batch, at := b.market.TapeEnd()
	require.EqualValues(t, 1, batch)
	require.Equal(t, b.real.Now(), at)
}

func TestProductsAreFoundByIDAndSymbol(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.tamper(`UPDATE product_terms SET stop_level = 7 WHERE product_id = 207`)
	b.crash()
	require.Len(t, b.market.Products(), len(Catalogue()))
	p, err := b.market.ProductBySymbol("EURUSD")
	require.NoError(t, err)
	same, err := b.market.Product(p.ID)
	require.NoError(t, err)
	require.Equal(t, p, same)
	_, err = b.market.ProductBySymbol("NONE")
	require.ErrorIs(t, err, ErrProduct)
	_, err = b.market.Product(999)
	require.ErrorIs(t, err, ErrProduct)
	require.Equal(t, []int{201, 101, 1}, b.market.Hot()[:3])
	require.NoError(t, Seed(t.Context(), b.db), "seeding again changes nothing")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM product_terms WHERE stop_level = 7 AND product_id = 207`))
}
