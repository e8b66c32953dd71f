package tradedesk

import (
	"slices"
	"strconv"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/ledger"
	"candor/app/platform/sheet"
	"candor/app/trading"
	"candor/app/trading/engine"
	"candor/templates/ui"
)

// The values of the filters of orders.
var (
	orderTypes = []trading.OrderType{trading.LimitOrder, trading.StopOrder, trading.StopLimitOrder}
	outcomes   = []trading.OrderStatus{trading.Filled, trading.Cancelled, trading.Expired}
	endReasons = []trading.EndReason{
		trading.ByTrader, trading.NoMargin, trading.TooManyPositions, trading.TimeIsUp, trading.ClosingOnly, trading.Restricted, trading.OtherEnded,
	}
)

// worded is a filter by one of a list's values, whose texts have a prefix.
func worded[T ~string](name, prefix string, values []T) caseengine.Filter {
	return caseengine.OneOf(name, values, func(r *desk.Request, value T) string { return r.Word(prefix + string(value)) })
}

// stamp is a moment in a file.
func stamp(at time.Time) string { return sheet.Moment(&at) }

// orderColumns are the column names of files of orders; they never change.
var orderColumns = []string{
	"order", "account", "product", "type", "side", "lots", "leverage", "price", "limit_price", "stop_loss", "take_profit", "time_in_force", "expires_at", "status", "reason", "position", "pair",
	"placed_at", "ended_at",
}

// orderLine is an order as a row of a file.
func (s Services) orderLine(sub subject, o trading.Order) []string {
	product, reason, position, pair := s.product(o.ProductID), "", "", ""
	if o.Reason != nil {
		reason = string(*o.Reason)
	}
	if o.PositionID != nil {
		position = number(*o.PositionID)
	}
	if o.OCO != nil {
		pair = number(*o.OCO)
	}
	return []string{
		number(o.ID), number(o.AccountID), product.Symbol, string(o.Type), string(o.Side), sub.figures.PlainLots(o.Lots), strconv.Itoa(o.Leverage), plainPrice(product, o.Price),
		plainPrice(product, o.LimitPrice), plainPrice(product, o.StopLoss), plainPrice(product, o.TakeProfit), string(o.TimeInForce), sheet.Moment(o.ExpiresAt), string(o.Status), reason,
		position, pair, stamp(o.CreatedAt), sheet.Moment(o.EndedAt),
	}
}

// orderFile is the file of a list of orders.
func (s Services) orderFile() caseengine.File[trading.Order] {
	return caseengine.File[trading.Order]{
		Permission: access.TraderExport, Columns: orderColumns,
		Cells: func(r *desk.Request, items []trading.Order) ([][]string, error) {
			return cellsOf(s, r, items, s.orderLine)
		},
	}
}

// pendingList declares the pending orders of an account.
func (s Services) pendingList() caseengine.List[trading.Order] {
	l := listed[trading.Order](s, "pending")
	l.Columns = heads("order", "product", "type", "side", "#lots", "#price", "#limit", "#distance", "waits", "#stop_loss", "#take_profit", "expiry", "#placed")
	l.ID = func(o trading.Order) int64 { return o.ID }
	l.Find = func(r *desk.Request, _ caseengine.Selection, after caseengine.Cursor, limit int) ([]trading.Order, caseengine.Cursor, error) {
		return ofAccount(s, r, func(sub subject, a ledger.Account) ([]trading.Order, int64, error) {
			return s.Trading.Orders(sub.ctx, a.ID, engine.OrderFilter{Group: engine.WaitingOrders, Before: after.ID, Limit: limit})
		})
	}
	l.Rows = func(r *desk.Request, items []trading.Order) ([]caseengine.Row, error) {
		return rowsOf(s, r, items, s.pendingCells)
	}
	l.File = s.orderFile()
	return l
}

func (s Services) pendingCells(sub subject, o trading.Order) []ui.Cell {
	return slices.Concat(s.orderCells(sub, o), []ui.Cell{s.distanceCell(o), {Text: sub.t("trader.order.waits." + string(o.Status))}}, s.protection(o), []ui.Cell{sub.expiryCell(o), sub.when(o.CreatedAt)})
}

// protection are the cells of an order's stop loss and take profit.
func (s Services) protection(o trading.Order) []ui.Cell {
	product := s.product(o.ProductID)
	return []ui.Cell{maybePrice(product, o.StopLoss), maybePrice(product, o.TakeProfit)}
}

// orderCells are the cells that every order has.
func (s Services) orderCells(sub subject, o trading.Order) []ui.Cell {
	product := s.product(o.ProductID)
	name := ui.Cell{Text: number(o.ID), Ident: true}
	if o.OCO != nil {
		name.Chips = []ui.ChipView{{Outline: true, Label: "OCO"}}
	}
	return []ui.Cell{
		name, {Text: product.Symbol, Strong: true}, {Text: sub.t("trader.order.type." + string(o.Type))}, {Text: sub.side(o.Side)}, {Text: sub.figures.Lots(o.Lots)},
		maybePrice(product, o.Price), maybePrice(product, o.LimitPrice),
	}
}

