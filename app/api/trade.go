package api

import (
	"github.com/labstack/echo/v5"

	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/trading"
)

func owner(c *echo.Context) trading.Owner {
	p := principal(c)
	return trading.Owner{TraderID: p.TraderID, AccountID: p.AccountID, Country: p.Country}
}

// InsertOrder places a market order.
func (srv *Server) InsertOrder(c *echo.Context, _ InsertOrderParams) error {
	in, raw, err := body[InsertOrder](c)
	if err != nil {
		return err
	}
	p, err := srv.Market.Product(in.ProductId)
	if err != nil {
		return err
	}
	cmd := trading.Open{Owner: owner(c), ProductID: p.ID, Side: trading.Side(in.Side), Leverage: in.Leverage, SlippageBps: slippage(in.SlippageBps)}
	if cmd.Lots, err = amount("lots", in.Lots, money.Scale); err != nil {
		return err
	}
	if cmd.StopLoss, err = optional("stopLoss", in.StopLoss, p.Point); err != nil {
		return err
	}
	if cmd.TakeProfit, err = optional("takeProfit", in.TakeProfit, p.Point); err != nil {
		return err
	}
	if cmd.Seen, err = priceSeen(in.Price, p); err != nil {
		return err
	}
	done, err := srv.Trading.Open(c.Request().Context(), cmd, srv.keyed(c, raw))
	return answer(c, done, err, srv.toResult)
}

func slippage(bps *int) int {
	if bps == nil {
		return trading.DefaultSlippageBps
	}
	return *bps
}

func priceSeen(price *string, p market.Product) (int64, error) {
	v, err := optional("price", price, p.Point)
	if err != nil || v == nil {
		return 0, err
	}
	return *v, nil
}

// ClosePosition closes a position.
func (srv *Server) ClosePosition(c *echo.Context, _ ClosePositionParams) error {
	in, raw, err := body[ClosePosition](c)
	if err != nil {
		return err
	}
	p, err := srv.productOf(c, in.PositionId)
	if err != nil {
		return err
	}
	cmd := trading.Close{Owner: owner(c), PositionID: in.PositionId, SlippageBps: slippage(in.SlippageBps)}
	part, err := optional("lots", in.Lots, money.Scale)
	if err != nil {
		return err
	}
	if part != nil {
		cmd.Lots = *part
	}
	if cmd.Seen, err = priceSeen(in.Price, p); err != nil {
		return err
	}
	done, err := srv.Trading.Close(c.Request().Context(), cmd, srv.keyed(c, raw))
	return answer(c, done, err, srv.toResult)
}

// UpdatePosition sets stop loss and take profit.
func (srv *Server) UpdatePosition(c *echo.Context, _ UpdatePositionParams) error {
	in, raw, err := body[UpdatePosition](c)
	if err != nil {
		return err
	}
	p, err := srv.productOf(c, in.PositionId)
	if err != nil {
		return err
	}
	cmd := trading.Protect{Owner: owner(c), PositionID: in.PositionId}
	if cmd.StopLoss, err = optional("stopLoss", in.StopLoss, p.Point); err != nil {
		return err
	}
	if cmd.TakeProfit, err = optional("takeProfit", in.TakeProfit, p.Point); err != nil {
		return err
	}
	if cmd.Trail, err = optional("trailingStop", in.TrailingStop, p.Point); err != nil {
		return err
	}
	done, err := srv.Trading.Protect(c.Request().Context(), cmd, srv.keyed(c, raw))
	return answer(c, done, err, srv.toResult)
}

// productOf finds the product of the trader's own position, for the decimals of its prices.
func (srv *Server) productOf(c *echo.Context, positionID int64) (market.Product, error) {
	id, err := srv.Trading.ProductOf(c.Request().Context(), principal(c).AccountID, positionID)
	if err != nil {
		return market.Product{}, err
	}
	return srv.Market.Product(id)
}

func (srv *Server) toResult(done trading.Done) TradeResult {
	out := TradeResult{Position: srv.PositionOf(done.Position), Statistics: StatisticsOf(done.Totals)}
	if done.Value != nil {
		out.Position = srv.ValuedOf(done.Position, *done.Value)
	}
	if done.Fill != nil {
		fill := srv.fillOf(*done.Fill)
		out.Fill = &fill
	}
	return out
}

