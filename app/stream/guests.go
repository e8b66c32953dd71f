package stream

import (
	"container/list"
	"net/netip"
	"time"

	"candor/app/platform/netlimit"
)

// patience is how long a new socket may take to log in before it is displaced in preference to one that asked for prices.
const patience = 5 * time.Second

// guests indexes the guest sockets by network and source, so that the one with the most sockets is displaced first. The register guards it.
type guests struct {
	count    int
	crowds   map[netip.Prefix]*crowd
	networks map[netip.Prefix]*network
	bySize   bySize[*network]
}

// network is the sources of one netlimit.Network.
type network struct {
	prefix netip.Prefix
	count  int // of sockets
	bySize bySize[*crowd]
}

// crowd is the guest sockets of one source, oldest first.
type crowd struct {
	source           netip.Prefix
	network          *network
	silent, speaking *list.List // of *conn: those without a request, and the others
}

// spot is a socket's position among the guests.
type spot struct {
	crowd   *crowd
	element *list.Element
}

func newGuests() *guests {
	return &guests{crowds: map[netip.Prefix]*crowd{}, networks: map[netip.Prefix]*network{}}
}

func (w *crowd) size() int { return w.silent.Len() + w.speaking.Len() }

// of counts the guest sockets of a source.
func (g *guests) of(source netip.Prefix) int {
	if w := g.crowds[source]; w != nil {
		return w.size()
	}
	return 0
}

func (g *guests) add(c *conn) {
	if c.spot.crowd != nil {
		return
	}
	w := g.crowd(c.source)
	g.resize(w, func() { c.spot = spot{w, w.list(c).PushBack(c)} })
}

func (g *guests) remove(c *conn) {
	w := c.spot.crowd
	if w == nil {
		return
	}
	g.resize(w, func() { w.list(c).Remove(c.spot.element) })
	c.spot = spot{}
	if w.size() == 0 {
		delete(g.crowds, w.source)
	}
	if w.network.count == 0 {
		delete(g.networks, w.network.prefix)
	}
}

// crowd finds or creates a source's crowd.
func (g *guests) crowd(source netip.Prefix) *crowd {
	if w := g.crowds[source]; w != nil {
		return w
	}
	prefix := netlimit.Network(source)
	n := g.networks[prefix]
	if n == nil {
		n = &network{prefix: prefix}
		g.networks[prefix] = n
	}
	w := &crowd{source: source, network: n, silent: list.New(), speaking: list.New()}
	g.crowds[source] = w
	return w
}

// ask records that a socket sent a request.
func (g *guests) ask(c *conn) {
	w := c.spot.crowd
	if w != nil && !c.asked {
		w.silent.Remove(c.spot.element)
		c.spot.element = w.speaking.PushBack(c)
	}
	c.asked = true
}

func (w *crowd) list(c *conn) *list.List {
	if c.asked {
		return w.speaking
	}
	return w.silent
}

// resize changes a crowd and files it and its network under their new sizes.
func (g *guests) resize(w *crowd, change func()) {
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
	if w := g.crowds[source]; w != nil {
		return w.oldest(now)
	}
	return nil
}

// oldest is the oldest silent socket that had time to log in, otherwise the oldest of all. Silent newcomers can't displace a newer socket before it has
// logged in.
func (w *crowd) oldest(now time.Time) *conn {
	silent, speaking := first(w.silent), first(w.speaking)
	switch {
	case silent == nil:
		return speaking
	case speaking == nil, now.Sub(silent.opened) >= patience, silent.opened.Before(speaking.opened):
		return silent
	}
	return speaking
}

// silentSince lists the sockets that were opened before a moment and sent no request.
func (g *guests) silentSince(before time.Time) (out []*conn) {
	for _, w := range g.crowds {
		for e := w.silent.Front(); e != nil && e.Value.(*conn).opened.Before(before); e = e.Next() { //nolint:forcetypeassert // it holds nothing else
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
