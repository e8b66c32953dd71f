package factor

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp/hotp"

	"candor/app/platform/db"
	"candor/app/platform/vault"
)

// stepLength is how long a code of an authenticator lasts, in seconds (RFC 6238).
const stepLength = 30

// offerLife is how long an offered secret can be confirmed.
const offerLife = 15 * time.Minute

// Tries of codes, wrong ones in a row.
const (
	CodeTries  = 5
	CodeWindow = 15 * time.Minute
)

// SealedColumns are the columns of wrapped keys.
var SealedColumns = []vault.Column{secretKey}

var secretKey = vault.Column{Table: "authenticators", Name: "secret_key"}

// Secret is the secret of an authenticator, as its owner types or scans it.
type Secret struct {
	Text    string // base32
	Address string // otpauth://, for a QR code
}

// NewSecret makes 160 random bits for an authenticator.
func NewSecret() string {
	raw := make([]byte, 20)
	_, _ = rand.Read(raw) // never fails: see crypto/rand
	return base32.StdEncoding.EncodeToString(raw)
}

// SecretAddress is the address of a secret for a QR code; name is the account's, as the authenticator lists it.
func SecretAddress(secret, name string) string {
	address := url.URL{
		Scheme: "otpauth", Host: "totp", Path: "/Candor:" + name,
		RawQuery: url.Values{"secret": {secret}, "issuer": {"Candor"}, "digits": {"6"}, "period": {strconv.Itoa(stepLength)}}.Encode(),
	}
	return address.String()
}

// MatchStep finds the step of a code, at most one before or after now, that is later than the last one used.
func MatchStep(secret, code string, now time.Time, last int64) (step int64, ok bool) {
	current := now.Unix() / stepLength
	for _, candidate := range [...]int64{current, current - 1, current + 1} {
		want, err := hotp.GenerateCode(secret, uint64(candidate))
		if err == nil && candidate > last && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			step, ok = candidate, true
		}
	}
	return step, ok
}

// authenticator is an authenticator as its row holds it.
type authenticator struct {
	ID        int64
	Key       []byte
	Sealed    []byte
	Step      int64
	CreatedAt time.Time
}

func (s *Service) secret(ctx context.Context, q db.Querier, o Owner, a authenticator) (string, error) {
	text, err := secretKey.Open(ctx, q, s.vault, a.ID, o.String()+"|authenticator", vault.Sealed{WrappedKey: a.Key, Ciphertext: a.Sealed})
	if err != nil {
		return "", fmt.Errorf("open the authenticator of %s: %w", o, err)
	}
	return string(text), nil
}

// OfferAuthenticatorTx offers the owner a new secret, which ConfirmAuthenticatorTx puts to use. An earlier offer ends; the authenticator in use stays.
func (s *Service) OfferAuthenticatorTx(ctx context.Context, tx *db.Tx, o Owner, name string) (Secret, error) {
	row, err := lockTx(ctx, tx, o)
	if err != nil {
		return Secret{}, err
	}
	if err := vault.LockTx(ctx, tx); err != nil {
		return Secret{}, err
	}
	text := NewSecret()
	sealed, err := s.vault.Seal(o.String()+"|authenticator", []byte(text))
	if err != nil {
		return Secret{}, fmt.Errorf("seal the authenticator of %s: %w", o, err)
	}
	if _, err = tx.Conn.Exec(ctx, `DELETE FROM authenticators WHERE owner_id = $1 AND confirmed_at IS NULL`, row.ID); err == nil {
		_, err = tx.Conn.Exec(ctx, `INSERT INTO authenticators (owner_id, secret_key, secret_sealed, created_at) VALUES ($1, $2, $3, $4)`,
			row.ID, sealed.WrappedKey, sealed.Ciphertext, s.clock.Now())
	}
	if err != nil {
		return Secret{}, fmt.Errorf("offer %s an authenticator: %w", o, err)
	}
	return Secret{text, SecretAddress(text, name)}, nil
}

