package systemtest

import (
	"context"
	"fmt"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/withdrawal"
)

// payDesk is a member of staff at the withdrawal desk.
func (e *entrant) payDesk(n int) audit.Actor { return e.members[n] }

// underWay is a withdrawal of 100 dollars that awaits the desk.
func (e *entrant) underWay() withdrawal.Withdrawal {
	e.t.Helper()
	e.funded(dollars(1_000))
	return e.newWithdrawal(withdrawal.ByBank, dollars(100))
}

func (e *entrant) newWithdrawal(kind withdrawal.Kind, sum int64) (w withdrawal.Withdrawal) {
	e.t.Helper()
	_, err := e.payouts.Request(context.Background(), e.withdrawalOwner(), kind, e.saved(kind), sum, trader.Proof{}, e.keyed("asked"))
	require.NoError(e.t, err)
	list, _, err := e.withdrawals.List(context.Background(), e.owner.TraderID, withdrawal.Filter{Limit: 1})
	require.NoError(e.t, err)
	return list[0]
}

// large is a withdrawal that needs three approvals, of a trader of the second level; two have approved it.
func (e *entrant) large() withdrawal.Withdrawal {
	e.t.Helper()
	_, err := e.platform.Database.Pool.Exec(context.Background(), `UPDATE traders SET level = 2 WHERE id = $1`, e.owner.TraderID)
	require.NoError(e.t, err)
	w := e.funded(dollars(40_000)).newWithdrawal(withdrawal.ByBank, dollars(30_000))
	require.Greater(e.t, w.Amount, e.withdrawals.LeadAbove(), switches.LeadAboveKey)
	for n := range 2 {
		w = e.claim(n, w.ID)
		w = e.moved(e.withdrawals.Approve(context.Background(), e.payDesk(n), w.ID, w.Version, w.State, w.Facts()))
	}
	require.Equal(e.t, withdrawal.Approved2, w.State)
	return w
}

func (e *entrant) moved(w withdrawal.Withdrawal, err error) withdrawal.Withdrawal {
	e.t.Helper()
	require.NoError(e.t, err)
	return w
}

func (e *entrant) claim(n int, id int64) withdrawal.Withdrawal {
	e.t.Helper()
	return e.moved(e.withdrawals.Claim(context.Background(), e.payDesk(n), id))
}

func (e *entrant) withdrawalIn(state withdrawal.State) withdrawal.Withdrawal {
	e.t.Helper()
	return e.bring(e.underWay(), state)
}

// bring moves a withdrawal to a state; the first member of staff is the maker, the second the checker.
func (e *entrant) bring(w withdrawal.Withdrawal, state withdrawal.State) withdrawal.Withdrawal {
	e.t.Helper()
	ctx := context.Background()
	if state == withdrawal.MoreInfo {
		w = e.claim(0, w.ID)
		return e.moved(e.withdrawals.Ask(ctx, e.payDesk(0), w.ID, w.Version, "source_of_funds", ""))
	}
	for n, reached := range []withdrawal.State{withdrawal.Approved1, withdrawal.Queued} {
		if w.State == state {
			return w
		}
		w = e.claim(n, w.ID)
		w = e.moved(e.withdrawals.Approve(ctx, e.payDesk(n), w.ID, w.Version, w.State, w.Facts()))
		require.Equal(e.t, reached, w.State)
	}
	if w.State == state {
		return w
	}
	w = e.claim(0, w.ID)
	w = e.moved(e.withdrawals.Begin(ctx, e.payDesk(0), w.ID, w.Version, 1))
	if w.State == state {
		return w
	}
	return e.moved(e.withdrawals.Finish(ctx, e.payDesk(0), w.ID, w.Version, e.payment(w), state == withdrawal.Sent))
}

func (e *entrant) payment(w withdrawal.Withdrawal) string { return fmt.Sprint("OUT-", w.ID) }

// step is an act of the desk on the given version of a withdrawal.
type step func(e *entrant, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error)

func approveStep(e *entrant, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
	return e.withdrawals.Approve(context.Background(), by, w.ID, w.Version, w.State, w.Facts())
}

func beginStep(e *entrant, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
	return e.withdrawals.Begin(context.Background(), by, w.ID, w.Version, 1)
}

