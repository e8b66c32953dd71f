package adjustment_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/reconciliation"
	"candor/app/trader"
)

func TestTwoPeopleCorrectAnAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, amount := range map[string]int64{"Into": 25 * usdt, "OutOf": -25 * usdt} {
		account := b.trader(100)
		a := b.requested(account, amount)
		require.Equal(t, approval.Requested, a.State, name)
		require.EqualValues(t, 100*usdt, b.cash(account), "nothing moves yet")
		posted, err := b.confirm(b.checker, a)
		require.NoError(t, err, name)
		require.Equal(t, approval.Applied, posted.State)
		require.Equal(t, 100*usdt+amount, b.cash(account))
		require.Contains(t, b.changed, account.ID, "sockets are told")
		lines, _, err := ledger.Statement(t.Context(), b.db.Pool, account.ID, ledger.StatementFilter{Kind: "adjustment", Limit: 5})
		require.NoError(t, err)
		require.Len(t, lines, 1)
		require.Equal(t, []any{fmt.Sprint("adjustment:", a.ID), amount, ledger.Cash}, []any{lines[0].Cause, lines[0].Amount, lines[0].Bucket})
		reasons, err := b.adjustments.Reasons(t.Context(), account.ID, []int64{a.ID, 1})
		require.NoError(t, err)
		require.Equal(t, map[int64]string{a.ID: "missed_credit"}, reasons)
		reasons, err = b.adjustments.Reasons(t.Context(), account.ID+1, []int64{a.ID})
		require.NoError(t, err)
		require.Empty(t, reasons, "of another account")
		_, err = b.confirm(b.led, posted)
		require.ErrorIs(t, err, approval.ErrState, "once")
	}
	require.EqualValues(t, 2, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'adjustment.approve'`))
	require.EqualValues(t, 2, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'adjustment.request'`))
	b.proved()
}

func TestWhatIsOwedIsPaidFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.trader(10)
	require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
		locked, err := ledger.LockTx(t.Context(), tx, account.ID)
		if err != nil {
			return err
		}
		_, err = ledger.PostTx(t.Context(), tx, ledger.Transaction{Kind: "trade_close", Key: "loss", Cause: "order:1", Book: ledger.Real, At: start, Entries: locked.Result(-30*usdt, 0)})
		return err
	}))
	_, err := b.confirm(b.checker, b.requested(account, 25*usdt))
	require.NoError(t, err)
	now := b.load(account.ID)
	require.Equal(t, []int64{5 * usdt, 0, 0}, []int64{now.Cash, now.Bonus, now.Deficit})
	b.proved()
}

func TestAboveTheLimitThreeDecide(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.trader(0)
	at, err := b.confirm(b.checker, b.requested(account, 5_000*usdt))
	require.NoError(t, err)
	require.Equal(t, approval.Applied, at.State, "the limit itself takes two")
	above := b.requested(account, 5_000*usdt+1)
	confirmed, err := b.confirm(b.checker, above)
	require.NoError(t, err)
	require.Equal(t, approval.Confirmed, confirmed.State)
	require.EqualValues(t, 5_000*usdt, b.cash(account))
	for _, by := range []audit.Actor{b.maker, b.checker} {
		_, err = b.confirm(by, confirmed)
		require.ErrorIs(t, err, approval.ErrSamePerson)
	}
	_, err = b.adjustments.Approve(t.Context(), b.led, confirmed.ID, confirmed.Version, approval.Requested, confirmed.Facts)
	require.ErrorIs(t, err, approval.ErrState, "the checker's page does not make the lead's decision")
	posted, err := b.confirm(b.led, confirmed)
	require.NoError(t, err)
	require.Equal(t, []int64{b.checker.ID, b.led.ID}, []int64{*posted.SecondBy, *posted.ThirdBy})
	require.EqualValues(t, 10_000*usdt+1, b.cash(account))
	b.proved()
}

