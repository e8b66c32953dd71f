package stream

import (
	"encoding/json"

	"candor/app/market"
)

// OnQuote encodes a product's latest price line. The market calls it in order.
func (h *Hub) OnQuote(q market.Quote) {
	p, err := h.market.Product(q.ProductID)
	if err != nil {
		return
	}
	status, err := h.market.Status(p.ID)
	if err != nil {
		return
	}
	text, err := json.Marshal(priceLine{
		ProductID: q.ProductID, Price: p.FormatPrice(q.Bid), Bid: p.FormatPrice(q.Bid), Ask: p.FormatPrice(q.Ask),
		Spread: p.FormatPrice(q.Ask - q.Bid), Sequence: q.Seq, Time: q.AtMS, Halted: status.Halted,
	})
	if err != nil {
		return
	}
	h.board.publish(p.ID, text)
}

// OnHalt repeats the latest price line with the product's new status. The market calls it.
func (h *Hub) OnHalt(productID int) {
	if q, ok := h.market.Newest(productID); ok {
		h.OnQuote(q)
	}
}
