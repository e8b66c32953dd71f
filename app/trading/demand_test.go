package trading

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/trading/sums"
	"candor/app/trading/tradingtest"
)

// demandFixture has the margin and commission of orders, and the largest order that an account can carry. The trader app shows both before an order is sent,
// and its tests must compute the same. UPDATE_GOLDEN writes it again.
const demandFixture = "../../customer-web/src/features/trading/model/demand.fixture.json"

type (
	demands struct {
		Quotes   map[int]demandQuote      `json:"quotes"`
		Products map[string]demandProduct `json:"products"`
		Cases    []demandCase             `json:"cases"`
	}
	demandQuote struct {
		Bid string `json:"bid"`
		Ask string `json:"ask"`
	}
	demandConversion struct {
		ProductID int  `json:"productId"`
		Inverse   bool `json:"inverse"`
		Point     int  `json:"point"`
	}
	demandTier struct {
		UpTo     string `json:"upTo,omitempty"`
		Leverage int    `json:"leverage"`
	}
	demandProduct struct {
		ProductID        int              `json:"productId"`
		Point            int              `json:"point"`
		ContractSize     int64            `json:"contractSize"`
		MarginModel      string           `json:"marginModel"`
		LotMin           string           `json:"lotMin"`
		LotStep          string           `json:"lotStep"`
		LotMax           string           `json:"lotMax"`
		HedgedRatio      string           `json:"hedgedRatio"`
		Tiers            []demandTier     `json:"tiers"`
		CommissionPerLot string           `json:"commissionPerLot"`
		CommissionBps    int              `json:"commissionBps"`
		CommissionMin    string           `json:"commissionMin"`
		Conversion       demandConversion `json:"conversion"`
		MarginConversion demandConversion `json:"marginConversion"`
	}
	demandPosition struct {
		PositionID int64  `json:"positionId"`
		ProductID  int    `json:"productId"`
		Side       Side   `json:"side"`
		Lots       string `json:"lots"`
		OpenPrice  string `json:"openPrice"`
		Price      string `json:"price"`
		Leverage   int    `json:"leverage"`
		Margin     string `json:"margin"`
		Profit     string `json:"profit"`
	}
	demandStatistics struct {
		Balance       string `json:"balance"`
		NetValue      string `json:"netValue"`
		PrepaidAmount string `json:"prepaidAmount"`
	}
	demandOrder struct {
		Lots       string  `json:"lots"`
		Margin     string  `json:"margin"`
		Commission string  `json:"commission"`
		Lacks      *string `json:"lacks"`
	}
	demandCase struct {
		Name       string           `json:"name"`
		Product    string           `json:"product"`
		Netting    bool             `json:"netting"`
		Positions  []demandPosition `json:"positions"`
		Statistics demandStatistics `json:"statistics"`
		Side       Side             `json:"side"`
		Leverage   int              `json:"leverage"`
		Price      string           `json:"price"`
		Orders     []demandOrder    `json:"orders"`
		Most       string           `json:"most"`
	}
)

// demandTerms are products with tiers, hedged ratios and commissions of every kind, and with few enough volumes to try every one.
var demandTerms = map[int]market.Terms{
	tradingtest.EURUSD: {LotMax: 8_000_000, Tiers: "1:200,3:50,5:10", HedgedRatioBps: 5_000},
	tradingtest.USDJPY: {LotMax: 6_000_000},
	tradingtest.EURGBP: {LotMax: 6_000_000, Tiers: "2:100,4:20", HedgedRatioBps: 10_000},
	tradingtest.XAUUSD: {LotMax: 6_000_000, HedgedRatioBps: 2_500},
	tradingtest.AAPL:   {LotMax: 400_000_000, Tiers: "50:20,100:5", HedgedRatioBps: 1_000},
}

const bitcoin = 201

// demandMarket is a market in memory with the terms and prices of the fixture.
type demandMarket struct {
	*tradingtest.Exchange
	t     *testing.T
	rules *Rules
}

func newDemandMarket(t *testing.T) *demandMarket {
	b := &demandMarket{Exchange: tradingtest.NewExchange(), t: t}
	b.Listed = nil
	for _, p := range market.Catalogue() {
		b.Listed = append(b.Listed, p.ID)
	}
	for id, terms := range demandTerms {
		p := b.Catalogue[id]
		p.LotMax, p.Tiers, p.HedgedRatioBps = terms.LotMax, terms.Tiers, terms.HedgedRatioBps
		b.Catalogue[id] = p
	}
	for id, prices := range map[int][2]int64{
		tradingtest.EURUSD: {1_10000, 1_10010}, tradingtest.GBPUSD: {1_25000, 1_25020}, tradingtest.USDJPY: {150_000, 150_020}, tradingtest.EURGBP: {88_000, 88_010},
		tradingtest.XAUUSD: {2000_00, 2000_50}, tradingtest.AAPL: {200_00, 200_10}, bitcoin: {50000_00, 50010_00},
	} {
		b.Quotes[id] = market.Quote{ProductID: id, Seq: 1, Bid: prices[0], Ask: prices[1], AtMS: b.At.UnixMilli()}
	}
	b.rules = NewRules(b, b)
	return b
}

