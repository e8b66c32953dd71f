package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/vault"
)

// SealedColumns are the columns of wrapped keys.
var SealedColumns = []vault.Column{secretKey}

var secretKey = vault.Column{Table: "provider_secrets", Name: "secret_key"}

// SecretOwner binds a sealed secret to its provider.
func SecretOwner(id string) string { return "provider:" + id + "|secret" }

// sealedSecret is a provider's sealed secret.
type sealedSecret struct {
	ID                      int64
	Provider                string
	SecretKey, SecretSealed []byte
	SetAt                   time.Time
}

// TableName is GORM's name of the table.
func (sealedSecret) TableName() string { return "provider_secrets" }

// Secrets stores the providers' secrets sealed. The operator's command sets them, the server opens them at its start.
type Secrets struct {
	db    *db.DB
	clock clock.Clock
	keys  *vault.Vault
}

// NewSecrets makes the store; without keys only SetAt works.
func NewSecrets(d *db.DB, c clock.Clock, keys *vault.Vault) *Secrets { return &Secrets{d, c, keys} }

// operator is the actor of the program's commands on the server machine.
var operator = audit.Actor{Kind: audit.System, Name: "operator"}

// Set seals a provider's secret and replaces an earlier one; a server uses it from its next start. Only the operator may call it.
func (s *Secrets) Set(ctx context.Context, id, secret string) error {
	switch {
	case len(secret) < minSecret:
		return fmt.Errorf("provider %s: the secret has less than %d characters", id, minSecret)
	case strings.ContainsAny(secret, "\r\n"):
		return fmt.Errorf("provider %s: the secret has more than one line", id)
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := vault.LockTx(ctx, tx); err != nil {
			return err
		}
		sealed, err := s.keys.Seal(SecretOwner(id), []byte(secret))
		if err != nil {
			return fmt.Errorf("seal the secret of provider %s: %w", id, err)
		}
		now := s.clock.Now()
		upsert := clause.OnConflict{Columns: []clause.Column{{Name: "provider"}}, DoUpdates: clause.AssignmentColumns([]string{"secret_key", "secret_sealed", "set_at"})}
		if err := tx.Rows.Clauses(upsert).Create(&sealedSecret{Provider: id, SecretKey: sealed.WrappedKey, SecretSealed: sealed.Ciphertext, SetAt: now}).Error; err != nil {
			return fmt.Errorf("store the secret of provider %s: %w", id, err)
		}
		return audit.RecordTx(ctx, tx, audit.By(operator, now, "provider.secret", "provider", id))
	})
}

// SetAt returns the time when each sealed secret was set, by provider.
func (s *Secrets) SetAt(ctx context.Context) (map[string]time.Time, error) {
	var list []sealedSecret
	if err := s.db.Rows(ctx).Select("provider", "set_at").Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read when secrets were set: %w", err)
	}
	out := map[string]time.Time{}
	for _, one := range list {
		out[one.Provider] = one.SetAt
	}
	return out, nil
}

// Unseal returns the providers; those without a secret in the file get their sealed one. It fails for a provider with neither, and for a secret that can't be
// opened.
func (s *Secrets) Unseal(ctx context.Context, list []Provider) ([]Provider, error) {
	var stored []sealedSecret
	if err := s.db.Rows(ctx).Find(&stored).Error; err != nil {
		return nil, fmt.Errorf("read the secrets of providers: %w", err)
	}
	sealed := map[string]sealedSecret{}
	for _, one := range stored {
		sealed[one.Provider] = one
	}
	out := slices.Clone(list)
	for i, p := range out {
		if p.Secret != "" {
			continue
		}
		secret, ok := sealed[p.ID]
		if !ok {
			return nil, fmt.Errorf("provider %s has no secret: run candor providers secret %s", p.ID, p.ID)
		}
		text, err := secretKey.Open(ctx, s.db.Pool, s.keys, secret.ID, SecretOwner(p.ID), vault.Sealed{WrappedKey: secret.SecretKey, Ciphertext: secret.SecretSealed})
		if err != nil {
			return nil, fmt.Errorf("open the secret of provider %s: %w: run candor providers secret %s", p.ID, err, p.ID)
		}
		out[i].Secret = string(text)
	}
	return out, nil
}
