package systemtest

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	"candor/app/staff"
	"candor/app/withdrawal"
)

// TestClosedAccountsAreForCompliance leaves what the law keeps of a trader, closes the account, and opens every page of the back office in every role: only
// compliance reads it.
func TestClosedAccountsAreForCompliance(t *testing.T) {
	t.Parallel()
	l := newLeaver(t)
	member, cookie := l.signInStaff(t)
	require.Equal(t, "ok", l.ask("/kefu/kefuApi/insertMessage", map[string]any{"messageId": "8d9b0a5e-51cf-4c3b-8a37-1d0c6bb2b001", "zone": "Europe/Zurich", "text": "a sparrow and a kept-canary-message"}, nil))
	payee := l.payee(t, l.traderID, withdrawal.Crypto)
	l.exec(`UPDATE payees SET memo = 'kept-canary-memo' WHERE id = $1`, payee)
	l.paidOnce(payee)
	l.exec(`UPDATE withdrawals SET staff_note = 'kept-canary-payment' WHERE trader_id = $1`, l.traderID)
	l.exec(`INSERT INTO trader_notes (trader_id, author_id, text, created_at) VALUES ($1, $2, 'kept-canary-note', now())`, l.traderID, member)
	l.exec(`INSERT INTO complaints (trader_id, channel, category, product, summary, received_on, registered_by, registered_at, key, acknowledge_due, answer_due)
		VALUES ($1, 'mail', 'other', '', 'kept-canary-complaint', current_date, $2, now(), 'k', current_date, current_date)`, l.traderID, member)
	l.exec(`INSERT INTO tasks (title, note, subject_kind, subject_id, trader_id, team, priority, due_at, asked_by, asked_at, key) VALUES ('kept-canary-task', '', 'trader', $1, $1, 'finance', 'normal', now() + interval '1 day', $2, now(), 'k')`, l.traderID, member)
	l.exec(`UPDATE audit_entries SET agent = 'kept-canary-browser' WHERE actor_kind = 'trader' AND actor_id = $1`, l.traderID)
	kept := []string{"kept-canary-message", "kept-canary-payment", "kept-canary-note", "kept-canary-complaint", "kept-canary-task", "kept-canary-browser", "kept-canary-memo"}

	ids := map[string]int64{
		"traders": l.traderID, "chat": l.number(t, `SELECT max(id) FROM conversations WHERE trader_id = $1`, l.traderID), "withdrawals": l.number(t, `SELECT max(id) FROM withdrawals WHERE trader_id = $1`, l.traderID),
		"complaints": l.number(t, `SELECT max(id) FROM complaints`), "tasks": l.number(t, `SELECT max(id) FROM tasks`), "audit": l.number(t, `SELECT max(id) FROM audit_entries WHERE agent = 'kept-canary-browser'`),
	}
	pages := l.deskPages(ids)
	require.Greater(t, len(pages), 150)
	read := func(roles ...staff.Role) (found map[string][]string) {
		l.exec(`DELETE FROM staff_roles WHERE staff_id = $1`, member)
		l.exec(`INSERT INTO staff_roles (staff_id, role, granted_at) SELECT $1, role, now() FROM unnest($2::text[]) AS role`, member, roles)
		found = map[string][]string{}
		for _, page := range pages {
			body := l.deskPage(t, page, cookie)
			for _, text := range kept {
				if strings.Contains(body, text) {
					found[text] = append(found[text], page)
				}
			}
		}
		return found
	}
	shown := read(staff.Roles...)
	require.ElementsMatch(t, kept, slices.Collect(maps.Keys(shown)), "while the account is open, each is on some page")
	pages = slices.Concat(slices.Collect(maps.Values(shown))...)
	slices.Sort(pages)
	pages = slices.Compact(pages)
	require.Subset(t, slices.Collect(maps.Keys(read(staff.SupportAgent))), []string{"kept-canary-message", "kept-canary-note", "kept-canary-complaint", "kept-canary-payment"}, "support reads what it works with")
	require.Equal(t, "ok", l.ask("/client/user/closeAccount", l.proof("close_account"), nil))
	l.due()
	l.due()
	require.EqualValues(t, 1, l.number(t, `SELECT count(*) FROM traders WHERE id = $1 AND closed_at IS NOT NULL`, l.traderID))
	for _, role := range staff.Roles {
		found := read(role)
		switch role {
		case staff.ComplianceLead:
			require.ElementsMatch(t, kept, slices.Collect(maps.Keys(found)), "all that is kept can be read")
		case staff.ComplianceReviewer:
			require.Contains(t, found, "kept-canary-note")
			require.Contains(t, found, "kept-canary-message")
		default:
			require.Empty(t, found, "%s reads what the law keeps of a closed account", role)
		}
	}
	require.EqualValues(t, 0, l.number(t, `SELECT count(*) FROM conversations WHERE trader_id = $1 AND state NOT IN ('resolved', 'closed')`, l.traderID), "nobody waits for an answer")
}

// deskPages are the addresses of all pages and files of the back office whose numbers are known, with the tabs and searches that show what has ended.
func (r *apiFixture) deskPages(ids map[string]int64) (pages []string) {
	for _, route := range r.platform.Handler.(*echo.Echo).Router().Routes() {
		path := route.Path
		if route.Method != http.MethodGet || !strings.HasPrefix(path, "/admin") || path == "/admin/events" {
			continue
		}
		if id := ids[strings.Split(path+"//", "/")[2]]; id != 0 {
			path = strings.Replace(path, ":id", fmt.Sprint(id), 1)
		}
		if strings.ContainsAny(path, ":*") {
			continue
		}
		pages = append(pages, path)
		if !strings.ContainsAny(path, "0123456789") {
			for _, query := range []string{"?tab=ended", "?tab=all", "?tab=open", "?tab=team", "?state=resolved", "?q=sparrow"} {
				pages = append(pages, path+query)
			}
		}
	}
	slices.Sort(pages)
	return pages
}

// deskPage is a page of the back office as a member reads it.
func (r *apiFixture) deskPage(t *testing.T, path, cookie string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+path, nil)
	require.NoError(t, err)
	request.Header.Set("Cookie", cookie)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return string(body)
}
