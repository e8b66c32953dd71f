package reportdesk_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/admin/reportdesk"
	"candor/app/audit"
	"candor/app/platform/dbtest"
	"candor/app/report"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

type bundle struct {
	*testing.T
	*desktest.Office
	test    *dbtest.DB
	reports *report.Service
	mailer  reportdesk.Mailer
}

func setup(t *testing.T) *bundle {
	t.Helper()
	test := dbtest.New(t)
	b := &bundle{T: t, test: test, Office: desktest.New(t, test.URL)}
	b.reports = report.New(b.DB, b.Clock)
	b.mailer = reportdesk.Mailer{Reports: b.reports, Staff: b.Staff, Access: b.Access, Outbox: b.Outbox, Texts: b.Texts, Address: "https://desk.example"}
	b.Mount(reportdesk.Routes(reportdesk.Services{Reports: b.reports, Audit: audit.NewLog(b.DB)}))
	return b
}

// credited credits a deposit on a real account today.
func (b *bundle) credited() {
	b.Helper()
	b.test.Tamper(b.T, `SET session_replication_role = replica;
		INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, iban, sort, enabled) VALUES (900, 'bank', '=Bank A', 'USD', 1, 1000000000000, 'DE1', 1, true);
		INSERT INTO accounts (id, trader_id, kind, book, type, currency) VALUES (5000, 5000, 'contract', 'real', 1, 'USDT');
		INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, received, fee, reference, state, transaction_id, created_at, decided_at, expires_at)
		VALUES (5000, 5000, 900, 'bank', 'USD', 1234567890, 1234567890, 0, 'R', 'credited', 1, '`+b.Clock.Now().UTC().Format(time.RFC3339)+`', '`+b.Clock.Now().UTC().Format(time.RFC3339)+`', now())`)
}

func TestAReportIsAPictureATableAndAFile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.credited()
	lead := b.SignInAs(t, b.Hire(t, "Finance lead 01", access.FinanceLead))
	list := lead.Get("/admin/reports").Body.String()
	require.Contains(t, list, "Deposits by day and channel")
	require.NotContains(t, list, "Service times")
	page := lead.Get("/admin/reports/deposits?span=week").Body.String()
	for _, want := range []string{"1,234.56789", "Credited: 1,234.56789 USD in all.", "data-chart=", "Get by email…", "/admin/reports/deposits/file?"} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, page, "style=", "the content policy allows none")
	require.Contains(t, lead.Get("/admin/reports/deposits?from=2020-01-01&to=2020-01-02").Body.String(), "Nothing in these days.")
	for _, wrong := range []string{"from=2026-01-02&to=2026-01-01", "from=2020-01-01&to=2026-01-01"} {
		require.Contains(t, lead.Get("/admin/reports/deposits?"+wrong).Body.String(), "Choose a period of 1 to 366 days.")
	}
	require.Equal(t, http.StatusNotFound, lead.Get("/admin/reports/nothing").Code)

	file := lead.Get("/admin/reports/deposits/file?span=week")
	require.Equal(t, http.StatusOK, file.Code)
	require.Contains(t, file.Body.String(), "day,channel,currency,deposits,credited,fees,reversed\r\n")
	require.Contains(t, file.Body.String(), ",'=Bank A,USD,1,1234.567890,0.000000,0.000000\r\n", "a name is no formula")
	entries, _, err := audit.NewLog(b.DB).List(t.Context(), audit.Filter{Action: "report.export", Limit: 10})
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, "deposits", entries[0].TargetID)
}

