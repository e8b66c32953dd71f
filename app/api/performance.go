package api

import (
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/trading/engine"
	"candor/app/wire"
)

const longestPeriod = 366 * 24 * time.Hour

// FindPerformance returns what the positions closed in a period brought.
func (srv *Server) FindPerformance(c *echo.Context, params wire.FindPerformanceParams) error {
	if err := checkPeriod(params.StartTime, params.EndTime); err != nil {
		return err
	}
	if err := checkZone(params.Zone); err != nil {
		return err
	}
	filter, err := historyFilter(params.ProductId, params.Side, params.CloseReason, params.OpenedBy, &params.StartTime, &params.EndTime)
	if err != nil {
		return err
	}
	p, err := srv.Trading.Performance(c.Request().Context(), principal(c).AccountID, filter, params.Zone)
	if err != nil {
		return err
	}
	out, err := performanceOf(p)
	if err != nil {
		return err
	}
	return srv.reply(c, out)
}

func performanceOf(p engine.Performance) (out wire.Performance, err error) {
	var win, loss, rate int64
	var factor *int64
	if win, err = p.AverageWin(); err != nil {
		return out, err
	}
	if loss, err = p.AverageLoss(); err != nil {
		return out, err
	}
	if rate, err = p.WinRate(); err != nil {
		return out, err
	}
	if factor, err = p.ProfitFactor(); err != nil {
		return out, err
	}
	out = wire.Performance{
		Total: earningsOf(p.Earnings), GrossProfit: wire.USDT(p.Won), GrossLoss: wire.USDT(p.Lost), AverageWin: wire.USDT(win), AverageLoss: wire.USDT(loss),
		LargestWin: wire.USDT(p.Largest), LargestLoss: wire.USDT(p.Smallest), WinRate: money.Format(rate, 2),
		Days: convertAll(p.Days, dayEarningsOf), Products: convertAll(p.Products, productEarningsOf),
	}
	if factor != nil {
		text := money.Format(*factor, 2)
		out.ProfitFactor = &text
	}
	return out, nil
}

func earningsOf(e engine.Earnings) wire.Earnings {
	return wire.Earnings{
		Trades: e.Trades, Wins: e.Wins, Losses: e.Losses, Net: wire.USDT(e.Net), Profit: wire.USDT(e.Profit), Commission: wire.USDT(e.Commission), Charges: wire.USDT(e.Charges),
	}
}

func dayEarningsOf(d engine.DayEarnings) wire.DayEarnings {
	return wire.DayEarnings{Day: d.Day.Format(time.DateOnly), Earnings: earningsOf(d.Earnings)}
}

func productEarningsOf(p engine.ProductEarnings) wire.ProductEarnings {
	return wire.ProductEarnings{ProductId: p.ProductID, Earnings: earningsOf(p.Earnings)}
}

// FindStatement returns the session's account's balances around a period and the sums of its movements.
func (srv *Server) FindStatement(c *echo.Context, params wire.FindStatementParams) error {
	if err := checkPeriod(params.StartTime, params.EndTime); err != nil {
		return err
	}
	account, err := srv.ownAccount(c, nil)
	if err != nil {
		return err
	}
	s, err := ledger.StatementOf(c.Request().Context(), srv.Ledger, account.ID, time.UnixMilli(params.StartTime), time.UnixMilli(params.EndTime))
	if err != nil {
		return err
	}
	text := func(v int64) string { return formatAmount(v, account.Currency) }
	return srv.reply(c, wire.Statement{
		AccountId: account.ID, Currency: account.Currency, Opening: text(s.Opening), Closing: text(s.Closing),
		Movements: convertAll(s.Movements, func(m ledger.Movement) wire.Movement {
			return wire.Movement{Kind: m.Kind, Entries: m.Entries, Amount: text(m.Amount)}
		}),
	})
}

// checkPeriod requires a period of at most 366 days.
func checkPeriod(from, until int64) error {
	if from < 0 || until <= from || until-from > longestPeriod.Milliseconds() {
		return errs.Field("endTime", "field.range")
	}
	return nil
}

// checkZone requires the IANA name of a time zone.
func checkZone(name string) error {
	if _, err := time.LoadLocation(name); err != nil || name == "" || name == "Local" {
		return engine.ErrZone
	}
	return nil
}
