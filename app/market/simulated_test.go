package market

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/clock"
	"candor/app/platform/money"
)

func startSimulated(t testing.TB, seed uint64, at time.Time, last map[string]Last) (*Simulated, *clock.Fixed) {
	t.Helper()
	fixed := clock.NewFixed(at)
	s := NewSimulated(seed, fixed)
	require.NoError(t, s.Start(Catalogue(), defaultHours(t), last))
	return s, fixed
}

// steps runs the feed for d without waiting.
func steps(s *Simulated, d time.Duration, see func(Raw)) {
	now := s.clock.Now().UnixMilli()
	s.resume(now)
	for s.next().due <= now+d.Milliseconds() {
		if raw, ok := s.step(); ok {
			see(raw)
		}
	}
}

func sides(t testing.TB, p Product, raw Raw) (bid, ask int64) {
	t.Helper()
	bid, errBid := money.Parse(raw.Bid, p.Point)
	ask, errAsk := money.Parse(raw.Ask, p.Point)
	if errBid != nil || errAsk != nil {
		t.Fatalf("%s is quoted %s/%s", raw.Symbol, raw.Bid, raw.Ask)
	}
	return bid, ask
}

func mid(t testing.TB, raw Raw) float64 {
	t.Helper()
	price := middle(Last{Bid: raw.Bid, Ask: raw.Ask})
	if price <= 0 {
		t.Fatalf("%s is quoted %s/%s", raw.Symbol, raw.Bid, raw.Ask)
	}
	return price
}

// witness checks every quote against the rules of an honest feed.
type witness struct {
	t        testing.TB
	hours    *Hours
	before   *Hours // for the quote before: each caches the stretch of its last query
	products map[string]Product
	guards   map[string]*guard
	passed   map[string]int // quotes since the session began
}

func newWitness(t testing.TB) *witness {
	w := &witness{t: t, hours: defaultHours(t), before: defaultHours(t), products: map[string]Product{}, guards: map[string]*guard{}, passed: map[string]int{}}
	for _, p := range Catalogue() {
		w.products[p.Symbol], w.guards[p.Symbol] = p, &guard{product: p}
	}
	return w
}

// live makes the witness check for silence and frozen prices too.
func (w *witness) live() *witness {
	for symbol, g := range w.guards {
		g.stale = time.Duration(w.products[symbol].StaleMS) * time.Millisecond
	}
	return w
}

func (w *witness) see(raw Raw) {
	p, g := w.products[raw.Symbol], w.guards[raw.Symbol]
	open, _ := w.hours.State(p.Calendar, raw.At)
	if !open || raw.At != raw.SourceAt {
		w.t.Fatalf("%s quoted while closed at %s", p.Symbol, raw.At)
	}
	if _, until := w.before.State(p.Calendar, g.last.At()); g.last.AtMS > 0 && !until.IsZero() && !until.After(raw.At) {
		g.reopened()
		w.passed[p.Symbol] = 0
	}
	bid, ask := sides(w.t, p, raw)
	q, rejected := g.check(raw)
	if rejected != "" || bid <= 0 || ask <= bid {
		w.t.Fatalf("%s %s/%s at %s: %s", p.Symbol, raw.Bid, raw.Ask, raw.At, rejected)
	}
	g.accept(q)
	if w.passed[p.Symbol]++; w.passed[p.Symbol] >= confirmations && g.halted() {
		w.t.Fatalf("%s is halted at %s", p.Symbol, raw.At)
	}
}

