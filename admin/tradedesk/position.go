package tradedesk

import (
	"errors"
	"strconv"
	"time"

	"candor/admin/desk"
	"candor/app/ledger"
	"candor/app/platform/money"
	"candor/app/trading"
	"candor/app/trading/engine"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// position shows one position of the trader with its fills, swaps and dividends.
func (s Services) position(r *desk.Request) error {
	sub, err := s.subject(r)
	if err != nil {
		return err
	}
	id, err := r.ID("position")
	if err != nil {
		return err
	}
	p, err := s.findPosition(sub, id)
	if err != nil {
		return err
	}
	fills, more, err := s.Trading.Fills(sub.ctx, p.AccountID, engine.FillFilter{PositionID: p.ID, Limit: rowsOfTab})
	if err != nil {
		return err
	}
	charges, older, err := s.Trading.Charges(sub.ctx, p.AccountID, p.ID, keyset(r, "before"), rowsOfTab)
	if err != nil {
		return err
	}
	fillCard := tradeview.Card{
		Title: sub.t("trader.fills.title"), Note: sub.t("trader.fills.note"),
		Table: ui.GridView{Caption: sub.t("trader.fills.title"), Empty: sub.t("trader.fills.queue.empty"), Columns: sub.columns(fillColumns...), Rows: s.fillRows(sub, fills)},
	}
	if more != 0 {
		fillCard.End = sub.link("trader.all", sub.path("orders", "fills").With("account", p.AccountID).With("position", p.ID))
	}
	chargeCard := s.chargeCard(sub, charges)
	chargeCard.Pages = turn(sub.path("positions", number(p.ID)), nil, "before", keyset(r, "before"), older)
	frame, err := s.tabFrame(r, sub, "orders")
	if err != nil {
		return err
	}
	cards := []tradeview.Card{s.positionFacts(sub, p), fillCard, chargeCard}
	return r.Show(tradeview.TabPage(r.Page(frame.Number, navItem), frame, tradeview.Tab{Cards: cards}))
}

// findPosition finds a position among the trader's accounts. It returns desk.ErrNotFound for an unknown one and for another trader's.
func (s Services) findPosition(sub subject, id int64) (trading.Position, error) {
	for _, a := range sub.accounts {
		p, err := s.Trading.Position(sub.ctx, a.ID, id)
		if !errors.Is(err, trading.ErrPosition) {
			return p, err
		}
	}
	return trading.Position{}, desk.ErrNotFound
}

// link is the small button at the end of a card's heading.
func (pc pageContext) link(key string, to ui.Path) *ui.ButtonView {
	return &ui.ButtonView{Label: pc.t(key), Size: ui.Tiny, Kind: ui.Ghost, IconEnd: ui.IconChevronEnd, Href: to.String()}
}

// positionFacts is everything that a position has.
func (s Services) positionFacts(sub subject, p trading.Position) tradeview.Card {
	product, f := s.product(p.ProductID), sub.figures
	fact := func(key, value string) ui.Fact { return ui.Fact{Label: sub.t("trader.column." + key), Value: value} }
	card := tradeview.Card{
		Title: sub.t("trader.position", "id", p.ID), Note: ledger.Currency, End: sub.link("trader.orders.all", sub.path("orders").With("account", p.AccountID)),
		Facts: []ui.Fact{
			fact("product", product.Symbol), fact("side", sub.side(p.Side)), fact("account", number(p.AccountID)), fact("lots", f.Lots(p.Lots)), fact("lots_opened", f.Lots(p.LotsOpened)),
			fact("leverage", "1:"+strconv.Itoa(p.Leverage)), fact("open", price(product, p.OpenPrice)), fact("opened_by", sub.t("trader.reason."+string(p.OpenedBy))),
			fact("opened", sub.dated(p.OpenedAt)), fact("stop_loss", maybePrice(product, p.StopLoss).Text), fact("take_profit", maybePrice(product, p.TakeProfit).Text),
			fact("trailing", maybePrice(product, p.Trail).Text), fact("margin", f.Full(p.Margin, money.Scale)), fact("swap", f.SignedFull(p.Swap, money.Scale)), fact("dividends", f.SignedFull(p.Dividends, money.Scale)),
			fact("commission", f.Full(p.Commission, money.Scale)), fact("realised", f.SignedFull(p.Realised, money.Scale)),
		},
	}
	if p.CloseReason == nil || p.ClosedAt == nil {
		card.Facts = append(card.Facts, fact("closed", sub.t("trader.position.open")))
		return card
	}
	card.Facts = append(card.Facts, fact("close", maybePrice(product, p.ClosePrice).Text), fact("closed_by", sub.t("trader.reason."+string(*p.CloseReason))), fact("closed", sub.dated(*p.ClosedAt)))
	return card
}

// dated is a moment with its date and seconds.
func (pc pageContext) dated(moment time.Time) string { return ui.Exact(moment, pc.zone) }

// chargeCard lists the swaps and dividends of a position.
func (s Services) chargeCard(sub subject, list []trading.ListedCharge) tradeview.Card {
	card := tradeview.Card{
		Title: sub.t("trader.charges"), Note: ledger.Currency,
		Table: ui.GridView{Caption: sub.t("trader.charges"), Empty: sub.t("trader.charges.none"), Columns: sub.columns("entry", "type", "day", "#nights", "#lots", "quote", "#amount", "#when")},
	}
	for _, c := range list {
		quote := unknown
		if c.QuoteSeq != nil {
			quote = s.product(c.ProductID).Symbol + " #" + number(*c.QuoteSeq)
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: number(c.ID), Ident: true}, {Text: sub.kindOf(string(c.Kind))}, {Text: c.Day.Format(time.DateOnly)}, {Text: strconv.Itoa(c.Nights)}, {Text: sub.figures.Lots(c.Lots)},
			{Text: quote, Ident: true}, {Text: sub.figures.SignedFull(c.Amount, money.Scale)}, sub.when(c.CreatedAt),
		}})
	}
	return card
}
