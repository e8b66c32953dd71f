package report_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/report"
)

// entry writes an entry of the audit log.
func (b *bundle) entry(kind, id, action, after, at string, by int64) {
	b.Helper()
	actor := "trader"
	if by != 0 {
		actor = "staff"
	}
	b.exec(fmt.Sprintf(`INSERT INTO audit_entries (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after)
		VALUES (%s, '%s', %d, 'N', '%s', '%s', '%s', 'done', '', '', '', '%s')`, b.at(at), actor, by, action, kind, id, after))
}

func (b *bundle) staff(name string) (id int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `INSERT INTO staff (email, name, state, created_at) VALUES (lower($1) || '@staff.example', $1, 'active', now()) RETURNING id`, name).Scan(&id))
	return id
}

func TestIdentityThroughput(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rita, leo := b.staff("Rita"), b.staff("Leo")
	b.entry("kyc", "1", "kyc.submit", "{}", "2026-11-01 10:00", 0)
	b.entry("kyc", "1", "kyc.ask_again", "{}", "2026-11-01 12:00", rita)
	b.entry("kyc", "1", "kyc.submit", "{}", "2026-11-02 10:00", 0)
	b.entry("kyc", "1", "kyc.approve", `{"state":"escalated"}`, "2026-11-02 10:30", rita) // the first of two: decides nothing
	b.entry("kyc", "1", "kyc.confirm", `{"state":"approved"}`, "2026-11-02 11:00", leo)
	b.entry("kyc", "2", "kyc.submit", "{}", "2026-10-31 10:00", 0)
	b.entry("kyc", "2", "kyc.reject_final", "{}", "2026-11-02 10:00", leo)
	b.entry("deposit", "1", "kyc.confirm", `{"state":"approved"}`, "2026-11-02 11:00", leo)

	span := b.span("2026-11-01", "2026-11-02")
	table, err := b.reports.Identities(t.Context(), span)
	require.NoError(t, err)
	require.Equal(t, []int64{1, 0, 1, 0, 2 * 3600}, sums(table.Rows[0]))
	require.Equal(t, []int64{1, 1, 0, 1, 3600}, sums(table.Rows[1]))
	require.Equal(t, []int64{2, 1, 1, 1, 2 * 3600}, sums(table.Totals[0]))
	reviewers, err := b.reports.Reviewers(t.Context(), span)
	require.NoError(t, err)
	require.Len(t, reviewers.Rows, 2)
	require.Equal(t, "Leo", reviewers.Rows[0].Name)
	require.Equal(t, []int64{1, 0, 1, 3600}, sums(reviewers.Rows[0]))
	require.Equal(t, []int64{0, 1, 0, 2 * 3600}, sums(reviewers.Rows[1]))
}

// conversation begins a conversation. Minutes are until its first answer, late from 11 on, and its resolution; 0 for none.
func (b *bundle) conversation(at, language string, agent int64, answered, resolved int) (id int64) {
	b.Helper()
	begun := b.moment(at)
	after := func(minutes int) *time.Time {
		if minutes == 0 {
			return nil
		}
		moment := begun.Add(time.Duration(minutes) * time.Minute)
		return &moment
	}
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `INSERT INTO conversations (visitor, language, state, agent_id, answered_at, resolved_at, resolved_by, created_at, moved_at, answered_in, answered_late, resolved_in)
		VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $3, $6, $6, nullif($7, 0) * 60, $7 > 10, nullif($8, 0) * 60) RETURNING id`,
		language, map[bool]string{true: "resolved", false: "queued"}[resolved > 0], agent, after(answered), after(resolved), begun, answered, resolved).Scan(&id))
	return id
}

func (b *bundle) rate(conversation int64, at string, rating int, words string) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), `INSERT INTO chat_messages (conversation_id, client_id, author, kind, private, body, at)
		VALUES ($1, gen_random_uuid(), 'system', 'event', true, $2, $3)`, conversation, fmt.Sprintf("chat.rated.%d %s", rating, words), b.moment(at))
	require.NoError(b, err)
}

