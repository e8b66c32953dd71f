package market

import (
	"context"
	"time"

	"candor/app/platform/clock"
)

// Raw is a quote as a feed delivers it: nothing is believed yet. Prices are decimal text in the quote currency.
type Raw struct {
	Symbol   string
	Bid, Ask string
	At       time.Time // market time
	SourceAt time.Time // the source's own time; the same as At unless a recording is replayed
}

// Last is where a product's tape ends, so that a feed goes on from there.
type Last struct {
	Bid, Ask string
	At       time.Time // market time
}

// Feed delivers raw quotes, in order per product. The outside world is behind it.
type Feed interface {
	// Name is what a quote's source says: "simulated", "replay", later a provider's name.
	Name() string
	// Clock is the feed's market time; Start has been called before.
	Clock() clock.Clock
	// Start prepares the feed with the products to price and where each tape ends.
	Start(products []Product, hours *Hours, last map[string]Last) error
	// History calls emit for quotes of the past that the tape lacks, oldest first over all products, and returns; most feeds have none.
	History(ctx context.Context, emit func(Raw)) error
	// Run calls emit for each quote when its market time comes, until ctx ends or the feed has no more (nil).
	Run(ctx context.Context, emit func(Raw)) error
	// StaleLimit is the age after which a product's quote is not traded on; the product's own limit unless the feed is coarser.
	StaleLimit(p Product) time.Duration
}

// Selective is a feed that prices only some products; the others are not offered while it runs.
type Selective interface {
	// Covers tells whether the feed has prices of a product; Start has been called before.
	Covers(p Product) bool
}
