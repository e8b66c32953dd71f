package wallet_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/ledger"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/wallet"
)

func TestTransfer(t *testing.T) {
	t.Parallel()

	t.Run("MovesMoneyAndSaysWhy", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(100 * usdt)
		moved, err := b.transfer(o, ledger.Contract, ledger.Funding, 30*usdt)
		require.NoError(t, err)
		require.Equal(t, []int64{70 * usdt, 30 * usdt}, []int64{b.cash(o.AccountID), b.fundingBalance(o, "USDT")})
		require.Equal(t, []int64{o.AccountID}, b.changed, "the engine hears of it")
		lines, _, err := ledger.Statement(t.Context(), b.db.Pool, moved.ToAccount, ledger.StatementFilter{Limit: 5})
		require.NoError(t, err)
		require.Equal(t, []any{"transfer", "transfer:90001", 30 * int64(usdt)}, []any{lines[0].Kind, lines[0].Cause, lines[0].Amount})
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'wallet.transfer' AND target_id = '90001'`))

		_, err = b.transfer(o, ledger.Funding, ledger.Contract, 30*usdt)
		require.NoError(t, err)
		require.Equal(t, []int64{100 * usdt, 0}, []int64{b.cash(o.AccountID), b.fundingBalance(o, "USDT")})
		b.requireProved()
	})
	t.Run("OneKeyMovesItOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(100 * usdt)
		r := b.keyed(o)
		first, err := b.wallet.Transfer(t.Context(), o, wallet.End{Kind: ledger.Contract}, wallet.End{Kind: ledger.Funding}, usdt, r)
		require.NoError(t, err)
		again, err := b.wallet.Transfer(t.Context(), o, wallet.End{Kind: ledger.Contract}, wallet.End{Kind: ledger.Funding}, usdt, r)
		require.NoError(t, err)
		require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again))
		require.EqualValues(t, usdt, b.fundingBalance(o, "USDT"))
	})
	t.Run("WhatPositionsNeedStays", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(100 * usdt)
		b.needed = 40 * usdt
		_, err := b.transfer(o, ledger.Contract, ledger.Funding, 60*usdt+1)
		require.ErrorIs(t, err, wallet.ErrFunds)
		require.Equal(t, map[string]string{"free": "60", "currency": "USDT"}, errs.As(err).Args)
		_, err = b.transfer(o, ledger.Contract, ledger.Funding, 60*usdt)
		require.NoError(t, err)
		_, err = b.transfer(o, ledger.Funding, ledger.Contract, 60*usdt+1)
		require.ErrorIs(t, err, wallet.ErrFunds, "and no more comes back than there is")
	})
	t.Run("TheBonusStays", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(5 * usdt)
		b.post(o.AccountID, func(a ledger.Account) []ledger.Entry {
			return []ledger.Entry{{AccountID: a.ID, Bucket: ledger.Bonus, Amount: 50 * usdt}, {AccountID: 4, Bucket: "house", Amount: -50 * usdt}}
		})
		_, err := b.transfer(o, ledger.Contract, ledger.Funding, 6*usdt)
		require.ErrorIs(t, err, wallet.ErrFunds)
		_, err = b.transfer(o, ledger.Contract, ledger.Funding, 5*usdt)
		require.NoError(t, err)
	})
	t.Run("WhatIsOwedIsPaidFirst", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(10 * usdt)
		b.post(o.AccountID, func(a ledger.Account) []ledger.Entry { return a.Result(-14*usdt, 0) })
		b.fundUSDT(o, 10*usdt)
		_, err := b.transfer(o, ledger.Funding, ledger.Contract, 10*usdt)
		require.NoError(t, err)
		a, err := ledger.Load(t.Context(), b.db.Pool, o.AccountID)
		require.NoError(t, err)
		require.Equal(t, []int64{6 * usdt, 0}, []int64{a.Cash, a.Deficit})
		b.requireProved()
	})
	t.Run("WhatIsNoTransfer", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(10 * usdt)
		for _, way := range [][2]ledger.Kind{{ledger.Contract, ledger.Contract}, {ledger.Funding, ledger.Funding}, {"house", ledger.Contract}, {ledger.Contract, "house"}} {
			_, err := b.transfer(o, way[0], way[1], usdt)
			require.ErrorIs(t, err, wallet.ErrSame)
		}
		for _, amount := range []int64{0, -1} {
			_, err := b.transfer(o, ledger.Contract, ledger.Funding, amount)
			require.Contains(t, errs.As(err).Fields, "amount")
		}
		require.EqualValues(t, 10*usdt, b.cash(o.AccountID))
		require.Zero(t, b.count(`SELECT count(*) FROM accounts WHERE kind = 'funding'`))
	})
	t.Run("NotFromAMockAccountNorSomebodyElses", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, other := b.owner(10*usdt), b.owner(10*usdt)
		mock := o
		mock.AccountID = b.account(o.TraderID, ledger.Mock, 5).ID
		_, err := b.transfer(mock, ledger.Contract, ledger.Funding, usdt)
		require.ErrorIs(t, err, wallet.ErrMock)
		o.AccountID = other.AccountID
		_, err = b.transfer(o, ledger.Contract, ledger.Funding, usdt)
		require.ErrorIs(t, err, ledger.ErrAccount)
		require.EqualValues(t, 10*usdt, b.cash(other.AccountID))
	})
	t.Run("EightAtOnceMoveWhatThereIs", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(30 * usdt)
		require.EqualValues(t, 3, b.atOnce(func() error {
			_, err := b.transfer(o, ledger.Contract, ledger.Funding, 10*usdt)
			return err
		}, wallet.ErrFunds))
		require.Equal(t, []int64{0, 30 * usdt}, []int64{b.cash(o.AccountID), b.fundingBalance(o, "USDT")})
		b.requireProved()
	})
	t.Run("ThereAndBackAtOnceLocksNobodyOut", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(100 * usdt)
		b.fundUSDT(o, 100*usdt)
		var n atomic.Int32
		require.EqualValues(t, 8, b.atOnce(func() error {
			from, to := ledger.Contract, ledger.Funding
			if n.Add(1)%2 == 0 {
				from, to = to, from
			}
			_, err := b.transfer(o, from, to, usdt)
			return err
		}))
		require.Equal(t, []int64{100 * usdt, 100 * usdt}, []int64{b.cash(o.AccountID), b.fundingBalance(o, "USDT")})
		b.requireProved()
	})
}

// atOnce runs do eight times concurrently and counts the successes; the others must fail with one of refusals.
func (b *bundle) atOnce(do func() error, refusals ...error) int32 {
	b.Helper()
	var worked atomic.Int32
	var group errgroup.Group
	for range 8 {
		group.Go(func() error {
			err := do()
			if err == nil {
				worked.Add(1)
				return nil
			}
			for _, refusal := range refusals {
				if errors.Is(err, refusal) {
					return nil
				}
			}
			return err
		})
	}
	require.NoError(b, group.Wait())
	return worked.Load()
}

// on is a trading account as an end of a transfer.
func on(accountID int64) wallet.End { return wallet.End{Kind: ledger.Contract, AccountID: accountID} }

func TestTransferBetweenTradingAccounts(t *testing.T) {
	t.Parallel()

	t.Run("ThereAndBack", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(100 * usdt)
		second := b.another(o)
		moved, err := b.move(o, on(o.AccountID), on(second.ID), 30*usdt)
		require.NoError(t, err)
		require.Equal(t, []int64{o.AccountID, second.ID}, []int64{moved.FromAccount, moved.ToAccount})
		require.Equal(t, []int64{70 * usdt, 30 * usdt}, []int64{b.cash(o.AccountID), b.cash(second.ID)})
		require.Equal(t, []int64{o.AccountID, second.ID}, b.changed, "the engine hears of both")
		found, err := b.wallet.FindTransfer(t.Context(), o.TraderID, moved.ID)
		require.NoError(t, err)
		require.Equal(t, []ledger.Kind{ledger.Contract, ledger.Contract}, []ledger.Kind{found.From, found.To})

		_, err = b.move(o, on(second.ID), wallet.End{Kind: ledger.Contract}, 30*usdt)
		require.NoError(t, err, "without an id it is the session's")
		require.Equal(t, []int64{100 * usdt, 0}, []int64{b.cash(o.AccountID), b.cash(second.ID)})
		b.requireProved()
	})
	t.Run("AndWithTheFundingAccount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(10 * usdt)
		second := b.another(o)
		b.fundUSDT(o, 5*usdt)
		_, err := b.move(o, wallet.End{Kind: ledger.Funding}, on(second.ID), 5*usdt)
		require.NoError(t, err)
		_, err = b.move(o, on(second.ID), wallet.End{Kind: ledger.Funding}, 2*usdt)
		require.NoError(t, err)
		require.Equal(t, []int64{10 * usdt, 3 * usdt, 2 * usdt}, []int64{b.cash(o.AccountID), b.cash(second.ID), b.fundingBalance(o, "USDT")})
		b.requireProved()
	})
	t.Run("TheSourceKeepsItsMarginAndItsBonus", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(100 * usdt)
		second := b.another(o)
		b.needed = 40 * usdt
		_, err := b.move(o, on(o.AccountID), on(second.ID), 60*usdt+1)
		require.ErrorIs(t, err, wallet.ErrFunds)
		_, err = b.move(o, on(o.AccountID), on(second.ID), 60*usdt)
		require.NoError(t, err)
		_, err = b.move(o, on(second.ID), on(o.AccountID), 20*usdt+1)
		require.ErrorIs(t, err, wallet.ErrFunds, "the same rule for the other")
	})
	t.Run("NotToAnotherTradersNorAMockOneNorItself", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, other := b.owner(100*usdt), b.owner(100*usdt)
		mock, funding := b.account(o.TraderID, ledger.Mock, 5), b.funding(o.TraderID, "USDT")
		for _, pair := range [][2]wallet.End{{on(o.AccountID), on(other.AccountID)}, {on(other.AccountID), on(o.AccountID)}, {on(o.AccountID), on(funding.ID)}, {on(o.AccountID), on(1)}} {
			_, err := b.move(o, pair[0], pair[1], usdt)
			require.ErrorIs(t, err, ledger.ErrAccount)
		}
		for _, pair := range [][2]wallet.End{{on(o.AccountID), on(mock.ID)}, {on(mock.ID), on(o.AccountID)}} {
			_, err := b.move(o, pair[0], pair[1], usdt)
			require.ErrorIs(t, err, wallet.ErrMock)
		}
		for _, pair := range [][2]wallet.End{
			{on(o.AccountID), on(o.AccountID)}, {on(o.AccountID), {Kind: ledger.Contract}}, {on(o.AccountID), {Kind: ledger.Funding, AccountID: funding.ID}},
		} {
			_, err := b.move(o, pair[0], pair[1], usdt)
			require.ErrorIs(t, err, wallet.ErrSame)
		}
		require.Equal(t, []int64{100 * usdt, 100 * usdt}, []int64{b.cash(o.AccountID), b.cash(other.AccountID)})
		require.Zero(t, b.count(`SELECT count(*) FROM transfers`))
	})
	t.Run("BothWaysAtOnceLocksNobodyOut", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(100 * usdt)
		second := b.another(o)
		b.receive(second.ID, 100*usdt)
		var n atomic.Int32
		require.EqualValues(t, 8, b.atOnce(func() error {
			from, to := on(o.AccountID), on(second.ID)
			if n.Add(1)%2 == 0 {
				from, to = to, from
			}
			_, err := b.move(o, from, to, usdt)
			return err
		}))
		require.Equal(t, []int64{100 * usdt, 100 * usdt}, []int64{b.cash(o.AccountID), b.cash(second.ID)})
		b.requireProved()
	})
}

func TestTheWalletShowsEveryRealTradingAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(100 * usdt)
	second, third := b.another(o), b.another(o)
	b.account(o.TraderID, ledger.Mock, 5)
	b.receive(second.ID, 7*usdt)
	ids := func(v wallet.Overview) (ids []int64) {
		for _, h := range v.Holdings {
			if h.Kind == ledger.Contract {
				ids = append(ids, h.ID)
			}
		}
		return ids
	}
	v, err := b.wallet.List(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, []int64{o.AccountID, second.ID, third.ID}, ids(v))
	require.EqualValues(t, 107*usdt, v.Total)
	require.NotEmpty(t, v.Holdings[1].Name)

	main := o.AccountID
	o.AccountID = third.ID
	v, err = b.wallet.List(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, []int64{third.ID, main, second.ID}, ids(v), "the session's first")
	require.EqualValues(t, 107*usdt, v.Total)
}
