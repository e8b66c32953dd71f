package task_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/staff"
	"candor/app/task"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// bundle is a fixture with an agent, two members of finance, a member of risk and an auditor.
type bundle struct {
	*testing.T
	dbtest                               *dbtest.DB
	db                                   *db.DB
	clock                                *clock.Fixed
	tasks                                *task.Service
	agent, finance, other, risk, auditor audit.Actor
	trader                               int64
	keys                                 int
	told                                 []string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	test := dbtest.New(t)
	d, err := db.Open(t.Context(), test.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	b := &bundle{T: t, dbtest: test, db: d, clock: clock.NewFixed(start)}
	b.tasks = task.New(d, b.clock, func(_ context.Context, _ *db.Tx, _ audit.Actor, made task.Task, act string) error {
		b.told = append(b.told, act+" "+made.Number())
		return nil
	})
	b.agent, b.finance, b.other = b.staff("Agent", staff.SupportAgent), b.staff("Finance 01", staff.FinanceMaker), b.staff("Finance 02", staff.FinanceChecker)
	b.risk, b.auditor = b.staff("Risk", staff.Risk), b.staff("Auditor", staff.Auditor)
	b.trader = b.scan(`INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ('t@example.com', 'T', '', 'DE', 'T', now()) RETURNING id`)
	return b
}

func (b *bundle) staff(name string, role staff.Role) audit.Actor {
	b.Helper()
	id := b.scan(`INSERT INTO staff (email, name, state, password_hash, created_at) VALUES (replace(lower($1), ' ', '.') || '@house.example', $1, 'active', 'none', now()) RETURNING id`, name)
	_, err := b.db.Pool.Exec(b.Context(), `INSERT INTO staff_roles (staff_id, role, granted_at) VALUES ($1, $2, now())`, id, role)
	require.NoError(b, err)
	return audit.Actor{Kind: audit.Staff, ID: id, Name: name, Roles: string(role)}
}

func (b *bundle) scan(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

func (b *bundle) request() task.Request {
	b.keys++
	return task.Request{
		Title: "Find the missing transfer", Note: "Two days old", Subject: task.Subject{SubjectKind: task.Trader, SubjectID: b.trader, TraderID: &b.trader}, Team: task.Finance, Priority: task.Normal,
		DueAt: start.Add(24 * time.Hour), Key: fmt.Sprintf("key-of-the-form-%03d", b.keys),
	}
}

func (b *bundle) asked(change ...func(*task.Request)) task.Task {
	b.Helper()
	r := b.request()
	for _, f := range change {
		f(&r)
	}
	made, err := b.tasks.Ask(b.Context(), b.agent, r)
	require.NoError(b, err)
	return made
}

func (b *bundle) taken(by audit.Actor) task.Task {
	b.Helper()
	made := b.asked()
	made, err := b.tasks.Take(b.Context(), by, made.ID, made.Version)
	require.NoError(b, err)
	return made
}

func reads(by audit.Actor) task.Reader { return task.Reader{Actor: by} }
