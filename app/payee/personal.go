package payee

import (
	"context"
	"fmt"
	"strconv"

	"candor/app/platform/db"
	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader: payees, of which those that were paid stay.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"payees": personal.Kept, "payee_name_words": personal.Kept, "payee_settings": personal.Erased},
		Export: s.exportTo,
		Erase:  erase,
	}
}

func (s *Service) exportTo(ctx context.Context, traderID int64, a *personal.Archive) error {
	err := a.Table(ctx, s.db.Pool, "payees.csv", `
		SELECT id AS payee, kind::text, label, coin, chain, address, memo, bank, iban, bic, preferred, created_at, usable_from, removed_at FROM payees WHERE trader_id = $1 ORDER BY id`, traderID)
	if err != nil {
		return err
	}
	var banks []Payee
	if err := s.db.Rows(ctx).Where("trader_id = ? AND kind = ?", traderID, AtBank).Order("id").Find(&banks).Error; err != nil {
		return fmt.Errorf("read the bank accounts of trader %d: %w", traderID, err)
	}
	holders := map[string]any{}
	for _, p := range banks {
		if holders[strconv.FormatInt(p.ID, 10)], err = s.Holder(ctx, p); err != nil {
			return err
		}
	}
	if len(holders) == 0 {
		return nil
	}
	return a.JSON("payee-holders.json", holders)
}

// erase deletes the payees that no withdrawal was made to, and the labels of the others.
func erase(ctx context.Context, tx *db.Tx, traderID int64) error {
	const unpaid = `trader_id = $1 AND NOT EXISTS (SELECT 1 FROM withdrawals w WHERE w.payee_id = payees.id)`
	for _, statement := range []string{
		`DELETE FROM payee_name_words WHERE trader_id = $1 AND payee_id IN (SELECT id FROM payees WHERE ` + unpaid + `)`,
		`DELETE FROM payees WHERE ` + unpaid,
		`UPDATE payees SET label = '' WHERE trader_id = $1`,
		`DELETE FROM payee_settings WHERE trader_id = $1`,
	} {
		if _, err := tx.Conn.Exec(ctx, statement, traderID); err != nil {
			return fmt.Errorf("erase the payees of trader %d: %w", traderID, err)
		}
	}
	return nil
}
