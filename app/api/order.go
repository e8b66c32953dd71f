package api

import (
	"candor/app/wire"
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/market"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/trading"
	"candor/app/trading/engine"
)

// InsertPendingOrder places a pending order.
func (srv *Server) InsertPendingOrder(c *echo.Context, _ wire.InsertPendingOrderParams) error {
	in, raw, err := body[wire.InsertPendingOrder](c)
	if err != nil {
		return err
	}
	cmd, err := srv.placeOf(c, in)
	if err != nil {
		return err
	}
	done, err := srv.Trading.Place(c.Request().Context(), cmd, srv.keyed(c, raw))
	return answer(c, done, err, srv.toOrderResult)
}

// placeOf reads a pending order.
func (srv *Server) placeOf(c *echo.Context, in wire.InsertPendingOrder) (trading.Place, error) {
	p, err := srv.Market.Product(in.ProductId)
	if err != nil {
		return trading.Place{}, err
	}
	cmd := trading.Place{Owner: owner(c), ProductID: p.ID, Type: trading.OrderType(in.Type), Side: trading.Side(in.Side), Leverage: in.Leverage}
	if cmd.Lots, err = amount("lots", in.Lots, money.Scale); err != nil {
		return cmd, err
	}
	cmd.Terms, err = amendment(p, in.Price, in.LimitPrice, in.StopLoss, in.TakeProfit, string(in.TimeInForce), in.ExpiresAt)
	return cmd, err
}

// amendment reads the amendable fields of an order.
func amendment(p market.Product, price string, limit, stopLoss, takeProfit *string, force string, expiresAt *int64) (t trading.Terms, err error) {
	if t.Price, err = amount("price", price, p.Point); err != nil {
		return t, err
	}
	if t.LimitPrice, err = optional("limitPrice", limit, p.Point); err != nil {
		return t, err
	}
	if t.StopLoss, err = optional("stopLoss", stopLoss, p.Point); err != nil {
		return t, err
	}
	if t.TakeProfit, err = optional("takeProfit", takeProfit, p.Point); err != nil {
		return t, err
	}
	t.TimeInForce = trading.TimeInForce(force)
	if expiresAt != nil {
		if *expiresAt <= 0 || *expiresAt > lastMoment {
			return t, errs.Field("expiresAt", "field.range")
		}
		at := time.UnixMilli(*expiresAt)
		t.ExpiresAt = &at
	}
	return t, nil
}

// lastMoment is the end of the year 9999, in milliseconds.
const lastMoment = 253_402_300_799_999

// UpdateOrder amends a pending order.
func (srv *Server) UpdateOrder(c *echo.Context, _ wire.UpdateOrderParams) error {
	in, raw, err := body[wire.UpdateOrder](c)
	if err != nil {
		return err
	}
	o, err := srv.Trading.Order(c.Request().Context(), principal(c).AccountID, in.OrderId)
	if err != nil {
		return err
	}
	p, err := srv.Market.Product(o.ProductID)
	if err != nil {
		return err
	}
	cmd := trading.Revise{Owner: owner(c), OrderID: o.ID}
	if cmd.Terms, err = amendment(p, in.Price, in.LimitPrice, in.StopLoss, in.TakeProfit, string(in.TimeInForce), in.ExpiresAt); err != nil {
		return err
	}
	done, err := srv.Trading.Revise(c.Request().Context(), cmd, srv.keyed(c, raw))
	return answer(c, done, err, srv.toOrderResult)
}

// CancelOrder cancels a pending order.
func (srv *Server) CancelOrder(c *echo.Context, _ wire.CancelOrderParams) error {
	in, raw, err := body[wire.CancelOrder](c)
	if err != nil {
		return err
	}
	done, err := srv.Trading.Cancel(c.Request().Context(), trading.Cancel{Owner: owner(c), OrderID: in.OrderId}, srv.keyed(c, raw))
	return answer(c, done, err, srv.toOrderResult)
}

// CancelAllOrders cancels all pending orders, or those of one product.
func (srv *Server) CancelAllOrders(c *echo.Context, _ wire.CancelAllOrdersParams) error {
	in, raw, err := body[wire.CancelAllOrders](c)
	if err != nil {
		return err
	}
	cmd := trading.CancelAll{Owner: owner(c)}
	if in.ProductId != nil {
		p, err := srv.Market.Product(*in.ProductId)
		if err != nil {
			return err
		}
		cmd.ProductID = p.ID
	}
	done, err := srv.Trading.CancelAll(c.Request().Context(), cmd, srv.keyed(c, raw))
	return answer(c, done, err, func(done trading.Done) wire.CancelResult {
		return wire.CancelResult{OrderIds: append([]int64{}, done.Cancelled...)}
	})
}

// FindOrderPage returns orders other than market orders, pending and ended.
func (srv *Server) FindOrderPage(c *echo.Context, params wire.FindOrderPageParams) error {
	size, err := keysetSize(params.Size, trading.MaxOrders)
	if err != nil {
		return err
	}
	filter, err := orderFilter(params.ProductId, params.Side, params.Type, params.Status, params.Reason, params.StartTime, params.EndTime)
	if err != nil {
		return err
	}
	filter.Before, filter.Limit = valueOrZero(params.Next), size
	orders, next, err := srv.Trading.Orders(c.Request().Context(), principal(c).AccountID, filter)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.OrderPage{List: convertAll(orders, srv.convert.Order), Next: next})
}

func orderFilter(product *wire.OfProduct, side *wire.OfSide, kind *wire.OfOrderType, status *wire.OfStatus, reason *wire.OfEndReason, from *wire.FromTime, until *wire.UntilTime) (f engine.OrderFilter, err error) {
	f = engine.OrderFilter{ProductID: int(valueOrZero(product)), From: timeOf(from), To: timeOf(until)}
	if f.Side, err = choice[trading.Side]("side", side); err != nil {
		return f, err
	}
	if f.Type, err = choice[trading.OrderType]("type", kind); err != nil {
		return f, err
	}
	if f.Group, err = choice[engine.OrderGroup]("status", status); err != nil {
		return f, err
	}
	f.Reason, err = choice[trading.EndReason]("reason", reason)
	return f, err
}

func (srv *Server) toOrderResult(done trading.Done) wire.OrderResult {
	return wire.OrderResult{Order: srv.convert.Order(*done.Order), Statistics: wire.StatisticsOf(done.Totals)}
}

// InsertOcoOrders places two pending orders of which one cancels the other.
func (srv *Server) InsertOcoOrders(c *echo.Context, _ wire.InsertOcoOrdersParams) error {
	in, raw, err := body[wire.InsertOcoOrders](c)
	if err != nil {
		return err
	}
	cmd := trading.Pair{Owner: owner(c)}
	if len(in.Orders) != len(cmd.Orders) {
		return errs.Field("orders", "field.choice")
	}
	for i, one := range in.Orders {
		if cmd.Orders[i], err = srv.placeOf(c, one); err != nil {
			return err
		}
	}
	done, err := srv.Trading.Pair(c.Request().Context(), cmd, srv.keyed(c, raw))
	return answer(c, done, err, func(done trading.Done) wire.OrdersResult {
		return wire.OrdersResult{Orders: convertAll(done.Orders, srv.convert.Order), Statistics: wire.StatisticsOf(done.Totals)}
	})
}
