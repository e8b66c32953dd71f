package stream

import (
	"bytes"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/dbtest"
	"candor/app/session"
)

// generousLimits returns limits that no test reaches; each test lowers the one under test.
func generousLimits() Limits {
	return Limits{Sockets: 1_000, Guests: 1_000, PerSource: 1_000, PerSession: 1_000, PerTrader: 1_000, IdleTimeout: 30 * time.Second}
}

// setupLimited is setup with the test's own limits. It reads a client's address from a header.
func setupLimited(t *testing.T, change func(*Limits)) *fixture {
	t.Helper()
	config := anySignature
	config.Limits = generousLimits()
	change(&config.Limits)
	config.ClientAddress = func(r *http.Request) netip.Addr {
		if from := r.Header.Get("From"); from != "" {
			return netip.MustParseAddr(from)
		}
		return remoteAddress(r)
	}
	return setupOn(t, dbtest.New(t).URL, "", clock.NewFixed(time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)), config, false)
}

// requireClosed expects a close frame with a code and a reason.
func (c *client) requireClosed(t *testing.T, code int, reason string) {
	t.Helper()
	require.NoError(t, c.SetReadDeadline(time.Now().Add(10*time.Second)))
	for {
		if _, _, err := c.ReadMessage(); err != nil {
			var closed *websocket.CloseError
			require.ErrorAs(t, err, &closed)
			require.Equal(t, []any{code, reason}, []any{closed.Code, closed.Text})
			return
		}
	}
}

// requireRefused expects a refused handshake that tells the client when to retry.
func (r *fixture) requireRefused(t *testing.T) {
	t.Helper()
	_, answer, err := websocket.DefaultDialer.Dial("ws"+r.server.URL[len("http"):], http.Header{"Origin": {r.server.URL}})
	require.Error(t, err)
	require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
	require.Equal(t, "10", answer.Header.Get("Retry-After"))
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Equal(t, "Too many connections. Try again later.\n", string(text))
}

func TestLimitsFollowWhatTheProcessMayHold(t *testing.T) {
	t.Parallel()
	require.Equal(t, []int{17_540, 8_770}, []int{LimitsFor(19_488, 0).Sockets, LimitsFor(19_488, 0).Guests})
	require.Equal(t, DefaultMaxSockets, LimitsFor(1<<20, 0).Sockets)
	require.Equal(t, 50_000, LimitsFor(1<<20, 50_000).Sockets)
	require.Equal(t, 461, LimitsFor(512, 50_000).Sockets)
}

func TestAFurtherTabClosesTheOldestOfItsSession(t *testing.T) {
	t.Parallel()
	r := setupLimited(t, func(l *Limits) { l.PerSession = 2 })
	r.run(t)
	a := r.owner(t, ledger.Real)
	token, other := r.open(t, a), r.open(t, a)
	oldest, middle, newest, elsewhere := r.dial(t), r.dial(t), r.dial(t), r.dial(t)
	elsewhere.logIn(t, other)
	oldest.logIn(t, token)
	middle.logIn(t, token)
	oldest.logIn(t, token) // a second log-in does not make the socket newer
	p := newest.logIn(t, token)
	oldest.requireClosed(t, websocket.CloseTryAgainLater, "too many tabs")
	require.ElementsMatch(t, []*conn{middle.conn, newest.conn}, r.hub.register.ofSession(p.SessionID))
	middle.requireOpen(t)
	newest.requireOpen(t)
	elsewhere.requireOpen(t)
}

func TestATradersSocketsAreBoundedOverAllSessions(t *testing.T) {
	t.Parallel()
	r := setupLimited(t, func(l *Limits) { l.PerTrader = 3 })
	r.run(t)
	a := r.owner(t, ledger.Real)
	single, crowded := r.open(t, a), r.open(t, a)
	lone, oldest, later, further, foreign := r.dial(t), r.dial(t), r.dial(t), r.dial(t), r.dial(t)
	foreign.logIn(t, r.open(t, r.owner(t, ledger.Real)))
	lone.logIn(t, single)
	oldest.logIn(t, crowded)
	later.logIn(t, crowded)
	further.logIn(t, r.open(t, a))
	oldest.requireClosed(t, websocket.CloseTryAgainLater, "too many tabs")
	for _, c := range []*client{lone, later, further, foreign} {
		c.requireOpen(t)
	}
}

