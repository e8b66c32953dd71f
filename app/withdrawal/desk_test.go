package withdrawal_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/withdrawal"
)

func TestApprove(t *testing.T) {
	t.Parallel()

	t.Run("TwoPeopleAndAboveALimitThree", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 1_000*usdt)
		w := b.requested(o, 100*usdt)
		w, err := b.approve(b.maker, w.ID)
		require.NoError(t, err)
		require.Equal(t, []any{withdrawal.Approved1, []int64{b.maker.ID}, true}, []any{w.State, b.approvers(w), w.ClaimedBy == nil})
		_, err = b.approve(b.maker, w.ID)
		require.ErrorIs(t, err, approval.ErrSamePerson)
		b.clock.Advance(16 * time.Minute)
		w, err = b.approve(b.checker, w.ID)
		require.NoError(t, err)
		require.Equal(t, []any{withdrawal.Queued, []int64{b.maker.ID, b.checker.ID}, true}, []any{w.State, b.approvers(w), w.ClaimedBy == nil})

		b.set(switches.LeadAboveKey, "99.999999")
		large := b.in(o, withdrawal.Approved1)
		large, err = b.approve(b.checker, large.ID)
		require.NoError(t, err)
		require.Equal(t, withdrawal.Approved2, large.State)
		for _, again := range []audit.Actor{b.maker, b.checker} {
			_, err = b.approve(again, large.ID)
			require.ErrorIs(t, err, approval.ErrSamePerson)
			b.clock.Advance(16 * time.Minute)
		}
		large, err = b.approve(b.lead, large.ID)
		require.NoError(t, err)
		require.Equal(t, []any{withdrawal.Queued, []int64{b.maker.ID, b.checker.ID, b.lead.ID}}, []any{large.State, b.approvers(large)})
		require.EqualValues(t, 200*usdt, b.house("payouts"), "nothing has gone out yet")
	})
	t.Run("NotWhileADepositIsGone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 1_000*usdt)
		w := b.requested(o, 100*usdt)
		b.execAsOwner(`INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, provider, sort, enabled) VALUES (101, 'third_party', 'Pay', 'USDT', 1, 2, 'sandbox', 1, true)`)
		b.execAsOwner(`INSERT INTO deposits (trader_id, account_id, channel_id, kind, provider, currency, amount, received, reference, state, created_at, expires_at, decided_at, gone_at, transaction_id)
			VALUES ($1, $2, 101, 'third_party', 'sandbox', 'USDT', 1, 1, 'CD-GONE', 'credited', $3, $3, $3, $3, (SELECT max(id) FROM ledger_transactions))`,
			o.TraderID, o.AccountID, b.clock.Now())
		_, err := b.approve(b.maker, w.ID)
		require.ErrorIs(t, err, withdrawal.ErrMissingDeposit)
		_, err = b.request(o, 50*usdt)
		require.ErrorIs(t, err, withdrawal.ErrMissingDeposit)
		b.execAsOwner(`UPDATE deposits SET gone_at = NULL WHERE trader_id = $1`, o.TraderID)
		_, err = b.approve(b.maker, w.ID)
		require.NoError(t, err, "it is there again")
	})
	t.Run("OfEightAtOnceOneApproves", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		w := b.requested(b.owner(1, 1_000*usdt), 100*usdt)
		w, err := b.withdrawals.Claim(t.Context(), b.maker, w.ID)
		require.NoError(t, err)
		require.Equal(t, 1, b.atOnce(func(int) error {
			_, err := b.withdrawals.Approve(t.Context(), b.maker, w.ID, w.Version, withdrawal.Review, w.Facts())
			return err
		}, withdrawal.ErrChanged))
	})
	t.Run("IsBoundToWhatWasShown", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 1_000*usdt)
		w := b.requested(o, 100*usdt)
		w, err := b.withdrawals.Claim(t.Context(), b.maker, w.ID)
		require.NoError(t, err)
		for what, change := range map[string]func(*withdrawal.Withdrawal){
			"amount": func(w *withdrawal.Withdrawal) { w.Amount-- }, "fee": func(w *withdrawal.Withdrawal) { w.Fee++ }, "iban": func(w *withdrawal.Withdrawal) { w.IBAN += "1" }, "chain": func(w *withdrawal.Withdrawal) { w.Chain = "tron" },
			"address": func(w *withdrawal.Withdrawal) { w.Address = "X" }, "memo": func(w *withdrawal.Withdrawal) { w.Memo = "1" },
			"bic": func(w *withdrawal.Withdrawal) { w.BIC = "X" }, "holder": func(w *withdrawal.Withdrawal) { w.HolderSealed = []byte("X") }, "bank": func(w *withdrawal.Withdrawal) { w.Bank = "X" },
			"account": func(w *withdrawal.Withdrawal) { w.AccountID++ }, "trader": func(w *withdrawal.Withdrawal) { w.TraderID++ }, "payee": func(w *withdrawal.Withdrawal) { w.PayeeID++ },
			"number": func(w *withdrawal.Withdrawal) { w.ID++ }, "currency": func(w *withdrawal.Withdrawal) { w.Currency = "EUR" }, "kind": func(w *withdrawal.Withdrawal) { w.Kind = "x" },
		} {
			shown := w
			change(&shown)
			_, err := b.withdrawals.Approve(t.Context(), b.maker, w.ID, w.Version, withdrawal.Review, shown.Facts())
			require.ErrorIs(t, err, approval.ErrChanged, what)
		}
		_, err = b.withdrawals.Approve(t.Context(), b.maker, w.ID, w.Version-1, withdrawal.Review, w.Facts())
		require.ErrorIs(t, err, withdrawal.ErrChanged, "another version")
		_, err = b.withdrawals.Approve(t.Context(), b.checker, w.ID, w.Version, withdrawal.Review, w.Facts())
		require.ErrorIs(t, err, withdrawal.ErrNotClaimed)
		_, err = b.withdrawals.Approve(t.Context(), b.maker, w.ID, w.Version, withdrawal.Approved1, w.Facts())
		require.ErrorIs(t, err, withdrawal.ErrState, "a step that it is not at")
	})
	t.Run("NobodyElsewhereCanChangeTheFacts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		w := b.in(b.owner(1, 1_000*usdt), withdrawal.Approved1)
		for _, column := range []string{"amount = amount + 1", "fee = 0", "iban = 'X'", "bank = 'X'", "account_id = account_id", "taken_id = taken_id"} {
			_, err := b.db.Pool.Exec(t.Context(), `UPDATE withdrawals SET `+column+` WHERE id = $1`, w.ID)
			require.ErrorContains(t, err, "42501", column)
		}
		for _, column := range []string{"holder_sealed = 'X'", "holder_key = NULL, holder_sealed = NULL", "state = 'queued', queued_at = now()", "state = 'failed'"} {
			_, err := b.db.Pool.Exec(t.Context(), `UPDATE withdrawals SET `+column+` WHERE id = $1`, w.ID)
			require.ErrorContains(t, err, "23514", column)
		}
	})
	t.Run("NoOutcomeIsAnyonesWordAlone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 1_000*usdt)
		for from, ends := range map[withdrawal.State][]withdrawal.State{withdrawal.Processing: {withdrawal.Failed}, withdrawal.OutcomeUnknown: {withdrawal.Failed, withdrawal.Sent}} {
			w := b.in(o, from)
			for _, end := range ends {
				_, err := b.db.Pool.Exec(t.Context(), `UPDATE withdrawals SET state = $2 WHERE id = $1`, w.ID, end)
				require.ErrorContains(t, err, "nobody approved this row", "%s to %s", from, end)
			}
		}
	})
	t.Run("WhatWasChangedBehindTheDesksBackIsNeitherApprovedNorSent", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1, 1_000*usdt)
		approved, queued := b.in(o, withdrawal.Approved1), b.in(o, withdrawal.Queued)
		b.database.Tamper(t, `UPDATE withdrawals SET iban = 'NL91ABNA0417164300'`)
		_, err := b.approve(b.checker, approved.ID)
		require.ErrorIs(t, err, approval.ErrChanged)
		_, err = b.by(b.maker, queued.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return b.withdrawals.Begin(t.Context(), b.maker, w.ID, w.Version, payer)
		})
		require.ErrorIs(t, err, approval.ErrChanged)
		require.Equal(t, withdrawal.Queued, b.read(queued.ID).State)
	})
}

