package access

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/staff"
)

// every lists all permissions of the policy.
func every() map[Permission]bool {
	out := map[Permission]bool{}
	for _, role := range staff.Roles {
		for _, p := range PermissionsOf(role) {
			out[p] = true
		}
	}
	return out
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	for _, role := range staff.Roles {
		require.Contains(t, PermissionsOf(role), Home, "everybody may see the start page")
	}
	for _, p := range PermissionsOf(SuperAdmin) {
		require.NotContains(t, []Permission{DepositView, DepositDecide, DepositConfirm, IdentityView, IdentityDecide, IdentityApprove, IdentityConfirm, TraderView}, p,
			"who manages staff moves no money and verifies nobody")
	}
	require.NotContains(t, PermissionsOf(Auditor), StaffManage)
	require.NotContains(t, PermissionsOf(FinanceMaker), DepositConfirm)
	require.NotContains(t, PermissionsOf(ComplianceReviewer), IdentityConfirm, "the first person is not the second")
	require.NotContains(t, PermissionsOf(ComplianceLead), IdentityApprove, "the second person is not the first")
	require.Contains(t, PermissionsOf(ComplianceLead), DepositView, "who judges where money comes from sees how it came")
	for _, p := range []Permission{DepositWork, DepositDecide, DepositConfirm, DepositRefuse} {
		require.NotContains(t, PermissionsOf(ComplianceLead), p, "and decides about none of it")
	}
	for _, role := range staff.Roles {
		powers := PermissionsOf(role)
		if role != ComplianceReviewer && role != ComplianceLead {
			require.NotContains(t, powers, IdentityDecide, "%s looks at no papers", role)
		}
	}
	for _, p := range []Permission{ProductChange, ProductApprove} {
		require.NotContains(t, PermissionsOf(SuperAdmin), p, "who manages staff changes no product")
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
	for _, first := range staff.Roles {
		for _, second := range staff.Roles {
			powers, others := PermissionsOf(first), PermissionsOf(second)
			if slices.Contains(powers, asks) && slices.Contains(others, agrees) {
				require.True(t, apart[[2]staff.Role{first, second}], "%s and %s", first, second)
				pairs++
			}
		}
	}
	return pairs
}

// TestAllowed compares the enforcer with the policy's lines, read without Casbin.
func TestAllowed(t *testing.T) {
	t.Parallel()
	e, err := New()
	require.NoError(t, err)
	granted, parts := map[string]map[Permission]bool{}, map[string][]string{}
	for line := range strings.Lines(staff.PolicyRules) {
		fields := strings.Split(strings.TrimSpace(line), ", ")
		switch fields[0] {
		case "p":
			if granted[fields[1]] == nil {
				granted[fields[1]] = map[Permission]bool{}
			}
			require.False(t, granted[fields[1]][Permission(fields[2])], "twice: %s", line)
			granted[fields[1]][Permission(fields[2])] = true
		case "g":
			parts[fields[1]] = append(parts[fields[1]], fields[2])
		}
	}
	var has func(role string, p Permission) bool
	has = func(role string, p Permission) bool {
		return granted[role][p] || slices.ContainsFunc(parts[role], func(part string) bool { return has(part, p) })
	}
	for _, role := range staff.Roles {
		for p := range every() {
			require.Equal(t, has(string(role), p), e.Allowed([]Role{role}, p), "%s of %s", p, role)
			require.Equal(t, has(string(role), p), slices.Contains(PermissionsOf(role), p), "%s of %s", p, role)
		}
	}
	require.True(t, e.Allowed([]Role{ContentEditor, Auditor}, AuditView), "roles add up")
	require.True(t, e.Allowed([]Role{SupportLead}, ChatAnswer), "a lead has what an agent has")
	require.False(t, e.Allowed([]Role{SupportAgent}, ChatLead), "and not the other way round")
}

// TestThePolicyNamesWhatThereIs compares roles and permissions of the policy with those of the code.
func TestThePolicyNamesWhatThereIs(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("permissions.go")
	require.NoError(t, err)
	var declared []string
	for _, m := range regexp.MustCompile(`(?m)^\t\w+ +Permission = "([^"]+)"`).FindAllStringSubmatch(string(source), -1) {
		declared = append(declared, m[1])
	}
	var named []string
	for p := range every() {
		named = append(named, string(p))
	}
	require.ElementsMatch(t, declared, named)
	for line := range strings.Lines(staff.PolicyRules) {
		if fields := strings.Split(strings.TrimSpace(line), ", "); fields[0] == "g" {
			require.True(t, Role(fields[1]).Known(), "a person has only roles: %s", line)
		}
	}
}

func TestNobodyIsAllowedNothing(t *testing.T) {
	t.Parallel()
	e, err := New()
	require.NoError(t, err)
	for p := range every() {
		for _, roles := range [][]Role{nil, {}, {""}, {"", ""}, {"owner"}, {".*"}, {"*"}, {"super_admin "}, {"SUPER_ADMIN"}, {"super_admin\x00"}, {"p"}, {"member"}, {"finance"}, {"compliance"}} {
			require.False(t, e.Allowed(roles, p), "%q %s", roles, p)
		}
	}
	for _, p := range []Permission{"", ".*", "*", "staff", "staff.*", "home ", "HOME", "staff.view,staff.manage"} {
		require.False(t, e.Allowed([]Role{SuperAdmin}, p), p)
	}
	require.Empty(t, PermissionsOf("finance"))
}

func TestABrokenPolicyDoesNotStart(t *testing.T) {
	t.Parallel()
	_, err := newWith(staff.PolicyModel, "# nothing")
	require.ErrorIs(t, err, ErrEmpty)
	_, err = newWith("[matchers]", staff.PolicyRules)
	require.Error(t, err)
}

func TestManyMayAskAtOnce(t *testing.T) {
	t.Parallel()
	e, err := New()
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 200 {
				if !e.Allowed([]Role{Auditor}, AuditView) || e.Allowed([]Role{Auditor}, StaffManage) {
					t.Error("a wrong answer")
					return
				}
			}
		})
	}
	group.Wait()
}
