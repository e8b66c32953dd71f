// Package tradingtest is a market in memory, for tests of trading.
package tradingtest

import (
	"context"
	"time"

	"candor/app/market"
)

// Tuesday is a moment at which currencies, New York stocks and crypto trade.
var Tuesday = time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)

// Products of the catalogue.
const (
	EURUSD = 1   // forex, quoted in dollars
	GBPUSD = 2   // forex, converts pounds
	USDJPY = 3   // forex, converts yen
	EURGBP = 8   // forex, a cross
	XAUUSD = 101 // pays commission by the lot
	AAPL   = 301 // pays commission by its worth
)

// Listed are the products of an exchange: a pair that converts itself, two that convert others, a cross, gold with commission by the lot, a stock with
// commission by its worth.
var Listed = []int{EURUSD, GBPUSD, USDJPY, EURGBP, XAUUSD, AAPL}

// Exchange is a market in memory that is always open. Its products are the catalogue's, with terms of its own; tests set its quotes and its time.
type Exchange struct {
	Catalogue map[int]market.Product
	Listed    []int
	Quotes    map[int]market.Quote
	At        time.Time
	Passed    []market.Rollover // rollovers since the start
}

// NewExchange makes an exchange with the listed products and no quotes.
func NewExchange() *Exchange {
	x := &Exchange{Catalogue: map[int]market.Product{}, Listed: Listed, Quotes: map[int]market.Quote{}, At: Tuesday}
	for _, p := range market.Catalogue() {
		p.SwapModel, p.SwapLong, p.SwapShort, p.Tiers = market.NoSwap, 0, 0, ""
		switch p.ID {
		case EURUSD:
			p.SwapModel, p.SwapLong, p.SwapShort, p.Tiers = market.PointSwap, -8_900_000, 2_400_000, "2:500,4:100,10:50"
		case EURGBP:
			p.SwapModel, p.SwapLong, p.SwapShort = market.PointSwap, -6_100_000, 1_900_000
		case XAUUSD:
			p.SwapModel, p.SwapLong, p.SwapShort = market.MoneySwap, -3_333_333, 1_111_111
		case AAPL:
			p.SwapModel, p.SwapLong, p.SwapShort = market.PercentSwap, -7_500_000, -2_500_000
		}
		x.Catalogue[p.ID] = p
	}
	return x
}

// Now is the exchange's time.
func (x *Exchange) Now() time.Time { return x.At }

// Product finds a product of the catalogue, listed or not.
func (x *Exchange) Product(id int) (market.Product, error) {
	if p, ok := x.Catalogue[id]; ok {
		return p, nil
	}
	return market.Product{}, market.ErrProduct
}

// Products are the listed products.
func (x *Exchange) Products() (out []market.Product) {
	for _, id := range x.Listed {
		out = append(out, x.Catalogue[id])
	}
	return out
}

// Newest is the last quote of a product.
func (x *Exchange) Newest(id int) (market.Quote, bool) { q, ok := x.Quotes[id]; return q, ok }

// Confirmed is the last quote of a product.
func (x *Exchange) Confirmed(id int) (market.Quote, bool) { return x.Newest(id) }

// Tradable is the last quote of a product; the exchange never closes.
func (x *Exchange) Tradable(id int) (market.Quote, error) { return x.Quotes[id], nil }

// DayEnd is an hour from now.
func (x *Exchange) DayEnd(market.Product) time.Time { return x.At.Add(time.Hour) }

// Leverages are the product's; no country caps them.
func (x *Exchange) Leverages(p market.Product, _ string) []int { return p.Leverages() }

// Before is the last quote of a product, at any moment. It returns market.ErrNoPrice without one.
func (x *Exchange) Before(id int, _ time.Time) (market.Quote, error) {
	if q, ok := x.Newest(id); ok {
		return q, nil
	}
	return market.Quote{}, market.ErrNoPrice
}

// Recall does nothing: no price is forgotten.
func (x *Exchange) Recall(context.Context, market.ForgottenError) error { return nil }

// Version is the product's only version of its terms.
func (x *Exchange) Version(id, _ int) (market.Terms, bool) { return x.Catalogue[id].Terms, true }

// Rollovers are those that have passed; only AAPL pays dividends.
func (x *Exchange) Rollovers(p market.Product, after, until time.Time) (out []market.Rollover) {
	for _, r := range x.Passed {
		if r.Day.After(after) && !r.At.After(until) {
			if r.Terms = p.Terms; p.ID != AAPL {
				r.Dividend = 0
			}
			out = append(out, r)
		}
	}
	return out
}
