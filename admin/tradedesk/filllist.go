package tradedesk

import (
	"strconv"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/ledger"
	"candor/app/platform/money"
	"candor/app/platform/sheet"
	"candor/app/trading"
	"candor/app/trading/engine"
	"candor/templates/ui"
)

// The values of the filters of positions and fills.
var (
	closeReasons = []trading.CloseReason{
		trading.ManualClose, trading.StopLossClose, trading.TakeProfitClose, trading.TrailingClose, trading.StopOutClose, trading.CloseByClose,
	}
	rules = []trading.Rule{
		trading.MarketRule, trading.LimitRule, trading.StopRule, trading.StopLimitRule, trading.StopLossRule, trading.TakeProfitRule, trading.TrailingRule, trading.StopOutRule,
		trading.CloseByRule,
	}
)

// closedList declares the closed positions of an account.
func (s Services) closedList() caseengine.List[trading.Position] {
	l := listed[trading.Position](s, "closed", worded("reason", "trader.reason.", closeReasons), caseengine.Day("from"), caseengine.Day("to"))
	l.Columns = heads("position", "product", "side", "#lots", "#open", "#close", "closed_by", "#commission", "#swap", "#profit", "#opened", "#closed")
	l.ID = func(p trading.Position) int64 { return p.ID }
	l.Find = func(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) ([]trading.Position, caseengine.Cursor, error) {
		f := engine.HistoryFilter{Reason: trading.CloseReason(sel.Value("reason")), Before: after.ID, Limit: limit}
		f.From, f.To = sel.Days(r.Zone())
		return ofAccount(s, r, func(sub subject, a ledger.Account) ([]trading.Position, int64, error) {
			return s.Trading.History(sub.ctx, a.ID, f)
		})
	}
	l.Rows = func(r *desk.Request, items []trading.Position) ([]caseengine.Row, error) {
		return rowsOf(s, r, items, s.closedCells)
	}
	l.File = caseengine.File[trading.Position]{
		Permission: access.TraderExport,
		Columns:    []string{"position", "account", "product", "side", "lots", "leverage", "open_price", "close_price", "close_reason", "profit", "commission", "swap", "dividends", "currency", "opened_at", "closed_at"},
		Cells: func(r *desk.Request, items []trading.Position) ([][]string, error) {
			return cellsOf(s, r, items, s.closedLine)
		},
	}
	return l
}

func (s Services) closedCells(sub subject, p trading.Position) []ui.Cell {
	product, by := s.product(p.ProductID), ui.Cell{Text: unknown}
	if p.CloseReason != nil {
		by.Text = sub.t("trader.reason." + string(*p.CloseReason))
	}
	return []ui.Cell{
		sub.positionCell(p.AccountID, p.ID), {Text: product.Symbol, Strong: true}, {Text: sub.side(p.Side)}, {Text: sub.figures.Lots(p.LotsOpened)}, {Text: price(product, p.OpenPrice)},
		maybePrice(product, p.ClosePrice), by, {Text: sub.figures.Full(p.Commission, money.Scale)}, {Text: sub.figures.SignedFull(p.Swap, money.Scale)}, sub.profitCell(p.Realised), sub.when(p.OpenedAt),
		sub.maybeWhen(p.ClosedAt),
	}
}

func (s Services) closedLine(sub subject, p trading.Position) []string {
	product, reason := s.product(p.ProductID), ""
	if p.CloseReason != nil {
		reason = string(*p.CloseReason)
	}
	return []string{
		number(p.ID), number(p.AccountID), product.Symbol, string(p.Side), sub.figures.PlainLots(p.LotsOpened), strconv.Itoa(p.Leverage), product.FormatPrice(p.OpenPrice),
		plainPrice(product, p.ClosePrice), reason, sub.figures.Plain(p.Realised), sub.figures.Plain(p.Commission), sub.figures.Plain(p.Swap), sub.figures.Plain(p.Dividends), ledger.Currency,
		stamp(p.OpenedAt), sheet.Moment(p.ClosedAt),
	}
}

// fillColumns are the columns of fills, on the tab and beside their position.
var fillColumns = []string{"fill", "order", "position", "product", "entry", "side", "#lots", "#price", "receipt", "rule", "#commission", "#profit", "#when"}

// fillList declares the fills of an account.
func (s Services) fillList() caseengine.List[trading.Fill] {
	l := listed[trading.Fill](s, "fills", caseengine.Number("position", caseengine.LastID), worded("rule", "trader.reason.", rules), caseengine.Day("from"), caseengine.Day("to"))
	l.Columns = heads(fillColumns...)
	l.ID = func(f trading.Fill) int64 { return f.ID }
	l.Find = func(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) ([]trading.Fill, caseengine.Cursor, error) {
		f := engine.FillFilter{PositionID: sel.Number("position"), Rule: trading.Rule(sel.Value("rule")), Before: after.ID, Limit: limit}
		f.From, f.To = sel.Days(r.Zone())
		return ofAccount(s, r, func(sub subject, a ledger.Account) ([]trading.Fill, int64, error) {
			return s.Trading.Fills(sub.ctx, a.ID, f)
		})
	}
	l.Rows = func(r *desk.Request, items []trading.Fill) ([]caseengine.Row, error) {
		return rowsOf(s, r, items, s.fillCells)
	}
	l.File = caseengine.File[trading.Fill]{
		Permission: access.TraderExport,
		Columns:    []string{"fill", "account", "order", "position", "product", "side", "entry", "rule", "lots", "price", "quote", "margin", "profit", "commission", "currency", "time", "market_time"},
		Cells: func(r *desk.Request, items []trading.Fill) ([][]string, error) {
			return cellsOf(s, r, items, s.fillLine)
		},
	}
	return l
}

func (s Services) fillCells(sub subject, f trading.Fill) []ui.Cell {
	product := s.product(f.ProductID)
	return []ui.Cell{
		{Text: number(f.ID), Ident: true}, {Text: number(f.OrderID), Ident: true}, sub.positionCell(f.AccountID, f.PositionID), {Text: product.Symbol, Strong: true},
		{Text: sub.t("trader.entry." + f.Entry)}, {Text: sub.side(f.Side)}, {Text: sub.figures.Lots(f.Lots)}, {Text: price(product, f.Price)}, s.receiptCell(sub, f),
		{Text: sub.t("trader.reason." + string(f.Rule))}, {Text: sub.figures.Full(f.Commission, money.Scale)}, sub.profitCell(f.Profit), sub.when(f.CreatedAt),
	}
}

func (s Services) fillLine(sub subject, f trading.Fill) []string {
	product := s.product(f.ProductID)
	return []string{
		number(f.ID), number(f.AccountID), number(f.OrderID), number(f.PositionID), product.Symbol, string(f.Side), f.Entry, string(f.Rule), sub.figures.PlainLots(f.Lots),
		product.FormatPrice(f.Price), number(f.QuoteSeq), sub.figures.Plain(f.Margin), sub.figures.Plain(f.Profit), sub.figures.Plain(f.Commission), ledger.Currency, stamp(f.CreatedAt),
		stamp(time.UnixMilli(f.AtMS)),
	}
}

// fillRows are fills as the rows of a card.
func (s Services) fillRows(sub subject, list []trading.Fill) (rows []ui.GridRow) {
	for _, f := range list {
		rows = append(rows, ui.GridRow{Cells: s.fillCells(sub, f)})
	}
	return rows
}
