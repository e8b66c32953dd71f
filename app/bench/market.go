package bench

import (
	"context"
	"time"

	"candor/app/market"
	"candor/app/platform/money"
)

// benchMarket is an in-memory market on which everything trades at all times. The benchmark sets its prices.
type benchMarket struct {
	products []market.Product
	byID     map[int]market.Product
	quotes   map[int]market.Quote
	now      time.Time
}

func newBenchMarket() *benchMarket {
	m := &benchMarket{byID: map[int]market.Product{}, quotes: map[int]market.Quote{}, now: time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)}
	for _, p := range market.Catalogue() {
		m.products, m.byID[p.ID] = append(m.products, p), p
		m.setBid(p.ID, firstBid(p))
	}
	return m
}

// firstBid is a typical price.
func firstBid(p market.Product) int64 {
	first := map[market.Class]int64{market.Forex: 11, market.Metal: 20_000, market.Index: 50_000, market.Crypto: 10_000, market.USStock: 2_000}[p.Class]
	if p.Quote == "JPY" {
		first = 1_500
	}
	return first * money.Pow10(p.Point) / 10
}

// setBid sets a product's latest price, with a spread of a ten-thousandth.
func (m *benchMarket) setBid(id int, bid int64) market.Quote {
	q := market.Quote{ProductID: id, Seq: m.quotes[id].Seq + 1, Bid: bid, Ask: bid + max(1, bid/10_000), AtMS: m.now.UnixMilli()}
	m.quotes[id] = q
	return q
}

func (m *benchMarket) Now() time.Time             { return m.now }
func (m *benchMarket) Products() []market.Product { return m.products }
func (m *benchMarket) Product(id int) (market.Product, error) {
	return m.byID[id], nil
}
func (m *benchMarket) Newest(id int) (market.Quote, bool)                  { q, ok := m.quotes[id]; return q, ok }
func (m *benchMarket) Confirmed(id int) (market.Quote, bool)               { return m.Newest(id) }
func (m *benchMarket) Tradable(id int) (market.Quote, error)               { return m.quotes[id], nil }
func (m *benchMarket) DayEnd(market.Product) time.Time                     { return m.now.Add(time.Hour) }
func (m *benchMarket) Leverages(p market.Product, _ string) []int          { return p.Leverages() }
func (m *benchMarket) Version(id, _ int) (market.Terms, bool)              { return m.byID[id].Terms, true }
func (m *benchMarket) Recall(context.Context, market.ForgottenError) error { return nil }

func (m *benchMarket) Before(id int, _ time.Time) (market.Quote, error) {
	if q, ok := m.Newest(id); ok {
		return q, nil
	}
	return market.Quote{}, market.ErrNoPrice
}

func (m *benchMarket) Rollovers(market.Product, time.Time, time.Time) []market.Rollover {
	return nil
}
