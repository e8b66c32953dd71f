package withdrawal_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/switches"
	"candor/app/withdrawal"
)

// everything is the content of the tables for money out.
func (b *bundle) everything() (text string) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `
		SELECT (SELECT coalesce(string_agg(w::text, ';' ORDER BY id), '') FROM withdrawals w) || (SELECT coalesce(string_agg(a::text, ';' ORDER BY id), '') FROM approvals a) || (SELECT string_agg(a::text, ';' ORDER BY id) FROM accounts a) ||
		       (SELECT count(*) FROM postings) || ' ' || (SELECT count(*) FROM ledger_transactions) || ' ' || (SELECT count(*) FROM idempotency_keys) || ' ' || (SELECT count(*) FROM audit_entries)`).Scan(&text))
	return text
}

// auditedAct is an act of staff, a trader or a job on a withdrawal in a state.
type auditedAct struct {
	name, action string
	from         withdrawal.State
	by           func(b *bundle) audit.Actor // claims it first; nil for no claim
	prepare      func(b *bundle, o owner, w withdrawal.Withdrawal) withdrawal.Withdrawal
	do           func(b *bundle, o owner, by audit.Actor, w withdrawal.Withdrawal) error
}

func auditedActs() []auditedAct {
	maker := func(b *bundle) audit.Actor { return b.maker }
	checker := func(b *bundle) audit.Actor { return b.checker }
	lead := func(b *bundle) audit.Actor { return b.lead }
	approve := func(b *bundle, _ owner, by audit.Actor, w withdrawal.Withdrawal) error {
		_, err := b.withdrawals.Approve(b.Context(), by, w.ID, w.Version, w.State, w.Facts())
		return err
	}
	settle := func(b *bundle, _ owner, by audit.Actor, w withdrawal.Withdrawal) error {
		_, err := b.withdrawals.ConfirmFinding(b.Context(), by, w.ID, w.Version)
		return err
	}
	found := func(paid bool) func(b *bundle, _ owner, w withdrawal.Withdrawal) withdrawal.Withdrawal {
		return func(b *bundle, _ owner, w withdrawal.Withdrawal) withdrawal.Withdrawal {
			w, err := b.by(b.maker, w.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
				return b.withdrawals.RecordFinding(b.Context(), b.maker, w.ID, w.Version, paid, fmt.Sprint("PAY-", b.next()), known)
			})
			require.NoError(b, err)
			return w
		}
	}
	type reasoned = func(*withdrawal.Service, *bundle, audit.Actor, withdrawal.Withdrawal) (withdrawal.Withdrawal, error)
	with := func(act reasoned) func(b *bundle, _ owner, by audit.Actor, w withdrawal.Withdrawal) error {
		return func(b *bundle, _ owner, by audit.Actor, w withdrawal.Withdrawal) error {
			_, err := act(b.withdrawals, b, by, w)
			return err
		}
	}
	return []auditedAct{
		{"Claim", "withdrawal.claim", withdrawal.Review, nil, nil, with(func(s *withdrawal.Service, b *bundle, _ audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.Claim(b.Context(), b.maker, w.ID)
		})},
		{"Release", "withdrawal.release", withdrawal.Review, maker, nil, with(func(s *withdrawal.Service, b *bundle, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.Release(b.Context(), by, w.ID)
		})},
		{"Maker", "withdrawal.request_payout", withdrawal.Review, maker, nil, approve},
		{"Checker", "withdrawal.approve_payout", withdrawal.Approved1, checker, nil, approve},
		{"Lead", "withdrawal.approve_payout", withdrawal.Approved2, lead, nil, approve},
		{"Ask", "withdrawal.ask", withdrawal.Review, maker, nil, with(func(s *withdrawal.Service, b *bundle, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.Ask(b.Context(), by, w.ID, w.Version, "source_of_funds", "")
		})},
		{"Reject", "withdrawal.reject", withdrawal.Approved1, checker, nil, with(func(s *withdrawal.Service, b *bundle, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.Reject(b.Context(), by, w.ID, w.Version, "other", "")
		})},
		{"Recall", "withdrawal.recall", withdrawal.Approved1, maker, nil, with(func(s *withdrawal.Service, b *bundle, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.Recall(b.Context(), by, w.ID, w.Version, "other", "")
		})},
		{"Freeze", "withdrawal.freeze", withdrawal.Queued, nil, nil, with(func(s *withdrawal.Service, b *bundle, _ audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.Freeze(b.Context(), b.lead, w.ID, w.Version, "under_examination", "")
		})},
		{"Thaw", "withdrawal.thaw", withdrawal.Frozen, nil, nil, with(func(s *withdrawal.Service, b *bundle, _ audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.Unfreeze(b.Context(), b.lead, w.ID, w.Version)
		})},
		{"Begin", "withdrawal.begin", withdrawal.Queued, maker, nil, with(func(s *withdrawal.Service, b *bundle, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.Begin(b.Context(), by, w.ID, w.Version, payer)
		})},
		{"Sent", "withdrawal.finish", withdrawal.Processing, maker, nil, with(func(s *withdrawal.Service, b *bundle, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.Finish(b.Context(), by, w.ID, w.Version, fmt.Sprint("PAY-", b.next()), true)
		})},
		{"Unknown", "withdrawal.finish", withdrawal.Processing, maker, nil, with(func(s *withdrawal.Service, b *bundle, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.Finish(b.Context(), by, w.ID, w.Version, "", false)
		})},
		{"FindOut", "withdrawal.request_outcome", withdrawal.OutcomeUnknown, maker, nil, with(func(s *withdrawal.Service, b *bundle, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.RecordFinding(b.Context(), by, w.ID, w.Version, false, "", known)
		})},
		{"SettlePaid", "withdrawal.approve_outcome", withdrawal.OutcomeUnknown, checker, found(true), settle},
		{"SettleUnpaid", "withdrawal.approve_outcome", withdrawal.OutcomeUnknown, checker, found(false), settle},
		{"Bounce", "withdrawal.bounce", withdrawal.Sent, maker, nil, with(func(s *withdrawal.Service, b *bundle, by audit.Actor, w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.RecordReturn(b.Context(), by, w.ID, w.Version, "account_closed", "")
		})},
		{"Request", "withdrawal.request", withdrawal.Review, nil, nil, func(b *bundle, o owner, _ audit.Actor, _ withdrawal.Withdrawal) error {
			_, err := b.request(o, 20*usdt)
			return err
		}},
		{"Cancel", "withdrawal.cancel", withdrawal.Approved1, nil, nil, func(b *bundle, o owner, _ audit.Actor, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.Cancel(b.Context(), o.Owner, w.ID, b.keyed(o))
			return err
		}},
		{"Reply", "withdrawal.reply", withdrawal.MoreInfo, nil, nil, func(b *bundle, o owner, _ audit.Actor, w withdrawal.Withdrawal) error {
			_, err := b.withdrawals.Reply(b.Context(), o.Owner, w.ID, "From my salary.", b.keyed(o))
			return err
		}},
		{"Complete", "withdrawal.complete", withdrawal.Sent, nil, func(b *bundle, _ owner, w withdrawal.Withdrawal) withdrawal.Withdrawal {
			b.exec(`UPDATE withdrawals SET sent_at = sent_at - interval '6 days' WHERE id = $1`, w.ID)
			return w
		}, func(b *bundle, _ owner, _ audit.Actor, _ withdrawal.Withdrawal) error {
			_, err := b.withdrawals.Complete(b.Context())
			return err
		}},
	}
}

