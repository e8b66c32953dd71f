package api

import (
	"candor/app/wire"
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/platform/money"
	"candor/app/trading"
)

// UpdateAccountMode sets the account's position mode.
func (srv *Server) UpdateAccountMode(c *echo.Context, _ wire.UpdateAccountModeParams) error {
	in, raw, err := body[wire.UpdateAccountMode](c)
	if err != nil {
		return err
	}
	t, _, err := srv.Traders.Find(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	done, err := srv.Trading.SetPositionMode(c.Request().Context(), trading.SetPositionMode{Owner: owner(c), Netting: in.Netting, By: t.Acting(from(c))}, srv.keyed(c, raw))
	return answer(c, done, err, toMode)
}

func toMode(done trading.Done) wire.AccountMode { return wire.AccountMode{Netting: done.Netting} }

// maxCharges is how long a page of charges or margin calls may be.
const maxCharges = 100

// FindChargePage returns swaps and dividends.
func (srv *Server) FindChargePage(c *echo.Context, params wire.FindChargePageParams) error {
	size, err := keysetSize(params.Size, maxCharges)
	if err != nil {
		return err
	}
	list, next, err := srv.Trading.Charges(c.Request().Context(), principal(c).AccountID, valueOrZero(params.PositionId), valueOrZero(params.Next), size)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.ChargePage{List: convertAll(list, srv.chargeOf), Next: next})
}

func (srv *Server) chargeOf(c trading.ListedCharge) wire.Charge {
	return wire.Charge{
		ChargeId: c.ID, Kind: wire.ChargeKind(c.Kind), PositionId: c.PositionID, ProductId: c.ProductID, Side: wire.ChargeSide(c.Side), Lots: wire.Lots(c.Lots),
		Day: c.Day.Format(time.DateOnly), Nights: c.Nights, Rate: money.Trim(c.Rate, money.Scale), Unit: wire.ChargeUnit(c.Unit), Price: srv.convert.MaybePrice(c.ProductID, c.Price), Amount: wire.USDT(c.Amount),
		Terms: c.Terms, Time: c.CreatedAt.UnixMilli(), MarketTime: c.AtMS,
	}
}

// FindMarginCallPage returns the account's margin calls.
func (srv *Server) FindMarginCallPage(c *echo.Context, params wire.FindMarginCallPageParams) error {
	size, err := keysetSize(params.Size, maxCharges)
	if err != nil {
		return err
	}
	list, next, err := srv.Trading.MarginCalls(c.Request().Context(), principal(c).AccountID, valueOrZero(params.Next), size)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.MarginCallPage{List: convertAll(list, marginCallOf), Next: next})
}

func marginCallOf(c trading.MarginCall) wire.MarginCall {
	return wire.MarginCall{
		MarginCallId: c.ID, Equity: wire.USDT(c.Equity), UsedMargin: wire.USDT(c.UsedMargin), Time: c.CreatedAt.UnixMilli(), MarketTime: c.AtMS, RecoveredAt: wire.Moment(c.RecoveredAt),
	}
}
