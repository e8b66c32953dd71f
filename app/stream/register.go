package stream

import (
	"maps"
	"slices"
	"sync"

	"candor/app/session"
)

// register knows every socket, and those of an account, of a session and of a trader without a search.
type register struct {
	mu       sync.RWMutex
	closed   bool
	conns    map[*conn]struct{}
	accounts map[int64][]*conn
	sessions map[int64][]*conn
	traders  map[int64][]*conn
}

func newRegister() *register {
	return &register{conns: map[*conn]struct{}{}, accounts: map[int64][]*conn{}, sessions: map[int64][]*conn{}, traders: map[int64][]*conn{}}
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
	c.account, c.session, c.owner = p.AccountID, p.SessionID, p.TraderID
	r.accounts[c.account] = append(r.accounts[c.account], c)
	r.sessions[c.session] = append(r.sessions[c.session], c)
	r.traders[c.owner] = append(r.traders[c.owner], c)
	return changed
}

func (r *register) unbind(c *conn) {
	drop := func(from map[int64][]*conn, id int64) {
		if from[id] = without(from[id], c); len(from[id]) == 0 {
			delete(from, id)
		}
	}
	drop(r.accounts, c.account)
	drop(r.sessions, c.session)
	drop(r.traders, c.owner)
	c.account, c.session, c.owner = 0, 0, 0
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

func (r *register) ofTrader(traderID int64) []*conn {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.traders[traderID])
}

// close lets nobody in any more.
func (r *register) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}