func TestWhoMayReadWhichReport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for role, may := range map[access.Role][]string{
		access.FinanceMaker:       {"deposits", "withdrawals", "first-deposits", "registrations", "funnel"},
		access.FinanceLead:        {"deposits", "withdrawals", "first-deposits", "registrations", "funnel", "volume", "house-result"},
		access.ComplianceReviewer: {"identity"},
		access.ComplianceLead:     {"identity", "reviewers"},
		access.SupportAgent:       {"service", "service-languages", "satisfaction", "satisfaction-weeks"},
		access.SupportLead:        {"service", "service-languages", "satisfaction", "satisfaction-weeks", "service-agents", "satisfaction-agents", "satisfaction-weeks-agents"},
		access.Risk:               {"volume", "house-result"},
		access.Auditor:            {"deposits", "withdrawals", "first-deposits", "registrations", "funnel", "volume", "house-result", "identity", "reviewers", "service", "service-languages", "satisfaction", "satisfaction-weeks", "service-agents", "satisfaction-agents", "satisfaction-weeks-agents"},
	} {
		who := b.SignInAs(t, b.Hire(t, "Member "+string(role), role))
		for _, name := range []string{"deposits", "withdrawals", "first-deposits", "registrations", "funnel", "volume", "house-result", "identity", "reviewers", "service", "service-languages", "satisfaction", "satisfaction-weeks", "service-agents", "satisfaction-agents", "satisfaction-weeks-agents"} {
			want := http.StatusForbidden
			for _, one := range may {
				if one == name {
					want = http.StatusOK
				}
			}
			require.Equal(t, want, who.Get("/admin/reports/"+name).Code, "%s %s", role, name)
		}
	}
	agent := b.SignInAs(t, b.Hire(t, "Agent", access.SupportAgent))
	require.Equal(t, http.StatusForbidden, agent.Get("/admin/reports/service/file").Code)
	require.Equal(t, http.StatusForbidden, agent.Send("/admin/reports/house-result/subscription", url.Values{"rhythm": {"daily"}, "hour": {"8"}}).Code)
	require.Equal(t, http.StatusForbidden, b.SignInAs(t, b.Hire(t, "Editor", access.ContentEditor)).Get("/admin/reports").Code)
}

// TestSatisfactionIsDrawnByWeek: the average of each agent, not the sum.
func TestSatisfactionIsDrawnByWeek(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lead := b.SignInAs(t, b.Hire(t, "Support lead 01", access.SupportLead))
	for _, empty := range []string{"satisfaction-weeks", "satisfaction-weeks-agents"} {
		require.Contains(t, lead.Get("/admin/reports/"+empty).Body.String(), "Nothing in these days.")
	}
	ann, bob := b.Hire(t, "Ann Agent", access.SupportAgent).ID, b.Hire(t, "Bob Agent", access.SupportAgent).ID
	for agent, ratings := range map[int64][]int{ann: {4, 5}, bob: {2}} {
		for _, rating := range ratings {
			_, err := b.DB.Pool.Exec(t.Context(), `
				WITH c AS (INSERT INTO conversations (visitor, language, state, resolved_at, resolved_by, created_at, moved_at) VALUES (gen_random_uuid(), 'en', 'closed', $1, $2, $1, $1) RETURNING id)
				INSERT INTO chat_messages (conversation_id, client_id, author, kind, private, body, at) SELECT id, gen_random_uuid(), 'system', 'event', true, 'chat.rated.' || $3::text || ' ', $1 FROM c`,
				b.Clock.Now(), agent, strconv.Itoa(rating))
			require.NoError(t, err)
		}
	}
	weeks := lead.Get("/admin/reports/satisfaction-weeks?span=quarter").Body.String()
	require.Contains(t, weeks, "Average overall: 3.66.")
	require.Contains(t, weeks, "Week of")
	agents := lead.Get("/admin/reports/satisfaction-weeks-agents").Body.String()
	for _, want := range []string{"Ann Agent", "4.50", "Bob Agent", "2.00", "Highest: ", "data-chart="} {
		require.Contains(t, agents, want)
	}
	require.Contains(t, lead.Get("/admin/reports/satisfaction-agents").Body.String(), "4.50")
	auditor := b.SignInAs(t, b.Hire(t, "Auditor 01", access.Auditor))
	require.Contains(t, auditor.Get("/admin/reports/satisfaction-weeks-agents/file").Body.String(), "week,colleague,ratings,average,five,")
}

