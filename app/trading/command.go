package trading

import (
	"time"

	"candor/app/audit"
	"candor/app/ledger"
)

// Open is a market order. Seen is the price shown to the trader; 0 accepts any price.
type Open struct {
	ledger.Owner
	ProductID   int
	Side        Side
	Lots        int64
	Leverage    int
	StopLoss    *int64
	TakeProfit  *int64
	Seen        int64
	SlippageBps int
}

// Close closes a position at the current quote. Lots of 0 close all of it.
type Close struct {
	ledger.Owner
	PositionID  int64
	Lots        int64
	Seen        int64
	SlippageBps int
}

// Protect sets, or clears with nil, a position's stop loss, take profit and trailing stop. A new trailing distance starts at the newest quote; saving the
// same distance again leaves the stop where it is.
type Protect struct {
	ledger.Owner
	PositionID int64
	StopLoss   *int64
	TakeProfit *int64
	Trail      *int64 // distance in the price's units
}

// Done is the result of a command.
type Done struct {
	Fill      *Fill // nil when nothing was filled
	Position  Position
	Value     *Value  // of the position; nil when it is closed
	Order     *Order  // the pending order of the command
	Orders    []Order // both orders of a pair
	Cancelled []int64 // the orders that CancelAll ended
	Fills     []Fill  // every fill, where a command can have several
	Skipped   []Skip  // the positions that CloseAll left open
	Netting   bool    // the account's position mode
	Totals    Totals
}

// CloseAll closes positions at their current quotes: all, or those of one product or side.
type CloseAll struct {
	ledger.Owner
	ProductID int  // 0 for all
	Side      Side // empty for both
}

// Reverse closes a position and opens its opposite with the same lots at the same quote. Seen is the price shown to the trader.
type Reverse struct {
	ledger.Owner
	PositionID  int64
	Seen        int64
	SlippageBps int
}

// CloseBy settles two opposite positions of a product against each other without a spread, up to the smaller volume.
type CloseBy struct {
	ledger.Owner
	PositionID, ByPositionID int64
}

// Skip is a position that CloseAll left open, and the reason.
type Skip struct {
	PositionID int64
	Code       string // the key of the market's refusal
}

// SetPositionMode switches an account between netting (one position per product) and hedging (one position per fill).
type SetPositionMode struct {
	ledger.Owner
	Netting bool
	By      audit.Actor
}

// Terms are the parts of a pending order that a trader may change.
type Terms struct {
	Price       int64
	LimitPrice  *int64 // of a stop-limit order
	StopLoss    *int64
	TakeProfit  *int64
	TimeInForce TimeInForce
	ExpiresAt   *time.Time // of GoodTillDate
}

// Place adds a pending order.
type Place struct {
	ledger.Owner
	ProductID int
	Type      OrderType
	Side      Side
	Lots      int64
	Leverage  int
	Terms
}

// Pair adds two pending orders, one cancels the other (OCO): a fill or any other end of one ends both.
type Pair struct {
	ledger.Owner
	Orders [2]Place
}

// Revise changes the terms of a pending order.
type Revise struct {
	ledger.Owner
	OrderID int64
	Terms
}

// Cancel ends a pending order.
type Cancel struct {
	ledger.Owner
	OrderID int64
}

// CancelAll ends all pending orders, or those of one product.
type CancelAll struct {
	ledger.Owner
	ProductID int // 0 for all
}
