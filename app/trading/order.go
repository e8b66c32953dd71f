package trading

import (
	"time"

	"candor/app/market"
	"candor/app/platform/errs"
)

// OrderType is how an order gets its price.
type OrderType string

// The types of orders. A stop-limit order becomes a limit order at its limit price once its stop has triggered.
const (
	MarketOrder    OrderType = "market"
	LimitOrder     OrderType = "limit"
	StopOrder      OrderType = "stop"
	StopLimitOrder OrderType = "stop_limit"
)

// TimeInForce is how long a pending order stays.
type TimeInForce string

// The times in force: until cancelled, until the product's day ends, until a date.
const (
	GoodTillCancelled TimeInForce = "gtc"
	GoodForDay        TimeInForce = "day"
	GoodTillDate      TimeInForce = "date"
)

// OrderStatus is the state of an order. Untriggered and working orders are pending; the others have ended.
type OrderStatus string

// The states of orders.
const (
	Untriggered OrderStatus = "untriggered" // a stop not yet reached
	Working     OrderStatus = "working"     // a limit not yet reached
	Filled      OrderStatus = "filled"
	Cancelled   OrderStatus = "cancelled"
	Expired     OrderStatus = "expired"
)

// EndReason is why an order ended without a fill.
type EndReason string

// The reasons.
const (
	ByTrader         EndReason = "trader"
	NoMargin         EndReason = "no_margin"          // not enough margin when it triggered
	TooManyPositions EndReason = "too_many_positions" // at the limit of open positions when it triggered
	TimeIsUp         EndReason = "expired"
	ClosingOnly      EndReason = "close_only" // the product became close-only
	Restricted       EndReason = "restricted" // staff restricted the trader's new positions
	OtherEnded       EndReason = "oco"        // the other order of its pair was filled or ended
)

// MaxOrders is the limit of pending orders per account.
const MaxOrders = 200

// Refusals of pending orders.
var (
	ErrOrder      = errs.New(errs.NotFound, "order.unknown")
	ErrOrderEnded = errs.New(errs.Refused, "order.ended")
	ErrOrderType  = errs.Field("type", "field.choice")
	ErrTime       = errs.Field("timeInForce", "field.choice")
	ErrExpiry     = errs.Field("expiresAt", "field.future")
	ErrPriceAbove = errs.New(errs.Refused, "order.price_above") // its price must be at the limit or above
	ErrPriceBelow = errs.New(errs.Refused, "order.price_below") // its price must be at the limit or below
	ErrManyOrders = errs.New(errs.Refused, "order.too_many_orders")
)

// Order is a market or pending order. Price triggers it; LimitPrice belongs to stop-limit orders. Market orders have neither.
type Order struct {
	ID          int64
	AccountID   int64
	ProductID   int
	Type        OrderType
	Intent      string
	Side        Side
	Lots        int64
	Leverage    int
	Price       *int64
	LimitPrice  *int64
	StopLoss    *int64
	TakeProfit  *int64
	SlippageBps int
	TimeInForce TimeInForce
	ExpiresAt   *time.Time // market time
	SinceSeq    int64      // only quotes after this one may trigger it
	ArmedSeq    *int64     // the quote that reached the stop of a stop-limit order
	Source      string
	Status      OrderStatus
	Reason      *EndReason
	Revision    int
	PositionID  *int64
	OCO         *int64 // the pair's id: that of its first order
	CreatedAt   time.Time
	EndedAt     *time.Time
}

// Pending reports whether the order has not ended.
func (o Order) Pending() bool { return o.Status == Untriggered || o.Status == Working }

// EntryPrice is the expected fill price: the limit, or the stop of an order without one.
func (o Order) EntryPrice() int64 {
	if o.LimitPrice != nil {
		return *o.LimitPrice
	}
	return *o.Price
}

// StopReached reports whether a quote reaches the stop: at or above for a buy, at or below for a sell.
func (o Order) StopReached(q market.Quote) bool {
	price := OpeningPrice(o.Side, q)
	if o.Side == Buy {
		return price >= *o.Price
	}
	return price <= *o.Price
}

// LimitReached reports whether a quote reaches the limit: at or below for a buy, at or above for a sell.
func (o Order) LimitReached(q market.Quote) bool {
	price := OpeningPrice(o.Side, q)
	if o.Side == Buy {
		return price <= o.EntryPrice()
	}
	return price >= o.EntryPrice()
}

// Triggers reports whether a quote triggers the order. Quotes up to SinceSeq never do.
func (o Order) Triggers(q market.Quote) bool {
	if o.ProductID != q.ProductID || q.Seq <= o.SinceSeq {
		return false
	}
	switch o.Status {
	case Untriggered:
		return o.StopReached(q)
	case Working:
		return o.LimitReached(q)
	}
	return false
}

// Overdue reports whether the order has expired.
func (o Order) Overdue(now time.Time) bool { return o.ExpiresAt != nil && !now.Before(*o.ExpiresAt) }

// ended returns the order ended without a fill.
func (o Order) ended(status OrderStatus, reason EndReason, at time.Time) Order {
	o.Status, o.Reason, o.EndedAt = status, &reason, &at
	return o
}

// FillRule is the rule of the order's fill.
func (o Order) FillRule() Rule { return Rule(o.Type) }

// InitialStatus is the status of a new order of the type.
func (t OrderType) InitialStatus() OrderStatus {
	if t == LimitOrder {
		return Working
	}
	return Untriggered
}

// withTerms returns the order with new terms, pending from quote q on.
func (o Order) withTerms(t Terms, q market.Quote) Order {
	o.Price, o.LimitPrice, o.StopLoss, o.TakeProfit = &t.Price, t.LimitPrice, t.StopLoss, t.TakeProfit
	o.TimeInForce, o.ExpiresAt, o.SinceSeq = t.TimeInForce, t.ExpiresAt, q.Seq
	return o
}

// OrderColumns are the columns of orders in the order of Order.
const OrderColumns = `id, account_id, product_id, type, intent, side, lots, leverage, price, limit_price, stop_loss, take_profit, slippage_bps,
	time_in_force, expires_at, since_seq, armed_seq, source, status, reason, revision, position_id, oco, created_at, ended_at`
