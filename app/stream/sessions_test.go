package stream

import (
	"testing"
	"time"

	"github.com/gorilla/websocket"
	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/session"
)

const day = 24 * time.Hour

// owner makes a trader with an account.
func (r *fixture) owner(t *testing.T, kind ledger.Book) (a ledger.Account) {
	t.Helper()
	var trader int64
	require.NoError(t, r.db.Pool.QueryRow(t.Context(), `
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at)
		SELECT 't' || n || '@example.com', 'T', '', 'DE', 'I' || n, now() FROM (SELECT count(*) AS n FROM traders) counted RETURNING id`).Scan(&trader))
	require.NoError(t, r.db.InTx(t.Context(), func(tx *db.Tx) (err error) {
		a, err = ledger.OpenTx(t.Context(), tx, trader, kind, 1, r.clock.Now())
		return err
	}))
	return a
}

// open opens a session.
func (r *fixture) open(t *testing.T, a ledger.Account) (token string) {
	t.Helper()
	require.NoError(t, r.db.InTx(t.Context(), func(tx *db.Tx) (err error) {
		token, err = r.sessions.OpenTx(t.Context(), tx, a.TraderID, a.ID, session.Device{Fingerprint: "fingerprint-00000001", IP: "192.0.2.7"})
		return err
	}))
	return token
}

// logIn logs a socket in and waits until it is bound.
func (c *client) logIn(t *testing.T, token string) session.Principal {
	t.Helper()
	hub := c.conn.hub
	p, err := hub.sessions.Identify(t.Context(), token, session.Device{})
	require.NoError(t, err)
	c.send(t, typeLogin, login{Token: token})
	require.Eventually(t, func() bool {
		hub.register.mu.RLock()
		defer hub.register.mu.RUnlock()
		_, ends := hub.register.ends[p.SessionID]
		c.conn.mu.Lock()
		defer c.conn.mu.Unlock()
		return c.conn.session == p.SessionID && ends && c.conn.unobserve != nil
	}, 10*time.Second, time.Millisecond)
	return p
}

func (c *client) send(t *testing.T, kind int, data any) {
	t.Helper()
	require.NoError(t, c.WriteJSON(map[string]any{"type": kind, "data": data}))
}

// requireOpen expects that a socket answers.
func (c *client) requireOpen(t *testing.T) {
	t.Helper()
	c.send(t, typeHeartbeat, nil)
	for c.next(t).Type != typeHeartbeat {
	}
}

func (r *fixture) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := r.db.Pool.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

// TestALogOutOnOneServerClosesTheSocketsOnTheOthers runs two servers on one database and one NATS server. The second has lost the database, so it depends on
// the event.
func TestALogOutOnOneServerClosesTheSocketsOnTheOthers(t *testing.T) {
	t.Parallel()
	nats, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true})
	require.NoError(t, err)
	nats.Start()
	t.Cleanup(nats.Shutdown)
	require.True(t, nats.ReadyForConnections(10*time.Second))
	now, url := clock.NewFixed(time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)), dbtest.New(t).URL
	here := setupOn(t, url, nats.ClientURL(), now, anySignature, false)
	there := setupOn(t, url, nats.ClientURL(), now, anySignature, false)
	there.run(t)
	heartbeat := there.dial(t) // the loops run, and so do the subscriptions made before them
	heartbeat.requireOpen(t)

	a := here.owner(t, ledger.Real)
	leaving, staying, foreign := there.dial(t), there.dial(t), there.dial(t)
	p := leaving.logIn(t, here.open(t, a))
	staying.logIn(t, here.open(t, a))
	foreign.logIn(t, here.open(t, here.owner(t, ledger.Real)))
	there.db.Close()
	require.NoError(t, here.sessions.End(t.Context(), p.SessionID))
	require.Equal(t, websocket.ClosePolicyViolation, leaving.closeCode(t))
	staying.requireOpen(t)
	foreign.requireOpen(t)
	heartbeat.requireOpen(t)
}

func TestASessionThatEndedWithoutAnEventIsFound(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	r.run(t)
	a := r.owner(t, ledger.Real)
	over, alive, guest := r.dial(t), r.dial(t), r.dial(t)
	p := over.logIn(t, r.open(t, a))
	alive.logIn(t, r.open(t, a))
	r.exec(t, `UPDATE trader_sessions SET ended_at = $2 WHERE id = $1`, p.SessionID, r.clock.Now())
	r.hub.inspect(t.Context(), true)
	require.Equal(t, websocket.ClosePolicyViolation, over.closeCode(t))
	alive.requireOpen(t)
	guest.requireOpen(t)
	require.Len(t, r.hub.register.ends, 1, "what has no socket is forgotten")
}

func TestASocketEndsWithTheThirtyDaysOfItsSession(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	used := r.open(t, r.owner(t, ledger.Real))
	c := r.dial(t)
	c.logIn(t, used)
	for range 5 {
		r.clock.Advance(6 * day)
		_, err := r.sessions.Check(t.Context(), used, session.Device{})
		require.NoError(t, err)
		r.hub.inspect(t.Context(), false)
		require.Equal(t, 1, r.hub.register.count(), "a session that is used stays")
	}
	r.clock.Advance(time.Millisecond)
	r.hub.inspect(t.Context(), false)
	require.Zero(t, r.hub.register.count())
}

