package mail

import (
	"context"
	"fmt"

	"candor/app/platform/db"
)

// WaitsTx reports whether a message to an address still waits to be sent.
func (o *Outbox) WaitsTx(ctx context.Context, tx *db.Tx, recipient string) (waits bool, err error) {
	err = tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM outbox WHERE recipient = $1 AND state = $2)`, recipient, Queued).Scan(&waits)
	if err != nil {
		return false, fmt.Errorf("look for messages that wait: %w", err)
	}
	return waits, nil
}

// ForgetTx deletes what was sent to an address.
func (o *Outbox) ForgetTx(ctx context.Context, tx *db.Tx, recipient string) error {
	if _, err := tx.Conn.Exec(ctx, `DELETE FROM outbox WHERE recipient = $1`, recipient); err != nil {
		return fmt.Errorf("forget what was sent to an address: %w", err)
	}
	return nil
}
