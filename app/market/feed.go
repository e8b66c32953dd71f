package market

import (
	"context"
	"time"

	"candor/app/platform/clock"
)

// Raw is an unchecked quote from a feed. Prices are decimal text in the quote currency.
type Raw struct {
	Symbol   string
	Bid, Ask string
	At       time.Time // market time
	SourceAt time.Time // the source's own time; the same as At unless a recording is replayed
}

// Last is the end of a product's tape, from which a feed continues.
type Last struct {
	Bid, Ask string
	At       time.Time // market time
}

// Feed delivers raw quotes, in order per product. It hides the outside world.
type Feed interface {
	// Name is the source written into quotes: "simulated", "replay", later a provider's name.
	Name() string
	// Clock is the feed's market time; valid after Start.
	Clock() clock.Clock
	// Start prepares the feed with the products to price and the end of each tape.
	Start(products []Product, hours *Hours, last map[string]Last) error
	// History calls emit for past quotes that the tape lacks, oldest first over all products, and returns candles of time without quotes, of each product and
	// period oldest first; they end with the product's last emitted quote. Most feeds have neither.
	History(ctx context.Context, emit func(Raw)) ([]Candle, error)
	// Run calls emit for each quote when its market time comes, until ctx ends or the feed has no more (nil).
	Run(ctx context.Context, emit func(Raw)) error
	// StaleLimit is the maximum age of a tradable quote; the product's own limit unless the feed is coarser.
	StaleLimit(p Product) time.Duration
}

// Selective is a feed that prices only some products; the others are not offered while it runs.
type Selective interface {
	// Covers reports whether the feed has prices of a product; valid after Start.
	Covers(p Product) bool
}