func TestClaim(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.requested(b.owner(1, 1_000*usdt), 100*usdt)
	people := [8]audit.Actor{}
	for n := range people {
		people[n] = b.staff(fmt.Sprint("Finance maker 1", n))
	}
	require.Equal(t, 1, b.atOnce(func(n int) error {
		_, err := b.withdrawals.Claim(t.Context(), people[n], w.ID)
		return err
	}, withdrawal.ErrClaimed))
	_, err := b.withdrawals.Release(t.Context(), b.maker, w.ID)
	require.ErrorIs(t, err, withdrawal.ErrNotClaimed)
	b.clock.Advance(15 * time.Minute)
	w, err = b.withdrawals.Claim(t.Context(), b.maker, w.ID)
	require.NoError(t, err)
	w, err = b.withdrawals.Release(t.Context(), b.maker, w.ID)
	require.NoError(t, err)
	require.Nil(t, w.ClaimedBy)
	_, err = b.withdrawals.Claim(t.Context(), b.maker, 1)
	require.ErrorIs(t, err, withdrawal.ErrUnknown)
}

func TestSend(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(switches.BankFeeKey, "1")
	o := b.owner(1, 1_000*usdt)
	w := b.in(o, withdrawal.Processing)
	_, err := b.withdrawals.Finish(t.Context(), b.maker, w.ID, w.Version, " ab ", true)
	require.ErrorContains(t, err, "payment:")
	require.Equal(t, 1, b.atOnce(func(int) error {
		_, err := b.withdrawals.Finish(t.Context(), b.maker, w.ID, w.Version, "pay 1", true)
		return err
	}, withdrawal.ErrChanged))
	sent := b.read(w.ID)
	require.Equal(t, []any{withdrawal.Sent, "PAY 1"}, []any{sent.State, *sent.Payment})
	require.Equal(t, []int64{0, -901 * usdt, 1 * usdt}, []int64{b.house("payouts"), b.house("bank"), b.house("fees")})
	b.requireProved()

	second := b.in(o, withdrawal.Processing)
	for _, same := range []string{"Pay  1", "PAY-1", "pay1", "P.A.Y/1"} {
		_, err = b.withdrawals.Finish(t.Context(), b.maker, second.ID, second.Version, same, true)
		require.ErrorIs(t, err, withdrawal.ErrPayment, "one transfer pays one withdrawal: "+same)
	}
	require.Equal(t, withdrawal.Processing, b.read(second.ID).State)

	n, err := b.withdrawals.Complete(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	b.clock.Advance(5*24*time.Hour + time.Second)
	n, err = b.withdrawals.Complete(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, withdrawal.Completed, b.read(w.ID).State)
}

func TestWhatComesBack(t *testing.T) {
	t.Parallel()
	for _, state := range []withdrawal.State{withdrawal.Cancelled, withdrawal.Rejected, withdrawal.Failed, withdrawal.Returned} {
		t.Run(string(state), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.set(switches.BankFeeKey, "1")
			o := b.owner(1, 1_000*usdt)
			w := b.in(o, state)
			require.NotNil(t, w.BackID)
			require.EqualValues(t, 1_000*usdt, b.cash(o.AccountID), "with its fee")
			require.Equal(t, []int64{0, -1_000 * usdt, 0}, []int64{b.house("payouts"), b.house("bank"), b.house("fees")})
			b.requireProved()
		})
	}
}

