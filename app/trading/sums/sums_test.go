package sums

import (
	"cmp"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"candor/app/market"
	"candor/app/platform/money"
)

// product finds a product of the catalogue by its symbol.
func product(t require.TestingT, symbol string) market.Product {
	for _, p := range market.Catalogue() {
		if p.Symbol == symbol {
			return p
		}
	}
	require.FailNow(t, "no product "+symbol)
	return market.Product{}
}

// units reads a decimal in units of 10^-scale.
func units(t require.TestingT, text string, scale int) int64 {
	v, err := money.Parse(text, scale)
	require.NoError(t, err, text)
	return v
}

// at is the rate of a conversion product at a mid price.
func at(t require.TestingT, symbol, mid string, inverse bool) Rate {
	p := product(t, symbol)
	return Rate{2 * units(t, mid, p.Point), p.Point, inverse}
}

var one = Rate{}

const unit = money.Unit

// profit opens lots at one price and closes them at another.
func profit(p market.Product, long bool, lots, open, close int64, r Rate) (int64, error) {
	opened, err := Worth(lots, open)
	if err != nil {
		return 0, err
	}
	return Profit(p, long, lots, opened, close, r)
}

// rounded formats a sum with the decimals that the source prints.
func rounded(t require.TestingT, sum int64, decimals int) string {
	short, err := money.MulDiv(sum, 1, money.Pow10(money.Scale-decimals), money.HalfAway)
	require.NoError(t, err)
	return money.Format(short, decimals)
}

// TestPublishedMargins checks the examples that brokers print in their own help.
func TestPublishedMargins(t *testing.T) {
	t.Parallel()
	const iceMarkets = "https://help.ice-markets.com/en/articles/3343736-calculation-of-the-stop-out-level"
	eurusdAt := func(price string) Rate { return at(t, "EURUSD", price, false) }
	tests := []struct {
		name, symbol, lots, price string
		leverage                  int
		rate                      Rate
		want                      string
		source                    string
	}{
		{"GBPUSDBoughtAtTheAsk", "GBPUSD", "0.5", "1.38730", 100, at(t, "GBPUSD", "1.38730", false), "693.65", iceMarkets},
		{"GBPUSDSoldAtTheBid", "GBPUSD", "0.5", "1.38700", 100, at(t, "GBPUSD", "1.38700", false), "693.50", iceMarkets},
		{"USDCHFInItsOwnBase", "USDCHF", "0.3", "0.90000", 100, one, "300.00", iceMarkets},
		{"EURCHFInEuros", "EURCHF", "2", "1.08000", 200, one, "1000.00", "trading rules, Margin"},
		{"EURCHFInDollars", "EURCHF", "2", "1.08000", 200, eurusdAt("1.10000"), "1100.00", "trading rules, Margin"},
		{"ETHUSD", "ETHUSD", "3", "2500.00", 20, one, "375.00", "trading rules, Margin"},
		{"EURUSDAtFifty", "EURUSD", "1", "1.17500", 50, eurusdAt("1.17500"), "2350.00", "https://tier1fx.com/faq/how-do-i-calculate-margin"},
		{"EURUSDInEurosAtFifty", "EURUSD", "1", "1.34500", 50, one, "2000.00", "https://tier1fx.com/faq/how-do-i-calculate-margin"},
		{"EURUSDTwentyLots", "EURUSD", "20", "1.09000", 500, eurusdAt("1.09000"), "4360.00", "https://windsorbrokers.com/?p=117868"},
		{"GBPUSDTwentyLots", "GBPUSD", "20", "1.28000", 500, at(t, "GBPUSD", "1.28000", false), "5120.00", "https://windsorbrokers.com/?p=117868"},
		{"AUDJPYInAustralianDollars", "AUDJPY", "1", "80.000", 100, one, "1000.00", "https://help.afterprime.com/en/trading/how-do-i-calculate-required-margin-for-fx-trades"},
		{"EURUSDTenThousand", "EURUSD", "0.1", "1.54420", 100, eurusdAt("1.54420"), "154.42", "https://www.instaforex.com/support/in/trading-conditions/calculator/calculation-of-collateral/currency-pairs"},
		{"GBPUSDTwentyThousand", "GBPUSD", "0.2", "1.96270", 100, at(t, "GBPUSD", "1.96270", false), "392.54", "https://www.instaforex.com/support/in/trading-conditions/calculator/calculation-of-collateral/currency-pairs"},
		{"GoldATenth", "XAUUSD", "0.1", "2000.00", 500, one, "40.00", "https://support.ebchelp.com/hc/en-001/articles/34289695130137-How-to-calculate-the-margin-required-for-gold-and-silver-spot-contract"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := product(t, test.symbol)
			got, err := Margin(p, units(t, test.lots, money.Scale), units(t, test.price, p.Point), test.leverage, test.rate)
			require.NoError(t, err)
			require.Equal(t, test.want, rounded(t, got, 2), test.source)
		})
	}
}

