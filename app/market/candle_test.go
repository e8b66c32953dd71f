package market

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// redrawn draws candles by another method than the tape: it groups whole quotes by the truncated time.
func redrawn(quotes []Quote, period int) []Candle {
	groups := map[int64][]Quote{}
	for _, q := range quotes {
		start := q.At().Truncate(time.Duration(period) * time.Second).UnixMilli() // Go's zero time is a Monday, so weeks start there
		groups[start] = append(groups[start], q)
	}
	var out []Candle
	for start, group := range groups {
		slices.SortFunc(group, func(a, b Quote) int { return cmp.Compare(a.Seq, b.Seq) })
		bids := make([]int64, len(group))
		for i, q := range group {
			bids[i] = q.Bid
		}
		out = append(out, Candle{
			ProductID: group[0].ProductID, Period: period, StartMS: start, Open: bids[0], High: slices.Max(bids),
			Low: slices.Min(bids), Close: bids[len(bids)-1], Ticks: len(bids),
		})
	}
	slices.SortFunc(out, func(a, b Candle) int { return cmp.Compare(a.StartMS, b.StartMS) })
	return out
}

func TestCandleStart(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		period int
		at     string
		want   string
	}{
		{"AMinute", 60, "2026-11-24 15:04", "2026-11-24 15:04"},
		{"FiveMinutes", 300, "2026-11-24 15:04", "2026-11-24 15:00"},
		{"AQuarter", 900, "2026-11-24 15:44", "2026-11-24 15:30"},
		{"HalfAnHour", 1_800, "2026-11-24 15:29", "2026-11-24 15:00"},
		{"AnHour", 3_600, "2026-11-24 15:59", "2026-11-24 15:00"},
		{"FourHours", 14_400, "2026-11-24 15:59", "2026-11-24 12:00"},
		{"ADay", 86_400, "2026-11-24 23:59", "2026-11-24 00:00"},
		{"AWeekFromMonday", 604_800, "2026-11-29 23:59", "2026-11-23 00:00"},
		{"AWeekOnItsMonday", 604_800, "2026-11-30 00:00", "2026-11-30 00:00"},
		{"AWeekAcrossTheYear", 604_800, "2027-01-01 12:00", "2026-12-28 00:00"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			at, want := utc(t, test.at), utc(t, test.want)
			require.Equal(t, want.UnixMilli(), candleStart(at.UnixMilli(), test.period))
			require.Equal(t, want.UnixMilli(), candleStart(want.UnixMilli(), test.period), "a start is its own")
			require.NotEqual(t, want.UnixMilli(), candleStart(want.UnixMilli()-1, test.period), "the moment before is another candle's")
		})
	}
}

func TestCandlesEqualThoseRedrawnFromTheQuotes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		set, stored := newCandleSet(), map[candleKey]Candle{}
		take := func() {
			for _, c := range set.take(nil) {
				stored[candleKey{c.ProductID, c.Period, c.StartMS}] = c // the table keeps the last state
			}
			require.Empty(t, set.take(nil), "nothing is taken twice")
		}
		at := rapid.Int64Range(1_700_000_000_000, 1_900_000_000_000).Draw(t, "start")
		var quotes []Quote
		for i := range rapid.IntRange(1, 60).Draw(t, "quotes") {
			at += rapid.SampledFrom([]int64{0, 1, 400, 59_999, 60_000, 299_800, 1_800_000, 7_200_000, 86_400_000, 604_800_000}).Draw(t, "gap")
			q := Quote{ProductID: 1, Seq: int64(i + 1), Bid: rapid.Int64Range(1, 200_000).Draw(t, "bid"), AtMS: at}
			quotes = append(quotes, q)
			set.add(q)
			if rapid.Bool().Draw(t, "flush") {
				take()
			}
		}
		take()
		for _, period := range Periods {
			for _, want := range redrawn(quotes, period) {
				key := candleKey{1, period, want.StartMS}
				require.Equal(t, want, stored[key])
				delete(stored, key)
			}
		}
		require.Empty(t, stored, "candles without quotes")
	})
}

