package stream

import (
	"maps"
	"slices"
	"sync"

	"candor/app/session"
)

// person is who reads a socket: a trader, or a visitor by the secret id of a device. Nobody is the zero one.
type person struct {
	trader  int64
	visitor string
}

// register knows every socket, and those of a person, of an account and of a session without a search.
type register struct {
	mu       sync.RWMutex
	closed   bool
	conns    map[*conn]struct{}
	accounts map[int64][]*conn
	sessions map[int64][]*conn
	people   map[person][]*conn
}

func newRegister() *register {
	return &register{conns: map[*conn]struct{}{}, accounts: map[int64][]*conn{}, sessions: map[int64][]*conn{}, people: map[person][]*conn{}}
}

// add refuses when the server goes down.
func (r *register) add(c *conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.conns[c] = struct{}{}
	c.hub.open.Add(1)
	return true
}

func (r *register) remove(c *conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, c)
	r.unbind(c)
}

// bind files a socket under its session and account; it tells whether the account is another than before. A socket that has ended stays out.
func (r *register) bind(c *conn, p session.Principal) (changed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.conns[c]; !ok {
		return false
	}
	changed = c.account != p.AccountID
	r.unbind(c)
	c.account, c.session, c.reader = p.AccountID, p.SessionID, person{trader: p.TraderID}
	r.accounts[c.account] = append(r.accounts[c.account], c)
	r.sessions[c.session] = append(r.sessions[c.session], c)
	r.people[c.reader] = append(r.people[c.reader], c)
	return changed
}

// meet files a socket without a session under a visitor. A socket that has ended stays out.
func (r *register) meet(c *conn, visitor string) {
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

// close lets nobody in any more.
func (r *register) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}
