package wallet_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/market"
	"candor/app/wallet"
)

// TestVerifyNamesWhatDoesNotFit changes one value at a time, as only a superuser can.
func TestVerifyNamesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ sql, what string }{
		"AnAmountThatIsGot":     {`UPDATE exchange_quotes SET to_amount = to_amount + 1`, "where its rate says"},
		"AnAmountThatIsGiven":   {`UPDATE exchange_quotes SET from_amount = from_amount + 1000`, "where its rate says"},
		"TheSpread":             {`UPDATE exchange_quotes SET spread = 0`, "where its rate says"},
		"TheRateThatIsShown":    {`UPDATE exchange_quotes SET rate = rate + 1`, "where its rate says"},
		"ThePrice":              {`UPDATE exchange_quotes SET buy_price = buy_price - 1`, "where the tape says"},
		"TheTape":               {`UPDATE tape_quotes SET ask = ask + 1`, "where the tape says"},
		"TheTapeRemoved":        {`DELETE FROM tape_quotes`, "not on the tape"},
		"AnotherProduct":        {`UPDATE exchange_quotes SET buy_product = 202, buy_seq = 3`, "another product"},
		"APostingOfIt":          {`UPDATE postings SET amount = amount + 1 WHERE account_id IN (SELECT to_account FROM exchanges)`, "the ledger moved"},
		"TheMoment":             {`UPDATE exchanges SET created_at = created_at + interval '15 seconds'`, "life of its quote"},
		"SomebodyElsesQuote":    {`UPDATE exchange_quotes SET trader_id = trader_id + 1`, "another trader"},
		"AnAccountOfOtherMoney": {`UPDATE exchanges SET to_account = from_account`, "other accounts"},
		"TheAccountToTradeWith": {`UPDATE exchanges SET from_account = (SELECT id FROM accounts WHERE kind = 'contract')`, "other accounts"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			o := b.owner(0)
			b.fundUSDT(o, 10_000*usdt)
			if name == "AnotherProduct" { // its price is on the tape too
				b.quote(o, "USDT", "ETH", wallet.PaidSide, 100*usdt)
			}
			_, err := b.exchange(o, b.quote(o, "USDT", "BTC", wallet.PaidSide, 9_001*usdt).ID)
			require.NoError(t, err)
			b.requireProved()
			super, err := pgx.Connect(t.Context(), b.database.SuperURL)
			require.NoError(t, err)
			defer func() { _ = super.Close(t.Context()) }()
			_, err = super.Exec(t.Context(), `SET session_replication_role = replica; ALTER TABLE exchanges DROP CONSTRAINT exchanges_check;`+c.sql)
			require.NoError(t, err)
			problem, _, err := wallet.Verify(t.Context(), b.db.Pool, market.Catalogue())
			require.NoError(t, err)
			require.NotNil(t, problem)
			require.Equal(t, []string{"exchanges", "id 70001"}, []string{problem.Table, problem.Row})
			require.Contains(t, problem.What, c.what)
		})
	}
}
