package stream

import (
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"candor/app/notice"
	"candor/app/session"
	"candor/app/switches"
)

func jsonOf(f received, v any) error { return json.Unmarshal(f.Data, v) }

func TestAShutdownClosesEverySocketAndDoesNotWaitForAStalledOne(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	stalled := r.dial(t)
	stalled.subscribe(t, 0, r.products...)
	r.stall(t, stalled, func() {})
	reader := r.dial(t)
	stop := r.run(t)
	stop()
	require.Equal(t, websocket.CloseGoingAway, reader.closeCode(t))
	require.Zero(t, r.hub.register.count())
	late, _, err := websocket.DefaultDialer.Dial("ws"+r.server.URL[len("http"):], map[string][]string{"Origin": {r.server.URL}})
	require.NoError(t, err)
	require.NoError(t, late.SetReadDeadline(time.Now().Add(10*time.Second)))
	_, _, err = late.ReadMessage()
	require.True(t, websocket.IsCloseError(err, websocket.CloseAbnormalClosure), "nobody comes in any more: %v", err)
}

func TestPingsAreAnsweredByTheOneWriter(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	r.run(t)
	c := r.dial(t)
	pong := ""
	c.SetPongHandler(func(text string) error { pong = text; return nil })
	require.NoError(t, c.WriteControl(websocket.PingMessage, []byte("here"), time.Now().Add(time.Second)))
	require.NoError(t, c.WriteJSON(map[string]int{"type": typeHeartbeat}))
	require.Equal(t, typeHeartbeat, c.next(t).Type)
	require.Equal(t, "here", pong)
}

func TestOneCloseFrameAnswersABrokenProtocolAndAClose(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	r.run(t)
	for want, sent := range map[string][]byte{
		"\x03\xeabad MASK": {0x81, 0},                         // a client must mask
		"\x03\xe8":         {0x88, 0x82, 0, 0, 0, 0, 3, 0xe8}, // 1000
	} {
		c := r.dial(t)
		_, err := c.NetConn().Write(sent)
		require.NoError(t, err)
		require.NoError(t, c.NetConn().SetReadDeadline(time.Now().Add(10*time.Second)))
		got, err := io.ReadAll(c.NetConn())
		require.NoError(t, err)
		require.Equal(t, string(appendFrame(nil, closeFrame, []byte(want))), string(got))
	}
}

func TestTheRegisterFindsSocketsByAccountAndSession(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	one, two := r.dial(t).conn, r.dial(t).conn
	register := r.hub.register
	require.True(t, register.bind(one, session.Principal{AccountID: 7, SessionID: 70}).account)
	require.True(t, register.bind(two, session.Principal{AccountID: 7, SessionID: 71}).account)
	require.ElementsMatch(t, []*conn{one, two}, register.ofAccount(7))
	require.Equal(t, []*conn{two}, register.ofSession(71))
	require.False(t, register.bind(one, session.Principal{AccountID: 7, SessionID: 72}).account, "the same account again")
	require.Empty(t, register.ofSession(70))
	require.True(t, register.bind(one, session.Principal{AccountID: 8, SessionID: 73}).account)
	require.Equal(t, []*conn{two}, register.ofAccount(7))
	one.end(websocket.CloseNormalClosure, "")
	require.Empty(t, register.ofAccount(8))
	require.False(t, register.bind(one, session.Principal{AccountID: 9, SessionID: 74}).account, "it has ended")
	require.Empty(t, register.ofAccount(9))
}

func TestEverybodyHearsOfAChangedSwitch(t *testing.T) {
	t.Parallel()
	requireBroadcast(t, switches.Changed, "switches")
}

func TestEverybodyHearsOfWhatIsPublished(t *testing.T) {
	t.Parallel()
	requireBroadcast(t, notice.Changed, "notices")
}

// requireBroadcast checks that an event on the bus reaches every socket.
func requireBroadcast(t *testing.T, subject, event string) {
	t.Helper()
	r := setup(t, false)
	first, second := r.dial(t), r.dial(t)
	r.run(t)
	done := make(chan struct{})
	defer close(done)
	go func() { // repeatedly, because the hub does not signal that it has subscribed
		for {
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
				_ = r.hub.bus.Publish(subject, nil)
			}
		}
	}()
	for _, c := range []*client{first, second} {
		f := c.next(t)
		for f.Type != typeControl {
			f = c.next(t)
		}
		var got controlEvent
		require.NoError(t, jsonOf(f, &got))
		require.Equal(t, event, got.Event)
	}
}

func TestAMessageGoesToItsTraderAlone(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	mine, theirs := r.dial(t), r.dial(t)
	require.True(t, r.hub.register.bind(mine.conn, session.Principal{TraderID: 1, AccountID: 7, SessionID: 70}).account)
	require.True(t, r.hub.register.bind(theirs.conn, session.Principal{TraderID: 2, AccountID: 8, SessionID: 71}).account)
	r.hub.sendMessage(t.Context(), []byte("1"))
	r.hub.sendMessage(t.Context(), []byte("no number"))
	r.hub.sendSwitches()
	r.flushAll()
	f := mine.next(t)
	require.Equal(t, typeUser, f.Type)
	require.JSONEq(t, `{"event": "message", "unread": 0}`, string(f.Data))
	require.Equal(t, typeControl, theirs.next(t).Type, "nothing came before it")
	require.Equal(t, typeControl, mine.next(t).Type)
	r.hub.register.remove(mine.conn)
	require.Empty(t, r.hub.register.of(person{trader: 1}))
}
