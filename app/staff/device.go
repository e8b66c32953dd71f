package staff

import (
	"context"
	"fmt"

	"candor/app/session"
)

// SawDevice remembers the browser that a person signed in with: a trader account that was used in it is their own. The browser may say anything or nothing,
// which only adds to what is theirs; what the trader app would not send is left out.
func (s *Service) SawDevice(ctx context.Context, id int64, device session.Device) error {
	if !device.Valid() {
		return nil
	}
	_, err := s.db.Pool.Exec(ctx, `
		INSERT INTO staff_devices (staff_id, fingerprint, first_seen_at, last_seen_at) VALUES ($1, $2, $3, $3)
		ON CONFLICT (staff_id, fingerprint) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at`, id, device.Hash(), s.clock.Now())
	if err != nil {
		return fmt.Errorf("remember a browser of staff %d: %w", id, err)
	}
	return nil
}
