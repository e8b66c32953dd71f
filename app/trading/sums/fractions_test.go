package sums

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/market"
	"candor/app/platform/money"
)

// trade is the input of a random trade's sums.
type trade struct {
	product     market.Product
	long        bool
	lots        int64
	open, close int64
	leverage    int
	swap        int64
	nights      int
	rate        Rate
}

// ordinary draws a trade that any product may have: none of its sums may overflow.
func ordinary(r *rand.Rand, products []market.Product) trade {
	p := products[r.IntN(len(products))]
	p.SwapModel = []market.SwapModel{market.PointSwap, market.MoneySwap, market.PercentSwap}[r.IntN(3)]
	leverages := p.Leverages()
	t := trade{
		product: p, long: r.IntN(2) == 0, lots: p.LotMin + r.Int64N((p.LotMax-p.LotMin)/p.LotStep+1)*p.LotStep,
		open: 1 + r.Int64N(1_000_000), close: 1 + r.Int64N(1_000_000), leverage: leverages[r.IntN(len(leverages))],
		swap: r.Int64N(40_000_000) - 20_000_000, nights: 1 + r.IntN(3),
	}
	if r.IntN(4) > 0 {
		t.rate = Rate{20_000 + r.Int64N(4_000_000), 3 + r.IntN(3), r.IntN(2) == 0} // 0.1 to 2,000 and their inverses
	}
	return t
}

// sum is one of the sums of a trade: by this package, and by the model in fractions.
type sum struct {
	name   string
	counts func(t trade) (int64, error)
	model  func(t trade) *big.Int
}

var tradeSums = []sum{
	{"profit", func(t trade) (int64, error) {
		opened, err := Worth(t.lots, t.open)
		if err != nil {
			return 0, err
		}
		return Profit(t.product, t.long, t.lots, opened, t.close, t.rate)
	}, profitModel},
	{"margin", func(t trade) (int64, error) { return Margin(t.product, t.lots, t.open, t.leverage, t.rate) }, marginModel},
	{"commission", func(t trade) (int64, error) { return Commission(t.product, t.lots, t.open, t.rate) }, commissionModel},
	{"swap", func(t trade) (int64, error) { return Swap(t.product, t.swap, t.lots, t.nights, t.open, t.rate) }, swapModel},
	{"share", func(t trade) (int64, error) { return money.MulDiv(t.swap, t.open, t.close, money.HalfAway) }, func(t trade) *big.Int {
		return roundHalfAway(new(big.Rat).Quo(rat(t.swap, t.open), rat(t.close)))
	}},
}

func profitModel(t trade) *big.Int {
	model := rat(t.close-t.open, t.lots, t.product.ContractSize)
	if !t.long {
		model.Neg(model)
	}
	return roundHalfAway(model.Mul(model.Quo(model, rat(money.Pow10(t.product.Point))), ratRate(t.rate)))
}

func marginModel(t trade) *big.Int {
	model := rat(t.lots, t.product.ContractSize)
	if t.product.MarginModel == market.CFDMargin {
		model.Quo(model.Mul(model, rat(t.open)), rat(money.Pow10(t.product.Point)))
	}
	return roundHalfAway(model.Quo(model.Mul(model, ratRate(t.rate)), rat(int64(t.leverage))))
}

func commissionModel(t trade) *big.Int {
	p := t.product
	fee := roundUp(new(big.Rat).Quo(rat(t.lots, p.CommissionPerLot), rat(unit)))
	if p.CommissionBps == 0 {
		return fee
	}
	share := new(big.Rat).Quo(rat(t.lots, p.ContractSize, t.open, int64(p.CommissionBps)), rat(money.Pow10(p.Point)))
	part := roundUp(share.Quo(share.Mul(share, ratRate(t.rate)), rat(10_000)))
	if least := big.NewInt(p.CommissionMin); part.Cmp(least) < 0 {
		part = least
	}
	return fee.Add(fee, part)
}

