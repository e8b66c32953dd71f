package payee

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/vault"
)

// SealedColumns are the columns of wrapped keys.
var SealedColumns = []vault.Column{{Table: "payees", Name: "holder_key"}}

// Holder opens the name that a bank account is in; an address has none. It returns vault.ErrUnreadable.
func (s *Service) Holder(p Payee) (string, error) {
	return s.names.Open(p.TraderID, p.ID, vault.Sealed{WrappedKey: p.HolderKey, Ciphertext: p.HolderSealed})
}

// HolderOf is Holder of a trader's payee, living or removed. Refusal: ErrUnknown, also for somebody else's.
func (s *Service) HolderOf(ctx context.Context, traderID, id int64) (string, error) {
	p, err := s.own(ctx, traderID, id)
	if err != nil {
		return "", err
	}
	return s.Holder(p)
}

// sealTx draws the number of a new payee and seals the name of who holds it.
func (s *Service) sealTx(ctx context.Context, tx *db.Tx, p *Payee, holder string) error {
	if err := tx.Conn.QueryRow(ctx, `SELECT nextval(pg_get_serial_sequence('payees', 'id'))`).Scan(&p.ID); err != nil {
		return fmt.Errorf("number a payee: %w", err)
	}
	sealed, err := s.names.SealTx(ctx, tx, p.TraderID, p.ID, holder)
	p.HolderKey, p.HolderSealed = sealed.WrappedKey, sealed.Ciphertext
	return err
}

// SealNames seals the names that servers before this one stored in clear, and returns how many. It runs at each start.
func (s *Service) SealNames(ctx context.Context) (int, error) {
	return s.names.SealClear(ctx, s.db, nil)
}

// Fingerprint stands for a request that names who holds an account, wherever it is kept to be known again: nobody without the keys can tell a name from it.
func (s *Service) Fingerprint(request []byte) ([]byte, error) { return s.keys.Tag("payee", request) }
