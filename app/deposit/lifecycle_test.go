package deposit_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
)

// stage is a state of the desk, and the steps that bring a deposit of 6,000 into it. The owner of the claim acts, else the maker.
type stage struct {
	name  string
	reach func(b *bundle, o ledger.Owner) (d deposit.Deposit, holder audit.Actor)
}

var stages = []stage{
	{"AwaitingTransfer", func(b *bundle, o ledger.Owner) (deposit.Deposit, audit.Actor) {
		return b.request(o, 6_000*usdt), b.maker
	}},
	{"ProofSubmitted", func(b *bundle, o ledger.Owner) (deposit.Deposit, audit.Actor) {
		return b.proved(o, 6_000*usdt), b.maker
	}},
	{"InReview", func(b *bundle, o ledger.Owner) (deposit.Deposit, audit.Actor) {
		return b.claimed(o, 6_000*usdt), b.maker
	}},
	{"MatchedFromStatement", func(b *bundle, o ledger.Owner) (deposit.Deposit, audit.Actor) {
		d, err := b.matchStatement(b.maker, b.request(o, 6_000*usdt))
		require.NoError(b, err)
		return d, b.maker
	}},
	{"MoreInfo", func(b *bundle, o ledger.Owner) (deposit.Deposit, audit.Actor) {
		return b.decline(b.maker, b.claimed(o, 6_000*usdt), true), b.maker
	}},
	{"Approved", func(b *bundle, o ledger.Owner) (deposit.Deposit, audit.Actor) { return b.approved(o), b.maker }},
	{"ApprovedAndClaimed", func(b *bundle, o ledger.Owner) (deposit.Deposit, audit.Actor) {
		return b.claim(b.checker, b.approved(o).ID), b.checker
	}},
	{"Credited", func(b *bundle, o ledger.Owner) (deposit.Deposit, audit.Actor) {
		d := b.claim(b.checker, b.approved(o).ID)
		d, err := b.deposits.Confirm(b.Context(), b.checker, d.ID, d.Version)
		require.NoError(b, err)
		return d, b.checker
	}},
	{"Rejected", func(b *bundle, o ledger.Owner) (deposit.Deposit, audit.Actor) {
		return b.decline(b.maker, b.claimed(o, 6_000*usdt), false), b.maker
	}},
	{"Expired", func(b *bundle, o ledger.Owner) (deposit.Deposit, audit.Actor) {
		d := b.request(o, 6_000*usdt)
		b.expireLate()
		return b.read(d.ID), b.maker
	}},
	{"Cancelled", func(b *bundle, o ledger.Owner) (deposit.Deposit, audit.Actor) {
		d, err := b.tryCancel(o, b.request(o, 6_000*usdt).ID)
		require.NoError(b, err)
		return d, b.maker
	}},
}

func (b *bundle) decline(by audit.Actor, d deposit.Deposit, ask bool) deposit.Deposit {
	b.Helper()
	d, err := b.deposits.Decline(b.Context(), by, d.ID, d.Version, ask, "not_received", "")
	require.NoError(b, err)
	return d
}

// expireLate runs the expiry three days later, then sets the clock back.
func (b *bundle) expireLate() {
	b.Helper()
	now := b.clock.Now()
	b.clock.Advance(deposit.TransferLife + time.Second)
	_, err := b.deposits.Expire(b.Context())
	require.NoError(b, err)
	b.clock.Set(now)
}

// attempt is an act on a deposit.
type attempt struct {
	name string
	do   func(b *bundle, o ledger.Owner, holder audit.Actor, d deposit.Deposit) error
}

var attempts = []attempt{
	{"Prove", func(b *bundle, o ledger.Owner, _ audit.Actor, d deposit.Deposit) error {
		_, err := b.tryProve(o, d.ID, b.file(o, fmt.Sprint("picture ", b.next())).Name)
		return err
	}},
	{"Cancel", func(b *bundle, o ledger.Owner, _ audit.Actor, d deposit.Deposit) error {
		_, err := b.tryCancel(o, d.ID)
		return err
	}},
	{"Claim", func(b *bundle, _ ledger.Owner, holder audit.Actor, d deposit.Deposit) error {
		_, err := b.deposits.Claim(b.Context(), holder, d.ID)
		return err
	}},
	{"Release", func(b *bundle, _ ledger.Owner, holder audit.Actor, d deposit.Deposit) error {
		_, err := b.deposits.Release(b.Context(), holder, d.ID)
		return err
	}},
	{"Approve", func(b *bundle, _ ledger.Owner, holder audit.Actor, d deposit.Deposit) error {
		_, err := b.deposits.Approve(b.Context(), holder, d.ID, d.Version, statementOf(d.Amount, fmt.Sprint("BANK-", b.next())))
		return err
	}},
	{"Confirm", func(b *bundle, _ ledger.Owner, holder audit.Actor, d deposit.Deposit) error {
		_, err := b.deposits.Confirm(b.Context(), holder, d.ID, d.Version)
		return err
	}},
	{"Ask", func(b *bundle, _ ledger.Owner, holder audit.Actor, d deposit.Deposit) error {
		_, err := b.deposits.Decline(b.Context(), holder, d.ID, d.Version, true, "proof_unreadable", "")
		return err
	}},
	{"Reject", func(b *bundle, _ ledger.Owner, holder audit.Actor, d deposit.Deposit) error {
		_, err := b.deposits.Decline(b.Context(), holder, d.ID, d.Version, false, "not_received", "")
		return err
	}},
	{"TakeUp", func(b *bundle, _ ledger.Owner, _ audit.Actor, d deposit.Deposit) error {
		_, err := b.matchStatement(b.maker, d)
		return err
	}},
	{"Expire", func(b *bundle, _ ledger.Owner, _ audit.Actor, _ deposit.Deposit) error {
		b.expireLate()
		return nil
	}},
}

