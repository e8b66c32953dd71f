package stream

import (
	"slices"
	"sync"
	"sync/atomic"

	"candor/app/market"
)

// board has every product's latest price line, encoded once for all sockets.
type board struct {
	places map[int]uint16            // by product, in the order of their ids; never changes
	lines  []atomic.Pointer[encoded] // by place

	publishing sync.Mutex
	lastNumber atomic.Int64 // the number of the last published line
}

// encoded is a line as it is sent, after a comma. One counter numbers the lines of all products.
type encoded struct {
	number int64
	text   []byte
}

func newBoard(products []market.Product) *board {
	b := &board{places: map[int]uint16{}, lines: make([]atomic.Pointer[encoded], len(products))}
	var ids []int
	for _, p := range products {
		ids = append(ids, p.ID)
	}
	slices.Sort(ids)
	for i, id := range ids {
		b.places[id] = uint16(i)
	}
	return b
}

// publish publishes a product's new line.
func (b *board) publish(product int, line []byte) {
	place, ok := b.places[product]
	if !ok {
		return
	}
	text := append([]byte{','}, line...)
	b.publishing.Lock()
	defer b.publishing.Unlock()
	b.lines[place].Store(&encoded{b.lastNumber.Add(1), text}) // counted before it is visible: see snapshot.take
}

// snapshot is a contiguous copy of the board; each shard's loop has its own. It has exactly the lines up to its number.
type snapshot struct {
	number int64
	lines  []lineRange
	text   []byte
}

// lineRange is a line's range in the text; its number is 0 while there is no line.
type lineRange struct {
	number   int64
	from, to int
}

// take copies the board. It repeats when a line is published meanwhile, because it may have missed one with a lower number.
func (s *snapshot) take(b *board) {
	for last := int64(-1); last != b.lastNumber.Load(); {
		last = b.lastNumber.Load()
		s.number, s.lines, s.text = 0, s.lines[:0], s.text[:0]
		for i := range b.lines {
			var line lineRange
			if e := b.lines[i].Load(); e != nil {
				line = lineRange{e.number, len(s.text), len(s.text) + len(e.text)}
				s.text = append(s.text, e.text...)
				s.number = max(s.number, e.number)
			}
			s.lines = append(s.lines, line)
		}
	}
}

func (s *snapshot) textOf(l lineRange) []byte { return s.text[l.from:l.to] }

// priceHead opens a frame of price lines, with room for the frame's header before it. The first line's comma becomes the opening bracket.
var priceHead = append(make([]byte, headRoom), `{"type":12,"data":`...)

// priceFrame builds frames in a reused buffer.
type priceFrame struct{ buffer []byte }

func (f *priceFrame) begin() []byte { return append(f.buffer[:0], priceHead...) }

// end returns the finished frame; nil when it has no lines.
func (f *priceFrame) end(out []byte) []byte {
	if len(out) == len(priceHead) {
		return nil
	}
	out[len(priceHead)] = '['
	out = append(out, "]}"...)
	f.buffer = out
	return sealFrame(out)
}