func TestNobodyAloneAndNobodyForThemselves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.trader(100)
	a := b.requested(account, 5*usdt)
	_, err := b.confirm(b.maker, a)
	require.ErrorIs(t, err, approval.ErrSamePerson)
	_, err = b.adjustments.Refuse(t.Context(), b.maker, a.ID, a.Version, "I changed my mind")
	require.ErrorIs(t, err, approval.ErrSamePerson)
	_, err = b.adjustments.Withdraw(t.Context(), b.checker, a.ID, a.Version)
	require.ErrorIs(t, err, approval.ErrNotRequester)
	for _, column := range []string{"second_by", "third_by", "closed_by"} {
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE approvals SET `+column+` = requested_by WHERE id = $1`, a.ID)
		require.ErrorContains(t, err, "check constraint", "the database refuses it too")
	}

	_, err = b.db.Pool.Exec(t.Context(), `UPDATE staff SET email = (SELECT email FROM traders WHERE id = $1) WHERE id = $2`, account.TraderID, b.checker.ID)
	require.NoError(t, err)
	_, err = b.confirm(b.checker, a)
	require.ErrorIs(t, err, trader.ErrOwn)
	_, err = b.adjustments.Refuse(t.Context(), b.checker, a.ID, a.Version, "It is mine")
	require.ErrorIs(t, err, trader.ErrOwn)
	_, err = b.adjustments.Request(t.Context(), b.checker, b.request(account, usdt))
	require.ErrorIs(t, err, trader.ErrOwn)
	friend := b.trader(0)
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE traders SET invited_by = $1 WHERE id = $2`, account.TraderID, friend.TraderID)
	require.NoError(t, err)
	_, err = b.adjustments.Request(t.Context(), b.checker, b.request(friend, usdt))
	require.ErrorIs(t, err, trader.ErrOwn, "who introduced them")
	require.EqualValues(t, 100*usdt, b.cash(account))
}

func TestItEndsWithoutAPosting(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.trader(100)
	a := b.requested(account, 5*usdt)
	_, err := b.adjustments.Refuse(t.Context(), b.checker, a.ID, a.Version, "no")
	require.ErrorIs(t, err, approval.ErrNote)
	refused, err := b.adjustments.Refuse(t.Context(), b.checker, a.ID, a.Version, "The bank line is of somebody else")
	require.NoError(t, err)
	require.Equal(t, []any{approval.Refused, b.checker.ID}, []any{refused.State, *refused.RefusedBy()})
	second := b.requested(account, 5*usdt)
	withdrawn, err := b.adjustments.Withdraw(t.Context(), b.maker, second.ID, second.Version)
	require.NoError(t, err)
	require.Equal(t, approval.Withdrawn, withdrawn.State)
	for _, ended := range []adjustment.Adjustment{refused, withdrawn} {
		_, err = b.confirm(b.checker, ended)
		require.ErrorIs(t, err, approval.ErrState)
		_, err = b.adjustments.Withdraw(t.Context(), b.maker, ended.ID, ended.Version)
		require.ErrorIs(t, err, approval.ErrState)
	}
	require.EqualValues(t, 100*usdt, b.cash(account))
	b.proved()
}

func TestNothingIsTakenThatIsNotFree(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.trader(100)
	_, err := b.adjustments.Request(t.Context(), b.maker, b.request(account, -100*usdt-1))
	require.ErrorIs(t, err, adjustment.ErrFunds)
	whole := b.requested(account, -100*usdt)
	b.needed = 1
	_, err = b.confirm(b.checker, whole)
	require.ErrorIs(t, err, adjustment.ErrFunds, "a position needs it by now")
	require.Equal(t, "99.999999", errs.As(err).Args["free"])
	b.needed = 0
	_, err = b.confirm(b.checker, whole)
	require.NoError(t, err)
	require.Zero(t, b.cash(account))
	_, err = b.adjustments.Request(t.Context(), b.maker, b.request(account, -1))
	require.ErrorIs(t, err, adjustment.ErrFunds)
	b.proved()
}

