package systemtest

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/jobs"
	"candor/app/provider"
	"candor/app/provider/sandbox"
	"candor/app/withdrawal"
)

// Deposit channels of the development sandbox.
const (
	merchantChannel = 102
	cryptoChannel   = 111
)

const (
	firstDecisions   = requests + ` AND maker_id IS NOT NULL`
	reversals        = requests + ` AND reversal_id IS NOT NULL`
	unreportedEffect = 1 // effects that no racer's answer reports
)

// hireSandbox adds a sandbox provider. Its events go nowhere: the racers ask it.
func (r *raceFixture) hireSandbox(t *testing.T, queue *jobs.Queue) {
	t.Helper()
	secret := strings.Repeat("s3cret", 6)
	r.sandbox = sandbox.New(secret, r.platform.Clock, 0)
	server := httptest.NewServer(r.sandbox.Handler())
	t.Cleanup(server.Close)
	list := []provider.Provider{{ID: "sandbox", Name: "Sandbox", URL: server.URL, Secret: secret, Sandbox: true}}
	d := r.platform.Database.DB
	r.providers = provider.New(d, r.platform.Clock, queue, "http://127.0.0.1:1", list)
	require.NoError(t, deposit.SeedSandbox(t.Context(), d, list))
	require.NoError(t, withdrawal.SeedSandbox(t.Context(), d, list))
}

func (e *entrant) depositor() ledger.Owner {
	return ledger.Owner{TraderID: e.owner.TraderID, AccountID: e.owner.AccountID, Name: e.handle, IP: "192.0.2.7", TraceID: "trace-race-0001"}
}

func (e *entrant) depositNow(id int64) deposit.Deposit {
	e.t.Helper()
	d, err := e.deposits.Read(context.Background(), id)
	require.NoError(e.t, err)
	return d
}

// offered is a payment over the counter whose offer is not accepted yet.
func (e *entrant) offered() deposit.Deposit {
	e.t.Helper()
	_, err := e.deposits.RequestProviderDeposit(context.Background(), e.depositor(), deposit.OTC, merchantChannel, dollars(100), e.keyed(e.handle+"-over"))
	require.NoError(e.t, err)
	return e.depositNow(int64(e.count(`SELECT max(id) FROM deposits WHERE account_id = $1`)))
}

// overCounter is a payment over the counter that awaits the merchant.
func (e *entrant) overCounter() deposit.Deposit {
	e.t.Helper()
	d := e.offered()
	_, err := e.deposits.Agree(context.Background(), e.depositor(), d.ID, e.keyed(e.handle+"-agreed"))
	require.NoError(e.t, err)
	return e.depositNow(d.ID)
}

// markedPaid is a payment over the counter that the trader marked as paid.
func (e *entrant) markedPaid() deposit.Deposit {
	e.t.Helper()
	d := e.overCounter()
	_, err := e.deposits.MarkPaid(context.Background(), e.depositor(), d.ID, e.picture(d.ID), e.keyed(e.handle+"-paid"))
	require.NoError(e.t, err)
	return e.depositNow(d.ID)
}

// paidOtherAmount is a payment over the counter with another amount received, claimed by the first member of staff.
func (e *entrant) paidOtherAmount() deposit.Deposit {
	e.t.Helper()
	d := e.overCounter()
	require.NoError(e.t, e.sandbox.Settle(d.Reference, provider.Paid, "40"))
	require.NoError(e.t, e.deposits.Ask(context.Background(), d.ID))
	d, err := e.deposits.Claim(context.Background(), e.members[0], d.ID)
	require.NoError(e.t, err)
	return d
}

// arrived is a crypto deposit seen by its network, and optionally confirmed.
func (e *entrant) arrived(amount string, confirmed bool) deposit.Deposit {
	e.t.Helper()
	ctx := context.Background()
	a, _, err := e.deposits.Address(ctx, e.depositor(), cryptoChannel)
	require.NoError(e.t, err)
	id, err := e.sandbox.Receive(a.Reference, "USDT", "tron", amount)
	require.NoError(e.t, err)
	for e.count(requests) == 0 {
		_, err := e.deposits.AskCustodians(ctx)
		require.NoError(e.t, err)
	}
	for range sandbox.Required {
		require.NoError(e.t, e.sandbox.Mine(id))
	}
	d := e.depositNow(int64(e.count(`SELECT max(id) FROM deposits WHERE account_id = $1`)))
	if !confirmed {
		return d
	}
	require.NoError(e.t, e.deposits.AskCustodian(ctx, d.ID))
	return e.depositNow(d.ID)
}

