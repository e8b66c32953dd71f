package staff_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/staff"
)

// open requests a sensitive role and reads the request.
func (b *bundle) open(t *testing.T, asker, p staff.Person, role staff.Role) staff.RoleRequest {
	t.Helper()
	granted, err := b.AskRole(ctx, by(asker), p.ID, role)
	require.NoError(t, err)
	require.False(t, granted)
	list, err := b.OpenRequests(ctx, 100)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	return list[len(list)-1]
}

func TestEveryRoleIsKnownAndEveryPairIsOfTwo(t *testing.T) {
	t.Parallel()
	for role := range staff.Sensitive {
		require.True(t, role.Known(), role)
	}
	for _, pair := range staff.Forbidden {
		require.True(t, pair[0].Known() && pair[1].Known() && pair[0] != pair[1], pair)
	}
	for _, role := range staff.Roles {
		if staff.Sensitive[role] {
			require.Contains(t, staff.Forbidden, [2]staff.Role{staff.SuperAdmin, role}, "who manages staff holds no money, verification or switch role")
		}
	}
}

func TestAskRole(t *testing.T) {
	t.Parallel()
	t.Run("AHarmlessRoleIsGivenAtOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin, _, p := b.admins(t)
		granted, err := b.AskRole(ctx, by(admin), p.ID, staff.SupportAgent)
		require.NoError(t, err)
		require.True(t, granted)
		require.Equal(t, []staff.Role{staff.SupportAgent}, b.read(t, p.ID).Roles)
	})
	t.Run("ASensitiveOneIsNot", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin, _, p := b.admins(t)
		for role := range staff.Sensitive {
			granted, err := b.AskRole(ctx, by(admin), p.ID, role)
			require.False(t, granted, role)
			if err != nil {
				require.ErrorIs(t, err, staff.ErrPair)
			}
		}
		require.Empty(t, b.read(t, p.ID).Roles)
	})
	t.Run("AThirdSuperAdminTakesTheSecond", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, third := b.admins(t)
		request := b.open(t, first, third, staff.SuperAdmin)
		require.ErrorIs(t, b.GrantRole(ctx, by(first), request.ID), approval.ErrSamePerson)
		require.NoError(t, b.GrantRole(ctx, by(second), request.ID))
		require.True(t, b.read(t, third.ID).Has(staff.SuperAdmin))
	})
	t.Run("ForOneselfIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin, _, _ := b.admins(t)
		for _, role := range staff.Roles {
			_, err := b.AskRole(ctx, by(admin), admin.ID, role)
			require.ErrorIs(t, err, staff.ErrSelf, role)
		}
	})
	t.Run("RefusesWhatMakesNoSense", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		admin, _, p := b.admins(t)
		_, err := b.AskRole(ctx, by(admin), p.ID, "owner")
		require.ErrorIs(t, err, staff.ErrRole)
		_, err = b.AskRole(ctx, by(admin), 99_999, staff.SupportLead)
		require.ErrorIs(t, err, staff.ErrUnknown)
		_, err = b.AskRole(ctx, by(admin), p.ID, staff.SupportLead)
		require.NoError(t, err)
		_, err = b.AskRole(ctx, by(admin), p.ID, staff.SupportLead)
		require.ErrorIs(t, err, staff.ErrHasRole)
		b.open(t, admin, p, staff.FinanceMaker)
		_, err = b.AskRole(ctx, by(admin), p.ID, staff.FinanceMaker)
		require.ErrorIs(t, err, staff.ErrAsked)
		require.NoError(t, b.Disable(ctx, by(admin), p.ID, p.Version))
		_, err = b.AskRole(ctx, by(admin), p.ID, staff.SupportAgent)
		require.ErrorIs(t, err, staff.ErrDisabled)
	})
}

// TestForbiddenPairs tries every ordered pair of different roles: a forbidden pair is refused, whether the first role is granted or only requested.
func TestForbiddenPairs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second, _ := b.admins(t)
	forbidden := map[[2]staff.Role]bool{}
	for _, pair := range staff.Forbidden {
		forbidden[pair], forbidden[[2]staff.Role{pair[1], pair[0]}] = true, true
	}
	p := b.join(t, first, "pair@example.com", "Pair")
	for _, one := range staff.Roles {
		for _, held := range []bool{true, false} {
			asked := int64(0)
			if granted, err := b.AskRole(ctx, by(first), p.ID, one); !granted {
				require.NoError(t, err, one)
				list, err := b.OpenRequests(ctx, 1)
				require.NoError(t, err)
				asked = list[0].ID
				if held {
					require.NoError(t, b.GrantRole(ctx, by(second), asked))
				}
			}
			for _, two := range staff.Roles {
				if one == two {
					continue
				}
				granted, err := b.AskRole(ctx, by(first), p.ID, two)
				if forbidden[[2]staff.Role{one, two}] {
					require.ErrorIs(t, err, staff.ErrPair, "%s and %s, held %v", one, two, held)
					require.Equal(t, string(one), errs.As(err).Args["other"])
					continue
				}
				require.NoError(t, err, "%s and %s", one, two)
				b.undo(t, first, p, two, granted)
			}
			b.undo(t, first, p, one, b.read(t, p.ID).Has(one))
		}
	}
}

