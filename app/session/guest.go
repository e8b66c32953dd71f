package session

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Limits of guests.
const (
	guestLife       = lifetime // since the device last came
	visitsPerDevice = 20       // a day
	guestsPerIP     = 50       // new ones, a day
)

// ErrGuests refuses a device or a source that comes too often.
var ErrGuests = errs.New(errs.TooMany, "guest.too_many")

// GuestTx finds the guest that a device came as before; 0 when a new one may be made. Two of one device at once come one after the other.
// It returns ErrGuests.
func (s *Service) GuestTx(ctx context.Context, tx *db.Tx, d Device) (traderID int64, err error) {
	subject := hex.EncodeToString(d.hash())
	if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 2))`, subject); err != nil {
		return 0, err
	}
	if err := s.admitTx(ctx, tx, "guest_device", subject, visitsPerDevice); err != nil {
		return 0, err
	}
	err = tx.Conn.QueryRow(ctx, `
		SELECT t.id FROM devices d JOIN traders t ON t.id = d.trader_id
		WHERE d.fingerprint = $1 AND t.guest AND d.last_seen_at > $2 ORDER BY t.id DESC LIMIT 1`, d.hash(), s.clock.Now().Add(-guestLife)).Scan(&traderID)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, s.admitTx(ctx, tx, "guest_ip", d.IP, guestsPerIP)
	}
	if err != nil {
		return 0, fmt.Errorf("find a device's guest: %w", err)
	}
	return traderID, nil
}

func (s *Service) admitTx(ctx context.Context, tx *db.Tx, name, subject string, most int) error {
	n, err := s.CountTx(ctx, tx, name, subject, 24*time.Hour)
	if err == nil && n > most {
		err = ErrGuests
	}
	return err
}