// distanceCell is how far the price that the order waits for is from the price at which it would be filled now.
func (s Services) distanceCell(o trading.Order) ui.Cell {
	q, known := s.Market.Newest(o.ProductID)
	if !known || o.Price == nil {
		return ui.Cell{Text: unknown, Muted: true}
	}
	target := o.EntryPrice()
	if o.Status == trading.Untriggered {
		target = *o.Price
	}
	return ui.Cell{Text: away(s.product(o.ProductID), trading.OpeningPrice(o.Side, q), target)}
}

func (sub subject) expiryCell(o trading.Order) ui.Cell {
	cell := ui.Cell{Text: sub.t("trader.order.until." + string(o.TimeInForce)), Muted: true}
	if o.ExpiresAt != nil {
		cell.Text, cell.Title = cell.Text+", "+sub.at(*o.ExpiresAt), ui.Stamp(*o.ExpiresAt)
	}
	return cell
}

// historyList declares the ended orders of an account.
func (s Services) historyList() caseengine.List[trading.Order] {
	l := listed[trading.Order](s, "history",
		worded("outcome", "trader.order.status.", outcomes), worded("reason", "trader.order.ended.", endReasons), worded("type", "trader.order.type.", orderTypes),
		caseengine.Day("from"), caseengine.Day("to"))
	l.Columns = heads("order", "product", "type", "side", "#lots", "#price", "#limit", "state", "why", "ended_by", "#filled_at", "receipt", "#ended", "#placed", "#stop_loss", "#take_profit")
	l.ID = func(o trading.Order) int64 { return o.ID }
	l.Find = func(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) ([]trading.Order, caseengine.Cursor, error) {
		f := historyFilter(sel)
		f.From, f.To = sel.Days(r.Zone())
		f.Before, f.Limit = after.ID, limit
		return ofAccount(s, r, func(sub subject, a ledger.Account) ([]trading.Order, int64, error) {
			return s.Trading.Orders(sub.ctx, a.ID, f)
		})
	}
	l.Rows = s.historyRows
	l.File = s.orderFile()
	return l
}

func historyFilter(sel caseengine.Selection) engine.OrderFilter {
	f := engine.OrderFilter{Group: engine.EndedOrders, Type: trading.OrderType(sel.Value("type")), Reason: trading.EndReason(sel.Value("reason"))}
	switch trading.OrderStatus(sel.Value("outcome")) {
	case trading.Filled:
		f.Group = engine.FilledOrders
	case trading.Cancelled:
		f.Group = engine.CancelledOrders
	case trading.Expired:
		f.Group = engine.ExpiredOrders
	default:
	}
	return f
}

func (s Services) historyRows(r *desk.Request, items []trading.Order) ([]caseengine.Row, error) {
	sub, err := s.subject(r)
	if err != nil || len(items) == 0 {
		return nil, err
	}
	ids := make([]int64, len(items))
	for i, o := range items {
		ids[i] = o.ID
	}
	fills, err := s.Trading.FillsByOrder(sub.ctx, items[0].AccountID, ids)
	rows := make([]caseengine.Row, len(items))
	for i, o := range items {
		rows[i].Cells = slices.Concat(s.orderCells(sub, o), sub.endCells(o), s.filledCells(sub, fills[o.ID]), []ui.Cell{sub.maybeWhen(o.EndedAt), sub.when(o.CreatedAt)}, s.protection(o))
	}
	return rows, err
}

// endCells say how an order ended, why, and who or what ended it.
func (sub subject) endCells(o trading.Order) []ui.Cell {
	chip := ui.ChipView{Label: sub.t("trader.order.status." + string(o.Status)), Icon: ui.IconClose}
	if o.Status == trading.Filled {
		chip.Tone, chip.Icon = ui.ToneSuccess, ui.IconCheck
	}
	if o.Status == trading.Expired {
		chip.Icon = ui.IconClock
	}
	why, by := ui.Cell{Text: unknown, Muted: true}, ui.Cell{Text: sub.t("trader.order.by.market")}
	if o.Reason != nil {
		why, by = ui.Cell{Text: sub.t("trader.order.ended." + string(*o.Reason)), Wrap: true}, ui.Cell{Text: sub.t("trader.order.by.rule")}
		if *o.Reason == trading.ByTrader {
			by.Text = sub.t("trader.order.by.trader")
		}
	}
	return []ui.Cell{{Chips: []ui.ChipView{chip}}, why, by}
}

// filledCells are the price of an order's last fill and the link to its receipt.
func (s Services) filledCells(sub subject, fills []trading.Fill) []ui.Cell {
	if len(fills) == 0 {
		return []ui.Cell{{Text: unknown, Muted: true}, {Text: unknown, Muted: true}}
	}
	f := fills[len(fills)-1]
	return []ui.Cell{{Text: price(s.product(f.ProductID), f.Price)}, s.receiptCell(sub, f)}
}

// receiptCell names the quote of a fill and links to the fill's receipt.
func (s Services) receiptCell(sub subject, f trading.Fill) ui.Cell {
	return ui.Cell{
		Text: s.product(f.ProductID).Symbol + " #" + number(f.QuoteSeq), Ident: true, Href: sub.path("fills", number(f.ID)).With("account", f.AccountID).String(),
	}
}

// maybeWhen is a cell with a time that may be absent.
func (pc pageContext) maybeWhen(moment *time.Time) ui.Cell {
	if moment == nil {
		return ui.Cell{Text: unknown, Muted: true}
	}
	return pc.when(*moment)
}
