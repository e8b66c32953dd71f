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

// IssueLink makes a one-time code that opens the trader of a session on another device, as long as that session lives.
func (s *Service) IssueLink(ctx context.Context, p Principal, life time.Duration) (code string, err error) {
	code, hash := NewToken()
	now := s.clock.Now()
	_, err = s.db.Pool.Exec(ctx, `INSERT INTO codes (purpose, address, hash, expires_at, created_at, session_id) VALUES ('link', $1, $2, $3, $4, $5)`,
		strconv.FormatInt(p.TraderID, 10), hash, now.Add(life), now, p.SessionID)
	if err != nil {
		return "", fmt.Errorf("store a login code: %w", err)
	}
	return code, nil
}

// LinkTraderTx is the trader of a code of IssueLink; 0 for an unknown code.
func (s *Service) LinkTraderTx(ctx context.Context, tx *db.Tx, code string) (traderID int64, err error) {
	err = tx.Conn.QueryRow(ctx, `SELECT address::bigint FROM codes WHERE purpose = 'link' AND hash = $1`, HashToken(code)).Scan(&traderID)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return 0, fmt.Errorf("look for a login code: %w", err)
	}
	return traderID, nil
}

// UseLinkTx uses up a code of IssueLink, whose trader is locked. It reports false for a code that is unknown, used or expired, or whose session has ended.
func (s *Service) UseLinkTx(ctx context.Context, tx *db.Tx, code string) (bool, error) {
	tag, err := tx.Conn.Exec(ctx, `
		UPDATE codes SET used_at = $2 WHERE purpose = 'link' AND hash = $1 AND used_at IS NULL AND expires_at > $2
			AND EXISTS (SELECT FROM trader_sessions WHERE id = codes.session_id AND ended_at IS NULL)`, HashToken(code), s.clock.Now())
	if err != nil {
		return false, fmt.Errorf("use a login code: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}