func sentStep(e *entrant, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
	return e.withdrawals.Finish(context.Background(), by, w.ID, w.Version, e.payment(w), true)
}

func unknownStep(e *entrant, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
	return e.withdrawals.Finish(context.Background(), by, w.ID, w.Version, "", false)
}

func paidStep(e *entrant, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
	return e.withdrawals.RecordFinding(context.Background(), by, w.ID, w.Version, true, e.payment(w), "asked by telephone")
}

func unpaidStep(e *entrant, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
	return e.withdrawals.RecordFinding(context.Background(), by, w.ID, w.Version, false, "", "asked by telephone")
}

func settleStep(e *entrant, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
	return e.withdrawals.ConfirmFinding(context.Background(), by, w.ID, w.Version)
}

func returnStep(e *entrant, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
	return e.withdrawals.RecordReturn(context.Background(), by, w.ID, w.Version, "account_closed", "")
}

func rejectStep(e *entrant, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
	return e.withdrawals.Reject(context.Background(), by, w.ID, w.Version, "other", "")
}

func recallStep(e *entrant, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
	return e.withdrawals.Recall(context.Background(), by, w.ID, w.Version, "other", "")
}

func freezeStep(e *entrant, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
	return e.withdrawals.Freeze(context.Background(), by, w.ID, w.Version, "under_examination", "")
}

func thawStep(e *entrant, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
	return e.withdrawals.Unfreeze(context.Background(), by, w.ID, w.Version)
}

func withdrawalOutcome(_ withdrawal.Withdrawal, err error) outcome { return serviceOutcome("", err) }

// race has the member of staff with the claim perform the steps eight times at once: one of them moves the withdrawal.
func (e *entrant) race(who int, w withdrawal.Withdrawal, list ...step) (act, <-chan struct{}) {
	e.t.Helper()
	w = e.claim(who, w.ID)
	return func(n int, _ string) outcome { return withdrawalOutcome(list[n%len(list)](e, e.payDesk(who), w)) }, nil
}

// reportOutcome has the first person report whether a withdrawal of unknown outcome was paid.
func (e *entrant) reportOutcome(w withdrawal.Withdrawal, found step) withdrawal.Withdrawal {
	e.t.Helper()
	w = e.claim(0, w.ID)
	return e.moved(found(e, e.payDesk(0), w))
}

