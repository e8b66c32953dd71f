package session

import (
	"context"
	"fmt"
	"time"

	"candor/app/platform/errs"
)

// Times of renewed tokens.
const (
	renewEvery = 24 * time.Hour   // how old a token is before it can be renewed
	overlap    = 60 * time.Second // how long the old token lives after the first use of the new one, for requests that are under way
)

// ErrRenewed refuses to renew a token that is less than a day old.
var ErrRenewed = errs.New(errs.Refused, "token.too_young")

// Renew gives a session a fresh token, so that a token that was copied unnoticed is of use for days and not for weeks. The session expires when it would have
// expired anyway. The token of now lives until the first use of the fresh one, and as long as overlap after it: an answer that never arrived signs nobody out.
// Refusal: ErrRenewed.
func (s *Service) Renew(ctx context.Context, p Principal) (token string, err error) {
	token, hash := NewToken()
	now := s.clock.Now()
	tag, err := s.db.Pool.Exec(ctx, `
		UPDATE trader_sessions SET next_hash = $2, renewed_at = $3 WHERE id = $1 AND ended_at IS NULL AND coalesce(renewed_at, created_at) <= $4`,
		p.SessionID, hash, now, now.Add(-renewEvery))
	if err != nil {
		return "", fmt.Errorf("renew the token of session %d: %w", p.SessionID, err)
	}
	if tag.RowsAffected() != 1 {
		return "", ErrRenewed
	}
	return token, nil
}

// promote makes a fresh token the session's own at its first use.
func (s *Service) promote(ctx context.Context, token string) error {
	_, err := s.db.Pool.Exec(ctx, `
		UPDATE trader_sessions SET old_hash = token_hash, old_until = $2, token_hash = next_hash, next_hash = NULL WHERE next_hash = $1 AND ended_at IS NULL`,
		HashToken(token), s.clock.Now().Add(overlap))
	if err != nil {
		return fmt.Errorf("put a fresh token to use: %w", err)
	}
	return nil
}