// TestCandlesOfTheTape runs three products for weeks, with flushes, crashes and quotes written by fills, and redraws every candle.
func TestCandlesOfTheTape(t *testing.T) {
	t.Parallel()
	b := setup(t)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 900 {
		b.time.Advance(time.Duration(random.Int64N(3_600_000*3)) * time.Millisecond)
		for _, symbol := range []string{"BTCUSD", "ETHUSD", "XRPUSD"} {
			price := 20_000 + random.Int64N(500)
			p, err := b.market.ProductBySymbol(symbol)
			require.NoError(t, err)
			b.market.ingest(b.raw(symbol, p.FormatPrice(price), p.FormatPrice(price+3)), false)
		}
		switch {
		case i%100 == 77:
			require.NoError(t, b.record(b.newest(btcusd)))
			b.crash()
		case i%7 == 0:
			b.flush()
		}
	}
	b.flush()
	for _, id := range []int{btcusd, 202, 205} {
		quotes := b.tape(id)
		require.Greater(t, len(quotes), 800)
		for _, period := range Periods {
			want := redrawn(quotes, period)
			got, err := b.market.Klines(t.Context(), id, period, time.Time{}, KlineLimit)
			require.NoError(t, err)
			require.Equal(t, want[max(0, len(want)-KlineLimit):], got, "product %d, period %d", id, period)
		}
	}
	problem, _ := b.verify()
	require.Nil(t, problem)
}

// TestCandlesOverSessions runs a currency pair, a coin and a share from Monday over Thanksgiving, its half day and a weekend into the next
// week, each while its market is open and with a jump at each opening. The server crashes in mid-session, with and without quotes of a fill;
// every candle, on all pages of all periods, must match the raw quotes of the tape.
func TestCandlesOverSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.time.Set(utc(t, "2026-11-23 13:00"))
	random := rand.New(rand.NewPCG(3, 4))
	mids := map[string]int64{"EURUSD": 110_000, "BTCUSD": 9_000_000, "AAPL": 20_000}
	last := map[string]time.Time{}
	for end := utc(t, "2026-12-02 18:00"); b.time.Now().Before(end); {
		b.time.Advance(time.Duration(random.Int64N(7*60_000)) * time.Millisecond)
		now := b.time.Now()
		for symbol, mid := range mids {
			p, err := b.market.ProductBySymbol(symbol)
			require.NoError(t, err)
			if open, _ := b.market.hours.State(p.Calendar, now); !open {
				continue
			}
			mid += random.Int64N(mid/1_000) - mid/2_000
			if now.Sub(last[symbol]) > time.Hour {
				mid += mid / 100
			}
			mids[symbol], last[symbol] = mid, now
			b.market.ingest(b.raw(symbol, p.FormatPrice(mid), p.FormatPrice(mid+5)), false)
		}
		switch i := random.IntN(500); {
		case i == 0:
			require.NoError(t, b.record(b.newest(btcusd)))
			b.crash()
		case i == 1:
			b.crash()
		case i < 40:
			b.flush()
		}
	}
	b.flush()
	require.Empty(t, b.market.Rejections())

	candles := 0
	for _, id := range []int{eurusd, btcusd, aapl} {
		quotes := b.tape(id)
		require.Greater(t, len(quotes), 300)
		for _, period := range Periods {
			want := redrawn(quotes, period)
			candles += len(want)
			for _, limit := range []int{40, KlineLimit} {
				require.Equal(t, want, b.pageBack(id, period, limit), "product %d, period %d, pages of %d", id, period, limit)
			}
		}
	}
	problem, proved, err := VerifyCandles(t.Context(), b.db)
	require.NoError(t, err)
	require.Nil(t, problem)
	require.EqualValues(t, candles, proved)

	days := func(id, period int) (starts []string) {
		for _, c := range b.pageBack(id, period, KlineLimit) {
			starts = append(starts, time.UnixMilli(c.StartMS).UTC().Format("Mon 2"))
		}
		return starts
	}
	require.Equal(t, []string{"Mon 23", "Tue 24", "Wed 25", "Fri 27", "Mon 30", "Tue 1", "Wed 2"}, days(aapl, 86_400), "no share on Thanksgiving")
	require.Equal(t, []string{"Mon 23", "Tue 24", "Wed 25", "Thu 26", "Fri 27", "Sun 29", "Mon 30", "Tue 1", "Wed 2"}, days(eurusd, 86_400))
	require.Len(t, days(btcusd, 86_400), 10)
	require.Equal(t, []string{"Mon 23", "Mon 30"}, days(eurusd, 604_800), "a Sunday belongs to the week before")
}

