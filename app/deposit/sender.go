package deposit

import (
	"context"

	"candor/app/platform/db"
	"candor/app/platform/vault"
)

// SealedColumns are the columns of wrapped keys.
var SealedColumns = []vault.Column{{Table: "deposits", Name: "sender_name_key"}}

// SenderName decrypts the sender's name on the bank statement; empty until a name is entered. It returns vault.ErrUnreadable.
func (s *Service) SenderName(ctx context.Context, d Deposit) (string, error) {
	return s.senderName(ctx, s.db.Pool, d)
}

func (s *Service) senderName(ctx context.Context, q db.Querier, d Deposit) (string, error) {
	return s.names.Open(ctx, q, d.TraderID, d.ID, vault.Sealed{WrappedKey: d.SenderNameKey, Ciphertext: d.SenderNameSealed})
}

// sealTx seals the sender's name for a deposit.
func (s *Service) sealTx(ctx context.Context, tx *db.Tx, d *Deposit, sender string) error {
	sealed, err := s.names.SealTx(ctx, tx, d.TraderID, d.ID, sender)
	d.SenderNameKey, d.SenderNameSealed = sealed.WrappedKey, sealed.Ciphertext
	return err
}
