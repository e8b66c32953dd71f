package factor

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
	"unicode"

	"candor/app/platform/db"
)

// Recovery codes are made of 80 random bits each: too many to try, so that a fast hash is enough.
const (
	recoveryCodes = 10
	recoveryBytes = 10
	recoveryGroup = 4 // characters between two hyphens
)

// NewRecoveryCodesTx replaces the owner's recovery codes. They are returned once and stored hashed.
func (s *Service) NewRecoveryCodesTx(ctx context.Context, tx *db.Tx, o Owner) (codes []string, err error) {
	row, err := lockTx(ctx, tx, o)
	if err != nil {
		return nil, err
	}
	if _, err := tx.Conn.Exec(ctx, `DELETE FROM recovery_codes WHERE owner_id = $1`, row.ID); err != nil {
		return nil, fmt.Errorf("remove the recovery codes of %s: %w", o, err)
	}
	hashes := make([][]byte, recoveryCodes)
	for i := range hashes {
		raw := make([]byte, recoveryBytes)
		_, _ = rand.Read(raw) // never fails: see crypto/rand
		text := base32.StdEncoding.EncodeToString(raw)
		hashes[i] = hashRecovery(text)
		codes = append(codes, grouped(text))
	}
	if _, err := tx.Conn.Exec(ctx, `INSERT INTO recovery_codes (owner_id, hash) SELECT $1, unnest($2::bytea[])`, row.ID, hashes); err != nil {
		return nil, fmt.Errorf("store the recovery codes of %s: %w", o, err)
	}
	return codes, nil
}

// dropRecoveryTx removes the recovery codes of a trader whose last factor was removed. Staff always have an authenticator, which their own package keeps.
func dropRecoveryTx(ctx context.Context, tx *db.Tx, row ownerRow) error {
	if row.StaffID != 0 {
		return nil
	}
	_, err := tx.Conn.Exec(ctx, `
		DELETE FROM recovery_codes WHERE owner_id = $1 AND NOT EXISTS (SELECT 1 FROM passkeys WHERE owner_id = $1)
		AND NOT EXISTS (SELECT 1 FROM authenticators WHERE owner_id = $1 AND confirmed_at IS NOT NULL)`, row.ID)
	if err != nil {
		return fmt.Errorf("remove the recovery codes of %s: %w", row.Owner, err)
	}
	return nil
}

func grouped(text string) string {
	var parts []string
	for ; len(text) > recoveryGroup; text = text[recoveryGroup:] {
		parts = append(parts, text[:recoveryGroup])
	}
	return strings.Join(append(parts, text), "-")
}

// misread are the digits that codes don't have, and the letters that they are read for on paper.
var misread = map[rune]rune{'0': 'O', '1': 'I', '8': 'B'}

// hashRecovery hashes a code as typed: letters of any case, with or without hyphens and blanks.
func hashRecovery(code string) []byte {
	plain := strings.Map(func(r rune) rune {
		if letter, ok := misread[r]; ok {
			return letter
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, code)
	sum := sha256.Sum256([]byte(plain))
	return sum[:]
}

// IsRecoveryCode reports whether a text looks like a recovery code rather than an authenticator's.
func IsRecoveryCode(code string) bool { return len(code) > 8 }

// HasRecoveryCode reports whether a code is one of the owner's that is not used; false without a code.
func (s *Service) HasRecoveryCode(ctx context.Context, o Owner, code string) (has bool, err error) {
	if code == "" {
		return false, nil
	}
	err = s.db.Pool.QueryRow(ctx, `
		SELECT EXISTS (SELECT 1 FROM recovery_codes c JOIN factor_owners o ON o.id = c.owner_id
		WHERE (o.trader_id = nullif($1::bigint, 0) OR o.staff_id = nullif($2::bigint, 0)) AND c.hash = $3 AND c.used_at IS NULL)`,
		o.TraderID, o.StaffID, hashRecovery(code)).Scan(&has)
	if err != nil {
		return false, fmt.Errorf("look for a recovery code of %s: %w", o, err)
	}
	return has, nil
}

// UseRecoveryCode uses up a recovery code, in a transaction that the caller adds the effect of it to. It counts like CheckCode. Refusals: session.ErrThrottle,
// ErrCode, and those of the caller; last reports that no more tries follow.
func (s *Service) UseRecoveryCode(ctx context.Context, o Owner, at Place, code string, run RunTx) (last bool, err error) {
	return s.counted(ctx, o, at.recovery(), func(tx *db.Tx) error {
		row, err := lockTx(ctx, tx, o)
		if err != nil {
			return err
		}
		tag, err := tx.Conn.Exec(ctx, `UPDATE recovery_codes SET used_at = $3 WHERE owner_id = $1 AND hash = $2 AND used_at IS NULL`, row.ID, hashRecovery(code), s.clock.Now())
		if err != nil {
			return fmt.Errorf("use a recovery code of %s: %w", o, err)
		}
		if tag.RowsAffected() != 1 {
			return ErrCode
		}
		return nil
	}, run)
}
