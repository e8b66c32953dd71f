package stream

import (
	"slices"
	"sync"
	"sync/atomic"

	"candor/app/market"
)

// board has every product's newest price line, encoded once for everybody.
type board struct {
	places map[int]uint16            // of products, in the order of their ids; never changes
	lines  []atomic.Pointer[encoded] // by place

	telling sync.Mutex
	told    atomic.Int64 // the number of the last line that was told
}

// encoded is a line as it is sent, behind a comma. Lines are numbered one after the other, whatever their product.
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

// tell replaces a product's line.
func (b *board) tell(product int, line []byte) {
	place, ok := b.places[product]
	if !ok {
		return
	}
	text := append([]byte{','}, line...)
	b.telling.Lock()
	defer b.telling.Unlock()
	b.lines[place].Store(&encoded{b.told.Add(1), text}) // counted before it is seen: see snapshot.take
}

// snapshot is the board at one moment, side by side in memory; each shard's loop has its own. What is newer than its number is not in it, and
// everything else is.
type snapshot struct {
	number int64
	lines  []stretch
	text   []byte
}

// stretch is a line's place in the text; its number is 0 while there is no line.
type stretch struct {
	number   int64
	from, to int
}

// take looks at the board again. A line that is told meanwhile makes it look once more: one of a lower number may have been passed over.
func (s *snapshot) take(b *board) {
	for told := int64(-1); told != b.told.Load(); {
		told = b.told.Load()
		s.number, s.lines, s.text = 0, s.lines[:0], s.text[:0]
		for i := range b.lines {
			var line stretch
			if e := b.lines[i].Load(); e != nil {
				line = stretch{e.number, len(s.text), len(s.text) + len(e.text)}
				s.text = append(s.text, e.text...)
				s.number = max(s.number, e.number)
			}
			s.lines = append(s.lines, line)
		}
	}
}

func (s *snapshot) textOf(l stretch) []byte { return s.text[l.from:l.to] }

// priceHead opens a frame of price lines, with room for the frame's header before it. The comma of the first line becomes the bracket that follows.
var priceHead = append(make([]byte, headRoom), `{"type":12,"data":`...)

// priceFrame is what is put together in a buffer that is used again.
type priceFrame struct{ buffer []byte }

func (f *priceFrame) begin() []byte { return append(f.buffer[:0], priceHead...) }

// end is the frame of what was begun and had lines appended, nil when there are none.
func (f *priceFrame) end(out []byte) []byte {
	if len(out) == len(priceHead) {
		return nil
	}
	out[len(priceHead)] = '['
	out = append(out, "]}"...)
	f.buffer = out
	return sealFrame(out)
}