// TestDemand compares the fixture with the rules: margin and commission of an order of each volume, and the largest order that the account can carry.
func TestDemand(t *testing.T) {
	t.Parallel()
	b := newDemandMarket(t)
	found := demands{Quotes: map[int]demandQuote{}, Products: map[string]demandProduct{}}
	for _, id := range []int{tradingtest.EURUSD, tradingtest.GBPUSD, tradingtest.USDJPY, tradingtest.EURGBP, tradingtest.XAUUSD, tradingtest.AAPL, bitcoin} {
		q, _ := b.Newest(id)
		p := b.product(id)
		found.Quotes[id] = demandQuote{p.FormatPrice(q.Bid), p.FormatPrice(q.Ask)}
	}
	for _, id := range []int{tradingtest.EURUSD, tradingtest.USDJPY, tradingtest.EURGBP, tradingtest.XAUUSD, tradingtest.AAPL} {
		p := b.product(id)
		found.Products[p.Symbol] = b.demandProduct(p)
		for _, f := range b.demandPortfolios(p) {
			for _, side := range []Side{Buy, Sell} {
				found.Cases = append(found.Cases, b.demandCase(p, f, side))
			}
		}
	}
	text, err := found.text()
	require.NoError(t, err)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile(demandFixture, []byte(text), 0o644)) //nolint:gosec // a file of the repository
	}
	kept, err := os.ReadFile(demandFixture)
	require.NoError(t, err)
	require.Equal(t, string(kept), text, "UPDATE_GOLDEN=1 writes it anew")
}

// text is the fixture as JSON, with a line for each case.
func (d demands) text() (string, error) {
	head, err := json.Marshal(demands{d.Quotes, d.Products, []demandCase{}})
	lines := []string{}
	for _, one := range d.Cases {
		line, failed := json.Marshal(one)
		lines, err = append(lines, string(line)), errors.Join(err, failed)
	}
	return strings.TrimSuffix(string(head), "]}") + "\n" + strings.Join(lines, ",\n") + "\n]}\n", err
}

func (b *demandMarket) product(id int) market.Product {
	b.t.Helper()
	p, err := b.Product(id)
	require.NoError(b.t, err)
	return p
}

func (b *demandMarket) demandProduct(p market.Product) demandProduct {
	conversion := func(currency string) (c demandConversion) {
		if way, inverse, ok := b.rules.Conversion(currency); ok {
			c = demandConversion{way.ID, inverse, way.Point}
		}
		return c
	}
	out := demandProduct{
		ProductID: p.ID, Point: p.Point, ContractSize: p.ContractSize, MarginModel: string(p.MarginModel),
		LotMin: inUnits(p.LotMin), LotStep: inUnits(p.LotStep), LotMax: inUnits(p.LotMax), HedgedRatio: money.Trim(int64(p.HedgedRatioBps), 4), Tiers: []demandTier{},
		CommissionPerLot: inUnits(p.CommissionPerLot), CommissionBps: p.CommissionBps, CommissionMin: inUnits(p.CommissionMin),
		Conversion: conversion(p.Quote), MarginConversion: conversion(p.Quote),
	}
	if p.MarginModel == market.ForexMargin {
		out.MarginConversion = conversion(p.Base)
	}
	tiers := p.MarginTiers()
	for i, tier := range tiers {
		one := demandTier{Leverage: tier.Leverage}
		if i < len(tiers)-1 {
			one.UpTo = inUnits(tier.UpTo)
		}
		out.Tiers = append(out.Tiers, one)
	}
	return out
}

func inUnits(v int64) string { return money.Trim(v, money.Scale) }

// demandFolio is the portfolio of a case.
type demandFolio struct {
	name string
	Portfolio
}

// demandPortfolios are accounts with no position, one side or both, and with much money, little, too little or only bonus.
func (b *demandMarket) demandPortfolios(p market.Product) (out []demandFolio) {
	list := p.Leverages()
	share := (p.LotMax / 10) / p.LotStep * p.LotStep
	long := b.demandPosition(11, p, Buy, 2*share, 1_003, list[1])
	held := map[string][]Position{
		"nothing": {}, "a long": {long}, "a long and a short": {long, b.demandPosition(12, p, Sell, share, 998, list[0])},
	}
	elsewhere := b.demandPosition(7, b.product(bitcoin), Sell, money.Unit/10, 999, 10)
	for _, what := range []string{"nothing", "a long", "a long and a short"} {
		for _, netting := range []bool{false, true} {
			if netting && what != "a long" {
				continue
			}
			f := Portfolio{Positions: append([]Position{elsewhere}, held[what]...), Account: ledger.Account{ID: 1, Book: ledger.Real, Netting: netting}}
			now, err := b.rules.Value(f)
			require.NoError(b.t, err)
			one, err := b.demandMargin(p, p.LotMax/3)
			require.NoError(b.t, err)
			for name, account := range map[string][2]int64{
				"much": {now.Used + 100*one, 0}, "little": {now.Used - now.Floating + one, 0}, "too little": {now.Used*95/100 - now.Floating, 0},
				"nothing of one's own": {0, now.Used - now.Floating + one},
			} {
				if what != "a long" && (name == "much" || name == "nothing of one's own") {
					continue
				}
				g := demandFolio{fmt.Sprintf("%s of %s, netting %t, with %s", what, p.Symbol, netting, name), f}
				g.Account.Cash, g.Account.Bonus = max(account[0], 0), account[1]
				out = append(out, g)
			}
		}
	}
	slices.SortFunc(out, func(a, b demandFolio) int { return strings.Compare(a.name, b.name) })
	return out
}

