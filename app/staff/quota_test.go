package staff_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/staff"
)

// holder is a signed-in member with a role.
func (b *bundle) holder(t *testing.T, email string, role staff.Role) staff.Person {
	t.Helper()
	var id int64
	require.NoError(t, b.db.Pool.QueryRow(ctx, `INSERT INTO staff (email, name, password_hash, totp_key, totp_sealed, state, created_at) VALUES ($1, $1, 'x', 'x', 'x', 'active', $2) RETURNING id`,
		email, b.clock.Now()).Scan(&id))
	_, err := b.db.Pool.Exec(ctx, `INSERT INTO staff_roles (staff_id, role, granted_at) VALUES ($1, $2, $3)`, id, role, b.clock.Now())
	require.NoError(t, err)
	return b.read(t, id)
}

// reveals looks at contacts concurrently and counts those that were shown.
func (b *bundle) reveals(t *testing.T, p staff.Person, action, after string, times int) (shown int32) {
	t.Helper()
	var n atomic.Int32
	var group errgroup.Group
	for range times {
		group.Go(func() error {
			view := audit.By(by(p), b.clock.Now(), action, "trader", 10000001)
			view.After = after
			until, _, err := b.Reveal(ctx, by(p), view)
			if err == nil && until.IsZero() {
				n.Add(1)
			}
			return err
		})
	}
	require.NoError(t, group.Wait())
	return n.Load()
}

func (b *bundle) counted(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	require.NoError(t, b.db.Pool.QueryRow(ctx, sql, args...).Scan(&n))
	return n
}

// TestContactsAreBounded checks the limits of ten contacts an hour for support and thirty for others under concurrent requests, with one alarm.
func TestContactsAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	agent, other, finance := b.holder(t, "agent@desk.test", staff.SupportAgent), b.holder(t, "other@desk.test", staff.SupportLead), b.holder(t, "finance@desk.test", staff.FinanceMaker)
	b.holder(t, "root@desk.test", staff.SuperAdmin)
	b.holder(t, "lead@desk.test", staff.ComplianceLead)
	const address = `{"contact":"mail","reason":"case 4711"}`
	require.EqualValues(t, 7, b.reveals(t, agent, "trader.reveal", address, 7))
	require.EqualValues(t, 3, b.reveals(t, agent, "withdrawal.reveal", `{"dialog":"","reason":"case 4711"}`, 16), "numbers of accounts count too")
	require.Zero(t, b.reveals(t, agent, "trader.reveal", address, 4))
	require.EqualValues(t, 10, b.reveals(t, other, "trader.reveal", address, 10), "another agent has their own")
	require.EqualValues(t, 30, b.reveals(t, finance, "trader.reveal", address, 34))

	require.Equal(t, 1, b.counted(t, `SELECT count(*) FROM audit_entries WHERE action = 'quota.exceeded' AND actor_id = $1`, agent.ID), "the alarm is raised once")
	require.Equal(t, 17, b.counted(t, `SELECT count(*) FROM audit_entries WHERE action LIKE '%.reveal' AND result = 'denied' AND actor_id = $1`, agent.ID), "each refusal is written down")
	for to, mails := range map[string]int{"root@desk.test": 2, "lead@desk.test": 2, "finance@desk.test": 0, "agent@desk.test": 0, "other@desk.test": 0} {
		require.Equal(t, mails, b.counted(t, `SELECT count(*) FROM outbox WHERE recipient = $1`, to), to)
	}

	b.clock.Advance(59*time.Minute + 59*time.Second)
	require.Zero(t, b.reveals(t, agent, "trader.reveal", address, 1))
	b.clock.Advance(time.Second)
	require.EqualValues(t, 10, b.reveals(t, agent, "trader.reveal", address, 12), "an hour later there is room again")
	require.Equal(t, 2, b.counted(t, `SELECT count(*) FROM audit_entries WHERE action = 'quota.exceeded' AND actor_id = $1`, agent.ID), "and another alarm")
}

// TestADialogOfADecisionIsNoReveal checks that a number shown in a payout decision does not count against the quota.
func TestADialogOfADecisionIsNoReveal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.holder(t, "maker@desk.test", staff.FinanceMaker)
	require.NoError(t, b.db.InTx(ctx, func(tx *db.Tx) error {
		for range 40 {
			view := audit.By(by(maker), b.clock.Now(), "withdrawal.reveal", "withdrawal", 80001)
			view.After = `{"dialog":"approval","reason":""}`
			if err := audit.RecordTx(ctx, tx, view); err != nil {
				return err
			}
		}
		return nil
	}))
	require.EqualValues(t, 30, b.reveals(t, maker, "trader.reveal", `{"contact":"mail","reason":"case 4711"}`, 31))
}