func TestOutcomeUnknown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(1, 1_000*usdt)
	w := b.in(o, withdrawal.OutcomeUnknown)
	require.EqualValues(t, 100*usdt, b.house("payouts"), "the money stays where it is")
	_, err := b.withdrawals.Finish(t.Context(), b.maker, w.ID, w.Version, "PAY 9", true)
	require.ErrorIs(t, err, withdrawal.ErrState, "nobody sends it again")
	w, err = b.withdrawals.Claim(t.Context(), b.maker, w.ID)
	require.NoError(t, err)
	_, err = b.withdrawals.ConfirmFinding(t.Context(), b.maker, w.ID, w.Version)
	require.ErrorIs(t, err, withdrawal.ErrState, "nobody has found out anything")
	w, err = b.withdrawals.RecordFinding(t.Context(), b.maker, w.ID, w.Version, true, "PAY 9", "On the statement.")
	require.NoError(t, err)
	require.Equal(t, withdrawal.OutcomeUnknown, w.State)
	w, err = b.withdrawals.Claim(t.Context(), b.maker, w.ID)
	require.NoError(t, err)
	_, err = b.withdrawals.ConfirmFinding(t.Context(), b.maker, w.ID, w.Version)
	require.ErrorIs(t, err, approval.ErrSamePerson)
	b.clock.Advance(16 * time.Minute)
	w, err = b.withdrawals.Claim(t.Context(), b.checker, w.ID)
	require.NoError(t, err)
	w, err = b.withdrawals.ConfirmFinding(t.Context(), b.checker, w.ID, w.Version)
	require.NoError(t, err)
	require.Equal(t, []any{withdrawal.Sent, "PAY 9"}, []any{w.State, *w.Payment})
	require.EqualValues(t, 900*usdt, b.cash(o.AccountID))
	b.requireProved()
}

