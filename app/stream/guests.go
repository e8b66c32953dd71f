package stream

import (
	"container/list"
	"net/netip"
	"time"

	"candor/app/platform/netlimit"
)

// loginGrace is how long a new socket may take to log in before it is displaced in preference to one that asked for prices.
const loginGrace = 5 * time.Second

// guests indexes the guest sockets by network and source, so that the one with the most sockets is displaced first. The register guards it.
type guests struct {
	count    int
	sources  map[netip.Prefix]*sourceSockets
	networks map[netip.Prefix]*network
	bySize   bySize[*network]
}

// network is the sources of one netlimit.Network.
type network struct {
	prefix netip.Prefix
	count  int // of sockets
	bySize bySize[*sourceSockets]
}

// sourceSockets is the guest sockets of one source, oldest first.
type sourceSockets struct {
	source       netip.Prefix
	network      *network
	idle, active *list.List // of *conn: those without a request, and the others
}

// guestEntry is a socket's position among the guests.
type guestEntry struct {
	sockets *sourceSockets
	element *list.Element
}

func newGuests() *guests {
	return &guests{sources: map[netip.Prefix]*sourceSockets{}, networks: map[netip.Prefix]*network{}}
}

func (w *sourceSockets) size() int { return w.idle.Len() + w.active.Len() }

// of counts the guest sockets of a source.
func (g *guests) of(source netip.Prefix) int {
	if w := g.sources[source]; w != nil {
		return w.size()
	}
	return 0
}

func (g *guests) add(c *conn) {
	if c.guest.sockets != nil {
		return
	}
	w := g.socketsOf(c.source)
	g.resize(w, func() { c.guest = guestEntry{w, w.list(c).PushBack(c)} })
}

func (g *guests) remove(c *conn) {
	w := c.guest.sockets
	if w == nil {
		return
	}
	g.resize(w, func() { w.list(c).Remove(c.guest.element) })
	c.guest = guestEntry{}
	if w.size() == 0 {
		delete(g.sources, w.source)
	}
	if w.network.count == 0 {
		delete(g.networks, w.network.prefix)
	}
}

// socketsOf finds or creates a source's crowd.
func (g *guests) socketsOf(source netip.Prefix) *sourceSockets {
	if w := g.sources[source]; w != nil {
		return w
	}
	prefix := netlimit.Network(source)
	n := g.networks[prefix]
	if n == nil {
		n = &network{prefix: prefix}
		g.networks[prefix] = n
	}
	w := &sourceSockets{source: source, network: n, idle: list.New(), active: list.New()}
	g.sources[source] = w
	return w
}

// markActive records that a socket sent a request.
func (g *guests) markActive(c *conn) {
	w := c.guest.sockets
	if w != nil && !c.active {
		w.idle.Remove(c.guest.element)
		c.guest.element = w.active.PushBack(c)
	}
	c.active = true
}

func (w *sourceSockets) list(c *conn) *list.List {
	if c.active {
		return w.active
	}
	return w.idle
}

// resize changes a crowd and files it and its network under their new sizes.
func (g *guests) resize(w *sourceSockets, change func()) {
	before, n := w.size(), w.network
	change()
	more := w.size() - before
	n.bySize.move(w, before, w.size())
	g.bySize.move(n, n.count, n.count+more)
	n.count += more
	g.count += more
}

// displace picks the socket to close: from the network with the most sockets, and there from the source with the most. It returns nil when there is none.
func (g *guests) displace(now time.Time) *conn {
	n, ok := g.bySize.largest()
	if !ok {
		return nil
	}
	w, _ := n.bySize.largest() // a filed network has one
	return w.oldest(now)
}

// displaceOf picks the socket of a source to close for another of the same source.
func (g *guests) displaceOf(source netip.Prefix, now time.Time) *conn {
	if w := g.sources[source]; w != nil {
		return w.oldest(now)
	}
	return nil
}

// oldest is the oldest silent socket that had time to log in, otherwise the oldest of all. Silent newcomers can't displace a newer socket before it has
// logged in.
func (w *sourceSockets) oldest(now time.Time) *conn {
	idle, active := first(w.idle), first(w.active)
	switch {
	case idle == nil:
		return active
	case active == nil, now.Sub(idle.opened) >= loginGrace, idle.opened.Before(active.opened):
		return idle
	}
	return active
}

// idleSince lists the sockets that were opened before a moment and sent no request.
func (g *guests) idleSince(before time.Time) (out []*conn) {
	for _, w := range g.sources {
		for e := w.idle.Front(); e != nil && e.Value.(*conn).opened.Before(before); e = e.Next() { //nolint:forcetypeassert // it holds nothing else
			out = append(out, e.Value.(*conn)) //nolint:forcetypeassert // it holds nothing else
		}
	}
	return out
}

func first(l *list.List) *conn {
	if e := l.Front(); e != nil {
		return e.Value.(*conn) //nolint:forcetypeassert // it holds nothing else
	}
	return nil
}

// bySize files items by their number of sockets, so that a largest one is found at once. Items without sockets are not filed.
type bySize[T comparable] []map[T]struct{}

func (b *bySize[T]) move(one T, from, to int) {
	sizes := *b
	if from > 0 {
		delete(sizes[from], one)
	}
	for len(sizes) <= to {
		sizes = append(sizes, map[T]struct{}{})
	}
	if to > 0 {
		sizes[to][one] = struct{}{}
	}
	for len(sizes) > 0 && len(sizes[len(sizes)-1]) == 0 {
		sizes = sizes[:len(sizes)-1]
	}
	*b = sizes
}

func (b bySize[T]) largest() (one T, ok bool) {
	if len(b) > 0 {
		for one = range b[len(b)-1] {
			return one, true
		}
	}
	return one, false
}