// ConfirmAuthenticatorTx puts the offered secret to use after a right code, in place of the one before. Refusals: ErrExpired, ErrCode.
func (s *Service) ConfirmAuthenticatorTx(ctx context.Context, tx *db.Tx, o Owner, code string) error {
	row, err := lockTx(ctx, tx, o)
	if err != nil {
		return err
	}
	now := s.clock.Now()
	a, ok, err := readAuthenticator(ctx, tx.Conn, row.ID, false)
	if err != nil {
		return err
	}
	if !ok || now.Sub(a.CreatedAt) > offerLife {
		return ErrExpired
	}
	secret, err := s.secret(ctx, tx.Conn, o, a)
	if err != nil {
		return err
	}
	step, ok := MatchStep(secret, code, now, 0)
	if !ok {
		return ErrCode
	}
	if _, err = tx.Conn.Exec(ctx, `DELETE FROM authenticators WHERE owner_id = $1 AND confirmed_at IS NOT NULL`, row.ID); err == nil {
		_, err = tx.Conn.Exec(ctx, `UPDATE authenticators SET confirmed_at = $2, step = $3 WHERE id = $1`, a.ID, now, step)
	}
	if err != nil {
		return fmt.Errorf("set the authenticator of %s: %w", o, err)
	}
	return nil
}

func readAuthenticator(ctx context.Context, q db.Querier, ownerID int64, confirmed bool) (a authenticator, ok bool, err error) {
	err = q.QueryRow(ctx, `SELECT id, secret_key, secret_sealed, step, created_at FROM authenticators WHERE owner_id = $1 AND (confirmed_at IS NOT NULL) = $2`, ownerID, confirmed).
		Scan(&a.ID, &a.Key, &a.Sealed, &a.Step, &a.CreatedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, false, nil
	}
	if err != nil {
		return a, false, fmt.Errorf("read an authenticator: %w", err)
	}
	return a, true, nil
}

// RemoveAuthenticatorTx removes the authenticator in use. Refusal: ErrNone.
func (s *Service) RemoveAuthenticatorTx(ctx context.Context, tx *db.Tx, o Owner) error {
	row, err := lockTx(ctx, tx, o)
	if err != nil {
		return err
	}
	tag, err := tx.Conn.Exec(ctx, `DELETE FROM authenticators WHERE owner_id = $1 AND confirmed_at IS NOT NULL`, row.ID)
	if err != nil {
		return fmt.Errorf("remove the authenticator of %s: %w", o, err)
	}
	if tag.RowsAffected() == 0 {
		return ErrNone
	}
	return dropRecoveryTx(ctx, tx, row)
}

// Place is where a code is typed. Each has its own tries, so that whoever guesses at a log-in stops neither the owner's own device nor a session.
type Place string

// The places.
const (
	AtLogin       Place = "factor_login"       // on an unknown device
	AtKnownDevice Place = "factor_known_login" // at a log-in on a device that the owner has used before
	InSession     Place = "factor_code"
)

// recovery is the counter of recovery codes in a place: wrong codes of an authenticator don't use up their tries.
func (p Place) recovery() string { return string(p) + "_recovery" }

// CheckCode checks a code of the owner's authenticator and uses it up. A try is counted before the comparison, so that parallel guesses can't outrun the
// count. Refusals: session.ErrThrottle, ErrCode; last reports that no more tries follow.
func (s *Service) CheckCode(ctx context.Context, o Owner, at Place, code string) (last bool, err error) {
	return s.counted(ctx, o, string(at), func(tx *db.Tx) error {
		row, err := lockTx(ctx, tx, o)
		if err != nil {
			return err
		}
		a, ok, err := readAuthenticator(ctx, tx.Conn, row.ID, true)
		if err != nil {
			return err
		}
		if !ok {
			return ErrCode
		}
		secret, err := s.secret(ctx, tx.Conn, o, a)
		if err != nil {
			return err
		}
		step, ok := MatchStep(secret, code, s.clock.Now(), a.Step)
		if !ok {
			return ErrCode
		}
		_, err = tx.Conn.Exec(ctx, `UPDATE authenticators SET step = $2 WHERE id = $1`, a.ID, step)
		return err
	}, s.inTx(ctx))
}

// RunTx runs what it is given in a transaction of the caller.
type RunTx func(use func(tx *db.Tx) error) error

func (s *Service) inTx(ctx context.Context) RunTx {
	return func(use func(tx *db.Tx) error) error { return s.db.InTx(ctx, use) }
}

// counted runs a comparison in a transaction as one of the tries that the owner has. A right one clears the count.
func (s *Service) counted(ctx context.Context, o Owner, counter string, compare func(tx *db.Tx) error, run RunTx) (last bool, err error) {
	tries, err := s.sessions.Throttle(ctx, counter, o.String(), CodeTries, CodeWindow)
	if err != nil {
		return false, err
	}
	err = run(func(tx *db.Tx) error {
		if err := compare(tx); err != nil {
			return err
		}
		return s.sessions.ClearTx(ctx, tx, counter, o.String())
	})
	return errors.Is(err, ErrCode) && tries >= CodeTries, err
}
