package controldesk_test

import (
	"crypto/ed25519"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/mail"
	"candor/app/platform/seal"
	"candor/app/staff"
)

func TestLogDescribesEntries(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.example(t)
	auditor := h.SignIn(t, access.Auditor)
	page := auditor.Get("/admin/audit").Body.String()
	for _, want := range []string{
		"approved DP-51877", "viewed the proof of DP-51877", "Sensitive access", "was denied: POST /admin/deposits/:id/approval", "requested Risk for Support agent 07", "Role change",
		"disabled Content editor 02", "invited Marta Specimen, new.person@example.com", "Trader 10482731", "submitted proof for DP-51877", "marked DP-51801 as expired", "Today, Friday 20 Nov", "Thursday 19 Nov",
		"Nothing sealed yet", "Times in UTC", `title="2026-11-20 14:26:00 UTC"`,
	} {
		require.Contains(t, page, want)
	}
	require.Equal(t, 1, strings.Count(page, "Today, Friday 20 Nov"), "one heading above the entries of a day")
	auditor.SetCookie(&http.Cookie{Name: "desk_zone", Value: "Asia/Tokyo"})
	there := auditor.Get("/admin/audit").Body.String()
	require.Contains(t, there, "Today, Friday 20 Nov")
	require.Contains(t, there, "Times in UTC+9")
	require.Contains(t, there, ">23:26:00<")
}

func TestAnActionWithoutWordsIsToldByItsName(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.act(t, audit.By(audit.Actor{Kind: audit.System, Name: "x"}, h.Clock.Now(), "comet.sighted", "comet", 7))
	require.Contains(t, h.SignIn(t, access.Auditor).Get("/admin/audit").Body.String(), "performed comet.sighted on comet 7")
}

func TestASwitchIsToldByItsName(t *testing.T) {
	t.Parallel()
	h := open(t)
	for _, key := range []string{"demo.enabled", "comet.enabled"} {
		h.act(t, audit.By(audit.Actor{Kind: audit.System, Name: "x"}, h.Clock.Now(), "switch.apply", "switch", key))
	}
	page := h.SignIn(t, access.Auditor).Get("/admin/audit").Body.String()
	require.Contains(t, page, "applied a change to Demo accounts")
	require.NotContains(t, page, "demo.enabled")
	require.Contains(t, page, "applied a change to comet.enabled", "no such switch has a name")
}

func TestLogFilters(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.example(t)
	auditor := h.SignIn(t, access.Auditor)
	for query, want := range map[string][2]string{
		"area=staff":                    {"disabled Content editor 02", "approved DP-51877"},
		"result=denied":                 {"was denied", "approved DP-51877"},
		"person=finance+MAKER":          {"claimed DP-51877", "disabled Content editor 02"},
		"role=finance_maker":            {"claimed DP-51877", "disabled Content editor 02"},
		"role=super_admin&area=staff":   {"disabled Content editor 02", "claimed DP-51877"},
		"role=risk":                     {"No entries match these filters.", "claimed DP-51877"},
		"kind=deposit&target=51801":     {"marked DP-51801 as expired", "DP-51877"},
		"from=2026-11-20":               {"approved DP-51877", "requested Compliance reviewer"},
		"to=2026-11-19":                 {"requested Compliance reviewer", "approved DP-51877"},
		"from=2026-11-19&to=2026-11-19": {"requested Compliance reviewer", "approved DP-51877"},
		"area=staff&result=denied":      {"No entries match these filters.", "disabled"},
	} {
		page := auditor.Get("/admin/audit?" + query).Body.String()
		require.Contains(t, page, want[0], query)
		require.NotContains(t, page, want[1], query)
		require.Contains(t, page, "Clear filters", query)
	}
	for _, nonsense := range []string{"area=%27%3B--", "result=maybe", "from=tomorrow", "after=-1", "after=x", "after=0.99999", "person=%00", "role=king", "role=%25", "kind=%00", "target=" + strings.Repeat("9", 200), "area=staff%25", "sort=id%3BDROP"} {
		require.Equal(t, http.StatusOK, auditor.Get("/admin/audit?"+nonsense).Code, nonsense)
	}
	dialog := part(auditor, "/admin/audit/filter", "/admin/audit?person=Ada&role=risk&result=failed&to=2026-11-19")
	for _, want := range []string{`value="Ada"`, `value="failed" selected`, `value="risk" selected`, `value="2026-11-19"`, `method="get" action="/admin/audit"`} {
		require.Contains(t, dialog, want, "the dialog holds the filters of the page")
	}
}

// logRow is a row of the log.
var logRow = regexp.MustCompile(`<tr id="entry-(\d+)"`)

