package deposit

import (
	"context"
	"fmt"

	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader: the law asks for the evidence of payments.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"deposits": personal.Kept, "deposit_addresses": personal.Kept, "files": personal.Kept},
		Export: s.exportTo,
	}
}

func (s *Service) exportTo(ctx context.Context, traderID int64, a *personal.Archive) error {
	err := a.Table(ctx, s.db.Pool, "deposits.csv", `
		SELECT id AS deposit, account_id AS account, kind::text, currency, `+personal.Amount("amount")+`, `+personal.Amount("fee")+`, reference, state::text, reason, coin, chain,
			tx_hash AS transaction, bank_reference, created_at, proof_at, decided_at FROM deposits WHERE trader_id = $1 ORDER BY id`, traderID)
	if err != nil {
		return err
	}
	err = a.Table(ctx, s.db.Pool, "deposit-addresses.csv", `
		SELECT id AS address_id, account_id AS account, address, memo, created_at FROM deposit_addresses WHERE trader_id = $1 AND address <> '' ORDER BY id`, traderID)
	if err != nil {
		return err
	}
	var files []File
	if err := s.db.Rows(ctx).Where("trader_id = ?", traderID).Order("id").Find(&files).Error; err != nil {
		return fmt.Errorf("list the proofs of trader %d: %w", traderID, err)
	}
	for _, f := range files {
		if err := a.Picture(fmt.Sprintf("proofs/%d.jpg", f.ID), func() ([]byte, error) { return s.pictures.Get(f.Name) }); err != nil {
			return err
		}
	}
	return nil
}
