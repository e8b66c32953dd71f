package staff

import (
	"context"
	"fmt"
	"time"

	"candor/app/audit"
	"candor/app/platform/clientip"
	"candor/app/platform/db"
	"candor/app/session"
)

// knownFor is how long a browser or a network is known after its last sign-in.
const knownFor = 90 * 24 * time.Hour

// RecordDevice records the browser and the network in which a person has signed in, and tells them of one that is new for them, except at their first sign-in. A
// trader account used in the browser is a conflict of interest. A forged value only adds conflicts. A value that the trader app would not send is ignored, and
// its browser is new each time.
func (s *Service) RecordDevice(ctx context.Context, p Person, device session.Device, from audit.Actor) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		expected, err := s.expectedTx(ctx, tx, p.ID, device, from.IP)
		if err != nil {
			return err
		}
		if err := s.recordBrowserTx(ctx, tx, p.ID, device); err != nil {
			return err
		}
		if err := s.recordNetworkTx(ctx, tx, p.ID, from.IP); err != nil || expected {
			return err
		}
		return s.tellTx(ctx, tx, p, "staff_new_sign_in", p.Acting(from), map[string]any{"device": session.Device{UserAgent: from.Agent}.Name(), "days": int(knownFor.Hours() / 24)})
	})
}

// expectedTx reports whether a sign-in is a person's first, or from a known browser in a known network. The lock makes one of two concurrent sign-ins the new one.
func (s *Service) expectedTx(ctx context.Context, tx *db.Tx, id int64, device session.Device, ip string) (expected bool, err error) {
	if _, err := tx.Conn.Exec(ctx, `SELECT 1 FROM staff WHERE id = $1 FOR UPDATE`, id); err != nil {
		return false, fmt.Errorf("lock staff %d: %w", id, err)
	}
	err = tx.Conn.QueryRow(ctx, `
		WITH browsers AS (SELECT fingerprint, last_seen_at > $4 AS known FROM staff_devices WHERE staff_id = $1),
			networks AS (SELECT network, last_seen_at > $4 AS known FROM staff_networks WHERE staff_id = $1)
		SELECT NOT EXISTS (SELECT 1 FROM browsers) AND NOT EXISTS (SELECT 1 FROM networks)
			OR EXISTS (SELECT 1 FROM browsers WHERE fingerprint = $2 AND known) AND EXISTS (SELECT 1 FROM networks WHERE network = $3 AND known)`,
		id, device.Hash(), clientip.Network(ip), s.clock.Now().Add(-knownFor)).Scan(&expected)
	if err != nil {
		return false, fmt.Errorf("look for a browser and a network of staff %d: %w", id, err)
	}
	return expected, nil
}

func (s *Service) recordBrowserTx(ctx context.Context, tx *db.Tx, id int64, device session.Device) error {
	if !device.Valid() {
		return nil
	}
	_, err := tx.Conn.Exec(ctx, `
		INSERT INTO staff_devices (staff_id, fingerprint, first_seen_at, last_seen_at) VALUES ($1, $2, $3, $3)
		ON CONFLICT (staff_id, fingerprint) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at`, id, device.Hash(), s.clock.Now())
	if err != nil {
		return fmt.Errorf("remember a browser of staff %d: %w", id, err)
	}
	return nil
}

func (s *Service) recordNetworkTx(ctx context.Context, tx *db.Tx, id int64, ip string) error {
	_, err := tx.Conn.Exec(ctx, `
		INSERT INTO staff_networks (staff_id, network, last_seen_at) VALUES ($1, $2, $3)
		ON CONFLICT (staff_id, network) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at`, id, clientip.Network(ip), s.clock.Now())
	if err != nil {
		return fmt.Errorf("remember a network of staff %d: %w", id, err)
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