// TestPublishedProfits checks the examples that brokers print in their own help.
func TestPublishedProfits(t *testing.T) {
	t.Parallel()
	const fxzoo, gold = "https://fxzoo.net/how-to-calculate-profit-loss/", "http://ig112.com/en/rate"
	tests := []struct {
		name, symbol      string
		long              bool
		lots, open, close string
		rate              Rate
		want              string
		source            string
	}{
		{"ACrossSold", "EURGBP", false, "0.19", "0.69830", "0.68830", at(t, "GBPUSD", "2.02560", false), "384.86", "https://alpari.pro/en/faq/trading_terms/calculating_profits_and_losses"},
		{"YenInYen", "USDJPY", true, "0.1", "136.740", "137.180", one, "4400.00", "https://amalgasupport.powerappsportals.com/en-us/knowledgebase/article/KA-01039"},
		{"QuotedInDollars", "GBPUSD", true, "5", "1.56450", "1.56550", one, "500.00", fxzoo},
		{"QuotedInCanadianDollars", "USDCAD", true, "5", "1.31500", "1.31600", at(t, "USDCAD", "1.31600", true), "379.94", fxzoo}, // the page truncates to 379.93
		{"ACrossBought", "EURGBP", true, "5", "0.71400", "0.71500", at(t, "GBPUSD", "1.56500", false), "782.50", fxzoo},
		{"EURJPYInDollars", "EURJPY", true, "4", "131.570", "132.160", at(t, "USDJPY", "107.240", true), "2200.67", "https://www.forex4you.com/en/faq/profit-from-trades/"},
		{"USDJPYSold", "USDJPY", false, "1", "105.300", "104.300", at(t, "USDJPY", "104.300", true), "958.77", "https://wodefinance.com/Futuresplatform/vpdzcprztv.html"},
		{"GoldTenLots", "XAUUSD", true, "10", "1576.78", "1577.94", one, "1160.00", "https://analysis.tfxi.com/2020/04/01/an-example-calculating-the-profit-and-loss-of-xauusd-spot-gold-vs-us-dollars/"},
		{"GoldWon", "XAUUSD", true, "1", "1206.20", "1224.50", one, "1830.00", "https://help.hycm.com/hc/en-us/articles/10103932677404-Examples-of-a-CFD-commodities-trade"},
		{"GoldLost", "XAUUSD", true, "1", "1206.20", "1187.90", one, "-1830.00", "https://help.hycm.com/hc/en-us/articles/10103932677404-Examples-of-a-CFD-commodities-trade"},
		{"GoldBought", "XAUUSD", true, "10", "1266.00", "1278.00", one, "12000.00", gold},
		{"GoldSold", "XAUUSD", false, "5", "1292.00", "1273.00", one, "9500.00", gold},
		{"SilverBought", "XAGUSD", true, "10", "21.000", "21.890", one, "44500.00", gold},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := product(t, test.symbol)
			got, err := profit(p, test.long, units(t, test.lots, money.Scale), units(t, test.open, p.Point), units(t, test.close, p.Point), test.rate)
			require.NoError(t, err)
			require.Equal(t, test.want, rounded(t, got, 2), test.source)
		})
	}
}

