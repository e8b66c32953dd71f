package bench

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/trading"
	"candor/app/trading/trigger"
)

const (
	marginAccounts  = 10_000
	marginPositions = 3      // positions of an account
	marginQuotes    = 20_000 // per weather, a fifth in each round; products in turn
)

// volatility is the volatility of prices: the largest move of a product by one quote, in hundredths of a basis point.
type volatility struct {
	name string
	step int64
}

// marginRun is the counts of one run.
type marginRun struct {
	scanned, valued, acts, different int
	scanCPU, bandCPU                 time.Duration
}

// benchMargin measures how many accounts are valued with margin bands and with a full scan on the same prices, and compares the decisions of both.
func benchMargin(_ context.Context, out io.Writer) ([]target, error) {
	runs := map[string][]marginRun{}
	volatilities := []volatility{{"calm, 0.2 basis points a quote", 20}, {"storm, 20 basis points a quote", 2_000}}
	benches := []*marginBench{newMarginBench(1), newMarginBench(2)}
	for round := range benchRounds {
		for i, kind := range volatilities {
			r := benches[i].run(kind.step)
			runs[kind.name] = append(runs[kind.name], r)
			fmt.Fprintf(out, "round %d  %-32s %9d valued by the scan, %7d by bands  %6d acts, %d different  cpu %6.0f ms and %5.0f ms\n",
				round+1, kind.name, r.scanned, r.valued, r.acts, r.different, r.scanCPU.Seconds()*1_000, r.bandCPU.Seconds()*1_000)
		}
	}
	detail, same := map[string]any{"accounts": marginAccounts, "positions": marginAccounts * marginPositions, "quotes": marginQuotes}, 1.0
	for name, list := range runs {
		acts := 0
		for _, r := range list {
			if acts += r.acts; r.different > 0 {
				same = 0
			}
		}
		detail[name] = map[string]float64{
			"scanned": medianRun(list, func(r marginRun) float64 { return float64(r.scanned) }), "valued": medianRun(list, func(r marginRun) float64 { return float64(r.valued) }),
			"acts": float64(acts), "cpuRatio": medianRun(list, func(r marginRun) float64 { return r.scanCPU.Seconds() / r.bandCPU.Seconds() }),
		}
	}
	fewer := func(name string) float64 {
		return medianRun(runs[name], func(r marginRun) float64 { return float64(r.scanned) / float64(max(r.valued, 1)) })
	}
	return []target{
		{"P14", same, 1, "higher", benchRounds, detail},
		{"P14a", fewer(volatilities[0].name), 1_000, "higher", benchRounds, nil},
		{"P14b", fewer(volatilities[1].name), 50, "higher", benchRounds, nil},
	}, nil
}

func medianRun(list []marginRun, figure func(marginRun) float64) float64 {
	values := make([]float64, len(list))
	for i, r := range list {
		values[i] = figure(r)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// marginBench is the same accounts twice: monitored with bands and with a full scan.
type marginBench struct {
	*rand.Rand
	market      *benchMarket
	bands, scan *trigger.Rehearsal
	products    []market.Product
}

func newMarginBench(seed uint64) *marginBench {
	m := newBenchMarket()
	b := &marginBench{rand.New(rand.NewPCG(seed, 14)), m, trigger.Rehearse(m), trigger.Rehearse(m), m.products}
	for id := range int64(marginAccounts) {
		account, positions := b.account(id + 1)
		b.bands.Hold(account, positions, nil)
		b.scan.Hold(account, slices.Clone(positions), nil)
	}
	b.bands.Sweep() // sets the bands, like a start
	return b
}

// account has positions that reserve a margin of 100 each, at realistic margin levels: a few near the margin call, most well above.
func (b *marginBench) account(id int64) (ledger.Account, []trading.Position) {
	var positions []trading.Position
	for i := range int64(marginPositions) {
		positions = append(positions, b.position(id, id*marginPositions+i))
	}
	level := 300 + b.Int64N(700)
	switch n := b.IntN(100); {
	case n < 5:
		level = 110 + b.Int64N(40)
	case n < 40:
		level = 150 + b.Int64N(150)
	case n < 60:
		level = 1_000 + b.Int64N(4_000)
	}
	return ledger.Account{ID: id, Cash: marginPositions * level * money.Unit}, positions
}

// position reserves a margin of about 100 at a usual leverage, with the lots that this takes if its quote currency were the account's.
func (b *marginBench) position(account, id int64) trading.Position {
	p := b.products[b.IntN(len(b.products))]
	side, q := []trading.Side{trading.Buy, trading.Sell}[b.IntN(2)], b.market.quotes[p.ID]
	leverage := []int64{20, 50, 100}[b.IntN(3)]
	worth := 100 * leverage * money.Unit // the position's value, in its quote currency
	switch p.Quote {
	case "JPY":
		worth *= 150
	case "HKD":
		worth *= 8
	}
	price := q.Ask
	if side == trading.Sell {
		price = q.Bid
	}
	lots := max(worth/p.ContractSize*money.Pow10(p.Point)/price, 1)
	return trading.Position{
		ID: id, AccountID: account, ProductID: p.ID, Side: side, Lots: lots, LotsOpened: lots, OpenPrice: price, OpenValue: lots * price, Leverage: int(leverage),
		Margin: 100 * money.Unit, RolledDay: market.LastRollover(b.market.now).Day, State: "open",
	}
}

// run moves the prices: every product gets a quote in turn, then both variants evaluate it.
func (b *marginBench) run(step int64) (r marginRun) {
	for sent := 0; sent < marginQuotes/benchRounds; {
		for _, p := range b.products {
			bid := b.market.quotes[p.ID].Bid
			q := b.market.setBid(p.ID, max(bid+b.move(bid, step), 100))
			before := ownCPU()
			b.bands.Quote(&q)
			r.bandCPU += ownCPU() - before
			sent++
		}
		before := ownCPU()
		valued, acts := b.bands.Sweep()
		between := ownCPU()
		scanned, wanted := b.scan.Scan()
		r.bandCPU, r.scanCPU = r.bandCPU+between-before, r.scanCPU+ownCPU()-between
		r.valued, r.scanned, r.acts = r.valued+valued, r.scanned+scanned, r.acts+len(wanted)
		if !slices.Equal(acts, wanted) {
			r.different++
		}
	}
	return r
}

// move is a random step up or down of at most a number of hundredths of a basis point, plus one unit.
func (b *marginBench) move(bid, step int64) int64 {
	most := bid * step / 1_000_000
	return b.Int64N(2*most+3) - most - 1
}
