package approval_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

func TestTwoPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.requested(2)
	require.Equal(t, []any{approval.Requested, true}, []any{a.State, a.Undecided()})
	_, err := b.approve(b.adjustments, b.anna, a)
	require.ErrorIs(t, err, approval.ErrSamePerson)
	_, err = b.adjustments.Refuse(t.Context(), b.anna, a.ID, a.Version, "Never mind")
	require.ErrorIs(t, err, approval.ErrSamePerson)
	require.Empty(t, b.applied)

	done, err := b.approve(b.adjustments, b.ben, a)
	require.NoError(t, err)
	require.Equal(t, []any{approval.Applied, []int64{b.anna.ID, b.ben.ID}, false}, []any{done.State, done.Approvers(), done.Undecided()})
	require.Equal(t, start, done.DecidedAt().UTC())
	require.Equal(t, []int64{a.ID}, b.applied)
	for _, by := range []audit.Actor{b.ben, b.cora} {
		_, err = b.approve(b.adjustments, by, done)
		require.ErrorIs(t, err, approval.ErrState, "once")
	}
	read, err := b.adjustments.Find(t.Context(), a.ID)
	require.NoError(t, err)
	require.Equal(t, []any{done.State, done.Version, *done.SecondBy, "A present"}, []any{read.State, read.Version, *read.SecondBy, read.Note})
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'adjustment.approve' AND target_kind = 'adjustment' AND target_id = $1::bigint::text
		AND after::jsonb @> jsonb_build_object('amount', 5, 'state', 'applied', 'requester', $2::bigint, 'second', $3::bigint)`, a.ID, b.anna.ID, b.ben.ID))
}

func TestThreePeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, err := b.approve(b.adjustments, b.ben, b.requested(3))
	require.NoError(t, err)
	require.Equal(t, approval.Confirmed, a.State)
	require.Empty(t, b.applied)
	for _, by := range []audit.Actor{b.anna, b.ben} {
		_, err = b.approve(b.adjustments, by, a)
		require.ErrorIs(t, err, approval.ErrSamePerson)
	}
	_, err = b.adjustments.Approve(t.Context(), b.cora, a.ID, a.Version, approval.Requested, a.Facts)
	require.ErrorIs(t, err, approval.ErrState, "the second person's page does not give the third approval")
	a, err = b.approve(b.adjustments, b.cora, a)
	require.NoError(t, err)
	require.Equal(t, []int64{b.anna.ID, b.ben.ID, b.cora.ID}, a.Approvers())
	require.Len(t, b.applied, 1)
}

func TestOnePersonIsEnoughWhereTheUseSaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, err := b.terms.Request(t.Context(), b.anna, approval.Request{Proposal: approval.Fields{"lots": 1}, People: 1})
	require.NoError(t, err)
	require.Equal(t, []any{approval.Applied, []int64{a.ID}}, []any{a.State, b.applied})
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE target_id = $1::bigint::text`, a.ID))
}

// TestOnePersonActsWhileAnotherRequestIsOpen: at once it is never open; scheduled it is, and is recorded as a request.
func TestOnePersonActsWhileAnotherRequestIsOpen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ask := func(people int, at *time.Time) (approval.Approval, error) {
		return b.terms.Request(t.Context(), b.anna, approval.Request{Subject: "1", Proposal: approval.Fields{"lots": 1}, People: people, EffectiveAt: at})
	}
	open, err := ask(2, nil)
	require.NoError(t, err)
	alone, err := ask(1, nil)
	require.NoError(t, err)
	require.Equal(t, []any{approval.Applied, []int64{alone.ID}}, []any{alone.State, b.applied})
	later := start.Add(time.Hour)
	_, err = ask(1, &later)
	require.ErrorIs(t, err, approval.ErrOpen)
	_, err = b.terms.Withdraw(t.Context(), b.anna, open.ID, open.Version)
	require.NoError(t, err)
	scheduled, err := ask(1, &later)
	require.NoError(t, err)
	require.Equal(t, approval.Scheduled, scheduled.State)
	require.EqualValues(t, 2, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'product.request'`))
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'product.apply'`))
}