// TestPublishedCommissions checks the examples that brokers print in their own help. FBS prints 4.04 for 134.93 × 3 × 0.1 %, which is 0.40.
func TestPublishedCommissions(t *testing.T) {
	t.Parallel()
	const cmc, fbs = "https://www.cmcmarkets.com/en-au/cfd/learn/cfds-explained/cfd-commissions", "https://support.fbs-help-id.com/hc/en-us/articles/360019530440"
	tests := []struct {
		name, price   string
		shares        int64
		bps, contract int
		minimum, want string
		source        string
	}{
		{"AShareOfTheWorth", "5.20", 2_500, 10, 1, "9", "13.00", cmc},
		{"TheMinimum", "5.20", 1_000, 10, 1, "9", "9.00", cmc},
		{"BothWays", "134.93", 3, 10, 1, "0", "0.41", fbs}, // 0.40479, rounded up
		{"AContractOfAHundred", "150.00", 10, 10, 1, "0", "1.50", "https://fullertonmarkets.ladesk.com/642321-Is-there-any-additional-fee-when-trading-Stock-CFDs"},
		{"TenSharesTheMinimum", "190.00", 10, 10, 1, "5", "5.00", "https://purple-trading.com/en/trade-cfd-stocks"},
		{"FiftyShares", "190.00", 50, 10, 1, "5", "9.50", "https://purple-trading.com/en/trade-cfd-stocks"},
		{"SixtyShares", "250.00", 60, 10, 1, "5", "15.00", "https://purple-trading.com/en/trade-cfd-stocks"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := product(t, "AAPL")
			p.CommissionBps, p.CommissionMin, p.ContractSize = test.bps, units(t, test.minimum, money.Scale), int64(test.contract)
			got, err := Commission(p, test.shares*unit, units(t, test.price, p.Point), one)
			require.NoError(t, err)
			short, err := money.MulDiv(got, 1, 10_000, money.Up)
			require.NoError(t, err)
			require.Equal(t, test.want, money.Format(short, 2), test.source)
		})
	}
}

// TestPublishedLevels checks the examples that brokers print in their own help.
func TestPublishedLevels(t *testing.T) {
	t.Parallel()
	t.Run("TheMarginLevel", func(t *testing.T) {
		const source = "https://help.ice-markets.com/en/articles/3343736-calculation-of-the-stop-out-level"
		require.EqualValues(t, 736_81, Level(units(t, "2282.71", 6), units(t, "309.81", 6)), source)
	})
	t.Run("ALossOf950EndsADepositOf1000", func(t *testing.T) {
		const source = "https://www.fxpro.es/help-section/faq/trading-and-execution/what-is-a-stop-out"
		require.True(t, AtOrBelow(1_000*unit-950*unit, 100*unit, 50), source)
		require.False(t, AtOrBelow(1_000*unit-950*unit+1, 100*unit, 50), source)
	})
	t.Run("FiveLotsOfGBPUSD", func(t *testing.T) {
		const source = "https://www.mql5.com/en/forum/2271"
		used := units(t, "7938.6", 6)
		require.True(t, AtOrBelow(units(t, "3969.30", 6), used, 50), source)
		require.False(t, AtOrBelow(units(t, "3969.300001", 6), used, 50), source)
	})
	t.Run("HedgedLegs", func(t *testing.T) {
		p := product(t, "EURUSD")
		full, err := hedged(p.HedgedRatioBps, unit, unit, 400*unit) // a lot each way at 1:500 is 200 EUR a leg
		require.NoError(t, err)
		require.EqualValues(t, 200*unit, full, "https://admiralsc.freshdesk.com/en/support/solutions/articles/201000071340")
		full, err = hedged(p.HedgedRatioBps, unit, unit*3/2, 500*unit)
		require.NoError(t, err)
		require.EqualValues(t, 300*unit, full, "a hedged lot pays 200 EUR, the half that is left another 100")
	})
	t.Run("APartialClose", func(t *testing.T) {
		const source = "https://hercules-finance.com/faq/how-to-close-fx-positions-partially-in-metatrader4"
		whole := units(t, "813.19", 6) // 0.5 lots of GBPUSD at 1.62638 and 1:100
		released, err := Part(whole, 300_000, 500_000)
		require.NoError(t, err)
		require.Equal(t, "487.914000", money.Format(released, 6), source)
	})
}

