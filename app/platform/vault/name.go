package vault

import (
	"context"
	"fmt"

	"candor/app/platform/db"
)

// Names seals the names of people of one kind in a table, each bound to its row and the row's trader. The name "holder", for example, is kept in
// the columns "holder_key" and "holder_sealed".
type Names struct {
	vault  *Vault
	table  string
	column string
}

// NewNames seals the names of one kind.
func NewNames(v *Vault, table, column string) Names {
	return Names{vault: v, table: table, column: column}
}

func (n Names) owner(traderID, id int64) string {
	return fmt.Sprintf("trader:%d|%s:%d|%s", traderID, n.table, id, n.column)
}

// SealTx seals a name for a row, which is stored in the same transaction. An empty name stays empty.
func (n Names) SealTx(ctx context.Context, tx *db.Tx, traderID, id int64, name string) (s Sealed, err error) {
	if name == "" {
		return s, nil
	}
	if err := LockTx(ctx, tx); err != nil {
		return s, err
	}
	if s, err = n.vault.Seal(n.owner(traderID, id), []byte(name)); err != nil {
		return s, fmt.Errorf("seal %s of %s %d: %w", n.column, n.table, id, err)
	}
	return s, nil
}

// Open decrypts the name of a row, empty where there is none. Inside a transaction q is that transaction. It returns ErrUnreadable, also for the name of
// another row.
func (n Names) Open(ctx context.Context, q db.Querier, traderID, id int64, s Sealed) (string, error) {
	if s.WrappedKey == nil && s.Ciphertext == nil {
		return "", nil
	}
	name, err := Column{Table: n.table, Name: n.column + "_key"}.Open(ctx, q, n.vault, id, n.owner(traderID, id), s)
	if err != nil {
		return "", fmt.Errorf("open %s of %s %d: %w", n.column, n.table, id, err)
	}
	return string(name), nil
}
