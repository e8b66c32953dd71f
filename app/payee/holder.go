package payee

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/vault"
)

// SealedColumns lists the columns of wrapped keys.
var SealedColumns = []vault.Column{{Table: "payees", Name: "holder_key"}}

// Holder decrypts the holder's name of a bank account; an address has none. It returns vault.ErrUnreadable.
func (s *Service) Holder(ctx context.Context, p Payee) (string, error) {
	return s.holder(ctx, s.db.Pool, p)
}

// HolderTx is Holder inside a transaction.
func (s *Service) HolderTx(ctx context.Context, tx *db.Tx, p Payee) (string, error) {
	return s.holder(ctx, tx.Conn, p)
}

func (s *Service) holder(ctx context.Context, q db.Querier, p Payee) (string, error) {
	return s.names.Open(ctx, q, p.TraderID, p.ID, vault.Sealed{WrappedKey: p.HolderKey, Ciphertext: p.HolderSealed})
}

// HolderOf is Holder for a trader's payee, current or removed. Refusal: ErrUnknown, also for another trader's.
func (s *Service) HolderOf(ctx context.Context, traderID, id int64) (string, error) {
	p, err := s.own(ctx, traderID, id)
	if err != nil {
		return "", err
	}
	return s.Holder(ctx, p)
}

// sealTx assigns a new payee its id and seals its holder's name.
func (s *Service) sealTx(ctx context.Context, tx *db.Tx, p *Payee, holder string) error {
	if err := tx.Conn.QueryRow(ctx, `SELECT nextval(pg_get_serial_sequence('payees', 'id'))`).Scan(&p.ID); err != nil {
		return fmt.Errorf("number a payee: %w", err)
	}
	sealed, err := s.names.SealTx(ctx, tx, p.TraderID, p.ID, holder)
	p.HolderKey, p.HolderSealed = sealed.WrappedKey, sealed.Ciphertext
	return err
}

// Fingerprint is a keyed tag by which a stored request with a holder's name is recognised again: without the keys it reveals no name.
func (s *Service) Fingerprint(request []byte) ([]byte, error) { return s.keys.Tag("payee", request) }
