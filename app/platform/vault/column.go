package vault

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// Column is a column of wrapped keys; its table has a column id. Packages that store sealed secrets list their columns for the rotation of keys.
type Column struct{ Table, Name string }

// Open decrypts a secret whose wrapped key was read from a row's column. Since it was read, the key may have been wrapped anew and the older one retired: a
// secret that can't be opened is tried once more with the key that the row has now. Inside a transaction q is that transaction. It returns ErrUnreadable.
func (c Column) Open(ctx context.Context, q db.Querier, v *Vault, id int64, associated string, s Sealed) ([]byte, error) {
	plaintext, err := v.open(associated, s)
	if !errors.Is(err, ErrUnreadable) {
		return plaintext, err
	}
	switch read := q.QueryRow(ctx, fmt.Sprintf(`SELECT %s FROM %s WHERE id = $1`, c.Name, c.Table), id).Scan(&s.WrappedKey); {
	case errors.Is(read, pgx.ErrNoRows):
		return nil, err
	case read != nil:
		return nil, fmt.Errorf("read %s of %s %d again: %w", c.Name, c.Table, id, read)
	}
	return v.open(associated, s)
}

// Lock is the advisory lock shared by everything that seals or wraps: nothing does while keys are being retired.
const Lock = 7_302_634

// LockTx waits until no keys are being retired. Anything that the caller seals later in its transaction is wrapped by a key that stays.
func LockTx(ctx context.Context, tx *db.Tx) error {
	if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock_shared($1)`, Lock); err != nil {
		return fmt.Errorf("wait for the keys: %w", err)
	}
	return nil
}
