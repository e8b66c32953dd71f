package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// HasBonus reports whether a trader has a bonus.
func HasBonus(ctx context.Context, q Querier, traderID int64) (has bool, err error) {
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM accounts WHERE trader_id = $1 AND bonus <> 0)`, traderID).Scan(&has)
	if err != nil {
		return false, fmt.Errorf("ask for the bonus of trader %d: %w", traderID, err)
	}
	return has, nil
}

// HasBalance reports whether a trader has money or a debt on a real account.
func HasBalance(ctx context.Context, q Querier, traderID int64) (has bool, err error) {
	err = q.QueryRow(ctx, `
		SELECT EXISTS (SELECT 1 FROM accounts WHERE trader_id = $1 AND book = 'real' AND (cash, deficit, owed) <> (0, 0, 0))`, traderID).Scan(&has)
	if err != nil {
		return false, fmt.Errorf("ask what trader %d has on accounts: %w", traderID, err)
	}
	return has, nil
}

// LastPosted is the time of the last posting to a trader's real accounts; zero when there is none.
func LastPosted(ctx context.Context, q Querier, traderID int64) (time.Time, error) {
	var last *time.Time
	err := q.QueryRow(ctx, `
		SELECT max(l.created_at) FROM accounts a
		CROSS JOIN LATERAL (SELECT t.created_at FROM postings p JOIN ledger_transactions t ON t.id = p.transaction_id WHERE p.account_id = a.id ORDER BY p.id DESC LIMIT 1) l
		WHERE a.trader_id = $1 AND a.book = 'real'`, traderID).Scan(&last)
	if err != nil {
		return time.Time{}, fmt.Errorf("ask when money of trader %d last moved: %w", traderID, err)
	}
	if last == nil {
		return time.Time{}, nil
	}
	return *last, nil
}

// Bonuses reads the bonus of accounts, by account.
func Bonuses(ctx context.Context, q Querier, accountIDs []int64) (map[int64]int64, error) {
	rows, err := q.Query(ctx, `SELECT id, bonus FROM accounts WHERE id = ANY($1)`, accountIDs)
	if err != nil {
		return nil, fmt.Errorf("read the bonuses of %d accounts: %w", len(accountIDs), err)
	}
	var id, bonus int64
	out := map[int64]int64{}
	if _, err := pgx.ForEachRow(rows, []any{&id, &bonus}, func() error { out[id] = bonus; return nil }); err != nil {
		return nil, fmt.Errorf("read the bonuses of %d accounts: %w", len(accountIDs), err)
	}
	return out, nil
}

// Sum is an amount in one currency.
type Sum struct {
	Denomination
	Amount int64
}

// CashOfTraders adds up the cash of all real accounts, by currency in display order.
func CashOfTraders(ctx context.Context, q Querier) (list []Sum, err error) {
	rows, err := q.Query(ctx, `SELECT currency, sum(cash)::bigint FROM accounts WHERE book = 'real' AND kind <> 'house' GROUP BY 1`)
	if err != nil {
		return nil, fmt.Errorf("add up the cash of traders: %w", err)
	}
	var currency string
	var cash int64
	sums := map[string]int64{}
	if _, err := pgx.ForEachRow(rows, []any{&currency, &cash}, func() error { sums[currency] = cash; return nil }); err != nil {
		return nil, fmt.Errorf("add up the cash of traders: %w", err)
	}
	for _, d := range Denominations {
		list = append(list, Sum{d, sums[d.Code]})
	}
	return list, nil
}
