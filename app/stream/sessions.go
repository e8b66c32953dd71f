package stream

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/gorilla/websocket"
)

const (
	inspectEvery = time.Second     // for sessions with a known expiry and for silent guests
	inspectAll   = 5               // inspections between full checks, which find sessions that ended without an event
	inspectTime  = 4 * time.Second // limit for one query
)

// inspectLoop closes sockets of ended sessions and silent guests until ctx ends.
func (h *Hub) inspectLoop(ctx context.Context) {
	ticker := time.NewTicker(inspectEvery)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-ticker.C:
			h.inspect(ctx, n%inspectAll == 0)
		case <-ctx.Done():
			return
		}
	}
}

// inspect closes the sockets of silent guests and of ended sessions. It checks the sessions that have expired as far as this server knows, or all. If the
// database does not answer, it closes those that have expired.
func (h *Hub) inspect(ctx context.Context, all bool) {
	now := h.config.Clock.Now()
	for _, c := range h.register.idle(now) {
		c.end(websocket.ClosePolicyViolation, "idle")
	}
	ids := h.register.due(now, all)
	if len(ids) == 0 {
		return
	}
	queryCtx, cancel := context.WithTimeout(ctx, inspectTime)
	defer cancel()
	ends, err := h.sessions.Lives(queryCtx, ids)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		slog.Error("the sessions of sockets can't be checked", "sessions", len(ids), "error", err)
		ids = h.register.due(now, false)
	}
	h.register.renew(ends)
	for _, id := range ids {
		if _, alive := ends[id]; !alive {
			h.sessionsEnded([]int64{id})
		}
	}
}

// confirm records when a session expires. An error closes the socket.
func (h *Hub) confirm(ctx context.Context, sessionID int64) error {
	end, alive, err := h.sessions.Life(ctx, sessionID)
	if err != nil {
		return errors.New("try again")
	}
	if !alive {
		return errors.New("session ended")
	}
	h.register.renew(map[int64]time.Time{sessionID: end})
	return nil
}

func (h *Hub) sessionsEnded(ids []int64) {
	for _, id := range ids {
		for _, c := range h.register.ofSession(id) {
			c.end(websocket.ClosePolicyViolation, "session ended")
		}
	}
}
