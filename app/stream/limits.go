package stream

import (
	"net/http"
	"net/netip"
	"time"
)

// Limits bound the sockets of a server. Those without a trader's session, and those of guest accounts, are called guests' sockets here.
type Limits struct {
	Sockets    int           // open at once
	Guests     int           // of guests, of all
	PerSource  int           // of guests of one source
	PerSession int           // a further one closes the session's oldest
	PerTrader  int           // over all sessions; a further one closes the oldest of the session that has the most
	Silence    time.Duration // a guest's socket that asked for nothing is closed after it
}

// MostSockets is how many sockets a server holds unless it is told otherwise.
const MostSockets = 20_000

// LimitsFor are the limits of a server that may hold so many connections, at most so many of them sockets; 0 for MostSockets. A tenth of the connections
// is left to calls and to sockets that are closing.
func LimitsFor(connections, most int) Limits {
	if most <= 0 {
		most = MostSockets
	}
	n := min(most, connections-connections/10)
	return Limits{Sockets: n, Guests: n / 2, PerSource: 2_000, PerSession: 20, PerTrader: 60, Silence: 30 * time.Second}
}

// scarce is how many open sockets make a further one take the place of a guest's, so that traders always find one.
func (l Limits) scarce() int { return l.Sockets / 5 * 4 }

// retryAfter is how many seconds a refused client should wait.
const retryAfter = "10"

// refuse answers the handshake of a socket for which there is no room.
func refuse(w http.ResponseWriter) {
	w.Header().Set("Retry-After", retryAfter)
	http.Error(w, "Too many connections. Try again later.", http.StatusServiceUnavailable)
}

// remoteAddress is who is at the other end of the connection.
func remoteAddress(r *http.Request) netip.Addr {
	from, _ := netip.ParseAddrPort(r.RemoteAddr)
	return from.Addr()
}
