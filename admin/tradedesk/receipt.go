package tradedesk

import (
	"encoding/hex"
	"errors"
	"time"

	"candor/admin/desk"
	"candor/app/platform/money"
	"candor/app/platform/seal"
	"candor/app/trading"
	"candor/app/trading/proof"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// receipt shows the proof of a fill, which the trader has as a receipt: the quote that it names, its rule, its seal, and whether everything follows.
func (s Services) receipt(r *desk.Request) error {
	sub, err := s.subject(r)
	if err != nil {
		return err
	}
	id, err := r.ID("fill")
	if err != nil {
		return err
	}
	proved, err := s.findReceipt(sub, id)
	if err != nil {
		return err
	}
	frame, err := s.tabFrame(r, sub, "orders")
	if err != nil {
		return err
	}
	cards := []tradeview.Card{s.receiptFacts(sub, proved), sub.quoteCard(proved), s.checkCard(sub, proved)}
	return r.Show(tradeview.TabPage(r.Page(frame.Number, navItem), frame, tradeview.Tab{Line: sub.t("trader.receipt.line"), Cards: cards}))
}

// findReceipt reads the proof of a fill of one of the trader's accounts. It returns desk.ErrNotFound for an unknown fill and for another trader's.
func (s Services) findReceipt(sub subject, id int64) (proof.Receipt, error) {
	for _, a := range sub.accounts {
		proved, err := s.Proofs.Receipt(sub.ctx, a.ID, id)
		if !errors.Is(err, trading.ErrFill) {
			return proved, err
		}
	}
	return proof.Receipt{}, desk.ErrNotFound
}

func (s Services) receiptFacts(sub subject, proved proof.Receipt) tradeview.Card {
	f := proved.Fill
	fact := func(key, value string) ui.Fact { return ui.Fact{Label: sub.t("trader.column." + key), Value: value} }
	position := fact("position", number(f.PositionID))
	position.Href = sub.path("positions", number(f.PositionID)).String()
	return tradeview.Card{
		Title: sub.t("trader.receipt", "id", f.ID),
		Facts: []ui.Fact{
			fact("order", number(f.OrderID)), position, fact("product", f.Product.Symbol), fact("entry", sub.t("trader.entry."+f.Entry)), fact("side", sub.side(f.Side)),
			fact("lots", sub.figures.Lots(f.Lots)), fact("price", price(f.Product, f.Price)), fact("rule", sub.t("trader.reason."+string(f.Rule))),
			fact("limit", maybePrice(f.Product, f.LimitPrice).Text), fact("margin", sub.figures.Full(f.Margin, money.Scale)), fact("commission", sub.figures.Full(f.Commission, money.Scale)),
			fact("profit", sub.figures.SignedFull(f.Profit, money.Scale)), fact("when", sub.dated(f.CreatedAt)), fact("market_time", sub.dated(time.UnixMilli(f.AtMS))),
		},
	}
}

// quoteCard lists the quotes that a fill names, with the batch of the sealed tape that has each.
func (sub subject) quoteCard(proved proof.Receipt) tradeview.Card {
	card := tradeview.Card{
		Title: sub.t("trader.receipt.quotes"), Table: ui.GridView{Caption: sub.t("trader.receipt.quotes"), Columns: sub.columns("quote", "use", "#bid", "#ask", "#when", "sealed")},
	}
	add := func(use string, q *proof.ProvedQuote) {
		if q == nil {
			return
		}
		sealed := sub.t("trader.receipt.unsealed")
		if q.Proof != nil {
			sealed = sub.batch(q.Proof.Head)
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: q.Product.Symbol + " #" + number(q.Quote.Seq), Ident: true}, {Text: sub.t("trader.receipt.quote." + use)}, {Text: price(q.Product, q.Quote.Bid)}, {Text: price(q.Product, q.Quote.Ask)},
			{Text: sub.dated(q.Quote.At()), Muted: true}, {Text: sealed, Ident: true, Muted: true},
		}})
	}
	add("price", &proved.Quote)
	add("best", proved.Best)
	add("conversion", proved.Conversion)
	add("margin", proved.Margin)
	return card
}

// batch names a sealed batch by its number and the beginning of its root.
func (pc pageContext) batch(head seal.Head) string {
	root := hex.EncodeToString(head.Root[:])
	return pc.t("trader.receipt.batch", "number", head.Batch, "root", root[:12])
}

// checkCard verifies the receipt from its content alone, as the trader's own check does.
func (s Services) checkCard(sub subject, proved proof.Receipt) tradeview.Card {
	wrong, checks := 0, proved.Check(s.SealKey)
	for _, one := range checks {
		if one.Wrong != "" {
			wrong++
		}
	}
	sealed := sub.t("trader.receipt.unsealed")
	if proved.Fill.Proof != nil {
		sealed = sub.batch(proved.Fill.Proof.Head)
	}
	verdict := ui.Fact{Label: sub.t("trader.receipt.check"), Value: sub.t("trader.receipt.passed", "count", len(checks)), Tone: ui.ToneSuccess}
	switch {
	case proved.Fill.Proof == nil || proved.Quote.Proof == nil:
		verdict.Value, verdict.Tone = sub.t("trader.receipt.waits"), ui.ToneNormal
	case wrong > 0:
		verdict.Value, verdict.Tone = sub.t("trader.receipt.failed", "count", wrong, "of", len(checks)), ui.ToneError
	}
	return tradeview.Card{Title: sub.t("trader.receipt.seal"), Facts: []ui.Fact{{Label: sub.t("trader.column.sealed"), Value: sealed, Ident: true}, verdict}}
}