func TestFreeze(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(1, 10_000*usdt)
	for _, state := range []withdrawal.State{withdrawal.Review, withdrawal.MoreInfo, withdrawal.Approved1, withdrawal.Queued} {
		w := b.in(o, state)
		w, err := b.withdrawals.Freeze(t.Context(), b.lead, w.ID, w.Version, "under_examination", "")
		require.NoError(t, err)
		_, err = valueOf(b.withdrawals.Cancel(t.Context(), o.Owner, w.ID, b.keyed(o)))
		require.ErrorIs(t, err, withdrawal.ErrState)
		_, err = b.approve(b.lead, w.ID)
		require.ErrorIs(t, err, withdrawal.ErrState)
		w, err = b.withdrawals.Unfreeze(t.Context(), b.lead, w.ID, b.read(w.ID).Version)
		require.NoError(t, err)
		require.Equal(t, state, w.State, "it goes on where it was")
		if state.Cancellable() {
			_, err = valueOf(b.withdrawals.Cancel(t.Context(), o.Owner, w.ID, b.keyed(o)))
			require.NoError(t, err)
		}
	}
	sending := b.in(o, withdrawal.Processing)
	_, err := b.withdrawals.Freeze(t.Context(), b.lead, sending.ID, sending.Version, "under_examination", "")
	require.ErrorIs(t, err, withdrawal.ErrState, "what is being sent can't be stopped")
	_, err = b.withdrawals.Unfreeze(t.Context(), b.lead, sending.ID, sending.Version)
	require.ErrorIs(t, err, withdrawal.ErrState)
}

