package deposit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/switches"
)

// matchStatement matches a deposit from the statement, with a unique bank reference.
func (b *bundle) matchStatement(by audit.Actor, d deposit.Deposit) (deposit.Deposit, error) {
	return b.deposits.MatchStatement(b.Context(), by, d.ID, d.Version, statementOf(d.Amount, fmt.Sprint("BANK-", b.next())), b.clock.Now())
}

// matched is a deposit that the maker matched from the statement.
func (b *bundle) matched(o ledger.Owner, amount int64) deposit.Deposit {
	b.Helper()
	d, err := b.matchStatement(b.maker, b.request(o, amount))
	require.NoError(b, err)
	return d
}

func TestTakeUp(t *testing.T) {
	t.Parallel()

	t.Run("TwoPeopleCreditWhatTheStatementSays", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d := b.matched(o, 50*usdt)
		require.Equal(t, []any{deposit.InReview, b.maker.ID, int64(50 * usdt), traderName, true, "2026-11-20"},
			[]any{d.State, *d.ClaimedBy, *d.Received, b.sender(d), *d.SenderSame, d.ValueDate.Format(time.DateOnly)})
		require.Equal(t, []int64{o.AccountID}, b.changed, "the trader is told")
		require.NotNil(t, d.DueAt(), "and when the desk means to have decided")
		require.Nil(t, d.ProvedAt(), "there is no proof")
		require.NotNil(t, b.proved(b.owner(1), 50*usdt).ProvedAt())
		list, err := b.deposits.Queue(t.Context(), time.Time{}, 0, 10)
		require.NoError(t, err)
		require.Equal(t, d.ID, list[0].ID)
		d, err = b.approve(d, 50*usdt)
		require.NoError(t, err)
		require.Equal(t, deposit.Approved, d.State, "whatever the sum")
		require.Zero(t, b.postings())
		d = b.claim(b.checker, d.ID)
		d, err = b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
		require.NoError(t, err)
		require.Equal(t, deposit.Credited, d.State)
		require.EqualValues(t, 50*usdt, b.cash(o.AccountID))
		require.Contains(t, []string{b.acts(d.ID)[4].Action, b.acts(d.ID)[3].Action}, "deposit.take_up")
		b.requireProved()
	})
	t.Run("AnExpiredOneTooAndTheDecisionIsOpenAgain", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.request(b.owner(1), 50*usdt)
		b.expireLate()
		d, err := b.matchStatement(b.maker, b.read(d.ID))
		require.NoError(t, err)
		require.Equal(t, []any{deposit.InReview, true}, []any{d.State, d.DecidedAt == nil})
		b.expireLate()
		require.Equal(t, deposit.InReview, b.read(d.ID).State, "it expires no more")
	})
	t.Run("GivenBackItStaysFoundForAnotherMaker", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.matched(b.owner(1), 50*usdt)
		d, err := b.deposits.Release(t.Context(), b.maker, d.ID)
		require.NoError(t, err)
		require.Equal(t, []any{deposit.InReview, true, int64(50 * usdt)}, []any{d.State, d.MatchedFromStatement(), *d.Received})
		other := b.staff("Finance maker 03")
		d = b.claim(other, d.ID)
		d, err = b.deposits.Approve(t.Context(), other, d.ID, d.Version, statementOf(50*usdt, "BANK-OTHER"))
		require.NoError(t, err)
		require.Equal(t, deposit.Approved, d.State)
	})
	t.Run("AnotherProofAskedForMakesItAnOrdinaryOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d := b.decline(b.maker, b.matched(o, 50*usdt), true)
		require.Equal(t, []any{false, "", true, true}, []any{d.MatchedFromStatement(), b.sender(d), d.SenderSame == nil, d.Received == nil})
		d, err := b.tryProve(o, d.ID, b.file(o, "late").Name)
		require.NoError(t, err)
		d, err = b.approve(b.claim(b.maker, d.ID), 50*usdt)
		require.NoError(t, err)
		require.Equal(t, deposit.Credited, d.State)
	})
	t.Run("WhatIsTypedIsChecked", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d, now := b.request(b.owner(1), 50*usdt), b.clock.Now()
		for _, typed := range []struct {
			says  deposit.Statement
			day   time.Time
			field string
		}{
			{statementOf(0, "BANK-1"), now, "received"}, {statementOf(500*usdt+1, "BANK-1"), now, "received"}, {statementOf(50*usdt, "ABC"), now, "bankReference"},
			{deposit.Statement{Received: 50 * usdt, Reference: "BANK-1"}, now, "sender"},
			{statementOf(50*usdt, "BANK-1"), now.Add(25 * time.Hour), "valueDate"}, {statementOf(50*usdt, "BANK-1"), now.Add(-31 * 24 * time.Hour), "valueDate"}, {statementOf(50*usdt, "BANK-1"), time.Time{}, "valueDate"},
		} {
			_, err := b.deposits.MatchStatement(t.Context(), b.maker, d.ID, d.Version, typed.says, typed.day)
			require.ErrorContains(t, err, typed.field+":", "%v", typed)
		}
		require.Equal(t, []any{deposit.AwaitingTransfer, d.Version}, []any{b.read(d.ID).State, b.read(d.ID).Version})
		_, err := b.deposits.MatchStatement(t.Context(), b.maker, d.ID, d.Version+1, statementOf(50*usdt, "BANK-1"), now)
		require.ErrorIs(t, err, deposit.ErrChanged)
		_, err = b.deposits.MatchStatement(t.Context(), b.maker, 424242, 1, statementOf(50*usdt, "BANK-1"), now)
		require.ErrorIs(t, err, deposit.ErrUnknown)
	})
	t.Run("AtTheSameMomentAsTheTradersProofOneOfThemIsFirst", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 5 {
			o := b.owner(1)
			d := b.request(o, 50*usdt)
			var files [8]string
			for n := range files {
				files[n] = b.file(o, fmt.Sprint("picture ", b.next())).Name
			}
			require.Equal(t, 1, b.atOnce(func(n int) error {
				if n%2 == 0 {
					_, err := b.matchStatement(b.maker, d)
					return err
				}
				_, err := b.tryProve(o, d.ID, files[n])
				return err
			}, deposit.ErrState, deposit.ErrChanged))
			d, err := b.deposits.Claim(t.Context(), b.maker, d.ID)
			require.NoError(t, err)
			d, err = b.approve(d, 50*usdt)
			require.NoError(t, err)
			if d.State == deposit.Approved {
				d, err = b.deposits.Claim(t.Context(), b.checker, d.ID)
				require.NoError(t, err)
				_, err = b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
				require.NoError(t, err)
			}
			require.EqualValues(t, 50*usdt, b.cash(o.AccountID), "credited once")
		}
		b.requireProved()
	})
	t.Run("TheDatabaseLetsNobodyCreditItAlone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		credited, err := b.approve(b.claimed(b.owner(1), 50*usdt), 50*usdt)
		require.NoError(t, err)
		for _, change := range []string{`value_date = now()`, `sender_same = false`} {
			_, err = b.keeper.Pool.Exec(t.Context(), `UPDATE deposits SET `+change+` WHERE id = $1`, credited.ID)
			require.ErrorContains(t, err, "deposits_doubted_has_two", change)
		}
	})
}

