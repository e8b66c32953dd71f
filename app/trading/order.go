package trading

import (
	"time"

	"candor/app/market"
	"candor/app/platform/errs"
)

// OrderType says how an order finds its price.
type OrderType string

// The types of orders. A stop-limit order becomes a limit order at its limit price once its stop has triggered.
const (
	MarketOrder    OrderType = "market"
	LimitOrder     OrderType = "limit"
	StopOrder      OrderType = "stop"
	StopLimitOrder OrderType = "stop_limit"
)

// TimeInForce says how long a resting order waits.
type TimeInForce string

// The times in force: until cancelled, until the product's day ends, until a date.
const (
	GoodTillCancelled TimeInForce = "gtc"
	GoodForDay        TimeInForce = "day"
	GoodTillDate      TimeInForce = "date"
)

// OrderStatus is where an order stands. Untriggered and working orders rest; the others have ended for good.
type OrderStatus string

// The states of orders.
const (
	Untriggered OrderStatus = "untriggered" // a stop that waits
	Working     OrderStatus = "working"     // a limit that waits
	Filled      OrderStatus = "filled"
	Cancelled   OrderStatus = "cancelled"
	Expired     OrderStatus = "expired"
)

// EndReason says why an order ended without a fill.
type EndReason string

// The reasons.
const (
	ByTrader         EndReason = "trader"
	NoMargin         EndReason = "no_margin"          // missing when it triggered
	TooManyPositions EndReason = "too_many_positions" // when it triggered
	TimeIsUp         EndReason = "expired"
	ClosingOnly      EndReason = "close_only" // the product's positions may only be closed by now
	Restricted       EndReason = "restricted" // staff keep the trader from new positions by now
	OtherEnded       EndReason = "oco"        // the order that it was paired with was filled, or ended
)

// MaxOrders is how many orders may rest at once in an account.
const MaxOrders = 200

// Refusals of resting orders.
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

// Order is an order of one account. Price triggers it; LimitPrice is that of a stop-limit order. Market orders have neither.
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
	SinceSeq    int64      // only a later quote of the product may trigger it
	ArmedSeq    *int64     // the quote at which the stop of a stop-limit order triggered
	Source      string
	Status      OrderStatus
	Reason      *EndReason
	Revision    int
	PositionID  *int64
	OCO         *int64 // the pair that ends together, named by its first order
	CreatedAt   time.Time
	EndedAt     *time.Time
}

// Resting tells whether the order still waits.
func (o Order) Resting() bool { return o.Status == Untriggered || o.Status == Working }

// EntryPrice is the price at which the order expects to be filled: its limit, or its stop where it has none.
func (o Order) EntryPrice() int64 {
	if o.LimitPrice != nil {
		return *o.LimitPrice
	}
	return *o.Price
}

// StopReached tells whether a quote triggers the stop of an untriggered order: a buy at or above its price, a sell at or below.
func (o Order) StopReached(q market.Quote) bool {
	price := OpeningPrice(o.Side, q)
	if o.Side == Buy {
		return price >= *o.Price
	}
	return price <= *o.Price
}

// LimitReached tells whether a quote fills a limit: a buy at or below its price, a sell at or above.
func (o Order) LimitReached(q market.Quote) bool {
	price := OpeningPrice(o.Side, q)
	if o.Side == Buy {
		return price <= o.EntryPrice()
	}
	return price >= o.EntryPrice()
}

// Triggers tells whether a quote sets the order off; one that it was placed or changed at does not.
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

// Overdue tells whether its time is up.
func (o Order) Overdue(now time.Time) bool { return o.ExpiresAt != nil && !now.Before(*o.ExpiresAt) }

// ended is the order after an end without a fill.
func (o Order) ended(status OrderStatus, reason EndReason, at time.Time) Order {
	o.Status, o.Reason, o.EndedAt = status, &reason, &at
	return o
}

// Rule is what its fill is said to follow.
func (o Order) Rule() Rule { return Rule(o.Type) }

// InitialStatus is the state in which an order begins to rest.
func (t OrderType) InitialStatus() OrderStatus {
	if t == LimitOrder {
		return Working
	}
	return Untriggered
}

// with is the order under new terms, as they stand at a quote.
func (o Order) with(t Terms, q market.Quote) Order {
	o.Price, o.LimitPrice, o.StopLoss, o.TakeProfit = &t.Price, t.LimitPrice, t.StopLoss, t.TakeProfit
	o.TimeInForce, o.ExpiresAt, o.SinceSeq = t.TimeInForce, t.ExpiresAt, q.Seq
	return o
}

const OrderColumns = `id, account_id, product_id, type, intent, side, lots, leverage, price, limit_price, stop_loss, take_profit, slippage_bps,
	time_in_force, expires_at, since_seq, armed_seq, source, status, reason, revision, position_id, oco, created_at, ended_at`
