package api

import (
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/audit"
	"candor/app/platform/errs"
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
	by := audit.Actor{Kind: audit.Trader, ID: t.ID, Name: t.MaskedName(), IP: c.RealIP(), TraceID: traceID(c)}
	bytes, err := d.Trading.Keep(c.Request().Context(), trading.Keep{Owner: owner(c), Netting: in.Netting, By: by}, d.keyed(c, raw, toMode))
	return answer(c, bytes, err)
}

func toMode(result any) any {
	return AccountMode{Netting: result.(trading.Done).Valuation.Account.Netting}
}

// FindChargePage answers swaps and dividends.
func (d *Door) FindChargePage(c *echo.Context, params FindChargePageParams) error {
	before, size, err := keyset(params.Next, params.Size)
	if err != nil {
		return err
	}
	position := int64(0)
	if params.PositionId != nil {
		position = *params.PositionId
	}
	list, err := d.Trading.Charges(c.Request().Context(), principal(c).AccountID, position, before, size)
	if err != nil {
		return err
	}
	out := ChargePage{List: []Charge{}}
	for _, charge := range list {
		out.List = append(out.List, d.chargeOf(charge))
	}
	if len(list) == size {
		out.Next = list[size-1].ID
	}
	return d.reply(c, out)
}

func (d *Door) chargeOf(c trading.Charge) Charge {
	return Charge{
		ChargeId: c.ID, Kind: ChargeKind(c.Kind), PositionId: c.PositionID, ProductId: c.ProductID, Side: ChargeSide(c.Side), Lots: lots(c.Lots),
		Day: c.Day.Format(time.DateOnly), Nights: c.Nights, Rate: money.Trim(c.Rate, money.Scale), Price: d.maybePrice(c.ProductID, c.Price), Amount: usdt(c.Amount),
		Terms: c.Terms, Time: c.CreatedAt.UnixMilli(), MarketTime: c.AtMS,
	}
}

// FindMarginCallPage answers when the account was warned.
func (d *Door) FindMarginCallPage(c *echo.Context, params FindMarginCallPageParams) error {
	before, size, err := keyset(params.Next, params.Size)
	if err != nil {
		return err
	}
	list, err := d.Trading.MarginCalls(c.Request().Context(), principal(c).AccountID, before, size)
	if err != nil {
		return err
	}
	out := MarginCallPage{List: []MarginCall{}}
	for _, call := range list {
		out.List = append(out.List, MarginCall{
			MarginCallId: call.ID, Equity: usdt(call.Equity), UsedMargin: usdt(call.UsedMargin), Time: call.CreatedAt.UnixMilli(), MarketTime: call.AtMS,
			RecoveredAt: moment(call.RecoveredAt),
		})
	}
	if len(list) == size {
		out.Next = list[size-1].ID
	}
	return d.reply(c, out)
}

// keyset reads where a page of a list begins and how long it is.
func keyset(next *int64, wanted *int) (before int64, size int, err error) {
	size = ledgerPage
	if next != nil {
		before = *next
	}
	if wanted != nil {
		size = *wanted
	}
	if size < 1 || size > 100 {
		return 0, 0, errs.Field("size", "field.range")
	}
	return before, size, nil
}
