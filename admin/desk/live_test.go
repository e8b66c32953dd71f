package desk_test

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/platform/dbtest"
	"candor/templates/layout"
	"candor/templates/ui"
)

// stream opens the event stream of a member, and reads its greeting.
func stream(t *testing.T, server *httptest.Server, who *desktest.Browser) *bufio.Scanner {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/admin/events", nil)
	require.NoError(t, err)
	r.AddCookie(who.Cookie("candor_desk"))
	answer, err := server.Client().Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = answer.Body.Close() })
	lines := bufio.NewScanner(answer.Body)
	next(t, lines, "event: hello")
	return lines
}

// next reads up to a wanted line, and returns the lines before it.
func next(t *testing.T, lines *bufio.Scanner, want string) (before []string) {
	t.Helper()
	for lines.Scan() {
		if lines.Text() == want {
			return before
		}
		before = append(before, lines.Text())
	}
	require.Fail(t, "the stream ended", "without %q: %v", want, before)
	return nil
}

// TestTheStreamNamesWhatChanged: a member hears of the changes of what they may view, once they are durable, and of nothing else.
func TestTheStreamNamesWhatChanged(t *testing.T) {
	t.Parallel()
	var late atomic.Bool
	o := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) {
		c.Health = func(context.Context, *time.Location) []layout.HealthLine {
			if late.Load() {
				return []layout.HealthLine{{State: ui.DotWarn, Label: "Ledger", Value: "late"}}
			}
			return []layout.HealthLine{{State: ui.DotOK, Label: "Ledger", Value: "balanced"}}
		}
	})
	nothing := func(r *desk.Request) error { return r.NoContent(http.StatusNoContent) }
	o.Mount([]desk.Route{
		{Method: http.MethodGet, Path: "/deposits", Permission: access.DepositView, Lists: "deposit", Handle: nothing},
		{Method: http.MethodGet, Path: "/identity", Permission: access.IdentityView, Lists: "kyc", Handle: nothing},
	})
	finance, compliance := o.SignInAs(t, o.Hire(t, "Fin", access.FinanceMaker)), o.SignInAs(t, o.Hire(t, "Rita", access.ComplianceReviewer))
	server := httptest.NewServer(o.Echo)
	t.Cleanup(server.Close)
	money, people := stream(t, server, finance), stream(t, server, compliance)

	log := audit.NewLog(o.DB)
	record := func(kind string, id int64) {
		require.NoError(t, log.Record(t.Context(), audit.By(audit.Actor{Kind: audit.System}, o.Clock.Now(), kind+".claim", kind, id)))
	}
	record("kyc", 30001)
	record("deposit", 50001)
	next(t, money, "event: changed")
	require.Empty(t, next(t, money, "data: deposit:50001"))
	next(t, people, "event: changed")
	require.Empty(t, next(t, people, "data: kyc:30001"))

	late.Store(true)
	next(t, money, "event: health")
	body := finance.Get("/admin/live").Body.String()
	require.Contains(t, body, "late")
	require.Contains(t, body, `id="count-deposits"`)
	require.NotContains(t, body, `id="count-identity"`, "only what the member may open")
}

// TestEachMemberHasALanguage: a member's pages are in the language that they chose, others' stay, and one that the catalogue lacks is refused.
func TestEachMemberHasALanguage(t *testing.T) {
	t.Parallel()
	o := desktest.New(t, dbtest.New(t).URL)
	o.Mount([]desk.Route{{Method: http.MethodGet, Path: "/staff", Permission: access.Home, Handle: func(r *desk.Request) error {
		_, err := r.Response().Write([]byte(r.Word("nav.deposits")))
		return err
	}}})
	mei, fin := o.SignInAs(t, o.Hire(t, "Mei", access.FinanceMaker)), o.SignInAs(t, o.Hire(t, "Fin", access.FinanceMaker))
	require.Equal(t, http.StatusNoContent, mei.Send("/admin/language", url.Values{"language": {"zh_CN"}}).Code)
	require.Equal(t, http.StatusUnprocessableEntity, mei.Send("/admin/language", url.Values{"language": {"xx"}}).Code)
	require.Equal(t, "入金", mei.Get("/admin/staff").Body.String())
	require.Equal(t, "Deposits", fin.Get("/admin/staff").Body.String())
}
