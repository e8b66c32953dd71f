// Package admin_test checks the whole back office against its table of permissions.
package admin_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/accountdesk"
	"candor/admin/adjustdesk"
	"candor/admin/bankdesk"
	"candor/admin/bonusdesk"
	"candor/admin/cashdesk"
	"candor/admin/changedesk"
	"candor/admin/chatdesk"
	"candor/admin/complaintdesk"
	"candor/admin/controldesk"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/admin/finddesk"
	"candor/admin/kycdesk"
	"candor/admin/ledgerdesk"
	"candor/admin/newsdesk"
	"candor/admin/paydesk"
	"candor/admin/reportdesk"
	"candor/admin/signin"
	"candor/admin/switchdesk"
	"candor/admin/tagdesk"
	"candor/admin/taskdesk"
	"candor/admin/tradedesk"
	"candor/app/platform/dbtest"
	"candor/app/staff"
)

var update = flag.Bool("update", false, "write the table of routes anew")

const golden = "testdata/routes.txt"

func TestMain(m *testing.M) { dbtest.Run(m) }

// routes lists every route of the back office.
func routes() []desk.Route {
	return slices.Concat(
		controldesk.Routes(controldesk.Services{}), cashdesk.Routes(cashdesk.Services{}), paydesk.Routes(paydesk.Services{}),
		kycdesk.Routes(kycdesk.Services{}), ledgerdesk.Routes(ledgerdesk.Services{}), adjustdesk.Routes(adjustdesk.Services{}), bonusdesk.Routes(bonusdesk.Services{}), changedesk.Routes(changedesk.Services{}), bankdesk.Routes(bankdesk.Services{}), switchdesk.Routes(switchdesk.Services{}), chatdesk.Routes(chatdesk.Services{}), tradedesk.Routes(tradedesk.Services{}),
		newsdesk.Routes(newsdesk.Services{}), finddesk.Routes(), reportdesk.Routes(reportdesk.Services{}), taskdesk.Routes(taskdesk.Services{}), complaintdesk.Routes(complaintdesk.Services{}), tagdesk.Routes(tagdesk.Services{}), accountdesk.Routes(accountdesk.Services{}),
	)
}