// payDeskContests are races over the acts of the withdrawal desk, through its service. They have no idempotency keys: states, versions and claims protect them.
func payDeskContests() []contest {
	gone := []string{"withdrawal.changed", "withdrawal.state", "withdrawal.not_claimed"}
	once := func(name string, prepare func(e *entrant) (act, <-chan struct{})) contest {
		return contest{name: name, effects: steps, maxEffects: 1, ownKeys: true, losers: gone, prepare: prepare}
	}
	raced := func(name string, who int, reach withdrawal.State, list ...step) contest {
		return once(name, func(e *entrant) (act, <-chan struct{}) { return e.race(who, e.withdrawalIn(reach), list...) })
	}
	settled := func(name string, found step) contest {
		return once(name, func(e *entrant) (act, <-chan struct{}) {
			return e.race(1, e.reportOutcome(e.withdrawalIn(withdrawal.OutcomeUnknown), found), settleStep)
		})
	}
	same := raced("PayDeskMakerAsChecker", 0, withdrawal.Approved1, approveStep)
	same.maxEffects, same.losers = 0, []string{"approval.same_person"}
	finder := once("PayDeskFinderAsSettler", func(e *entrant) (act, <-chan struct{}) {
		return e.race(0, e.reportOutcome(e.withdrawalIn(withdrawal.OutcomeUnknown), unpaidStep), settleStep)
	})
	finder.maxEffects, finder.losers = 0, []string{"approval.same_person"}
	claimed := once("PayDeskClaim", func(e *entrant) (act, <-chan struct{}) {
		id := e.underWay().ID
		return func(n int, _ string) outcome {
			return withdrawalOutcome(e.withdrawals.Claim(context.Background(), e.payDesk(n), id))
		}, nil
	})
	claimed.losers = []string{"withdrawal.claimed"}
	return []contest{
		claimed, same, finder,
		raced("PayDeskMaker", 0, withdrawal.Review, approveStep),
		raced("PayDeskChecker", 1, withdrawal.Approved1, approveStep),
		once("PayDeskLead", func(e *entrant) (act, <-chan struct{}) { return e.race(2, e.large(), approveStep) }),
		raced("PayDeskApproveOrReject", 1, withdrawal.Approved1, approveStep, rejectStep),
		raced("PayDeskRecallOrApprove", 1, withdrawal.Approved1, recallStep, approveStep),
		raced("PayDeskBegin", 0, withdrawal.Queued, beginStep),
		raced("PayDeskBeginOrFreeze", 0, withdrawal.Queued, beginStep, freezeStep),
		raced("PayDeskFreeze", 0, withdrawal.Review, freezeStep),
		once("PayDeskThaw", func(e *entrant) (act, <-chan struct{}) {
			w := e.withdrawalIn(withdrawal.Queued)
			return e.race(2, e.moved(freezeStep(e, e.payDesk(2), w)), thawStep)
		}),
		raced("PayDeskSent", 0, withdrawal.Processing, sentStep),
		raced("PayDeskSentOrUnknown", 0, withdrawal.Processing, sentStep, unknownStep),
		raced("PayDeskFindOut", 0, withdrawal.OutcomeUnknown, paidStep, unpaidStep),
		settled("PayDeskSettlePaid", paidStep), settled("PayDeskSettleUnpaid", unpaidStep),
		raced("PayDeskBounce", 0, withdrawal.Sent, returnStep),
		once("PayDeskQueueOrCancel", func(e *entrant) (act, <-chan struct{}) {
			w := e.claim(1, e.withdrawalIn(withdrawal.Approved1).ID)
			cancel := e.post("withdraw/cancelWithdraw", at("withdrawId", w.ID))
			return func(n int, key string) outcome {
				if n%2 == 0 {
					return cancel(n, key)
				}
				return withdrawalOutcome(approveStep(e, e.payDesk(1), w))
			}, nil
		}),
		{
			name: "PayDeskMakerOrCancel", effects: steps, open: true, losers: gone,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				w := e.claim(0, e.underWay().ID)
				cancel := e.post("withdraw/cancelWithdraw", at("withdrawId", w.ID))
				return func(n int, key string) outcome {
					if n%2 == 0 {
						return cancel(n, key)
					}
					return withdrawalOutcome(approveStep(e, e.payDesk(0), w))
				}, nil
			},
		},
		{
			name: "TwoWithdrawalsOnePayment", effects: withdrawalRequests + ` AND payment IS NOT NULL`, maxEffects: 1, ownKeys: true, losers: append(gone, "withdrawal.payment"),
			prepare: func(e *entrant) (act, <-chan struct{}) {
				first, second := e.withdrawalIn(withdrawal.Processing), e.secondWithdrawal()
				return func(n int, _ string) outcome {
					w := []withdrawal.Withdrawal{first, second}[n%2]
					return withdrawalOutcome(e.withdrawals.Finish(context.Background(), e.payDesk(0), w.ID, w.Version, e.payment(first), true))
				}, nil
			},
		},
	}
}

// secondWithdrawal is a second withdrawal in processing.
func (e *entrant) secondWithdrawal() withdrawal.Withdrawal {
	e.t.Helper()
	ctx := context.Background()
	_, err := e.withdrawals.Request(ctx, e.withdrawalOwner(), withdrawal.ByBank, e.count64(`SELECT max(id) FROM payees WHERE kind = 'bank' AND trader_id = (SELECT trader_id FROM accounts WHERE id = $1)`),
		dollars(100), trader.Proof{}, e.keyed("again"))
	require.NoError(e.t, err)
	list, _, err := e.withdrawals.List(ctx, e.owner.TraderID, withdrawal.Filter{Limit: 1})
	require.NoError(e.t, err)
	w := list[0]
	for n := range 2 {
		w = e.claim(n, w.ID)
		w = e.moved(approveStep(e, e.payDesk(n), w))
	}
	w = e.claim(0, w.ID)
	return e.moved(beginStep(e, e.payDesk(0), w))
}

func (e *entrant) count64(sql string) int64 { return int64(e.count(sql)) }