// demandPosition is a position that was opened at so many thousandths of the current price.
func (b *demandMarket) demandPosition(id int64, p market.Product, side Side, lots, thousandths int64, leverage int) Position {
	q, _ := b.Newest(p.ID)
	price := OpeningPrice(side, q) * thousandths / 1_000
	rate, err := b.rules.MarginRate(p, q, price)
	require.NoError(b.t, err)
	margin, err := sums.Margin(p, lots, price, leverage, rate.Rate)
	require.NoError(b.t, err)
	return Position{
		ID: id, AccountID: 1, ProductID: p.ID, Side: side, Lots: lots, LotsOpened: lots, OpenPrice: price, OpenValue: lots * price, Leverage: leverage,
		Margin: margin, State: StateOpen,
	}
}

// demandMargin is the used margin of a single position of lots at the default leverage.
func (b *demandMarket) demandMargin(p market.Product, lots int64) (int64, error) {
	f := Portfolio{Positions: []Position{b.demandPosition(1, p, Buy, lots/p.LotStep*p.LotStep, 1_000, p.Leverages()[0])}}
	return f.used(b)
}

func (b *demandMarket) demandCase(p market.Product, f demandFolio, side Side) demandCase {
	now, err := b.rules.Value(f.Portfolio)
	require.NoError(b.t, err)
	q, _ := b.Newest(p.ID)
	o := opening{product: p, quote: q, side: side, leverage: p.Leverages()[0], rule: MarketRule}
	out := demandCase{
		Name: f.name, Product: p.Symbol, Netting: f.Account.Netting, Positions: []demandPosition{}, Side: side, Leverage: o.leverage,
		Price: p.FormatPrice(OpeningPrice(side, q)), Most: "0",
		Statistics: demandStatistics{
			money.Format(f.Account.Cash+f.Account.Deficit, money.Scale), money.Format(now.Equity, money.Scale), money.Format(now.Used, money.Scale),
		},
	}
	for _, v := range now.Positions {
		of := b.product(v.ProductID)
		out.Positions = append(out.Positions, demandPosition{
			v.ID, v.ProductID, v.Side, inUnits(v.Lots), of.FormatPrice(v.OpenPrice), of.FormatPrice(v.Price), v.Leverage, inUnits(v.Margin),
			money.Format(v.Profit, money.Scale),
		})
	}
	share := (p.LotMax / 10) / p.LotStep * p.LotStep
	for _, lots := range []int64{p.LotMin, share, 2 * share, 2*share + p.LotStep, p.LotMax} {
		out.Orders = append(out.Orders, b.demandOrder(f.Portfolio, o, lots))
	}
	for lots := p.LotMax; lots >= p.LotMin; lots -= p.LotStep {
		if o.lots = lots; b.demandLacks(f.Portfolio, o) == nil {
			out.Most = inUnits(lots)
			break
		}
	}
	return out
}

func (b *demandMarket) demandOrder(f Portfolio, o opening, lots int64) demandOrder {
	o.lots = lots
	out := demandOrder{Lots: inUnits(lots), Lacks: b.demandLacks(f, o)}
	before, err := f.used(b)
	require.NoError(b.t, err)
	f.Account.Cash += 1_000_000_000 * money.Unit // enough for every order
	legs, err := b.demandLegs(f, o)
	require.NoError(b.t, err)
	commission := int64(0)
	for _, l := range legs {
		f, commission = f.With(l.position), commission+l.Fill.Commission
	}
	after, err := f.used(b)
	require.NoError(b.t, err)
	out.Margin, out.Commission = money.Format(after-before, money.Scale), money.Format(commission, money.Scale)
	return out
}

func (b *demandMarket) demandLacks(f Portfolio, o opening) (what *string) {
	_, err := b.demandLegs(f, o)
	switch {
	case errors.Is(err, ErrMargin):
		what = new("margin")
	case errors.Is(err, ErrCash):
		what = new("cash")
	default:
		require.NoError(b.t, err)
	}
	return what
}

// demandLegs are the fills of an order, as enter decides them.
func (b *demandMarket) demandLegs(f Portfolio, o opening) ([]leg, error) {
	held, ok := f.netted(o.product.ID)
	if ok && held.Side != o.side {
		return b.rules.offset(f, o, held)
	}
	l, err := b.rules.openLeg(f, o, held)
	return []leg{l}, err
}
