package market

import (
	"context"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// drawnHistory is what a simulated feed makes of the time that its tapes lack.
type drawnHistory struct {
	ends    []Raw
	candles map[string]map[int][]Candle // by symbol and period
}

func drawHistory(t testing.TB, seed uint64, at time.Time, last map[string]Last) drawnHistory {
	t.Helper()
	s, _ := startSimulated(t, seed, at, last)
	out := drawnHistory{candles: map[string]map[int][]Candle{}}
	candles, err := s.History(t.Context(), func(raw Raw) { out.ends = append(out.ends, raw) })
	require.NoError(t, err)
	symbols := map[int]string{}
	for _, p := range Catalogue() {
		symbols[p.ID] = p.Symbol
		out.candles[p.Symbol] = map[int][]Candle{}
	}
	for _, c := range candles {
		of := out.candles[symbols[c.ProductID]]
		of[c.Period] = append(of[c.Period], c)
	}
	return out
}

func (h drawnHistory) end(t testing.TB, symbol string) Raw {
	t.Helper()
	i := slices.IndexFunc(h.ends, func(raw Raw) bool { return raw.Symbol == symbol })
	require.GreaterOrEqual(t, i, 0, symbol)
	return h.ends[i]
}

// openTime is how long a calendar is open in a candle's time.
func openTime(hours *Hours, calendar string, c Candle, until int64) (open time.Duration) {
	for at := c.StartMS; at < min(c.StartMS+int64(c.Period)*1_000, until); {
		is, next := hours.State(calendar, time.UnixMilli(at).UTC())
		end := min(c.StartMS+int64(c.Period)*1_000, until)
		if !next.IsZero() {
			end = min(end, next.UnixMilli())
		}
		if is {
			open += time.Duration(end-at) * time.Millisecond
		}
		at = end
	}
	return open
}

// historyAt is a Friday morning in New York: its stocks are open, Hong Kong is closed.
const historyAt = "2026-11-20 14:39"

func TestSimulatedHistory(t *testing.T) {
	t.Parallel()
	at, hours := utc(t, historyAt), defaultHours(t)
	all := drawHistory(t, 5, at, nil)
	each := func(t *testing.T, check func(t *testing.T, p Product, period int, candles []Candle)) {
		t.Helper()
		for _, p := range Catalogue() {
			for _, period := range Periods {
				check(t, p, period, all.candles[p.Symbol][period])
			}
		}
	}
	t.Run("ReachesBackTwoYearsOfDaysAndMonthsOfHours", func(t *testing.T) {
		rows := 0
		each(t, func(t *testing.T, p Product, period int, candles []Candle) {
			rows += len(candles)
			first := time.UnixMilli(candles[0].StartMS)
			start := time.UnixMilli(historyStart(at.UnixMilli(), period))
			require.False(t, first.Before(start), "%s %d", p.Symbol, period)
			require.Less(t, first.Sub(start), 5*24*time.Hour+time.Duration(period)*time.Second, "%s %d", p.Symbol, period)
		})
		require.Less(t, rows, 450_000)
		for period, want := range map[int]int{60: 4 * 1_440, 300: 8 * 288, 3_600: 90 * 24, 14_400: 360 * 6, 86_400: 731, 604_800: 105} {
			require.InDelta(t, want, len(all.candles["BTCUSD"][period]), 2, period)
		}
		require.InDelta(t, 503, len(all.candles["AAPL"][86_400]), 3)
		require.False(t, time.UnixMilli(all.candles["EURUSD"][86_400][0].StartMS).After(at.AddDate(-2, 0, 0)))
		require.False(t, time.UnixMilli(all.candles["EURUSD"][3_600][0].StartMS).After(at.AddDate(0, 0, -60)))
	})
	t.Run("HasACandleForAllOpenTimeAndForNoOther", func(t *testing.T) {
		each(t, func(t *testing.T, p Product, period int, candles []Candle) {
			next, now := historyStart(at.UnixMilli(), period), at.UnixMilli()
			for _, c := range candles {
				for ; next < c.StartMS; next += int64(period) * 1_000 {
					if openTime(hours, p.Calendar, Candle{Period: period, StartMS: next}, now) > 0 {
						t.Fatalf("%s %d lacks %s", p.Symbol, period, time.UnixMilli(next).UTC())
					}
				}
				if next != c.StartMS || openTime(hours, p.Calendar, c, now) == 0 {
					t.Fatalf("%s %d has %s", p.Symbol, period, time.UnixMilli(c.StartMS).UTC())
				}
				next = c.StartMS + int64(period)*1_000
			}
			for ; next < now; next += int64(period) * 1_000 {
				require.Zero(t, openTime(hours, p.Calendar, Candle{Period: period, StartMS: next}, now), "%s %d ends early", p.Symbol, period)
			}
		})
	})
	t.Run("HasBodiesInsideTheirWicks", func(t *testing.T) {
		each(t, func(t *testing.T, p Product, period int, candles []Candle) {
			wicks := 0
			for _, c := range candles {
				if c.Low <= 0 || c.High < max(c.Open, c.Close) || c.Low > min(c.Open, c.Close) || c.Ticks <= 0 {
					t.Fatalf("%s %+v", p.Symbol, c)
				}
				if c.High > max(c.Open, c.Close) || c.Low < min(c.Open, c.Close) {
					wicks++
				}
			}
			require.Greater(t, wicks*10, len(candles)*9, "%s %d: %d of %d have a wick", p.Symbol, period, wicks, len(candles))
		})
	})
	t.Run("GoesOnWhereItStoodWithinASession", func(t *testing.T) {
		each(t, func(t *testing.T, p Product, period int, candles []Candle) {
			gaps := 0
			for i := 1; i < len(candles); i++ {
				before, c := candles[i-1], candles[i]
				end := before.StartMS + int64(period)*1_000
				open, _ := hours.State(p.Calendar, time.UnixMilli(end).UTC())
				was, _ := hours.State(p.Calendar, time.UnixMilli(end-1).UTC())
				if before.Close != c.Open {
					gaps++
					if open && was && end == c.StartMS {
						t.Fatalf("%s %d at %s: %d after %d", p.Symbol, period, time.UnixMilli(end).UTC(), c.Open, before.Close)
					}
				}
			}
			if p.Class == USStock && period == 86_400 {
				require.Greater(t, gaps, 450, "a night leaves a gap")
			}
			if p.Class == Crypto {
				require.Zero(t, gaps)
			}
		})
	})
	t.Run("AddsUpFromPeriodToPeriod", func(t *testing.T) {
		for _, p := range Catalogue() {
			for i, period := range Periods[1:] {
				finer := map[int64]Candle{}
				parts := all.candles[p.Symbol][Periods[i]]
				for _, c := range parts {
					start := candleStart(c.StartMS, period)
					sum, ok := finer[start]
					if !ok {
						sum = c
						sum.Period, sum.StartMS = period, start
					} else {
						sum.join(c)
					}
					finer[start] = sum
				}
				compared := 0
				for _, c := range all.candles[p.Symbol][period] {
					if c.StartMS < parts[0].StartMS {
						continue
					}
					if compared++; finer[c.StartMS] != c {
						t.Fatalf("%s: %+v, its parts make %+v", p.Symbol, c, finer[c.StartMS])
					}
				}
				require.Positive(t, compared, "%s %d", p.Symbol, period)
			}
		}
	})
	t.Run("EndsAtTheAnchors", func(t *testing.T) {
		for symbol, want := range map[string]float64{"XAUUSD": 4078.42, "BTCUSD": 92184.5, "EURUSD": 1.15824, "EURJPY": 1.15824 * 156.482, "HK50": 25_804} {
			end := all.end(t, symbol)
			require.InEpsilon(t, want, mid(t, end), 0.0005, symbol)
			for _, period := range Periods {
				candles := all.candles[symbol][period]
				bid, _ := sides(t, catalogued(symbol), end)
				require.Equal(t, bid, candles[len(candles)-1].Close, "%s %d", symbol, period)
			}
		}
	})
	t.Run("EndsNowOrWhenTheMarketClosed", func(t *testing.T) {
		require.Len(t, all.ends, len(Catalogue()))
		require.Equal(t, at, all.end(t, "AAPL").At)
		require.Equal(t, utc(t, "2026-11-20 08:00").Add(-time.Millisecond), all.end(t, "HK50").At)
		require.True(t, slices.IsSortedFunc(all.ends, func(a, b Raw) int { return a.At.Compare(b.At) }))
	})
	t.Run("IsTheSameForASeedAndStart", func(t *testing.T) {
		require.Equal(t, all, drawHistory(t, 5, at, nil))
	})
	t.Run("IsAnotherForAnotherSeed", func(t *testing.T) {
		other := drawHistory(t, 6, at, nil)
		for _, period := range Periods {
			require.NotEqual(t, all.candles["BTCUSD"][period], other.candles["BTCUSD"][period])
		}
	})
	t.Run("MovesAsMuchAsTheMarketDoes", func(t *testing.T) {
		for symbol, want := range map[string][2]float64{"EURUSD": {0.04, 0.12}, "USDHKD": {0.001, 0.01}, "XAUUSD": {0.1, 0.25}, "BTCUSD": {0.3, 0.6}, "TSLA": {0.35, 0.75}} {
			got := yearlyVolatility(all.candles[symbol][86_400], yearSeconds)
			require.True(t, got > want[0] && got < want[1], "%s %f", symbol, got)
		}
		for _, c := range all.candles["USDHKD"][604_800] {
			require.True(t, c.Low > 774_000 && c.High < 786_000, "the Hong Kong dollar is tied to the US dollar: %+v", c)
		}
	})
	t.Run("HasWicksOfTheSizeOfItsMoves", func(t *testing.T) {
		for _, symbol := range []string{"EURUSD", "BTCUSD", "AAPL", "EURJPY"} {
			for _, period := range []int{60, 1_800, 3_600, 86_400} {
				ranges, bodies := 0.0, 0.0
				for _, c := range all.candles[symbol][period] {
					ranges, bodies = ranges+float64(c.High-c.Low), bodies+math.Abs(float64(c.Close-c.Open))
				}
				require.InDelta(t, 2, ranges/bodies, 0.35, "%s %d", symbol, period) // of a Brownian motion: 2
			}
		}
	})
	t.Run("MovesTheDollarPairsTogether", func(t *testing.T) {
		day := func(symbol string) []Candle { return all.candles[symbol][86_400] }
		require.Greater(t, correlation(day("EURUSD"), day("GBPUSD")), 0.4)
		require.Less(t, correlation(day("EURUSD"), day("USDCHF")), -0.4)
		require.Greater(t, correlation(day("BTCUSD"), day("ETHUSD")), 0.6)
	})
	t.Run("HasTheVolumeOfLiveQuotes", func(t *testing.T) {
		for _, symbol := range []string{"EURUSD", "USDHKD", "XAUUSD", "BTCUSD", "AAPL", "BAC"} {
			s, _ := startSimulated(t, 9, utc(t, "2026-11-19 15:00"), nil)
			live := 0
			steps(s, time.Hour, func(raw Raw) {
				if raw.Symbol == symbol {
					live++
				}
			})
			past, n := 0, 0
			for _, c := range all.candles[symbol][3_600] {
				if start := time.UnixMilli(c.StartMS).UTC(); start.Hour() == 15 && openTime(hours, catalogued(symbol).Calendar, c, at.UnixMilli()) == time.Hour {
					past, n = past+c.Ticks, n+1
					require.InDelta(t, math.Log(float64(live)), math.Log(float64(c.Ticks)), math.Log(3), "%s at %s", symbol, start)
				}
			}
			require.InEpsilon(t, live, past/n, 0.25, symbol)
		}
	})
	t.Run("StopsWhenItIsTold", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s, _ := startSimulated(t, 5, at, nil)
		_, err := s.History(ctx, func(Raw) { t.Fatal("emitted") })
		require.ErrorIs(t, err, context.Canceled)
	})
}