// TestEachActIsOneEntry lets each act fail at its commit: no change, no entry and no notification remain. Then the act succeeds and writes one entry with its
// actor and target.
func TestEachActIsOneEntry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(switches.BankFeeKey, "2")
	list := auditedActs()
	for _, a := range list {
		t.Run(a.name, func(t *testing.T) {
			b := b.inSubtest(t)
			o := b.owner(1, 1_000*usdt)
			w := b.in(o, a.from)
			if a.prepare != nil {
				w = a.prepare(b, o, w)
			}
			by := b.lead
			if a.by != nil {
				by = a.by(b)
				var err error
				w, err = b.withdrawals.Claim(t.Context(), by, w.ID)
				require.NoError(t, err)
			}
			before, entries, heard := b.everything(), b.count(`SELECT count(*) FROM audit_entries`), len(b.changed)
			allow := b.database.FailCommits(t, "audit_entries")
			err := a.do(b, o, by, w)
			allow()
			require.ErrorContains(t, err, "a planted fault")
			require.Equal(t, before, b.everything(), "half of it is left")
			require.Len(t, b.changed, heard, "somebody was told of what did not happen")

			require.NoError(t, a.do(b, o, by, w))
			require.EqualValues(t, entries+1, b.count(`SELECT count(*) FROM audit_entries`))
			require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE id = (SELECT max(id) FROM audit_entries) AND action = $1 AND actor_name <> '' AND target_id <> ''`, a.action))
			require.NotEqual(t, before, b.everything())
			b.requireProved()
		})
	}
	line, err := json.Marshal(map[string]any{"goal": "G18", "commit": os.Getenv("COMMIT"), "part": "withdrawals", "acts": len(list), "entriesOfEach": 1, "halfDone": 0})
	require.NoError(t, err)
	fmt.Println(string(line))
}

// inSubtest is the same bundle for a subtest; subtests run one after another.
func (b *bundle) inSubtest(t *testing.T) *bundle {
	b.T = t
	return b
}