func TestLogPagesByKey(t *testing.T) {
	t.Parallel()
	h := open(t)
	for i := range 120 {
		h.act(t, audit.By(audit.Actor{Kind: audit.Trader, ID: 10000001}, desktest.Start.Add(-time.Duration(i)*time.Second), "trader.login", "trader", 10000001))
	}
	auditor := h.SignIn(t, access.Auditor)
	seen := map[string]bool{}
	path, count := "/admin/audit?area=trader", 0
	for path != "" {
		page := auditor.Get(path).Body.String()
		count++
		for _, row := range logRow.FindAllStringSubmatch(page, -1) {
			require.False(t, seen[row[1]], "%s came twice", row[1])
			seen[row[1]] = true
		}
		path = ""
		if _, rest, more := strings.Cut(page, `href="/admin/audit?area=trader&amp;after=`); more {
			cursor, _, _ := strings.Cut(rest, `"`)
			path = "/admin/audit?area=trader&after=" + cursor
		}
	}
	require.Equal(t, 3, count)
	require.Len(t, seen, 120)
}

func TestEntry(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.example(t)
	auditor := h.SignIn(t, access.Auditor)
	part := auditor.Part("/admin/audit/9").Body.String()
	for _, want := range []string{"Entry 9", "deposit.approve", "10.20.4.17", "5d02aa1be8be18b1", "in review", "8,000.00", "Finance maker 02", "Finance maker", "Chrome/142.0.0.0", "Not sealed yet", "2026-11-20 13:58:00.000", "Related entries", "submitted proof for DP-51877"} {
		require.Contains(t, part, want)
	}
	require.NotContains(t, part, "</html>")
	require.Contains(t, auditor.Get("/admin/audit/9").Body.String(), `data-show="detail"`)
	require.Equal(t, http.StatusNotFound, auditor.Get("/admin/audit/99999").Code)

	_, key, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	chain := audit.NewChain(audit.Entries, h.DB, h.Clock, key, seal.NewCheckpointStore(t.TempDir(), "audit"))
	require.Eventually(t, func() bool { // a concurrent transaction keeps the newest entries from being sealed
		var held int
		err := h.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE xid >= pg_snapshot_xmin(pg_current_snapshot())`).Scan(&held)
		return err == nil && held == 0
	}, time.Minute, 20*time.Millisecond)
	n, err := chain.Seal(t.Context())
	require.NoError(t, err)
	require.GreaterOrEqual(t, n, 11)
	require.Contains(t, auditor.Part("/admin/audit/9").Body.String(), "1, sealed 14:32 with")
	require.Contains(t, auditor.Get("/admin/audit").Body.String(), "Sealed up to batch 1, 14:32")
}

// part requests a part of a page from a page that is shown.
func part(b *desktest.Browser, path, page string) string {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("HX-Request", "true")
	r.Header.Set("HX-Current-URL", "http://desk.test"+page)
	return b.Do(r).Body.String()
}

func TestAnEntryOpensBesideItsList(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.example(t)
	auditor := h.SignIn(t, access.Auditor)
	list := auditor.Get("/admin/audit?area=deposit").Body.String()
	require.Contains(t, list, `hx-get="/admin/audit/9?area=deposit" hx-push-url="true" hx-swap="innerHTML" hx-target="#detail"`)
	require.NotContains(t, list, `aria-current="true"`)
	page := auditor.Get("/admin/audit/9?area=deposit").Body.String()
	require.Regexp(t, `<tr id="entry-9" class="sel opens"`, page)
	require.NotContains(t, page, "disabled Content editor 02", "the list keeps its filter")
	require.Contains(t, auditor.Get("/admin/audit/9?area=staff").Body.String(), `<tr id="entry-9" class="sel opens"`, "an open entry has its row")
	require.Contains(t, page, `href="/admin/audit?kind=deposit&amp;target=51877"`, "and leads to what else was done to its target")
	require.Equal(t, http.StatusForbidden, h.SignIn(t, access.SupportAgent).Get("/admin/audit/9").Code)
}

// TestAViewIsOfTheList: whatever is open beside it. Pages that are no list have no view.
func TestAViewIsOfTheList(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.example(t)
	auditor := h.SignIn(t, access.Auditor)
	for page, list := range map[string]string{"/admin/audit": "/admin/audit", "/admin/audit/9": "/admin/audit", "/admin/reports": "", "/admin/audit/9/more": ""} {
		dialog := part(auditor, "/admin/views/new", page+"?area=deposit")
		require.Equal(t, list != "", strings.Contains(dialog, `name="path" value="`+list+`"`), page)
	}
	require.Equal(t, http.StatusNotFound, auditor.Send("/admin/views/new", url.Values{"path": {"/admin/audit/9"}, "query": {"area=deposit"}, "name": {"Deposits"}}).Code)
	require.Equal(t, http.StatusNoContent, auditor.Send("/admin/views/new", url.Values{"path": {"/admin/audit"}, "query": {"area=deposit"}, "name": {"Deposits"}}).Code)
	require.Contains(t, auditor.Get("/admin/audit").Body.String(), `href="/admin/audit?area=deposit">Deposits</a>`)
}

func TestOutboxBodiesAreRevealedAndLogged(t *testing.T) {
	t.Parallel()
	h := open(t)
	require.NoError(t, h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return h.Outbox.SendTx(t.Context(), tx, mail.Message{Kind: "register_code", Channel: mail.Mail, Recipient: "a@example.com", Subject: "Your code", Body: "It is 123456.\nThank you.", CreatedAt: h.Clock.Now()})
	}))
	root := h.SignIn(t, access.SuperAdmin)
	page := root.Get("/admin/outbox").Body.String()
	require.Contains(t, page, "a@example.com")
	require.Contains(t, page, "No sender is configured.")
	require.NotContains(t, page, "123456", "a body is behind its reveal")
	path := newestReveal(t, h)
	require.NotContains(t, root.Part(path).Body.String(), "123456")
	for _, reason := range []string{"", "   ", "why", strings.Repeat("x", 201)} {
		refused := root.Send(path, url.Values{"reason": {reason}})
		require.Equal(t, http.StatusUnprocessableEntity, refused.Code)
		require.NotContains(t, refused.Body.String(), "123456")
	}
	reveals := func() []audit.Entry {
		list, _, err := h.log.List(t.Context(), audit.Filter{Action: "outbox.reveal"})
		require.NoError(t, err)
		return list
	}
	require.Empty(t, reveals())
	shown := root.Send(path, url.Values{"reason": {"  the person is on the phone "}})
	require.Equal(t, http.StatusOK, shown.Code)
	require.Contains(t, shown.Body.String(), "It is 123456.")
	require.Contains(t, shown.Body.String(), `data-revealed="30"`)
	require.Len(t, reveals(), 1)
	require.Equal(t, root.Person.ID, reveals()[0].ActorID)
	require.JSONEq(t, `{"reason":"the person is on the phone","recipient":"a@example.com"}`, reveals()[0].After)

	_, err := h.DB.Pool.Exec(t.Context(), `UPDATE outbox SET state = 'sent', body_key = NULL, body_sealed = NULL`)
	require.NoError(t, err)
	require.Contains(t, root.Get("/admin/outbox").Body.String(), "The body is deleted once the message is sent or expires.")
	require.Equal(t, http.StatusNotFound, root.Part("/admin/outbox/999/reveal").Code)
}

func TestOutboxFindsRecipientsByTheirBeginning(t *testing.T) {
	t.Parallel()
	h := open(t)
	require.NoError(t, h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		for _, to := range []string{"ada@example.com", "bob@example.com", "100%_@example.com"} {
			if err := h.Outbox.SendTx(t.Context(), tx, mail.Message{Kind: "register_code", Channel: mail.Mail, Recipient: to, Subject: "x", Body: "x", CreatedAt: h.Clock.Now()}); err != nil {
				return err
			}
		}
		return nil
	}))
	root := h.SignIn(t, access.SuperAdmin)
	for to, want := range map[string][]string{"ad": {"ada@example.com"}, "%": {}, "100%_": {"100%_@example.com"}, "": {"ada@example.com", "bob@example.com", "100%_@example.com"}} {
		page := root.Get("/admin/outbox?q=" + url.QueryEscape(to)).Body.String()
		require.Equal(t, len(want), strings.Count(page, "@example.com</bdi>"), to)
		require.Equal(t, to != "", strings.Contains(page, "Show all"), to)
		require.NotContains(t, page, "Clear filters", "there is nothing else to narrow it by")
		for _, one := range want {
			require.Contains(t, page, one)
		}
	}
}

func TestProducts(t *testing.T) {
	t.Parallel()
	h := open(t)
	agent := h.SignIn(t, access.SupportAgent)
	page := agent.Get("/admin/products").Body.String()
	for _, want := range []string{
		"Simulated prices", "14 spikes, 2 crossed", "EURUSD", "1.07973", "Stale, not tradable", "Halted", "No price", "Closed", "0.4 s", "47 s", `hx-trigger="every 2s"`,
		`hx-get="/admin/products/rows"`, `hx-target="#products-rows"`,
	} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, page, "<form method=\"post\" action=\"/admin/products", "nobody changes a price")
	again := func(query string) string {
		request := httptest.NewRequest(http.MethodGet, "/admin/products/rows", nil)
		request.Header.Set("HX-Request", "true")
		request.Header.Set("HX-Current-URL", "https://desk.example/admin/products"+query)
		got := agent.Do(request)
		require.Equal(t, http.StatusOK, got.Code)
		return got.Body.String()
	}
	rows := again("?class=forex&q=gbp")
	require.True(t, strings.HasPrefix(rows, `<tr`), "the page that asks again gets rows")
	require.Contains(t, rows, "GBPUSD")
	require.NotContains(t, rows, "EURUSD", "of the same selection")
	require.Contains(t, rows, `id="products-tabs"`, "and the counts of the tabs")
}

func TestProductsAreFilteredSortedAndExported(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.askTerms(t, h.Hire(t, "Config admin 01", access.ConfigAdmin), xauusd, 48, map[string]string{"stop_level": "30"}, "why")
	auditor := h.SignIn(t, access.Auditor)
	shown := func(query string) (out []string) {
		for _, row := range regexp.MustCompile(`id="product-(\d+)"`).FindAllStringSubmatch(auditor.Get("/admin/products?"+query).Body.String(), -1) {
			out = append(out, row[1])
		}
		return out
	}
	require.Equal(t, []string{"101"}, shown("tab=changing"))
	require.Equal(t, []string{"101"}, shown("q=xauusd"))
	require.Contains(t, auditor.Get("/admin/products?q=gold").Body.String(), `href="/admin/products?tab=attention&amp;q=gold"`, "names of products may stand in links")
	require.Equal(t, []string{"101"}, shown("class=metal&q=GOLD&state=fresh"))
	require.Empty(t, shown("q=nothing+of+that+name"))
	require.Equal(t, "3", shown("class=forex&sort=age&tab=attention")[0], "the oldest price of an open market")
	all := shown("")
	require.Greater(t, len(all), 20)
	require.Equal(t, "1", all[0])
	require.Equal(t, "301", shown("sort=symbol")[0])
	for _, id := range shown("tab=attention") {
		n, err := strconv.Atoi(id)
		require.NoError(t, err)
		require.Contains(t, []int{3, 4, 5}, n%13, id)
	}
	file := auditor.Get("/admin/products/file?class=metal")
	require.Equal(t, http.StatusOK, file.Code)
	lines := strings.Split(strings.TrimSpace(file.Body.String()), "\n")
	require.Contains(t, lines[0], "hedged_margin_percent")
	require.Contains(t, lines[0], "max_quote_age_seconds")
	require.Contains(t, lines[1], "XAUUSD")
	require.Contains(t, lines[1], ",3.5,", "money as it is")
	entries, _, err := h.log.List(t.Context(), audit.Filter{Action: "product.export", Limit: 1})
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestHomeShowsWhatTheRoleMayOpen(t *testing.T) {
	t.Parallel()
	h := open(t)
	p := h.example(t)
	root := h.SignInAs(t, p["Super admin 01"]).Get("/admin").Body.String()
	for _, want := range []string{"Queues", "Staff and roles", "Awaiting second approval", "Risk for Support agent 07", "Price feeds", "On shift", "Super admin 01 (you)"} {
		require.Contains(t, root, want)
	}
	require.NotContains(t, root, "signed in", "a sign-in is no work")
	editor := h.SignInAs(t, h.Hire(t, "Content editor 03", access.ContentEditor)).Get("/admin").Body.String()
	require.Contains(t, editor, "Missing translations")
	for _, not := range []string{"Queues", "Awaiting second approval", "age of the oldest price", "/admin/staff"} {
		require.NotContains(t, editor, not)
	}
	require.Contains(t, h.SignIn(t).Get("/admin").Body.String(), "You have no role yet.")
	support := h.SignIn(t, access.SupportAgent).Get("/admin").Body.String()
	require.Contains(t, support, "Price feeds")
	require.NotContains(t, support, "Risk for Support agent 07")
	auditor := h.SignInAs(t, p["Auditor 01"]).Get("/admin").Body.String()
	require.NotContains(t, auditor, "Awaiting second approval", "whoever can't decide is not asked to")
}

func TestWaitingRequestsTellTheOldest(t *testing.T) {
	t.Parallel()
	h := open(t)
	first := h.Hire(t, "First", access.SuperAdmin)
	p := h.Hire(t, "Person")
	root := h.SignIn(t, access.SuperAdmin)
	require.NotContains(t, root.Get("/admin").Body.String(), `class="cnt hot"`)
	_, err := h.Staff.AskRole(t.Context(), actor(first), p.ID, staff.Risk)
	require.NoError(t, err)
	require.Contains(t, root.Get("/admin").Body.String(), `<span id="count-staff" class="cnt">1</span>`)
	h.Clock.Advance(29 * time.Minute)
	require.Equal(t, http.StatusOK, root.Get("/admin").Code)
	h.test.Tamper(t, `UPDATE approvals SET requested_at = requested_at - interval '24 hours'`)
	require.Contains(t, root.Get("/admin").Body.String(), `class="cnt hot"`, "it has waited too long")
}
