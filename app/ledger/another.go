package ledger

import (
	"context"
	"fmt"
	"time"

	"candor/app/platform/db"
)

// Another describes a trading account beside a trader's main account of a book.
type Another struct {
	TraderID        int64
	Book            Book
	Type            int
	Name            string // at most 30 characters
	LeverageCeiling int    // 0 for none
	Netting         bool
}

// OpenAnotherTx opens another trading account, with the next number of its book. The caller holds the trader's lock and has counted the accounts.
func OpenAnotherTx(ctx context.Context, tx *db.Tx, a Another, at time.Time) (Account, error) {
	account, err := scanAccount(tx.Conn.QueryRow(ctx, `
		INSERT INTO accounts (trader_id, kind, book, type, currency, created_at, number, name, leverage_ceiling, netting)
		SELECT $1, 'contract', $2, $3, $4, $5, max(number) + 1, $6, nullif($7, 0), $8 FROM accounts WHERE trader_id = $1 AND kind = 'contract' AND book = $2
		RETURNING `+accountColumns, a.TraderID, a.Book, a.Type, Currency, at, a.Name, a.LeverageCeiling, a.Netting))
	if err != nil {
		return account, fmt.Errorf("open another account of trader %d: %w", a.TraderID, err)
	}
	return account, nil
}

// RenameTx sets what the trader calls an account; empty for nothing.
func RenameTx(ctx context.Context, tx *db.Tx, accountID int64, name string) error {
	if _, err := tx.Conn.Exec(ctx, `UPDATE accounts SET name = $2 WHERE id = $1 AND kind = 'contract'`, accountID, name); err != nil {
		return fmt.Errorf("rename account %d: %w", accountID, err)
	}
	return nil
}

// SetLeverageCeilingTx sets the highest leverage of an account's orders, 0 for none. The version rises, so that copies in memory are stale.
func SetLeverageCeilingTx(ctx context.Context, tx *db.Tx, accountID int64, ceiling int) error {
	_, err := tx.Conn.Exec(ctx, `UPDATE accounts SET leverage_ceiling = nullif($2, 0), version = version + 1 WHERE id = $1 AND kind = 'contract'`, accountID, ceiling)
	if err != nil {
		return fmt.Errorf("set the leverage ceiling of account %d: %w", accountID, err)
	}
	return nil
}

// ForgetNamesTx deletes what a trader called the accounts.
func ForgetNamesTx(ctx context.Context, tx *db.Tx, traderID int64) error {
	if _, err := tx.Conn.Exec(ctx, `UPDATE accounts SET name = '' WHERE trader_id = $1 AND name <> ''`, traderID); err != nil {
		return fmt.Errorf("forget the names of the accounts of trader %d: %w", traderID, err)
	}
	return nil
}
