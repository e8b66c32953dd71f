package wire

import (
	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/trading"
)

// Products finds a product, whose decimals format its prices.
type Products interface {
	Product(id int) (market.Product, error)
}

// Converter converts what names prices.
type Converter struct{ Products Products }

// Price formats a price of a product; empty for an unknown product.
func (c Converter) Price(productID int, v int64) string {
	p, err := c.Products.Product(productID)
	if err != nil {
		return ""
	}
	return p.FormatPrice(v)
}

// MaybePrice is Price for a price that may be absent.
func (c Converter) MaybePrice(productID int, v *int64) *string {
	if v == nil {
		return nil
	}
	text := c.Price(productID, *v)
	return &text
}

// Fill converts a fill.
func (c Converter) Fill(f trading.Fill) Fill {
	return Fill{
		FillId: f.ID, OrderId: f.OrderID, PositionId: f.PositionID, ProductId: f.ProductID, Side: FillSide(f.Side), Entry: FillEntry(f.Entry), Rule: FillRule(f.Rule),
		Lots: Lots(f.Lots), Price: c.Price(f.ProductID, f.Price), Margin: USDT(f.Margin), Commission: USDT(f.Commission), Profit: USDT(f.Profit),
		Time: f.CreatedAt.UnixMilli(), MarketTime: f.AtMS,
	}
}

// Position converts a position; a closed one with its result.
func (c Converter) Position(p trading.Position) Position {
	out := Position{
		PositionId: p.ID, ProductId: p.ProductID, Side: PositionSide(p.Side), Lots: Lots(p.Lots), LotsOpened: Lots(p.LotsOpened),
		OpenPrice: c.Price(p.ProductID, p.OpenPrice), Leverage: p.Leverage, Margin: USDT(p.Margin),
		StopLoss: c.MaybePrice(p.ProductID, p.StopLoss), TakeProfit: c.MaybePrice(p.ProductID, p.TakeProfit), TrailingStop: c.MaybePrice(p.ProductID, p.Trail), Price: c.MaybePrice(p.ProductID, p.ClosePrice),
		Swap: USDT(p.Swap), Dividends: USDT(p.Dividends), Commission: USDT(p.Commission), Profit: USDT(p.Realised), State: PositionState(p.State), OpenedAt: p.OpenedAt.UnixMilli(), ClosedAt: Moment(p.ClosedAt),
	}
	if p.CloseReason != nil {
		reason := PositionCloseReason(*p.CloseReason)
		out.CloseReason = &reason
	}
	return out
}

// Valued converts an open position with its current value.
func (c Converter) Valued(p trading.Position, v trading.Value) Position {
	out := c.Position(p)
	price := c.Price(p.ProductID, v.Price)
	out.Price, out.Profit, out.TrailingLevel = &price, USDT(v.Profit), c.MaybePrice(p.ProductID, v.TrailLevel)
	return out
}

// Positions converts an account's open positions.
func (c Converter) Positions(v trading.Valuation) []Position {
	out := make([]Position, len(v.Positions))
	for i, one := range v.Positions {
		out[i] = c.Valued(one.Position, one.Value)
	}
	return out
}

// Order converts an order other than a market order.
func (c Converter) Order(o trading.Order) Order {
	out := Order{
		OrderId: o.ID, ProductId: o.ProductID, Type: OrderType(o.Type), Side: OrderSide(o.Side), Lots: Lots(o.Lots), Leverage: o.Leverage,
		Price: c.Price(o.ProductID, *o.Price), LimitPrice: c.MaybePrice(o.ProductID, o.LimitPrice),
		StopLoss: c.MaybePrice(o.ProductID, o.StopLoss), TakeProfit: c.MaybePrice(o.ProductID, o.TakeProfit),
		TimeInForce: OrderTimeInForce(o.TimeInForce), ExpiresAt: Moment(o.ExpiresAt), Status: OrderStatus(o.Status), Revision: o.Revision,
		PositionId: o.PositionID, OcoId: o.OCO, CreatedAt: o.CreatedAt.UnixMilli(), EndedAt: Moment(o.EndedAt),
	}
	if o.Reason != nil {
		reason := OrderReason(*o.Reason)
		out.Reason = &reason
	}
	return out
}

// StatisticsOf converts an account's totals to the spec's names.
func StatisticsOf(v trading.Totals) Statistics {
	out := Statistics{
		Balance: USDT(v.Balance), Zengjin: USDT(v.Bonus), PrepaidAmount: USDT(v.Used), TotalProfit: USDT(v.Floating), UsablePrepaid: USDT(v.Free), NetValue: USDT(v.Equity),
	}
	if v.Used > 0 {
		level := money.Format(v.Level, 2)
		out.PrepaidRatio = &level
	}
	return out
}
