package ledger_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"candor/app/ledger"
	"candor/app/platform/db"
)

// reverse takes back money that had been credited to the account.
func (b *bundle) reverse(id, amount int64, key string) error {
	return b.db.InTx(b.Context(), func(tx *db.Tx) error {
		a, err := ledger.LockTx(b.Context(), tx, id)
		if err != nil {
			return err
		}
		_, err = ledger.PostTx(b.Context(), tx, ledger.Transaction{Kind: "deposit_reversed", Key: key, Cause: key, Book: a.Book, At: start, Entries: a.Reverse(amount, 0)})
		return err
	})
}

func TestReverse(t *testing.T) {
	t.Parallel()

	t.Run("TakesFreeCash", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		require.NoError(t, b.reverse(a.ID, 60, "back"))
		b.requireBuckets(a.ID, 40, 0, 0)
		require.Zero(t, b.load(a.ID).Owed)
		require.EqualValues(t, -40, b.count(`SELECT sum(amount) FROM postings WHERE account_id = 1`), "the bank has what is left")
		b.requireProved()
	})
	t.Run("TheRestIsOwedAndTheBonusDoesNotPayIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		require.NoError(t, b.post(a.Book, "bonus", ledger.Entry{a.ID, ledger.Bonus, 30}, ledger.Entry{houseBonus, house, -30}))
		require.NoError(t, b.reverse(a.ID, 170, "back"))
		b.requireBuckets(a.ID, 0, 30, 0)
		require.EqualValues(t, -70, b.load(a.ID).Owed)
		require.EqualValues(t, -70, b.load(a.ID).Debt())
		require.EqualValues(t, -40, b.load(a.ID).Worth())
		b.requireProved()
	})
	t.Run("HappensOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		require.NoError(t, b.reverse(a.ID, 60, "back"))
		require.ErrorIs(t, b.reverse(a.ID, 60, "back"), ledger.ErrPosted)
		b.requireBuckets(a.ID, 40, 0, 0)
	})
	t.Run("WhatIsOwedIsNotForgiven", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		require.NoError(t, b.post(a.Book, "deal:1", a.Result(-80, 0)...))
		require.NoError(t, b.reverse(a.ID, 100, "back"))
		a = b.load(a.ID)
		require.NoError(t, b.post(a.Book, "deal:2", a.Result(-50, 0)...))
		b.requireBuckets(a.ID, 0, 0, -50)
		require.EqualValues(t, -80, b.load(a.ID).Owed)
		require.NoError(t, b.post(a.Book, "forgive", b.load(a.ID).WriteOff()...))
		b.requireBuckets(a.ID, 0, 0, 0)
		require.EqualValues(t, -80, b.load(a.ID).Owed)
		require.Empty(t, b.load(a.ID).WriteOff(), "there is nothing left to forgive")
		b.requireProved()
	})
	t.Run("LaterMoneyPaysItFirst", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		require.NoError(t, b.post(a.Book, "deal:1", a.Result(-100, 0)...))
		require.NoError(t, b.reverse(a.ID, 100, "back"))
		require.NoError(t, b.post(a.Book, "deal:2", b.load(a.ID).Result(-10, 0)...))
		for i, want := range [][2]int64{{-40, -10}, {0, 0}} {
			require.NoError(t, b.post(a.Book, fmt.Sprint("in:", i), b.load(a.ID).Receive(60)...))
			a = b.load(a.ID)
			require.Equal(t, want, [2]int64{a.Owed, a.Deficit})
		}
		require.EqualValues(t, 10, a.Cash)
		b.requireProved()
	})
	t.Run("TheDatabaseWantsAPostingForIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		require.NoError(t, b.reverse(a.ID, 100, "back"))
		for _, sql := range []string{`UPDATE accounts SET owed = -7 WHERE id = $1`, `UPDATE accounts SET owed = 1 WHERE id = $1`} {
			_, err := b.db.Pool.Exec(t.Context(), sql, a.ID)
			require.ErrorContains(t, err, "23514")
		}
	})
}

// TestVerifyFindsWhatIsOwedWrongly plants wrong debts by SQL.
func TestVerifyFindsWhatIsOwedWrongly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.funded(100)
	require.NoError(t, b.post(a.Book, "deal:1", a.Result(-30, 0)...))
	require.NoError(t, b.reverse(a.ID, 100, "back"))
	b.requireProved()
	for sql, table := range map[string]string{
		`UPDATE accounts SET owed = owed + 1 WHERE owed < 0`:           "accounts",
		`UPDATE accounts SET owed = 0 WHERE owed < 0`:                  "accounts",
		`UPDATE accounts SET deficit = owed, owed = 0 WHERE owed < 0`:  "accounts",
		`UPDATE postings SET bucket = 'deficit' WHERE bucket = 'owed'`: "accounts",
		`WITH t AS (UPDATE ledger_transactions SET kind = 'other' WHERE kind = 'deposit_reversed' RETURNING id)
		 UPDATE postings SET kind = 'other' FROM t WHERE transaction_id = t.id`: "postings",
	} {
		problem := b.afterTampering(sql)
		require.NotNil(t, problem, sql)
		require.Equal(t, table, problem.Table, sql)
	}
}

// TestAReversalHasTheOtherSide reverses random amounts on random accounts without the database.
func TestAReversalHasTheOtherSide(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Int64Range(0, 1_000_000_000_000)
		cash := amount.Draw(t, "cash")
		a := ledger.Account{
			ID: 1000, Book: ledger.Real, Cash: cash, Bonus: amount.Draw(t, "bonus"),
			Deficit: -amount.Draw(t, "deficit"), Owed: -amount.Draw(t, "owed"),
		}
		back := amount.Draw(t, "back") + 1
		after, sum := a.Apply(a.Reverse(back, 0)), int64(0)
		for _, e := range a.Reverse(back, 0) {
			sum += e.Amount
		}
		require.Zero(t, sum)
		require.Equal(t, a.Worth()-back, after.Worth())
		require.Equal(t, []int64{a.Bonus, a.Deficit}, []int64{after.Bonus, after.Deficit})
		require.GreaterOrEqual(t, after.Cash, int64(0))
		if after.Owed < a.Owed {
			require.Zero(t, after.Cash, "what is owed grows only when no cash is free")
		}
		in := amount.Draw(t, "in")
		paid := after.Apply(after.Receive(in))
		require.Equal(t, after.Worth()+in, paid.Worth())
		if paid.Deficit > after.Deficit {
			require.Zero(t, paid.Owed, "what nobody forgives is paid first")
		}
		require.Equal(t, paid.Owed, paid.Apply(paid.WriteOff()).Owed)
	})
}
