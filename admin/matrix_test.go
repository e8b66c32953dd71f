package admin_test

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/platform/dbtest"
	"candor/app/staff"
)

const matrixFile = "testdata/matrix.txt"

// gate is a back office whose handlers only count, with a signed-in member of each role: an answer shows only the decision of the guard.
type gate struct {
	*testing.T
	office *desktest.Office
	data   *dbtest.DB
	seats  map[access.Role]*desktest.Browser
	calls  int
}

func newGate(t *testing.T) *gate {
	t.Helper()
	data := dbtest.New(t)
	g := &gate{T: t, office: desktest.New(t, data.URL), data: data, seats: map[access.Role]*desktest.Browser{}}
	g.office.Mount(counted(&g.calls))
	for _, role := range staff.Roles {
		g.seats[role] = g.office.SignIn(t, role)
	}
	return g
}

// reaches sends a request and reports whether a handler ran. If none ran, the answer must be one of the refusals.
func (g *gate) reaches(b *desktest.Browser, method, path string, refusals ...int) bool {
	g.Helper()
	g.calls = 0
	code := ask(b, method, path)
	if g.calls > 0 {
		require.Equal(g, http.StatusNoContent, code, "%s %s", method, path)
		return true
	}
	require.Contains(g, refusals, code, "%s %s as %s", method, path, b.Person.Name)
	return false
}

// row is a route with the roles that reach its handler: exactly those with its permission.
func (g *gate) row(r desk.Route) string {
	g.Helper()
	var row strings.Builder
	fmt.Fprintf(&row, "%-6s %-49s", r.Method, "/admin"+r.Path)
	for _, role := range staff.Roles {
		mark, held := ".", slices.Contains(access.PermissionsOf(role), r.Permission)
		if held {
			mark = "x"
		}
		require.Equal(g, held, g.reaches(g.seats[role], r.Method, address(r), http.StatusForbidden), "%s %s as %s", r.Method, r.Path, role)
		row.WriteString("  " + mark)
	}
	return row.String()
}

// legend names the columns.
func legend() (lines []string) {
	for i, role := range staff.Roles {
		lines = append(lines, fmt.Sprintf("# %2d %s", i+1, role))
	}
	var numbers strings.Builder
	for i := range staff.Roles {
		fmt.Fprintf(&numbers, " %2d", i+1)
	}
	return append(lines, fmt.Sprintf("# %-54s%s", "", numbers.String()))
}

// TestTheMatrixOfRoles requests every route with every role, without a role and without a session, and compares the roles that got through with the reviewed
// table. TestOtherSpellings shows that no other spelling of a route gives more:
// go test ./admin -run TestTheMatrixOfRoles -update
func TestTheMatrixOfRoles(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	guest, none := g.office.Guest(), g.office.SignIn(t)
	var rows []string
	for _, r := range routes() {
		rows = append(rows, g.row(r))
		require.False(t, g.reaches(guest, r.Method, address(r), http.StatusSeeOther), "%s %s without a session", r.Method, r.Path)
		// The start page is open to all staff.
		require.Equal(t, r.Permission == access.Home, g.reaches(none, r.Method, address(r), http.StatusForbidden), "%s %s without a role", r.Method, r.Path)
	}
	slices.Sort(rows)
	table := strings.Join(append(legend(), rows...), "\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile(matrixFile, []byte(table), 0o644))
	}
	want, err := os.ReadFile(matrixFile)
	require.NoError(t, err)
	require.Equal(t, string(want), table)
}

// TestUnknownRolesOpenNothing requests every route without a role, with roles that do not exist, and with the parts of roles: no request gets through.
func TestUnknownRolesOpenNothing(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	through := func(b *desktest.Browser) (n int) {
		for _, r := range routes() {
			if r.Permission != access.Home && g.reaches(b, r.Method, address(r), http.StatusForbidden) {
				n++
			}
		}
		return n
	}
	everybody := g.office.SignIn(t, staff.Roles...)
	all := through(everybody)
	var home []string
	open := 0
	for _, r := range routes() {
		if r.Permission == access.Home {
			open++
			if !own(r) {
				home = append(home, r.Method+" "+r.Path)
			}
		}
	}
	require.Equal(t, []string{"GET ", "GET /home", "GET /find"}, home, "open to whoever works here, besides their own account")
	require.Equal(t, len(routes())-open, all)
	require.Zero(t, through(g.office.SignIn(t, "")), "a role without a name")
	require.Zero(t, through(g.office.SignIn(t, "owner")), "a role that is none")
	require.Zero(t, through(g.office.SignIn(t, "finance")), "a part of roles")
	require.Zero(t, through(g.office.SignIn(t)), "no role")
}

// TestARevokedRoleOpensNothing revokes each role while its holder is signed in, and requests at once everything that it opened.
func TestARevokedRoleOpensNothing(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	root := g.office.Hire(t, "Root", access.SuperAdmin)
	actor := audit.Actor{Kind: audit.Staff, ID: root.ID, Name: root.Name}
	for _, role := range staff.Roles {
		require.NoError(t, g.office.Staff.RevokeRole(t.Context(), actor, g.seats[role].Person.ID, role))
		for _, r := range routes() {
			if r.Permission != access.Home && slices.Contains(access.PermissionsOf(role), r.Permission) {
				require.False(t, g.reaches(g.seats[role], r.Method, address(r), http.StatusForbidden), "%s %s as %s", r.Method, r.Path, role)
			}
		}
	}
}
