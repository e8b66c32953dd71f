package ledger_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/dbtest"
)

// fill makes two accounts with a history: deals, a bonus, a payment, a deficit.
func (b *bundle) fill() (first, second ledger.Account) {
	b.Helper()
	first, second = b.funded(1_000), b.funded(50)
	require.NoError(b, b.post(first.Book, "deal:1", first.Result(120, 5)...))
	require.NoError(b, b.post(first.Book, "bonus:1", ledger.Entry{first.ID, ledger.Bonus, 40}, ledger.Entry{houseBonus, house, -40}))
	require.NoError(b, b.post(second.Book, "deal:2", second.Result(-80, 1)...))
	require.NoError(b, b.post(first.Book, "out:1", ledger.Entry{first.ID, ledger.Cash, -20}, ledger.Entry{houseTrading, house, 20}))
	return b.load(first.ID), b.load(second.ID)
}

// afterTampering is the result of Verify after the superuser ran SQL with all triggers and foreign keys off. Everything is rolled back.
func (b *bundle) afterTampering(sql string) *audit.Problem {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), b.superURL)
	require.NoError(b, err)
	defer func() { _ = conn.Close(b.Context()) }()
	tx, err := conn.Begin(b.Context())
	require.NoError(b, err)
	_, err = tx.Exec(b.Context(), `SET LOCAL session_replication_role = replica`)
	require.NoError(b, err)
	tag, err := tx.Exec(b.Context(), sql)
	require.NoError(b, err)
	require.NotZero(b, tag.RowsAffected(), "nothing was tampered with")
	problem, _, err := ledger.Verify(b.Context(), tx)
	require.NoError(b, err)
	require.NoError(b, tx.Rollback(b.Context()))
	return problem
}

