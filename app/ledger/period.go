package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/errs"
)

// MaxPeriod is how many entries a Period has at most: a statement that is cut would not add up.
const MaxPeriod = 10_000

// ErrPeriod refuses a period with more than MaxPeriod entries.
var ErrPeriod = errs.New(errs.Refused, "statement.too_many")

// Period is an account's statement of a time: what its buckets held before, every entry, oldest first, and what they held at the end. Owed counts as deficit.
type Period struct {
	Opening Buckets
	Lines   []PeriodLine
	Closing Buckets
}

// Buckets are sums by bucket, without buckets that were empty throughout, in the smallest unit of the account's currency.
type Buckets map[Bucket]int64

// Total is the sum of all buckets.
func (b Buckets) Total() (total int64) {
	for _, held := range b {
		total += held
	}
	return total
}

// PeriodLine is an entry with what its bucket held after it.
type PeriodLine struct {
	Line
	Held int64
}

// ReadPeriod reads an account's statement from one moment up to, but without, another: StatementOf with every entry. Its cost is that of the entries since the
// beginning, so it is for files. It returns ErrAccount and ErrPeriod.
func ReadPeriod(ctx context.Context, q Querier, accountID int64, from, to time.Time) (Period, error) {
	rows, err := q.Query(ctx, `
		WITH since AS (
			SELECT id, created_at, transaction_id, bucket::text AS bucket, CASE bucket WHEN 'owed' THEN 'deficit' ELSE bucket::text END AS held, amount
			FROM postings WHERE account_id = $1 AND created_at >= $2
		)
		SELECT 0::bigint, $2::timestamptz, '', '', b.held, (b.now - coalesce((SELECT sum(s.amount) FROM since s WHERE s.held = b.held), 0))::bigint, 0::bigint
		FROM accounts a, LATERAL (VALUES ('cash', a.cash::bigint), ('bonus', a.bonus::bigint), ('deficit', a.deficit + a.owed)) b (held, now) WHERE a.id = $1
		UNION ALL SELECT * FROM (
			SELECT s.id, s.created_at, t.kind, t.cause, s.bucket, s.amount::bigint, s.transaction_id FROM since s JOIN ledger_transactions t ON t.id = s.transaction_id
			WHERE s.created_at < $3 ORDER BY s.created_at, s.id LIMIT $4
		) entries`, accountID, from, to, MaxPeriod+1)
	if err != nil {
		return Period{}, fmt.Errorf("read the statement of account %d: %w", accountID, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Line])
	if err != nil {
		return Period{}, fmt.Errorf("read the statement of account %d: %w", accountID, err)
	}
	if len(list) == 0 {
		return Period{}, ErrAccount
	}
	p := periodOf(list)
	if len(p.Lines) > MaxPeriod {
		return Period{}, ErrPeriod
	}
	return p, nil
}

// periodOf adds the lines up. Lines without an id are what the buckets held before.
func periodOf(list []Line) Period {
	slices.SortFunc(list, func(a, b Line) int {
		return cmp.Or(cmp.Compare(min(a.ID, 1), min(b.ID, 1)), a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	p := Period{Opening: Buckets{}, Closing: Buckets{}}
	for _, l := range list {
		bucket := l.Bucket
		if bucket == Owed {
			bucket = Deficit
		}
		if l.Amount == 0 {
			continue // the bucket was empty
		}
		p.Closing[bucket] += l.Amount
		if l.ID == 0 {
			p.Opening[bucket] += l.Amount
		} else {
			p.Lines = append(p.Lines, PeriodLine{l, p.Closing[bucket]})
		}
	}
	return p
}
