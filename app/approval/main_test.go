package approval_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/staff/member"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

// errNotNow is a refusal of the tests' use when it is to take effect.
var errNotNow = errors.New("not now")

type bundle struct {
	*testing.T
	test                      *dbtest.DB
	db                        *db.DB
	clock                     *clock.Fixed
	engine                    *approval.Engine
	anna, ben, cora           audit.Actor
	applied                   []int64 // what took effect, in order
	closed                    []approval.State
	barred                    int64 // who has a conflict of interest
	fails                     error // what Apply returns
	facts                     string
	adjustments, terms, roles *approval.Service
}

// setup declares three uses: with a trader, with facts of its own, and one with a rule about its people.
func setup(t *testing.T) *bundle {
	t.Helper()
	test := dbtest.New(t)
	d, err := db.Open(t.Context(), test.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	b := &bundle{T: t, test: test, db: d, clock: clock.NewFixed(start), facts: "shown"}
	b.engine = approval.New(d, b.clock, func(_ context.Context, _ *db.Tx, staffID, _ int64, _ member.Duty) error {
		if staffID == b.barred {
			return errConflict
		}
		return nil
	})
	apply := func(_ context.Context, _ *db.Tx, _ audit.Actor, a approval.Approval) error {
		if b.fails != nil {
			return b.fails
		}
		b.applied = append(b.applied, a.ID)
		return nil
	}
	closed := func(_ context.Context, _ *db.Tx, _ audit.Actor, a approval.Approval) error {
		b.closed = append(b.closed, a.State)
		return nil
	}
	b.adjustments = b.engine.For(approval.Use{Name: "adjustment", Duty: member.MoneyDuty, Lasts: 48 * time.Hour, Apply: apply, Closed: closed})
	b.terms = b.engine.For(approval.Use{
		Name: "switch_change", Area: "product", Target: "product", Apply: apply, Closed: closed,
		Facts: func(context.Context, *db.Tx, approval.Approval) ([]byte, error) {
			return []byte(b.facts + strings.Repeat(" ", 32-len(b.facts))), nil
		},
		Lock: func(ctx context.Context, tx *db.Tx, _ approval.Approval) error { return b.lockTerms(ctx, tx) },
	})
	b.roles = b.engine.For(approval.Use{
		Name: "staff_role", Area: "staff", About: "role", Target: "staff", Apply: apply,
		MayApprove:  func(by audit.Actor, _ approval.Approval) error { return b.mayApprove(by) },
		MayWithdraw: func(audit.Actor, approval.Approval) error { return nil },
		People:      func(approval.Approval) int { return 2 },
	})
	b.anna, b.ben, b.cora = b.staff("Anna"), b.staff("Ben"), b.staff("Cora")
	return b
}

// lockTerms is what every act on terms locks first.
func (b *bundle) lockTerms(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(4711)`)
	return err
}

var (
	errConflict = errors.New("a conflict of interest")
	errBarred   = errors.New("not this person")
)

func (b *bundle) mayApprove(by audit.Actor) error {
	if by.ID == b.cora.ID {
		return errBarred
	}
	return nil
}

func (b *bundle) staff(name string) audit.Actor {
	b.Helper()
	id := b.count(`INSERT INTO staff (email, name, state, created_at) VALUES (lower($1) || '@house.example', $1, 'active', now()) RETURNING id`, name)
	return audit.Actor{Kind: audit.Staff, ID: id, Name: name}
}

func (b *bundle) trader() *int64 {
	b.Helper()
	id := b.count(`INSERT INTO traders (name, email, password_hash, country, invite_code, accepted_at) VALUES ('T', gen_random_uuid() || '@x.example', 'x', 'ES', gen_random_uuid(), now()) RETURNING id`)
	return &id
}

func (b *bundle) count(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

// requested makes Anna's request for some people.
func (b *bundle) requested(people int) approval.Approval {
	b.Helper()
	a, err := b.adjustments.Request(b.Context(), b.anna, approval.Request{TraderID: b.trader(), Proposal: approval.Fields{"amount": 5, "reason": "goodwill"}, Note: "A present", People: people})
	require.NoError(b, err)
	return a
}

// approve approves what is there now.
func (b *bundle) approve(s *approval.Service, by audit.Actor, a approval.Approval) (approval.Approval, error) {
	return s.Approve(b.Context(), by, a.ID, a.Version, a.State, a.Facts)
}

func id(of audit.Actor) string { return number(of.ID) }

func number(id int64) string { return strconv.FormatInt(id, 10) }

// owner is a connection of the tables' owner, for whom triggers hold too.
func (b *bundle) owner(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), b.test.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}