// undo revokes a role or withdraws its request.
func (b *bundle) undo(t *testing.T, admin, p staff.Person, role staff.Role, held bool) {
	t.Helper()
	if held {
		require.NoError(t, b.RevokeRole(ctx, by(admin), p.ID, role))
		return
	}
	list, err := b.OpenRequests(ctx, 10)
	require.NoError(t, err)
	for _, r := range list {
		if r.Role == role {
			require.NoError(t, b.WithdrawRole(ctx, by(admin), r.ID))
		}
	}
}

func TestGrantRole(t *testing.T) {
	t.Parallel()
	t.Run("TakesASecondPerson", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, p := b.admins(t)
		request := b.open(t, first, p, staff.FinanceMaker)
		require.ErrorIs(t, b.GrantRole(ctx, by(first), request.ID), approval.ErrSamePerson)
		require.ErrorIs(t, b.GrantRole(ctx, by(p), request.ID), staff.ErrSelf)
		require.ErrorIs(t, b.RefuseRole(ctx, by(first), request.ID), approval.ErrSamePerson)
		require.Empty(t, b.read(t, p.ID).Roles)
		require.NoError(t, b.GrantRole(ctx, by(second), request.ID))
		require.Equal(t, []staff.Role{staff.FinanceMaker}, b.read(t, p.ID).Roles)
		require.Equal(t, 1, b.logged(t, "staff.request_role", audit.Done))
		entries, _, err := audit.NewLog(b.db).List(ctx, audit.Filter{Action: "staff.role_grant", Limit: 1})
		require.NoError(t, err)
		require.JSONEq(t, fmt.Sprintf(`{"role":"finance_maker","roles":["finance_maker"],"request":%d}`, request.ID), entries[0].After, "the request that it answers")
	})
	t.Run("TheDatabaseSaysItTooWithoutTheCode", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, _, p := b.admins(t)
		request := b.open(t, first, p, staff.FinanceMaker)
		for _, decider := range []int64{first.ID, p.ID} {
			_, err := b.db.Pool.Exec(ctx, `UPDATE approvals SET state = 'applied', applied_at = now(), second_by = $2, second_at = now() WHERE id = $1`, request.ID, decider)
			require.ErrorContains(t, err, "violates check constraint")
		}
	})
	t.Run("OnceOnly", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, p := b.admins(t)
		third := b.join(t, first, "admin3@example.com", "Admin 3")
		request := b.open(t, first, third, staff.SuperAdmin)
		require.NoError(t, b.GrantRole(ctx, by(second), request.ID))
		request = b.open(t, first, p, staff.Risk)
		var group sync.WaitGroup
		var errA, errB error
		group.Go(func() { errA = b.GrantRole(ctx, by(second), request.ID) })
		group.Go(func() { errB = b.RefuseRole(ctx, by(third), request.ID) })
		group.Wait()
		require.True(t, (errA == nil) != (errB == nil), "%v, %v", errA, errB)
		require.ErrorIs(t, errors.Join(errA, errB), approval.ErrState)
		require.Equal(t, errA == nil, b.read(t, p.ID).Has(staff.Risk))
	})
	t.Run("ARoleGivenMeanwhileClashes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, p := b.admins(t)
		request := b.open(t, first, p, staff.FinanceMaker)
		_, err := b.db.Pool.Exec(ctx, `INSERT INTO staff_roles VALUES ($1, 'finance_checker', now())`, p.ID)
		require.NoError(t, err)
		require.ErrorIs(t, b.GrantRole(ctx, by(second), request.ID), staff.ErrPair)
	})
	t.Run("ADisabledPersonGetsNone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, p := b.admins(t)
		request := b.open(t, first, p, staff.FinanceMaker)
		require.NoError(t, b.Disable(ctx, by(first), p.ID, p.Version))
		require.ErrorIs(t, b.GrantRole(ctx, by(second), request.ID), staff.ErrDisabled)
		require.NoError(t, b.RefuseRole(ctx, by(second), request.ID))
	})
	t.Run("OnlyTheAskerWithdraws", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, p := b.admins(t)
		request := b.open(t, first, p, staff.FinanceMaker)
		require.ErrorIs(t, b.WithdrawRole(ctx, by(second), request.ID), approval.ErrNotRequester)
		require.NoError(t, b.WithdrawRole(ctx, by(first), request.ID))
		require.ErrorIs(t, b.GrantRole(ctx, by(second), request.ID), approval.ErrState)
		n, _, err := b.CountOpenRequests(ctx)
		require.NoError(t, err)
		require.Zero(t, n)
		require.ErrorIs(t, b.GrantRole(ctx, by(second), 99_999), approval.ErrUnknown)
	})
}