func TestARuleMayAskForMorePeopleButNeverForFewer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ask := func(people int) approval.Approval {
		a, err := b.roles.Request(t.Context(), b.anna, approval.Request{Subject: "7", Proposal: approval.Fields{"role": "risk"}, People: people})
		require.NoError(t, err)
		return a
	}
	a, err := b.approve(b.roles, b.ben, ask(3))
	require.NoError(t, err)
	require.Equal(t, approval.Confirmed, a.State, "asked for three, though the rule says two by now")
	_, err = b.approve(b.roles, b.cora, a)
	require.ErrorIs(t, err, errBarred)
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE approvals SET people = 2 WHERE id = $1`, a.ID)
	require.ErrorContains(t, err, "stays as it is")
}

func TestWhoMayDecide(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.requested(2)
	b.barred = b.ben.ID
	_, err := b.approve(b.adjustments, b.ben, a)
	require.ErrorIs(t, err, errConflict)
	_, err = b.adjustments.Refuse(t.Context(), b.ben, a.ID, a.Version, "It is mine")
	require.ErrorIs(t, err, errConflict)
	_, err = b.adjustments.Request(t.Context(), b.ben, approval.Request{TraderID: b.trader(), Proposal: approval.Fields{"role": "risk"}, People: 2})
	require.ErrorIs(t, err, errConflict)
	_, err = b.roles.Request(t.Context(), b.ben, approval.Request{Subject: "9", Proposal: approval.Fields{"role": "risk"}, People: 2})
	require.NoError(t, err, "it is about no trader")
	role, err := b.roles.Request(t.Context(), b.anna, approval.Request{Subject: "7", Proposal: approval.Fields{"role": "risk"}, People: 2})
	require.NoError(t, err)
	_, err = b.roles.Refuse(t.Context(), b.cora, role.ID, role.Version, "")
	require.ErrorIs(t, err, errBarred)
	require.Empty(t, b.applied)
}

func TestApprovedIsWhatWasShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.requested(3)
	_, err := b.adjustments.Approve(t.Context(), b.ben, a.ID, a.Version+1, a.State, a.Facts)
	require.ErrorIs(t, err, approval.ErrChanged)
	_, err = b.adjustments.Approve(t.Context(), b.ben, a.ID, a.Version, a.State, []byte("other"))
	require.ErrorIs(t, err, approval.ErrChanged)
	_, err = b.adjustments.Approve(t.Context(), b.ben, 1, 1, a.State, a.Facts)
	require.ErrorIs(t, err, approval.ErrUnknown)
	_, err = b.terms.Approve(t.Context(), b.ben, a.ID, a.Version, a.State, a.Facts)
	require.ErrorIs(t, err, approval.ErrUnknown, "of another use")
	a, err = b.approve(b.adjustments, b.ben, a)
	require.NoError(t, err)
	b.test.Tamper(t, `UPDATE approvals SET proposal = '{"amount": 5000, "reason": "goodwill"}'`)
	_, err = b.approve(b.adjustments, b.cora, a)
	require.ErrorIs(t, err, approval.ErrChanged, "not what the second person saw")

	terms, err := b.terms.Request(t.Context(), b.anna, approval.Request{Subject: "1", Proposal: approval.Fields{"stop_level": 20}, People: 2})
	require.NoError(t, err)
	b.facts = "other"
	_, err = b.approve(b.terms, b.ben, terms)
	require.ErrorIs(t, err, approval.ErrChanged, "what the use shows has changed")
	require.Empty(t, b.applied)
}

// TestAHashIsOfTheContent: numbers beyond 2^53, the order of names and blanks neither change it nor hide a change.
func TestAHashIsOfTheContent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, err := b.adjustments.Request(t.Context(), b.anna, approval.Request{Proposal: approval.Fields{"z": int64(9_007_199_254_740_993), "a": 1}, People: 2})
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `SELECT 1`)
	require.NoError(t, err)
	b.test.Tamper(t, `UPDATE approvals SET proposal = '{"z": 9007199254740992, "a": 1}'`)
	_, err = b.approve(b.adjustments, b.ben, a)
	require.ErrorIs(t, err, approval.ErrChanged)
	b.test.Tamper(t, `UPDATE approvals SET proposal = '{"a" : 1, "z":9007199254740993}'`)
	_, err = b.approve(b.adjustments, b.ben, a)
	require.NoError(t, err)
}

func TestAnActOnAnApprovalNeedsItsFactsAsTheyWere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	check := func(id int64) error {
		return b.db.InTx(t.Context(), func(tx *db.Tx) error { return b.terms.CheckTx(t.Context(), tx, id) })
	}
	a, err := b.terms.Request(t.Context(), b.anna, approval.Request{Subject: "1", Proposal: approval.Fields{"lots": 1}, Note: "Wider", People: 2})
	require.NoError(t, err)
	require.ErrorIs(t, check(a.ID), approval.ErrState, "nobody has approved it")
	_, err = b.approve(b.terms, b.ben, a)
	require.NoError(t, err)
	require.NoError(t, check(a.ID))
	b.facts = "other"
	require.ErrorIs(t, check(a.ID), approval.ErrChanged)
	require.ErrorIs(t, check(a.ID+1), approval.ErrUnknown)
}

func TestItEndsWithoutAnEffect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.requested(2)
	_, err := b.adjustments.Withdraw(t.Context(), b.ben, a.ID, a.Version)
	require.ErrorIs(t, err, approval.ErrNotRequester)
	refused, err := b.adjustments.Refuse(t.Context(), b.ben, a.ID, a.Version, "The bank line is of somebody else")
	require.NoError(t, err)
	require.Equal(t, []any{approval.Refused, &b.ben.ID, "The bank line is of somebody else"}, []any{refused.State, refused.RefusedBy(), refused.Refusal})
	second := b.requested(2)
	withdrawn, err := b.adjustments.Withdraw(t.Context(), b.anna, second.ID, second.Version)
	require.NoError(t, err)
	require.Equal(t, approval.Withdrawn, withdrawn.State)
	require.Nil(t, withdrawn.RefusedBy())
	for _, ended := range []approval.Approval{refused, withdrawn} {
		_, err = b.approve(b.adjustments, b.cora, ended)
		require.ErrorIs(t, err, approval.ErrState)
		_, err = b.adjustments.Withdraw(t.Context(), b.anna, ended.ID, ended.Version)
		require.ErrorIs(t, err, approval.ErrState)
		_, err = b.adjustments.Refuse(t.Context(), b.cora, ended.ID, ended.Version, "Again")
		require.ErrorIs(t, err, approval.ErrState)
	}
	require.Equal(t, []approval.State{approval.Refused, approval.Withdrawn}, b.closed)
	require.Empty(t, b.applied)
}

func TestOneOpenRequestAboutASubject(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ask := func(subject, key string) (approval.Approval, error) {
		return b.terms.Request(t.Context(), b.anna, approval.Request{Subject: subject, Proposal: approval.Fields{"stop_level": 20}, People: 2, Key: key})
	}
	first, err := ask("1", "key")
	require.NoError(t, err)
	again, err := ask("1", "key")
	require.NoError(t, err)
	require.Equal(t, first.ID, again.ID, "one form asks once")
	_, err = b.terms.Request(t.Context(), b.anna, approval.Request{Subject: "1", Proposal: approval.Fields{"stop_level": 30}, People: 2, Key: "key"})
	require.ErrorIs(t, err, approval.ErrChanged, "a key is not used for something else")
	_, err = ask("1", "other")
	require.ErrorIs(t, err, approval.ErrOpen)
	_, err = ask("2", "other")
	require.NoError(t, err)
	_, err = b.approve(b.terms, b.ben, first)
	require.NoError(t, err)
	_, err = ask("1", "third")
	require.NoError(t, err, "the first one is decided")
}

func TestWhatFailsToTakeEffectIsNotApproved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.requested(2)
	b.fails = errNotNow
	_, err := b.approve(b.adjustments, b.ben, a)
	require.ErrorIs(t, err, errNotNow)
	read, err := b.adjustments.Find(t.Context(), a.ID)
	require.NoError(t, err)
	require.Equal(t, []any{approval.Requested, a.Version}, []any{read.State, read.Version})
	require.Zero(t, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'adjustment.approve'`))
}

func TestItTakesEffectAtItsTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := start.Add(time.Hour)
	ask := func(subject string) approval.Approval {
		a, err := b.terms.Request(t.Context(), b.anna, approval.Request{Subject: subject, Proposal: approval.Fields{"stop_level": 20}, People: 2, EffectiveAt: &at})
		require.NoError(t, err)
		a, err = b.approve(b.terms, b.ben, a)
		require.NoError(t, err)
		require.Equal(t, approval.Scheduled, a.State)
		return a
	}
	run := func(want int) {
		t.Helper()
		n, err := b.engine.Run(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	state := func(a approval.Approval) approval.State {
		now, err := b.terms.Find(t.Context(), a.ID)
		require.NoError(t, err)
		return now.State
	}
	good, withdrawn := ask("1"), ask("2")
	_, err := b.terms.Withdraw(t.Context(), b.anna, withdrawn.ID, withdrawn.Version)
	require.NoError(t, err)
	run(0)
	require.Empty(t, b.applied)
	b.clock.Advance(time.Hour)
	run(1)
	run(0)
	require.Equal(t, []int64{good.ID}, b.applied)
	require.Equal(t, approval.Applied, state(good))

	at = b.clock.Now().Add(time.Hour)
	bad := ask("3")
	b.fails = errs.New(errs.Conflict, "change.outdated")
	b.clock.Advance(time.Hour)
	run(1)
	run(0)
	require.Equal(t, approval.Failed, state(bad))
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM approvals WHERE state = 'failed' AND refusal = 'change.outdated' AND closed_by IS NULL`))
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'product.fail' AND actor_kind = 'system'`))
}