func TestSender(t *testing.T) {
	t.Parallel()

	t.Run("AnotherOneThanTheTraderNeedsASecondPerson", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d := b.claimed(o, 50*usdt)
		d, err := b.deposits.Approve(t.Context(), b.maker, d.ID, d.Version, deposit.Statement{Received: 50 * usdt, Reference: "BANK-1", Sender: " Somebody  Else "})
		require.NoError(t, err)
		require.Equal(t, []any{deposit.Approved, "Somebody Else", false}, []any{d.State, b.sender(d), *d.SenderSame})
		require.Zero(t, b.postings())
		d = b.claim(b.checker, d.ID)
		_, err = b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
		require.NoError(t, err)
		require.EqualValues(t, 50*usdt, b.cash(o.AccountID))
	})
	t.Run("TheTraderIsKept", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d, err := b.approve(b.claimed(b.owner(1), 50*usdt), 50*usdt)
		require.NoError(t, err)
		require.Equal(t, []any{deposit.Credited, traderName, true}, []any{d.State, b.sender(d), *d.SenderSame})
	})
	t.Run("IsChecked", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.claimed(b.owner(1), 50*usdt)
		for _, wrong := range []string{"", " ", "M", strings.Repeat("m", 141), "Mar\x00ta", "Mar\u202eta", "Mar\ata"} {
			_, err := b.deposits.Approve(t.Context(), b.maker, d.ID, d.Version, deposit.Statement{Received: 50 * usdt, Reference: "BANK-1", Sender: wrong})
			require.ErrorContains(t, err, "sender:", "%q", wrong)
		}
		require.Equal(t, d, b.read(d.ID))
	})
	t.Run("ChangedAfterTheApprovalVoidsIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.claim(b.checker, b.approved(b.owner(1)).ID)
		other := b.sealed(d, "Somebody Else")
		b.exec(`UPDATE deposits SET sender_name_key = $2, sender_name_sealed = $3 WHERE id = $1`, d.ID, other.WrappedKey, other.Ciphertext)
		require.Equal(t, "Somebody Else", b.sender(b.read(d.ID)))
		_, err := b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
		require.ErrorIs(t, err, deposit.ErrChanged)
		require.Zero(t, b.postings())
	})
}