func TestASocketDoesNotKeepItsSessionAlive(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	a := r.owner(t, ledger.Real)
	watched, called := r.open(t, a), r.open(t, a)
	idle, active := r.dial(t), r.dial(t)
	p := idle.logIn(t, watched)
	q := active.logIn(t, called)
	for range 7 {
		r.clock.Advance(day)
		idle.logIn(t, watched) // as the app does every minute
		_, err := r.sessions.Check(t.Context(), called, session.Device{})
		require.NoError(t, err)
		r.hub.inspect(t.Context(), true)
		require.Equal(t, 2, r.hub.register.count())
	}
	r.clock.Advance(time.Millisecond)
	r.hub.inspect(t.Context(), false)
	require.Empty(t, r.hub.register.ofSession(p.SessionID))
	require.Len(t, r.hub.register.ofSession(q.SessionID), 1)
}

func TestWhileTheDatabaseIsSilentOnlyWhatIsDueEnds(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	a := r.owner(t, ledger.Real)
	due, later := r.dial(t), r.dial(t)
	p := due.logIn(t, r.open(t, a))
	r.clock.Advance(day)
	q := later.logIn(t, r.open(t, a))
	r.db.Close()
	r.clock.Advance(6 * day)
	r.hub.inspect(t.Context(), true)
	require.Equal(t, 2, r.hub.register.count())
	r.clock.Advance(time.Millisecond)
	r.hub.inspect(t.Context(), true)
	require.Empty(t, r.hub.register.ofSession(p.SessionID))
	require.Len(t, r.hub.register.ofSession(q.SessionID), 1)
}

// TestASessionThatEndsDuringItsLogInIsFound: the end is published after the token was read and before the socket is bound, so the event reaches no socket.
func TestASessionThatEndsDuringItsLogInIsFound(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	a := r.owner(t, ledger.Real)
	token, other := r.open(t, a), r.open(t, a)
	p, err := r.sessions.Identify(t.Context(), token, session.Device{})
	require.NoError(t, err)
	require.NoError(t, r.sessions.End(t.Context(), p.SessionID))
	require.EqualError(t, r.dial(t).conn.bindSession(t.Context(), p), "session ended")
	q, err := r.sessions.Identify(t.Context(), other, session.Device{})
	require.NoError(t, err)
	require.NoError(t, r.dial(t).conn.bindSession(t.Context(), q))
}

// TestEverySessionIsAskedForInOneQuery logs the time of the query with as many sessions as a server has sockets.
func TestEverySessionIsAskedForInOneQuery(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	const many = 20_000
	a := r.owner(t, ledger.Real)
	r.open(t, a)
	r.exec(t, `INSERT INTO trader_sessions (token_hash, trader_id, account_id, device_id, ip, created_at, last_seen_at, expires_at)
		SELECT sha256(n::text::bytea), trader_id, account_id, device_id, ip, created_at, last_seen_at, expires_at FROM trader_sessions, generate_series(2, $1) n`, many)
	ids := make([]int64, 0, many)
	rows, err := r.db.Pool.Query(t.Context(), `SELECT id FROM trader_sessions`)
	require.NoError(t, err)
	for rows.Next() {
		var id int64
		require.NoError(t, rows.Scan(&id))
		ids = append(ids, id)
	}
	require.NoError(t, rows.Err())
	started := time.Now()
	found, err := r.sessions.Lives(t.Context(), ids)
	require.NoError(t, err)
	require.Len(t, found, many)
	t.Logf(`{"goal": "sessions of sockets", "sessions": %d, "ms": %d}`, many, time.Since(started).Milliseconds())
}

// TestASocketLogsInAFewTimesAMinute alternates two sessions of one trader on one socket: each log-in is a new one.
func TestASocketLogsInAFewTimesAMinute(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	r.run(t)
	a := r.owner(t, ledger.Real)
	tokens := []string{r.open(t, a), r.open(t, a)}
	greedy, other := r.dial(t), r.dial(t)
	for n := range socketLogins {
		greedy.logIn(t, tokens[n%2])
	}
	other.logIn(t, tokens[0])
	greedy.requireOpen(t)
	r.clock.Advance(time.Minute / socketLogins)
	greedy.logIn(t, tokens[0])
	greedy.send(t, typeLogin, login{Token: tokens[1]})
	greedy.requireClosed(t, websocket.ClosePolicyViolation, "flood")
	other.requireOpen(t)
}

// TestATraderLogsInSoOftenOverAllSockets: the limit does not affect other traders, and the trader can log in again later.
func TestATraderLogsInSoOftenOverAllSockets(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	r.run(t)
	a := r.owner(t, ledger.Real)
	token, other := r.open(t, a), r.open(t, r.owner(t, ledger.Real))
	var sockets []*client
	for n := range traderLogins {
		if n%socketLogins == 0 {
			sockets = append(sockets, r.dial(t))
		}
		sockets[len(sockets)-1].send(t, typeLogin, login{Token: token})
		sockets[len(sockets)-1].requireOpen(t)
	}
	further, foreign := r.dial(t), r.dial(t)
	foreign.logIn(t, other)
	further.send(t, typeLogin, login{Token: token})
	further.requireClosed(t, websocket.CloseTryAgainLater, "too many tabs")
	for _, c := range append(sockets, foreign) {
		c.requireOpen(t)
	}
	r.clock.Advance(time.Minute / traderLogins)
	r.dial(t).logIn(t, token)
}
