package api

import (
	"candor/app/ledger"
	"candor/app/wire"

	"github.com/labstack/echo/v5"

	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/trading"
)

// owner is the caller for the engine, which needs no name.
func owner(c *echo.Context) ledger.Owner {
	p := principal(c)
	return ledger.Owner{TraderID: p.TraderID, AccountID: p.AccountID, Country: p.Country}
}

// InsertOrder places a market order.
func (srv *Server) InsertOrder(c *echo.Context, _ wire.InsertOrderParams) error {
	in, raw, err := body[wire.InsertOrder](c)
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
func (srv *Server) ClosePosition(c *echo.Context, _ wire.ClosePositionParams) error {
	in, raw, err := body[wire.ClosePosition](c)
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
func (srv *Server) UpdatePosition(c *echo.Context, _ wire.UpdatePositionParams) error {
	in, raw, err := body[wire.UpdatePosition](c)
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

func (srv *Server) toResult(done trading.Done) wire.TradeResult {
	out := wire.TradeResult{Position: srv.convert.Position(done.Position), Statistics: wire.StatisticsOf(done.Totals)}
	if done.Value != nil {
		out.Position = srv.convert.Valued(done.Position, *done.Value)
	}
	if done.Fill != nil {
		fill := srv.convert.Fill(*done.Fill)
		out.Fill = &fill
	}
	return out
}

// FindPositionList returns the open positions.
func (srv *Server) FindPositionList(c *echo.Context) error {
	v, err := srv.Trading.Value(c.Request().Context(), principal(c).AccountID)
	if err != nil {
		return err
	}
	out := []wire.Position{}
	for _, one := range v.Positions {
		out = append(out, srv.convert.Valued(one.Position, one.Value))
	}
	return srv.reply(c, out)
}

// FindStatistics returns margin and equity.
func (srv *Server) FindStatistics(c *echo.Context) error {
	v, err := srv.Trading.Value(c.Request().Context(), principal(c).AccountID)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.StatisticsOf(v.Totals()))
}
