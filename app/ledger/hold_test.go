package ledger_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/ledger"
	"candor/app/platform/db"
)

func (b *bundle) tryHold(accountID, amount int64, key string) (id int64, err error) {
	err = b.db.InTx(b.Context(), func(tx *db.Tx) error {
		id, err = ledger.HoldTx(b.Context(), tx, accountID, amount, key, "test", start)
		return err
	})
	return id, err
}

func (b *bundle) hold(accountID, amount int64, key string) int64 {
	b.Helper()
	id, err := b.tryHold(accountID, amount, key)
	require.NoError(b, err)
	return id
}

func (b *bundle) void(holdID int64) error {
	return b.db.InTx(b.Context(), func(tx *db.Tx) error { return ledger.VoidTx(b.Context(), tx, holdID, start) })
}

// postHold turns a hold into a posted payment.
func (b *bundle) postHold(holdID int64, key string, entries ...ledger.Entry) error {
	return b.db.InTx(b.Context(), func(tx *db.Tx) error {
		_, err := ledger.PostHoldTx(b.Context(), tx, holdID, ledger.Transaction{
			Kind: "withdrawal", Key: key, Cause: "test", Book: ledger.Real, At: start, Entries: entries,
		})
		return err
	})
}

func payOut(accountID, amount int64) []ledger.Entry {
	return []ledger.Entry{{accountID, ledger.Cash, -amount}, {houseTrading, house, amount}}
}