func TestOneThatCannotBeMovedOnDelaysNoOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := start.Add(time.Hour)
	for _, subject := range []string{"1", "2"} {
		_, err := b.terms.Request(t.Context(), b.anna, approval.Request{Subject: subject, Proposal: approval.Fields{"lots": 1}, People: 1, EffectiveAt: &at})
		require.NoError(t, err)
	}
	waiting := b.requested(2)
	b.clock.Advance(48 * time.Hour)
	b.fails = errNotNow
	n, err := b.engine.Run(t.Context())
	require.ErrorIs(t, err, errNotNow)
	require.Equal(t, 1, n)
	expired, err := b.adjustments.Find(t.Context(), waiting.ID)
	require.NoError(t, err)
	require.Equal(t, approval.Expired, expired.State)
	b.fails = nil
	n, err = b.engine.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, n)
}

func TestAnUndecidedRequestExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	waiting, confirmed := b.requested(2), b.requested(3)
	_, err := b.approve(b.adjustments, b.ben, confirmed)
	require.NoError(t, err)
	b.clock.Advance(48*time.Hour - time.Second)
	n, err := b.engine.Run(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	b.clock.Advance(time.Second)
	_, err = b.approve(b.adjustments, b.ben, waiting)
	require.ErrorIs(t, err, approval.ErrLate, "before anything has ended it")
	n, err = b.engine.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Equal(t, []approval.State{approval.Expired, approval.Expired}, b.closed)
	_, err = b.approve(b.adjustments, b.cora, waiting)
	require.ErrorIs(t, err, approval.ErrState)
}

