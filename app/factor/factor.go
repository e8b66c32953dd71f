// Package factor keeps second factors of traders and staff: authenticator apps, passkeys, and the recovery codes for a lost one.
package factor

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/jackc/pgx/v5"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/vault"
	"candor/app/session"
)

// Refusals.
var (
	ErrCode     = errs.New(errs.Refused, "factor.code_wrong")     // of an authenticator, or a recovery code: wrong or used before
	ErrPasskey  = errs.New(errs.Refused, "factor.passkey_failed") // not the owner's, or not an answer to the challenge
	ErrExpired  = errs.New(errs.Refused, "factor.expired")        // the challenge or the offered secret is too old, or was used
	ErrNone     = errs.New(errs.NotFound, "factor.unknown")
	ErrMostKeys = errs.New(errs.Refused, "factor.most_passkeys")
	ErrNoSite   = errs.New(errs.Refused, "factor.passkeys_not_offered") // the site is reached by an IP address
	ErrName     = errs.Field("name", "field.length")
)

// Owner is whose factors they are: a trader's or a member of staff's.
type Owner struct{ TraderID, StaffID int64 }

// Trader is a trader as an owner.
func Trader(id int64) Owner { return Owner{TraderID: id} }

// Staff is a member of staff as an owner.
func Staff(id int64) Owner { return Owner{StaffID: id} }

// String names the owner in counters and in the associated data of sealed secrets.
func (o Owner) String() string {
	if o.StaffID != 0 {
		return fmt.Sprintf("staff:%d", o.StaffID)
	}
	return fmt.Sprintf("trader:%d", o.TraderID)
}

// column is the column of factor_owners that holds the owner's id.
func (o Owner) column() (name string, id int64) {
	if o.StaffID != 0 {
		return "staff_id", o.StaffID
	}
	return "trader_id", o.TraderID
}

// Factors are an owner's second factors. Those of staff lack the authenticator, which their own package keeps.
type Factors struct {
	AuthenticatorAt   *time.Time // when the authenticator was set up; nil without one
	AuthenticatorStep int64      // the step of its last use, as RFC 6238 counts them
	Passkeys          []Passkey  // oldest first
	RecoveryCodes     int        // that are left
}

// Any reports whether the owner has a second factor. Recovery codes alone are none.
func (f Factors) Any() bool { return f.AuthenticatorAt != nil || len(f.Passkeys) > 0 }

// Site is where passkeys of a kind of owner are used: the domain that they are bound to, and the origins of its pages. The zero value has no passkeys.
type Site struct {
	Domain  string
	Origins []string
}

// Config configures the service.
type Config struct {
	DB       *db.DB
	Clock    clock.Clock
	Vault    *vault.Vault     // seals the secrets of authenticators and signs challenges
	Sessions *session.Service // counts tries
	Traders  Site
	Staff    Site
}

// Service is the package's entry point.
type Service struct {
	db             *db.DB
	clock          clock.Clock
	vault          *vault.Vault
	sessions       *session.Service
	traders, staff *webauthn.WebAuthn
}

// New makes the service. It returns an error for a site that can't have passkeys.
func New(c Config) (*Service, error) {
	s := &Service{db: c.DB, clock: c.Clock, vault: c.Vault, sessions: c.Sessions}
	var err error
	if s.traders, err = c.Traders.party(); err != nil {
		return nil, fmt.Errorf("passkeys of traders: %w", err)
	}
	if s.staff, err = c.Staff.party(); err != nil {
		return nil, fmt.Errorf("passkeys of staff: %w", err)
	}
	return s, nil
}

// ownerRow is an owner as its row holds it.
type ownerRow struct {
	ID int64
	Owner
	Handle []byte
}

// find reads an owner's row; ok is false when the owner has never set up a factor.
func find(ctx context.Context, q db.Querier, o Owner) (row ownerRow, ok bool, err error) {
	column, id := o.column()
	row.Owner = o
	err = q.QueryRow(ctx, `SELECT id, handle FROM factor_owners WHERE `+column+` = $1`, id).Scan(&row.ID, &row.Handle)
	if errors.Is(err, pgx.ErrNoRows) {
		return row, false, nil
	}
	if err != nil {
		return row, false, fmt.Errorf("read the factors of %s: %w", o, err)
	}
	return row, true, nil
}

