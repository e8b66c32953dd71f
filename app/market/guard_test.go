package market

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// watched is a guard that has believed a quote a second, all of them at the same level.
func watched(t *testing.T, productID, quotes int, bid, ask string) (*guard, func(bid, ask string, after time.Duration) Rejection) {
	t.Helper()
	g := &guard{}
	for _, p := range Catalogue() {
		if p.ID == productID {
			g.product = p
		}
	}
	at := utc(t, tuesday)
	try := func(bid, ask string, after time.Duration) Rejection {
		at = at.Add(after)
		q, rejected := g.check(Raw{Symbol: g.product.Symbol, Bid: bid, Ask: ask, At: at, SourceAt: at})
		if rejected == "" {
			g.accept(q)
		}
		return rejected
	}
	for i := range quotes {
		require.Empty(t, try(bid, ask, time.Second), "quote %d", i)
	}
	return g, try
}

func TestGuardBelievesPlainPositivePrices(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, bid, ask string
		want           Rejection
	}{
		{"TheSameLevel", "1.10001", "1.10011", ""},
		{"FewerDecimals", "1.1", "1.1002", ""},
		{"MoreDecimalsRounded", "1.1000049", "1.1000951", ""},
		{"NoSpread", "1.10005", "1.10005", ""},
		{"Zero", "0", "1.10010", rejectedNumber},
		{"ZeroAfterRounding", "0.000004", "1.10010", rejectedNumber},
		{"ZeroAsk", "1.10000", "0", rejectedNumber},
		{"Negative", "-1.10000", "1.10010", rejectedNumber},
		{"NotANumber", "NaN", "1.10010", rejectedNumber},
		{"Infinite", "1.10000", "Inf", rejectedNumber},
		{"Exponent", "1e0", "1.10010", rejectedNumber},
		{"Empty", "", "1.10010", rejectedNumber},
		{"Separators", "1,10000", "1.10010", rejectedNumber},
		{"BeyondSixtyFourBits", "99999999999999999999", "99999999999999999999", rejectedNumber},
		{"Crossed", "1.10011", "1.10010", rejectedCrossed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g, try := watched(t, eurusd, 3, "1.10000", "1.10010")
			require.Equal(t, test.want, try(test.bid, test.ask, time.Second))
			require.False(t, g.halted())
			require.Empty(t, try("1.10002", "1.10012", time.Second), "the next honest price is believed")
		})
	}
}

func TestGuardKeepsTheOrderOfTime(t *testing.T) {
	t.Parallel()
	t.Run("OlderIsRefused", func(t *testing.T) {
		_, try := watched(t, eurusd, 3, "1.10000", "1.10010")
		require.Equal(t, rejectedOrder, try("1.10001", "1.10011", -time.Millisecond))
	})
	t.Run("AnotherPriceOfTheSameMomentIsBelieved", func(t *testing.T) {
		_, try := watched(t, eurusd, 3, "1.10000", "1.10010")
		require.Empty(t, try("1.10001", "1.10010", 0))
	})
	t.Run("ARepetitionIsRefused", func(t *testing.T) {
		_, try := watched(t, eurusd, 3, "1.10000", "1.10010")
		require.Equal(t, rejectedRepeat, try("1.10000", "1.10010", 0))
	})
	t.Run("TheSamePricesLaterAreNoRepetition", func(t *testing.T) {
		_, try := watched(t, eurusd, 3, "1.10000", "1.10010")
		require.Empty(t, try("1.10000", "1.10010", time.Millisecond))
	})
}

