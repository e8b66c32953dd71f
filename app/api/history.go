package api

import (
	"candor/app/wire"
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/trading"
	"candor/app/trading/engine"
)

// FindHistoryPage returns closed positions.
func (srv *Server) FindHistoryPage(c *echo.Context, params wire.FindHistoryPageParams) error {
	page, size, offset, err := pageOf(params.Page, params.Size, params.Next)
	if err != nil {
		return err
	}
	filter, err := historyFilter(params.ProductId, params.Side, params.CloseReason, params.OpenedBy, params.StartTime, params.EndTime)
	if err != nil {
		return err
	}
	filter.Before, filter.Offset, filter.Limit = valueOrZero(params.Next), offset, size
	ctx, account := c.Request().Context(), principal(c).AccountID
	total, more, err := srv.Trading.CountHistory(ctx, account, filter)
	if err != nil {
		return err
	}
	list, next, err := srv.Trading.History(ctx, account, filter)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.HistoryPage{List: convertAll(list, srv.convert.Position), Total: total, More: more, Page: page, Size: size, Next: next})
}

func historyFilter(product *wire.OfProduct, side *wire.OfSide, reason *wire.OfCloseReason, opened *wire.OfOpening, from *wire.FromTime, until *wire.UntilTime) (f engine.HistoryFilter, err error) {
	f = engine.HistoryFilter{ProductID: int(valueOrZero(product)), From: timeOf(from), To: timeOf(until)}
	if f.Side, err = choice[trading.Side]("side", side); err != nil {
		return f, err
	}
	if f.Reason, err = choice[trading.CloseReason]("closeReason", reason); err != nil {
		return f, err
	}
	f.OpenedBy, err = choice[trading.Rule]("openedBy", opened)
	return f, err
}

// FindFillPage returns fills.
func (srv *Server) FindFillPage(c *echo.Context, params wire.FindFillPageParams) error {
	size, err := keysetSize(params.Size, 100)
	if err != nil {
		return err
	}
	filter, err := fillFilter(params.PositionId, params.ProductId, params.Side, params.Rule, params.StartTime, params.EndTime)
	if err != nil {
		return err
	}
	filter.Before, filter.Limit = valueOrZero(params.Next), size
	fills, next, err := srv.Trading.Fills(c.Request().Context(), principal(c).AccountID, filter)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.FillPage{List: convertAll(fills, srv.convert.Fill), Next: next})
}

func fillFilter(position *wire.OfPosition, product *wire.OfProduct, side *wire.OfSide, rule *wire.OfRule, from *wire.FromTime, until *wire.UntilTime) (f engine.FillFilter, err error) {
	f = engine.FillFilter{PositionID: valueOrZero(position), ProductID: int(valueOrZero(product)), From: timeOf(from), To: timeOf(until)}
	if f.Side, err = choice[trading.Side]("side", side); err != nil {
		return f, err
	}
	f.Rule, err = choice[trading.Rule]("rule", rule)
	return f, err
}

func statementFilter(kind *wire.OfKind, from *wire.FromTime, until *wire.UntilTime) (f ledger.StatementFilter, err error) {
	f = ledger.StatementFilter{From: timeOf(from), To: timeOf(until)}
	f.Kind, err = choice[string]("kind", kind)
	return f, err
}

// keysetSize reads the size of a keyset page; 20 by default.
func keysetSize(size *int, most int) (int, error) {
	switch {
	case size == nil:
		return 20, nil
	case *size < 1 || *size > most:
		return 0, errs.Field("size", "field.range")
	}
	return *size, nil
}

// convertAll converts rows to wire types; an empty list is not null.
func convertAll[Row, Shown any](rows []Row, show func(Row) Shown) []Shown {
	list := make([]Shown, len(rows))
	for i, row := range rows {
		list[i] = show(row)
	}
	return list
}

// valueOrZero returns a parameter's value; the zero value when it is absent.
func valueOrZero[T any](parameter *T) (v T) {
	if parameter != nil {
		v = *parameter
	}
	return v
}

// timeOf converts a wire time; the zero time when it is absent.
func timeOf(ms *int64) time.Time {
	if ms == nil {
		return time.Time{}
	}
	return time.UnixMilli(*ms)
}

// listed is an enum of the contract.
type listed interface {
	~string
	Valid() bool
}

// choice reads an enum parameter; empty when it is absent.
func choice[To ~string, From listed](name string, word *From) (To, error) {
	switch {
	case word == nil:
		return "", nil
	case !(*word).Valid():
		return "", errs.Field(name, "field.choice")
	}
	return To(*word), nil
}
