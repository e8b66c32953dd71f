package systemtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"candor/app/session"
)

// frame is a message from the server.
type frame struct {
	Type int             `json:"type"`
	Seq  int64           `json:"seq"`
	Data json.RawMessage `json:"data"`
}

func (r *apiFixture) dial(t *testing.T, header http.Header) *websocket.Conn {
	t.Helper()
	return dialSocket(t, r.url, header)
}

// dialSocket opens the trader's socket as the app does.
func dialSocket(t *testing.T, url string, header http.Header) *websocket.Conn {
	t.Helper()
	now := fmt.Sprint(time.Now().UnixMilli())
	ws, response, err := websocket.DefaultDialer.Dial(strings.Replace(url, "http", "ws", 1)+"/ws?newsign="+apiSign(now)+"&localtimes="+now, header)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	t.Cleanup(func() { _ = ws.Close() })
	return ws
}

func (r *apiFixture) origin() http.Header { return http.Header{"Origin": {r.url}} }

func send(t *testing.T, ws *websocket.Conn, kind int, data any) {
	t.Helper()
	require.NoError(t, ws.WriteJSON(map[string]any{"type": kind, "data": data}))
}

// await reads until a frame of a kind arrives.
func await(t *testing.T, ws *websocket.Conn, kind int) frame {
	t.Helper()
	require.NoError(t, ws.SetReadDeadline(time.Now().Add(10*time.Second)))
	for {
		var f frame
		require.NoError(t, ws.ReadJSON(&f))
		if f.Type == kind {
			return f
		}
	}
}

// closeCode reads until the server closes the socket, and returns its code.
func closeCode(t *testing.T, ws *websocket.Conn) int {
	t.Helper()
	require.NoError(t, ws.SetReadDeadline(time.Now().Add(10*time.Second)))
	for {
		if _, _, err := ws.ReadMessage(); err != nil {
			var closed *websocket.CloseError
			require.ErrorAs(t, err, &closed)
			return closed.Code
		}
	}
}

func (r *apiFixture) traderID(t *testing.T) (id int64) {
	t.Helper()
	require.NoError(t, r.platform.Database.Pool.QueryRow(context.Background(), `SELECT id FROM traders ORDER BY id LIMIT 1`).Scan(&id))
	return id
}

