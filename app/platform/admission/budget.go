package admission

import "sync"

// Budget limits memory in use, in total and per caller.
type Budget struct {
	all, each int64

	mu   sync.Mutex
	used int64
	by   map[string]int64
}

// NewBudget allows all bytes at a time, and each bytes per caller.
func NewBudget(all, each int64) *Budget {
	return &Budget{all: all, each: each, by: map[string]int64{}}
}

// Take reserves bytes for a caller until release; further calls of release do nothing. It returns ErrBusy when too few bytes are left.
func (b *Budget) Take(caller string, bytes int64) (release func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+bytes > b.all || b.by[caller]+bytes > b.each {
		return nil, ErrBusy
	}
	return b.add(caller, bytes), nil
}

// TakeOne is Take, but a caller that has taken nothing may exceed its share while bytes are left: nothing is refused for its size alone. The total stays
// within the budget.
func (b *Budget) TakeOne(caller string, bytes int64) (release func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if own := b.by[caller]; b.used+bytes > b.all || own > 0 && own+bytes > b.each {
		return nil, ErrBusy
	}
	return b.add(caller, bytes), nil
}

func (b *Budget) add(caller string, bytes int64) (release func()) {
	b.used += bytes
	b.by[caller] += bytes
	return sync.OnceFunc(func() { b.give(caller, bytes) })
}

// HasShare reports whether a caller can take so many more bytes within its share.
func (b *Budget) HasShare(caller string, bytes int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.by[caller]+bytes <= b.each
}

func (b *Budget) give(caller string, bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= bytes
	if b.by[caller] -= bytes; b.by[caller] == 0 {
		delete(b.by, caller)
	}
}