func TestAReportComesByMail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.credited()
	member := b.Hire(t, "Finance lead 01", access.FinanceLead)
	lead := b.SignInAs(t, member)
	require.Contains(t, lead.Part("/admin/reports/deposits/subscription").Body.String(), member.Email)
	for _, wrong := range []url.Values{{"rhythm": {"hourly"}, "hour": {"8"}}, {"rhythm": {"daily"}, "hour": {"24"}}, {"rhythm": {"daily"}, "hour": {"x"}}} {
		require.Equal(t, http.StatusUnprocessableEntity, lead.Send("/admin/reports/deposits/subscription", wrong).Code)
	}
	form := url.Values{"rhythm": {"daily"}, "hour": {"8"}}
	require.Contains(t, lead.Send("/admin/reports/deposits/subscription", form).Body.String(), "By email daily at 08:00")
	require.Equal(t, http.StatusUnprocessableEntity, lead.Send("/admin/reports/deposits/subscription", form).Code, "twice")

	mails := func() (n int) {
		require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM outbox WHERE kind = 'report' AND recipient = $1`, member.Email).Scan(&n))
		return n
	}
	require.NoError(t, b.mailer.SendDue(t.Context()))
	require.Zero(t, mails(), "it is not 8 yet")
	b.Clock.Advance(24 * time.Hour)
	require.NoError(t, b.mailer.SendDue(t.Context()))
	require.NoError(t, b.mailer.SendDue(t.Context()))
	require.Equal(t, 1, mails(), "once")

	b.Clock.Advance(24 * time.Hour)
	require.NoError(t, b.mailer.SendDue(t.Context()))
	require.Equal(t, 2, mails())
	_, err := b.DB.Pool.Exec(t.Context(), `DELETE FROM staff_roles WHERE staff_id = $1`, member.ID)
	require.NoError(t, err)
	b.Clock.Advance(24 * time.Hour)
	require.NoError(t, b.mailer.SendDue(t.Context()))
	require.Equal(t, 2, mails(), "the role is lost")
	mine, err := b.reports.Subscriptions(t.Context(), member.ID)
	require.NoError(t, err)
	require.Empty(t, mine)
	for action, n := range map[string]int{"report.subscribe": 1, "report.send": 2, "report.stop": 1} {
		entries, _, err := audit.NewLog(b.DB).List(t.Context(), audit.Filter{Action: action, Limit: 10})
		require.NoError(t, err)
		require.Len(t, entries, n, action)
	}
}

// TestARefusedReportIsSaidByMail: a report of too many cases is not tried again with every run, and its subscriber is told why it has no figures.
func TestARefusedReportIsSaidByMail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member := b.Hire(t, "Support lead 01", access.SupportLead)
	lead := b.SignInAs(t, member)
	require.Equal(t, http.StatusOK, lead.Send("/admin/reports/service/subscription", url.Values{"rhythm": {"daily"}, "hour": {"8"}}).Code)
	b.test.Tamper(t, `INSERT INTO conversations (visitor, language, state, created_at, moved_at, resolved_at)
		SELECT gen_random_uuid(), 'en', 'closed', '`+b.Clock.Now().UTC().Format(time.RFC3339)+`', now(), now() FROM generate_series(1, 200001)`)
	b.Clock.Advance(24 * time.Hour)
	require.NoError(t, b.mailer.SendDue(t.Context()))
	require.NoError(t, b.mailer.SendDue(t.Context()))
	sent := func() (bodies []string) { // the newest first
		list, err := b.Outbox.List(t.Context(), member.Email, 10)
		require.NoError(t, err)
		for _, m := range list {
			if m.Kind == "report" {
				bodies = append(bodies, m.Body)
			}
		}
		return bodies
	}
	require.Len(t, sent(), 1, "once")
	require.Contains(t, sent()[0], "Too many cases for one report.")
	require.NotContains(t, sent()[0], "Conversations:")
	b.Clock.Advance(48 * time.Hour)
	require.NoError(t, b.mailer.SendDue(t.Context()))
	require.Len(t, sent(), 2)
	require.Contains(t, sent()[0], "Conversations: 0", "the day after has few")
}

func remove(who *desktest.Browser) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodDelete, "/admin/reports/service/subscription", nil)
	r.Header.Set("HX-Request", "true")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return who.Do(r)
}

func TestASubscriptionEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lead := b.SignInAs(t, b.Hire(t, "Support lead 01", access.SupportLead))
	require.Equal(t, http.StatusOK, lead.Send("/admin/reports/service/subscription", url.Values{"rhythm": {"weekly"}, "hour": {"0"}}).Code)
	require.Contains(t, lead.Part("/admin/reports/service/subscription").Body.String(), "Unsubscribe")
	require.Contains(t, remove(lead).Body.String(), "Get by email…")
	require.Equal(t, http.StatusNotFound, remove(lead).Code)
}