func TestLimits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.trader(0)
	_, err := b.adjustments.Request(t.Context(), b.maker, b.request(account, 50_000*usdt+1))
	require.ErrorIs(t, err, adjustment.ErrMaximum)
	large := b.requested(account, 50_000*usdt)
	for range 4 {
		b.requested(account, usdt)
	}
	_, err = b.adjustments.Request(t.Context(), b.maker, b.request(account, usdt))
	require.ErrorIs(t, err, adjustment.ErrTooMany)
	_, err = b.db.Pool.Exec(t.Context(), `INSERT INTO switches (key, value) VALUES ('adjustment.maximum', '40000')`)
	require.NoError(t, err)
	require.NoError(t, b.switches.Reload(t.Context()))
	confirmed, err := b.confirm(b.checker, large)
	require.NoError(t, err)
	_, err = b.confirm(b.led, confirmed)
	require.ErrorIs(t, err, adjustment.ErrMaximum, "the limit of the moment of the posting")
	require.Zero(t, b.cash(account))
}

// TestItAnswersACaseOfTheSameTrader refuses a case of another trader, of nobody, and one that is not there.
func TestItAnswersACaseOfTheSameTrader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account, other := b.trader(100), b.trader(100)
	for _, kind := range []adjustment.CaseKind{adjustment.Conversation, adjustment.Deposit} {
		r := b.request(account, usdt)
		r.CaseKind = kind
		made, err := b.adjustments.Request(t.Context(), b.maker, r)
		require.NoError(t, err)
		require.Equal(t, adjustment.Case{CaseKind: kind, CaseID: account.TraderID}, made.Case)
		posted, err := b.confirm(b.checker, made)
		require.NoError(t, err)
		require.Equal(t, made.Case, posted.Case)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM adjustments WHERE id = $1 AND case_kind = $2 AND case_id = $3`, made.ID, kind, account.TraderID))
	}
	for id, want := range map[int64]error{other.TraderID: adjustment.ErrCaseOther, nobodyCase: adjustment.ErrCaseOther, noCase: adjustment.ErrCaseUnknown, 0: adjustment.ErrCaseUnknown, -1: adjustment.ErrCaseUnknown} {
		r := b.request(account, usdt)
		r.CaseID = id
		_, err := b.adjustments.Request(t.Context(), b.maker, r)
		require.Error(t, err, id)
		require.Equal(t, errs.As(want).Fields, errs.As(err).Fields, id)
	}
	r := b.request(account, usdt)
	r.CaseKind = adjustment.Order // nobody here reads whose an order is
	_, err := b.adjustments.Request(t.Context(), b.maker, r)
	require.Equal(t, errs.As(adjustment.ErrCaseKind).Fields, errs.As(err).Fields)
	require.EqualValues(t, 2, b.count(`SELECT count(*) FROM approvals`))
}

func TestWhatIsAskedMustBeWhole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.trader(100)
	for want, change := range map[error]func(*adjustment.Request){
		adjustment.ErrAmount:    func(r *adjustment.Request) { r.Amount = 0 },
		adjustment.ErrReason:    func(r *adjustment.Request) { r.Reason = "because" },
		adjustment.ErrCaseKind:  func(r *adjustment.Request) { r.CaseKind = "rumour" },
		approval.ErrNote:        func(r *adjustment.Request) { r.Note = "no" },
		adjustment.ErrNoAccount: func(r *adjustment.Request) { r.TraderID, r.CaseID = 1, 1 },
	} {
		r := b.request(account, usdt)
		change(&r)
		_, err := b.adjustments.Request(t.Context(), b.maker, r)
		require.ErrorIs(t, err, want)
		if refusal := errs.As(want); len(refusal.Fields) > 0 {
			require.Equal(t, refusal.Fields, errs.As(err).Fields)
		}
	}
	guest := b.count(`INSERT INTO traders (name, type) VALUES ('Guest', 8) RETURNING id`)
	_, err := b.adjustments.Request(t.Context(), b.maker, adjustment.Request{TraderID: guest, Amount: 1, Reason: "goodwill", Case: adjustment.Case{CaseKind: adjustment.Conversation, CaseID: guest}, Note: "A present", Key: "g"})
	require.ErrorIs(t, err, adjustment.ErrNoAccount)
	r := b.request(account, usdt)
	first, err := b.adjustments.Request(t.Context(), b.maker, r)
	require.NoError(t, err)
	again, err := b.adjustments.Request(t.Context(), b.maker, r)
	require.NoError(t, err)
	require.Equal(t, first.ID, again.ID, "one form asks once")
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM approvals`))

	taken := b.request(account, -100*usdt)
	first, err = b.adjustments.Request(t.Context(), b.maker, taken)
	require.NoError(t, err)
	_, err = b.confirm(b.checker, first)
	require.NoError(t, err)
	again, err = b.adjustments.Request(t.Context(), b.maker, taken)
	require.NoError(t, err, "sent again when the money is gone, it is still the first request")
	require.Equal(t, first.ID, again.ID)
}

func TestConfirmedIsWhatWasShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.trader(100)
	a := b.requested(account, 6_000*usdt)
	_, err := b.adjustments.Approve(t.Context(), b.checker, a.ID, a.Version+1, a.State, a.Facts)
	require.ErrorIs(t, err, approval.ErrChanged)
	_, err = b.adjustments.Approve(t.Context(), b.checker, a.ID, a.Version, a.State, []byte("other"))
	require.ErrorIs(t, err, approval.ErrChanged)
	_, err = b.adjustments.Approve(t.Context(), b.checker, 1, 1, a.State, a.Facts)
	require.ErrorIs(t, err, approval.ErrUnknown)
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE approvals SET proposal = '{}'`)
	require.ErrorContains(t, err, "permission denied", "the server's role can't change what was asked")
	confirmed, err := b.confirm(b.checker, a)
	require.NoError(t, err)
	b.test.Tamper(t, fmt.Sprintf(`UPDATE approvals SET proposal = jsonb_set(proposal, '{amount}', '6000000001') WHERE id = %d`, a.ID))
	changed, err := b.adjustments.Read(t.Context(), confirmed.ID)
	require.NoError(t, err)
	_, err = b.confirm(b.led, changed)
	require.ErrorIs(t, err, approval.ErrChanged, "not what the checker saw")
	require.EqualValues(t, 100*usdt, b.cash(account))
}

func TestOfEightAtOnceOnePosts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.trader(100)
	a := b.requested(account, -60*usdt)
	var done, refused atomic.Int32
	var group sync.WaitGroup
	for n := range 8 {
		by := b.staff(fmt.Sprint("Checker", n))
		group.Go(func() {
			switch _, err := b.confirm(by, a); {
			case err == nil:
				done.Add(1)
			case errors.Is(err, approval.ErrState):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.Equal(t, []int32{1, 7}, []int32{done.Load(), refused.Load()})
	require.EqualValues(t, 40*usdt, b.cash(account))
	b.proved()
}

// TestAChangedRowIsFound alters posted adjustments and a posting's cause; the reconciliation finds each change.
func TestAChangedRowIsFound(t *testing.T) {
	t.Parallel()
	for name, tamper := range map[string]string{
		"TheRow":       `UPDATE adjustments SET amount = amount + 1`,
		"TheCause":     `UPDATE ledger_transactions SET cause = 'adjustment:1' WHERE kind = 'adjustment'`,
		"TheRowIsGone": `DELETE FROM adjustments`,
		"TwoOfThem":    `UPDATE adjustments SET amount = amount + CASE WHEN id % 2 = 0 THEN 1 ELSE -1 END`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for range 2 {
				_, err := b.confirm(b.checker, b.requested(b.trader(100), 5*usdt))
				require.NoError(t, err)
			}
			b.proved()
			b.test.Tamper(t, tamper)
			wrong, _, err := reconciliation.Prove(t.Context(), b.db, start.AddDate(0, 0, -30))
			require.NoError(t, err)
			require.NotNil(t, wrong)
			require.Equal(t, "adjustments", wrong.Table)
		})
	}
}

func TestTheQueue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account, other := b.trader(0), b.trader(0)
	first, second, third := b.requested(account, usdt), b.requested(other, 2*usdt), b.requested(account, 3*usdt)
	_, err := b.confirm(b.checker, second)
	require.NoError(t, err)
	ids := func(q adjustment.Search, after int64, limit int) (out []int64) {
		list, err := b.adjustments.List(t.Context(), q, after, limit)
		require.NoError(t, err)
		for _, a := range list {
			out = append(out, a.ID)
		}
		return out
	}
	require.Equal(t, []int64{first.ID, third.ID}, ids(adjustment.Search{}, 0, 5), "the longest waiting first")
	require.Equal(t, []int64{third.ID}, ids(adjustment.Search{}, first.ID, 5))
	require.Equal(t, []int64{first.ID}, ids(adjustment.Search{}, 0, 1))
	require.Equal(t, []int64{second.ID}, ids(adjustment.Search{State: approval.Applied}, 0, 5))
	require.Empty(t, ids(adjustment.Search{State: approval.Applied}, second.ID, 5))
	require.Empty(t, ids(adjustment.Search{TraderID: other.TraderID}, 0, 5))
	require.Empty(t, ids(adjustment.Search{Reason: "goodwill"}, 0, 5))
	n, oldest, err := b.adjustments.CountWaiting(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, n)
	require.Equal(t, start, oldest.UTC())
}

// TestWhoVerifiedATraderCorrectsNoAccountOfTheirs refuses adjustments to the member of staff who verified the trader, in the code and in the database.
func TestWhoVerifiedATraderCorrectsNoAccountOfTheirs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.trader(100)
	a := b.requested(account, 25*usdt)
	_, err := b.db.Pool.Exec(t.Context(), `SELECT take_duty($1, $2, 'person')`, b.checker.ID, a.TraderID)
	require.NoError(t, err)
	_, err = b.confirm(b.checker, a)
	require.ErrorIs(t, err, trader.ErrVerified)
	_, err = b.adjustments.Refuse(t.Context(), b.checker, a.ID, a.Version, "the bank says otherwise")
	require.ErrorIs(t, err, trader.ErrVerified)
	for _, column := range []string{"second_by", "third_by", "closed_by"} {
		_, err = b.db.Pool.Exec(t.Context(), `UPDATE approvals SET `+column+` = $2 WHERE id = $1`, a.ID, b.checker.ID)
		require.ErrorContains(t, err, "has the duty person", "the database refuses it too")
	}
	_, err = b.confirm(b.staff("Another checker"), a)
	require.NoError(t, err, "somebody else may")
}

// TestTheMainAccountIsCorrected: a trader's other accounts are not.
func TestTheMainAccountIsCorrected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	main := b.trader(100)
	var second ledger.Account
	require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) (err error) {
		second, err = ledger.OpenAnotherTx(t.Context(), tx, ledger.Another{TraderID: main.TraderID, Book: ledger.Real, Type: 1}, start)
		return err
	}))
	a := b.requested(main, 10*usdt)
	require.Equal(t, main.ID, a.AccountID)
	_, err := b.confirm(b.checker, a)
	require.NoError(t, err)
	require.Equal(t, []int64{110 * usdt, 0}, []int64{b.cash(main), b.cash(second)})
	b.proved()
}
