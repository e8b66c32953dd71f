package tradedesk

import (
	"errors"
	"net/url"
	"strconv"

	"candor/admin/desk"
	"candor/app/ledger"
	"candor/app/trading"
	"candor/app/trading/engine"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

const rowsOfTab = 25

// orders shows the closed positions and the fills of an account, or one position with its fills.
func (s Services) orders(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	tab := tradeview.Tab{Line: sub.t("trader.orders.line")}
	if account, found := account(r, sub.accounts); found {
		tab.Accounts = sub.choice(account, sub.accounts, "orders")
		if tab.Cards, err = s.orderCards(r, sub, account); err != nil {
			return err
		}
	}
	frame, err := s.tabFrame(r, sub, "orders")
	if err != nil {
		return err
	}
	return r.Show(tradeview.TabPage(r.Page(frame.Number, navItem), frame, tab))
}

func (s Services) orderCards(r *desk.Request, sub subject, a ledger.Account) ([]tradeview.Card, error) {
	position := keyset(r, "position")
	query := url.Values{"account": {strconv.FormatInt(a.ID, 10)}}
	first, err := s.positionOrClosed(r, sub, a, position, query)
	if err != nil {
		return nil, err
	}
	if position != 0 {
		query.Set("position", strconv.FormatInt(position, 10))
	}
	before := keyset(r, "fills")
	fills, next, err := s.Trading.Fills(sub.ctx, a.ID, engine.FillFilter{PositionID: position, Before: before, Limit: rowsOfTab})
	if err != nil {
		return nil, err
	}
	second := s.fillCard(sub, a, fills)
	second.Pages = turn(sub.path("orders"), query, "fills", before, next)
	return []tradeview.Card{first, second}, nil
}

func (s Services) positionOrClosed(r *desk.Request, sub subject, a ledger.Account, position int64, query url.Values) (tradeview.Card, error) {
	if position != 0 {
		p, err := s.Trading.Position(sub.ctx, a.ID, position)
		if errors.Is(err, trading.ErrPosition) {
			return tradeview.Card{}, desk.ErrNotFound
		}
		card := s.closedCard(sub, a, []trading.Position{p})
		card.Title = sub.t("trader.position", "id", position)
		card.End = &ui.ButtonView{Label: sub.t("trader.orders.all"), Size: ui.Tiny, Kind: ui.Ghost, Href: sub.path("orders").With("account", a.ID).String()}
		return card, err
	}
	before := keyset(r, "closed")
	closed, next, err := s.Trading.History(sub.ctx, a.ID, engine.HistoryFilter{Before: before, Limit: rowsOfTab})
	if err != nil {
		return tradeview.Card{}, err
	}
	card := s.closedCard(sub, a, closed)
	card.Pages = turn(sub.path("orders"), query, "closed", before, next)
	return card, nil
}

func (s Services) closedCard(sub subject, a ledger.Account, list []trading.Position) tradeview.Card {
	card := tradeview.Card{
		Title: sub.t("trader.closed"), Note: ledger.Currency,
		Table: ui.GridView{Caption: sub.t("trader.closed"), Empty: sub.t("trader.closed.none"), Columns: sub.columns(
			"position", "product", "side", "#lots", "#open", "#close", "closed_by", "#commission", "#profit", "#opened", "#closed")},
	}
	for _, p := range list {
		product := s.product(p.ProductID)
		end, by, closed := ui.Cell{Text: unknown}, ui.Cell{Text: sub.t("trader.position.open")}, ui.Cell{Text: unknown}
		if p.ClosePrice != nil && p.CloseReason != nil && p.ClosedAt != nil {
			end.Text, by.Text, closed = price(product, *p.ClosePrice), sub.t("trader.reason."+string(*p.CloseReason)), sub.when(*p.ClosedAt)
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			sub.positionCell(a.ID, p.ID), {Text: product.Symbol, Strong: true}, {Text: sub.side(p.Side)}, {Text: sub.figures.Lots(p.LotsOpened)}, {Text: price(product, p.OpenPrice)},
			end, by, {Text: sub.figures.Amount(p.Commission)}, sub.profitCell(p.Realised), sub.when(p.OpenedAt), closed,
		}})
	}
	return card
}

// fillCard lists fills, each with its quote.
func (s Services) fillCard(sub subject, a ledger.Account, list []trading.Fill) tradeview.Card {
	card := tradeview.Card{
		Title: sub.t("trader.fills"), Note: sub.t("trader.fills.note"),
		Table: ui.GridView{Caption: sub.t("trader.fills"), Empty: sub.t("trader.fills.none"), Columns: sub.columns(
			"fill", "position", "product", "entry", "side", "#lots", "#price", "quote", "rule", "#profit", "#when")},
	}
	for _, f := range list {
		product := s.product(f.ProductID)
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: strconv.FormatInt(f.ID, 10), Ident: true}, sub.positionCell(a.ID, f.PositionID), {Text: product.Symbol, Strong: true},
			{Text: sub.t("trader.entry." + f.Entry)}, {Text: sub.side(f.Side)}, {Text: sub.figures.Lots(f.Lots)}, {Text: price(product, f.Price)},
			{Text: product.Symbol + " #" + strconv.FormatInt(f.QuoteSeq, 10), Ident: true}, {Text: sub.t("trader.reason." + string(f.Rule))},
			sub.profitCell(f.Profit), sub.when(f.CreatedAt),
		}})
	}
	return card
}