func TestASourceOfGuestsMakesRoomForItsOwn(t *testing.T) {
	t.Parallel()
	r := setupLimited(t, func(l *Limits) { l.PerSource = 2 })
	r.run(t)
	a := r.owner(t, ledger.Real)
	trader, elsewhere := r.dialFrom(t, "192.0.2.1"), r.dialFrom(t, "192.0.2.2")
	trader.logIn(t, r.open(t, a))
	first, second := r.dialFrom(t, "192.0.2.1"), r.dialFrom(t, "192.0.2.1")
	require.Equal(t, 2, r.hub.register.guests.of(netip.MustParsePrefix("192.0.2.1/32")), "a trader's is not counted")
	third := r.dialFrom(t, "192.0.2.1")
	first.requireClosed(t, websocket.CloseTryAgainLater, "busy")
	for _, c := range []*client{second, third, trader, elsewhere} {
		c.requireOpen(t)
	}
}

func TestANewcomerHasTimeToLogIn(t *testing.T) {
	t.Parallel()
	r := setupLimited(t, func(l *Limits) { l.PerSource = 2 })
	r.run(t)
	price, silent := r.dial(t), r.dial(t)
	price.send(t, typePreheat, nil)
	price.requireOpen(t)
	r.clock.Advance(loginGrace - time.Millisecond)
	third := r.dial(t)
	price.requireClosed(t, websocket.CloseTryAgainLater, "busy")
	third.send(t, typePreheat, nil)
	third.requireOpen(t)
	r.clock.Advance(time.Millisecond)
	fourth := r.dial(t)
	silent.requireClosed(t, websocket.CloseTryAgainLater, "busy")
	third.requireOpen(t)
	fourth.requireOpen(t)
}

func TestRoomIsMadeWhereMostGuestsComeFrom(t *testing.T) {
	t.Parallel()
	r := setupLimited(t, func(l *Limits) { l.Guests = 4 })
	r.run(t)
	lone := r.dialFrom(t, "192.0.2.1")
	var crowd []*client
	for _, from := range []string{"2001:db8::1", "2001:db8::2", "2001:db8::3"} {
		crowd = append(crowd, r.dialFrom(t, from))
	}
	newcomer := r.dialFrom(t, "192.0.2.2")
	crowd[0].requireClosed(t, websocket.CloseTryAgainLater, "busy")
	for _, c := range []*client{lone, crowd[1], crowd[2], newcomer} {
		c.requireOpen(t)
	}
}

// TestTheSourcesOfANetworkMakeRoomTogether: one customer's /48 has 65,536 sources. Other networks and IPv4 addresses are counted separately.
func TestTheSourcesOfANetworkMakeRoomTogether(t *testing.T) {
	t.Parallel()
	r := setupLimited(t, func(l *Limits) { l.Guests = 6 })
	r.run(t)
	pair := []*client{r.dialFrom(t, "192.0.2.1"), r.dialFrom(t, "192.0.2.1")}
	lone := r.dialFrom(t, "2001:db8:1::1")
	var crowd []*client
	for _, from := range []string{"2001:db8:0:1::1", "2001:db8:0:2::1", "2001:db8:0:2::2"} {
		crowd = append(crowd, r.dialFrom(t, from))
	}
	newcomer := r.dialFrom(t, "192.0.2.2")
	crowd[1].requireClosed(t, websocket.CloseTryAgainLater, "busy") // its source has the most sockets in the network
	for _, c := range []*client{pair[0], pair[1], lone, crowd[0], crowd[2]} {
		c.requireOpen(t)
	}
	require.NoError(t, crowd[0].Close())
	require.Eventually(t, func() bool { return r.hub.register.count() == 5 }, 10*time.Second, time.Millisecond)
	further := []*client{r.dialFrom(t, "192.0.2.3"), r.dialFrom(t, "192.0.2.4")}
	pair[0].requireClosed(t, websocket.CloseTryAgainLater, "busy")
	for _, c := range append(further, newcomer, lone, crowd[2], pair[1]) {
		c.requireOpen(t)
	}
}

// TestTradersAlwaysFindAPlaceThatAGuestHas fills a server with guest sockets, then with traders'.
func TestTradersAlwaysFindAPlaceThatAGuestHas(t *testing.T) {
	t.Parallel()
	r := setupLimited(t, func(l *Limits) { l.Sockets, l.Guests = 10, 10 })
	r.run(t)
	var traders []*client
	settled := func() bool { // the displaced sockets are closed
		return r.admitted() <= r.hub.config.Limits.scarce() || r.admitted() == len(traders)
	}
	for range 30 {
		r.dial(t).send(t, typePreheat, nil)
		require.Eventually(t, settled, 10*time.Second, time.Millisecond, "guests leave a share")
	}
	for range 10 {
		c := r.dial(t)
		c.logIn(t, r.open(t, r.owner(t, ledger.Real)))
		traders = append(traders, c)
		require.Eventually(t, settled, 10*time.Second, time.Millisecond)
	}
	for _, c := range traders {
		c.requireOpen(t)
	}
	r.requireRefused(t)
	require.NoError(t, traders[0].Close())
	require.Eventually(t, func() bool { return r.admitted() == 9 }, 10*time.Second, time.Millisecond)
	r.dial(t).requireOpen(t)
	for _, c := range traders[1:] {
		c.requireOpen(t)
	}
}

