package api

import (
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/platform/money"
	"candor/app/trading"
)

// UpdateAccountMode says how the account keeps its positions.
func (d *Door) UpdateAccountMode(c *echo.Context, _ UpdateAccountModeParams) error {
	in, raw, err := body[UpdateAccountMode](c)
	if err != nil {
		return err
	}
	t, _, err := d.Traders.Find(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	bytes, err := d.Trading.Keep(c.Request().Context(), trading.Keep{Owner: owner(c), Netting: in.Netting, By: t.Acting(from(c))}, d.keyed(c, raw, toMode))
	return answer(c, bytes, err)
}

func toMode(result any) any {
	return AccountMode{Netting: result.(trading.Done).Valuation.Account.Netting}
}

// mostCharges is how long a page of charges or margin calls may be.
const mostCharges = 100

// FindChargePage answers swaps and dividends.
func (d *Door) FindChargePage(c *echo.Context, params FindChargePageParams) error {
	size, err := keysetSize(params.Size, mostCharges)
	if err != nil {
		return err
	}
	list, next, err := d.Trading.Charges(c.Request().Context(), principal(c).AccountID, given(params.PositionId), given(params.Next), size)
	if err != nil {
		return err
	}
	return d.reply(c, ChargePage{List: shown(list, d.chargeOf), Next: next})
}

func (d *Door) chargeOf(c trading.ListedCharge) Charge {
	return Charge{
		ChargeId: c.ID, Kind: ChargeKind(c.Kind), PositionId: c.PositionID, ProductId: c.ProductID, Side: ChargeSide(c.Side), Lots: lots(c.Lots),
		Day: c.Day.Format(time.DateOnly), Nights: c.Nights, Rate: money.Trim(c.Rate, money.Scale), Unit: ChargeUnit(c.Unit), Price: d.maybePrice(c.ProductID, c.Price), Amount: usdt(c.Amount),
		Terms: c.Terms, Time: c.CreatedAt.UnixMilli(), MarketTime: c.AtMS,
	}
}

// FindMarginCallPage answers when the account was warned.
func (d *Door) FindMarginCallPage(c *echo.Context, params FindMarginCallPageParams) error {
	size, err := keysetSize(params.Size, mostCharges)
	if err != nil {
		return err
	}
	list, next, err := d.Trading.MarginCalls(c.Request().Context(), principal(c).AccountID, given(params.Next), size)
	if err != nil {
		return err
	}
	return d.reply(c, MarginCallPage{List: shown(list, marginCallOf), Next: next})
}

func marginCallOf(c trading.MarginCall) MarginCall {
	return MarginCall{
		MarginCallId: c.ID, Equity: usdt(c.Equity), UsedMargin: usdt(c.UsedMargin), Time: c.CreatedAt.UnixMilli(), MarketTime: c.AtMS, RecoveredAt: moment(c.RecoveredAt),
	}
}
