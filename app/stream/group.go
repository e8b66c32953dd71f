package stream

import (
	"encoding/binary"
	"slices"
)

// groupSize bounds how many sockets share one frame, so that private messages wait for few price frames and late sockets get later prices.
const groupSize = 128

// watchlist is what a socket subscribed to.
type watchlist struct {
	lines []*line // by product
	focus int     // the place in lines of the product in focus, -1 for none
	key   string  // the same for the same watchlist
}

// group is sockets of one shard with the same watchlist: they share the frame of each flush. It belongs to the shard's loop.
type group struct {
	watchlist
	phase   int     // which of the ticks in flushEvery flushes it in full
	sent    []int64 // the numbers of the lines that members have which are not behind
	members []*conn
}

// newWatchlist sorts and drops what is not a product or comes twice.
func newWatchlist(lines map[int]*line, products []int, focus int) *watchlist {
	products = slices.Compact(slices.Sorted(slices.Values(products)))
	products = slices.DeleteFunc(products, func(id int) bool { return lines[id] == nil })
	w := &watchlist{lines: make([]*line, len(products)), focus: slices.Index(products, focus)}
	key := binary.AppendVarint(nil, int64(w.focus))
	for i, id := range products {
		w.lines[i] = lines[id]
		key = binary.AppendVarint(key, int64(id))
	}
	w.key = string(key)
	return w
}

// carry says which lines of w a socket has that had those of an old watchlist.
func (w *watchlist) carry(old []*line, numbers []int64) []int64 {
	has, at := make([]int64, len(w.lines)), 0
	for i, l := range w.lines {
		for at < len(old) && old[at].product < l.product {
			at++
		}
		if at < len(old) && old[at] == l {
			has[i] = numbers[at]
		}
	}
	return has
}

// newestLines takes the newest of every line, or of the one in focus and none of the others.
func (g *group) newestLines(out []*encoded, full bool) []*encoded {
	out = out[:0]
	for i, l := range g.lines {
		if full || i == g.focus {
			out = append(out, l.newest.Load())
		} else {
			out = append(out, nil)
		}
	}
	return out
}

// subscribe puts a socket into a group with its watchlist. It is behind until it was flushed once.
func (s *shard) subscribe(c *conn, w *watchlist) {
	has := make([]int64, len(w.lines))
	if g := c.group; g != nil {
		if g.key == w.key {
			return
		}
		has = w.carry(g.lines, c.numbers())
		s.leave(c)
	}
	if len(w.lines) == 0 {
		return
	}
	g := s.open[w.key]
	if g == nil || len(g.members) >= groupSize {
		g = s.newGroup(w)
	}
	g.members = append(g.members, c)
	c.group, c.behind = g, has
}

func (s *shard) newGroup(w *watchlist) *group {
	s.nextPhase = (s.nextPhase + 1) % phases
	g := &group{watchlist: *w, phase: s.nextPhase, sent: make([]int64, len(w.lines))}
	s.open[w.key] = g
	s.groups[g.phase] = append(s.groups[g.phase], g)
	if g.focus >= 0 {
		s.focused = append(s.focused, g)
	}
	return g
}

// leave takes a socket out of its group; the last one ends the group.
func (s *shard) leave(c *conn) {
	g := c.group
	if g == nil {
		return
	}
	c.group, c.behind = nil, nil
	g.members = without(g.members, c)
	if len(g.members) > 0 {
		if s.open[g.key] == nil || len(s.open[g.key].members) >= groupSize {
			s.open[g.key] = g
		}
		return
	}
	if s.open[g.key] == g {
		delete(s.open, g.key)
	}
	s.groups[g.phase] = without(s.groups[g.phase], g)
	s.focused = without(s.focused, g)
}

// without takes one element out of a list whose order does not matter.
func without[T comparable](list []T, one T) []T {
	i := slices.Index(list, one)
	if i < 0 {
		return list
	}
	var none T
	last := len(list) - 1
	list[i], list[last] = list[last], none
	return list[:last]
}
