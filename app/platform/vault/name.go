package vault

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// Names seals the names of people in one column of a table, each bound to its row and the row's trader. Beside the column, for example "holder", are
// "holder_key" and "holder_sealed"; the column itself is empty except for names that older servers stored in clear.
type Names struct {
	vault  *Vault
	table  string
	column string
}

// NewNames seals the names of a column.
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

// Open decrypts the name of a row, empty where there is none. It returns ErrUnreadable, also for the name of another row.
func (n Names) Open(traderID, id int64, s Sealed) (string, error) {
	if s.WrappedKey == nil && s.Ciphertext == nil {
		return "", nil
	}
	name, err := n.vault.Open(n.owner(traderID, id), s)
	if err != nil {
		return "", fmt.Errorf("open %s of %s %d: %w", n.column, n.table, id, err)
	}
	return string(name), nil
}

// namesPage is how many rows one transaction of SealClear seals.
const namesPage = 500

// SealClear seals the names that older servers stored in clear, page by page, and returns how many. It calls sealed in the transaction of each row,
// with the name that the row had; sealed may be nil.
func (n Names) SealClear(ctx context.Context, d *db.DB, sealed func(tx *db.Tx, id int64, name string) error) (total int, err error) {
	for {
		var page int
		err := d.InTx(ctx, func(tx *db.Tx) (err error) {
			page, err = n.sealPageTx(ctx, tx, sealed)
			return err
		})
		if total += page; err != nil || page < namesPage {
			return total, err
		}
	}
}

func (n Names) sealPageTx(ctx context.Context, tx *db.Tx, sealed func(tx *db.Tx, id int64, name string) error) (int, error) {
	rows, err := tx.Conn.Query(ctx, fmt.Sprintf(`SELECT id, trader_id, %[1]s FROM %[2]s WHERE %[1]s <> '' ORDER BY id LIMIT %[3]d FOR UPDATE`, n.column, n.table, namesPage))
	if err != nil {
		return 0, fmt.Errorf("read clear names of %s: %w", n.table, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[clearName])
	if err != nil {
		return 0, fmt.Errorf("read clear names of %s: %w", n.table, err)
	}
	for _, c := range list {
		s, err := n.SealTx(ctx, tx, c.TraderID, c.ID, c.Name)
		if err != nil {
			return 0, err
		}
		_, err = tx.Conn.Exec(ctx, fmt.Sprintf(`UPDATE %[2]s SET %[1]s = '', %[1]s_key = $2, %[1]s_sealed = $3 WHERE id = $1`, n.column, n.table), c.ID, s.WrappedKey, s.Ciphertext)
		if err != nil {
			return 0, fmt.Errorf("store %s of %s %d: %w", n.column, n.table, c.ID, err)
		}
		if sealed == nil {
			continue
		}
		if err := sealed(tx, c.ID, c.Name); err != nil {
			return 0, err
		}
	}
	return len(list), nil
}

// clearName is a name as older servers stored it.
type clearName struct {
	ID       int64
	TraderID int64
	Name     string
}