func TestSocket(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	require.Eventually(t, func() bool { _, err := r.platform.Market.Tradable(201); return err == nil }, 10*time.Second, 20*time.Millisecond)

	t.Run("BringsLinesOfSubscribedProductsOnly", func(t *testing.T) {
		t.Parallel()
		ws := r.dial(t, r.origin())
		send(t, ws, 12, map[string]any{"productIds": []int{201, 99999}, "focus": 201})
		last := float64(0)
		for range 3 {
			var lines []map[string]any
			require.NoError(t, json.Unmarshal(await(t, ws, 12).Data, &lines))
			for _, l := range lines {
				require.EqualValues(t, 201, l["productId"])
				require.Greater(t, l["sequence"], last, "always the newest, never an old one again")
				last, _ = l["sequence"].(float64)
			}
		}
	})
	t.Run("AnswersHeartbeatAndHotList", func(t *testing.T) {
		t.Parallel()
		ws := r.dial(t, r.origin())
		send(t, ws, 1, map[string]any{})
		await(t, ws, 1)
		send(t, ws, 14, map[string]any{})
		require.NotEqual(t, "[]", string(await(t, ws, 14).Data))
	})
	t.Run("TellsTheOwnerOfFillsAndWorth", func(t *testing.T) {
		t.Parallel()
		ws := r.dial(t, r.origin())
		send(t, ws, 15, map[string]any{"token": r.token, "userId": r.traderID(t), "clientVersion": "test", "clientUserAgent": "test"})
		send(t, ws, 9, map[string]any{"userId": r.traderID(t)})
		first := await(t, ws, 3)
		require.EqualValues(t, 1, first.Seq)
		_, answer, raw := r.call(t, http.MethodPost, "/client/trade/insertOrder", r.token, []byte(`{"productId":201,"side":"buy","lots":"0.01","leverage":20}`), withKey("socket"))
		require.Equal(t, "ok", answer["code"], raw)
		var event struct {
			Event string `json:"event"`
			Fill  struct {
				Rule string `json:"rule"`
			} `json:"fill"`
		}
		require.NoError(t, json.Unmarshal(await(t, ws, 2).Data, &event))
		require.Equal(t, "fill", event.Event)
		require.Equal(t, "market", event.Fill.Rule)
	})
	t.Run("KeepsAGuestWithAMadeUpTokenAGuest", func(t *testing.T) {
		t.Parallel()
		ws := r.dial(t, r.origin())
		send(t, ws, 15, map[string]any{"token": strings.Repeat("x", 43)})
		require.Contains(t, string(await(t, ws, 999).Data), "token_invalid")
	})
	t.Run("ClosesOnSomebodyElsesID", func(t *testing.T) {
		t.Parallel()
		ws := r.dial(t, r.origin())
		send(t, ws, 15, map[string]any{"token": r.token, "userId": r.traderID(t)})
		send(t, ws, 9, map[string]any{"userId": r.traderID(t) + 1})
		require.Equal(t, websocket.ClosePolicyViolation, closeCode(t, ws))
	})
	t.Run("ClosesOnAnIDBeforeALogIn", func(t *testing.T) {
		t.Parallel()
		ws := r.dial(t, r.origin())
		send(t, ws, 9, map[string]any{"userId": r.traderID(t)})
		require.Equal(t, websocket.ClosePolicyViolation, closeCode(t, ws))
	})
	t.Run("ClosesOnALargeFrame", func(t *testing.T) {
		t.Parallel()
		ws := r.dial(t, r.origin())
		// The server may close the connection before everything is written; a failed write is accepted too.
		if err := ws.WriteMessage(websocket.TextMessage, []byte(strings.Repeat("x", 70<<10))); err == nil {
			require.NoError(t, ws.SetReadDeadline(time.Now().Add(10*time.Second)))
			_, _, err := ws.ReadMessage()
			require.Error(t, err)
			if closed, ok := err.(*websocket.CloseError); ok {
				require.Contains(t, []int{websocket.CloseMessageTooBig, websocket.CloseAbnormalClosure}, closed.Code)
			}
		}
	})
	t.Run("ClosesOnNonsense", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{"{", "[]", `{"type":77}`, `{"type":12,"data":"x"}`, `{"type":12,"data":{"productIds":"all"}}`} {
			ws := r.dial(t, r.origin())
			require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(text)))
			require.Equal(t, websocket.ClosePolicyViolation, closeCode(t, ws), text)
		}
	})
	t.Run("RefusesOtherOrigins", func(t *testing.T) {
		t.Parallel()
		now := fmt.Sprint(time.Now().UnixMilli())
		for _, origin := range []string{"https://evil.example", "null", "", r.url + ".evil.example"} {
			_, response, err := websocket.DefaultDialer.Dial(strings.Replace(r.url, "http", "ws", 1)+"/ws?newsign="+apiSign(now)+"&localtimes="+now, http.Header{"Origin": {origin}})
			require.Error(t, err, origin)
			require.Equal(t, http.StatusForbidden, response.StatusCode)
			require.NoError(t, response.Body.Close())
		}
	})
	t.Run("RefusesAMissingSignature", func(t *testing.T) {
		t.Parallel()
		_, response, err := websocket.DefaultDialer.Dial(strings.Replace(r.url, "http", "ws", 1)+"/ws", r.origin())
		require.Error(t, err)
		require.Equal(t, http.StatusForbidden, response.StatusCode)
		require.NoError(t, response.Body.Close())
	})
}

func TestSocketEndsWithItsSession(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	ws := r.dial(t, r.origin())
	send(t, ws, 15, map[string]any{"token": r.token})
	await(t, ws, 3)
	status, _, _ := r.call(t, http.MethodGet, "/client/user/logout", r.token, nil, nil)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, websocket.ClosePolicyViolation, closeCode(t, ws))
	status, _, _ = r.call(t, http.MethodGet, "/client/user/findUserInfo", r.token, nil, nil)
	require.Equal(t, http.StatusUnauthorized, status)
}

// TestALogOutIsPublishedToOtherServers checks the event by which other servers close their sockets.
func TestALogOutIsPublishedToOtherServers(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	heard := make(chan []int64, 1)
	stop, err := r.platform.Bus.Subscribe(session.Ended, func(_ string, data []byte) { heard <- session.ReadEnded(data) })
	require.NoError(t, err)
	t.Cleanup(stop)
	var want int64
	require.NoError(t, r.platform.Database.Pool.QueryRow(t.Context(), `SELECT id FROM trader_sessions WHERE token_hash = $1`, session.HashToken(r.token)).Scan(&want))
	status, _, _ := r.call(t, http.MethodGet, "/client/user/logout", r.token, nil, nil)
	require.Equal(t, http.StatusOK, status)
	select {
	case ids := <-heard:
		require.Equal(t, []int64{want}, ids)
	case <-time.After(10 * time.Second):
		require.Fail(t, "nothing was published")
	}
}

func TestEverySocketGetsACloseFrameOnShutdown(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	var sockets []*websocket.Conn
	for range 50 {
		ws := r.dial(t, r.origin())
		send(t, ws, 1, map[string]any{})
		await(t, ws, 1)
		sockets = append(sockets, ws)
	}
	r.platform.StopSockets()
	for _, ws := range sockets {
		require.Equal(t, websocket.CloseGoingAway, closeCode(t, ws))
	}
}