// TestTable compares the routes and their permissions with the reviewed table:
// go test ./admin -run TestTable -update
func TestTable(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, r := range append(routes(), new(desk.Frame).OwnRoutes()...) {
		lines = append(lines, fmt.Sprintf("%-6s /admin%-42s %s", r.Method, r.Path, r.Permission))
	}
	for _, r := range signin.Routes(nil) {
		lines = append(lines, fmt.Sprintf("%-6s /admin%-42s (public)", r.Method, r.Path))
	}
	slices.Sort(lines)
	table := strings.Join(lines, "\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(table), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), table)
}

// TestProductionRevealsNoMessage compares the routes of the two modes: a production server lacks only those that show a message body.
func TestProductionRevealsNoMessage(t *testing.T) {
	t.Parallel()
	addresses := func(list []desk.Route) (out []string) {
		for _, r := range list {
			out = append(out, r.Method+" "+r.Path)
		}
		return out
	}
	development := addresses(controldesk.Routes(controldesk.Services{}))
	production := addresses(controldesk.Routes(controldesk.Services{Production: true}))
	missing := slices.DeleteFunc(slices.Clone(development), func(a string) bool { return slices.Contains(production, a) })
	require.Equal(t, []string{"GET /outbox/:id/reveal", "POST /outbox/:id/reveal"}, missing)
	require.Subset(t, development, production)
}

// TestReadsChangeNothing checks that every route that changes something is a write.
func TestReadsChangeNothing(t *testing.T) {
	t.Parallel()
	methods := []string{http.MethodGet, http.MethodPost, http.MethodDelete}
	for _, r := range routes() {
		require.Contains(t, methods, r.Method, r.Path)
		if r.Method != http.MethodGet && !own(r) {
			require.NotEqual(t, access.Home, r.Permission, "%s: nobody writes just because they are here", r.Path)
		}
		require.NotEmpty(t, holders(r.Permission), "%s: somebody holds %s", r.Path, r.Permission)
	}
}

// own reports whether a route is about the account of the member who asks, whoever it is.
func own(r desk.Route) bool { return strings.HasPrefix(desk.Root+r.Path, desk.AccountPath) }

func holders(p access.Permission) (roles []access.Role) {
	for _, role := range staff.Roles {
		if slices.Contains(access.PermissionsOf(role), p) {
			roles = append(roles, role)
		}
	}
	return roles
}

// counted lists the routes with handlers that only count.
func counted(calls *int) []desk.Route {
	list := routes()
	for i := range list {
		list[i].Handle = func(r *desk.Request) error {
			*calls++
			return r.NoContent(http.StatusNoContent)
		}
	}
	return list
}

var parameter = regexp.MustCompile(`:[a-z]+`)

func address(r desk.Route) string { return "/admin" + parameter.ReplaceAllString(r.Path, "7") }

func ask(b *desktest.Browser, method, path string) int {
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path, r.URL.RawPath, r.RequestURI = path, "", path
	if strings.Contains(path, "%") {
		r.URL.RawPath, r.URL.Path = path, strings.NewReplacer("%2f", "/", "%2F", "/", "%61", "a").Replace(path)
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.Do(r).Code
}

// TestOtherSpellings requests each route in every other spelling and with every other method, with all roles and without a session.
func TestOtherSpellings(t *testing.T) {
	t.Parallel()
	calls := 0
	o := desktest.New(t, dbtest.New(t).URL)
	o.Mount(counted(&calls))
	everybody := o.SignIn(t, staff.Roles...)
	mounted := map[string]bool{}
	for _, r := range routes() {
		mounted[r.Method+" "+address(r)] = true
	}
	for _, browser := range []*desktest.Browser{everybody, o.Guest()} {
		for _, r := range routes() {
			path := address(r)
			last := strings.LastIndex(path, "/")
			for _, other := range []string{
				path + "/", path + "//", "/" + path, path[:last] + "%2f" + path[last+1:], path[:last] + "%2F" + path[last+1:], path[:last] + "//" + path[last+1:],
				strings.Replace(path, "/a", "/%61", 1), strings.ToUpper(path), path + ";x", path + "/.", path[:last] + "/./" + path[last+1:],
			} {
				require.Equal(t, http.StatusNotFound, ask(browser, r.Method, other), "%s %s", r.Method, other)
			}
			for _, method := range []string{"HEAD", "OPTIONS", "TRACE", "CONNECT", "PUT", "PATCH", "DELETE", "GET", "POST", "PROPFIND", "GETX", "get"} {
				if !mounted[method+" "+path] {
					require.Contains(t, []int{http.StatusNotFound, http.StatusMethodNotAllowed}, ask(browser, method, path), "%s %s", method, path)
				}
			}
		}
	}
	require.Zero(t, calls, "no handler was reached")
}

// TestWritesFromOtherSitesReachNoHandler sends every write as pages of other sites would, with the cookies of a member who has all roles.
func TestWritesFromOtherSitesReachNoHandler(t *testing.T) {
	t.Parallel()
	calls := 0
	o := desktest.New(t, dbtest.New(t).URL)
	o.Mount(counted(&calls))
	everybody := o.SignIn(t, staff.Roles...)
	send := func(r desk.Route, headers map[string]string) int {
		request := httptest.NewRequest(r.Method, address(r), strings.NewReader("version=1"))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for name, value := range headers {
			request.Header.Set(name, value)
		}
		return everybody.Do(request).Code
	}
	writes := slices.DeleteFunc(routes(), func(r desk.Route) bool { return r.Method == http.MethodGet })
	require.NotEmpty(t, writes)
	for name, headers := range map[string]map[string]string{
		"says nothing":         {},
		"cross site":           {"Sec-Fetch-Site": "cross-site"},
		"same site":            {"Sec-Fetch-Site": "same-site"},
		"another origin":       {"Origin": "https://evil.example"},
		"the null origin":      {"Origin": "null"},
		"another port":         {"Origin": "http://example.com:8443"},
		"a lie about the site": {"Sec-Fetch-Site": "cross-site", "Origin": "http://example.com"},
	} {
		for _, r := range writes {
			require.Equal(t, http.StatusForbidden, send(r, headers), "%s: %s %s", name, r.Method, r.Path)
		}
	}
	require.Zero(t, calls, "no handler was reached")
	for i, r := range writes {
		require.Equal(t, http.StatusNoContent, send(r, map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "http://example.com"}), "%s %s", r.Method, r.Path)
		require.Equal(t, i+1, calls, "our own page reaches it: %s %s", r.Method, r.Path)
	}
}

// TestTheRealHandlersAreGuarded requests the real routes, whose services are missing, as a member without a role: a handler that ran would fail.
func TestTheRealHandlersAreGuarded(t *testing.T) {
	t.Parallel()
	o := desktest.New(t, dbtest.New(t).URL)
	o.Mount(routes())
	none := o.SignIn(t)
	for _, r := range routes() {
		if r.Permission != access.Home {
			require.Equal(t, http.StatusForbidden, ask(none, r.Method, address(r)), "%s %s", r.Method, r.Path)
		}
	}
}