func TestGuardHoldsSpikes(t *testing.T) {
	t.Parallel()
	t.Run("AtTheLimitIsBelievedJustBeyondIsNot", func(t *testing.T) {
		limits := map[int]struct{ level, at, beyond string }{
			eurusd: {"1.00000", "1.00500", "1.00501"}, // 50 basis points
			101:    {"2000.00", "2020.00", "2020.01"}, // 100, a metal
			btcusd: {"50000.00", "51500.00", "51500.01"},
			aapl:   {"200.00", "210.00", "210.01"},
			401:    {"5000.0", "5050.0", "5050.1"},
		}
		for id, test := range limits {
			_, try := watched(t, id, 5, test.level, test.level)
			require.Empty(t, try(test.at, test.at, time.Second), test.at)
			_, try = watched(t, id, 5, test.level, test.level)
			require.Equal(t, rejectedSpike, try(test.beyond, test.beyond, time.Second), test.beyond)
		}
	})
	t.Run("AThousandTimesThePriceIsHeldUpAndDown", func(t *testing.T) {
		for _, p := range Catalogue() {
			_, try := watched(t, p.ID, 5, "1000", "1000")
			require.Equal(t, rejectedSpike, try("1000000", "1000000", time.Second), p.Symbol)
			_, try = watched(t, p.ID, 5, "1000", "1000")
			require.Equal(t, rejectedSpike, try("1", "1", time.Second), p.Symbol)
		}
	})
	t.Run("TheNextHonestPriceEndsTheHalt", func(t *testing.T) {
		g, try := watched(t, eurusd, 5, "1.10000", "1.10010")
		require.Equal(t, rejectedSpike, try("1.20000", "1.20010", time.Second))
		require.True(t, g.halted())
		require.Empty(t, try("1.10001", "1.10011", time.Second))
		require.False(t, g.halted())
		require.Equal(t, rejectedSpike, try("1.20000", "1.20010", time.Second), "it is as far away as before")
	})
	t.Run("ThreeThatAgreeAreTheNewLevel", func(t *testing.T) {
		g, try := watched(t, eurusd, 5, "1.10000", "1.10010")
		require.Equal(t, rejectedSpike, try("1.20000", "1.20010", time.Second))
		require.Equal(t, rejectedSpike, try("1.20100", "1.20110", time.Second))
		require.True(t, g.halted())
		require.Empty(t, try("1.19900", "1.19910", time.Second))
		require.False(t, g.halted())
		require.Empty(t, try("1.20050", "1.20060", time.Second), "near the new level")
		require.Equal(t, rejectedSpike, try("1.10000", "1.10010", time.Second), "the old level is far away now")
	})
	t.Run("ThreeThatDisagreeAreHeld", func(t *testing.T) {
		g, try := watched(t, eurusd, 5, "1.10000", "1.10010")
		for _, far := range []string{"1.20000", "1.30000", "1.20000", "1.40000", "1.40100"} {
			require.Equal(t, rejectedSpike, try(far, far, time.Second), far)
		}
		require.True(t, g.halted())
		require.Empty(t, try("1.40050", "1.40060", time.Second), "the third of the same level")
	})
	t.Run("ASingleBadPriceAmongTwentyDoesNotMoveTheMedian", func(t *testing.T) {
		_, try := watched(t, eurusd, medianWindow, "1.10000", "1.10010")
		for range 5 {
			require.Empty(t, try("1.10540", "1.10550", time.Second), "inside the limit")
		}
		require.Equal(t, rejectedSpike, try("1.11000", "1.11010", time.Second), "far from the median, near the last")
	})
	t.Run("TheMedianFollowsAWalk", func(t *testing.T) {
		_, try := watched(t, eurusd, medianWindow, "1.10000", "1.10010")
		for step := range 200 {
			price := fmt.Sprintf("1.%05d", 10_000+step*40)
			require.Empty(t, try(price, price, time.Second), price)
		}
	})
	t.Run("TheFirstPriceMayLieAnywhere", func(t *testing.T) {
		_, try := watched(t, eurusd, 0, "", "")
		require.Empty(t, try("1.10000", "1.10010", time.Second))
	})
	t.Run("AWideSpreadCountsByItsMiddle", func(t *testing.T) {
		_, try := watched(t, eurusd, 5, "1.10000", "1.10010")
		require.Empty(t, try("1.09000", "1.11010", time.Second))
		require.Equal(t, rejectedSpike, try("1.10000", "1.12000", time.Second))
	})
}