func TestVerify(t *testing.T) {
	t.Parallel()

	t.Run("AnEmptyLedgerIsProved", func(t *testing.T) {
		t.Parallel()
		setup(t).requireProved()
	})
	t.Run("AHistoryIsProved", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.fill()
		b.requireProved()
	})

	tampers := []struct{ name, sql, table, row string }{
		{"OnePostingByOneUnit", `UPDATE postings SET amount = amount + 1 WHERE id = 3`, "postings", "transaction 2, postings 3, 4"},
		{"APostingRemoved", `DELETE FROM postings WHERE id = 4`, "postings", "transaction 2, postings 3"},
		{"APostingAdded", `
			INSERT INTO postings (transaction_id, xid, created_at, account_id, bucket, book, currency, amount, id) OVERRIDING SYSTEM VALUE
			SELECT transaction_id, xid, created_at, account_id, bucket, book, currency, 7, 900 FROM postings WHERE id = 1`, "postings", "transaction 1, postings 1, 2, 900"},
		{"APostingMovedToAnotherTransaction", `UPDATE postings SET transaction_id = 1 WHERE id = 3`, "postings", "transaction 1, postings 1, 2, 3"},
		{"BothPostingsByOneUnit", `UPDATE postings SET amount = amount + sign(amount)::bigint WHERE transaction_id = 1`, "accounts", "id {first}"},
		{"APostingOfSomebodyElse", `UPDATE postings SET account_id = {second} WHERE id = 1`, "accounts", "id {first}"},
		{"APostingInAnotherBucket", `UPDATE postings SET bucket = 'bonus' WHERE id = 1`, "accounts", "id {first}"},
		{"APostingOfTheHouseInABucket", `UPDATE postings SET bucket = 'cash' WHERE id = 2`, "postings", "id 2"},
		{"APostingInAnotherBook", `UPDATE postings SET book = 'mock' WHERE id = 1`, "postings", "id 1"},
		{"APostingInAnotherCurrency", `UPDATE postings SET currency = 'USD' WHERE transaction_id = 1`, "postings", "id 1"},
		{"ATransactionInAnotherBook", `UPDATE ledger_transactions SET book = 'mock' WHERE id = 1`, "postings", "id 1"},
		{"APostingMarkedAsOfAnotherKind", `UPDATE postings SET kind = 'elsewhere' WHERE id = 3`, "postings", "id 3"},
		{"APostingOfADealMarked", `UPDATE ledger_transactions SET kind = 'trade_open' WHERE id = 1`, "postings", "id 1"},
		{"APostingAtAnotherMoment", `UPDATE postings SET created_at = created_at - interval '1 microsecond' WHERE id = 3`, "postings", "id 3"},
		{"ATransactionAtAnotherMoment", `UPDATE ledger_transactions SET created_at = now() WHERE id = 2`, "postings", "id 3"},
		{"ATransactionRemoved", `DELETE FROM ledger_transactions WHERE id = 1`, "postings", "id 1"},
		{"ATransactionWithoutPostings", `
			INSERT INTO ledger_transactions (id, kind, key, cause, book, created_at) OVERRIDING SYSTEM VALUE
			VALUES (900, 'x', 'x', 'x', 'real', now())`, "ledger_transactions", "id 900"},
		{"ATransactionEmptied", `DELETE FROM postings WHERE transaction_id = 1`, "ledger_transactions", "id 1"},
		{"CashOfOneAccountByOneUnit", `UPDATE accounts SET cash = cash + 1 WHERE id = {first}`, "accounts", "id {first}"},
		{"BonusOfOneAccount", `UPDATE accounts SET bonus = 0 WHERE id = {first}`, "accounts", "id {first}"},
		{"BonusTurnedIntoCash", `UPDATE accounts SET cash = cash + bonus, bonus = 0 WHERE id = {first}`, "accounts", "id {first}"},
		{"ADeficitForgivenInSilence", `UPDATE accounts SET deficit = 0 WHERE id = {second}`, "accounts", "id {second}"},
		{"TheFirstOfSeveral", `UPDATE accounts SET cash = cash + 1 WHERE kind <> 'house'`, "accounts", "id {first}"},
	}
	b := setup(t)
	first, second := b.fill()
	names := strings.NewReplacer("{first}", fmt.Sprint(first.ID), "{second}", fmt.Sprint(second.ID))
	for _, tamper := range tampers {
		t.Run("Names/"+tamper.name, func(t *testing.T) {
			problem := b.afterTampering(names.Replace(tamper.sql))
			require.NotNil(t, problem, "not noticed")
			require.Equal(t, []string{tamper.table, names.Replace(tamper.row)}, []string{problem.Table, problem.Row}, problem.What)
		})
	}
	b.requireProved()
}

// TestVerifyComparesNoTwoTablesRowByRow verifies 3,000 correct accounts: no join compares every row with every other.
func TestVerifyComparesNoTwoTablesRowByRow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.funded(1_000)
	conn, err := pgx.Connect(t.Context(), b.superURL)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	_, err = conn.Exec(t.Context(), fmt.Sprintf(`
		SET session_replication_role = replica;
		INSERT INTO accounts (id, trader_id, kind, book, type, currency, cash)
			SELECT 1000000 + n, 1000000 + n, kind, book, type, currency, cash FROM accounts, generate_series(1, 3000) n WHERE id = %[1]d;
		INSERT INTO postings (transaction_id, account_id, bucket, amount, book, currency, kind, created_at)
			SELECT p.transaction_id, CASE WHEN p.account_id = %[1]d THEN 1000000 + n ELSE p.account_id END, bucket, amount, book, currency, kind, created_at
			FROM postings p, generate_series(1, 3000) n WHERE p.transaction_id = (SELECT transaction_id FROM postings WHERE account_id = %[1]d);
		SET session_replication_role = origin;
		ANALYZE accounts, postings, ledger_transactions`, a.ID))
	require.NoError(t, err)
	e := dbtest.Explain(b.db.Pool)
	problem, _, err := ledger.Verify(t.Context(), e)
	require.NoError(t, err)
	require.Nil(t, problem)
	e.RequireNoSquare(t)
}
