package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
)

func (b *bundle) funding(traderID int64, currency string) (a ledger.Account) {
	b.Helper()
	b.inTx(func(tx *db.Tx) (err error) {
		a, err = ledger.OpenFundingTx(b.Context(), tx, traderID, 1, currency, start)
		return err
	})
	return a
}

func TestFunding(t *testing.T) {
	t.Parallel()

	t.Run("OneAccountPerTraderAndCurrency", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		contract := b.open(ledger.Real)
		bitcoin := b.funding(contract.TraderID, "BTC")
		require.Equal(t, bitcoin, b.funding(contract.TraderID, "BTC"))
		require.Equal(t, []any{ledger.Funding, ledger.Real, "BTC", 8}, []any{bitcoin.Kind, bitcoin.Book, bitcoin.Currency, bitcoin.ScaleOf()})
		dollars := b.funding(contract.TraderID, "USDT")
		require.NotEqual(t, contract.ID, dollars.ID, "USDT to keep is not USDT to trade with")
		all, err := ledger.ListAll(t.Context(), b.db.Pool, contract.TraderID)
		require.NoError(t, err)
		require.Equal(t, []ledger.Account{contract, bitcoin, dollars}, all)
		trades, err := ledger.List(t.Context(), b.db.Pool, contract.TraderID)
		require.NoError(t, err)
		require.Equal(t, []ledger.Account{contract}, trades, "nobody trades on the others")
	})
	t.Run("ACurrencyThatThereIsNot", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		trader := b.trader()
		require.ErrorIs(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := ledger.OpenFundingTx(t.Context(), tx, trader, 1, "DOGE", start)
			return err
		}), ledger.ErrAccount)
	})
	t.Run("TheDatabaseItselfRefuses", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		trader := b.trader()
		for _, values := range []string{
			`($1, 'funding', 'mock', 5, 'USDT', 0, 0)`, `($1, 'contract', 'real', 1, 'BTC', 0, 0)`,
			`($1, 'funding', 'real', 1, 'USDT', 1, 0)`, `($1, 'funding', 'real', 1, 'USDT', 0, -1)`,
		} {
			_, err := b.db.Pool.Exec(t.Context(), `INSERT INTO accounts (trader_id, kind, book, type, currency, bonus, deficit) VALUES `+values, trader)
			requireCode(t, check, err)
		}
		a := b.funding(trader, "USDT")
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE accounts SET netting = true WHERE id = $1`, a.ID)
		requireCode(t, check, err)
	})
	t.Run("MoneyMovesToWhatIsOwedFirst", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		contract := b.funded(100)
		require.NoError(t, b.post(ledger.Real, "loss", contract.Result(-130, 0)...))
		kept := b.funding(contract.TraderID, "USDT")
		require.NoError(t, b.post(ledger.Real, "in", kept.Receive(50)...))
		require.NoError(t, b.post(ledger.Real, "move", b.load(kept.ID).MoveTo(b.load(contract.ID), 50)...))
		b.requireBuckets(kept.ID, 0, 0, 0)
		b.requireBuckets(contract.ID, 20, 0, 0)
		require.Error(t, b.post(ledger.Real, "more", b.load(kept.ID).MoveTo(b.load(contract.ID), 1)...), "the database lets no cash below zero")
		b.requireProved()
	})
	t.Run("AnExchangeBalancesInEachCurrency", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		trader := b.trader()
		dollars, bitcoin := b.funding(trader, "USDT"), b.funding(trader, "BTC")
		require.NoError(t, b.post(ledger.Real, "in", dollars.Receive(1_000)...))
		post := func(key string, entries []ledger.Entry, currencies map[int64]string) error {
			return b.db.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := ledger.PostTx(t.Context(), tx, ledger.Transaction{Kind: "exchange", Key: key, Cause: key, Book: ledger.Real, At: start, Entries: entries, Currencies: currencies})
				return err
			})
		}
		entries, currencies := dollars.ExchangeInto(bitcoin, 900, 7)
		require.NoError(t, post("exchange:1", entries, currencies))
		b.requireBuckets(dollars.ID, 100, 0, 0)
		b.requireBuckets(bitcoin.ID, 7, 0, 0)
		require.EqualValues(t, 900, b.count(`SELECT sum(amount) FROM postings WHERE account_id = 50`))
		require.EqualValues(t, -7, b.count(`SELECT sum(amount) FROM postings WHERE account_id = 250`))
		b.requireProved()

		require.ErrorContains(t, post("across", []ledger.Entry{{dollars.ID, ledger.Cash, -5}, {bitcoin.ID, ledger.Cash, 5}}, map[int64]string{bitcoin.ID: "BTC"}), "that sum to", "not across currencies")
		require.Error(t, post("lied", []ledger.Entry{{dollars.ID, ledger.Cash, -5}, {bitcoin.ID, ledger.Cash, 5}}, nil), "nor by calling a bitcoin a dollar")
		b.requireProved()
	})
	t.Run("TwoAreLockedInOneOrder", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		one, other := b.funded(10), b.funded(20)
		b.inTx(func(tx *db.Tx) error {
			first, second, err := ledger.LockBothTx(t.Context(), tx, other.ID, one.ID)
			require.Equal(t, []int64{20, 10}, []int64{first.Cash, second.Cash}, "they come in the order of the call")
			return err
		})
	})
}

func TestSummedIn(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]ledger.Denomination{"USDT": {"USDT", 6}, "USD": {"USDT", 6}, "BTC": {"BTC", 8}, "EUR": {"EUR", 6}} {
		require.Equal(t, want, ledger.SummedIn(code), code)
	}
}