func TestServiceTimesAndSatisfaction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann := b.staff("Ann")
	b.conversation("2026-11-01 23:59", "en", ann, 1, 0)
	first := b.conversation("2026-11-02 00:00", "en", ann, 2, 30)
	b.conversation("2026-11-02 10:00", "en", ann, 10, 60)
	b.conversation("2026-11-02 11:00", "es", ann, 20, 0)
	b.conversation("2026-11-02 12:00", "es", ann, 0, 0) // no answer yet
	span := b.span("2026-11-02", "2026-11-02")
	table, err := b.reports.Service(t.Context(), span)
	require.NoError(t, err)
	want := []int64{4, 3, 600, 1200, 5000, 2, 1800}
	require.Equal(t, want, sums(table.Rows[0]))
	languages, err := b.reports.ServiceByLanguage(t.Context(), span)
	require.NoError(t, err)
	require.Equal(t, []int64{2, 1, 1200, 1200, 0, 0, -1}, sums(languages.Rows[1]))
	agents, err := b.reports.ServiceByAgent(t.Context(), span)
	require.NoError(t, err)
	require.Equal(t, "Ann", agents.Rows[0].Name)
	require.Equal(t, want, sums(agents.Rows[0]))

	b.rate(first, "2026-11-02 09:00", 4, "quick")
	b.rate(first, "2026-11-02 23:59", 1, "")
	b.rate(first, "2026-11-03 00:00", 5, "the day after")
	ratings, err := b.reports.Satisfaction(t.Context(), span)
	require.NoError(t, err)
	require.Equal(t, []int64{2, 250, 0, 1, 0, 0, 1}, sums(ratings.Rows[0]))
	byAgent, err := b.reports.SatisfactionByAgent(t.Context(), span)
	require.NoError(t, err)
	require.Equal(t, "Ann", byAgent.Rows[0].Name)
	require.Equal(t, []int64{2, 250, 0, 1, 0, 0, 1}, sums(byAgent.Rows[0]))
	comments, err := b.reports.Comments(t.Context(), span, 10)
	require.NoError(t, err)
	require.Len(t, comments, 1)
	require.Equal(t, "quick", comments[0].Words)
	b.rate(first, "2026-11-02 10:00", 2, "  slow \n")
	b.rate(first, "2026-11-02 11:00", 3, " \n ") // no words
	newest, err := b.reports.Comments(t.Context(), span, 1)
	require.NoError(t, err)
	require.Len(t, newest, 1)
	require.Equal(t, []any{"slow", int64(2)}, []any{newest[0].Words, newest[0].Rating})
}

// TestSatisfactionByWeek: a week begins on Monday, a rating belongs to whoever had resolved the conversation when it was given, and a week without any has none.
func TestSatisfactionByWeek(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.staff("Ann"), b.staff("Bob")
	c := b.conversation("2026-11-01 10:00", "en", bob, 2, 30) // resolved by Bob in the end
	resolved := func(by int64) {
		b.exec(fmt.Sprintf(`INSERT INTO chat_messages (conversation_id, client_id, author, staff_id, kind, private, body, at) VALUES (%d, gen_random_uuid(), 'system', %d, 'event', false, 'chat.resolve', now())`, c, by))
	}
	resolved(ann)
	b.rate(c, "2026-11-01 23:59", 2, "") // a Sunday
	b.rate(c, "2026-11-02 00:00", 4, "")
	resolved(bob)
	b.rate(c, "2026-11-08 23:59", 5, "")
	b.rate(c, "2026-11-17 12:00", 1, "")
	b.rate(c, "2026-11-19 00:00", 1, "") // after the span
	span := b.span("2026-10-30", "2026-11-18")
	require.Len(t, span.Weeks(), 4)
	weeks, err := b.reports.SatisfactionByWeek(t.Context(), span)
	require.NoError(t, err)
	require.Len(t, weeks.Rows, 4)
	require.Equal(t, "2026-10-26", weeks.Rows[0].Day.Format(time.DateOnly), "the Monday before the span")
	for i, want := range [][]int64{{1, 200, 0, 0, 0, 1, 0}, {2, 450, 1, 1, 0, 0, 0}, {0, -1, 0, 0, 0, 0, 0}, {1, 100, 0, 0, 0, 0, 1}} {
		require.Equal(t, want, sums(weeks.Rows[i]), i)
	}
	require.Equal(t, []int64{4, 300, 1, 1, 0, 1, 1}, sums(weeks.Totals[0]))

	both, err := b.reports.SatisfactionByWeekAndAgent(t.Context(), span)
	require.NoError(t, err)
	var rows []string
	for _, row := range both.Rows {
		rows = append(rows, fmt.Sprint(row.Day.Format(time.DateOnly), " ", row.Name, " ", sums(row)[:2]))
	}
	require.Equal(t, []string{"2026-10-26 Ann [1 200]", "2026-11-02 Ann [1 400]", "2026-11-02 Bob [1 500]", "2026-11-16 Bob [1 100]"}, rows)
	agents, err := b.reports.SatisfactionByAgent(t.Context(), span)
	require.NoError(t, err)
	require.Equal(t, []int64{2, 300, 0, 1, 0, 1, 0}, sums(agents.Rows[0]))
}

