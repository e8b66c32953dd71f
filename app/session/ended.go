package session

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// Ended is the bus subject of sessions that ended on some server; ReadEnded decodes its events.
const Ended = "session.ended"

// endedAtOnce is the maximum number of sessions in one event.
const endedAtOnce = 1_000

// publish sends ended sessions to the bus, if there is one. A lost event only delays: Lives finds its sessions later.
func (s *Service) publish(ids []int64) {
	if s.bus == nil {
		return
	}
	for part := range slices.Chunk(ids, endedAtOnce) {
		text, err := json.Marshal(part)
		if err == nil {
			err = s.bus.Publish(Ended, text)
		}
		if err != nil {
			slog.Error("ended sessions can't be published", "count", len(part), "error", err)
		}
	}
}

// ReadEnded reads the ids from an event; none if it is malformed.
func ReadEnded(data []byte) (ids []int64) {
	if json.Unmarshal(data, &ids) != nil {
		return nil
	}
	return ids
}

// Identify finds a token's principal, like Check, without counting as use: an open socket does not keep its session alive.
// It returns ErrToken if there is none.
func (s *Service) Identify(ctx context.Context, token string, by Device) (Principal, error) {
	found, err := s.look(ctx, token, by)
	return found.Principal, err
}

// Lives finds which sessions are active, and when each ends unless it is used. Ended, expired and idle sessions are left out.
func (s *Service) Lives(ctx context.Context, ids []int64) (map[int64]time.Time, error) {
	rows, err := s.db.Pool.Query(db.WithLane(ctx, db.Sessions), `
		SELECT s.id, s.last_seen_at, s.expires_at FROM unnest($1::bigint[]) asked(id) JOIN trader_sessions s ON s.id = asked.id WHERE s.ended_at IS NULL`, ids)
	if err != nil {
		return nil, fmt.Errorf("read which of %d sessions live: %w", len(ids), err)
	}
	now, found := s.clock.Now(), make(map[int64]time.Time, len(ids))
	var id int64
	var l live
	_, err = pgx.ForEachRow(rows, []any{&id, &l.seen, &l.expires}, func() error {
		if !now.After(l.ends()) {
			found[id] = l.ends().UTC()
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read which of %d sessions live: %w", len(ids), err)
	}
	return found, nil
}

// Life is Lives for one session; concurrent calls share one query.
func (s *Service) Life(ctx context.Context, id int64) (ends time.Time, alive bool, err error) {
	return s.lives.Find(ctx, id)
}

// ends is the last moment at which the session is active unless it is used.
func (l live) ends() time.Time {
	if idleEnd := l.seen.Add(idle); idleEnd.Before(l.expires) {
		return idleEnd
	}
	return l.expires
}
