package api

import (
	"candor/app/wire"
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/ledger"
	"candor/app/platform/money"
	"candor/app/platform/sheet"
	"candor/app/trading"
	"candor/app/trading/engine"
)

// A file has at most exportRows rows, unless it is whole. They are read exportPage at a time, so that a slow reader occupies neither memory nor a database connection.
const (
	exportRows    = 10_000
	exportPage    = 1_000
	exportTimeout = 2 * time.Minute
)

// table describes a list as a file: its permanent column names, and how a row is read and written.
type table[Row any] struct {
	whole   bool // no row may be missing; page gets no offset
	columns []string
	page    func(before int64, offset, limit int) ([]Row, error)
	id      func(Row) int64
	cells   func(Row) []string
}

// ExportHistory returns closed positions as a file.
func (srv *Server) ExportHistory(c *echo.Context, params wire.ExportHistoryParams) error {
	filter, err := historyFilter(params.ProductId, params.Side, params.CloseReason, params.OpenedBy, params.StartTime, params.EndTime)
	if err != nil {
		return err
	}
	return export(c, srv.historyTable(c.Request().Context(), principal(c).AccountID, filter))
}

func (srv *Server) historyTable(ctx context.Context, accountID int64, filter engine.HistoryFilter) table[trading.Position] {
	return table[trading.Position]{
		columns: []string{"position", "product", "side", "lots", "leverage", "open_price", "close_price", "close_reason", "profit", "commission", "currency", "opened_at", "closed_at"},
		page: func(before int64, offset, limit int) ([]trading.Position, error) {
			filter.Before, filter.Offset, filter.Limit, filter.Whole = before, offset, limit, true
			list, _, err := srv.Trading.History(ctx, accountID, filter)
			return list, err
		},
		id: func(p trading.Position) int64 { return p.ID },
		cells: func(p trading.Position) []string {
			return []string{
				number(p.ID), srv.symbol(p.ProductID), string(p.Side), wire.Lots(p.LotsOpened), strconv.Itoa(p.Leverage), srv.convert.Price(p.ProductID, p.OpenPrice),
				valueOrZero(srv.convert.MaybePrice(p.ProductID, p.ClosePrice)), string(valueOrZero(p.CloseReason)), wire.USDT(p.Realised), wire.USDT(p.Commission), ledger.Currency,
				clockTime(p.OpenedAt), clockTime(valueOrZero(p.ClosedAt)),
			}
		},
	}
}

// ExportFills returns fills as a file.
func (srv *Server) ExportFills(c *echo.Context, params wire.ExportFillsParams) error {
	filter, err := fillFilter(params.PositionId, params.ProductId, params.Side, params.Rule, params.StartTime, params.EndTime)
	if err != nil {
		return err
	}
	return export(c, srv.fillTable(c.Request().Context(), principal(c).AccountID, filter))
}

func (srv *Server) fillTable(ctx context.Context, accountID int64, filter engine.FillFilter) table[trading.Fill] {
	return table[trading.Fill]{
		columns: []string{"fill", "order", "position", "product", "side", "entry", "rule", "lots", "price", "margin", "profit", "commission", "currency", "time", "market_time"},
		page: func(before int64, offset, limit int) ([]trading.Fill, error) {
			filter.Before, filter.Offset, filter.Limit, filter.Whole = before, offset, limit, true
			list, _, err := srv.Trading.Fills(ctx, accountID, filter)
			return list, err
		},
		id: func(f trading.Fill) int64 { return f.ID },
		cells: func(f trading.Fill) []string {
			return []string{
				number(f.ID), number(f.OrderID), number(f.PositionID), srv.symbol(f.ProductID), string(f.Side), f.Entry, string(f.Rule), wire.Lots(f.Lots),
				srv.convert.Price(f.ProductID, f.Price), wire.USDT(f.Margin), wire.USDT(f.Profit), wire.USDT(f.Commission), ledger.Currency, clockTime(f.CreatedAt), clockTime(time.UnixMilli(f.AtMS)),
			}
		},
	}
}

// ExportOrders returns orders other than market orders as a file.
func (srv *Server) ExportOrders(c *echo.Context, params wire.ExportOrdersParams) error {
	filter, err := orderFilter(params.ProductId, params.Side, params.Type, params.Status, params.Reason, params.StartTime, params.EndTime)
	if err != nil {
		return err
	}
	return export(c, srv.orderTable(c.Request().Context(), principal(c).AccountID, filter))
}

