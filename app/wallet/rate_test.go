package wallet

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/money"
)

func denomination(t *testing.T, code string) ledger.Denomination {
	t.Helper()
	d, ok := ledger.DenominationOf(code)
	require.True(t, ok)
	return d
}

// prices are a product's bid and ask, with two decimals.
type prices struct{ bid, ask int64 }

// between is the rate between two currencies at the given prices.
func between(from, to ledger.Denomination, at map[string]prices, spread int64) rate {
	r := rate{from: from, to: to, spread: spread}
	if p, ok := at[from.Code]; ok {
		r.sell = &leg{p.bid, 2}
	}
	if p, ok := at[to.Code]; ok {
		r.buy = &leg{p.ask, 2}
	}
	return r
}

var still = map[string]prices{"BTC": {9_000_000, 9_001_000}, "ETH": {300_000, 300_100}}

func TestRate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from, to string
		spread   int64
		given    GivenSide
		amount   int64
		pays     int64
		gets     int64
		fee      int64
		shown    string
	}{
		"BitcoinIsSoldAtTheBid":          {"BTC", "USDT", 0, PaidSide, 100_000_000, 100_000_000, 90_000_000_000, 0, "90000"},
		"AndBoughtAtTheAsk":              {"USDT", "BTC", 0, PaidSide, 90_010_000_000, 90_010_000_000, 100_000_000, 0, "0.00001110987"},
		"TheSpreadIsKeptBesides":         {"BTC", "USDT", 500_000, PaidSide, 100_000_000, 100_000_000, 89_550_000_000, 450_000_000, "89550"},
		"DollarsAreOneToOne":             {"USD", "USDT", 0, PaidSide, 5, 5, 5, 0, "1"},
		"LessTheSpread":                  {"USDT", "USD", 500_000, PaidSide, 1_000_000, 1_000_000, 995_000, 5_000, "0.995"},
		"ACoinForACoinTakesBothSides":    {"BTC", "ETH", 0, PaidSide, 100_000_000, 100_000_000, 2_999_000_333, 1, "29.990003332222"},
		"WhatIsGotIsRoundedDown":         {"USDT", "USD", 500_000, PaidSide, 3, 3, 2, 1, "0.995"},
		"WhatIsGivenIsRoundedUp":         {"USDT", "USD", 500_000, ReceivedSide, 2, 3, 2, 1, "0.995"},
		"TheOtherSideFollowsWhenToldToo": {"USDT", "BTC", 0, ReceivedSide, 100_000_000, 90_010_000_000, 100_000_000, 0, "0.00001110987"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := between(denomination(t, c.from), denomination(t, c.to), still, c.spread)
			pays, gets, fee, err := r.sums(c.given, c.amount)
			require.NoError(t, err)
			require.Equal(t, []int64{c.pays, c.gets, c.fee}, []int64{pays, gets, fee}, "pays, gets, fee")
			shown, err := r.shown()
			require.NoError(t, err)
			require.Contains(t, money.Trim(shown, RateScale), c.shown)
		})
	}
	t.Run("NothingForSomethingIsRefused", func(t *testing.T) {
		t.Parallel()
		r := between(denomination(t, "USDT"), denomination(t, "BTC"), still, 0)
		_, _, _, err := r.sums(PaidSide, 900)
		require.ErrorIs(t, err, ErrTooSmall)
		_, to, _, err := r.sums(PaidSide, 901)
		require.NoError(t, err)
		require.EqualValues(t, 1, to)
	})
	t.Run("WhatLeavesTheNumbersIsRefused", func(t *testing.T) {
		t.Parallel()
		_, _, _, err := between(denomination(t, "BTC"), denomination(t, "USDT"), still, 0).sums(PaidSide, 1<<62)
		require.ErrorIs(t, err, ErrAmount)
		_, _, _, err = between(denomination(t, "USDT"), denomination(t, "BTC"), still, 0).sums(ReceivedSide, 1<<62)
		require.ErrorIs(t, err, ErrAmount)
	})
}

// random is a rate between any two currencies, at prices from a cent to ten million and any spread.
func random(r *rand.Rand) (rate, map[string]prices) {
	at := map[string]prices{}
	for _, coin := range []string{"BTC", "ETH"} {
		bid := 1 + r.Int64N(money.Pow10(1+r.IntN(9)))
		at[coin] = prices{bid, bid + r.Int64N(1+bid/100)}
	}
	from := r.IntN(len(ledger.Denominations))
	to := (from + 1 + r.IntN(len(ledger.Denominations)-1)) % len(ledger.Denominations)
	spread := int64(0)
	if r.IntN(4) > 0 {
		spread = r.Int64N(5 * money.Unit)
	}
	return between(ledger.Denominations[from], ledger.Denominations[to], at, spread), at
}