func TestAlone(t *testing.T) {
	t.Parallel()
	limited := func(t *testing.T) *bundle {
		b := setup(t)
		b.exec(`INSERT INTO switches (key, value) VALUES ($1, '100')`, switches.SoloCreditsPerDayKey)
		require.NoError(t, b.switches.Reload(t.Context()))
		return b
	}
	credit := func(b *bundle, by audit.Actor, amount int64) deposit.State {
		b.Helper()
		d := b.claim(by, b.proved(b.owner(1), amount).ID)
		d, err := b.deposits.Approve(b.Context(), by, d.ID, d.Version, statementOf(amount, fmt.Sprint("BANK-", b.next())))
		require.NoError(b, err)
		return d.State
	}

	t.Run("UpToTheSumOfADay", func(t *testing.T) {
		t.Parallel()
		b := limited(t)
		require.Equal(t, deposit.Credited, credit(b, b.maker, 60*usdt))
		require.Equal(t, deposit.Credited, credit(b, b.maker, 40*usdt), "the sum itself")
		require.Equal(t, deposit.Approved, credit(b, b.maker, 20*usdt), "above it another person must agree")
		require.Equal(t, deposit.Credited, credit(b, b.staff("Finance maker 03"), 100*usdt), "everybody has a sum of their own")
		b.clock.Advance(24*time.Hour - time.Millisecond)
		require.Equal(t, deposit.Approved, credit(b, b.maker, 20*usdt))
		b.clock.Advance(time.Millisecond)
		require.Equal(t, deposit.Credited, credit(b, b.maker, 20*usdt), "the day is over")
	})
	t.Run("WhatASecondPersonHasAgreedToIsNotCounted", func(t *testing.T) {
		t.Parallel()
		b := limited(t)
		d, err := b.approve(b.claimed(b.owner(1), 6_000*usdt), 6_000*usdt)
		require.NoError(t, err)
		d = b.claim(b.checker, d.ID)
		_, err = b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
		require.NoError(t, err)
		require.Equal(t, deposit.Credited, credit(b, b.maker, 100*usdt))
	})
	t.Run("OfEightAtOnceThoseBelowTheSumAreCredited", func(t *testing.T) {
		t.Parallel()
		b := limited(t)
		var claimed [8]deposit.Deposit
		for n := range claimed {
			claimed[n] = b.claimed(b.owner(1), 50*usdt)
		}
		require.Equal(t, 8, b.atOnce(func(n int) error {
			_, err := b.approve(claimed[n], 50*usdt)
			return err
		}))
		require.EqualValues(t, 2, b.count(`SELECT count(*) FROM deposits WHERE state = 'credited'`))
		require.EqualValues(t, 6, b.count(`SELECT count(*) FROM deposits WHERE state = 'approved'`))
	})
}

func TestWeigh(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec(`INSERT INTO switches (key, value) VALUES ($1, '5100')`, switches.SoloCreditsPerDayKey)
	require.NoError(t, b.switches.Reload(t.Context()))
	_, err := b.approve(b.claimed(b.owner(1), 200*usdt), 200*usdt)
	require.NoError(t, err)
	small, large, found := b.proved(b.owner(1), 50*usdt), b.proved(b.owner(1), 5_000*usdt+1), b.matched(b.owner(1), 50*usdt)
	day := b.proved(b.owner(1), 4_901*usdt)
	for name, one := range map[string]struct {
		d    deposit.Deposit
		says deposit.Statement
		same bool
		want deposit.Second
	}{
		"Enough":      {small, statementOf(50*usdt, ""), true, deposit.NotNeeded},
		"NotTypedYet": {small, deposit.Statement{Received: 50 * usdt}, true, deposit.NotNeeded},
		"Amount":      {small, statementOf(49*usdt, ""), true, deposit.OtherAmount},
		"Sender":      {small, deposit.Statement{Received: 50 * usdt, Sender: "Somebody Else"}, false, deposit.OtherSender},
		"Limit":       {large, statementOf(5_000*usdt+1, ""), true, deposit.OverLimit},
		"Statement":   {found, statementOf(50*usdt, ""), true, deposit.FromStatement},
		"Day":         {day, statementOf(4_901*usdt, ""), true, deposit.OverDay},
	} {
		same, why, err := b.deposits.PreviewApproval(context.Background(), b.maker, one.d, one.says)
		require.NoError(t, err)
		require.Equal(t, []any{one.same, one.want}, []any{same, why}, name)
	}
}

func TestReadReference(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.request(b.owner(1), 50*usdt)
	b.request(b.owner(1), 50*usdt)
	for _, typed := range []string{d.Reference, strings.ToLower(d.Reference), strings.ReplaceAll(d.Reference, "-", ""), " " + strings.ReplaceAll(d.Reference, "-", " ") + " "} {
		reference, is := deposit.ReadReference(typed)
		require.Equal(t, []any{true, d.Reference}, []any{is, reference}, typed)
		list, _, err := b.deposits.Find(t.Context(), deposit.Search{Reference: reference}, deposit.Cursor{}, 10)
		require.NoError(t, err)
		require.Len(t, list, 1, "wherever it stands")
		require.Equal(t, d.ID, list[0].ID)
	}
	for _, other := range []string{"", "CD", "DP-50001", "CD-0000-1111", "CD-7Q4K-229", "CD-7Q4K-22911", "XX-7Q4K-2291"} {
		_, is := deposit.ReadReference(other)
		require.False(t, is, other)
	}
	list, _, err := b.deposits.Find(t.Context(), deposit.Search{Reference: "CD-2222-2222"}, deposit.Cursor{}, 10)
	require.NoError(t, err)
	require.Empty(t, list)
}
