package session

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/clientip"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Limits of guests.
const (
	guestLife       = lifetime // since the device's last visit
	visitsPerDevice = 20       // per day
	guestsFree      = 30       // new guests per source and day; each further one has to solve a challenge
)

// ErrGuests refuses a device that comes too often.
var ErrGuests = errs.New(errs.TooMany, "guest.too_many")

// GuestTx finds a device's previous guest; 0 if a new one may be made. Concurrent calls of one device run one after the other. No source is refused, for it may
// be a carrier's: after guestsFree it has to solve a challenge. It returns ErrGuests, ErrVerify or ErrVerifyWrong.
func (s *Service) GuestTx(ctx context.Context, tx *db.Tx, d Device, solution string) (traderID int64, err error) {
	subject := hex.EncodeToString(d.Hash())
	if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 2))`, subject); err != nil {
		return 0, err
	}
	visits, err := s.CountTx(ctx, tx, "guest_device", subject, 24*time.Hour)
	if err != nil {
		return 0, err
	}
	if visits > visitsPerDevice {
		return 0, ErrGuests
	}
	err = tx.Conn.QueryRow(ctx, `
		SELECT t.id FROM devices d JOIN traders t ON t.id = d.trader_id
		WHERE d.fingerprint = $1 AND t.guest AND d.last_seen_at > $2 ORDER BY t.id DESC LIMIT 1`, d.Hash(), s.clock.Now().Add(-guestLife)).Scan(&traderID)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, s.newGuestTx(ctx, tx, d, solution)
	}
	if err != nil {
		return 0, fmt.Errorf("find a device's guest: %w", err)
	}
	return traderID, nil
}

func (s *Service) newGuestTx(ctx context.Context, tx *db.Tx, d Device, solution string) error {
	n, err := s.CountTx(ctx, tx, "guest_source", clientip.Source(d.IP), 24*time.Hour)
	if err != nil || n <= guestsFree {
		return err
	}
	return s.solveTx(ctx, tx, solution, d.IP)
}
