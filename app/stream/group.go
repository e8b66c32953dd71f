package stream

import (
	"encoding/binary"
	"slices"
)

// groupSize limits the sockets that share one frame, so that private messages wait for few price frames and late sockets get later prices.
const groupSize = 128

// watchlist is a socket's subscription.
type watchlist struct {
	places []uint16 // of the products on the board, ascending
	focus  int      // index of the focus product in places; -1 for none
	key    string   // equal for equal watchlists
}

// group is the sockets of one shard with the same watchlist: they share the frame of each flush. The shard's loop owns it.
type group struct {
	watchlist
	sent    int64 // members that are not behind have every line up to this number,
	focused int64 // and that of the focus product up to this one
	members []*conn
	phase   int // the tick in flushEvery that flushes it in full
}

// newWatchlist sorts the products and drops unknown ones and duplicates.
func newWatchlist(b *board, products []int, focus int) *watchlist {
	w := &watchlist{focus: -1}
	for _, id := range products {
		if place, ok := b.places[id]; ok {
			w.places = append(w.places, place)
		}
	}
	slices.Sort(w.places)
	w.places = slices.Clip(slices.Compact(w.places))
	if place, ok := b.places[focus]; ok {
		w.focus = slices.Index(w.places, place)
	}
	key := binary.AppendVarint(nil, int64(w.focus))
	for _, place := range w.places {
		key = binary.LittleEndian.AppendUint16(key, place)
	}
	w.key = string(key)
	return w
}

// carryNumbers returns a socket's line numbers for w from its numbers for an old watchlist.
func (w *watchlist) carryNumbers(old *watchlist, numbers []int64) []int64 {
	has := make([]int64, len(w.places))
	for i, place := range w.places {
		if at, ok := slices.BinarySearch(old.places, place); ok {
			has[i] = numbers[at]
		}
	}
	return has
}

// numbers are the members' line numbers; a number may be higher than its line's.
func (g *group) numbers() []int64 {
	list := make([]int64, len(g.places))
	for i := range list {
		list[i] = g.sent
	}
	if g.focus >= 0 {
		list[g.focus] = max(g.sent, g.focused)
	}
	return list
}

// frame has the lines that are newer than the members', or only the focus product's. It then advances the members' numbers.
func (g *group) frame(f *priceFrame, s *snapshot, full bool) []byte {
	out := f.begin()
	if full {
		for i, place := range g.places {
			if line := s.lines[place]; line.number > g.sent && (i != g.focus || line.number > g.focused) {
				out = append(out, s.textOf(line)...)
			}
		}
		g.sent = s.number
		return f.end(out)
	}
	if line := s.lines[g.places[g.focus]]; line.number > max(g.sent, g.focused) {
		out = append(out, s.textOf(line)...)
	}
	g.focused = s.number
	return f.end(out)
}

// frameFor is frame for one member that is behind; it updates that member's numbers.
func (g *group) frameFor(has []int64, f *priceFrame, s *snapshot, full bool) []byte {
	out := f.begin()
	for i, place := range g.places {
		if line := s.lines[place]; line.number > has[i] && (full || i == g.focus) {
			out = append(out, s.textOf(line)...)
			has[i] = line.number
		}
	}
	return f.end(out)
}

// subscribe adds a socket to a group with its watchlist. The socket is behind until its first flush.
func (s *shard) subscribe(c *conn, w *watchlist) {
	has := make([]int64, len(w.places))
	if g := c.group; g != nil {
		if g.key == w.key {
			return
		}
		has = w.carryNumbers(&g.watchlist, c.numbers())
		s.leave(c)
	}
	if len(w.places) == 0 {
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
	g := &group{watchlist: *w, phase: s.nextPhase}
	s.open[w.key] = g
	s.groups[g.phase] = append(s.groups[g.phase], g)
	if g.focus >= 0 {
		s.focused = append(s.focused, g)
	}
	return g
}

// leave removes a socket from its group; a group without members is dropped.
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

// without removes one element from an unordered list.
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
