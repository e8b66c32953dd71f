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

// Ended is the subject that names the sessions that have ended on some server; ReadEnded reads it.
const Ended = "session.ended"

// endedAtOnce is how many sessions one event names at most.
const endedAtOnce = 1_000

// publish names ended sessions on the bus, if there is one. A lost event delays: Lives finds what it named.
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

// ReadEnded reads the ids that an event named; none when it is malformed.
func ReadEnded(data []byte) (ids []int64) {
	if json.Unmarshal(data, &ids) != nil {
		return nil
	}
	return ids
}

// Identify finds who a token stands for, as Check does, without counting as use: a socket that stays open does not keep its session alive.
// It returns ErrToken when nobody.
func (s *Service) Identify(ctx context.Context, token string) (Principal, error) {
	found, err := s.look(ctx, token)
	return found.Principal, err
}

// Lives finds which sessions are alive, and when each ends unless it is used. Those that ended, expired or were idle for too long are left out.
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

// Life is Lives of one session; many at once share one query.
func (s *Service) Life(ctx context.Context, id int64) (ends time.Time, alive bool, err error) {
	return s.lives.Find(ctx, id)
}

// ends is the last moment at which the session is alive unless it is used.
func (l live) ends() time.Time {
	if idleEnd := l.seen.Add(idle); idleEnd.Before(l.expires) {
		return idleEnd
	}
	return l.expires
}
