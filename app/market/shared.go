package market

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// quoteSubject is the subject of the leader's quotes.
const quoteSubject = "market.quotes"

// sharedQuote is a quote from the leader, with the state of its product. A sequence of zero carries the state alone.
type sharedQuote struct {
	Quote
	halted bool
}

func (t sharedQuote) encode() []byte {
	var b bytes.Buffer
	for _, v := range []int64{t.Term, int64(t.ProductID), t.Seq, t.Bid, t.Ask, t.AtMS, t.SourceMS, t.Batch, int64(t.StoredOn)} {
		_ = binary.Write(&b, binary.BigEndian, v)
	}
	if t.halted {
		b.WriteByte(1)
	} else {
		b.WriteByte(0)
	}
	b.WriteString(t.Source)
	return b.Bytes()
}

func readSharedQuote(data []byte) (t sharedQuote, err error) {
	r := bytes.NewReader(data)
	product, day := int64(0), int64(0)
	for _, into := range []*int64{&t.Term, &product, &t.Seq, &t.Bid, &t.Ask, &t.AtMS, &t.SourceMS, &t.Batch, &day} {
		if err := binary.Read(r, binary.BigEndian, into); err != nil {
			return t, fmt.Errorf("a quote of %d bytes: %w", len(data), err)
		}
	}
	halted, err := r.ReadByte()
	t.ProductID, t.StoredOn, t.halted, t.Source = int(product), int(day), halted == 1, string(data[len(data)-r.Len():])
	return t, err
}

// publishQuote sends a quote to the other servers.
func (s *Service) publishQuote(q Quote, halted bool) {
	if s.bus != nil && s.bus.Shared() {
		_ = s.bus.Publish(quoteSubject, sharedQuote{q, halted}.encode())
	}
}

// receiveQuote handles a leader's quote: while another server leads, its quotes are the newest.
func (s *Service) receiveQuote(data []byte) {
	t, err := readSharedQuote(data)
	i := s.byID[t.ProductID]
	if err != nil || i == nil || s.leading.Load() || t.Term < s.heard.Load() {
		return
	}
	s.heard.Store(t.Term)
	if t.Seq == 0 {
		s.halt(i, t.halted)
		return
	}
	s.accept(i, t.Quote, t.halted)
}

// accept publishes a quote as the product's newest and notifies the listeners. While the product is halted, the quote is display only.
func (s *Service) accept(i *instrument, q Quote, halted bool) {
	if halted {
		s.halt(i, true) // before the price
	}
	i.store(q, halted)
	s.halt(i, halted)
	for _, listener := range s.listeners {
		listener(q)
	}
}

// store stores a quote as the product's newest.
func (i *instrument) store(q Quote, halted bool) {
	i.mu.Lock()
	i.window.add(q)
	i.mu.Unlock()
	i.cross(q)
	if !halted {
		i.confirmed.Store(&q)
	}
	i.newest.Store(&q)
}
