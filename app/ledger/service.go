package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// Querier reads rows: the pool, or a transaction's connection.
type Querier = db.Querier

const accountColumns = `id, coalesce(trader_id, 0), kind, book, type, currency, cash, bonus, deficit, owed, netting, version, created_at, number, name, coalesce(leverage_ceiling, 0)`

func scanAccount(row pgx.Row) (a Account, err error) {
	err = row.Scan(&a.ID, &a.TraderID, &a.Kind, &a.Book, &a.Type, &a.Currency, &a.Cash, &a.Bonus, &a.Deficit, &a.Owed, &a.Netting, &a.Version, &a.CreatedAt,
		&a.Number, &a.Name, &a.LeverageCeiling)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, ErrAccount
	}
	return a, err
}

// Find reads one account of a trader; another trader's account is ErrAccount.
func Find(ctx context.Context, q Querier, traderID, accountID int64) (Account, error) {
	return scanAccount(q.QueryRow(ctx, `SELECT `+accountColumns+` FROM accounts WHERE id = $1 AND trader_id = $2`, accountID, traderID))
}

// Load reads one trader's account by its id alone; for the engine and staff.
func Load(ctx context.Context, q Querier, accountID int64) (Account, error) {
	return scanAccount(q.QueryRow(ctx, `SELECT `+accountColumns+` FROM accounts WHERE id = $1 AND kind <> 'house'`, accountID))
}