// TestPublishedSwaps checks the examples that brokers print in their own help.
func TestPublishedSwaps(t *testing.T) {
	t.Parallel()
	const ultima = "https://helpcenter.ultimarkets.com/hc/en-us/articles/10926282527375-How-to-calculate-swap-fee"
	swap := func(symbol string, model market.SwapModel, rate, lots string, nights int, price string, r Rate) string {
		p := product(t, symbol)
		p.SwapModel = model
		got, err := Swap(p, units(t, rate, 6), units(t, lots, 6), nights, units(t, price, p.Point), r)
		require.NoError(t, err)
		return rounded(t, got, 2)
	}
	require.Equal(t, "2.17", swap("EURUSD", market.PointSwap, "2.17", "1", 1, "1.1", one), ultima)
	require.Equal(t, "-5.45", swap("EURUSD", market.PointSwap, "-5.45", "1", 1, "1.1", one), ultima)
	require.Equal(t, "-16.35", swap("EURUSD", market.PointSwap, "-5.45", "1", 3, "1.1", one), "three nights")
	require.Equal(t, "-0.02", swap("AAPL", market.PercentSwap, "-3.5", "1", 1, "235.82", one), ultima)
	require.Equal(t, "-0.05", swap("AAPL", market.PercentSwap, "-6.88", "1", 1, "235.94", one), ultima)
	require.Equal(t, "-7.20", swap("BTCUSD", market.MoneySwap, "-3.6", "2", 1, "1", one), "trading rules, Swaps")
	require.Equal(t, "-5.87", swap("USDJPY", market.PointSwap, "-8.8", "1", 1, "150", at(t, "USDJPY", "150.000", true)), "8.8 points are 880 yen")
	require.Equal(t, "0.00", swap("EURUSD", market.NoSwap, "0", "1", 3, "1.1", one))
}