func swapModel(t trade) *big.Int {
	p, model := t.product, rat(t.swap, t.lots, int64(t.nights))
	switch p.SwapModel {
	case market.PointSwap:
		model.Mul(model.Quo(model.Mul(model, rat(p.ContractSize)), rat(unit, money.Pow10(p.Point))), ratRate(t.rate))
	case market.PercentSwap:
		model.Mul(model.Quo(model.Mul(model, rat(t.open, p.ContractSize)), rat(unit, 100, 360, money.Pow10(p.Point))), ratRate(t.rate))
	case market.MoneySwap:
		model.Quo(model, rat(unit))
	case market.NoSwap:
		return new(big.Int)
	}
	return roundHalfAway(model)
}

// compared counts the differences between this package and fractions, and the time of each.
type compared struct {
	mismatches      int
	house, fraction time.Duration
}

// compare computes one sum of each trade both ways.
func compare(r *rand.Rand, trades int) (c compared) {
	products := market.Catalogue()
	drawn, counted, failed := make([]trade, trades), make([]int64, trades), make([]error, trades)
	for i := range drawn {
		drawn[i] = ordinary(r, products)
	}
	start := time.Now()
	for i, t := range drawn {
		counted[i], failed[i] = tradeSums[i%len(tradeSums)].counts(t)
	}
	c.house, start = time.Since(start), time.Now()
	for i, t := range drawn {
		want := tradeSums[i%len(tradeSums)].model(t)
		if failed[i] != nil || !want.IsInt64() || want.Int64() != counted[i] {
			c.mismatches++
		}
	}
	c.fraction = time.Since(start)
	return c
}

// TestSumsOfRandomTradesAgreeWithFractions compares 20,000 trades, or CANDOR_SUMS of them.
func TestSumsOfRandomTradesAgreeWithFractions(t *testing.T) {
	t.Parallel()
	trades := 20_000
	if text := os.Getenv("CANDOR_SUMS"); text != "" {
		var err error
		trades, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	require.Zero(t, compare(rand.New(rand.NewPCG(20, 26)), trades).mismatches)
}

func TestSumsAllocateNothing(t *testing.T) {
	r, products := rand.New(rand.NewPCG(1, 2)), market.Catalogue()
	for range 50 {
		drawn := ordinary(r, products)
		for _, s := range tradeSums {
			require.Zero(t, testing.AllocsPerRun(10, func() { _, _ = s.counts(drawn) }), s.name)
		}
	}
}

func BenchmarkSums(b *testing.B) {
	r, products := rand.New(rand.NewPCG(3, 4)), market.Catalogue()
	drawn := make([]trade, 1_000)
	for i := range drawn {
		drawn[i] = ordinary(r, products)
	}
	for _, s := range tradeSums {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				_, _ = s.counts(drawn[i%len(drawn)])
			}
		})
	}
}

// BenchmarkMoneyCore prints the target P15: the sums of a million random trades against fractions, and what they allocate.
func BenchmarkMoneyCore(b *testing.B) {
	const rounds, trades = 5, 200_000
	for b.Loop() {
		r, mismatches, allocations := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0)), 0, uint64(0)
		var faster []float64
		for range rounds {
			c := compare(r, trades)
			mismatches += c.mismatches
			faster = append(faster, float64(c.fraction)/float64(c.house))
			allocations += allocationsOf(r)
		}
		line, err := json.Marshal(map[string]any{
			"id": "P15", "value": uint64(mismatches) + allocations, "target": 0, "better": "lower", "rounds": rounds,
			"detail": map[string]any{"trades": rounds * trades, "mismatches": mismatches, "allocations": allocations, "fasterThanFractions": faster},
		})
		require.NoError(b, err)
		fmt.Println(string(line))
	}
}

// allocationsOf counts the allocations of ten thousand sums.
func allocationsOf(r *rand.Rand) uint64 {
	drawn := make([]trade, 10_000)
	for i, products := 0, market.Catalogue(); i < len(drawn); i++ {
		drawn[i] = ordinary(r, products)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i, t := range drawn {
		_, _ = tradeSums[i%len(tradeSums)].counts(t)
	}
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}