// TestEveryActInEveryState tries each act in each state: acts outside the lifecycle are refused and change nothing.
func TestEveryActInEveryState(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := context.Background()
	states := []withdrawal.State{
		withdrawal.Review, withdrawal.MoreInfo, withdrawal.Approved1, withdrawal.Approved2, withdrawal.Queued, withdrawal.Processing, withdrawal.Sent, withdrawal.Completed,
		withdrawal.Cancelled, withdrawal.Rejected, withdrawal.Failed, withdrawal.Returned, withdrawal.Frozen, withdrawal.OutcomeUnknown,
	}
	fourth := b.staff("Finance maker 04")
	acts := map[string]struct {
		possible []withdrawal.State
		do       func(o owner, w withdrawal.Withdrawal) error
	}{
		"cancel": {[]withdrawal.State{withdrawal.Review, withdrawal.MoreInfo, withdrawal.Approved1, withdrawal.Approved2}, func(o owner, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.Cancel(ctx, o.Owner, w.ID, b.keyed(o))
			return err
		}},
		"reply": {[]withdrawal.State{withdrawal.MoreInfo}, func(o owner, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.Reply(ctx, o.Owner, w.ID, "So.", b.keyed(o))
			return err
		}},
		"approve": {[]withdrawal.State{withdrawal.Review, withdrawal.Approved1, withdrawal.Approved2}, func(_ owner, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.Approve(ctx, fourth, w.ID, w.Version, w.State, w.Facts())
			return err
		}},
		"ask": {[]withdrawal.State{withdrawal.Review}, func(_ owner, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.Ask(ctx, fourth, w.ID, w.Version, "other", "")
			return err
		}},
		"reject": {[]withdrawal.State{withdrawal.Review, withdrawal.MoreInfo, withdrawal.Approved1, withdrawal.Approved2, withdrawal.Frozen}, func(_ owner, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.Reject(ctx, fourth, w.ID, w.Version, "other", "")
			return err
		}},
		"recall": {[]withdrawal.State{withdrawal.Approved1, withdrawal.Approved2}, func(_ owner, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.Recall(ctx, fourth, w.ID, w.Version, "other", "")
			return err
		}},
		"freeze": {[]withdrawal.State{withdrawal.Review, withdrawal.MoreInfo, withdrawal.Approved1, withdrawal.Approved2, withdrawal.Queued}, func(_ owner, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.Freeze(ctx, fourth, w.ID, w.Version, "other", "")
			return err
		}},
		"thaw": {[]withdrawal.State{withdrawal.Frozen}, func(_ owner, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.Unfreeze(ctx, fourth, w.ID, w.Version)
			return err
		}},
		"begin": {[]withdrawal.State{withdrawal.Queued}, func(_ owner, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.Begin(ctx, fourth, w.ID, w.Version, payer)
			return err
		}},
		"finish": {[]withdrawal.State{withdrawal.Processing}, func(_ owner, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.Finish(ctx, fourth, w.ID, w.Version, fmt.Sprint("FIN ", w.ID), true)
			return err
		}},
		"find out": {[]withdrawal.State{withdrawal.OutcomeUnknown}, func(_ owner, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.RecordFinding(ctx, fourth, w.ID, w.Version, false, "", known)
			return err
		}},
		"settle": {nil, func(_ owner, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.ConfirmFinding(ctx, fourth, w.ID, w.Version)
			return err
		}},
		"bounce": {[]withdrawal.State{withdrawal.Sent, withdrawal.Completed}, func(_ owner, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.RecordReturn(ctx, fourth, w.ID, w.Version, "other", "")
			return err
		}},
	}
	for _, state := range states {
		for name, act := range acts {
			o := b.owner(2, 1_000*usdt)
			w := b.in(o, state)
			b.clock.Advance(16 * time.Minute)
			claimed, err := b.withdrawals.Claim(ctx, fourth, w.ID)
			if w.Ended() && state != withdrawal.Completed {
				require.ErrorIs(t, err, withdrawal.ErrState)
			} else {
				require.NoError(t, err)
				w = claimed
			}
			before := b.cash(o.AccountID)
			err = act.do(o, w)
			possible := false
			for _, s := range act.possible {
				possible = possible || s == state
			}
			if possible {
				require.NoError(t, err, "%s in %s", name, state)
				continue
			}
			require.ErrorIs(t, err, withdrawal.ErrState, "%s in %s", name, state)
			require.Equal(t, w.State, b.read(w.ID).State)
			require.Equal(t, before, b.cash(o.AccountID))
		}
	}
	b.requireProved()
}

