package staff

import (
	"context"
	"fmt"

	"candor/app/factor"
	"candor/app/platform/db"
	"candor/app/platform/vault"
	"candor/app/trader"
)

// SealedColumns are the columns of wrapped keys.
var SealedColumns = []vault.Column{authenticatorKey}

var authenticatorKey = vault.Column{Table: "staff", Name: "totp_key"}

// SecretOwner binds the sealed secret of an authenticator to its person.
func SecretOwner(id int64) string { return fmt.Sprintf("staff:%d|totp", id) }

// HasAuthenticator reports whether the person has set up an authenticator.
func (p Person) HasAuthenticator() bool { return len(p.TOTPKey) > 0 }

func (p *Person) removeAuthenticator() { p.TOTPKey, p.TOTPSealed = nil, nil }

// removeFactorsTx removes the passkeys and the recovery codes that stand beside the authenticator.
func (s *Service) removeFactorsTx(ctx context.Context, tx *db.Tx, id int64) error {
	_, err := s.factors.RemoveAllTx(ctx, tx, factor.Staff(id))
	return err
}

// sealTx seals a secret for a person. The caller stores the person in the same transaction.
func (s *Service) sealTx(ctx context.Context, tx *db.Tx, p *Person, secret string) error {
	if err := vault.LockTx(ctx, tx); err != nil {
		return err
	}
	sealed, err := s.keys.Seal(SecretOwner(p.ID), []byte(secret))
	if err != nil {
		return fmt.Errorf("seal the authenticator of staff %d: %w", p.ID, err)
	}
	p.TOTPKey, p.TOTPSealed = sealed.WrappedKey, sealed.Ciphertext
	return nil
}

// secret opens the secret of a person's authenticator. Inside a transaction q is that transaction. It returns vault.ErrUnreadable.
func (s *Service) secret(ctx context.Context, q db.Querier, p Person) (string, error) {
	secret, err := authenticatorKey.Open(ctx, q, s.keys, p.ID, SecretOwner(p.ID), vault.Sealed{WrappedKey: p.TOTPKey, Ciphertext: p.TOTPSealed})
	if err != nil {
		return "", fmt.Errorf("open the authenticator of staff %d: %w", p.ID, err)
	}
	return string(secret), nil
}

// ExampleSecret is the secret of an example's authenticator, for users of the demo. It returns ErrUnknown for any other person.
func (s *Service) ExampleSecret(ctx context.Context, p Person) (string, error) {
	if !trader.IsExample(p.Email) {
		return "", ErrUnknown
	}
	return s.secret(ctx, s.db.Pool, p)
}
