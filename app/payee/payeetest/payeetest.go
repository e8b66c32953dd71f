// Package payeetest saves payees for tests and bypasses the service's checks.
package payeetest

import (
	"context"
	"fmt"

	"candor/app/payee"
	"candor/app/platform/db"
	"candor/app/platform/names"
	"candor/app/platform/vault"
)

// Bank saves a bank account with its holder's name sealed by keys, and returns its id.
func Bank(ctx context.Context, d *db.DB, keys *vault.Vault, p payee.Payee, holder string) (id int64, err error) {
	err = d.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Conn.QueryRow(ctx, `SELECT nextval(pg_get_serial_sequence('payees', 'id'))`).Scan(&p.ID); err != nil {
			return fmt.Errorf("number a payee: %w", err)
		}
		sealed, err := vault.NewNames(keys, "payees", "holder").SealTx(ctx, tx, p.TraderID, p.ID, holder)
		if err != nil {
			return err
		}
		p.Kind, p.Version, p.HolderKey, p.HolderSealed = payee.AtBank, 1, sealed.WrappedKey, sealed.Ciphertext
		if err := tx.Rows.Create(&p).Error; err != nil {
			return err
		}
		return names.NewIndex(keys, "payee_name_words", "payee_id").AddTx(ctx, tx, p.TraderID, p.ID, holder)
	})
	return p.ID, err
}