// vanished is a credited crypto deposit that its network dropped.
func (e *entrant) vanished() deposit.Deposit {
	e.t.Helper()
	d := e.arrived("50", true)
	require.Equal(e.t, deposit.Credited, d.State)
	require.NoError(e.t, e.sandbox.Reorganise(e.transferOf(d.ID)))
	require.NoError(e.t, e.deposits.AskCustodian(context.Background(), d.ID))
	return e.depositNow(d.ID)
}

func (e *entrant) transferOf(id int64) (transfer string) {
	e.t.Helper()
	require.NoError(e.t, e.platform.Database.Pool.QueryRow(context.Background(), `SELECT transfer FROM deposits WHERE id = $1`, id).Scan(&transfer))
	return transfer
}

// decide has every racer perform the same act, as the first member of staff or as the others.
func decide(first bool, e *entrant, act func(audit.Actor) (deposit.Deposit, error)) (act, <-chan struct{}) {
	return func(n int, _ string) outcome {
		by := e.members[0]
		if !first {
			by = e.members[1+n%(len(e.members)-1)]
		}
		return depositOutcome(act(by))
	}, nil
}

// queryOutcome is the outcome of asking a provider, which does not report the effect.
func queryOutcome(err error) outcome {
	if err == nil {
		return outcome{code: "asked"}
	}
	return outcome{raw: err.Error()}
}

// providerDepositContests are races over provider deposits, and over the desk's part in them.
func providerDepositContests() []contest {
	ctx := context.Background()
	late := []string{"deposit.state", "deposit.changed", "deposit.not_claimed", "asked"}
	return []contest{
		{
			name: "InsertOtcRecharge", effects: requests, maxEffects: 5, losers: []string{"deposit.too_many"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return func(_ int, key string) outcome {
					return serviceOutcome(e.deposits.RequestProviderDeposit(ctx, e.depositor(), deposit.OTC, merchantChannel, dollars(100), e.keyed(key)))
				}, nil
			},
		},
		{
			name: "UpdateRechargeAgreed", effects: requests + ` AND agreed_at IS NOT NULL`, maxEffects: 1, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.offered()
				return func(_ int, key string) outcome {
					return serviceOutcome(e.deposits.Agree(ctx, e.depositor(), d.ID, e.keyed(key)))
				}, nil
			},
		},
		{
			name: "UpdateRechargePaid", effects: requests + ` AND state = 'marked_paid'`, maxEffects: 1, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.overCounter()
				file := e.picture(d.ID)
				return func(_ int, key string) outcome {
					return serviceOutcome(e.deposits.MarkPaid(ctx, e.depositor(), d.ID, file, e.keyed(key)))
				}, nil
			},
		},
		{
			name: "InsertRechargeAppeal", effects: requests + ` AND state = 'appeal'`, maxEffects: 1, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.markedPaid()
				return func(_ int, key string) outcome {
					return serviceOutcome(e.deposits.Appeal(ctx, e.depositor(), d.ID, "I paid", "", e.keyed(key)))
				}, nil
			},
		},
		{
			name: "ProviderPaid", effects: credits, maxEffects: 1, unreported: unreportedEffect, ownKeys: true, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.overCounter()
				require.NoError(e.t, e.sandbox.Settle(d.Reference, provider.Paid, ""))
				return func(int, string) outcome { return queryOutcome(e.deposits.Ask(ctx, d.ID)) }, nil
			},
		},
		{
			name: "ProviderPaidOrCancel", effects: credits, maxEffects: 1, unreported: unreportedEffect, ownKeys: true, losers: append([]string{"deposit.not_now"}, late...),
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.overCounter()
				require.NoError(e.t, e.sandbox.Settle(d.Reference, provider.Paid, ""))
				return func(n int, key string) outcome {
					if n%2 == 0 {
						return queryOutcome(e.deposits.Ask(ctx, d.ID))
					}
					return serviceOutcome(e.deposits.Cancel(ctx, e.depositor(), d.ID, e.keyed(key)))
				}, nil
			},
		},
		{
			name: "DeskAcceptsAnotherAmount", effects: firstDecisions, maxEffects: 1, ownKeys: true, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.paidOtherAmount()
				return decide(true, e, func(by audit.Actor) (deposit.Deposit, error) {
					return e.deposits.Accept(ctx, by, d.ID, d.Version, *d.Received)
				})
			},
		},
		{
			name: "DeskConfirmsAnotherAmount", effects: credits, maxEffects: 1, ownKeys: true, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.paidOtherAmount()
				d, err := e.deposits.Accept(ctx, e.members[0], d.ID, d.Version, *d.Received)
				require.NoError(e.t, err)
				d, err = e.deposits.Claim(ctx, e.members[1], d.ID)
				require.NoError(e.t, err)
				return func(int, string) outcome {
					return depositOutcome(e.deposits.Confirm(ctx, e.members[1], d.ID, d.Version))
				}, nil
			},
		},
	}
}

