package trading

import (
	"time"

	"candor/app/audit"
)

// Owner says whose account a command is for.
type Owner struct {
	TraderID, AccountID int64
	Country             string // of residence, which may cap the leverage
}

// Open is a market order: it opens a position at the current quote. Seen is the price that the trader saw, zero to accept any.
type Open struct {
	Owner
	ProductID   int
	Side        Side
	Lots        int64
	Leverage    int
	StopLoss    *int64
	TakeProfit  *int64
	Seen        int64
	SlippageBps int
}

// Close ends a position at the current quote, whole or in part. Lots of zero mean all of it.
type Close struct {
	Owner
	PositionID  int64
	Lots        int64
	Seen        int64
	SlippageBps int
}

// Protect sets or clears (nil) a position's stop loss, take profit and trailing stop. A trailing stop begins at the newest quote when its distance
// changes; where the same distance is saved again it stays where it stands.
type Protect struct {
	Owner
	PositionID int64
	StopLoss   *int64
	TakeProfit *int64
	Trail      *int64 // distance of a trailing stop, in the price's units
}

// Done is what a command did.
type Done struct {
	Fill      *Fill // nil unless something was filled
	Position  Position
	Order     *Order  // the resting order that it is about
	Orders    []Order // all of them, where there are two
	Cancelled []int64 // what CancelAll ended
	Fills     []Fill  // all of them, where there may be more than one
	Skipped   []Skip  // what CloseAll left open
	Valuation Valuation
}

// CloseAll ends positions at their current quotes: all of them, or those of one product, or of one side.
type CloseAll struct {
	Owner
	ProductID int  // 0 is all
	Side      Side // empty is both
}

// Reverse ends a position and opens its opposite with the same lots, both at the current quote. Seen is the price that the trader saw.
type Reverse struct {
	Owner
	PositionID  int64
	Seen        int64
	SlippageBps int
}

// CloseBy settles two opposite positions of a product against each other, without a spread, as far as the smaller reaches.
type CloseBy struct {
	Owner
	PositionID, ByPositionID int64
}

// Skip is a position that CloseAll left open, and why.
type Skip struct {
	PositionID int64
	Code       string // of the market's refusal
}

// SetPositionMode says how an account keeps its positions: one a product (netting), or every fill its own.
type SetPositionMode struct {
	Owner
	Netting bool
	By      audit.Actor
}

// Terms are what a trader may change of a resting order.
type Terms struct {
	Price       int64
	LimitPrice  *int64 // of a stop-limit order
	StopLoss    *int64
	TakeProfit  *int64
	TimeInForce TimeInForce
	ExpiresAt   *time.Time // of GoodTillDate
}

// Place puts an order at rest.
type Place struct {
	Owner
	ProductID int
	Type      OrderType
	Side      Side
	Lots      int64
	Leverage  int
	Terms
}

// Pair puts two orders at rest of which one ends the other (OCO): whichever is filled or ends otherwise ends both.
type Pair struct {
	Owner
	Orders [2]Place
}

// Revise gives a resting order new terms.
type Revise struct {
	Owner
	OrderID int64
	Terms
}

// Cancel ends a resting order.
type Cancel struct {
	Owner
	OrderID int64
}

// CancelAll ends every resting order, or those of one product.
type CancelAll struct {
	Owner
	ProductID int // 0 is all
}
