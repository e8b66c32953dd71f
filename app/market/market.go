// Package market holds products, trading hours and prices: feeds, guarded quotes, the sealed tape, candles and 24-hour figures.
package market

import (
	"time"

	"candor/app/platform/errs"
	"candor/app/platform/money"
)

// Class is an asset class.
type Class string

// The classes.
const (
	Forex    Class = "forex"
	Metal    Class = "metal"
	Index    Class = "index"
	Crypto   Class = "crypto"
	USStock  Class = "us_stock"
	Contract Class = "contract"
)

// Classes lists all classes.
var Classes = []Class{Forex, Metal, Index, Crypto, USStock, Contract}

// MarginModel says how margin is computed (trading-rules: forex in the base currency, cfd in the quote currency).
type MarginModel string

// The margin models.
const (
	ForexMargin MarginModel = "forex"
	CFDMargin   MarginModel = "cfd"
)

// DefaultLeverage is the leverage of a product with an empty leverage list.
const DefaultLeverage = 100

// Refusals of the market.
var (
	ErrProduct = errs.New(errs.NotFound, "product.unknown")
	ErrClosed  = errs.New(errs.Refused, "market.closed")  // outside the product's sessions
	ErrStale   = errs.New(errs.Refused, "market.stale")   // the newest quote is older than the product's limit
	ErrHalted  = errs.New(errs.Refused, "market.halted")  // the newest prices await confirmation
	ErrNoPrice = errs.New(errs.Refused, "market.noprice") // no quote yet
)

// Product is one tradable instrument with the terms in force. Its other fields never change, because open positions are valued by them. Prices are
// integers of 10^-Point, lots of 10^-6.
type Product struct {
	ID           int
	Symbol       string
	Name         string
	Class        Class
	Base         string
	Quote        string
	Point        int // decimals of a price
	ContractSize int64
	MarginModel  MarginModel
	Calendar     string
	Hot          int // rank among the most traded products; 0 is unranked
	Sort         int
	Terms        `gorm:"-"`
}

// PaysDividends reports whether the underlying can go ex-dividend.
func (p Product) PaysDividends() bool { return p.Class == USStock || p.Class == Index }

// TableName is GORM's name of the table.
func (Product) TableName() string { return "products" }

// FormatPrice formats a price with the product's decimals.
func (p Product) FormatPrice(price int64) string { return money.Format(price, p.Point) }

// Quote is a bid and an ask at one moment, numbered per product.
type Quote struct {
	ProductID int
	Seq       int64
	Bid       int64
	Ask       int64
	AtMS      int64 // market time, Unix milliseconds
	SourceMS  int64 // the feed's own time
	Source    string
	Batch     int64 // the tape batch that seals it
	StoredOn  int   // the day on which its leader accepted it, in days since 1970; the tape keeps it in that day's month. 0: the present day
	Term      int64 // the publishing leader's term; 0 once on the tape and on a single server
}

// At is the market time of the quote.
func (q Quote) At() time.Time { return time.UnixMilli(q.AtMS).UTC() }

// Mid2 is twice the middle of bid and ask, so that it stays an integer.
func (q Quote) Mid2() int64 { return q.Bid + q.Ask }

// Is reports whether o is the same quote of the tape.
func (q Quote) Is(o Quote) bool { return q.ProductID == o.ProductID && q.Seq == o.Seq }