// TestNothingGoesOutWhileTheBooksDoNotAgree checks that a withdrawal halt stops requests, approvals and sending, and nothing else.
func TestNothingGoesOutWhileTheBooksDoNotAgree(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(1, 1_000*usdt)
	asked, queued, sending := b.in(o, withdrawal.Review), b.in(o, withdrawal.Queued), b.in(o, withdrawal.Processing)
	b.halted = errHalted
	_, err := b.request(o, 100*usdt)
	require.ErrorIs(t, err, errHalted)
	_, err = b.approve(b.maker, asked.ID)
	require.ErrorIs(t, err, errHalted)
	_, err = b.by(b.maker, queued.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
		return b.withdrawals.Begin(t.Context(), b.maker, w.ID, w.Version, payer)
	})
	require.ErrorIs(t, err, errHalted)
	_, err = b.withdrawals.Finish(t.Context(), b.maker, sending.ID, sending.Version, "PAY 1", true)
	require.NoError(t, err, "what was sent already is written down")
	_, err = valueOf(b.withdrawals.Cancel(t.Context(), o.Owner, asked.ID, b.keyed(o)))
	require.NoError(t, err, "and money may come back")
}

// TestWhatHappensMeanwhileCounts stops a requested or approved withdrawal when a barrier appears later.
func TestWhatHappensMeanwhileCounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	barriers := map[string]struct {
		up, down func(o owner)
		refusal  error
	}{
		"AHold":               {func(owner) { b.until = b.clock.Now().Add(time.Hour) }, func(owner) { b.until = time.Time{} }, withdrawal.ErrLocked},
		"ALostVerification":   {func(o owner) { b.exec(`UPDATE traders SET level = 0 WHERE id = $1`, o.TraderID) }, func(o owner) { b.exec(`UPDATE traders SET level = 1 WHERE id = $1`, o.TraderID) }, withdrawal.ErrUnverified},
		"AStopOfWhatGoesOut":  {func(owner) { b.halted = errHalted }, func(owner) { b.halted = nil }, errHalted},
		"ARestrictionByStaff": {func(owner) { b.restricted = trader.ErrMoneyRestricted }, func(owner) { b.restricted = nil }, trader.ErrMoneyRestricted},
	}
	begin := func(id int64) (withdrawal.Withdrawal, error) {
		return b.by(b.maker, id, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return b.withdrawals.Begin(t.Context(), b.maker, w.ID, w.Version, payer)
		})
	}
	for name, one := range barriers {
		t.Run(name, func(t *testing.T) {
			o := b.owner(1, 1_000*usdt)
			asked, queued := b.in(o, withdrawal.Review), b.in(o, withdrawal.Queued)
			one.up(o)
			_, err := b.approve(b.maker, asked.ID)
			require.ErrorIs(t, err, one.refusal)
			_, err = begin(queued.ID)
			require.ErrorIs(t, err, one.refusal)
			one.down(o)
			_, err = b.approve(b.maker, asked.ID)
			require.NoError(t, err)
			_, err = begin(queued.ID)
			require.NoError(t, err)
		})
	}
}

// requestDirectly requests an approval about a withdrawal without the service.
func (b *bundle) requestDirectly(use string, by audit.Actor, w withdrawal.Withdrawal) error {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), `INSERT INTO approvals (use, subject, trader_id, proposal, note, facts, people, state, requested_by, requested_at, version)
		VALUES ($1, $2, $3, '{"fee": 0}', '', $4, 2, 'requested', $5, now(), 1)`, use, fmt.Sprint(w.ID), w.TraderID, w.Facts(), by.ID)
	return err
}

