package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Kept is a stored event with its outcome, which is empty until the event is handled.
type Kept struct {
	Event
	Outcome string
	DoneAt  *time.Time
}

// toldLimit is the maximum number of events shown for one reference.
const toldLimit = 20

// Told lists a provider's last events about a reference, newest first.
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