// lockTx returns an owner's row, made when it is missing, locked until the transaction ends. A transaction that locks the trader or the person too does so first.
func lockTx(ctx context.Context, tx *db.Tx, o Owner) (row ownerRow, err error) {
	column, id := o.column()
	row.Owner = o
	handle := make([]byte, 64)
	_, _ = rand.Read(handle) // never fails: see crypto/rand
	if _, err := tx.Conn.Exec(ctx, `INSERT INTO factor_owners (`+column+`, handle) VALUES ($1, $2) ON CONFLICT DO NOTHING`, id, handle); err != nil {
		return row, fmt.Errorf("make the factors of %s: %w", o, err)
	}
	err = tx.Conn.QueryRow(ctx, `SELECT id, handle FROM factor_owners WHERE `+column+` = $1 FOR UPDATE`, id).Scan(&row.ID, &row.Handle)
	if err != nil {
		return row, fmt.Errorf("lock the factors of %s: %w", o, err)
	}
	return row, nil
}

// Of reads an owner's factors. Inside a transaction q is that transaction.
func (s *Service) Of(ctx context.Context, q db.Querier, o Owner) (f Factors, err error) {
	row, ok, err := find(ctx, q, o)
	if err != nil || !ok {
		return f, err
	}
	err = q.QueryRow(ctx, `
		SELECT (SELECT confirmed_at FROM authenticators WHERE owner_id = $1 AND confirmed_at IS NOT NULL), coalesce((SELECT step FROM authenticators WHERE owner_id = $1 AND confirmed_at IS NOT NULL), 0), (SELECT count(*) FROM recovery_codes WHERE owner_id = $1 AND used_at IS NULL)`,
		row.ID).Scan(&f.AuthenticatorAt, &f.AuthenticatorStep, &f.RecoveryCodes)
	if err != nil {
		return f, fmt.Errorf("read the factors of %s: %w", o, err)
	}
	f.Passkeys, err = passkeys(ctx, q, row.ID)
	return f, err
}

// Read is Of outside a transaction.
func (s *Service) Read(ctx context.Context, o Owner) (Factors, error) { return s.Of(ctx, s.db.Pool, o) }

// RemoveAllTx removes every factor and recovery code of an owner, and reports whether there was a factor.
func (s *Service) RemoveAllTx(ctx context.Context, tx *db.Tx, o Owner) (had bool, err error) {
	factors, err := removeTx(ctx, tx, o, "authenticators", "passkeys")
	if err != nil {
		return false, err
	}
	return factors > 0, s.RemoveRecoveryCodesTx(ctx, tx, o)
}

// RemovePasskeysTx removes every passkey of an owner.
func (s *Service) RemovePasskeysTx(ctx context.Context, tx *db.Tx, o Owner) error {
	_, err := removeTx(ctx, tx, o, "passkeys")
	return err
}

// RemoveRecoveryCodesTx removes every recovery code of an owner.
func (s *Service) RemoveRecoveryCodesTx(ctx context.Context, tx *db.Tx, o Owner) error {
	_, err := removeTx(ctx, tx, o, "recovery_codes")
	return err
}

func removeTx(ctx context.Context, tx *db.Tx, o Owner, tables ...string) (rows int64, err error) {
	row, err := lockTx(ctx, tx, o)
	if err != nil {
		return 0, err
	}
	for _, table := range tables {
		tag, err := tx.Conn.Exec(ctx, `DELETE FROM `+table+` WHERE owner_id = $1`, row.ID)
		if err != nil {
			return 0, fmt.Errorf("remove the %s of %s: %w", table, o, err)
		}
		rows += tag.RowsAffected()
	}
	return rows, nil
}

// Sweep deletes the answered challenges that have expired; it is work for a schedule.
func (s *Service) Sweep(ctx context.Context) error {
	if _, err := s.db.Pool.Exec(ctx, `DELETE FROM passkey_challenges WHERE expires_at < $1`, s.clock.Now()); err != nil {
		return fmt.Errorf("forget answered challenges: %w", err)
	}
	return nil
}
