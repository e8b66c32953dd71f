package tradedesk

import (
	"slices"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/trading"
	"candor/templates/caseview"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// sections are the lists of the tab of orders, in order, with their words in the address; the first has the tab's own address.
var sections = []string{"open", "pending", "history", "closed", "fills", "refused"}

// sectionWords is a section's address below the trader's.
func sectionWords(section string) []string {
	if section == sections[0] {
		return []string{"orders"}
	}
	return []string{"orders", section}
}

// orderRoutes are the routes of the tab of orders.
func (s Services) orderRoutes() []desk.Route {
	return slices.Concat(s.openList().Routes(), s.pendingList().Routes(), s.historyList().Routes(), s.closedList().Routes(), s.fillList().Routes(), s.refusedList().Routes())
}

// section shows a list on the trader's tab of orders.
func (s Services) section(name string) *caseengine.Part {
	path := "/traders/:id"
	for _, word := range sectionWords(name) {
		path += "/" + word
	}
	return &caseengine.Part{
		Path: path, Export: exported("trader.export_orders"),
		Show: func(r *desk.Request, q caseview.Queue) error { return s.showSection(r, name, q) },
	}
}

// exported is the audit entry of a file about the trader in the address.
func exported(action string) func(r *desk.Request) audit.Entry {
	return func(r *desk.Request) audit.Entry {
		id, _ := r.ID("id") // the list has been read for it
		return audit.By(r.Actor(), r.Now(), action, "trader", id)
	}
}

// showSection shows the tab of orders with one of its lists.
func (s Services) showSection(r *desk.Request, name string, q caseview.Queue) error {
	sub, err := s.subject(r)
	if err != nil {
		return err
	}
	tab := tradeview.Tab{Line: sub.t("trader.orders.line"), List: &q}
	account, found := account(r, sub.accounts)
	if found && name != "refused" {
		tab.Accounts = sub.choice(account, sub.accounts, sectionWords(name)...)
	}
	if name == "refused" {
		tab.Line = sub.t("trader.refused.line")
	}
	for _, section := range sections {
		address := sub.path(sectionWords(section)...)
		if found {
			address = address.With("account", account.ID)
		}
		tab.Sections = append(tab.Sections, ui.ButtonView{Label: sub.t("trader." + section + ".title"), Size: ui.Small, Current: section == name, Href: address.String()})
	}
	frame, err := s.tabFrame(r, sub, "orders")
	if err != nil {
		return err
	}
	return r.Show(tradeview.TabPage(r.Page(frame.Number, navItem), frame, tab))
}

// listed begins the declaration of a list of the tab of orders.
func listed[T any](s Services, name string, filters ...caseengine.Filter) caseengine.List[T] {
	return caseengine.List[T]{
		Name: name, Letters: name + "-", Texts: "trader." + name, View: access.TraderView, Newest: true, Audit: s.Audit, Part: s.section(name),
		Filters: append([]caseengine.Filter{caseengine.Fixed("account")}, filters...),
	}
}

// heads are the columns of a list from their keys; "#" marks a numeric one.
func heads(keys ...string) []caseengine.Column {
	out := make([]caseengine.Column, len(keys))
	for i, key := range keys {
		numeric := key[0] == '#'
		if numeric {
			key = key[1:]
		}
		out[i] = caseengine.Column{Label: "trader.column." + key, Numeric: numeric}
	}
	return out
}

// ofAccount reads a page of the account in the address; an account that is not the trader's has no rows.
func ofAccount[T any](s Services, r *desk.Request, read func(sub subject, a ledger.Account) ([]T, int64, error)) ([]T, caseengine.Cursor, error) {
	sub, err := s.subject(r)
	if err != nil {
		return nil, caseengine.Cursor{}, err
	}
	a, found := account(r, sub.accounts)
	if !found {
		return nil, caseengine.Cursor{}, nil
	}
	list, next, err := read(sub, a)
	return list, caseengine.Cursor{ID: next}, err
}

// rowsOf shows each item as a row of cells.
func rowsOf[T any](s Services, r *desk.Request, items []T, cells func(sub subject, one T) []ui.Cell) ([]caseengine.Row, error) {
	sub, err := s.subject(r)
	rows := make([]caseengine.Row, len(items))
	for i, one := range items {
		rows[i] = caseengine.Row{Cells: cells(sub, one)}
	}
	return rows, err
}

// cellsOf writes each item as a row of a file.
func cellsOf[T any](s Services, r *desk.Request, items []T, cells func(sub subject, one T) []string) ([][]string, error) {
	sub, err := s.subject(r)
	rows := make([][]string, len(items))
	for i, one := range items {
		rows[i] = cells(sub, one)
	}
	return rows, err
}

// maybePrice is a price that may be absent.
func maybePrice(p market.Product, value *int64) ui.Cell {
	if value == nil {
		return ui.Cell{Text: unknown, Muted: true}
	}
	return ui.Cell{Text: price(p, *value)}
}

// plainPrice is a price in a file; empty when absent.
func plainPrice(p market.Product, value *int64) string {
	if value == nil {
		return ""
	}
	return p.FormatPrice(*value)
}

func number(id int64) string { return strconv.FormatInt(id, 10) }

// away is how far a price has to move: in the price's unit, and in percent of the price now.
func away(p market.Product, now, target int64) string {
	distance := max(target-now, now-target)
	percent, err := money.MulDiv(distance, 100_00, now, money.HalfAway)
	if err != nil {
		return price(p, distance)
	}
	return price(p, distance) + " (" + number(percent/100) + "." + number(100 + percent%100)[1:] + "%)"
}

// openPosition is an open position with its value now; nil when a price is missing.
type openPosition struct {
	trading.Position
	now *trading.Valued
}

// openList declares the open positions of an account.
func (s Services) openList() caseengine.List[openPosition] {
	l := listed[openPosition](s, "open")
	l.Columns = heads("position", "product", "side", "#lots", "#open", "#now", "#stop_loss", "#take_profit", "#margin", "#swap", "#profit", "#opened")
	l.ID = func(p openPosition) int64 { return p.ID }
	l.Find = func(r *desk.Request, _ caseengine.Selection, after caseengine.Cursor, limit int) ([]openPosition, caseengine.Cursor, error) {
		return ofAccount(s, r, func(sub subject, a ledger.Account) ([]openPosition, int64, error) {
			return s.openPositions(sub, a, after.ID, limit)
		})
	}
	l.Rows = func(r *desk.Request, items []openPosition) ([]caseengine.Row, error) {
		return rowsOf(s, r, items, s.openCells)
	}
	l.File = caseengine.File[openPosition]{
		Permission: access.TraderExport,
		Columns:    []string{"position", "account", "product", "side", "lots", "leverage", "open_price", "price_now", "stop_loss", "take_profit", "trailing", "margin", "swap", "dividends", "commission", "profit_now", "currency", "opened_at"},
		Cells: func(r *desk.Request, items []openPosition) ([][]string, error) {
			return cellsOf(s, r, items, s.openLine)
		},
	}
	return l
}

// openPositions reads open positions, with their values if every price is known.
func (s Services) openPositions(sub subject, a ledger.Account, before int64, limit int) ([]openPosition, int64, error) {
	list, next, err := s.Trading.OpenPositions(sub.ctx, a.ID, before, limit)
	if err != nil {
		return nil, 0, err
	}
	worth, err := s.Trading.Value(sub.ctx, a.ID)
	if err != nil && !isUnpriced(err) {
		return nil, 0, err
	}
	now := map[int64]*trading.Valued{}
	for i := range worth.Positions {
		now[worth.Positions[i].ID] = &worth.Positions[i]
	}
	out := make([]openPosition, len(list))
	for i, p := range list {
		out[i] = openPosition{p, now[p.ID]}
	}
	return out, next, nil
}

func (s Services) openCells(sub subject, p openPosition) []ui.Cell {
	product := s.product(p.ProductID)
	at, profit := ui.Cell{Text: unknown, Muted: true}, ui.Cell{Text: unknown, Muted: true}
	if p.now != nil {
		at, profit = ui.Cell{Text: price(product, p.now.Price)}, sub.floatingCell(p.now.Profit)
	}
	return []ui.Cell{
		sub.positionCell(p.AccountID, p.ID), {Text: product.Symbol, Strong: true}, {Text: sub.side(p.Side)}, {Text: sub.figures.Lots(p.Lots)}, {Text: price(product, p.OpenPrice)}, at,
		maybePrice(product, p.StopLoss), maybePrice(product, p.TakeProfit), {Text: sub.figures.Rounded(p.Margin)}, {Text: sub.figures.SignedRounded(p.Swap), Title: sub.figures.SignedFull(p.Swap, money.Scale)}, profit, sub.when(p.OpenedAt),
	}
}

func (s Services) openLine(sub subject, p openPosition) []string {
	product, now, profit, trail := s.product(p.ProductID), "", "", plainPrice(s.product(p.ProductID), p.Trail)
	if p.now != nil {
		now, profit = product.FormatPrice(p.now.Price), sub.figures.Plain(p.now.Profit)
	}
	return []string{
		number(p.ID), number(p.AccountID), product.Symbol, string(p.Side), sub.figures.PlainLots(p.Lots), strconv.Itoa(p.Leverage), product.FormatPrice(p.OpenPrice), now,
		plainPrice(product, p.StopLoss), plainPrice(product, p.TakeProfit), trail, sub.figures.Plain(p.Margin), sub.figures.Plain(p.Swap), sub.figures.Plain(p.Dividends),
		sub.figures.Plain(p.Commission), profit, ledger.Currency, stamp(p.OpenedAt),
	}
}
