package vault

import (
	"context"
	"fmt"

	"candor/app/platform/db"
)

// Column is a column of wrapped keys; its table has a column id. Packages that store sealed secrets list their columns for the rotation of keys.
type Column struct{ Table, Name string }

// Lock is the advisory lock shared by everything that seals or wraps: nothing does while keys are being retired.
const Lock = 7_302_634

// LockTx waits until no keys are being retired. Anything that the caller seals later in its transaction is wrapped by a key that stays.
func LockTx(ctx context.Context, tx *db.Tx) error {
	if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock_shared($1)`, Lock); err != nil {
		return fmt.Errorf("wait for the keys: %w", err)
	}
	return nil
}