// TestNobodyDecidesAboutTheirOwn refuses every act to the trader and to the member of staff who introduced them, at the desk and in the database.
func TestNobodyDecidesAboutTheirOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(1, 1_000*usdt)
	asked := b.in(o, withdrawal.Review)
	b.exec(`UPDATE staff SET email = (SELECT email FROM traders WHERE id = $2) WHERE id = $1`, b.checker.ID, o.TraderID)
	introducer := b.owner(1, 0)
	b.exec(`UPDATE traders SET invited_by = $2 WHERE id = $1`, o.TraderID, introducer.TraderID)
	b.exec(`UPDATE staff SET email = (SELECT email FROM traders WHERE id = $2) WHERE id = $1`, b.lead.ID, introducer.TraderID)
	for _, who := range []audit.Actor{b.checker, b.lead} {
		_, err := b.withdrawals.Claim(t.Context(), who, asked.ID)
		require.ErrorIs(t, err, trader.ErrOwn)
		_, err = b.withdrawals.Freeze(t.Context(), who, asked.ID, asked.Version, "other", "")
		require.ErrorIs(t, err, trader.ErrOwn)
		for _, use := range []string{"withdrawal", "withdrawal_outcome"} {
			require.ErrorContains(t, b.requestDirectly(use, who, asked), "decides about their own trader")
		}
	}
	_, err := b.approve(b.maker, asked.ID)
	require.NoError(t, err, "somebody else may")
}

// TestWhoVerifiedATraderDecidesAboutNoneOfTheirMoney refuses every decision to the member of staff who verified the trader, at the desk and in the database;
// the member may still freeze the withdrawal, and another may decide.
func TestWhoVerifiedATraderDecidesAboutNoneOfTheirMoney(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(1, 1_000*usdt)
	asked := b.in(o, withdrawal.Review)
	b.exec(`SELECT take_duty($1, $2, 'person')`, b.checker.ID, o.TraderID)
	_, err := b.withdrawals.Claim(t.Context(), b.checker, asked.ID)
	require.ErrorIs(t, err, trader.ErrVerified)
	for name, act := range map[string]func() (withdrawal.Withdrawal, error){
		"approve": func() (withdrawal.Withdrawal, error) {
			return b.withdrawals.Approve(t.Context(), b.checker, asked.ID, asked.Version, asked.State, asked.Facts())
		},
		"reject": func() (withdrawal.Withdrawal, error) {
			return b.withdrawals.Reject(t.Context(), b.checker, asked.ID, asked.Version, "other", "")
		},
		"begin": func() (withdrawal.Withdrawal, error) {
			return b.withdrawals.Begin(t.Context(), b.checker, asked.ID, asked.Version, payer)
		},
		"finish": func() (withdrawal.Withdrawal, error) {
			return b.withdrawals.Finish(t.Context(), b.checker, asked.ID, asked.Version, "BANK-9", true)
		},
		"find out": func() (withdrawal.Withdrawal, error) {
			return b.withdrawals.RecordFinding(t.Context(), b.checker, asked.ID, asked.Version, false, "", "asked the bank")
		},
		"settle": func() (withdrawal.Withdrawal, error) {
			return b.withdrawals.ConfirmFinding(t.Context(), b.checker, asked.ID, asked.Version)
		},
	} {
		_, err := act()
		require.ErrorIs(t, err, trader.ErrVerified, name)
	}
	for _, use := range []string{"withdrawal", "withdrawal_outcome"} {
		require.ErrorContains(t, b.requestDirectly(use, b.checker, asked), "has the duty person", "the database refuses it too")
	}
	frozen, err := b.withdrawals.Freeze(t.Context(), b.checker, asked.ID, asked.Version, "other", "")
	require.NoError(t, err, "stopping it moves no money")
	_, err = b.withdrawals.Unfreeze(t.Context(), b.lead, frozen.ID, frozen.Version)
	require.NoError(t, err)
	_, err = b.approve(b.maker, asked.ID)
	require.NoError(t, err, "somebody else may")
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM staff_duties WHERE trader_id = $1 AND staff_id = $2 AND duty = 'money'`, o.TraderID, b.maker.ID))
}