func TestHold(t *testing.T) {
	t.Parallel()

	t.Run("ReservesFreeCash", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		b.hold(a.ID, 60, "one")
		b.requireBuckets(a.ID, 100, 60, 0, 0)
		require.EqualValues(t, 40, b.load(a.ID).Free())
		b.hold(a.ID, 40, "two")
		b.requireBuckets(a.ID, 100, 100, 0, 0)
		b.requireProved()
	})
	t.Run("MoreThanIsFreeIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		require.NoError(t, b.post(a.Book, "bonus", ledger.Entry{a.ID, ledger.Bonus, 50}, ledger.Entry{houseBonus, house, -50}))
		_, err := b.tryHold(a.ID, 101, "one")
		require.ErrorIs(t, err, ledger.ErrNoCash, "a bonus is no cash")
		b.hold(a.ID, 60, "two")
		_, err = b.tryHold(a.ID, 41, "three")
		require.ErrorIs(t, err, ledger.ErrNoCash)
		b.requireBuckets(a.ID, 100, 60, 50, 0)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM holds`))
	})
	t.Run("NothingOrLessIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		for _, amount := range []int64{0, -1, -1 << 63} {
			_, err := b.tryHold(a.ID, amount, "k")
			require.ErrorIs(t, err, ledger.ErrNoCash)
		}
		b.requireBuckets(a.ID, 100, 0, 0, 0)
	})
	t.Run("AnUnknownAccountIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, id := range []int64{424242, houseTrading} {
			_, err := b.tryHold(id, 1, "k")
			require.ErrorIs(t, err, ledger.ErrAccount)
		}
	})
	t.Run("AUsedKeyIsRefusedAndHoldsNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		id := b.hold(a.ID, 10, "one")
		_, err := b.tryHold(a.ID, 10, "one")
		require.ErrorIs(t, err, ledger.ErrPosted)
		b.requireBuckets(a.ID, 100, 10, 0, 0)
		require.NoError(t, b.void(id))
		_, err = b.tryHold(a.ID, 10, "one")
		require.ErrorIs(t, err, ledger.ErrPosted, "for good")
		b.requireBuckets(a.ID, 100, 0, 0, 0)
	})
	t.Run("OfEightAtOnceForTheWholeBalanceOneGetsIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		var held, refused atomic.Int32
		var group errgroup.Group
		for n := range 8 {
			group.Go(func() error {
				switch _, err := b.tryHold(a.ID, 100, fmt.Sprint("hold:", n)); {
				case err == nil:
					held.Add(1)
				case errors.Is(err, ledger.ErrNoCash):
					refused.Add(1)
				default:
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.Equal(t, []int32{1, 7}, []int32{held.Load(), refused.Load()})
		b.requireBuckets(a.ID, 100, 100, 0, 0)
		b.requireProved()
	})
}

func TestEndOfAHold(t *testing.T) {
	t.Parallel()

	t.Run("VoidFreesIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		require.NoError(t, b.void(b.hold(a.ID, 60, "one")))
		b.requireBuckets(a.ID, 100, 0, 0, 0)
		b.requireProved()
	})
	t.Run("PostTakesIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		require.NoError(t, b.postHold(b.hold(a.ID, 60, "one"), "out", payOut(a.ID, 60)...))
		b.requireBuckets(a.ID, 40, 0, 0, 0)
		b.requireProved()
	})
	t.Run("PostTakesNeitherMoreNorLess", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a, other := b.funded(100), b.funded(100)
		id := b.hold(a.ID, 60, "one")
		for _, entries := range [][]ledger.Entry{payOut(a.ID, 61), payOut(a.ID, 59), payOut(a.ID, -60), payOut(other.ID, 60)} {
			require.ErrorContains(t, b.postHold(id, "out", entries...), "where 60 is held")
		}
		b.requireBuckets(a.ID, 100, 60, 0, 0)
		b.requireBuckets(other.ID, 100, 0, 0, 0)
		require.NoError(t, b.void(id), "it is pending still")
	})
	t.Run("APostingThatFailsLeavesItPending", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		id := b.hold(a.ID, 60, "one")
		require.ErrorIs(t, b.postHold(id, fmt.Sprint("fund:", a.ID), payOut(a.ID, 60)...), ledger.ErrPosted)
		b.requireBuckets(a.ID, 100, 60, 0, 0)
		require.NoError(t, b.postHold(id, "out", payOut(a.ID, 60)...))
		b.requireBuckets(a.ID, 40, 0, 0, 0)
	})
	t.Run("ASecondEndIsRefused", func(t *testing.T) {
		t.Parallel()
		ends := map[string]func(b *bundle, hold, account int64) error{
			"Void": func(b *bundle, hold, _ int64) error { return b.void(hold) },
			"Post": func(b *bundle, hold, account int64) error { return b.postHold(hold, "out", payOut(account, 60)...) },
		}
		for first, end := range ends {
			for second, again := range ends {
				t.Run(second+"After"+first, func(t *testing.T) {
					t.Parallel()
					b := setup(t)
					a := b.funded(100)
					b.hold(a.ID, 30, "another")
					id := b.hold(a.ID, 60, "one")
					require.NoError(t, end(b, id, a.ID))
					before := b.load(a.ID)
					require.ErrorIs(t, again(b, id, a.ID), ledger.ErrHold)
					require.Equal(t, before, b.load(a.ID))
					b.requireProved()
				})
			}
		}
	})
	t.Run("OfEightEndsAtOnceOneCounts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		id := b.hold(a.ID, 60, "one")
		var ended, refused atomic.Int32
		var group errgroup.Group
		for n := range 8 {
			group.Go(func() (err error) {
				if n%2 == 0 {
					err = b.void(id)
				} else {
					err = b.postHold(id, "out", payOut(a.ID, 60)...)
				}
				switch {
				case err == nil:
					ended.Add(1)
				case errors.Is(err, ledger.ErrHold):
					refused.Add(1)
				default:
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.Equal(t, []int32{1, 7}, []int32{ended.Load(), refused.Load()})
		require.Zero(t, b.load(a.ID).Held)
		b.requireProved()
	})
	t.Run("AnUnknownHoldIsAnError", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.Error(t, b.void(424242))
		require.Error(t, b.postHold(424242, "out", payOut(1000, 60)...))
	})
}
