package banking_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/banking"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/db"
)

func (b *bundle) clientMoney() map[string]banking.ClientMoney {
	b.Helper()
	accounts, err := b.banking.Accounts(b.Context())
	require.NoError(b, err)
	balances, err := b.banking.Balances(b.Context())
	require.NoError(b, err)
	list, err := b.banking.ClientMoney(b.Context(), accounts, balances)
	require.NoError(b, err)
	out := map[string]banking.ClientMoney{}
	for _, m := range list {
		out[m.Code] = m
	}
	require.Len(b, out, len(list), "a row for each currency")
	return out
}

// TestClientMoneyIsOwedAndHeld follows a dollar from a statement to a trader, and out again.
func TestClientMoneyIsOwedAndHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	none := b.clientMoney()
	require.Equal(t, 1, none["USDT"].Unstated, "no statement has come")
	require.Zero(t, none["USDT"].Owed()+none["USDT"].Held()+none["BTC"].Owed()+none["BTC"].Held())
	require.NotContains(t, none, "USD", "it counts as USDT")

	lines := b.imported(statement(1, 100_000, line{15_000, "BANKREF1", traderName, "CD-7Q4K-2299"}))
	held := b.clientMoney()["USDT"]
	require.EqualValues(t, 1000*usd, held.Banks, "what the bank had at first; nobody has matched the line")
	require.Zero(t, held.Unstated)
	require.EqualValues(t, 1000*usd, held.Excess())

	d := b.deposit(150*usd, "CD-7Q4K-2299", deposit.ProofSubmitted)
	_, err := b.banking.MatchDeposit(t.Context(), b.maker, lines[0].ID, lines[0].Version, d.ID)
	require.NoError(t, err)
	held = b.clientMoney()["USDT"]
	require.EqualValues(t, 150*usd, held.Cash, "one person credits a small deposit that a line proves")
	require.EqualValues(t, 1150*usd, held.Banks)
	require.EqualValues(t, 1000*usd, held.Excess())

	b.sent(80*usd, "PAY-1") // paid in and out
	require.EqualValues(t, 1070*usd, b.clientMoney()["USDT"].Banks, "the bank has paid it, by the books")
	require.Zero(t, b.clientMoney()["USDT"].Elsewhere)
	b.count(`UPDATE withdrawals SET bank_account_id = NULL, provider = 'sandbox' RETURNING id`)
	require.EqualValues(t, -80*usd, b.clientMoney()["USDT"].Elsewhere, "a provider has paid it")
}

// TestPracticeMoneyIsNotOwed opens a mock account with money.
func TestPracticeMoneyIsNotOwed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
		a, err := ledger.OpenTx(t.Context(), tx, b.account.TraderID, ledger.Mock, 5, start)
		if err != nil {
			return err
		}
		_, err = ledger.PostTx(t.Context(), tx, ledger.Transaction{Kind: "issue", Key: "k", Cause: "test:1", Book: ledger.Mock, At: start, Entries: a.Receive(50 * usd)})
		return err
	}))
	require.Zero(t, b.clientMoney()["USDT"].Owed())
}