func TestOfEightAtOnceOneApproves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.requested(2)
	var done atomic.Int32
	var group sync.WaitGroup
	for n := range 8 {
		by := b.staff(string(rune('a' + n)))
		group.Go(func() {
			if _, err := b.approve(b.adjustments, by, a); err == nil {
				done.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1, done.Load())
	require.Len(t, b.applied, 1)
}

func TestWhoeverRequestedItMayAlwaysWithdrawIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.requested(2)
	own := func(who audit.Actor) {
		t.Helper()
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE staff SET email = (SELECT email FROM traders WHERE id = $2) WHERE id = $1`, who.ID, *a.TraderID)
		require.NoError(t, err)
	}
	own(b.ben)
	_, err := b.adjustments.Refuse(t.Context(), b.ben, a.ID, a.Version, "It is mine")
	require.ErrorContains(t, err, "decides about their own trader")
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE staff SET email = 'ben@house.example' WHERE id = $1`, b.ben.ID)
	require.NoError(t, err)
	own(b.anna)
	_, err = b.adjustments.Withdraw(t.Context(), b.anna, a.ID, a.Version)
	require.NoError(t, err, "although the trader has become their own")
}

// TestTwoActsNeverWaitForEachOther ends a due approval in an act that holds the use's own lock, while its time moves it on.
func TestTwoActsNeverWaitForEachOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := b.clock.Now().Add(time.Hour)
	a, err := b.terms.Request(t.Context(), b.anna, approval.Request{Subject: "1", Proposal: approval.Fields{"lots": 1}, Note: "Wider", People: 1, EffectiveAt: &at})
	require.NoError(t, err)
	b.clock.Advance(time.Hour)
	var moved sync.WaitGroup
	require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
		if err := b.lockTerms(t.Context(), tx); err != nil {
			return err
		}
		moved.Go(func() {
			_, err := b.engine.Run(context.Background())
			assert.NoError(t, err)
		})
		require.Eventually(t, func() bool {
			return b.count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
		}, 10*time.Second, 5*time.Millisecond)
		return b.terms.LapseTx(t.Context(), tx, a.ID)
	}))
	moved.Wait()
	a, err = b.terms.Find(t.Context(), a.ID)
	require.NoError(t, err)
	require.Equal(t, approval.Expired, a.State)
	require.Empty(t, b.applied)
}

