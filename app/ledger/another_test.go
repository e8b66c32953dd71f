package ledger_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
)

// another opens another account of a trader.
func (b *bundle) another(traderID int64, book ledger.Book, accountType int) (a ledger.Account) {
	b.Helper()
	b.inTx(func(tx *db.Tx) (err error) {
		a, err = ledger.OpenAnotherTx(b.Context(), tx, ledger.Another{TraderID: traderID, Book: book, Type: accountType, LeverageCeiling: 20, Netting: true}, start)
		return err
	})
	return a
}

func TestOpenAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.open(ledger.Real)
	trader := first.TraderID
	require.Equal(t, []any{1, true, "", 0}, []any{first.Number, first.Main(), first.Name, first.LeverageCeiling})
	mock := b.openFor(trader, ledger.Mock)
	second, third := b.another(trader, ledger.Real, 1), b.another(trader, ledger.Real, 1)
	secondMock := b.another(trader, ledger.Mock, 5)
	require.Equal(t, []any{2, false, 20, true}, []any{second.Number, second.Main(), second.LeverageCeiling, second.Netting})
	require.Equal(t, []int{3, 1, 2}, []int{third.Number, mock.Number, secondMock.Number}, "each book counts for itself")
	require.Equal(t, first, b.openFor(trader, ledger.Real), "the main account is found, not one of the others")

	list, err := ledger.List(t.Context(), b.db.Pool, trader)
	require.NoError(t, err)
	require.Equal(t, []ledger.Account{first, second, third, mock, secondMock}, list)
	books, err := ledger.BooksOf(t.Context(), b.db.Pool, []int64{trader})
	require.NoError(t, err)
	require.Equal(t, []ledger.Book{ledger.Real, ledger.Mock}, books[trader], "each once")

	for of, want := range map[int64]int64{first.ID: first.ID, third.ID: first.ID, secondMock.ID: mock.ID} {
		main, err := ledger.Main(t.Context(), b.db.Pool, ledger.Owner{TraderID: trader, AccountID: of})
		require.NoError(t, err)
		require.Equal(t, want, main.ID)
	}
	_, err = ledger.Main(t.Context(), b.db.Pool, ledger.Owner{TraderID: b.trader(), AccountID: first.ID})
	require.ErrorIs(t, err, ledger.ErrAccount, "not of another trader")
}

func TestTheTableRefusesWhatIsNoAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.open(ledger.Real)
	super, err := pgx.Connect(t.Context(), b.superURL)
	require.NoError(t, err)
	defer func() { _ = super.Close(context.Background()) }()
	for _, wrong := range []string{
		`UPDATE accounts SET number = 0 WHERE id = $1`, `UPDATE accounts SET number = 11 WHERE id = $1`, `UPDATE accounts SET leverage_ceiling = 0 WHERE id = $1`,
		`UPDATE accounts SET name = repeat('x', 31) WHERE id = $1`,
		`INSERT INTO accounts (trader_id, kind, book, type, currency) SELECT trader_id, kind, book, type, currency FROM accounts WHERE id = $1`,
		`INSERT INTO accounts (trader_id, kind, book, type, currency, number) SELECT trader_id, 'funding', book, type, currency, 2 FROM accounts WHERE id = $1`,
		`INSERT INTO accounts (trader_id, kind, book, type, currency, name) SELECT trader_id, 'funding', book, type, currency, 'x' FROM accounts WHERE id = $1`,
	} {
		_, err := super.Exec(t.Context(), wrong, first.ID)
		require.Error(t, err, wrong)
	}
	_, err = super.Exec(t.Context(), `UPDATE accounts SET name = repeat('x', 30), leverage_ceiling = 1, number = 10 WHERE id = $1`, first.ID)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE accounts SET name = 'x' WHERE id = 1`)
	require.ErrorContains(t, err, "keeps its name", "a house account's is not a trader's to give")
}

func TestChangeAnAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.open(ledger.Real), b.open(ledger.Real)
	b.inTx(func(tx *db.Tx) error {
		if err := ledger.RenameTx(t.Context(), tx, a.ID, "Scalping"); err != nil {
			return err
		}
		return ledger.RenameTx(t.Context(), tx, other.ID, "Long term")
	})
	b.inTx(func(tx *db.Tx) error { return ledger.SetLeverageCeilingTx(t.Context(), tx, a.ID, 50) })
	changed, err := ledger.Load(t.Context(), b.db.Pool, a.ID)
	require.NoError(t, err)
	require.Equal(t, []any{"Scalping", 50, a.Version + 1}, []any{changed.Name, changed.LeverageCeiling, changed.Version}, "copies in memory are stale")
	b.inTx(func(tx *db.Tx) error { return ledger.SetLeverageCeilingTx(t.Context(), tx, a.ID, 0) })
	b.inTx(func(tx *db.Tx) error { return ledger.ForgetNamesTx(t.Context(), tx, a.TraderID) })
	changed, err = ledger.Load(t.Context(), b.db.Pool, a.ID)
	require.NoError(t, err)
	require.Equal(t, []any{"", 0}, []any{changed.Name, changed.LeverageCeiling})
	kept, err := ledger.Load(t.Context(), b.db.Pool, other.ID)
	require.NoError(t, err)
	require.Equal(t, "Long term", kept.Name, "another trader's stays")
}
