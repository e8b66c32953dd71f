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

// The rules.
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

// CloseReason is why a position closed.
type CloseReason string

// The reasons; those of rules have the rule's name.
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
	case MarketRule, LimitRule, StopRule, StopLimitRule: // a trader's order; in a netting account also a pending one
		return ManualClose
	case StopLossRule, TakeProfitRule, TrailingRule, StopOutRule, CloseByRule:
	}
	return CloseReason(r)
}

// Limits of the engine.
const (
	MaxPositions       = 200 // open positions per account
	DefaultSlippageBps = 50
	MaxSlippageBps     = 1_000
	StopOutPercent     = 50  // margin level in percent: stop-out
	MarginCallPercent  = 100 // margin level in percent: margin call
	MarginCallRecovery = 5   // percentage points above the margin call that end it
)

// Refusals of the engine.
var (
	ErrSide        = errs.Field("side", "field.choice")
	ErrLots        = errs.New(errs.Refused, "order.lots") // below the minimum, above the maximum, or off the step
	ErrLeverage    = errs.New(errs.Refused, "order.leverage")
	ErrMargin      = errs.New(errs.Refused, "order.no_margin")
	ErrCash        = errs.New(errs.Refused, "order.no_cash") // a bonus is margin, but commissions are paid from the balance
	ErrSlippage    = errs.New(errs.Refused, "order.slippage")
	ErrStopLoss    = errs.New(errs.Refused, "order.stop_loss")
	ErrTakeProfit  = errs.New(errs.Refused, "order.take_profit")
	ErrTooMany     = errs.New(errs.Refused, "order.too_many_positions")
	ErrPosition    = errs.New(errs.NotFound, "position.unknown")
	ErrFill        = errs.New(errs.NotFound, "fill.unknown")
	ErrCharge      = errs.New(errs.NotFound, "charge.unknown")
	ErrTooLarge    = errs.New(errs.Refused, "order.too_large") // a sum exceeds the range of money
	ErrConversion  = errs.New(errs.Unavailable, "order.no_conversion")
	ErrCloseOnly   = errs.New(errs.Refused, "order.close_only")  // the product is close-only
	ErrRestricted  = errs.New(errs.Refused, "restriction.trade") // with "why" and, for a restriction with an end, "until"
	ErrNotFlat     = errs.New(errs.Refused, "account.not_flat")
	ErrPausedMoney = errs.New(errs.Unavailable, "trading.paused")
)

// Position is an open or closed position. Margin is that of its open lots, before hedging is counted.
type Position struct {
	ID          int64
	AccountID   int64
	ProductID   int
	Side        Side
	Lots        int64
	LotsOpened  int64
	OpenPrice   int64 // volume-weighted mean of its opening fills, rounded
	OpenValue   int64 // sum of lots × price of the open lots
	Leverage    int
	Margin      int64
	StopLoss    *int64
	TakeProfit  *int64
	Trail       *int64 // distance of the trailing stop in the price's units
	SinceSeq    int64  // only quotes after this one may fire stop loss and take profit
	TrailSince  int64  // the quote at which the trailing stop began; 0 without one
	Commission  int64
	Realised    int64
	Swap        int64     // total, negative when paid
	Dividends   int64     // total, negative when paid
	RolledDay   time.Time // the last settled rollover
	State       string
	CloseReason *CloseReason
	ClosePrice  *int64
	Version     int
	OpenedAt    time.Time
	ClosedAt    *time.Time
	OpenedBy    Rule // rule of its first fill
}

// Fill is one execution with every input of its proof. It never changes.
type Fill struct {
	ID                int64
	OrderID           int64
	PositionID        int64
	AccountID         int64
	ProductID         int
	Terms             int // version of the product's terms
	Side              Side
	Entry             string // "open" or "close"
	Rule              Rule
	Lots              int64
	Price             int64
	QuoteSeq          int64
	OpenPrice         *int64
	OpenValue         *int64 // lots × price of the opening, released by a closing fill
	LimitPrice        *int64
	ByPosition        *int64 // close-by: both positions settle at the open price of this one
	BestSeq           *int64 // the best quote that a trailing stop followed
	TrailSince        *int64 // the quote at which the trailing stop began; nil on old fills
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
	Snapshot          *StopOutSnapshot // of stop-outs only
	CreatedAt         time.Time
	AtMS              int64
}

// The entries of fills.
const (
	EntryOpen  = "open"
	EntryClose = "close"
)

// PositionColumns are the columns of positions in the order of Position.
const PositionColumns = `id, account_id, product_id, side, lots, lots_opened, open_price, open_value, leverage, margin, stop_loss, take_profit, trail, since_seq, trail_since_seq,
	commission, realised, swap, dividends, rolled_day, state, close_reason, close_price, version, opened_at, closed_at, opened_by`

// FillColumns are the columns of fills in the order of Fill.
const FillColumns = `id, order_id, position_id, account_id, product_id, terms, side, entry, rule, lots, price, quote_seq, open_price, open_value, limit_price, by_position, best_seq, trail_since_seq, leverage,
	margin, commission, profit, conversion_product, conversion_seq, conversion_inverse, margin_product, margin_seq, margin_inverse,
	transaction_id, equity, used_margin, snapshot, created_at, at_ms`
