package withdrawal

import (
	"context"

	"candor/app/platform/personal"
)

// Personal is what this package keeps about a trader: the law asks for the evidence of payments.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"withdrawals": personal.Kept},
		Export: func(ctx context.Context, traderID int64, a *personal.Archive) error {
			return a.Table(ctx, s.db.Pool, "withdrawals.csv", `
				SELECT id AS withdrawal, account_id AS account, payee_id AS payee, kind::text, currency::text, `+personal.Amount("amount")+`, `+personal.Amount("fee")+`, state::text, reason, answer,
					bank, iban, bic, chain, address, memo, payment, created_at, sent_at, ended_at FROM withdrawals WHERE trader_id = $1 ORDER BY id`, traderID)
		},
	}
}
