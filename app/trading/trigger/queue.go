package trigger

import (
	"context"
	"sync"
)

// queue keeps triggered tasks for the workers, first in, first out. It never blocks the feed. It stays short because a position, an order or an account has at
// most one task in it.
type queue struct {
	mu    sync.Mutex
	tasks []Task
	more  chan struct{} // one token: tasks were pushed
}

func newQueue() *queue { return &queue{more: make(chan struct{}, 1)} }

func (q *queue) push(tasks ...Task) {
	if len(tasks) == 0 {
		return
	}
	q.mu.Lock()
	q.tasks = append(q.tasks, tasks...)
	q.mu.Unlock()
	q.wake()
}

func (q *queue) wake() {
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// take removes the oldest task if there is one.
func (q *queue) take() (t Task, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.tasks) == 0 {
		return t, false
	}
	t, q.tasks = q.tasks[0], q.tasks[1:]
	if len(q.tasks) > 0 {
		q.wake() // for the next worker
	}
	return t, true
}

// wait removes the oldest task and waits for one; ok is false when ctx has ended.
func (q *queue) wait(ctx context.Context) (t Task, ok bool) {
	for {
		if t, ok = q.take(); ok {
			return t, true
		}
		select {
		case <-q.more:
		case <-ctx.Done():
			return Task{}, false
		}
	}
}
