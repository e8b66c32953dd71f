package upload

import (
	"errors"
	"io"
	"sync"
)

// blockSize is the unit in which bytes of uploads are stored.
const blockSize = 128 << 10

// pool keeps blocks for the next upload, so that a flood makes no garbage. It is emptied when there are no uploads.
type pool struct {
	mu   sync.Mutex
	most int // blocks that are kept
	free [][]byte
}

func (p *pool) take() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		block := p.free[n-1]
		p.free = p.free[:n-1]
		return block[:0]
	}
	return make([]byte, 0, blockSize)
}

func (p *pool) give(list [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, list[:min(len(list), max(0, p.most-len(p.free)))]...)
}

func (p *pool) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = nil
}

// blocks are the bytes of one upload. Its bytes are gone after release.
type blocks struct {
	pool *pool
	list [][]byte
	size int64
}

// Write appends bytes.
func (b *blocks) Write(p []byte) (n int, err error) {
	for n < len(p) {
		if len(b.list) == 0 || len(b.list[len(b.list)-1]) == blockSize {
			b.list = append(b.list, b.pool.take())
		}
		last := &b.list[len(b.list)-1]
		part := min(len(p)-n, blockSize-len(*last))
		*last = append(*last, p[n:n+part]...)
		n += part
	}
	b.size += int64(n)
	return n, nil
}

// ReadAt reads from an offset.
func (b *blocks) ReadAt(p []byte, at int64) (n int, err error) {
	if at < 0 {
		return 0, errors.New("read before the start")
	}
	for n < len(p) && at < b.size {
		part := copy(p[n:], b.list[at/blockSize][at%blockSize:])
		n, at = n+part, at+int64(part)
	}
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// reader reads from the start.
func (b *blocks) reader() *io.SectionReader { return io.NewSectionReader(b, 0, b.size) }

// bytes is a copy of the content.
func (b *blocks) bytes() []byte {
	out := make([]byte, 0, b.size)
	for _, block := range b.list {
		out = append(out, block...)
	}
	return out
}

func (b *blocks) release() {
	b.pool.give(b.list)
	b.list, b.size = nil, 0
}
