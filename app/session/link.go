package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// IssueLink makes a one-time code that opens a trader's session on another device.
func (s *Service) IssueLink(ctx context.Context, traderID int64, life time.Duration) (code string, err error) {
	code, hash := NewToken()
	now := s.clock.Now()
	_, err = s.db.Pool.Exec(ctx, `INSERT INTO codes (purpose, address, hash, expires_at, created_at) VALUES ('link', $1, $2, $3, $4)`,
		strconv.FormatInt(traderID, 10), hash, now.Add(life), now)
	if err != nil {
		return "", fmt.Errorf("store a login code: %w", err)
	}
	return code, nil
}

// UseLinkTx uses up a code of IssueLink and returns its trader; 0 for a code that is unknown, used or expired.
func (s *Service) UseLinkTx(ctx context.Context, tx *db.Tx, code string) (traderID int64, err error) {
	err = tx.Conn.QueryRow(ctx, `
		UPDATE codes SET used_at = $2 WHERE purpose = 'link' AND hash = $1 AND used_at IS NULL AND expires_at > $2 RETURNING address::bigint`,
		HashToken(code), s.clock.Now()).Scan(&traderID)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return 0, fmt.Errorf("use a login code: %w", err)
	}
	return traderID, nil
}