// TestTheDatabaseHoldsItToo checks the rules without the code, as the server's role and as the owner.
func TestTheDatabaseHoldsItToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.requested(3)
	for why, set := range map[string]string{
		"approvals_others":                    `second_by = requested_by, second_at = now()`,
		"approvals_second":                    `second_by = ` + id(b.ben),
		"approvals_in_order":                  `third_by = ` + id(b.ben) + `, third_at = now()`,
		"approvals_confirmed":                 `state = 'confirmed'`,
		"approvals_by_all":                    `state = 'applied', applied_at = now(), second_by = ` + id(b.ben) + `, second_at = now()`,
		"approvals_scheduled":                 `state = 'scheduled', second_by = ` + id(b.ben) + `, second_at = now(), third_by = ` + id(b.cora) + `, third_at = now()`,
		"approvals_applied":                   `applied_at = now()`,
		"approvals_closed":                    `state = 'expired'`,
		"approvals_closer":                    `closed_by = ` + id(b.ben),
		"approvals_refused":                   `state = 'refused', closed_by = requested_by, closed_at = now()`,
		"permission denied":                   `proposal = '{}'`,
		"permission denied for":               `requested_by = ` + id(b.ben),
		"approvals_people_check":              `people = 4`,
		"violates foreign key":                `second_by = 1, second_at = now()`,
		"invalid input value":                 `state = 'given'`,
		"violates not-null":                   `refusal = NULL`,
		"approval " + number(a.ID) + " stays": `people = 1`,
	} {
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE approvals SET `+set+` WHERE id = $1`, a.ID)
		require.ErrorContains(t, err, why, set)
	}
	owner := func(sql string) error {
		_, err := b.owner(t).Exec(t.Context(), sql)
		return err
	}
	copied := func(people int, state, proposal string) error {
		_, err := b.db.Pool.Exec(t.Context(), `INSERT INTO approvals (use, subject, trader_id, proposal, note, facts, people, state, requested_by, requested_at, applied_at)
			SELECT use, 'x', trader_id, $2::jsonb, note, facts, $3, $4::approval_state, requested_by, now(), CASE $4::approval_state WHEN 'applied' THEN now() END FROM approvals WHERE id = $1`,
			a.ID, proposal, people, state)
		return err
	}
	require.NoError(t, copied(2, "requested", `{"amount": 5}`))
	require.ErrorContains(t, copied(1, "applied", `{"amount": 5}`), "approvals_alone")
	require.ErrorContains(t, copied(2, "applied", `{"amount": 5}`), "begins as a request")
	require.ErrorContains(t, copied(2, "requested", `{}`), "approvals_proposal")
	require.ErrorContains(t, owner(`UPDATE approvals SET proposal = '{}'`), "stays as it is")
	_, err := b.approve(b.adjustments, b.ben, a)
	require.NoError(t, err)
	require.ErrorContains(t, owner(`UPDATE approvals SET second_by = `+id(b.cora)+` WHERE id = `+number(a.ID)), "stays as it is")
	now, err := b.adjustments.Find(t.Context(), a.ID)
	require.NoError(t, err)
	_, err = b.approve(b.adjustments, b.cora, now)
	require.NoError(t, err)
	require.ErrorContains(t, owner(`UPDATE approvals SET refusal = 'x'`), "stays as it is", "a last decision")
	_, err = b.db.Pool.Exec(t.Context(), `DELETE FROM approvals`)
	require.ErrorContains(t, err, "permission denied")
}

func TestListsAndCounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second, third := b.requested(2), b.requested(2), b.requested(2)
	_, err := b.approve(b.adjustments, b.ben, second)
	require.NoError(t, err)
	ids := func(s *approval.Service, q approval.Search, after int64, limit int) (out []int64) {
		list, err := s.List(t.Context(), q, after, limit)
		require.NoError(t, err)
		for _, a := range list {
			out = append(out, a.ID)
		}
		return out
	}
	require.Equal(t, []int64{first.ID, third.ID}, ids(b.adjustments, approval.Search{Open: true}, 0, 5), "the longest waiting first")
	require.Equal(t, []int64{third.ID}, ids(b.adjustments, approval.Search{Open: true}, first.ID, 5))
	require.Equal(t, []int64{third.ID, first.ID}, ids(b.adjustments, approval.Search{Open: true, NewestFirst: true}, 0, 5))
	require.Equal(t, []int64{third.ID, second.ID}, ids(b.adjustments, approval.Search{}, 0, 2))
	require.Equal(t, []int64{first.ID}, ids(b.adjustments, approval.Search{}, second.ID, 2))
	require.Equal(t, []int64{second.ID}, ids(b.adjustments, approval.Search{State: approval.Applied}, 0, 5))
	require.Equal(t, []int64{third.ID}, ids(b.adjustments, approval.Search{TraderID: *third.TraderID}, 0, 5))
	require.Equal(t, []int64{third.ID}, ids(b.adjustments, approval.Search{Subject: third.Subject}, 0, 5))
	require.Len(t, ids(b.adjustments, approval.Search{Proposal: `{"reason": "goodwill"}`}, 0, 5), 3)
	require.Empty(t, ids(b.adjustments, approval.Search{Proposal: `{"reason": "chargeback"}`}, 0, 5))
	require.Empty(t, ids(b.terms, approval.Search{}, 0, 5), "of another use")
	require.Len(t, ids(b.terms, approval.Search{Uses: []string{"switch_change", "adjustment"}}, 0, 5), 3)
	named, err := b.adjustments.Named(t.Context(), &second.ID, nil)
	require.NoError(t, err)
	require.Len(t, named, 1)
	require.Equal(t, approval.Applied, named[second.ID].State)
	named, err = b.terms.Named(t.Context(), &first.ID)
	require.NoError(t, err)
	require.Empty(t, named, "of another use")

	n, oldest, err := b.adjustments.Count(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{int64(2), start}, []any{n, oldest.UTC()})
	n, oldest, err = b.terms.Count(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{int64(0), true}, []any{n, oldest.IsZero()})
}

func TestANoteIsNeitherTooShortNorTooLong(t *testing.T) {
	t.Parallel()
	for note, good := range map[string]bool{"four": false, "fifth": true, "fi\x00fth": false, string(make([]byte, 3)): false} {
		require.Equal(t, good, approval.CheckNote(note) == nil, "%q", note)
	}
}