// outcomes are the results of the attempts at each stage: a state or a refusal. All others are ErrState, and no expiry.
var outcomes = map[string]map[string]any{
	"AwaitingTransfer": {"Prove": deposit.ProofSubmitted, "Cancel": deposit.Cancelled, "Release": deposit.ErrNotClaimed, "TakeUp": deposit.InReview, "Expire": deposit.Expired},
	"ProofSubmitted":   {"Claim": deposit.InReview, "Release": deposit.ErrNotClaimed},
	"InReview": {
		"Claim": deposit.InReview, "Release": deposit.ProofSubmitted, "Approve": deposit.Approved, "Ask": deposit.MoreInfo, "Reject": deposit.Rejected,
	},
	"MatchedFromStatement": {
		"Claim": deposit.InReview, "Release": deposit.InReview, "Approve": deposit.Approved, "Ask": deposit.MoreInfo, "Reject": deposit.Rejected,
	},
	"MoreInfo": {"Prove": deposit.ProofSubmitted, "Release": deposit.ErrNotClaimed, "Expire": deposit.Expired},
	"Approved": {
		"Claim": deposit.Approved, "Release": deposit.ErrNotClaimed, "Confirm": deposit.ErrNotClaimed, "Ask": deposit.ErrNotClaimed, "Reject": deposit.ErrNotClaimed,
	},
	"ApprovedAndClaimed": {
		"Claim": deposit.Approved, "Release": deposit.Approved, "Confirm": deposit.Credited, "Ask": deposit.MoreInfo, "Reject": deposit.Rejected,
	},
	"Credited":  {"Release": deposit.ErrNotClaimed},
	"Rejected":  {"Release": deposit.ErrNotClaimed},
	"Expired":   {"Release": deposit.ErrNotClaimed, "TakeUp": deposit.InReview},
	"Cancelled": {"Release": deposit.ErrNotClaimed},
}

// TestEveryActAtEveryStage checks the whole matrix: an allowed act moves the deposit and writes one entry; a refused one changes nothing.
func TestEveryActAtEveryStage(t *testing.T) {
	t.Parallel()
	shared := setup(t)
	for _, stage := range stages {
		t.Run(stage.name, func(t *testing.T) {
			for _, attempt := range attempts {
				t.Run(attempt.name, func(t *testing.T) {
					b := shared.in(t)
					o := b.owner(1)
					d, holder := stage.reach(b, o)
					before, entries, postings := b.read(d.ID), len(b.acts(d.ID)), b.postings()
					err := attempt.do(b, o, holder, d)
					switch want := outcomes[stage.name][attempt.name].(type) {
					case deposit.State:
						require.NoError(t, err)
						after := b.read(d.ID)
						require.Equal(t, want, after.State)
						require.Equal(t, before.Version+1, after.Version)
						require.Len(t, b.acts(d.ID), entries+1)
						require.Equal(t, want == deposit.Credited, b.postings() > postings, "only the credit moves money")
						return
					case error:
						require.ErrorIs(t, err, want)
					case nil:
						if attempt.name != "Expire" {
							require.ErrorIs(t, err, deposit.ErrState)
						}
					}
					require.Equal(t, before, b.read(d.ID))
					require.Len(t, b.acts(d.ID), entries)
					require.Equal(t, postings, b.postings())
				})
			}
		})
	}
	shared.requireProved()
}

// TestTheDatabaseKnowsTheStates writes rows that no service would write.
func TestTheDatabaseKnowsTheStates(t *testing.T) {
	t.Parallel()
	b := setup(t)
	waiting, approved := b.request(b.owner(1), 6_000*usdt), b.approved(b.owner(1))
	for name, sql := range map[string]string{
		"CreditedWithoutATransaction":  fmt.Sprint(`UPDATE deposits SET state = 'credited' WHERE id = `, approved.ID),
		"OnePersonTwice":               fmt.Sprint(`UPDATE deposits SET checker_id = maker_id WHERE id = `, approved.ID),
		"NothingReceived":              fmt.Sprint(`UPDATE deposits SET received = 0 WHERE id = `, approved.ID),
		"NothingAnnounced":             fmt.Sprint(`UPDATE deposits SET amount = -1 WHERE id = `, waiting.ID),
		"ATransactionBeforeItIsTheEnd": fmt.Sprint(`UPDATE deposits SET transaction_id = 1 WHERE id = `, waiting.ID),
	} {
		_, err := b.keeper.Pool.Exec(t.Context(), sql)
		require.ErrorContains(t, err, "23514", name)
	}
	_, err := b.keeper.Pool.Exec(t.Context(), fmt.Sprint(`UPDATE deposits SET state = 'paid' WHERE id = `, waiting.ID))
	require.ErrorContains(t, err, "22P02", "an unknown state")
}
