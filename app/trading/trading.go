// Package trading turns orders into fills and positions at the market's own quotes, keeps margin, and proves every fill.
//
// Lots are units of 10^-6, money is 10^-6 of the account currency, prices are integers of 10^-point.
package trading

import (
	"time"

	"candor/app/platform/errs"
)

// Side is the direction of an order or a position.
type Side string

// The sides.
const (
	Buy  Side = "buy"
	Sell Side = "sell"
)

// Opposite is the other side.
func (s Side) Opposite() Side {
	if s == Buy {
		return Sell
	}
	return Buy
}

func (s Side) valid() bool { return s == Buy || s == Sell }

// Rule names what made a fill happen.
type Rule string

// The rules of fills.
const (
	MarketRule     Rule = "market"
	LimitRule      Rule = "limit"
	StopRule       Rule = "stop"
	StopLimitRule  Rule = "stop_limit"
	StopLossRule   Rule = "sl"
	TakeProfitRule Rule = "tp"
	TrailingRule   Rule = "trailing"
	StopOutRule    Rule = "stop_out"
	CloseByRule    Rule = "close_by"
)

// CloseReason says why a position ended.
type CloseReason string

// The reasons; those of rules carry the rule's name.
const (
	ManualClose     CloseReason = "manual"
	StopLossClose   CloseReason = "sl"
	TakeProfitClose CloseReason = "tp"
	TrailingClose   CloseReason = "trailing"
	StopOutClose    CloseReason = "stop_out"
	CloseByClose    CloseReason = "close_by"
)

func (r Rule) closeReason() CloseReason {
	switch r {
	case MarketRule, LimitRule, StopRule, StopLimitRule: // an order of the trader's, in a netting account also one that waited
		return ManualClose
	case StopLossRule, TakeProfitRule, TrailingRule, StopOutRule, CloseByRule:
	}
	return CloseReason(r)
}

// Limits of the engine.
const (
	MaxPositions       = 200 // open at once in an account
	DefaultSlippageBps = 50
	MaxSlippageBps     = 1_000
	StopOutPercent     = 50  // margin level at or below which positions are closed
	MarginCallPercent  = 100 // margin level at or below which the trader is warned
	MarginCallRecovery = 5   // points the level must rise before the next warning
)

// Refusals of the engine.
var (
	ErrSide        = errs.Field("side", "field.choice")
	ErrLots        = errs.New(errs.Refused, "order.lots") // below the minimum, above the maximum, or off the step
	ErrLeverage    = errs.New(errs.Refused, "order.leverage")
	ErrMargin      = errs.New(errs.Refused, "order.no_margin")
	ErrSlippage    = errs.New(errs.Refused, "order.slippage")
	ErrStopLoss    = errs.New(errs.Refused, "order.stop_loss")
	ErrTakeProfit  = errs.New(errs.Refused, "order.take_profit")
	ErrTooMany     = errs.New(errs.Refused, "order.too_many_positions")
	ErrPosition    = errs.New(errs.NotFound, "position.unknown")
	ErrFill        = errs.New(errs.NotFound, "fill.unknown")
	ErrCharge      = errs.New(errs.NotFound, "charge.unknown")
	ErrTooLarge    = errs.New(errs.Refused, "order.too_large") // a sum would leave the range of money
	ErrConversion  = errs.New(errs.Unavailable, "order.no_conversion")
	ErrCloseOnly   = errs.New(errs.Refused, "order.close_only")  // the product's positions may only be closed
	ErrRestricted  = errs.New(errs.Refused, "restriction.trade") // staff keep the trader from new positions: "why" and, where it has an end, "until"
	ErrNotFlat     = errs.New(errs.Refused, "account.not_flat")
	ErrPausedMoney = errs.New(errs.Unavailable, "trading.paused")
)

// Position is an open or closed position of one account. Margin is that of the lots still open, as if nothing hedged them.
type Position struct {
	ID          int64
	AccountID   int64
	ProductID   int
	Side        Side
	Lots        int64
	LotsOpened  int64
	OpenPrice   int64 // the mean, rounded, where several fills opened it
	OpenValue   int64 // lots × price of what is open, summed
	Leverage    int
	Margin      int64
	StopLoss    *int64
	TakeProfit  *int64
	Trail       *int64 // distance of a trailing stop, in the price's units
	SinceSeq    int64  // only a later quote of the product may fire its stop loss or take profit
	TrailSince  int64  // the quote that its trailing stop began at, when the distance was set; 0 without one
	Commission  int64
	Realised    int64
	Swap        int64     // charged (negative) or received so far
	Dividends   int64     // paid (negative) or received so far
	RolledDay   time.Time // up to which rollover both are settled
	State       string
	CloseReason *CloseReason
	ClosePrice  *int64
	Version     int
	OpenedAt    time.Time
	ClosedAt    *time.Time
	OpenedBy    Rule // of its first fill
}

// Fill is one execution, with everything that its proof needs. Nothing in it ever changes.
type Fill struct {
	ID                int64
	OrderID           int64
	PositionID        int64
	AccountID         int64
	ProductID         int
	Terms             int // the version of the product's terms that it was counted by
	Side              Side
	Entry             string // "open" or "close"
	Rule              Rule
	Lots              int64
	Price             int64
	QuoteSeq          int64
	OpenPrice         *int64
	OpenValue         *int64 // lots × price of the opening that a closing fill released
	LimitPrice        *int64
	ByPosition        *int64 // a close-by settles both positions at the open price of this one
	BestSeq           *int64 // the quote that took a trailing stop to where it fired
	TrailSince        *int64 // the quote that the trailing stop began at; older fills of one don't tell
	Leverage          int
	Margin            int64
	Commission        int64
	Profit            int64
	ConversionProduct *int
	ConversionSeq     *int64
	ConversionInverse bool
	MarginProduct     *int
	MarginSeq         *int64
	MarginInverse     bool
	TransactionID     *int64
	Equity            int64
	UsedMargin        int64
	Snapshot          *StopOutSnapshot // of a stop-out: how the account stood
	CreatedAt         time.Time
	AtMS              int64
}

// The entries of fills.
const (
	EntryOpen  = "open"
	EntryClose = "close"
)

const PositionColumns = `id, account_id, product_id, side, lots, lots_opened, open_price, open_value, leverage, margin, stop_loss, take_profit, trail, since_seq, trail_since_seq,
	commission, realised, swap, dividends, rolled_day, state, close_reason, close_price, version, opened_at, closed_at, opened_by`

const FillColumns = `id, order_id, position_id, account_id, product_id, terms, side, entry, rule, lots, price, quote_seq, open_price, open_value, limit_price, by_position, best_seq, trail_since_seq, leverage,
	margin, commission, profit, conversion_product, conversion_seq, conversion_inverse, margin_product, margin_seq, margin_inverse,
	transaction_id, equity, used_margin, standing, created_at, at_ms`
