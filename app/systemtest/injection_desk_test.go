package systemtest

import (
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/staff"
	"candor/app/trader"
)

// signInStaff hires the first member of staff, grants every role and signs in through the pages; it returns the member and the cookie.
func (r *apiFixture) signInStaff(t *testing.T) (id int64, cookie string) {
	t.Helper()
	const email, password = "all@desk.example", "a sentence that nobody guesses"
	s, pool := r.platform.Services.Staff, r.platform.Database.Pool
	token, _, err := s.FirstLink(t.Context())
	require.NoError(t, err)
	e, err := s.Begin(t.Context(), token, staff.Entry{Email: email, Name: "All Roles", Password: password})
	require.NoError(t, err)
	now := r.platform.Clock.Now()
	code, err := totp.GenerateCode(e.Secret, now)
	require.NoError(t, err)
	person, err := s.Finish(t.Context(), e, code, audit.Actor{Kind: audit.Staff})
	require.NoError(t, err)
	for _, role := range staff.Roles {
		_, err := pool.Exec(t.Context(), `INSERT INTO staff_roles (staff_id, role, granted_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING`, person.ID, role)
		require.NoError(t, err)
	}
	_, err = pool.Exec(t.Context(), `UPDATE staff SET totp_step = 0 WHERE id = $1`, person.ID)
	require.NoError(t, err)
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	client := &http.Client{Jar: jar}
	post := func(path string, form url.Values) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+path, strings.NewReader(form.Encode()))
		require.NoError(t, err)
		request.Header.Set(echo.HeaderContentType, echo.MIMEApplicationForm)
		request.Header.Set(echo.HeaderSecFetchSite, "same-origin")
		response, err := client.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusOK, response.StatusCode, path)
	}
	post("/admin/signin", url.Values{"email": {email}, "password": {password}})
	code, err = totp.GenerateCode(e.Secret, r.platform.Clock.Now())
	require.NoError(t, err)
	post("/admin/signin/code", url.Values{"code": {code}})
	at, err := url.Parse(r.url)
	require.NoError(t, err)
	require.NotEmpty(t, jar.Cookies(at))
	return person.ID, jar.Cookies(at)[0].String()
}

// readByName matches where the back office reads a query or form value by name.
var readByName = regexp.MustCompile(`(?:QueryParam|Get|Has)\("([A-Za-z_]+)"\)`)

// deskNames collects the names of these values from the source.
func deskNames(t *testing.T) []string {
	t.Helper()
	names := map[string]bool{"page": true, "size": true, "sort": true, "order": true, "q": true, "after": true, "before": true, "cursor": true}
	require.NoError(t, filepath.WalkDir("../../admin", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, found := range readByName.FindAllStringSubmatch(string(source), -1) {
			names[found[1]] = true
		}
		return err
	}))
	require.Greater(t, len(names), 25)
	return slices.Sorted(maps.Keys(names))
}

// fieldOf matches the names of a page's fields and of the query values in its links.
var fieldOf = regexp.MustCompile(` name="([A-Za-z_]+)"|(?:\?|&amp;)([A-Za-z_]+)=`)

// fieldsOf lists the fields of a page that the back office reads from a query.
func fieldsOf(page string, names []string) []string {
	fields := map[string]bool{}
	for _, found := range fieldOf.FindAllStringSubmatch(page, -1) {
		if found[2] != "" || slices.Contains(names, found[1]) {
			fields[found[1]+found[2]] = true
		}
	}
	return slices.Sorted(maps.Keys(fields))
}

// deskHeaders are the headers that the back office reads.
var deskHeaders = []string{"HX-Current-URL", "HX-Target", "HX-Request", "Sec-Fetch-Dest", "User-Agent", "Accept-Language"}

// attackBackOffice attacks every page of the back office with a session that may open all of them.
func (i *injector) attackBackOffice(t *testing.T) {
	t.Helper()
	names, shown := deskNames(t), 0
	for _, route := range i.platform.Handler.(*echo.Echo).Router().Routes() {
		if route.Method != http.MethodGet || !strings.HasPrefix(route.Path, "/admin") {
			continue
		}
		page, body := i.open(t, i.filled(t, route.Path, "", ""))
		if body == "" {
			i.attackPage(t, page, route.Path, names, nil, 1)
			continue
		}
		shown++
		i.attackPage(t, page, route.Path, names, fieldsOf(body, names), i.each)
	}
	require.Greater(t, shown, 80, "most pages were there to be attacked")
}

