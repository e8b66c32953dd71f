// Package admission limits the requests under way, per caller and in total, so that one caller's burst does not delay everyone.
package admission

import (
	"context"
	"sync"
	"time"

	"candor/app/platform/errs"
)

// ErrBusy is returned when a request would wait too long, or behind too many requests of the same caller. Nothing was done.
var ErrBusy = errs.New(errs.Unavailable, "busy")

// Limits are the bounds of a Limiter.
type Limits struct {
	Running  int           // of one caller at a time
	Waiting  int           // of one caller; more are refused at once
	Total    int           // of all callers at a time
	Crowd    int           // waiting of all callers; a further one displaces a request of the caller that has the most
	Patience time.Duration // the longest wait of one request
}

// Limiter admits requests. Waiting requests are admitted in turn, one of each caller per round.
type Limiter struct {
	limits Limits

	mu      sync.Mutex
	running int
	waiting int
	callers map[string]*caller
	turns   []*caller // callers that have a waiting request and may run one more
}

// caller tracks one caller's requests under way.
type caller struct {
	name    string
	running int
	waiting []*ticket
	inTurn  bool
}

// ticket is one waiting request.
type ticket struct {
	admitted chan struct{}
	refused  chan struct{} // displaced by another caller's request
	passed   bool          // guarded by the limiter
}

// New makes a limiter.
func New(l Limits) *Limiter { return &Limiter{limits: l, callers: map[string]*caller{}} }

// Enter waits until a request of a caller may run; leave ends it, and further calls do nothing. It returns ErrBusy or the error of ctx.
func (l *Limiter) Enter(ctx context.Context, name string) (leave func(), err error) {
	c, t, err := l.admit(name)
	if err != nil {
		return nil, err
	}
	leave = sync.OnceFunc(func() { l.leave(c) })
	if t == nil {
		return leave, nil
	}
	timer := time.NewTimer(l.limits.Patience)
	defer timer.Stop()
	select {
	case <-t.admitted:
		return leave, nil
	case <-t.refused:
		return nil, ErrBusy
	case <-timer.C:
		err = ErrBusy
	case <-ctx.Done():
		err = ctx.Err()
	}
	if l.abandon(c, t) {
		return nil, err
	}
	return leave, nil // it was admitted at the same moment
}

// UnderWay counts the running and the waiting requests.
func (l *Limiter) UnderWay() (running, waiting int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.running, l.waiting
}

// admit lets a request run at once (t is nil) or queues it.
func (l *Limiter) admit(name string) (c *caller, t *ticket, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c = l.callers[name]; c == nil {
		c = &caller{name: name}
		l.callers[name] = c
	}
	switch {
	case l.running < l.limits.Total && c.running < l.limits.Running && len(c.waiting) == 0 && len(l.turns) == 0:
		l.running++
		c.running++
		return c, nil, nil
	case len(c.waiting) >= l.limits.Waiting, l.waiting >= l.limits.Crowd && !l.displace(c):
		l.forget(c)
		return nil, nil, ErrBusy
	}
	t = &ticket{admitted: make(chan struct{}), refused: make(chan struct{})}
	c.waiting = append(c.waiting, t)
	l.waiting++
	l.queue(c)
	l.proceed()
	return c, t, nil
}

// displace refuses the newest waiting request of the caller with the most, so that few callers can't fill the queue; false when c has as many.
func (l *Limiter) displace(c *caller) bool {
	most := c
	for _, other := range l.callers {
		if len(other.waiting) > len(most.waiting) {
			most = other
		}
	}
	if len(most.waiting) <= len(c.waiting)+1 {
		return false
	}
	last := len(most.waiting) - 1
	close(most.waiting[last].refused)
	most.waiting = most.waiting[:last]
	l.waiting--
	return true
}

// leave ends a request.
func (l *Limiter) leave(c *caller) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running--
	c.running--
	l.queue(c)
	l.proceed()
	l.forget(c)
}

// abandon leaves the queue; false when the request was admitted meanwhile.
func (l *Limiter) abandon(c *caller, t *ticket) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t.passed {
		return false
	}
	for i, other := range c.waiting {
		if other == t {
			c.waiting = append(c.waiting[:i], c.waiting[i+1:]...)
			l.waiting--
			break
		}
	}
	l.forget(c)
	return true
}

// queue gives a caller a turn if it has a waiting request that may run.
func (l *Limiter) queue(c *caller) {
	if !c.inTurn && len(c.waiting) > 0 && c.running < l.limits.Running {
		c.inTurn = true
		l.turns = append(l.turns, c)
	}
}

// proceed admits one request of each caller in turn while there is room.
func (l *Limiter) proceed() {
	for l.running < l.limits.Total && len(l.turns) > 0 {
		c := l.turns[0]
		l.turns = l.turns[1:]
		c.inTurn = false
		if len(c.waiting) == 0 || c.running >= l.limits.Running {
			l.forget(c)
			continue
		}
		t := c.waiting[0]
		c.waiting = c.waiting[1:]
		l.waiting--
		l.running++
		c.running++
		t.passed = true
		close(t.admitted)
		l.queue(c)
	}
}

// forget drops a caller that has nothing under way.
func (l *Limiter) forget(c *caller) {
	if c.running == 0 && len(c.waiting) == 0 && !c.inTurn {
		delete(l.callers, c.name)
	}
}
