package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Movement is the sum of an account's entries of one kind of transaction.
type Movement struct {
	Kind    string
	Entries int
	Amount  int64
}

// PeriodStatement is an account's balance before and after a period, and the movements between, by kind. A balance has the cash, the bonus and the
// (negative) debt.
type PeriodStatement struct {
	Opening, Closing int64
	Movements        []Movement
}

// StatementOf sums up an account's entries from a moment on and before another. The balances follow from that of now and the entries since, which the
// index of the account returns; both are read by one statement.
func StatementOf(ctx context.Context, q Querier, accountID int64, from, to time.Time) (out PeriodStatement, err error) {
	rows, err := q.Query(ctx, `
		WITH entries AS (
			SELECT t.kind, p.amount, p.created_at < $3 AS inside FROM postings p JOIN ledger_transactions t ON t.id = p.transaction_id
			WHERE p.account_id = $1 AND p.created_at >= $2)
		SELECT a.cash + a.bonus + a.deficit + a.owed, coalesce(e.kind, ''), coalesce(e.inside, false), count(e.amount), coalesce(sum(e.amount), 0)::bigint
		FROM accounts a LEFT JOIN entries e ON true WHERE a.id = $1 GROUP BY 1, 2, 3 ORDER BY 2`, accountID, from, to)
	if err != nil {
		return out, fmt.Errorf("read statement of account %d: %w", accountID, err)
	}
	var now, later int64
	var m Movement
	var inside bool
	found, err := pgx.ForEachRow(rows, []any{&now, &m.Kind, &inside, &m.Entries, &m.Amount}, func() error {
		if inside {
			out.Movements = append(out.Movements, m)
			out.Opening -= m.Amount
		} else {
			later += m.Amount
		}
		return nil
	})
	if err != nil {
		return out, fmt.Errorf("read statement of account %d: %w", accountID, err)
	}
	if found.RowsAffected() == 0 {
		return out, ErrAccount
	}
	out.Closing = now - later
	out.Opening += out.Closing
	return out, nil
}
