package db

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// gatherTime limits one combined query; after it, its lookups return ErrBusy.
const gatherTime = 5 * time.Second

// Gather combines lookups of one kind into one query: lookups that arrive during a query share the next one. A lone lookup runs at once, and nothing
// is cached, so that every answer is as fresh as its own query would be.
type Gather[K comparable, V any] struct {
	query func(ctx context.Context, keys []K) (map[K]V, error)

	mu      sync.Mutex
	waiting []*question[K, V]
	running bool
}

type question[K comparable, V any] struct {
	key   K
	value V
	found bool
	err   error
	done  chan struct{}
}

// NewGather makes a Gather from a query, which omits the keys that it does not find.
func NewGather[K comparable, V any](query func(ctx context.Context, keys []K) (map[K]V, error)) *Gather[K, V] {
	return &Gather[K, V]{query: query}
}

// Find looks one key up; found is false when there is nothing under the key.
func (g *Gather[K, V]) Find(ctx context.Context, key K) (value V, found bool, err error) {
	if err := nested(); err != nil {
		return value, false, err
	}
	q := &question[K, V]{key: key, done: make(chan struct{})}
	g.mu.Lock()
	g.waiting = append(g.waiting, q)
	if !g.running {
		g.running = true
		go g.drain()
	}
	g.mu.Unlock()
	select {
	case <-q.done:
		return q.value, q.found, q.err
	case <-ctx.Done():
		return value, false, ctx.Err()
	}
}

func (g *Gather[K, V]) drain() {
	for {
		g.mu.Lock()
		questions := g.waiting
		g.waiting, g.running = nil, len(questions) > 0
		g.mu.Unlock()
		if len(questions) == 0 {
			return
		}
		g.answer(questions)
	}
}

func (g *Gather[K, V]) answer(questions []*question[K, V]) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), gatherTime, ErrBusy)
	defer cancel()
	keys := make([]K, len(questions))
	for i, q := range questions {
		keys[i] = q.key
	}
	found, err := g.query(ctx, keys)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	for _, q := range questions {
		q.value, q.found = found[q.key]
		q.err = err
		close(q.done)
	}
}
