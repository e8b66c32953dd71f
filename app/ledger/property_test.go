package ledger_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"candor/app/ledger"
)

// model is an account in memory: a second implementation of the trading rules.
type model struct {
	cash, bonus, deficit, owed int64
}

func (m *model) gain(amount int64) {
	for ; amount > 0 && m.owed < 0; amount-- {
		m.owed++
	}
	for ; amount > 0 && m.deficit < 0; amount-- {
		m.deficit++
	}
	m.cash += amount
}

func (m *model) lose(amount int64) {
	for ; amount > 0; amount-- {
		switch {
		case m.cash > 0:
			m.cash--
		case m.bonus > 0:
			m.bonus--
		default:
			m.deficit--
		}
	}
}

// act is one random movement of an account; it changes the model and the ledger alike.
type act func(t *rapid.T, b *bundle, m *model, a ledger.Account, key string) error

// booked posts entries, if any.
func booked(b *bundle, a ledger.Account, key string, entries []ledger.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	return b.post(a.Book, key, entries...)
}

var acts = map[string]act{
	"deal": func(t *rapid.T, b *bundle, m *model, a ledger.Account, key string) error {
		profit, commission := rapid.Int64Range(-300, 300).Draw(t, "profit"), rapid.Int64Range(0, 20).Draw(t, "commission")
		if net := profit - commission; net >= 0 {
			m.gain(net)
		} else {
			m.lose(-net)
		}
		return booked(b, a, key, a.Result(profit, commission))
	},
	"receive": func(t *rapid.T, b *bundle, m *model, a ledger.Account, key string) error {
		amount := rapid.Int64Range(1, 200).Draw(t, "amount")
		m.gain(amount)
		return booked(b, a, key, a.Receive(amount))
	},
	"forgive": func(_ *rapid.T, b *bundle, m *model, a ledger.Account, key string) error {
		m.deficit = 0
		return booked(b, a, key, a.WriteOff())
	},
	"reverse": func(t *rapid.T, b *bundle, m *model, a ledger.Account, key string) error {
		amount := rapid.Int64Range(1, 200).Draw(t, "amount")
		for left := amount; left > 0; left-- {
			if m.cash > 0 {
				m.cash--
			} else {
				m.owed--
			}
		}
		return b.reverse(a.ID, amount, key)
	},
	"bonus": func(t *rapid.T, b *bundle, m *model, a ledger.Account, key string) error {
		amount := rapid.Int64Range(1, 50).Draw(t, "amount")
		m.bonus += amount
		return b.post(a.Book, key, ledger.Entry{AccountID: a.ID, Bucket: ledger.Bonus, Amount: amount}, ledger.Entry{AccountID: houseBonus, Bucket: house, Amount: -amount})
	},
}

// TestAnySequenceKeepsTheBooks runs random movements of two accounts: each transaction sums to zero, every balance follows the rules and
// equals the sum of its postings, and the house has the other side.
func TestAnySequenceKeepsTheBooks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sequence := 0
	rapid.Check(t, func(t *rapid.T) {
		sequence++
		accounts := [2]ledger.Account{b.open(ledger.Real), b.open(ledger.Real)}
		models := [2]model{}
		for step := range rapid.IntRange(1, 14).Draw(t, "steps") {
			of := rapid.IntRange(0, 1).Draw(t, "account")
			name := rapid.SampledFrom([]string{"deal", "deal", "deal", "receive", "receive", "forgive", "reverse", "bonus"}).Draw(t, "act")
			require.NoError(t, acts[name](t, b, &models[of], b.load(accounts[of].ID), fmt.Sprint(sequence, "/", step)))
		}
		for of, m := range models {
			a := b.load(accounts[of].ID)
			require.Equal(t, []int64{m.cash, m.bonus, m.deficit, m.owed}, []int64{a.Cash, a.Bonus, a.Deficit, a.Owed}, "cash, bonus, deficit, owed")
			require.Equal(t, a.Worth(), b.count(`SELECT coalesce(sum(amount), 0) FROM postings WHERE account_id = $1`, a.ID))
		}
		require.Zero(t, b.count(`SELECT coalesce(sum(amount), 0) FROM postings`))
	})
	b.requireProved()
}

// TestTheHouseHasTheOtherSide books random results of one account without the database: no money is created or lost.
func TestTheHouseHasTheOtherSide(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Int64Range(0, 1_000_000_000_000)
		cash := amount.Draw(t, "cash")
		a := ledger.Account{ID: 1000, Book: ledger.Real, Cash: cash, Bonus: amount.Draw(t, "bonus"), Deficit: -amount.Draw(t, "deficit")}
		profit, commission := amount.Draw(t, "gain")-amount.Draw(t, "loss"), amount.Draw(t, "commission")
		entries := a.Result(profit, commission)
		after := a.Apply(entries)
		require.Equal(t, a.Worth()+profit-commission, after.Worth())
		sum := int64(0)
		for _, e := range entries {
			sum += e.Amount
		}
		require.Zero(t, sum)
		require.GreaterOrEqual(t, after.Cash, int64(0))
		require.GreaterOrEqual(t, after.Bonus, int64(0))
		require.LessOrEqual(t, after.Deficit, int64(0))
		if after.Deficit < a.Deficit {
			require.Equal(t, []int64{0, 0}, []int64{after.Cash, after.Bonus}, "a deficit grows only when nothing else is left")
		}
		if after.Cash > a.Cash {
			require.Zero(t, after.Deficit, "cash grows only when nothing is owed")
		}
	})
}
