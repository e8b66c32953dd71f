package session

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"candor/app/platform/db"
)

// ConfirmationLife is how long a confirmation can be used.
const ConfirmationLife = 5 * time.Minute

// Confirmed is the CodeFor of a confirmation: what a trader's second factor gives for the act in place of a code that is sent.
func (f CodeFor) Confirmed(traderID int64) CodeFor {
	f.Purpose, f.Address = "confirmed_"+f.Purpose, strconv.FormatInt(traderID, 10)
	return f
}

// ConfirmTx makes the one live confirmation of a purpose for a trader. It is tried and used up like a code.
func (s *Service) ConfirmTx(ctx context.Context, tx *db.Tx, f CodeFor) (confirmation string, err error) {
	now := s.clock.Now()
	confirmation, _ = NewToken()
	_, err = tx.Conn.Exec(ctx, `UPDATE codes SET used_at = $3 WHERE address = $1 AND purpose = $2 AND used_at IS NULL`, f.Address, f.Purpose, now)
	if err == nil {
		_, err = tx.Conn.Exec(ctx, `INSERT INTO codes (purpose, address, own, hash, expires_at, created_at) VALUES ($1, $2, true, $3, $4, $5)`,
			f.Purpose, f.Address, f.hash(confirmation), now.Add(ConfirmationLife), now)
	}
	if err != nil {
		return "", fmt.Errorf("store a confirmation: %w", err)
	}
	return confirmation, nil
}

// IsConfirmation reports whether a text looks like a confirmation rather than a code that was sent.
func IsConfirmation(text string) bool { return len(text) > 20 }
