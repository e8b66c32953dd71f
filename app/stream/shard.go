package stream

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"time"
)

// phases is the number of focusEvery ticks in flushEvery. Each group is flushed in full in one of them, which spreads the writes over the interval.
const phases = int(flushEvery / focusEvery)

// shard owns the write side of its sockets: one loop does all writes and never waits for a socket.
type shard struct {
	mu     sync.Mutex
	called []*conn       // sockets that need the loop
	wake   chan struct{} // capacity one; filled while called is not empty

	// The loop owns the rest.
	groups    [phases][]*group
	focused   []*group          // those with a product in focus
	open      map[string]*group // by watchlist: the group that new sockets join
	nextPhase int
	tick      int
	board     *board
	newest    snapshot   // the prices that are sent now
	shared    priceFrame // reused buffers
	own       priceFrame
	sweeping  []*group
	warmed    int64 // sum of values that were read only to load them into the cache
	serving   []*conn
}

func newShard(b *board) *shard {
	return &shard{board: b, wake: make(chan struct{}, 1), open: map[string]*group{}}
}

// call adds a socket to the loop's list.
func (s *shard) call(c *conn) {
	s.mu.Lock()
	s.called = append(s.called, c)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// run sends private messages at once and prices by the tick, until ctx ends.
func (s *shard) run(ctx context.Context) {
	ticker := time.NewTicker(focusEvery)
	defer ticker.Stop()
	start := time.Now()
	for {
		select {
		case <-s.wake:
			s.serve()
		case <-ticker.C:
			s.catchUp(int(time.Since(start) / focusEvery))
		case <-ctx.Done():
			return
		}
	}
}

// catchUp flushes all due phases, each at most once.
func (s *shard) catchUp(due int) {
	s.tick = max(s.tick, due-phases)
	for s.tick < due {
		s.tick++
		s.sweep(s.tick % phases)
	}
}

// sweep first flushes the focus product of the groups of other phases, then the groups of this phase in full.
func (s *shard) sweep(phase int) {
	s.sweeping = s.sweeping[:0]
	for _, g := range s.focused {
		if g.phase != phase {
			s.sweeping = append(s.sweeping, g)
		}
	}
	s.sweeping = append(s.sweeping, s.groups[phase]...)
	old := groupSize
	for i, g := range s.sweeping {
		if old >= groupSize {
			s.newest.take(s.board)
			old = 0
		}
		if i%ahead == 0 {
			s.warm(s.sweeping[i:min(i+ahead, len(s.sweeping))])
		}
		s.flush(g, g.phase == phase)
		old += len(g.members)
		select { // only between groups, so that all members of a group stay at the same lines
		case <-s.wake:
			s.serve()
		default:
		}
	}
}

// ahead is the number of groups that are prefetched at once.
const ahead = 16

// warm prefetches the memory that the flush of some groups reads first. Together these reads take about as long as one; between writes each would cause a
// cache miss.
func (s *shard) warm(groups []*group) {
	for _, g := range groups {
		if len(g.members) > 0 && len(g.places) > 0 {
			s.warmed += int64(g.members[0].fd) + int64(g.places[0]) + int64(g.places[len(g.places)-1]) + g.sent
		}
	}
}

// flush sends a group's members the lines that are newer than theirs; only the focus product's unless full.
func (s *shard) flush(g *group, full bool) {
	if len(g.members) == 0 {
		return
	}
	shared := g.frame(&s.shared, &s.newest, full)
	for _, c := range g.members {
		if c.blocked {
			continue
		}
		frame := shared
		if c.behind != nil {
			frame = g.frameFor(c.behind, &s.own, &s.newest, full)
			if full {
				c.behind = nil
			}
		}
		if frame != nil {
			s.write(c, frame)
		}
	}
}

// serve handles the sockets on the list.
func (s *shard) serve() {
	s.mu.Lock()
	s.serving, s.called = s.called, s.serving[:0]
	s.mu.Unlock()
	for i, c := range s.serving {
		s.serving[i] = nil
		s.serveOne(c)
	}
}

func (s *shard) serveOne(c *conn) {
	if c.closed {
		return
	}
	todo := c.take()
	if todo.watch != nil {
		s.subscribe(c, todo.watch)
	}
	if len(todo.text) > 0 {
		s.write(c, todo.text)
	}
	if c.broken || todo.ended && !c.blocked {
		s.leave(c)
		c.close()
	}
}

// write sends whole frames to a socket that is not parked. The socket is parked when the kernel does not accept all of them at once.
func (s *shard) write(c *conn, frames []byte) {
	n, err := attempt(c.fd, frames)
	switch {
	case err != nil:
		c.blocked, c.broken = true, true
		s.call(c)
	case n < len(frames):
		c.block(frames[n:])
	}
}

// attempt is one non-blocking write(2); it writes nothing when fd is -1, because the connection is not plain TCP. Only the loop closes the connection, so fd
// stays valid while the loop writes.
func attempt(fd int, frames []byte) (n int, err error) {
	if fd < 0 {
		return 0, nil
	}
	n, err = syscall.Write(fd, frames)
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EINTR) {
		return 0, nil
	}
	return max(n, 0), err
}