// TestChatPace counts conversations that have an answer, of one agent or of all.
func TestChatPace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.staff("Ann"), b.staff("Bob")
	b.conversation("2026-11-01 23:59", "en", ann, 1, 2) // before
	b.conversation("2026-11-02 10:00", "en", ann, 2, 30)
	b.conversation("2026-11-02 11:00", "en", bob, 4, 30)
	b.exec(`UPDATE conversations SET answered_late = true WHERE agent_id = ` + fmt.Sprint(bob))
	b.exec(`INSERT INTO conversations (visitor, language, state, created_at, moved_at) VALUES (gen_random_uuid(), 'en', 'queued', '2026-11-02 12:00', now())`)
	pace := func(agent int64) report.Pace {
		p, err := b.reports.ChatPace(t.Context(), b.moment("2026-11-02 00:00"), agent)
		require.NoError(t, err)
		return p
	}
	require.Equal(t, []int64{2, 5000}, []int64{pace(0).Decided, pace(0).OnTime.Value})
	require.Equal(t, []int64{1, 10000}, []int64{pace(ann).Decided, pace(ann).OnTime.Value})
	require.Equal(t, []int64{1, 0}, []int64{pace(bob).Decided, pace(bob).OnTime.Value})
	none := pace(1 << 40)
	require.True(t, none.Decided == 0 && none.Median.None)
}

func TestPace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.staff("Maker")
	b.entry("deposit", "1", "deposit.prove", "{}", "2026-11-02 08:00", 0)
	b.entry("deposit", "1", "deposit.approve", `{"state":"approved"}`, "2026-11-02 08:30", maker)
	b.entry("deposit", "1", "deposit.confirm", `{"state":"credited"}`, "2026-11-02 09:00", maker)
	b.entry("deposit", "2", "deposit.prove", "{}", "2026-11-02 08:00", 0)
	b.entry("deposit", "2", "deposit.approve", `{"state":"credited"}`, "2026-11-02 11:00", maker) // one person was enough
	b.entry("deposit", "3", "deposit.prove", "{}", "2026-11-01 08:00", 0)
	b.entry("deposit", "3", "deposit.reject", "{}", "2026-11-01 23:59", maker)
	pace, ok, err := b.reports.Pace(t.Context(), "deposits", b.moment("2026-11-02 00:00"), 2*time.Hour)
	require.NoError(t, err)
	require.True(t, ok)
	require.EqualValues(t, 2, pace.Decided)
	require.EqualValues(t, 5000, pace.OnTime.Value)
	require.EqualValues(t, 3600, pace.Median.Value)
	none, ok, err := b.reports.Pace(t.Context(), "deposits", b.moment("2026-11-03 00:00"), 2*time.Hour)
	require.NoError(t, err)
	require.True(t, ok && none.Median.None && none.OnTime.None)
	_, ok, _ = b.reports.Pace(t.Context(), "traders", b.moment("2026-11-03 00:00"), time.Hour)
	require.False(t, ok)
}