func (r *fixture) admitted() int {
	r.hub.register.mu.RLock()
	defer r.hub.register.mu.RUnlock()
	return r.hub.register.admitted
}

// TestAGuestAccountsSocketIsAGuests: guest accounts are free, so their sockets are displaced like those without a session.
func TestAGuestAccountsSocketIsAGuests(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	guest, trader := r.dial(t).conn, r.dial(t).conn
	r.hub.register.bind(guest, session.Principal{TraderID: 1, AccountID: 7, SessionID: 70, AccountType: 8})
	r.hub.register.bind(trader, session.Principal{TraderID: 2, AccountID: 8, SessionID: 71, AccountType: 1})
	require.Equal(t, 1, r.hub.register.guests.count)
	require.Same(t, guest, r.hub.register.guests.displace(r.clock.Now()))
	r.clock.Advance(time.Hour)
	require.Empty(t, r.hub.register.idle(r.clock.Now()))
	guest.end(websocket.CloseNormalClosure, "")
	require.Zero(t, r.hub.register.guests.count)
	require.Empty(t, r.hub.register.guests.sources)
	require.Empty(t, r.hub.register.guests.networks)
	require.Nil(t, r.hub.register.guests.displace(r.clock.Now()))
}

func TestASocketThatAsksForNothingIsClosed(t *testing.T) {
	t.Parallel()
	r := setupLimited(t, func(*Limits) {})
	r.run(t)
	silent, prices, tickers, visitor, trader := r.dial(t), r.dial(t), r.dial(t), r.dial(t), r.dial(t)
	silent.send(t, typePrice, subscription{ProductIDs: []int{999_999}})
	prices.send(t, typePrice, subscription{ProductIDs: r.products[:1]})
	tickers.send(t, typePreheat, nil)
	visitor.send(t, typeUser, userSubscription{UUID: "6f1c1c1e-0000-4000-8000-000000000001"})
	trader.logIn(t, r.open(t, r.owner(t, ledger.Real)))
	all := []*client{silent, prices, tickers, visitor, trader}
	for _, c := range all {
		c.requireOpen(t) // a heartbeat is no request
	}
	r.clock.Advance(30 * time.Second)
	r.hub.inspect(t.Context(), false)
	require.Equal(t, 5, r.hub.register.count())
	r.clock.Advance(time.Millisecond)
	r.hub.inspect(t.Context(), false)
	silent.requireClosed(t, websocket.ClosePolicyViolation, "idle")
	for _, c := range all[1:] {
		c.requireOpen(t)
	}
}

func TestEveryPlaceIsGivenBack(t *testing.T) {
	t.Parallel()
	r := setupLimited(t, func(l *Limits) { l.Sockets = 2 })
	r.run(t)
	for range 5 {
		_, answer, err := websocket.DefaultDialer.Dial("ws"+r.server.URL[len("http"):], http.Header{"Origin": {"https://evil.example"}})
		require.Error(t, err)
		require.Equal(t, http.StatusForbidden, answer.StatusCode)
		require.NoError(t, answer.Body.Close())
		c := r.dial(t)
		require.NoError(t, c.Close())
		require.Eventually(t, func() bool { return r.admitted() == 0 }, 10*time.Second, time.Millisecond)
	}
	require.Empty(t, r.hub.register.guests.sources)
	require.Empty(t, r.hub.register.guests.networks)
	require.Zero(t, r.hub.register.guests.count)
}

// TestFramesThatAreNoRequestsAreCountedToo closes a socket that sends one message in endless empty fragments, and keeps one whose message is large.
func TestFramesThatAreNoRequestsAreCountedToo(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	r.run(t)
	piece := func(opcode byte) []byte { return []byte{opcode, 0x80, 1, 2, 3, 4} } // masked, empty, and not the last fragment
	endless, large := r.dial(t), r.dial(t)
	go func() { // until the socket is closed
		_, _ = endless.NetConn().Write(append(piece(websocket.TextMessage), bytes.Repeat(piece(0), bytesAtOnce)...))
	}()
	require.Eventually(t, func() bool { return r.hub.register.count() == 1 }, 10*time.Second, time.Millisecond)
	large.send(t, typePreheat, strings.Repeat(" x", readLimit/4))
	large.requireOpen(t)
}
