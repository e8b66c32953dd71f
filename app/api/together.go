package api

import (
	"github.com/labstack/echo/v5"

	"candor/app/platform/errs"
	"candor/app/trading"
)

// ReversePosition closes a position and opens the opposite one.
func (srv *Server) ReversePosition(c *echo.Context, _ ReversePositionParams) error {
	in, raw, err := body[ReversePosition](c)
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
	bytes, err := srv.Trading.Reverse(c.Request().Context(), cmd, srv.keyed(c, raw, srv.toCloseResult))
	return answer(c, bytes, err)
}

// CloseByPosition settles two opposite positions against each other.
func (srv *Server) CloseByPosition(c *echo.Context, _ CloseByPositionParams) error {
	in, raw, err := body[CloseByPosition](c)
	if err != nil {
		return err
	}
	cmd := trading.CloseBy{Owner: owner(c), PositionID: in.PositionId, ByPositionID: in.ByPositionId}
	bytes, err := srv.Trading.CloseBy(c.Request().Context(), cmd, srv.keyed(c, raw, srv.toCloseResult))
	return answer(c, bytes, err)
}

// CloseAllPositions closes all positions, or those of one product or side.
func (srv *Server) CloseAllPositions(c *echo.Context, _ CloseAllPositionsParams) error {
	in, raw, err := body[CloseAllPositions](c)
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
	bytes, err := srv.Trading.CloseAll(c.Request().Context(), cmd, srv.keyed(c, raw, srv.toCloseResult))
	return answer(c, bytes, err)
}

func (srv *Server) toCloseResult(result any) any {
	done := result.(trading.Done)
	out := CloseResult{Fills: []Fill{}, Skipped: []SkippedPosition{}, Statistics: StatisticsOf(done.Valuation)}
	for _, f := range done.Fills {
		out.Fills = append(out.Fills, srv.fillOf(f))
	}
	for _, one := range done.Skipped {
		out.Skipped = append(out.Skipped, SkippedPosition{PositionId: one.PositionID, Code: one.Code})
	}
	return out
}