func TestKlines(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 50 {
		b.time.Advance(time.Duration(20+i) * time.Second)
		b.say("BTCUSD", "90000.00", "90001.00")
	}
	b.flush()
	b.time.Advance(time.Minute)
	b.say("BTCUSD", "91000.00", "91001.00") // in memory only
	want := redrawn(append(b.tape(btcusd), b.newest(btcusd)), 60)

	t.Run("EndWithTheRunningCandle", func(t *testing.T) {
		got, err := b.market.Klines(t.Context(), btcusd, 60, time.Time{}, 500)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.EqualValues(t, 9_100_000, got[len(got)-1].Close)
		require.Less(t, b.count(`SELECT max(close) FROM candles WHERE product_id = 201`), 9_100_000, "the table does not have it yet")
	})
	t.Run("PageBackwardsWithoutGapOrOverlap", func(t *testing.T) {
		for _, limit := range []int{1, 2, 7, len(want), 1_000} {
			require.Equal(t, want, b.pageBack(btcusd, 60, limit), "pages of %d", limit)
		}
	})
	t.Run("BeforeAMomentLeaveOutTheCandleThatStartsThere", func(t *testing.T) {
		last := want[len(want)-1]
		got, err := b.market.Klines(t.Context(), btcusd, 60, time.UnixMilli(last.StartMS), 500)
		require.NoError(t, err)
		require.Equal(t, want[:len(want)-1], got)
		got, err = b.market.Klines(t.Context(), btcusd, 60, time.UnixMilli(last.StartMS+1), 500)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
	t.Run("HaveCandlesThatEndedSinceTheLastFlush", func(t *testing.T) {
		b.time.Advance(time.Minute)
		b.say("BTCUSD", "91100.00", "91101.00")
		b.time.Advance(time.Minute)
		b.say("BTCUSD", "91200.00", "91201.00")
		got, err := b.market.Klines(t.Context(), btcusd, 60, time.Time{}, 3)
		require.NoError(t, err)
		require.Equal(t, []int64{9_100_000, 9_110_000, 9_120_000}, []int64{got[0].Close, got[1].Close, got[2].Close})
	})
	t.Run("GoOnWithACandleThatIsStoredInPart", func(t *testing.T) {
		b.time.Set(b.time.Now().Truncate(time.Minute).Add(time.Minute))
		b.say("BTCUSD", "91200.00", "91201.00")
		b.flush()
		b.say("BTCUSD", "91250.00", "91251.00")
		got, err := b.market.Klines(t.Context(), btcusd, 60, time.Time{}, 1)
		require.NoError(t, err)
		require.Equal(t, []int64{9_120_000, 9_125_000, 2}, []int64{got[0].Open, got[0].Close, int64(got[0].Ticks)})
	})
	t.Run("HaveCandlesThatWaitForTheDatabase", func(t *testing.T) {
		b.tamper(`ALTER TABLE tape_heads RENAME TO hidden`)
		b.time.Advance(time.Minute)
		b.say("BTCUSD", "91300.00", "91301.00")
		require.Error(t, b.market.tape.flush(t.Context()))
		b.time.Advance(time.Minute)
		b.say("BTCUSD", "91400.00", "91401.00")
		got, err := b.market.Klines(t.Context(), btcusd, 60, time.Time{}, 3)
		b.tamper(`ALTER TABLE hidden RENAME TO tape_heads`)
		require.NoError(t, err)
		require.Equal(t, []int64{9_125_000, 9_130_000, 9_140_000}, []int64{got[0].Close, got[1].Close, got[2].Close})
		b.flush()
		stored, err := b.market.Klines(t.Context(), btcusd, 60, time.Time{}, 3)
		require.NoError(t, err)
		require.Equal(t, stored, got, "it was what is stored now")
	})
	t.Run("OfANewProductAreNone", func(t *testing.T) {
		got, err := b.market.Klines(t.Context(), eurusd, 60, time.Time{}, 500)
		require.NoError(t, err)
		require.Empty(t, got)
	})
	t.Run("OfAnUnknownProductAreRefused", func(t *testing.T) {
		_, err := b.market.Klines(t.Context(), 999, 60, time.Time{}, 500)
		require.ErrorIs(t, err, ErrProduct)
	})
}

func TestFigures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	start := b.time.Now()
	at := func(after time.Duration, price string) {
		b.time.Set(start.Add(after - time.Second))
		b.say("BTCUSD", price, price)
	}
	figures := func() Figures { return b.market.Figures(btcusd) }

	require.Equal(t, Figures{}, figures(), "no price, no figures")
	require.Equal(t, Figures{}, b.market.Figures(999))
	at(0, "100.00")
	at(time.Minute, "102.50") // the same five minutes as the first
	at(2*time.Hour, "99.80")
	at(3*time.Hour, "101.00")
	require.Equal(t, Figures{Open: 100_00, High: 102_50, Low: 99_80, Close: 101_00, Line: []int64{102_50, 99_80, 101_00}}, figures())

	b.time.Set(start.Add(24*time.Hour + 4*time.Minute))
	require.EqualValues(t, 100_00, figures().Open, "the five minutes in which the day began still count")
	b.time.Set(start.Add(24*time.Hour + 5*time.Minute))
	require.Equal(t, Figures{Open: 99_80, High: 101_00, Low: 99_80, Close: 101_00, Line: []int64{99_80, 101_00}}, figures(), "its high has left")

	b.flush()
	before := figures()
	b.crash()
	require.Equal(t, before, figures(), "they are the same after a restart")

	b.time.Set(start.Add(100 * time.Hour))
	require.Equal(t, Figures{Open: 101_00, High: 101_00, Low: 101_00, Close: 101_00, Line: []int64{101_00}}, figures(), "the last price stays, however old")
}

// TestFiguresOfAClosedMarket checks that Friday's figures last over the weekend, and that a silent open market has none.
func TestFiguresOfAClosedMarket(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, said := range [][2]string{{"2026-11-27 12:00", "1.10000"}, {"2026-11-27 20:00", "1.10200"}} {
		b.time.Set(utc(t, said[0]))
		b.say("EURUSD", said[1], said[1])
	}
	friday := Figures{Open: 110_000, High: 110_200, Low: 110_000, Close: 110_200, Line: []int64{110_000, 110_200}}
	for _, at := range []string{"2026-11-27 20:30", "2026-11-28 21:00", "2026-11-29 20:00"} {
		b.time.Set(utc(t, at))
		require.Equal(t, friday, b.market.Figures(eurusd), at)
	}
	b.flush()
	b.crash()
	require.Equal(t, friday, b.market.Figures(eurusd), "the same after a restart")
	b.time.Set(utc(t, "2026-11-30 09:00"))
	require.Equal(t, Figures{Open: 110_200, High: 110_200, Low: 110_200, Close: 110_200, Line: []int64{110_200}}, b.market.Figures(eurusd))
}

// TestFiguresRoll compares the figures with those of the full list of quotes of the last 24 hours.
func TestFiguresRoll(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	var window dayWindow
	var all []Quote
	at := utc(t, "2026-11-24 00:00").UnixMilli()
	for range 5_000 {
		at += random.Int64N(120_000)
		q := Quote{ProductID: 1, Bid: 10_000 + random.Int64N(1_000), AtMS: at}
		all = append(all, q)
		window.add(q)
		f := window.figures(q.At())
		want := Figures{Low: 1 << 40}
		for _, o := range all {
			if candleStart(o.AtMS, windowPeriod)+windowPeriod*1_000 > at-dayMS {
				if want.Open == 0 {
					want.Open = o.Bid
				}
				want.High, want.Low, want.Close = max(want.High, o.Bid), min(want.Low, o.Bid), o.Bid
			}
		}
		require.Equal(t, want, Figures{Open: f.Open, High: f.High, Low: f.Low, Close: f.Close})
		require.Equal(t, want.Close, f.Line[len(f.Line)-1])
		require.LessOrEqual(t, len(f.Line), 50)
		if len(all) > 2_500 {
			all = all[500:]
		}
	}
}
