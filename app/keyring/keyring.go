// Package keyring looks after the keys of the vault: it rotates them, wraps anew what older ones have wrapped, and retires them.
package keyring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/vault"
)

// operator is who acts by a command of the program, on the machine itself.
var operator = audit.Actor{Kind: audit.System, Name: "operator"}

// Service is what the operator's commands call.
type Service struct {
	db      *db.DB
	clock   clock.Clock
	vault   *vault.Vault
	columns []vault.Column
}

// New makes the service; columns lists every column of the database that holds wrapped keys.
func New(d *db.DB, c clock.Clock, v *vault.Vault, columns []vault.Column) *Service {
	return &Service{db: d, clock: c, vault: v, columns: columns}
}

// Holds reports whether anything is sealed already, so that the key file must exist.
func Holds(ctx context.Context, d *db.DB, columns []vault.Column) (holds bool, err error) {
	var any []string
	for _, c := range columns {
		any = append(any, fmt.Sprintf(`EXISTS (SELECT 1 FROM %s WHERE %s IS NOT NULL)`, c.Table, c.Name))
	}
	if err := d.Pool.QueryRow(ctx, `SELECT `+strings.Join(any, " OR ")).Scan(&holds); err != nil {
		return false, fmt.Errorf("look for sealed data: %w", err)
	}
	return holds, nil
}

// ErrStale is returned by Retire while older keys than the newest are needed.
var ErrStale = errors.New("older keys still wrap something: run candor keys rewrap first")

// Rotate adds a new key to the vault, which wraps from now on. What the older ones have wrapped waits for Rewrap.
func (s *Service) Rotate(ctx context.Context) error {
	return s.changeKeys(ctx, "kyc.rotate", s.vault.Rotate, func(*db.Tx) error { return nil })
}

// Retire takes the older keys out of the vault, so that what they have wrapped stays shut wherever a copy of it lies. It waits until nobody is sealing, and
// while it works nobody begins to: a data key that one of them wraps can't be stored afterwards. It returns ErrStale.
func (s *Service) Retire(ctx context.Context) error {
	return s.changeKeys(ctx, "kyc.retire", s.vault.Retire, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, vault.Lock); err != nil {
			return fmt.Errorf("wait for whoever seals: %w", err)
		}
		stale, err := s.stale(ctx, tx.Conn)
		if err == nil && stale > 0 {
			err = ErrStale
		}
		return err
	})
}

// changeKeys changes the key file as the last act of a transaction that has its audit entry.
func (s *Service) changeKeys(ctx context.Context, action string, change func() error, may func(*db.Tx) error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := may(tx); err != nil {
			return err
		}
		if err := audit.RecordTx(ctx, tx, audit.By(operator, s.clock.Now(), action, "kyc", "keys")); err != nil {
			return err
		}
		return change()
	})
}

// Stale counts the data keys that an older key than the newest has wrapped.
func (s *Service) Stale(ctx context.Context) (int64, error) { return s.stale(ctx, s.db.Pool) }

func (s *Service) stale(ctx context.Context, q db.Querier) (n int64, err error) {
	fresh, err := s.vault.Fresh()
	if err != nil {
		return 0, err
	}
	var counts []string
	for _, c := range s.columns {
		counts = append(counts, fmt.Sprintf(`(SELECT count(*) FROM %[1]s WHERE substring(%[2]s FOR $2) <> $1)`, c.Table, c.Name))
	}
	if err := q.QueryRow(ctx, `SELECT `+strings.Join(counts, " + "), fresh, len(fresh)).Scan(&n); err != nil {
		return 0, fmt.Errorf("count what older keys have wrapped: %w", err)
	}
	return n, nil
}

// Rewrap wraps, with the vault's newest key, every data key that an older one has wrapped; no ciphertext changes. It returns how many there were.
func (s *Service) Rewrap(ctx context.Context) (n int, err error) {
	fresh, err := s.vault.Fresh()
	if err != nil {
		return 0, err
	}
	for _, c := range s.columns {
		for after := int64(0); ; {
			done, last, err := s.rewrap(ctx, c.Table, c.Name, fresh, after)
			if n += done; err != nil {
				return n, err
			}
			if last == 0 {
				break
			}
			after = last
		}
	}
	if n == 0 {
		return 0, nil
	}
	return n, s.db.InTx(ctx, func(tx *db.Tx) error {
		entry := audit.By(operator, s.clock.Now(), "kyc.rewrap", "kyc", "keys")
		entry.After = fmt.Sprintf(`{"keys":%d}`, n)
		return audit.RecordTx(ctx, tx, entry)
	})
}

// rewrapPage is how many rows one transaction of Rewrap reads.
const rewrapPage = 500

// rewrap is one page of Rewrap; last is 0 after the last one. A key that has changed since it was read is left alone: it is fresh, or shredded.
func (s *Service) rewrap(ctx context.Context, table, column string, fresh []byte, after int64) (done int, last int64, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		done, last = 0, 0
		if err := vault.LockTx(ctx, tx); err != nil {
			return err
		}
		rows, err := tx.Conn.Query(ctx, fmt.Sprintf(`SELECT id, %[1]s FROM %[2]s WHERE %[1]s IS NOT NULL AND id > $1 ORDER BY id LIMIT %[3]d`, column, table, rewrapPage), after)
		if err != nil {
			return fmt.Errorf("read %s of %s: %w", column, table, err)
		}
		list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[wrappedKey])
		if err != nil {
			return fmt.Errorf("read %s of %s: %w", column, table, err)
		}
		for _, r := range list {
			last = r.ID
			if bytes.HasPrefix(r.Key, fresh) {
				continue
			}
			secret, err := s.vault.Rewrap(vault.Sealed{WrappedKey: r.Key})
			if err != nil {
				return fmt.Errorf("wrap %s of %s %d: %w", column, table, r.ID, err)
			}
			tag, err := tx.Conn.Exec(ctx, fmt.Sprintf(`UPDATE %[1]s SET %[2]s = $1 WHERE id = $2 AND %[2]s = $3`, table, column), secret.WrappedKey, r.ID, r.Key)
			if err != nil {
				return fmt.Errorf("store %s of %s %d: %w", column, table, r.ID, err)
			}
			done += int(tag.RowsAffected())
		}
		return nil
	})
	return done, last, err
}

// wrappedKey is a data key of a row, as it is stored.
type wrappedKey struct {
	ID  int64
	Key []byte
}