func (srv *Server) orderTable(ctx context.Context, accountID int64, filter engine.OrderFilter) table[trading.Order] {
	return table[trading.Order]{
		columns: []string{
			"order", "product", "side", "type", "lots", "leverage", "price", "limit_price", "stop_loss", "take_profit", "time_in_force", "expires_at",
			"status", "reason", "position", "pair", "placed_at", "ended_at",
		},
		page: func(before int64, offset, limit int) ([]trading.Order, error) {
			filter.Before, filter.Offset, filter.Limit, filter.Whole = before, offset, limit, true
			list, _, err := srv.Trading.Orders(ctx, accountID, filter)
			return list, err
		},
		id: func(o trading.Order) int64 { return o.ID },
		cells: func(o trading.Order) []string {
			price := func(v *int64) string { return valueOrZero(srv.convert.MaybePrice(o.ProductID, v)) }
			return []string{
				number(o.ID), srv.symbol(o.ProductID), string(o.Side), string(o.Type), wire.Lots(o.Lots), strconv.Itoa(o.Leverage), price(o.Price), price(o.LimitPrice),
				price(o.StopLoss), price(o.TakeProfit), string(o.TimeInForce), clockTime(valueOrZero(o.ExpiresAt)), string(o.Status), string(valueOrZero(o.Reason)),
				maybeNumber(o.PositionID), maybeNumber(o.OCO), clockTime(o.CreatedAt), clockTime(valueOrZero(o.EndedAt)),
			}
		},
	}
}

// ExportLedger returns the account's entries as a file.
func (srv *Server) ExportLedger(c *echo.Context, params wire.ExportLedgerParams) error {
	filter, err := statementFilter(params.Kind, params.StartTime, params.EndTime)
	if err != nil {
		return err
	}
	account, err := srv.ownAccount(c, params.AccountId)
	if err != nil {
		return err
	}
	return export(c, srv.ledgerTable(c.Request().Context(), account, filter))
}

func (srv *Server) ledgerTable(ctx context.Context, account ledger.Account, filter ledger.StatementFilter) table[ledger.Line] {
	return table[ledger.Line]{
		columns: []string{"entry", "time", "kind", "cause", "bucket", "amount", "currency", "account"},
		page: func(before int64, offset, limit int) ([]ledger.Line, error) {
			filter.Before, filter.Offset, filter.Limit, filter.Whole = before, offset, limit, true
			list, _, err := ledger.Statement(ctx, srv.Ledger, account.ID, filter)
			return list, err
		},
		id: func(l ledger.Line) int64 { return l.ID },
		cells: func(l ledger.Line) []string {
			return []string{
				number(l.ID), clockTime(l.At), l.Kind, l.Cause, string(shownBucket(l.Bucket)), money.Trim(l.Amount, account.ScaleOf()), account.Currency, number(account.ID),
			}
		},
	}
}

// export writes a list as a file. Rows added meanwhile are newer than its first row and are not included.
func export[Row any](c *echo.Context, t table[Row]) error {
	rows, err := t.page(0, 0, exportPage)
	if err != nil {
		return err
	}
	h := c.Response().Header()
	if len(rows) == exportPage && !t.whole {
		beyond, err := t.page(t.id(rows[exportPage-1]), exportRows-exportPage, 1)
		if err != nil {
			return err
		}
		if len(beyond) > 0 {
			h.Set("Cut-At", strconv.Itoa(exportRows))
		}
	}
	h.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	h.Set("Content-Disposition", "attachment")
	_ = http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(exportTimeout))
	if err := t.write(sheet.New(c.Response()), rows); err != nil {
		slog.Error("a file broke off", "trace", traceID(c), "path", c.Path(), "error", err)
		panic(http.ErrAbortHandler) // the header is sent, so only an aborted connection shows that the rest is missing
	}
	return nil
}

// write writes the column names, the first page and the pages after it.
func (t table[Row]) write(w *sheet.Writer, rows []Row) (err error) {
	if err := w.Row(t.columns...); err != nil {
		return err
	}
	for read := len(rows); ; read += len(rows) {
		for _, row := range rows {
			if err := w.Row(t.cells(row)...); err != nil {
				return err
			}
		}
		if len(rows) < exportPage || read == exportRows && !t.whole {
			return w.Flush()
		}
		if rows, err = t.page(t.id(rows[len(rows)-1]), 0, exportPage); err != nil {
			return err
		}
	}
}

func number(id int64) string { return strconv.FormatInt(id, 10) }

func maybeNumber(id *int64) string {
	if id == nil {
		return ""
	}
	return number(*id)
}

// symbol is a product's symbol; empty when it is no longer offered.
func (srv *Server) symbol(productID int) string {
	p, err := srv.Market.Product(productID)
	if err != nil {
		return ""
	}
	return p.Symbol
}

// clockTime is a time in UTC with milliseconds, for spreadsheets and programs; empty for the zero time.
func clockTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z07:00")
}
