package session

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"codes": personal.Erased, "devices": personal.Erased, "trader_sessions": personal.Erased, "wallet_texts": personal.Erased},
		Export: func(ctx context.Context, traderID int64, a *personal.Archive) error {
			err := a.Table(ctx, s.db.Pool, "devices.csv", `
				SELECT id AS device, name, first_seen_at, last_seen_at, last_ip, country, city, removed_at FROM devices WHERE trader_id = $1 ORDER BY id`, traderID)
			if err != nil {
				return err
			}
			return a.Table(ctx, s.db.Pool, "sessions.csv", `
				SELECT id AS session, account_id AS account, device_id AS device, ip, browser, created_at, last_seen_at, ended_at FROM trader_sessions WHERE trader_id = $1 ORDER BY id`, traderID)
		},
		Erase: func(ctx context.Context, tx *db.Tx, traderID int64) error {
			for _, table := range []string{"trader_sessions", "devices", "wallet_texts", "codes"} {
				if _, err := tx.Conn.Exec(ctx, `DELETE FROM `+table+` WHERE trader_id = $1`, traderID); err != nil {
					return fmt.Errorf("erase the %s of trader %d: %w", table, traderID, err)
				}
			}
			return nil
		},
	}
}

// ForgetAddressTx deletes the codes that were sent to an address or the texts that a wallet was asked to sign, and what was counted of it.
func (s *Service) ForgetAddressTx(ctx context.Context, tx *db.Tx, address string) error {
	for _, statement := range []string{
		`DELETE FROM codes WHERE address = $1`, `DELETE FROM code_requests WHERE address = $1`, `DELETE FROM throttles WHERE subject = $1 OR right(subject, length($1) + 1) = ' ' || $1`, `DELETE FROM wallet_texts WHERE address = $1`,
	} {
		if _, err := tx.Conn.Exec(ctx, statement, address); err != nil {
			return fmt.Errorf("forget an address: %w", err)
		}
	}
	return nil
}
