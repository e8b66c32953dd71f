package systemtest

import (
	"context"
	"fmt"

	"github.com/stretchr/testify/require"

	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/withdrawal"
)

const (
	adjustmentsRequested = `SELECT count(*) FROM approvals WHERE use = 'adjustment' AND proposal @> jsonb_build_object('account_id', $1::bigint)`
	adjustmentsDecided   = adjustmentsRequested + ` AND state NOT IN ('requested', 'confirmed')`
	adjustmentsBooked    = `SELECT count(*) FROM postings WHERE account_id = $1 AND kind = 'adjustment'`
)

// requestAdjustment has the first member of staff request an adjustment of the entrant's account.
func (e *entrant) requestAdjustment(sum int64, key string) (adjustment.Adjustment, error) {
	return e.adjustments.Request(context.Background(), e.members[0], adjustment.Request{
		TraderID: e.owner.TraderID, Amount: sum, Reason: "missed_credit", Case: caseOf(e.owner.TraderID), Note: "Bank line of the day before", Key: key,
	})
}

// newAdjustment is an adjustment that awaits its checker.
func (e *entrant) newAdjustment(sum int64) adjustment.Adjustment {
	e.t.Helper()
	a, err := e.requestAdjustment(sum, fmt.Sprint(e.handle, "-asked", e.serial.Add(1)))
	require.NoError(e.t, err)
	return a
}

// adjustStep is an act of the n-th member of staff on the given version of an adjustment.
type adjustStep func(e *entrant, n int, a adjustment.Adjustment) (adjustment.Adjustment, error)

func confirmAdjustment(e *entrant, n int, a adjustment.Adjustment) (adjustment.Adjustment, error) {
	return e.adjustments.Approve(context.Background(), e.members[n], a.ID, a.Version, a.State, a.Facts)
}

func refuseAdjustment(e *entrant, n int, a adjustment.Adjustment) (adjustment.Adjustment, error) {
	return e.adjustments.Refuse(context.Background(), e.members[n], a.ID, a.Version, "The bank line is of somebody else")
}

func withdrawAdjustment(e *entrant, _ int, a adjustment.Adjustment) (adjustment.Adjustment, error) {
	return e.adjustments.Withdraw(context.Background(), e.members[0], a.ID, a.Version)
}

// adjustmentOutcome is the outcome of an act on an adjustment.
func adjustmentOutcome(a adjustment.Adjustment, err error) outcome {
	return serviceOutcome(a.Number(), err)
}

// raceAdjustment has the other members of staff act on one adjustment at once: one of them decides it, or moves it forward.
func (e *entrant) raceAdjustment(a adjustment.Adjustment, list ...adjustStep) act {
	return func(n int, _ string) outcome { return adjustmentOutcome(list[n%len(list)](e, 1+n%(racers-1), a)) }
}

// adjustmentContests are races over manual corrections. Only the request has idempotency keys; states, versions and the rule of two people protect the rest.
func adjustmentContests() []contest {
	gone := []string{"approval.changed", "approval.state"}
	raced := func(name, effects string, sum int64, list ...adjustStep) contest {
		return contest{
			name: name, effects: effects, maxEffects: 1, ownKeys: true, losers: gone,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.funded(dollars(100)).raceAdjustment(e.newAdjustment(sum), list...), nil
			},
		}
	}
	return []contest{
		{
			name: "AdjustmentAsk", effects: adjustmentsRequested, maxEffects: 5, losers: []string{"adjustment.too_many"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return func(_ int, key string) outcome { return adjustmentOutcome(e.requestAdjustment(dollars(25), key)) }, nil
			},
		},
		raced("AdjustmentConfirm", adjustmentsBooked, dollars(25), confirmAdjustment),
		raced("AdjustmentConfirmOutOf", adjustmentsBooked, -dollars(100), confirmAdjustment),
		raced("AdjustmentRefuse", adjustmentsDecided, dollars(25), refuseAdjustment),
		raced("AdjustmentWithdraw", adjustmentsDecided, dollars(25), withdrawAdjustment),
		raced("AdjustmentConfirmOrRefuse", adjustmentsDecided, dollars(25), confirmAdjustment, refuseAdjustment),
		raced("AdjustmentConfirmOrWithdraw", adjustmentsDecided, dollars(25), confirmAdjustment, withdrawAdjustment),
		raced("AdjustmentConfirmRefuseOrWithdraw", adjustmentsDecided, -dollars(25), confirmAdjustment, refuseAdjustment, withdrawAdjustment),
		raced("AdjustmentAboveTheLimit", adjustmentsRequested+` AND state = 'confirmed'`, dollars(6_000), confirmAdjustment),
		{
			name: "AdjustmentLead", effects: adjustmentsBooked, maxEffects: 1, ownKeys: true, losers: append([]string{"approval.same_person"}, gone...),
			prepare: func(e *entrant) (act, <-chan struct{}) { // the racers include its checker, who may not confirm again
				a, err := confirmAdjustment(e, 1, e.newAdjustment(dollars(6_000)))
				require.NoError(e.t, err)
				require.Equal(e.t, approval.Confirmed, a.State)
				return e.raceAdjustment(a, confirmAdjustment), nil
			},
		},
		{
			name: "AdjustmentMakerAsChecker", effects: adjustmentsDecided, maxEffects: 0, ownKeys: true, losers: []string{"approval.same_person"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				a := e.newAdjustment(dollars(25))
				return func(int, string) outcome { return adjustmentOutcome(confirmAdjustment(e, 0, a)) }, nil
			},
		},
		{
			name: "AdjustmentsOfTheWholeBalance", effects: adjustmentsBooked, maxEffects: 1, ownKeys: true, losers: append([]string{"adjustment.funds"}, gone...),
			prepare: func(e *entrant) (act, <-chan struct{}) {
				e.funded(dollars(100))
				both := []adjustment.Adjustment{e.newAdjustment(-dollars(100)), e.newAdjustment(-dollars(100))}
				return func(n int, _ string) outcome {
					return adjustmentOutcome(confirmAdjustment(e, 1+n%(racers-1), both[n%2]))
				}, nil
			},
		},
		{
			name: "AdjustmentOrWithdrawal", effects: `SELECT (` + adjustmentsBooked + `) + (` + withdrawalRequests + `)`, maxEffects: 1, ownKeys: true,
			losers: append([]string{"adjustment.funds", "withdrawal.funds"}, gone...),
			prepare: func(e *entrant) (act, <-chan struct{}) {
				e.funded(dollars(100))
				a, ask := e.newAdjustment(-dollars(100)), e.requestWithdrawal(withdrawal.ByAgent, e.saved(withdrawal.ByAgent), dollars(100))
				return func(n int, key string) outcome {
					if n%2 == 0 {
						return ask(key)
					}
					return adjustmentOutcome(confirmAdjustment(e, 1+n%(racers-1), a))
				}, nil
			},
		},
	}
}