func TestRevokeRole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second, p := b.admins(t)
	_, err := b.AskRole(ctx, by(first), p.ID, staff.Auditor)
	require.NoError(t, err)
	require.NoError(t, b.RevokeRole(ctx, by(first), p.ID, staff.Auditor))
	require.Empty(t, b.read(t, p.ID).Roles)
	require.ErrorIs(t, b.RevokeRole(ctx, by(first), p.ID, staff.Auditor), staff.ErrNoRole)
	require.ErrorIs(t, b.RevokeRole(ctx, by(first), first.ID, staff.SuperAdmin), staff.ErrSelf)
	require.NoError(t, b.RevokeRole(ctx, by(first), second.ID, staff.SuperAdmin))
	require.ErrorIs(t, b.RevokeRole(ctx, by(second), first.ID, staff.SuperAdmin), staff.ErrLastAdmin, "though nobody but a super admin reaches it")
}

func TestASuperAdminWhoRemovesTheOthersStillNeedsASecond(t *testing.T) {
	t.Parallel()
	ways := map[string]func(b *bundle, first, second staff.Person) error{
		"Disable": func(b *bundle, first, second staff.Person) error {
			return b.Disable(ctx, by(first), second.ID, second.Version)
		},
		"Revoke": func(b *bundle, first, second staff.Person) error {
			return b.RevokeRole(ctx, by(first), second.ID, staff.SuperAdmin)
		},
		"ResetAccess": func(b *bundle, first, second staff.Person) error {
			return b.ResetAccess(ctx, by(first), second.ID, second.Version)
		},
		"ResetAuthenticator": func(b *bundle, first, second staff.Person) error {
			return b.ResetAuthenticator(ctx, by(first), second.ID, second.Version)
		},
	}
	for name, remove := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			first, second, p := b.admins(t)
			require.NoError(t, remove(b, first, b.read(t, second.ID)))
			granted, err := b.AskRole(ctx, by(first), p.ID, staff.SuperAdmin)
			require.NoError(t, err)
			require.False(t, granted)
			require.NotContains(t, b.read(t, p.ID).Roles, staff.SuperAdmin)
			lost := name != "ResetAuthenticator"
			require.Equal(t, lost, slices.Contains(b.kinds(t, second.Email), "staff_admin_lost"))
			require.Equal(t, lost, slices.Contains(b.kinds(t, first.Email), "staff_admin_lost"), "so that others hear of it")
			require.NotContains(t, b.kinds(t, p.Email), "staff_admin_lost")
		})
	}
	t.Run("ThreeDaysLaterTheOnlyOneChoosesAnother", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second, p := b.admins(t)
		require.NoError(t, b.RevokeRole(ctx, by(first), second.ID, staff.SuperAdmin))
		b.clock.Advance(72*time.Hour - time.Second)
		needs, err := b.NeedsSecond(ctx, staff.SuperAdmin)
		require.NoError(t, err)
		require.True(t, needs)
		b.clock.Advance(time.Second)
		granted, err := b.AskRole(ctx, by(first), p.ID, staff.SuperAdmin)
		require.NoError(t, err)
		require.True(t, granted)
	})
}

func TestHoldsAny(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin, _, p := b.admins(t)
	holds := func(id int64, roles ...staff.Role) bool {
		found, err := staff.HoldsAny(ctx, b.db.Pool, id, roles...)
		require.NoError(t, err)
		return found
	}
	require.False(t, holds(p.ID, staff.Roles...))
	granted, err := b.AskRole(ctx, by(admin), p.ID, staff.SupportAgent)
	require.NoError(t, err)
	require.True(t, granted)
	require.True(t, holds(p.ID, staff.SupportAgent))
	require.True(t, holds(p.ID, staff.SuperAdmin, staff.SupportAgent))
	require.False(t, holds(p.ID, staff.SuperAdmin))
	require.False(t, holds(p.ID))
}