// cryptoDepositContests are races over crypto deposits that arrive, wait, go back or vanish.
func cryptoDepositContests() []contest {
	ctx := context.Background()
	late := []string{"deposit.state", "deposit.changed", "asked"}
	return []contest{
		{
			name: "DepositAddress", effects: `SELECT count(*) FROM deposit_addresses WHERE account_id = $1`, maxEffects: 1, unreported: unreportedEffect, ownKeys: true, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return func(int, string) outcome {
					_, _, err := e.deposits.Address(ctx, e.depositor(), cryptoChannel)
					return queryOutcome(err)
				}, nil
			},
		},
		{
			name: "CoinsConfirmed", effects: credits, maxEffects: 1, unreported: unreportedEffect, ownKeys: true, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.arrived("50", false)
				return func(int, string) outcome { return queryOutcome(e.deposits.AskCustodian(ctx, d.ID)) }, nil
			},
		},
		{
			name: "CreditHeld", effects: firstDecisions, maxEffects: 1, ownKeys: true, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.arrived("5", true)
				return decide(false, e, func(by audit.Actor) (deposit.Deposit, error) {
					return e.deposits.ApproveUnderReview(ctx, by, d.ID, d.Version)
				})
			},
		},
		{
			name: "CreditHeldOrRefund", effects: firstDecisions, maxEffects: 1, ownKeys: true, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.arrived("5", true)
				return func(n int, _ string) outcome {
					if n%2 == 0 {
						return depositOutcome(e.deposits.ApproveUnderReview(ctx, e.members[n], d.ID, d.Version))
					}
					return depositOutcome(e.deposits.Refund(ctx, e.members[n], d.ID, d.Version, fmt.Sprint("0xback", d.ID)))
				}, nil
			},
		},
		{
			name: "ConfirmHeld", effects: credits, maxEffects: 1, ownKeys: true, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.arrived("5", true)
				d, err := e.deposits.ApproveUnderReview(ctx, e.members[0], d.ID, d.Version)
				require.NoError(e.t, err)
				return decide(false, e, func(by audit.Actor) (deposit.Deposit, error) {
					return e.deposits.ConfirmUnderReview(ctx, by, d.ID, d.Version)
				})
			},
		},
		{
			name: "ConfirmRefund", effects: requests + ` AND state = 'refunded'`, maxEffects: 1, ownKeys: true, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.arrived("5", true)
				d, err := e.deposits.Refund(ctx, e.members[0], d.ID, d.Version, fmt.Sprint("0xback", d.ID))
				require.NoError(e.t, err)
				return decide(false, e, func(by audit.Actor) (deposit.Deposit, error) {
					return e.deposits.ConfirmRefund(ctx, by, d.ID, d.Version)
				})
			},
		},
		{
			name: "AskReversal", effects: requests + ` AND reversal_approval IS NOT NULL`, maxEffects: 1, ownKeys: true, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.vanished()
				return decide(false, e, func(by audit.Actor) (deposit.Deposit, error) {
					return e.deposits.RequestReversal(ctx, by, d.ID, d.Version, "the chain dropped it")
				})
			},
		},
		{
			name: "ConfirmReversal", effects: reversals, maxEffects: 1, ownKeys: true, losers: late,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.vanished()
				d, err := e.deposits.RequestReversal(ctx, e.members[0], d.ID, d.Version, "the chain dropped it")
				require.NoError(e.t, err)
				return decide(false, e, func(by audit.Actor) (deposit.Deposit, error) {
					return e.deposits.ApproveReversal(ctx, by, d.ID, d.Version)
				})
			},
		},
		{
			name: "ConfirmReversalAsItsMaker", effects: reversals, maxEffects: 0, ownKeys: true, losers: []string{"approval.same_person"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.vanished()
				d, err := e.deposits.RequestReversal(ctx, e.members[0], d.ID, d.Version, "the chain dropped it")
				require.NoError(e.t, err)
				return decide(true, e, func(by audit.Actor) (deposit.Deposit, error) {
					return e.deposits.ApproveReversal(ctx, by, d.ID, d.Version)
				})
			},
		},
	}
}