// paused is a market whose tapes ended a minute ago, at 100, but those of these products.
func paused(at time.Time, but map[string]Last) map[string]Last {
	last := map[string]Last{}
	for _, p := range Catalogue() {
		last[p.Symbol] = Last{"100.00", "100.02", at.Add(-time.Minute)}
	}
	maps.Copy(last, but)
	return last
}

func TestSimulatedHistoryOfAGap(t *testing.T) {
	t.Parallel()
	at := utc(t, historyAt)
	starts := func(candles []Candle) (first, last time.Time) {
		return time.UnixMilli(candles[0].StartMS).UTC(), time.UnixMilli(candles[len(candles)-1].StartMS).UTC()
	}
	t.Run("FillsOnlyTheGap", func(t *testing.T) {
		ended := at.Add(-30 * time.Hour).Add(17 * time.Second)
		h := drawHistory(t, 5, at, map[string]Last{"BTCUSD": {"80000.00", "80005.00", ended}})
		minutes := h.candles["BTCUSD"][60]
		first, last := starts(minutes)
		require.Equal(t, ended.Truncate(time.Minute), first)
		require.Equal(t, at.Add(-time.Minute), last)
		require.Len(t, minutes, 30*60)
		require.InEpsilon(t, 8_000_000, minutes[0].Open, 0.0001)
		require.Len(t, h.candles["BTCUSD"][604_800], 1)
		require.Equal(t, at, h.end(t, "BTCUSD").At)
		require.Len(t, h.candles["EURUSD"][604_800], 105, "a product without a tape has the whole history")
		require.InEpsilon(t, 1.15824, mid(t, h.end(t, "EURUSD")), 0.0005)
	})
	t.Run("LastsOnlyWhileTheMarketWasOpen", func(t *testing.T) {
		ended, sunday := utc(t, "2026-11-20 20:57"), utc(t, "2026-11-22 12:00")
		h := drawHistory(t, 5, sunday, paused(sunday, map[string]Last{"AAPL": {"270.00", "270.04", ended}}))
		first, last := starts(h.candles["AAPL"][60])
		require.Equal(t, ended, first)
		require.Equal(t, utc(t, "2026-11-20 20:59"), last)
		require.Equal(t, utc(t, "2026-11-20 21:00").Add(-time.Millisecond), h.end(t, "AAPL").At)
	})
	t.Run("IsNotNeededAfterAShortPause", func(t *testing.T) {
		for name, last := range map[string]Last{
			"BTCUSD": {"80000.00", "80005.00", at.Add(-2 * time.Minute)},
			"HK50":   {"25800", "25870", utc(t, "2026-11-20 07:59")}, // closed at eight
		} {
			h := drawHistory(t, 5, at, paused(at, map[string]Last{name: last, "ETHUSD": {"3000.00", "3000.40", at.Add(-time.Hour)}}))
			require.Len(t, h.ends, 1)
			require.Empty(t, h.candles[name], name)
			require.False(t, slices.ContainsFunc(h.ends, func(raw Raw) bool { return raw.Symbol == name }), name)
		}
	})
	t.Run("ReachesBackTwoYearsAtMost", func(t *testing.T) {
		h := drawHistory(t, 5, at, paused(at, map[string]Last{"BTCUSD": {"80000.00", "80005.00", at.AddDate(-4, 0, 0)}}))
		first, _ := starts(h.candles["BTCUSD"][604_800])
		require.Equal(t, historyStart(at.UnixMilli(), 604_800), first.UnixMilli())
		require.InEpsilon(t, 8_000_000, h.candles["BTCUSD"][604_800][0].Open, 0.001)
	})
	t.Run("LeavesAPausedProductWhereItWas", func(t *testing.T) {
		s, fixed := startSimulated(t, 5, at, paused(at, map[string]Last{"ETHUSD": {"3000.00", "3000.40", at.AddDate(0, 0, -30)}}))
		fixed.Advance(9 * time.Second) // a server takes its time to start
		ids := map[int]bool{}
		candles, err := s.History(t.Context(), func(raw Raw) { require.Equal(t, "ETHUSD", raw.Symbol) })
		require.NoError(t, err)
		for _, c := range candles {
			ids[c.ProductID] = true
		}
		require.Equal(t, map[int]bool{catalogued("ETHUSD").ID: true}, ids)
		steps(s, 20*time.Second, func(raw Raw) {
			if raw.Symbol != "ETHUSD" && s.walkers[s.find(raw.Symbol)].legs == nil {
				require.InEpsilon(t, 100.01, mid(t, raw), 0.01, raw.Symbol)
			}
		})
	})
}