func TestSimulatedQuotes(t *testing.T) {
	t.Parallel()
	t.Run("PassEveryGuardOverManyHours", func(t *testing.T) {
		for seed, start := range []string{"2026-11-23 13:30", "2026-11-20 20:45", "2026-11-22 21:55", "2026-11-24 01:00"} {
			s, _ := startSimulated(t, uint64(seed), utc(t, start), nil)
			steps(s, 40*time.Minute, newWitness(t).live().see)
		}
	})
	t.Run("PassEveryGuardAfterTheirHistory", func(t *testing.T) {
		s, _ := startSimulated(t, 1, utc(t, "2026-11-22 21:55"), nil)
		sees := newWitness(t).live().see
		_, err := s.History(t.Context(), sees)
		require.NoError(t, err)
		steps(s, 40*time.Minute, sees)
	})
	t.Run("ComeOftenEnoughForTheStaleLimit", func(t *testing.T) {
		s, _ := startSimulated(t, 1, utc(t, "2026-11-24 14:40"), nil)
		last := map[string]time.Time{}
		steps(s, 10*time.Minute, func(raw Raw) {
			p := s.walkers[s.find(raw.Symbol)].product
			if before, ok := last[raw.Symbol]; ok {
				require.WithinRange(t, raw.At, before.Add(shortestMS*time.Millisecond), before.Add(s.StaleLimit(p)/2), raw.Symbol)
			}
			last[raw.Symbol] = raw.At
		})
		require.Len(t, last, len(Catalogue())-1) // Hong Kong is closed
	})
	t.Run("AreLivelierAndTighterByDayThanAtRollover", func(t *testing.T) {
		day, night := gather(t, "2026-11-24 14:00", "EURUSD"), gather(t, "2026-11-24 22:01", "EURUSD")
		require.Greater(t, float64(len(day)), 1.8*float64(len(night)))
		require.Greater(t, meanSpread(t, night), 1.8*meanSpread(t, day))
		require.InDelta(t, 0.00012, meanSpread(t, day), 0.00006)
	})
	t.Run("AreTheSameForASeedAndStart", func(t *testing.T) {
		require.Equal(t, gather(t, "2026-11-24 14:00", "BTCUSD"), gather(t, "2026-11-24 14:00", "BTCUSD"))
	})
	t.Run("DifferForAnotherStart", func(t *testing.T) {
		a, b := gather(t, "2026-11-24 14:00", "BTCUSD"), gather(t, "2026-11-24 14:01", "BTCUSD")
		require.NotEqual(t, a[0].Bid+a[1].Bid+a[2].Bid, b[0].Bid+b[1].Bid+b[2].Bid)
	})
	t.Run("OfACrossLeaveNoTriangularArbitrage", noTriangles)
}

func gather(t *testing.T, start, symbol string) []Raw {
	t.Helper()
	s, _ := startSimulated(t, 7, utc(t, start), nil)
	var out []Raw
	steps(s, 20*time.Minute, func(raw Raw) {
		if raw.Symbol == symbol {
			out = append(out, raw)
		}
	})
	return out
}

func meanSpread(t *testing.T, quotes []Raw) float64 {
	t.Helper()
	sum := 0.0
	for _, raw := range quotes {
		bid, ask := sides(t, Product{Point: 5}, raw)
		sum += float64(ask-bid) / 1e5
	}
	return sum / float64(len(quotes))
}

func noTriangles(t *testing.T) {
	s, _ := startSimulated(t, 3, utc(t, "2026-11-24 12:30"), nil)
	now := map[string][2]float64{}
	compared := 0
	steps(s, 20*time.Minute, func(raw Raw) {
		bid, ask := sides(t, Product{Point: 5}, raw)
		now[raw.Symbol] = [2]float64{float64(bid), float64(ask)}
		for symbol, c := range crosses {
			quoted, first, second := now[symbol], now[c.first], now[c.second]
			if quoted[0] == 0 || first[0] == 0 || second[0] == 0 {
				continue
			}
			low, high := first[0]*second[0]/1e5, first[1]*second[1]/1e5
			if c.sign < 0 {
				low, high = first[0]/second[1]*1e5, first[1]/second[0]*1e5
			}
			if quoted[0] > high+1 || quoted[1] < low-1 {
				t.Fatalf("%s is %v and its legs make %f/%f at %s", symbol, quoted, low, high, raw.At)
			}
			compared++
		}
	})
	require.Greater(t, compared, 10_000)
}

func TestSimulatedSessions(t *testing.T) {
	t.Parallel()
	t.Run("NothingIsQuotedWhileTheCalendarIsClosed", func(t *testing.T) {
		s, _ := startSimulated(t, 1, utc(t, "2026-11-21 12:00"), nil)
		steps(s, 10*time.Minute, func(raw Raw) {
			require.Equal(t, Crypto, s.walkers[s.find(raw.Symbol)].product.Class, raw.Symbol)
		})
	})
	t.Run("QuotesBeginWhenTheMarketOpens", func(t *testing.T) {
		s, _ := startSimulated(t, 1, utc(t, "2026-11-23 14:29"), nil)
		first := map[string]time.Time{}
		steps(s, 2*time.Minute, func(raw Raw) {
			if first[raw.Symbol].IsZero() {
				first[raw.Symbol] = raw.At
			}
		})
		require.WithinRange(t, first["AAPL"], utc(t, "2026-11-23 14:30"), utc(t, "2026-11-23 14:30").Add(time.Second))
	})
	t.Run("TheNightLeavesAGap", func(t *testing.T) {
		gap := 0.0
		for seed := range uint64(8) {
			s, fixed := startSimulated(t, seed, utc(t, "2026-11-23 20:58"), nil)
			var before, after Raw
			steps(s, 2*time.Minute, func(raw Raw) { before = keep(before, raw, "TSLA") })
			fixed.Set(utc(t, "2026-11-24 14:29"))
			steps(s, 62*time.Second, func(raw Raw) {
				if after.Symbol == "" {
					after = keep(after, raw, "TSLA")
				}
			})
			gap += math.Abs(math.Log(mid(t, after)/mid(t, before))) / 8
		}
		require.Greater(t, gap, 0.003)
		require.Less(t, gap, 0.06)
	})
}

