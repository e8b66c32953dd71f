package db

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// gatherTime is how long one query of many questions may take; after it they are answered with ErrBusy.
const gatherTime = 5 * time.Second

// Gather asks many questions of one kind by one query: what is asked while a query is under way is asked together by the next. A lone question is asked
// at once, and nothing is remembered, so that every answer is as fresh as one of its own.
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

// NewGather makes a gatherer of a query, which leaves out what it does not find.
func NewGather[K comparable, V any](query func(ctx context.Context, keys []K) (map[K]V, error)) *Gather[K, V] {
	return &Gather[K, V]{query: query}
}

// Find answers one question; found is false when there is nothing under the key.
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