func catalogued(symbol string) Product {
	products := Catalogue()
	return products[slices.IndexFunc(products, func(p Product) bool { return p.Symbol == symbol })]
}

// closeReturns are the logarithms of the moves from close to close.
func closeReturns(candles []Candle) map[int64]float64 {
	out := map[int64]float64{}
	for i := 1; i < len(candles); i++ {
		out[candles[i].StartMS] = math.Log(float64(candles[i].Close) / float64(candles[i-1].Close))
	}
	return out
}

func yearlyVolatility(candles []Candle, year float64) float64 {
	sum := 0.0
	for _, r := range closeReturns(candles) {
		sum += r * r
	}
	seconds := float64(candles[len(candles)-1].StartMS-candles[0].StartMS) / 1_000
	return math.Sqrt(sum / seconds * year)
}

func correlation(first, second []Candle) float64 {
	var xy, xx, yy float64
	others := closeReturns(second)
	for at, x := range closeReturns(first) {
		y := others[at]
		xy, xx, yy = xy+x*y, xx+x*x, yy+y*y
	}
	return xy / math.Sqrt(xx*yy)
}

func BenchmarkSimulatedHistory(b *testing.B) {
	for b.Loop() {
		s, _ := startSimulated(b, 1, utc(b, historyAt), nil)
		if _, err := s.History(b.Context(), func(Raw) {}); err != nil {
			b.Fatal(err)
		}
	}
}