// exact is an amount times the rate as a fraction.
func exact(r rate, amount int64) *big.Rat {
	numerators, denominators := r.factors()
	n, d := big.NewInt(amount), big.NewInt(1)
	for _, f := range numerators {
		n.Mul(n, big.NewInt(f))
	}
	for _, f := range denominators {
		d.Mul(d, big.NewInt(f))
	}
	return new(big.Rat).SetFrac(n, d)
}

const (
	rateSeed  = 20_261_116
	rateCases = 1_000_000
)

// TestAMillionExchangesNeverFavourTheTaker converts random amounts at random rates: the received amount is at most the exact sum and less than a unit below it,
// the paid amount is at least the exact sum and less than a unit above it, the parts never receive more than the whole, and a round trip returns no more than
// it began with.
func TestAMillionExchangesNeverFavourTheTaker(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(rateSeed, 0)) //nolint:gosec // a seed makes the run repeatable
	tried, refused, compared := 0, 0, 0
	one := big.NewRat(1, 1)
	for tried < rateCases {
		way, at := random(r)
		amount := 1 + r.Int64N(money.Pow10(1+r.IntN(15)))
		to, err := way.credit(amount)
		if err != nil {
			refused++
			require.ErrorIs(t, err, ErrAmount)
			require.Less(t, refused, tried+1_000, "most amounts are taken")
			continue
		}
		tried++
		if tried%16 == 0 { // fractions are slow; the rest is checked with integers
			lost := new(big.Rat).Sub(exact(way, amount), new(big.Rat).SetInt64(to))
			compared++
			require.True(t, lost.Sign() >= 0 && lost.Cmp(one) < 0, "%+v: %d gets %d", way, amount, to)
		}
		if cost, err := way.debit(to); err == nil {
			require.LessOrEqual(t, cost, amount, "what was got for a sum costs no more than it")
			if again, err := way.credit(cost); err == nil && tried%16 == 0 {
				require.GreaterOrEqual(t, again, to, "and no less than it is worth")
				require.Equal(t, 1, exact(way, cost).Cmp(new(big.Rat).SetInt64(to-1)))
			}
		}
		part := r.Int64N(amount + 1)
		first, err := way.credit(part)
		require.NoError(t, err)
		second, err := way.credit(amount - part)
		require.NoError(t, err)
		if first+second > to {
			t.Fatalf("%+v: %d in parts gets %d, whole %d", way, amount, first+second, to)
		}
		if back, err := between(way.to, way.from, at, way.spread).credit(to); err == nil && back > amount {
			t.Fatalf("%+v: %d comes back as %d", way, amount, back)
		}
	}
	line, err := json.Marshal(map[string]any{"goal": "G16", "commit": os.Getenv("COMMIT"), "seed": rateSeed, "exchanges": tried, "fractions": compared, "refused": refused, "favours": 0})
	require.NoError(t, err)
	fmt.Println(string(line))
}

// TestAThousandStepsInACircleNeverGain exchanges through all currencies in a circle at constant prices.
func TestAThousandStepsInACircleNeverGain(t *testing.T) {
	t.Parallel()
	for _, spread := range []int64{0, 1, 500_000} {
		for start := range ledger.Denominations {
			held := int64(987_654_321)
			for step := range 1_000 {
				from := ledger.Denominations[(start+step)%len(ledger.Denominations)]
				to := ledger.Denominations[(start+step+1)%len(ledger.Denominations)]
				got, err := between(from, to, still, spread).credit(held)
				require.NoError(t, err)
				held = got
			}
			require.LessOrEqual(t, held, int64(987_654_321))
		}
	}
}

// TestAUnitTooMuchIsSeen checks that the exact sum of the million-case test detects an excess of one unit.
func TestAUnitTooMuchIsSeen(t *testing.T) {
	t.Parallel()
	way := between(denomination(t, "USDT"), denomination(t, "BTC"), still, 0)
	up, err := way.gross(1, money.Up)
	require.NoError(t, err)
	require.Equal(t, 1, new(big.Rat).SetInt64(up).Cmp(exact(way, 1)), "rounded up, a unit is more than it is worth")
}
