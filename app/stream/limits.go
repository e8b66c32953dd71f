package stream

import (
	"net/http"
	"net/netip"
	"time"
)

// Limits limit a server's sockets. A guest socket has no trader's session, or belongs to a guest account.
type Limits struct {
	Sockets     int           // all open sockets
	Guests      int           // all guest sockets
	PerSource   int           // guest sockets of one source
	PerSession  int           // a further one closes the session's oldest
	PerTrader   int           // over all sessions; a further one closes the oldest of the session with the most sockets
	IdleTimeout time.Duration // a guest socket without a request is closed after this time
}

// DefaultMaxSockets is the default limit of a server's sockets.
const DefaultMaxSockets = 20_000

// LimitsFor returns the limits of a server for a maximum of connections and a maximum of sockets (0 is MostSockets). A tenth of the connections is reserved
// for API calls and closing sockets.
func LimitsFor(connections, most int) Limits {
	if most <= 0 {
		most = DefaultMaxSockets
	}
	n := min(most, connections-connections/10)
	return Limits{Sockets: n, Guests: n / 2, PerSource: 2_000, PerSession: 20, PerTrader: 60, IdleTimeout: 30 * time.Second}
}

// scarce is the number of open sockets from which a further one displaces a guest socket, so that traders always get a slot.
func (l Limits) scarce() int { return l.Sockets / 5 * 4 }

// retryAfter is the time in seconds that a refused client should wait.
const retryAfter = "10"

// refuse answers the handshake of a socket above the limits.
func refuse(w http.ResponseWriter) {
	w.Header().Set("Retry-After", retryAfter)
	http.Error(w, "Too many connections. Try again later.", http.StatusServiceUnavailable)
}

// remoteAddress is the address of the connection's other end.
func remoteAddress(r *http.Request) netip.Addr {
	from, _ := netip.ParseAddrPort(r.RemoteAddr)
	return from.Addr()
}
