package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Kept is an event that was accepted, with what came of it; the outcome is empty until somebody has acted on it.
type Kept struct {
	Event
	Outcome string
	DoneAt  *time.Time
}

// toldLimit is how many events about one reference are shown.
const toldLimit = 20

// Told lists the last events that a provider has sent about a reference, the newest first.
func (s *Service) Told(ctx context.Context, id, reference string) ([]Kept, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT id, provider, at, body, outcome, done_at FROM provider_events WHERE reference = $1 AND provider = $2 ORDER BY id DESC LIMIT $3`, reference, id, toldLimit)
	if err != nil {
		return nil, fmt.Errorf("read the events about %s: %w", reference, err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (k Kept, err error) {
		var body string
		if err := row.Scan(&k.ID, &k.Provider, &k.At, &body, &k.Outcome, &k.DoneAt); err != nil {
			return k, err
		}
		return k, json.Unmarshal([]byte(body), &k.Message)
	})
}
