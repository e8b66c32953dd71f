package api

import (
	"candor/app/wire"

	"github.com/labstack/echo/v5"

	"candor/app/platform/errs"
	"candor/app/trading"
)

// ReversePosition closes a position and opens the opposite one.
func (srv *Server) ReversePosition(c *echo.Context, _ wire.ReversePositionParams) error {
	in, raw, err := body[wire.ReversePosition](c)
	if err != nil {
		return err
	}
	p, err := srv.productOf(c, in.PositionId)
	if err != nil {
		return err
	}
	cmd := trading.Reverse{Owner: owner(c), PositionID: in.PositionId, SlippageBps: slippage(in.SlippageBps)}
	if cmd.Seen, err = priceSeen(in.Price, p); err != nil {
		return err
	}
	done, err := srv.Trading.Reverse(c.Request().Context(), cmd, srv.keyed(c, raw))
	return answer(c, done, err, srv.toCloseResult)
}

// CloseByPosition settles two opposite positions against each other.
func (srv *Server) CloseByPosition(c *echo.Context, _ wire.CloseByPositionParams) error {
	in, raw, err := body[wire.CloseByPosition](c)
	if err != nil {
		return err
	}
	cmd := trading.CloseBy{Owner: owner(c), PositionID: in.PositionId, ByPositionID: in.ByPositionId}
	done, err := srv.Trading.CloseBy(c.Request().Context(), cmd, srv.keyed(c, raw))
	return answer(c, done, err, srv.toCloseResult)
}

// CloseAllPositions closes all positions, or those of one product or side.
func (srv *Server) CloseAllPositions(c *echo.Context, _ wire.CloseAllPositionsParams) error {
	in, raw, err := body[wire.CloseAllPositions](c)
	if err != nil {
		return err
	}
	cmd := trading.CloseAll{Owner: owner(c)}
	if in.ProductId != nil {
		p, err := srv.Market.Product(*in.ProductId)
		if err != nil {
			return err
		}
		cmd.ProductID = p.ID
	}
	if in.Side != nil {
		if cmd.Side = trading.Side(*in.Side); cmd.Side != trading.Buy && cmd.Side != trading.Sell {
			return errs.Field("side", "field.choice")
		}
	}
	done, err := srv.Trading.CloseAll(c.Request().Context(), cmd, srv.keyed(c, raw))
	return answer(c, done, err, srv.toCloseResult)
}

func (srv *Server) toCloseResult(done trading.Done) wire.CloseResult {
	out := wire.CloseResult{Fills: convertAll(done.Fills, srv.convert.Fill), Skipped: []wire.SkippedPosition{}, Statistics: wire.StatisticsOf(done.Totals)}
	for _, one := range done.Skipped {
		out.Skipped = append(out.Skipped, wire.SkippedPosition{PositionId: one.PositionID, Code: one.Code})
	}
	return out
}
