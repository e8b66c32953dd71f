package withdrawal

import (
	"context"

	"candor/app/payee"
	"candor/app/platform/db"
	"candor/app/platform/vault"
)

// SealedColumns are the columns of wrapped keys.
var SealedColumns = []vault.Column{{Table: "withdrawals", Name: "holder_key"}}

// Holder decrypts the holder's name of the payee account; an address has none. It returns vault.ErrUnreadable.
func (s *Service) Holder(ctx context.Context, w Withdrawal) (string, error) {
	return s.holder(ctx, s.db.Pool, w)
}

func (s *Service) holder(ctx context.Context, q db.Querier, w Withdrawal) (string, error) {
	return s.names.Open(ctx, q, w.TraderID, w.ID, vault.Sealed{WrappedKey: w.HolderKey, Ciphertext: w.HolderSealed})
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
	return s.Holder(ctx, w)
}

// sealTx seals the payee's holder name for a numbered withdrawal.
func (s *Service) sealTx(ctx context.Context, tx *db.Tx, w *Withdrawal, to payee.Payee) error {
	holder, err := s.payees.HolderTx(ctx, tx, to)
	if err != nil {
		return err
	}
	sealed, err := s.names.SealTx(ctx, tx, w.TraderID, w.ID, holder)
	w.HolderKey, w.HolderSealed = sealed.WrappedKey, sealed.Ciphertext
	return err
}