// ValuedOf converts an open position with its current value.
func (srv *Server) ValuedOf(p trading.Position, v trading.Value) Position {
	out := srv.PositionOf(p)
	price := srv.price(p.ProductID, v.Price)
	out.Price, out.Profit, out.TrailingLevel = &price, usdt(v.Profit), srv.maybePrice(p.ProductID, v.TrailLevel)
	return out
}

// PositionOf converts a position; a closed one with its result.
func (srv *Server) PositionOf(p trading.Position) Position {
	out := Position{
		PositionId: p.ID, ProductId: p.ProductID, Side: PositionSide(p.Side), Lots: lots(p.Lots), LotsOpened: lots(p.LotsOpened),
		OpenPrice: srv.price(p.ProductID, p.OpenPrice), Leverage: p.Leverage, Margin: usdt(p.Margin),
		StopLoss: srv.maybePrice(p.ProductID, p.StopLoss), TakeProfit: srv.maybePrice(p.ProductID, p.TakeProfit), TrailingStop: srv.maybePrice(p.ProductID, p.Trail), Price: srv.maybePrice(p.ProductID, p.ClosePrice),
		Swap: usdt(p.Swap), Dividends: usdt(p.Dividends), Commission: usdt(p.Commission), Profit: usdt(p.Realised), State: PositionState(p.State), OpenedAt: p.OpenedAt.UnixMilli(), ClosedAt: moment(p.ClosedAt),
	}
	if p.CloseReason != nil {
		reason := PositionCloseReason(*p.CloseReason)
		out.CloseReason = &reason
	}
	return out
}

func (srv *Server) price(productID int, v int64) string {
	p, err := srv.Market.Product(productID)
	if err != nil {
		return ""
	}
	return p.FormatPrice(v)
}

func (srv *Server) maybePrice(productID int, v *int64) *string {
	if v == nil {
		return nil
	}
	text := srv.price(productID, *v)
	return &text
}

// StatisticsOf converts an account's totals to the spec's names.
func StatisticsOf(v trading.Totals) Statistics {
	out := Statistics{
		Balance: usdt(v.Balance), Zengjin: usdt(v.Bonus), PrepaidAmount: usdt(v.Used), TotalProfit: usdt(v.Floating), UsablePrepaid: usdt(v.Free), NetValue: usdt(v.Equity),
	}
	if v.Used > 0 {
		level := money.Format(v.Level, 2)
		out.PrepaidRatio = &level
	}
	return out
}

func (srv *Server) fillOf(f trading.Fill) Fill {
	return Fill{
		FillId: f.ID, OrderId: f.OrderID, PositionId: f.PositionID, ProductId: f.ProductID, Side: FillSide(f.Side), Entry: FillEntry(f.Entry), Rule: FillRule(f.Rule),
		Lots: lots(f.Lots), Price: srv.price(f.ProductID, f.Price), Margin: usdt(f.Margin), Commission: usdt(f.Commission), Profit: usdt(f.Profit),
		Time: f.CreatedAt.UnixMilli(), MarketTime: f.AtMS,
	}
}

// FindPositionList returns the open positions.
func (srv *Server) FindPositionList(c *echo.Context) error {
	v, err := srv.Trading.Value(c.Request().Context(), principal(c).AccountID)
	if err != nil {
		return err
	}
	out := []Position{}
	for _, one := range v.Positions {
		out = append(out, srv.ValuedOf(one.Position, one.Value))
	}
	return srv.reply(c, out)
}

// FindStatistics returns margin and equity.
func (srv *Server) FindStatistics(c *echo.Context) error {
	v, err := srv.Trading.Value(c.Request().Context(), principal(c).AccountID)
	if err != nil {
		return err
	}
	return srv.reply(c, StatisticsOf(v.Totals()))
}

// WireFill converts a fill for the websocket server.
func (srv *Server) WireFill(f trading.Fill) any { return srv.fillOf(f) }

// WirePosition converts a position for the websocket server.
func (srv *Server) WirePosition(p trading.Position) any { return srv.PositionOf(p) }

// WirePositions converts an account's open positions for the websocket server.
func (srv *Server) WirePositions(v trading.Valuation) any {
	out := []Position{}
	for _, one := range v.Positions {
		out = append(out, srv.ValuedOf(one.Position, one.Value))
	}
	return out
}

// WireStatistics converts an account's totals for the websocket server.
func (srv *Server) WireStatistics(v trading.Valuation) any { return StatisticsOf(v.Totals()) }
