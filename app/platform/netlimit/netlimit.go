// Package netlimit bounds the connections that a process accepts, so that files, the database and events never lack a file descriptor.
package netlimit

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/time/rate"
)

const (
	reserve       = 512     // descriptors that connections can't take: for database pools, NATS, files, calls to providers
	most          = 1 << 20 // connections, however many files may be open
	fromOneSource = 8_192   // connections: an office or a carrier with 5,000 traders shares an address
	logEvery      = time.Minute
	scansASecond  = 50 // for idle connections; a scan visits all of them
)

// Connections returns how many connections the process may have beside its reserve of descriptors. Go raises the soft limit of open files at the start, to
// one below the hard limit, and restores it for child processes.
func Connections() (int, error) {
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		return 0, fmt.Errorf("read the limit of open files: %w", err)
	}
	return connections(files.Cur), nil
}

func connections(files uint64) int {
	n := int(min(files, most))
	return n - min(reserve, n/2)
}

// Config says how many connections a listener accepts.
type Config struct {
	Connections int                   // at once
	PerSource   int                   // at once from one address or /64; 0 for 8,192, or half of all where that is less
	Exempt      func(netip.Addr) bool // addresses without a limit of their own, such as trusted proxies; nil for none
}

// Source is what connections of an address are counted under: the address itself, or its /64, which is one subscriber's.
func Source(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	source, _ := a.Prefix(bits) // fails only for the zero address, whose source is the zero one
	return source
}

// Listener accepts connections within bounds and closes the excess at once. It is safe for many goroutines.
type Listener struct {
	*net.TCPListener
	config Config

	mu       sync.Mutex
	held     int
	sources  map[netip.Prefix]map[*conn]struct{}
	networks map[netip.Prefix]int // how many of their connections are in sources
	refused  int64
	logged   time.Time
	scans    *rate.Limiter // for idle connections to close
}

// New bounds a listener.
func New(l *net.TCPListener, c Config) *Listener {
	if c.PerSource <= 0 {
		c.PerSource = max(1, min(fromOneSource, c.Connections/2))
	}
	return &Listener{TCPListener: l, config: c, sources: map[netip.Prefix]map[*conn]struct{}{}, networks: map[netip.Prefix]int{}, scans: rate.NewLimiter(scansASecond, 1)}
}

// Accept waits for the next connection within the bounds. When all slots are taken, idle connections of the network with the most of them are closed.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		tcp, err := l.AcceptTCP()
		if err != nil {
			return nil, err
		}
		from, _ := netip.ParseAddrPort(tcp.RemoteAddr().String())
		c := &conn{TCPConn: tcp, listener: l, source: Source(from.Addr())}
		c.counted = l.config.Exempt == nil || !l.config.Exempt(from.Addr().Unmap())
		if l.take(c) || l.makeRoom(c.source) && l.take(c) {
			return c, nil
		}
		l.refuse(c)
		_ = tcp.Close()
	}
}

// Held is how many connections are open.
func (l *Listener) Held() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held
}

// Refused is how many connections were closed at once since the start.
func (l *Listener) Refused() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refused
}

func (l *Listener) take(c *conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held >= l.config.Connections || c.counted && len(l.sources[c.source]) >= l.config.PerSource {
		return false
	}
	l.held++
	if c.counted {
		if l.sources[c.source] == nil {
			l.sources[c.source] = map[*conn]struct{}{}
		}
		l.sources[c.source][c] = struct{}{}
		l.networks[Network(c.source)]++
	}
	return true
}

// makeRoom closes half of the idle connections of the network with the most, if that has more of them than the newcomer's source would have connections.
func (l *Listener) makeRoom(newcomer netip.Prefix) bool {
	idle := l.mostIdle(newcomer)
	for _, c := range idle[:(len(idle)+1)/2] {
		_ = c.Close()
	}
	return len(idle) > 0
}

func (l *Listener) mostIdle(newcomer netip.Prefix) (most []*conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held < l.config.Connections || l.largest() < len(l.sources[newcomer])+2 || !l.scans.Allow() {
		return nil
	}
	least := len(l.sources[newcomer]) + 2 // fewer, and the newcomer would have as many
	idle := map[netip.Prefix][]*conn{}
	for source, conns := range l.sources {
		of := Network(source)
		for c := range conns {
			if c.used.Load() == 0 {
				idle[of] = append(idle[of], c)
			}
		}
		if n := len(idle[of]); n >= least {
			most, least = idle[of], n
		}
	}
	return most
}

// largest is the number of connections of the network with the most.
func (l *Listener) largest() (most int) {
	for _, n := range l.networks {
		most = max(most, n)
	}
	return most
}

// Network is the unit whose connections make room: the source, or its IPv6 /48, in which one customer may have 65,536 sources.
func Network(source netip.Prefix) netip.Prefix {
	bits := source.Bits()
	if source.Addr().Is6() {
		bits = 48
	}
	of, _ := source.Addr().Prefix(bits) // fails only for the zero source
	return of
}

// refuse counts a refusal and logs one a minute: anyone can cause refusals, and they must not fill the log.
func (l *Listener) refuse(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refused++
	if now := time.Now(); now.Sub(l.logged) >= logEvery {
		l.logged = now
		slog.Warn("connections are refused", "source", c.source, "fromSource", len(l.sources[c.source]), "open", l.held, "limit", l.config.Connections, "refused", l.refused)
	}
}

func (l *Listener) give(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held--
	if !c.counted {
		return
	}
	if delete(l.sources[c.source], c); len(l.sources[c.source]) == 0 {
		delete(l.sources, c.source)
	}
	of := Network(c.source)
	if l.networks[of]--; l.networks[of] == 0 {
		delete(l.networks, of)
	}
}

// conn frees its slot when it is closed.
type conn struct {
	*net.TCPConn
	listener *Listener
	source   netip.Prefix
	counted  bool // among the connections of its source
	closed   sync.Once
	used     atomic.Int32 // requests that are handled, and one for a socket; 0 means idle
}

// Close implements net.Conn.
func (c *conn) Close() error {
	err := c.TCPConn.Close()
	c.closed.Do(func() { c.listener.give(c) })
	return err
}

type connKey struct{}

// Watch records which connections of a server are in use, so that only idle ones are closed to make room.
func Watch(s *http.Server) {
	handler := s.Handler
	s.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, limited(c))
	}
	s.ConnState = func(c net.Conn, state http.ConnState) {
		if own := limited(c); own != nil && state == http.StateIdle { // its answers are sent
			own.used.Store(0)
		}
	}
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		use(r.Context(), 1)
		handler.ServeHTTP(w, r)
	})
}

// Waiting marks the connection of a request as idle until resume, while the request waits for its sender or its turn.
func Waiting(ctx context.Context) (resume func()) {
	use(ctx, -1)
	return func() { use(ctx, 1) }
}

func use(ctx context.Context, n int32) {
	if own, _ := ctx.Value(connKey{}).(*conn); own != nil {
		own.used.Add(n)
	}
}

// limited finds the listener's connection inside one of a server; nil when there is none.
func limited(c net.Conn) *conn {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	own, _ := c.(*conn)
	return own
}
