package deposit_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/deposit"
)

// TestTheDepositOfACreditIsFoundByIndexes: a line of a statement reads no history of its channel, whatever the line has.
func TestTheDepositOfACreditIsFoundByIndexes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const account = 1
	b.exec(`INSERT INTO bank_accounts (id, name, bank, holder, iban, bic, currency, client, open, created_at) VALUES ($1, 'A', 'B', 'C', 'DE1', '', 'USD', true, true, now())`, account)
	b.test.Tamper(t, `UPDATE pay_channels SET bank_account_id = 1 WHERE id = `+strconv.Itoa(channel)+`; INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, reference, state, created_at, expires_at)
		SELECT 1, 1, `+strconv.Itoa(channel)+`, 'bank', 'USD', 1000000 * (1 + n % 1000), 'R' || n, CASE n % 10 WHEN 0 THEN 'awaiting_transfer' ELSE 'expired' END, now() - n * interval '1 minute', now()
		FROM generate_series(1, 20000) n; ANALYZE deposits`)
	args := pgx.NamedArgs{"account": account, "currency": "USD", "reference": "R17", "amount": 5_000_000, "bank": "X", "limit": 20}
	rows, err := b.db.Pool.Query(t.Context(), `EXPLAIN `+deposit.CreditSQL, args)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	plan := strings.Join(lines, "\n")
	for _, index := range []string{"deposits_payable", "deposits_reference_key", "deposits_bank_reference"} {
		require.Contains(t, plan, index)
	}
	require.NotContains(t, plan, "Seq Scan on deposits")

	found := func(c deposit.BankCredit) (references []string) {
		c.AccountID, c.Currency = account, "USD"
		list, err := b.deposits.ForCredit(t.Context(), c, 3)
		require.NoError(t, err)
		for _, d := range list {
			references = append(references, d.Reference)
		}
		return references
	}
	require.Equal(t, []string{"R19999", "R4", "R1004"}, found(deposit.BankCredit{Amount: 5_000_000, Reference: "R19999"}), "the reference first, then the newest of the amount")
	require.Equal(t, []string{"R17"}, found(deposit.BankCredit{Amount: 1, Reference: "R17"}))
	require.Empty(t, found(deposit.BankCredit{Amount: 1, Reference: "R0"}))
	require.Empty(t, found(deposit.BankCredit{Amount: 1, BankReference: "no such"}))
}
