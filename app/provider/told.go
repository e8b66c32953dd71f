package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// StoredEvent is a stored event with its outcome, which is empty until the event is handled.
type StoredEvent struct {
	Event
	Outcome string
	DoneAt  *time.Time
}

// eventsLimit is the maximum number of events shown for one reference.
const eventsLimit = 20

// Events lists a provider's last events about a reference, newest first.
func (s *Service) Events(ctx context.Context, id, reference string) ([]StoredEvent, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT id, provider, at, body, outcome, done_at FROM provider_events WHERE reference = $1 AND provider = $2 ORDER BY id DESC LIMIT $3`, reference, id, eventsLimit)
	if err != nil {
		return nil, fmt.Errorf("read the events about %s: %w", reference, err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (k StoredEvent, err error) {
		var body string
		if err := row.Scan(&k.ID, &k.Provider, &k.At, &body, &k.Outcome, &k.DoneAt); err != nil {
			return k, err
		}
		return k, json.Unmarshal([]byte(body), &k.Message)
	})
}