func keep(old, raw Raw, symbol string) Raw {
	if raw.Symbol == symbol {
		return raw
	}
	return old
}

func TestSimulatedStart(t *testing.T) {
	t.Parallel()
	at := utc(t, "2026-11-24 14:40")
	last := map[string]Last{
		"EURUSD": {"1.39000", "1.39012", at.Add(-10 * time.Second)},
		"EURGBP": {"1.06300", "1.06315", at.Add(-10 * time.Second)},
		"ODD":    {"20.00", "20.02", at.Add(-10 * time.Second)},
	}
	t.Run("GoesOnFromTheTape", func(t *testing.T) {
		s, _ := startSimulated(t, 1, at, last)
		seen := map[string]float64{}
		steps(s, 5*time.Second, func(raw Raw) { seen[raw.Symbol] = mid(t, raw) })
		require.InDelta(t, 1.39006, seen["EURUSD"], 0.001)
		require.InDelta(t, 1.06307, seen["EURGBP"], 0.001)
		require.InDelta(t, 1.30942, seen["GBPUSD"], 0.001) // has no tape: its anchor
	})
	t.Run("PricesAnUnknownProductFromItsTapeOnly", func(t *testing.T) {
		odd := Product{ID: 900, Symbol: "ODD", Class: Contract, Point: 2, Calendar: "crypto", Terms: Terms{StaleMS: 5_000, SpikeBps: 100}}
		s := NewSimulated(1, clock.NewFixed(at))
		require.NoError(t, s.Start([]Product{odd}, defaultHours(t), last))
		count := 0
		steps(s, 10*time.Second, func(raw Raw) { require.InDelta(t, 20, mid(t, raw), 0.2); count++ })
		require.Positive(t, count)
		require.NoError(t, s.Start([]Product{odd}, defaultHours(t), nil))
		require.Empty(t, s.walkers)
	})
	t.Run("SaysWhoItIs", func(t *testing.T) {
		s, fixed := startSimulated(t, 1, at, nil)
		require.Equal(t, "simulated", s.Name())
		require.Same(t, fixed, s.Clock())
		require.Equal(t, 5*time.Second, s.StaleLimit(Product{Terms: Terms{StaleMS: 5_000}}))
	})
}

func TestSimulatedRun(t *testing.T) {
	t.Parallel()
	t.Run("QuotesWhenTheTimeComes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := NewSimulated(1, clock.Real{})
			require.NoError(t, s.Start(Catalogue(), defaultHours(t), nil))
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			count := 0
			require.NoError(t, s.Run(ctx, func(raw Raw) {
				require.WithinDuration(t, time.Now(), raw.At, 2*time.Millisecond)
				count++
			}))
			require.Greater(t, count, 500) // a Saturday: crypto only
		})
	})
	t.Run("LeavesOutWhatItMissed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, fixed := startSimulated(t, 1, utc(t, "2026-11-24 14:40"), nil)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			quotes := make(chan Raw, 100_000)
			go func() { _ = s.Run(ctx, func(raw Raw) { quotes <- raw }) }()
			time.Sleep(2 * time.Second) // bubble time, not machine time
			require.Empty(t, quotes)    // the clock stands still
			fixed.Advance(time.Hour)
			time.Sleep(2 * time.Second)
			fixed.Advance(2 * time.Second)
			time.Sleep(2 * time.Second)
			first := <-quotes
			require.False(t, first.At.Before(utc(t, "2026-11-24 15:40")))
			require.Less(t, len(quotes), 1_000)
			cancel()
			synctest.Wait()
		})
	})
}

func BenchmarkSimulatedStep(b *testing.B) {
	s, _ := startSimulated(b, 1, utc(b, "2026-11-24 14:40"), nil)
	s.resume(s.clock.Now().UnixMilli())
	b.ReportAllocs()
	for b.Loop() {
		s.step()
	}
}