// LoadAll reads many traders' accounts by their ids; for the engine.
func LoadAll(ctx context.Context, q Querier, ids []int64) ([]Account, error) {
	rows, err := q.Query(ctx, `SELECT `+accountColumns+` FROM accounts WHERE id = ANY($1) AND kind <> 'house'`, ids)
	if err != nil {
		return nil, fmt.Errorf("read accounts: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Account, error) { return scanAccount(row) })
}

// List reads a trader's trading accounts: the real ones first, each book by number.
func List(ctx context.Context, q Querier, traderID int64) ([]Account, error) {
	return list(ctx, q, traderID, Contract)
}

// BooksOf reads the books in which traders have contract accounts, by trader, the real one first; each once.
func BooksOf(ctx context.Context, q Querier, traderIDs []int64) (map[int64][]Book, error) {
	rows, err := q.Query(ctx, `SELECT DISTINCT trader_id, book FROM accounts WHERE trader_id = ANY($1) AND kind = 'contract' ORDER BY trader_id, book DESC`, traderIDs)
	if err != nil {
		return nil, fmt.Errorf("read the accounts of traders: %w", err)
	}
	out := map[int64][]Book{}
	var id int64
	var book Book
	_, err = pgx.ForEachRow(rows, []any{&id, &book}, func() error {
		out[id] = append(out[id], book)
		return nil
	})
	return out, err
}

// ListAll reads all accounts of a trader: the trading accounts as List has them, then the others in order of opening.
func ListAll(ctx context.Context, q Querier, traderID int64) ([]Account, error) {
	return list(ctx, q, traderID, Contract, Funding)
}

func list(ctx context.Context, q Querier, traderID int64, kinds ...Kind) ([]Account, error) {
	rows, err := q.Query(ctx, `SELECT `+accountColumns+` FROM accounts WHERE trader_id = $1 AND kind = ANY($2::text[]::account_kind[]) ORDER BY kind, book DESC, number, id`, traderID, kinds)
	if err != nil {
		return nil, fmt.Errorf("list accounts: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Account, error) { return scanAccount(row) })
}

// OpenTx opens a trader's main account in a book, or returns the existing one.
func OpenTx(ctx context.Context, tx *db.Tx, traderID int64, book Book, accountType int, at time.Time) (Account, error) {
	_, err := tx.Conn.Exec(ctx, `
		INSERT INTO accounts (trader_id, kind, book, type, currency, created_at) VALUES ($1, 'contract', $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
		traderID, book, accountType, Currency, at)
	if err != nil {
		return Account{}, fmt.Errorf("open an account: %w", err)
	}
	return scanAccount(tx.Conn.QueryRow(ctx, `
		SELECT `+accountColumns+` FROM accounts WHERE trader_id = $1 AND kind = 'contract' AND book = $2 AND currency = $3 AND number = 1`, traderID, book, Currency))
}

// OpenFundingTx opens the account for a trader's real money in one currency, or returns the existing one. An unknown currency is ErrAccount.
func OpenFundingTx(ctx context.Context, tx *db.Tx, traderID int64, accountType int, currency string, at time.Time) (Account, error) {
	if _, known := DenominationOf(currency); !known {
		return Account{}, ErrAccount
	}
	_, err := tx.Conn.Exec(ctx, `
		INSERT INTO accounts (trader_id, kind, book, type, currency, created_at) VALUES ($1, 'funding', 'real', $2, $3, $4) ON CONFLICT DO NOTHING`,
		traderID, accountType, currency, at)
	if err != nil {
		return Account{}, fmt.Errorf("open an account in %s: %w", currency, err)
	}
	return scanAccount(tx.Conn.QueryRow(ctx, `SELECT `+accountColumns+` FROM accounts WHERE trader_id = $1 AND kind = 'funding' AND currency = $2`, traderID, currency))
}

// Main is the main account of the book that an owner's account is in: deposits arrive there, and withdrawals leave it. An account of another trader is ErrAccount.
func Main(ctx context.Context, q Querier, o Owner) (Account, error) {
	return scanAccount(q.QueryRow(ctx, `
		SELECT `+accountColumns+` FROM accounts
		WHERE trader_id = $1 AND kind = 'contract' AND number = 1 AND book = (SELECT book FROM accounts WHERE id = $2 AND trader_id = $1)`, o.TraderID, o.AccountID))
}

// LockMainTx is Main, locked until the transaction ends.
func LockMainTx(ctx context.Context, tx *db.Tx, o Owner) (Account, error) {
	account, err := Main(ctx, tx.Conn, o)
	if err != nil {
		return account, err
	}
	return LockTx(ctx, tx, account.ID)
}

// SetPositionModeTx sets an account's position mode: one position per product (netting), or one per fill. The database refuses it unless the account is flat.
func SetPositionModeTx(ctx context.Context, tx *db.Tx, accountID int64, netting bool) error {
	_, err := tx.Conn.Exec(ctx, `UPDATE accounts SET netting = $2, version = version + 1 WHERE id = $1`, accountID, netting)
	return err
}

// LockTx locks one account until the transaction ends. Callers lock several accounts in ascending id; otherwise they could deadlock.
func LockTx(ctx context.Context, tx *db.Tx, accountID int64) (Account, error) {
	return scanAccount(tx.Conn.QueryRow(ctx, `SELECT `+accountColumns+` FROM accounts WHERE id = $1 AND kind <> 'house' FOR UPDATE`, accountID))
}

// TouchTx raises the version of a trader's real accounts, so that copies in memory are stale when data outside the rows has changed. It returns
// their ids and locks them until the transaction ends.
func TouchTx(ctx context.Context, tx *db.Tx, traderID int64) (ids []int64, err error) {
	rows, err := tx.Conn.Query(ctx, `
		WITH locked AS (SELECT id FROM accounts WHERE trader_id = $1 AND book = 'real' ORDER BY id FOR UPDATE)
		UPDATE accounts a SET version = version + 1 FROM locked WHERE a.id = locked.id RETURNING a.id`, traderID)
	if err != nil {
		return nil, fmt.Errorf("touch the accounts of trader %d: %w", traderID, err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// LockBothTx locks two accounts in the order of their ids, and returns them in the order of the call.
func LockBothTx(ctx context.Context, tx *db.Tx, one, other int64) (a, b Account, err error) {
	if one > other {
		b, a, err = LockBothTx(ctx, tx, other, one)
		return a, b, err
	}
	if a, err = LockTx(ctx, tx, one); err != nil {
		return a, b, err
	}
	b, err = LockTx(ctx, tx, other)
	return a, b, err
}

// PostTx appends a balanced transaction and moves the buckets of the traders' accounts in it.
// It returns ErrPosted when the key was used before. A transaction without entries is refused: check len first.
func PostTx(ctx context.Context, tx *db.Tx, t Transaction) (id int64, err error) {
	if err := t.check(); err != nil {
		return 0, err
	}
	posted := Posted{Transaction: t}
	if err := tx.Conn.QueryRow(ctx, `SELECT nextval('ledger_transactions_id_seq')`).Scan(&posted.ID); err != nil {
		return 0, fmt.Errorf("number %s: %w", t.Key, err)
	}
	var added int64
	transactions, postings := records([]Posted{posted})
	if err := tx.Conn.QueryRow(ctx, post+`SELECT count(*) FROM posted`, transactions, postings).Scan(&added); err != nil {
		return 0, fmt.Errorf("post %s: %w", t.Key, err)
	}
	if added == 0 {
		return 0, ErrPosted
	}
	if err := tx.Conn.SendBatch(ctx, t.moves()).Close(); err != nil {
		return 0, fmt.Errorf("post %s: %w", t.Key, err)
	}
	return posted.ID, nil
}

func (t Transaction) check() error {
	if len(t.Entries) == 0 || t.Key == "" {
		return fmt.Errorf("post %q: %d entries that sum to nothing", t.Key, len(t.Entries))
	}
	for _, one := range t.Entries { // a transaction has few entries: a map would not pay off
		sum := int64(0)
		for _, e := range t.Entries {
			if t.currency(e) == t.currency(one) {
				sum += e.Amount
			}
		}
		if sum != 0 {
			return fmt.Errorf("post %q: %d entries that sum to %d %s", t.Key, len(t.Entries), sum, t.currency(one))
		}
	}
	return nil
}

// moves updates the accounts of a transaction, in the order of their ids.
func (t Transaction) moves() *pgx.Batch {
	moves := map[int64]Account{}
	for _, e := range t.Entries {
		if e.Bucket != house {
			moves[e.AccountID] = moved(moves[e.AccountID], e)
		}
	}
	batch := &pgx.Batch{}
	for _, id := range slices.Sorted(maps.Keys(moves)) {
		m := moves[id]
		batch.Queue(`UPDATE accounts SET cash = cash + $2, bonus = bonus + $3, deficit = deficit + $4, owed = owed + $5, version = version + 1 WHERE id = $1`,
			id, m.Cash, m.Bonus, m.Deficit, m.Owed)
	}
	return batch
}

func moved(sum Account, e Entry) Account {
	sum.ID = e.AccountID
	return sum.Apply([]Entry{e})
}
