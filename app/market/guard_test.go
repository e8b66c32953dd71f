package market

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// watched is a guard that has accepted a quote a second, all at the same level.
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
			for range confirmations {
				require.Equal(t, test.want != "", g.halted())
				require.Empty(t, try("1.10002", "1.10012", time.Second), "the next honest price is believed")
			}
			require.False(t, g.halted(), "three of them end the halt")
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
		g, try := watched(t, eurusd, 3, "1.10000", "1.10010")
		require.Equal(t, rejectedRepeat, try("1.10000", "1.10010", 0))
		require.False(t, g.halted(), "it says nothing about the price")
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
	t.Run("ThreeHonestPricesInARowEndTheHalt", func(t *testing.T) {
		g, try := watched(t, eurusd, 5, "1.10000", "1.10010")
		require.Equal(t, rejectedSpike, try("1.20000", "1.20010", time.Second))
		for range 2 {
			for range confirmations - 1 {
				require.Empty(t, try("1.10001", "1.10011", time.Second))
				require.True(t, g.halted())
			}
			require.Equal(t, rejectedSpike, try("1.20000", "1.20010", time.Second), "it is as far away as before, and the count begins anew")
		}
		for range confirmations {
			require.True(t, g.halted())
			require.Empty(t, try("1.10001", "1.10011", time.Second))
		}
		require.False(t, g.halted())
	})
	t.Run("AnHonestPriceBetweenThemStartsTheSuspectsAnew", func(t *testing.T) {
		_, try := watched(t, eurusd, 5, "1.10000", "1.10010")
		for range 3 {
			require.Equal(t, rejectedSpike, try("1.20000", "1.20010", time.Second))
			require.Equal(t, rejectedSpike, try("1.20000", "1.20010", time.Second))
			require.Empty(t, try("1.10001", "1.10011", time.Second))
		}
	})
	t.Run("TwiceOrHalfIsNeverBelievedWithinADay", func(t *testing.T) {
		for _, absurd := range []string{"2.2", "0.55", "1100", "0.0011"} {
			g, try := watched(t, eurusd, 5, "1.1", "1.1")
			for range 200 {
				require.Equal(t, rejectedSpike, try(absurd, absurd, time.Minute), absurd)
			}
			require.True(t, g.halted())
			require.Empty(t, try("1.1", "1.1", time.Second))
			require.Equal(t, rejectedSpike, try(absurd, absurd, 23*time.Hour), absurd)
			require.Equal(t, rejectedSpike, try(absurd, absurd, time.Minute), absurd)
			require.Empty(t, try(absurd, absurd, time.Hour), "after a day without a price nothing is known")
		}
		for _, far := range []string{"2.19999", "0.55001"} {
			_, try := watched(t, eurusd, 5, "1.1", "1.1")
			require.Equal(t, rejectedSpike, try(far, far, time.Second))
			require.Equal(t, rejectedSpike, try(far, far, time.Second))
			require.Empty(t, try(far, far, time.Second), "%s: far, not absurd", far)
		}
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
}

func TestGuardHoldsWideSpreads(t *testing.T) {
	t.Parallel()
	for id, test := range map[int]struct{ bid, at, beyond string }{
		eurusd: {"1.00000", "1.00250", "1.00251"}, // 25 basis points: half of the spike limit
		101:    {"2000.00", "2010.00", "2010.01"},
		btcusd: {"50000.00", "50750.00", "50750.01"},
		aapl:   {"200.00", "205.00", "205.01"},
		401:    {"5000.0", "5025.0", "5025.1"},
	} {
		g, try := watched(t, id, 5, test.bid, test.bid)
		require.Empty(t, try(test.bid, test.at, time.Second), test.at)
		require.False(t, g.halted())
		for range 10 {
			require.Equal(t, rejectedSpread, try(test.bid, test.beyond, time.Second), "%s, however often it comes", test.beyond)
			require.True(t, g.halted())
		}
		for range confirmations {
			require.True(t, g.halted())
			require.Empty(t, try(test.bid, test.bid, time.Second))
		}
		require.False(t, g.halted())
	}
}

// TestGuardHearsThatAFeedIsFrozen repeats one price of EURUSD, stale after 10 seconds, for 300 seconds.
func TestGuardHearsThatAFeedIsFrozen(t *testing.T) {
	t.Parallel()
	frozen := func(t *testing.T) (*guard, func(bid, ask string, after time.Duration) Rejection) {
		g, try := watched(t, eurusd, 1, "1.10000", "1.10010")
		g.stale = 10 * time.Second
		for range 300 {
			require.Empty(t, try("1.10000", "1.10010", time.Second))
		}
		require.False(t, g.halted(), "for so long a market may stand still")
		return g, try
	}
	t.Run("AndHaltsUntilThePriceMovesAndThreeHaveCome", func(t *testing.T) {
		g, try := frozen(t)
		for range 100 {
			require.Equal(t, rejectedFrozen, try("1.10000", "1.10010", time.Second))
			require.True(t, g.halted())
		}
		for range confirmations {
			require.True(t, g.halted())
			require.Empty(t, try("1.10001", "1.10011", time.Second))
		}
		require.False(t, g.halted())
	})
	t.Run("ButNotWhereOneSideMoves", func(t *testing.T) {
		g, try := frozen(t)
		require.Empty(t, try("1.10000", "1.10011", time.Second))
		for range 300 {
			require.Empty(t, try("1.10000", "1.10011", time.Second))
		}
		require.False(t, g.halted())
		require.Equal(t, rejectedFrozen, try("1.10000", "1.10011", time.Second))
	})
	t.Run("NorAfterASilence", func(t *testing.T) {
		_, try := frozen(t)
		for range 300 {
			require.Empty(t, try("1.10000", "1.10010", 10*time.Second+time.Millisecond), "after a break the same price may be right")
		}
	})
}

// TestGuardCountsAnewAfterASilence interrupts the quotes of EURUSD, stale after 10 seconds.
func TestGuardCountsAnewAfterASilence(t *testing.T) {
	t.Parallel()
	g, try := watched(t, eurusd, 5, "1.10000", "1.10010")
	g.stale = 10 * time.Second
	require.Empty(t, try("1.10001", "1.10011", 10*time.Second))
	require.False(t, g.halted(), "just in time")
	require.Empty(t, try("1.10002", "1.10012", 10*time.Second+time.Millisecond), "on the tape, not traded")
	require.True(t, g.halted())
	require.Empty(t, try("1.10003", "1.10013", time.Minute), "a feed that is slow all the time gets through as well")
	require.True(t, g.halted())
	require.Empty(t, try("1.10004", "1.10014", time.Second))
	require.False(t, g.halted())
}
