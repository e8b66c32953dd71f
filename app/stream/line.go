package stream

import (
	"encoding/json"
	"sync/atomic"

	"candor/app/market"
)

// line is a product's newest price line, encoded once for everybody.
type line struct {
	product int
	newest  atomic.Pointer[encoded]
}

// encoded is a line as it is sent; its number grows with each of a product.
type encoded struct {
	number int64
	json   []byte
}

// OnQuote encodes a product's newest line; the market calls it in order.
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
	number := int64(1)
	if last := h.lines[q.ProductID].newest.Load(); last != nil {
		number = last.number + 1
	}
	h.lines[q.ProductID].newest.Store(&encoded{number, text})
}

// OnHalt says the newest price again, with what has become of the product; the market calls it.
func (h *Hub) OnHalt(productID int) {
	if q, ok := h.market.Newest(productID); ok {
		h.OnQuote(q)
	}
}

// pricePrefix opens a frame of price lines, with room for the frame's header before it.
var pricePrefix = append(make([]byte, headRoom), `{"type":12,"data":[`...)

// assemble puts the lines that are newer than what has names into one frame, in a buffer that is kept, and brings has up to date.
// It is nil when there is nothing new.
func assemble(buffer *[]byte, newest []*encoded, has []int64) []byte {
	out := (*buffer)[:0]
	out = append(out, pricePrefix...)
	for i, e := range newest {
		if e == nil || e.number <= has[i] {
			continue
		}
		if len(out) > len(pricePrefix) {
			out = append(out, ',')
		}
		out = append(out, e.json...)
		has[i] = e.number
	}
	if len(out) == len(pricePrefix) {
		return nil
	}
	out = append(out, "]}"...)
	*buffer = out
	return sealFrame(out)
}
