package staff

import (
	"context"
	"fmt"

	"candor/app/session"
)

// RecordDevice records the browser in which a person signed in: a trader account used in it is a conflict of interest. A forged value only adds conflicts. A
// value that the trader app would not send is ignored.
func (s *Service) RecordDevice(ctx context.Context, id int64, device session.Device) error {
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

// knownDevice reports whether a person has signed in with the browser before.
func (s *Service) knownDevice(ctx context.Context, id int64, device session.Device) (known bool, err error) {
	if !device.Valid() {
		return false, nil
	}
	err = s.db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM staff_devices WHERE staff_id = $1 AND fingerprint = $2)`, id, device.Hash()).Scan(&known)
	if err != nil {
		return false, fmt.Errorf("look for a browser of staff %d: %w", id, err)
	}
	return known, nil
}
