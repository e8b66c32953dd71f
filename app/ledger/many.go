package ledger

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// QueueLock locks accounts until the transaction ends, in the order of their ids, and passes the traders' accounts to found.
func QueueLock(batch *pgx.Batch, ids []int64, found func(Account)) {
	batch.Queue(`SELECT `+accountColumns+` FROM accounts WHERE id = ANY($1) AND kind <> 'house' ORDER BY id FOR UPDATE`, ids).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			a, err := scanAccount(rows)
			if err != nil {
				return err
			}
			found(a)
		}
		return rows.Err()
	})
}

// Posted is a transaction with its stored number.
type Posted struct {
	ID int64
	Transaction
}

// Change is a batch's update of a locked account: its versions, and its position mode when that changes.
type Change struct {
	AccountID int64
	Was, Now  int64 // versions
	Netting   *bool
}

// post appends transactions with their entries, except those with a used key; posted holds the numbers of those added.
const post = `
	WITH posted AS (
		INSERT INTO ledger_transactions (id, kind, key, cause, book, created_at) OVERRIDING SYSTEM VALUE
		SELECT * FROM unnest($1::ledger_transaction_row[]) ON CONFLICT (key) DO NOTHING RETURNING id
	), entries AS (
		INSERT INTO postings (transaction_id, account_id, bucket, book, currency, amount, kind, created_at)
		SELECT e.* FROM unnest($2::posting_row[]) e WHERE e.transaction_id IN (SELECT id FROM posted)
	) `

// NumbersTx takes numbers for transactions that QueuePosts adds.
func NumbersTx(ctx context.Context, tx *db.Tx, n int) ([]int64, error) {
	rows, err := tx.Conn.Query(ctx, `SELECT nextval('ledger_transactions_id_seq') FROM generate_series(1, $1)`, n)
	if err != nil {
		return nil, fmt.Errorf("number transactions: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// QueuePosts adds transactions to a batch. A used key ends the database transaction. An unbalanced transaction is refused here.
func QueuePosts(batch *pgx.Batch, posts []Posted) error {
	if len(posts) == 0 {
		return nil
	}
	for _, p := range posts {
		if err := p.check(); err != nil {
			return err
		}
	}
	transactions, postings := records(posts)
	batch.Queue(post+`SELECT must_be((SELECT count(*) FROM posted), $3, $4)`, transactions, postings, len(posts), db.ChangedMeanwhile)
	return nil
}

// QueueChanges adds the updates of the locked accounts to a batch: the money of the posted transactions, and the new versions.
// An account at another version than the one read ends the database transaction.
func QueueChanges(batch *pgx.Batch, posts []Posted, changes []Change) {
	moves := map[int64]Account{}
	for _, p := range posts {
		for _, e := range p.Entries {
			if e.Bucket != house {
				moves[e.AccountID] = moved(moves[e.AccountID], e)
			}
		}
	}
	var rows db.Records
	for _, c := range changes {
		m := moves[c.AccountID]
		rows.Row(8)
		rows.Bigint(c.AccountID)
		rows.Bigint(m.Cash)
		rows.Bigint(m.Bonus)
		rows.Bigint(m.Deficit)
		rows.Bigint(c.Was)
		rows.Bigint(c.Now)
		rows.MaybeBool(c.Netting)
		rows.Bigint(m.Owed)
	}
	rows.QueueUpdate(batch, `accounts a SET cash = a.cash + r.cash, bonus = a.bonus + r.bonus, deficit = a.deficit + r.deficit, owed = a.owed + r.owed, version = r.version,
		netting = coalesce(r.netting, a.netting)
		FROM unnest($1::account_row[]) r WHERE a.id = r.id AND a.version = r.was RETURNING a.id`)
}

func records(posts []Posted) (transactions, postings *db.Records) {
	transactions, postings = &db.Records{}, &db.Records{}
	for _, p := range posts {
		transactions.Row(6)
		transactions.Bigint(p.ID)
		transactions.Text(p.Kind)
		transactions.Text(p.Key)
		transactions.Text(p.Cause)
		transactions.Text(string(p.Book))
		transactions.Time(p.At)
		for _, e := range p.Entries {
			postings.Row(8)
			postings.Bigint(p.ID)
			postings.Bigint(e.AccountID)
			postings.Text(string(e.Bucket))
			postings.Text(string(p.Book))
			postings.Text(p.currency(e))
			postings.Bigint(e.Amount)
			db.MaybeText(postings, marked(p.Kind))
			postings.Time(p.At)
		}
	}
	return transactions, postings
}
