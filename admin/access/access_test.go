package access

import (
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/staff"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

func open(t *testing.T) (*db.DB, *dbtest.DB) {
	t.Helper()
	url := dbtest.New(t)
	d, err := db.Open(t.Context(), url.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return d, url
}

// every lists all permissions of the policy.
func every() map[Permission]bool {
	out := map[Permission]bool{}
	for _, permissions := range Policy {
		for _, p := range permissions {
			out[p] = true
		}
	}
	return out
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	for _, role := range staff.Roles {
		require.Contains(t, Policy, role)
		require.Contains(t, Policy[role], Home, "everybody may see the start page")
	}
	require.Len(t, Policy, len(staff.Roles))
	for _, p := range Policy[SuperAdmin] {
		require.NotContains(t, []Permission{DepositView, DepositDecide, DepositConfirm, IdentityView, IdentityDecide, IdentityApprove, IdentityConfirm, TraderView}, p,
			"who manages staff moves no money and verifies nobody")
	}
	require.NotContains(t, Policy[Auditor], StaffManage)
	require.NotContains(t, Policy[FinanceMaker], DepositConfirm)
	require.NotContains(t, Policy[ComplianceReviewer], IdentityConfirm, "the first person is not the second")
	require.NotContains(t, Policy[ComplianceLead], IdentityApprove, "the second person is not the first")
	require.Contains(t, Policy[ComplianceLead], DepositView, "who judges where money comes from sees how it came")
	for _, p := range []Permission{DepositWork, DepositDecide, DepositConfirm, DepositRefuse} {
		require.NotContains(t, Policy[ComplianceLead], p, "and decides about none of it")
	}
	for role, powers := range Policy {
		if role != ComplianceReviewer && role != ComplianceLead {
			require.NotContains(t, powers, IdentityDecide, "%s looks at no papers", role)
		}
	}
	for _, p := range []Permission{ProductChange, ProductApprove} {
		require.NotContains(t, Policy[SuperAdmin], p, "who manages staff changes no product")
	}
}

// TestTwoPeopleCreditADeposit checks that no role, and no two roles that one person may have, may both decide on a deposit and confirm it.
func TestTwoPeopleCreditADeposit(t *testing.T) {
	t.Parallel()
	require.Equal(t, 2, apart(t, DepositDecide, DepositConfirm), "the search must find who decides and who confirms")
}

// TestTwoPeopleChangeAProduct checks that no role, and no two roles that one person may have, may both request a change and approve it.
func TestTwoPeopleChangeAProduct(t *testing.T) {
	t.Parallel()
	require.Equal(t, 1, apart(t, ProductChange, ProductApprove), "the search must find who asks and who agrees")
}

// apart requires that no person may have both powers, and counts the pairs of roles that have them.
func apart(t *testing.T, asks, agrees Permission) (pairs int) {
	t.Helper()
	apart := map[[2]staff.Role]bool{}
	for _, pair := range staff.Forbidden {
		apart[pair], apart[[2]staff.Role{pair[1], pair[0]}] = true, true
	}
	for first, powers := range Policy {
		for second, others := range Policy {
			if slices.Contains(powers, asks) && slices.Contains(others, agrees) {
				require.True(t, apart[[2]staff.Role{first, second}], "%s and %s", first, second)
				pairs++
			}
		}
	}
	return pairs
}

func TestAllowed(t *testing.T) {
	t.Parallel()
	d, _ := open(t)
	e, err := New(t.Context(), d)
	require.NoError(t, err)
	for _, role := range staff.Roles {
		held := map[Permission]bool{}
		for _, p := range Policy[role] {
			held[p] = true
		}
		for p := range every() {
			require.Equal(t, held[p], e.Allowed([]Role{role}, p), "%s of %s", p, role)
		}
	}
	require.True(t, e.Allowed([]Role{ContentEditor, Auditor}, AuditView), "roles add up")
}

func TestNobodyIsAllowedNothing(t *testing.T) {
	t.Parallel()
	d, _ := open(t)
	e, err := New(t.Context(), d)
	require.NoError(t, err)
	for p := range every() {
		for _, roles := range [][]Role{nil, {}, {""}, {"", ""}, {"owner"}, {".*"}, {"*"}, {"super_admin "}, {"SUPER_ADMIN"}, {"super_admin\x00"}, {"p"}} {
			require.False(t, e.Allowed(roles, p), "%q %s", roles, p)
		}
	}
	for _, p := range []Permission{"", ".*", "*", "staff", "staff.*", "home ", "HOME", "staff.view,staff.manage"} {
		require.False(t, e.Allowed([]Role{SuperAdmin}, p), p)
	}
}

func TestAnEmptyPolicyDoesNotStart(t *testing.T) {
	t.Parallel()
	d, _ := open(t)
	_, err := newWith(t.Context(), d, nil)
	require.ErrorIs(t, err, ErrEmpty)
}

func TestAPolicyThatGoesAwayDeniesEverything(t *testing.T) {
	t.Parallel()
	d, _ := open(t)
	e, err := New(t.Context(), d)
	require.NoError(t, err)
	_, err = d.Pool.Exec(t.Context(), `DELETE FROM casbin_rules`)
	require.NoError(t, err)
	require.True(t, e.Allowed([]Role{SuperAdmin}, StaffManage), "until it is read again")
	require.ErrorIs(t, e.Reload(t.Context()), ErrEmpty)
	require.False(t, e.Allowed([]Role{SuperAdmin}, StaffManage))
	require.False(t, e.Allowed([]Role{SuperAdmin}, Home))
}

func TestABrokenStoreDeniesEverything(t *testing.T) {
	t.Parallel()
	d, url := open(t)
	e, err := New(t.Context(), d)
	require.NoError(t, err)
	owner, err := pgx.Connect(t.Context(), url.OwnerURL)
	require.NoError(t, err)
	defer owner.Close(t.Context())
	_, err = owner.Exec(t.Context(), `ALTER TABLE casbin_rules RENAME TO gone`)
	require.NoError(t, err)
	require.Error(t, e.Reload(t.Context()))
	require.False(t, e.Allowed([]Role{SuperAdmin}, Home))
	_, err = New(t.Context(), d)
	require.Error(t, err, "nor does it start")

	_, err = owner.Exec(t.Context(), `ALTER TABLE gone RENAME TO casbin_rules`)
	require.NoError(t, err)
	require.NoError(t, e.Reload(t.Context()))
	require.True(t, e.Allowed([]Role{SuperAdmin}, Home), "and comes back")
}

func TestTheCodeIsTheOneSource(t *testing.T) {
	t.Parallel()
	d, _ := open(t)
	_, err := d.Pool.Exec(t.Context(), `INSERT INTO casbin_rules (ptype, v0, v1) VALUES ('p', 'content_editor', 'deposit.decide')`)
	require.NoError(t, err)
	e, err := New(t.Context(), d)
	require.NoError(t, err)
	require.False(t, e.Allowed([]Role{ContentEditor}, DepositDecide), "a row somebody slipped in is gone")
	adapter := rules{t.Context(), d}
	require.ErrorIs(t, adapter.SavePolicy(nil), errCodeIsTheSource)
	require.ErrorIs(t, adapter.AddPolicy("p", "p", []string{"a", "b"}), errCodeIsTheSource)
	require.ErrorIs(t, adapter.RemovePolicy("p", "p", nil), errCodeIsTheSource)
	require.ErrorIs(t, adapter.RemoveFilteredPolicy("p", "p", 0), errCodeIsTheSource)
}

func TestManyMayAskWhileItIsReadAgain(t *testing.T) {
	t.Parallel()
	d, _ := open(t)
	e, err := New(t.Context(), d)
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 200 {
				if !e.Allowed([]Role{Auditor}, AuditView) || e.Allowed([]Role{Auditor}, StaffManage) {
					t.Error("a wrong answer while the policy was read again")
					return
				}
			}
		})
	}
	for range 10 {
		require.NoError(t, e.Reload(t.Context()))
	}
	group.Wait()
}