// open requests a page as a browser does, or as htmx when there is no full page; shown is empty when there is neither.
func (i *injector) open(t *testing.T, path string) (page injection, shown string) {
	t.Helper()
	page = injection{who: "staff", method: http.MethodGet, target: path, headers: map[string]string{"Cookie": i.cookie}}
	for range 2 {
		status, _, body, _, err := exchange(i.url, page.text(0))
		require.NoError(t, err, path)
		require.Less(t, status, 500, path)
		if status == http.StatusOK {
			return page, body
		}
		page.headers["HX-Request"] = "true"
	}
	return page, ""
}

// attackPage puts n values into all parameters of a page at once, one into each of its own fields, and some into its path, headers and cookies.
func (i *injector) attackPage(t *testing.T, page injection, route string, names, fields []string, n int) {
	t.Helper()
	add := func(place, target string, headers map[string]string) {
		i.places++
		q := page
		q.place, q.target, q.headers = place, target, maps.Clone(page.headers)
		maps.Copy(q.headers, headers)
		i.list = append(i.list, q)
	}
	path := page.target
	all := func(value func() string) string {
		values := url.Values{}
		for _, name := range slices.Concat(names, fields) {
			values.Set(name, value())
		}
		return path + "?" + values.Encode()
	}
	text := func() string { return i.texts.take(1)[0] }
	brief := func() string { return i.brief.take(1)[0] }
	for range n {
		add("all parameters", all(brief), nil)
	}
	for _, edge := range i.edges.take(n) {
		add("all parameters at an edge", all(func() string { return edge }), nil)
	}
	for _, name := range fields {
		add("query "+name, path+"?"+url.Values{name: {text(), text()}}.Encode(), nil)
	}
	for segment := range strings.SplitSeq(route, "/") {
		if !strings.HasPrefix(segment, ":") {
			continue
		}
		for _, value := range slices.Concat(i.texts.take(n), i.edges.take(n)) {
			add("path "+segment, i.filled(t, route, segment, value), nil)
		}
	}
	if len(fields) == 0 {
		return
	}
	name := deskHeaders[len(i.list)%len(deskHeaders)]
	add("header "+name, path, map[string]string{name: text()})
	add("the address of the page that asks", path, map[string]string{"HX-Request": "true", "HX-Current-URL": i.url + all(brief)})
	value := text()
	add("cookies", path, map[string]string{"Cookie": i.cookie + "; desk_zone=" + value + "; desk_theme=" + value})
	add("the query", path+"?"+i.queries.take(1)[0], nil)
	add("the path", path+i.paths.take(1)[0], nil)
}

// filled is the path of a route with a value for one parameter and examples for the others.
func (i *injector) filled(t *testing.T, route, parameter, value string) string {
	t.Helper()
	segments := strings.Split(route, "/")
	for n, segment := range segments {
		switch {
		case !strings.HasPrefix(segment, ":"):
		case segment == parameter:
			segments[n] = url.PathEscape(value)
		default:
			segments[n] = i.example(t, route, segment)
		}
	}
	return strings.Join(segments, "/")
}

// example is a path parameter's value that names an existing object where there is one.
func (i *injector) example(t *testing.T, path, name string) string {
	t.Helper()
	ids := map[string]int64{
		"/admin/deposits": i.victim.deposit, "/admin/traders": i.traderID(t), "/admin/products": 201, "/admin/content": 9001,
		"/admin/staff": i.number(t, `SELECT max(id) FROM staff`), "/admin/chat": i.number(t, `SELECT max(id) FROM conversations`), "/admin/audit": i.number(t, `SELECT max(id) FROM audit_entries`),
		"/admin/withdrawals": i.number(t, `SELECT max(id) FROM withdrawals`), "/admin/identity": i.number(t, `SELECT coalesce(max(id), 1) FROM kyc_applications`),
	}
	switch name {
	case ":key":
		return "demo.enabled"
	case ":kind":
		return string(trader.Contact("email"))
	case ":id":
		segments := strings.SplitN(path, "/", 4)
		if id := ids["/"+segments[1]+"/"+segments[2]]; id != 0 {
			return fmt.Sprint(id)
		}
	}
	return "1"
}
