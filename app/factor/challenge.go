package factor

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"time"

	"candor/app/platform/db"
)

// ChallengeLife is how long a challenge can be answered.
const ChallengeLife = 5 * time.Minute

// A challenge is an id, the second at which it expires, and their signature together with what the challenge is for. Nothing is stored until it is answered,
// so that visitors who ask for challenges fill no table.
const (
	challengeID   = 16
	challengeSize = challengeID + 8 + sha256.Size
)

// aim is what a challenge is for: an answer to it proves nothing else.
type aim string

// The aims of challenges.
func registration(o Owner) aim               { return aim("register " + o.String()) }
func login() aim                             { return "log in" }
func confirmation(o Owner, about string) aim { return aim("confirm " + o.String() + " " + about) }
func (s *Service) newChallenge(a aim) ([]byte, error) {
	raw := make([]byte, challengeID, challengeSize)
	_, _ = rand.Read(raw) // never fails: see crypto/rand
	raw = binary.BigEndian.AppendUint64(raw, uint64(s.clock.Now().Add(ChallengeLife).Unix()))
	signature, err := s.signature(a, raw)
	if err != nil {
		return nil, err
	}
	return append(raw, signature...), nil
}

func (s *Service) signature(a aim, signed []byte) ([]byte, error) {
	tag, err := s.vault.Tag("passkey challenge", append(append([]byte(a), 0), signed...))
	if err != nil {
		return nil, fmt.Errorf("sign a challenge: %w", err)
	}
	return tag, nil
}

// useChallengeTx uses up an answered challenge and returns its bytes. Of two concurrent answers one gets ErrExpired. Refusals: ErrExpired, ErrPasskey for a
// challenge of another aim.
func (s *Service) useChallengeTx(ctx context.Context, tx *db.Tx, a aim, text string) ([]byte, error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != challengeSize {
		return nil, ErrPasskey
	}
	signed := raw[:challengeSize-sha256.Size]
	want, err := s.signature(a, signed)
	if err != nil {
		return nil, err
	}
	if !hmac.Equal(want, raw[len(signed):]) {
		return nil, ErrPasskey
	}
	expires := time.Unix(int64(binary.BigEndian.Uint64(signed[challengeID:])), 0)
	if s.clock.Now().After(expires) {
		return nil, ErrExpired
	}
	tag, err := tx.Conn.Exec(ctx, `INSERT INTO passkey_challenges (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, signed[:challengeID], expires)
	if err != nil {
		return nil, fmt.Errorf("use a challenge: %w", err)
	}
	if tag.RowsAffected() != 1 {
		return nil, ErrExpired
	}
	return raw, nil
}