func TestDividends(t *testing.T) {
	t.Parallel()
	p := product(t, "AAPL")
	for long, want := range map[bool]int64{true: 2_600_000, false: -2_600_000} {
		got, err := Dividend(p, long, 10*unit, 260_000, one)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	got, err := Dividend(product(t, "HK50"), true, unit, 12*unit, at(t, "USDHKD", "7.80000", true))
	require.NoError(t, err)
	require.Equal(t, "1.54", rounded(t, got, 2), "12 Hong Kong dollars")
}

func TestTiers(t *testing.T) {
	t.Parallel()
	terms := market.Terms{Tiers: "2:500,4:100,10:50", HedgedRatioBps: 5_000}
	leg := func(long bool, lots int64, leverage int) Leg {
		return Leg{Long: long, Lots: lots * unit, Leverage: leverage, Margin: lots * 100_000 * unit / int64(leverage)}
	}
	for name, test := range map[string]struct {
		legs []Leg
		want int64
	}{
		"InsideTheFirst":                {[]Leg{leg(true, 2, 500)}, 400},
		"EachSlicePaysItsOwn":           {[]Leg{leg(true, 5, 500)}, 400 + 2_000 + 2_000},
		"TheLastHasNoEnd":               {[]Leg{leg(true, 12, 500)}, 400 + 2_000 + 16_000},
		"TheLargerMarginCounts":         {[]Leg{leg(true, 3, 50)}, 6_000},
		"PositionsFillTheTiersOneByOne": {[]Leg{leg(true, 2, 500), leg(true, 1, 500)}, 400 + 1_000},
		"HedgedLotsAreVolumeToo":        {[]Leg{leg(true, 2, 500), leg(false, 2, 500)}, (400 + 2_000) / 2},
		"NoTiersNoDifference":           {[]Leg{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := UsedMargin(terms, test.legs)
			require.NoError(t, err)
			require.Equal(t, test.want*unit, got)
		})
	}
}

// TestMean reverses the example of https://hercules-finance.com/faq/how-to-close-fx-positions-partially-in-metatrader4: the remaining lots keep their price.
func TestMean(t *testing.T) {
	t.Parallel()
	first, err := Worth(unit, 110_010)
	require.NoError(t, err)
	second, err := Worth(2*unit, 110_107)
	require.NoError(t, err)
	mean, err := Mean(first+second, 3*unit)
	require.NoError(t, err)
	require.EqualValues(t, 110_075, mean, "110074.67")
	released, err := Part(first+second, unit, 3*unit)
	require.NoError(t, err)
	left, err := Part(first+second-released, 2*unit, 2*unit)
	require.NoError(t, err)
	require.Equal(t, first+second, released+left)
	_, err = Worth(1<<62, 4)
	require.ErrorIs(t, err, money.ErrOverflow)
}

func TestRounding(t *testing.T) {
	t.Parallel()
	// On half a lot of this product, one price step is worth half of the smallest unit of money.
	p := market.Product{ContractSize: 1, Point: 6, MarginModel: market.CFDMargin}
	t.Run("OfProfitIsHalfAwayFromZeroOnBothSides", func(t *testing.T) {
		for _, test := range []struct{ move, want int64 }{{0, 0}, {1, 1}, {-1, -1}, {2, 1}, {3, 2}, {-3, -2}} {
			for long, sign := range map[bool]int64{true: 1, false: -1} {
				got, err := profit(p, long, unit/2, 100, 100+test.move, one)
				require.NoError(t, err)
				require.Equal(t, sign*test.want, got, "%t %d", long, test.move)
			}
		}
	})
	t.Run("BelowHalfIsNothing", func(t *testing.T) {
		got, err := profit(p, true, unit/2-1, 100, 101, one)
		require.NoError(t, err)
		require.Zero(t, got)
	})
	t.Run("OfMarginIsHalfAway", func(t *testing.T) {
		for price, want := range map[int64]int64{100: 1, 99: 0, 299: 1, 300: 2} {
			got, err := Margin(p, unit, price, 200, one)
			require.NoError(t, err)
			require.Equal(t, want, got, price)
		}
	})
	t.Run("OfCommissionIsUp", func(t *testing.T) {
		fee := market.Product{ContractSize: 1, Point: 6, Terms: market.Terms{CommissionBps: 1}}
		for price, want := range map[int64]int64{1: 1, 10_000: 1, 10_001: 2} {
			got, err := Commission(fee, unit, price, one)
			require.NoError(t, err)
			require.Equal(t, want, got, price)
		}
		fee = market.Product{Terms: market.Terms{CommissionPerLot: 1}}
		got, err := Commission(fee, 1, 0, one)
		require.NoError(t, err)
		require.EqualValues(t, 1, got)
	})
	t.Run("HappensOnceAndNotBetween", func(t *testing.T) {
		// 0.001 yen at 150 per dollar: the sum is rounded only after the conversion.
		jpy := market.Product{ContractSize: 1, Point: 3}
		got, err := profit(jpy, true, unit, 1_000, 1_001, Rate{Double: 2 * 150_000, Point: 3, Inverse: true})
		require.NoError(t, err)
		require.EqualValues(t, 7, got, "0.001 yen is 0.000006666… dollars")
	})
}

func TestHedgedMargin(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name              string
		bps               int
		long, short, full int64
		want              int64
	}{
		{"OneSideOnly", 5_000, 3 * unit, 0, 300, 300},
		{"TheOtherSideOnly", 0, 0, 3 * unit, 300, 300},
		{"EqualLegsPayOne", 5_000, unit, unit, 200, 100},
		{"AtZeroEqualLegsPayNothing", 0, unit, unit, 200, 0},
		{"AtOneEqualLegsPayBoth", 10_000, unit, unit, 200, 200},
		{"AnUnhedgedRestPaysInFull", 5_000, 3 * unit, unit, 400, 300},
		{"AtZeroTheRestPaysAlone", 0, 3 * unit, unit, 400, 200},
		{"AtOneNothingIsSaved", 10_000, 3 * unit, unit, 400, 400},
		{"TheLegsShareOneMeanMargin", 5_000, unit, unit, 100 + 300, 200},
		{"Rounded", 5_000, unit, unit, 3, 2},
		{"NoPositions", 5_000, 0, 0, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := hedged(test.bps, test.long, test.short, test.full)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

func TestLevel(t *testing.T) {
	t.Parallel()
	require.EqualValues(t, 100_00, Level(5, 5))
	require.EqualValues(t, 33_34, Level(1, 3))
	require.EqualValues(t, 66_67, Level(2, 3))
	require.EqualValues(t, -50_00, Level(-1, 2))
	require.EqualValues(t, -33_33, Level(-1, 3))
	require.Zero(t, Level(5, 0), "nothing used, no level")
	require.False(t, AtOrBelow(-5, 0, 50))
	require.True(t, AtOrBelow(1, 3, 50))
	require.False(t, AtOrBelow(2, 3, 50), "two thirds, whatever the half of three rounds to")
}

func TestSumsThatLeaveTheRangeAreTooLarge(t *testing.T) {
	t.Parallel()
	p := product(t, "BTCUSD")
	_, err := profit(p, true, math.MaxInt64, 1, math.MaxInt64, one)
	require.ErrorIs(t, err, money.ErrOverflow)
	_, err = Margin(p, math.MaxInt64, math.MaxInt64, 1, one)
	require.ErrorIs(t, err, money.ErrOverflow)
	_, err = Commission(product(t, "XAUUSD"), math.MaxInt64, 1, one)
	require.ErrorIs(t, err, money.ErrOverflow)
	_, err = Commission(product(t, "AAPL"), math.MaxInt64, math.MaxInt64, one)
	require.ErrorIs(t, err, money.ErrOverflow)
	_, err = Commission(market.Product{ContractSize: 1, Terms: market.Terms{CommissionPerLot: math.MaxInt64, CommissionBps: 1, CommissionMin: 1}}, unit, 1, one)
	require.ErrorIs(t, err, money.ErrOverflow, "a sum of two parts")
}

// The model is the trading rules in fractions, rounded once.
func roundHalfAway(r *big.Rat) *big.Int {
	num, den := new(big.Int).Abs(r.Num()), r.Denom()
	q := new(big.Int).Add(new(big.Int).Mul(num, big.NewInt(2)), den)
	q.Quo(q, new(big.Int).Mul(den, big.NewInt(2)))
	if r.Sign() < 0 {
		q.Neg(q)
	}
	return q
}

func roundUp(r *big.Rat) *big.Int {
	q, rest := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

func rat(factors ...int64) *big.Rat {
	out := new(big.Rat).SetInt64(1)
	for _, f := range factors {
		out.Mul(out, new(big.Rat).SetInt64(f))
	}
	return out
}

func ratRate(r Rate) *big.Rat {
	if r.Double == 0 {
		return rat(1)
	}
	mid := new(big.Rat).Quo(rat(r.Double), rat(2, money.Pow10(r.Point)))
	if r.Inverse {
		return mid.Inv(mid)
	}
	return mid
}

// agrees requires that a sum equals the model; the only error allowed is money.ErrOverflow.
func agrees(t *rapid.T, what string, model *big.Int, got int64, err error) {
	if err != nil {
		require.ErrorIs(t, err, money.ErrOverflow, what)
		return // the model may fit where the product of all factors does not
	}
	require.Equal(t, model.String(), big.NewInt(got).String(), what)
}

func drawRate(t *rapid.T) Rate {
	point := rapid.IntRange(0, 6).Draw(t, "rate decimals")
	if rapid.IntRange(0, 3).Draw(t, "one to one") == 0 {
		return Rate{}
	}
	return Rate{rapid.Int64Range(1, 4_000_000).Draw(t, "rate"), point, rapid.Bool().Draw(t, "inverse")}
}

func TestSumsAgreeWithFractions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(market.Catalogue()).Draw(t, "product")
		p.HedgedRatioBps = rapid.SampledFrom([]int{0, 1, 3_333, 5_000, 10_000}).Draw(t, "hedged ratio")
		lots := p.LotMin + rapid.Int64Range(0, (p.LotMax-p.LotMin)/p.LotStep).Draw(t, "steps")*p.LotStep
		open, close := rapid.Int64Range(1, 20_000_000).Draw(t, "open"), rapid.Int64Range(1, 20_000_000).Draw(t, "close")
		long := rapid.Bool().Draw(t, "long")
		leverage := rapid.SampledFrom(p.Leverages()).Draw(t, "leverage")
		r := drawRate(t)
		point := rat(money.Pow10(p.Point))

		model := rat(close-open, lots, p.ContractSize)
		if !long {
			model.Neg(model)
		}
		model.Mul(model.Quo(model, point), ratRate(r))
		got, err := profit(p, long, lots, open, close, r)
		agrees(t, "profit", roundHalfAway(model), got, err)

		model = rat(lots, p.ContractSize)
		if p.MarginModel == market.CFDMargin {
			model.Quo(model.Mul(model, rat(open)), point)
		}
		model.Quo(model.Mul(model, ratRate(r)), rat(int64(leverage)))
		got, err = Margin(p, lots, open, leverage, r)
		agrees(t, "margin", roundHalfAway(model), got, err)

		fee := roundUp(new(big.Rat).Quo(rat(lots, p.CommissionPerLot), rat(unit)))
		if p.CommissionBps > 0 {
			share := new(big.Rat).Quo(rat(lots, p.ContractSize, open, int64(p.CommissionBps)), point)
			share.Quo(share.Mul(share, ratRate(r)), rat(10_000))
			part := roundUp(share)
			if least := big.NewInt(p.CommissionMin); part.Cmp(least) < 0 {
				part = least
			}
			fee.Add(fee, part)
		}
		got, err = Commission(p, lots, open, r)
		agrees(t, "commission", fee, got, err)

		bought, sold := rapid.Int64Range(0, 1e12).Draw(t, "bought"), rapid.Int64Range(0, 1e12).Draw(t, "sold")
		full := rapid.Int64Range(0, 1e15).Draw(t, "full margin")
		if bought+sold > 0 {
			paired := min(bought, sold)
			weight := rat(max(bought, sold) - paired)
			weight.Add(weight, new(big.Rat).Quo(rat(2, int64(p.HedgedRatioBps), paired), rat(10_000)))
			mean := new(big.Rat).Quo(rat(full), rat(bought+sold))
			got, err = hedged(p.HedgedRatioBps, bought, sold, full)
			agrees(t, "hedged margin", roundHalfAway(mean.Mul(mean, weight)), got, err)
		}
	})
}

// Prices higher than any that these products are likely to see.
var (
	high   = map[string]string{"BTCUSD": "500000", "ETHUSD": "50000", "XRPUSD": "10", "ADAUSD": "10", "DOGEUSD": "5"}
	highOf = map[market.Class]string{market.Forex: "200", market.Metal: "10000", market.Crypto: "5000", market.USStock: "10000", market.Index: "100000"}
)

// TestSumsOfOrdinaryTradesFit computes the largest trades at high prices: none of their sums may overflow.
func TestSumsOfOrdinaryTradesFit(t *testing.T) {
	t.Parallel()
	yen := at(t, "USDJPY", "155.123", true)
	for _, p := range market.Catalogue() {
		price := units(t, cmp.Or(high[p.Symbol], highOf[p.Class]), p.Point)
		for _, r := range []Rate{one, yen, at(t, "GBPUSD", "1.29876", false)} {
			_, err := profit(p, true, p.LotMax, 1, price, r)
			require.NoError(t, err, p.Symbol)
			_, err = Margin(p, p.LotMax, price, 1, r)
			require.NoError(t, err, p.Symbol)
			_, err = Commission(p, p.LotMax, price, r)
			require.NoError(t, err, p.Symbol)
		}
		all := 100 * p.LotMax
		_, err := hedged(p.HedgedRatioBps, all, all, 1e15)
		require.NoError(t, err, p.Symbol)
	}
}

func TestPartsMakeTheWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.Int64Range(0, 1e15).Draw(t, "whole")
		left, lots := whole, rapid.Int64Range(1, 100).Draw(t, "lots")*unit/100
		sum := int64(0)
		for lots > 0 {
			step := min(rapid.Int64Range(1, 20).Draw(t, "part")*unit/100, lots)
			released, err := Part(left, step, lots)
			require.NoError(t, err)
			require.True(t, released >= 0 && released <= left, "a part is never more than what is left")
			sum, left, lots = sum+released, left-released, lots-step
		}
		require.Equal(t, whole, sum)
		require.Zero(t, left)
	})
}

// TestALevelReadsAsItIsDecided requires that the level shown is at or below a percentage exactly when AtOrBelow reports true, up to two millionths to each
// side.
func TestALevelReadsAsItIsDecided(t *testing.T) {
	t.Parallel()
	for _, used := range []int64{1, 3, 7, 99, 1_000_003, 123_456_789, 90_000_000_000_001} {
		for _, percent := range []int64{50, 100, 105} {
			mark := used * percent / 100
			for _, equity := range []int64{mark - 2, mark - 1, mark, mark + 1, mark + 2, -mark, 0} {
				require.Equal(t, AtOrBelow(equity, used, percent), Level(equity, used) <= percent*100, "%d of %d beside %d", equity, used, percent)
			}
		}
	}
	require.EqualValues(t, 50_01, Level(50_004, 100_000), "50.004 % is above")
	require.EqualValues(t, 50_00, Level(49_996, 100_000), "49.996 % is at it")
}
