package withdrawal

import (
	"bytes"
	"context"
	"fmt"

	"candor/app/payee"
	"candor/app/platform/db"
	"candor/app/platform/vault"
)

// SealedColumns are the columns of wrapped keys.
var SealedColumns = []vault.Column{{Table: "withdrawals", Name: "holder_key"}}

// Holder decrypts the holder's name of the payee account; an address has none. It returns vault.ErrUnreadable.
func (s *Service) Holder(w Withdrawal) (string, error) {
	return s.names.Open(w.TraderID, w.ID, vault.Sealed{WrappedKey: w.HolderKey, Ciphertext: w.HolderSealed})
}

// HolderOf is Holder for a trader's own withdrawal. Refusal: ErrUnknown, also for another trader's withdrawal.
func (s *Service) HolderOf(ctx context.Context, traderID, id int64) (string, error) {
	w, err := s.Read(ctx, id)
	if err != nil {
		return "", err
	}
	if w.TraderID != traderID {
		return "", ErrUnknown
	}
	return s.Holder(w)
}

// sealTx seals the payee's holder name for a numbered withdrawal.
func (s *Service) sealTx(ctx context.Context, tx *db.Tx, w *Withdrawal, to payee.Payee) error {
	holder, err := s.payees.Holder(to)
	if err != nil {
		return err
	}
	sealed, err := s.names.SealTx(ctx, tx, w.TraderID, w.ID, holder)
	w.HolderKey, w.HolderSealed = sealed.WrappedKey, sealed.Ciphertext
	return err
}

// facts is Facts of a withdrawal whose holder name can be opened. Otherwise it returns vault.ErrUnreadable, and the withdrawal is neither approved nor sent.
func (s *Service) facts(w Withdrawal) ([]byte, error) {
	if _, err := s.Holder(w); err != nil {
		return nil, err
	}
	return w.Facts(), nil
}

// SealNames seals the names that earlier versions stored in clear text, and returns their number. It runs at each start. Approvals of such a withdrawal stay
// valid: their hash is renewed over the same facts.
func (s *Service) SealNames(ctx context.Context) (int, error) {
	return s.names.SealClear(ctx, s.db, func(tx *db.Tx, id int64, name string) error {
		var w Withdrawal
		if err := tx.Rows.Raw(`SELECT * FROM withdrawals WHERE id = ?`, id).Scan(&w).Error; err != nil {
			return fmt.Errorf("read withdrawal %d: %w", id, err)
		}
		if !bytes.Equal(w.ShownHash, w.facts(name)) {
			return nil
		}
		return db.MustAffect(tx.Rows.Model(&Withdrawal{}).Where("id = ?", id).Updates(map[string]any{"shown_hash": w.Facts()}))
	})
}
