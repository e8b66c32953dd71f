package stream

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	"candor/app/session"
)

// person is a socket's reader: a trader, or a visitor by the secret id of a device. The zero value is an unidentified reader.
type person struct {
	trader  int64
	visitor string
}

// register indexes the sockets by person, account and session, and keeps their number within the limits.
type register struct {
	mu       sync.RWMutex
	limits   Limits
	closed   bool
	admitted int // admitted connections that are not closed yet
	binds    int64
	conns    map[*conn]struct{}
	guests   *guests
	accounts map[int64][]*conn
	sessions map[int64][]*conn
	ends     map[int64]time.Time // by session, as far as this server knows
	people   map[person][]*conn
}

func newRegister(l Limits) *register {
	return &register{
		limits: l, conns: map[*conn]struct{}{}, guests: newGuests(), accounts: map[int64][]*conn{}, sessions: map[int64][]*conn{}, ends: map[int64]time.Time{},
		people: map[person][]*conn{},
	}
}

// admit reserves a slot for a connection until release returns it; ok is false when none is free. The caller must end the displaced socket, if any.
func (r *register) admit(source netip.Prefix, now time.Time) (displaced *conn, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.guests.of(source) >= r.limits.PerSource:
		displaced = r.guests.displaceOf(source, now)
	case r.guests.count >= r.limits.Guests, r.admitted >= r.limits.scarce():
		displaced = r.guests.displace(now)
	}
	if displaced != nil {
		r.guests.remove(displaced)
	}
	if r.admitted >= r.limits.Sockets {
		return displaced, false
	}
	r.admitted++
	return displaced, true
}

// release returns the slot of a closed connection.
func (r *register) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.admitted--
}

// add files a new socket. It returns false during shutdown.
func (r *register) add(c *conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.conns[c] = struct{}{}
	r.guests.add(c)
	c.hub.open.Add(1)
	return true
}

func (r *register) remove(c *conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, c)
	r.guests.remove(c)
	r.unbind(c)
}

// markActive records that a guest socket sent a request.
func (r *register) markActive(c *conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.guests.markActive(c)
}

// idle lists the guest sockets that sent no request within the limit.
func (r *register) idle(now time.Time) []*conn {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.guests.idleSince(now.Add(-r.limits.IdleTimeout))
}

// bound is the result of a log-in.
type bound struct {
	session, account bool  // differs from before
	overLimit        *conn // the socket above the limit, which the caller must end
}

// bind files a socket under its session and account. An ended socket is ignored.
func (r *register) bind(c *conn, p session.Principal) (b bound) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.conns[c]; !ok || c.session == p.SessionID {
		return b
	}
	b.session, b.account = true, c.account != p.AccountID
	r.unbind(c)
	r.binds++
	c.bound = r.binds
	c.account, c.session, c.reader = p.AccountID, p.SessionID, person{trader: p.TraderID}
	r.accounts[c.account] = append(r.accounts[c.account], c)
	r.sessions[c.session] = append(r.sessions[c.session], c)
	r.people[c.reader] = append(r.people[c.reader], c)
	if p.Guest() {
		r.guests.add(c)
		r.guests.markActive(c)
	} else {
		r.guests.remove(c)
	}
	if b.overLimit = r.overLimit(c); b.overLimit != nil {
		r.unbind(b.overLimit)
	}
	return b
}

// overLimit picks the socket to close when c exceeds a limit; nil otherwise.
func (r *register) overLimit(c *conn) *conn {
	if own := r.sessions[c.session]; len(own) > r.limits.PerSession {
		return firstBound(own)
	}
	all := r.people[c.reader]
	if len(all) <= r.limits.PerTrader {
		return nil
	}
	most := r.sessions[c.session]
	for _, one := range all {
		if others := r.sessions[one.session]; len(others) > len(most) {
			most = others
		}
	}
	return firstBound(most)
}

// firstBound is the socket with the earliest log-in.
func firstBound(list []*conn) *conn {
	return slices.MinFunc(list, func(a, b *conn) int { return cmp.Compare(a.bound, b.bound) })
}

// due lists the sessions that have expired as far as this server knows, or all of them.
func (r *register) due(now time.Time, all bool) (ids []int64) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for id := range r.sessions {
		if end, known := r.ends[id]; all || known && now.After(end) {
			ids = append(ids, id)
		}
	}
	return ids
}

// renew records when sessions expire unless they are used. Sessions without a socket are not kept.
func (r *register) renew(ends map[int64]time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, end := range ends {
		if len(r.sessions[id]) > 0 {
			r.ends[id] = end
		}
	}
}

// bindVisitor files a socket without a session under a visitor. An ended socket is ignored.
func (r *register) bindVisitor(c *conn, visitor string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.conns[c]; !ok || c.session != 0 {
		return
	}
	drop(r.people, c.reader, c)
	c.reader = person{visitor: visitor}
	r.people[c.reader] = append(r.people[c.reader], c)
}

func (r *register) unbind(c *conn) {
	drop(r.accounts, c.account, c)
	drop(r.sessions, c.session, c)
	drop(r.people, c.reader, c)
	if len(r.sessions[c.session]) == 0 {
		delete(r.ends, c.session)
	}
	c.account, c.session, c.reader = 0, 0, person{}
}

func drop[K comparable](from map[K][]*conn, key K, c *conn) {
	if from[key] = without(from[key], c); len(from[key]) == 0 {
		delete(from, key)
	}
}

func (r *register) count() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.conns)
}

func (r *register) all() []*conn {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Collect(maps.Keys(r.conns))
}

func (r *register) ofAccount(accountID int64) []*conn {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.accounts[accountID])
}

func (r *register) ofSession(sessionID int64) []*conn {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.sessions[sessionID])
}

func (r *register) of(p person) []*conn {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.people[p])
}

// close refuses all further sockets.
func (r *register) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}
