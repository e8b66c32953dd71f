package deposit

import (
	"bytes"
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/vault"
)

// SealedColumns are the columns of wrapped keys.
var SealedColumns = []vault.Column{{Table: "deposits", Name: "sender_name_key"}}

// SenderName decrypts the sender's name on the bank statement; empty until a name is entered. It returns vault.ErrUnreadable.
func (s *Service) SenderName(d Deposit) (string, error) {
	return s.names.Open(d.TraderID, d.ID, vault.Sealed{WrappedKey: d.SenderNameKey, Ciphertext: d.SenderNameSealed})
}

// sealTx seals the sender's name for a deposit.
func (s *Service) sealTx(ctx context.Context, tx *db.Tx, d *Deposit, sender string) error {
	sealed, err := s.names.SealTx(ctx, tx, d.TraderID, d.ID, sender)
	d.SenderNameKey, d.SenderNameSealed = sealed.WrappedKey, sealed.Ciphertext
	return err
}

// SealNames seals the names that earlier versions stored in clear text, and returns their number. It runs at each start. An approval of such a deposit stays
// valid: its hash is renewed over the same facts.
func (s *Service) SealNames(ctx context.Context) (int, error) {
	return s.names.SealClear(ctx, s.db, func(tx *db.Tx, id int64, name string) error {
		var d Deposit
		if err := tx.Rows.Raw(`SELECT * FROM deposits WHERE id = ?`, id).Scan(&d).Error; err != nil {
			return fmt.Errorf("read deposit %d: %w", id, err)
		}
		if d.Received == nil || d.BankReference == nil || !bytes.Equal(d.ShownHash, d.factsOf(*d.Received, *d.BankReference, name)) {
			return nil
		}
		return db.MustAffect(tx.Rows.Model(&Deposit{}).Where("id = ?", id).Updates(map[string]any{"shown_hash": d.facts(*d.Received, *d.BankReference)}))
	})
}
