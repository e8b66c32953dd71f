package taskdesk_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/admin/taskdesk"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/task"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// bundle is a desk with an agent, two members of finance, and a trader.
type bundle struct {
	*testing.T
	*desktest.Office
	tasks                                *task.Service
	agent, finance, other, risk, auditor *desktest.Browser
	trader                               int64
	keys                                 int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{T: t}
	o := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) {
		c.Health = desktest.Healthy
		c.OwnCounts = map[string]func(*desk.Request) (desk.Waiting, error){"tasks": func(r *desk.Request) (desk.Waiting, error) { return taskdesk.Waiting(b.tasks)(r) }}
	})
	b.Office, b.tasks = o, task.New(o.DB, o.Clock, nil)
	require.NoError(t, o.DB.Pool.QueryRow(t.Context(), `INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ('t@example.com', 'T', '', 'DE', 'T', now()) RETURNING id`).Scan(&b.trader))
	known := func(_ context.Context, id int64) (*int64, error) {
		if id != b.trader && id != 812 {
			return nil, errs.New(errs.NotFound, "not_found")
		}
		return &b.trader, nil
	}
	o.Mount(taskdesk.Routes(taskdesk.Services{
		Tasks: b.tasks, Staff: o.Staff, Audit: audit.NewLog(o.DB), Owners: map[task.Kind]taskdesk.Owner{task.Trader: known, task.Conversation: known, task.Deposit: known},
	}))
	seat := func(name string, role access.Role) *desktest.Browser { return o.SignInAs(t, o.Hire(t, name, role)) }
	b.agent, b.finance, b.other = seat("Agent 01", access.SupportAgent), seat("Finance 01", access.FinanceMaker), seat("Finance 02", access.FinanceChecker)
	b.risk, b.auditor = seat("Risk 01", access.Risk), seat("Auditor 01", access.Auditor)
	return b
}

func (b *bundle) form(change url.Values) url.Values {
	b.keys++
	form := url.Values{
		"key": {fmt.Sprintf("key-of-the-form-%03d", b.keys)}, "title": {"Find the transfer"}, "note": {"Two days old"}, "for": {"finance"}, "priority": {"urgent"}, "due": {"2026-11-20T18:00"},
	}
	for name, values := range change {
		form[name] = values
	}
	return form
}

// asked hands a task over from the trader's page, and reads it.
func (b *bundle) asked(change url.Values) task.Task {
	b.Helper()
	answer := b.agent.Send(fmt.Sprintf("/admin/traders/%d/task", b.trader), b.form(change))
	require.Equal(b, http.StatusNoContent, answer.Code, answer.Body.String())
	require.Equal(b, fmt.Sprintf("/admin/traders/%d/tasks", b.trader), answer.Header().Get("HX-Redirect"))
	list, err := b.tasks.OfTrader(b.Context(), task.Reader{All: true}, b.trader, 0, 1)
	require.NoError(b, err)
	return list[0]
}

func path(t task.Task, words ...string) string {
	return strings.Join(append([]string{fmt.Sprintf("/admin/tasks/%d", t.ID)}, words...), "/")
}

func TestFromTheFormToTheOutcome(t *testing.T) {
	t.Parallel()
	b := setup(t)
	form := b.agent.Part(fmt.Sprintf("/admin/traders/%d/task", b.trader)).Body.String()
	require.Contains(t, form, "Finance 01", "a colleague to choose")
	require.NotContains(t, form, "Auditor 01", "who works on no tasks")
	require.Contains(t, form, "2026-11-21T14:32", "the deadline that is suggested")
	made := b.asked(nil)
	row := b.finance.Get("/admin/tasks?tab=team").Body.String()
	require.Contains(t, row, "Find the transfer")
	require.Contains(t, row, "Urgent")
	page := b.finance.Get(path(made)).Body.String()
	require.Contains(t, page, "Two days old")
	require.Equal(t, http.StatusForbidden, b.agent.Send(path(made, "taking"), nil).Code, "who asked does not take it")
	require.Equal(t, http.StatusOK, b.finance.Send(path(made, "taking"), nil).Code)
	require.Equal(t, http.StatusForbidden, b.other.Send(path(made, "outcome"), url.Values{"version": {"2"}, "text": {"Mine"}}).Code, "somebody else has taken it")
	require.Equal(t, http.StatusConflict, b.finance.Send(path(made, "outcome"), url.Values{"version": {"1"}, "text": {"Done it"}}).Code, "another version than the one shown")
	require.Equal(t, http.StatusUnprocessableEntity, b.finance.Send(path(made, "outcome"), url.Values{"version": {"2"}, "text": {""}}).Code)
	require.Equal(t, http.StatusOK, b.agent.Send(path(made, "comment"), url.Values{"version": {"2"}, "text": {"He called again"}}).Code)
	require.Contains(t, b.finance.Get(path(made)).Body.String(), "He called again")
	require.Equal(t, http.StatusOK, b.finance.Send(path(made, "outcome"), url.Values{"version": {"3"}, "text": {"It is credited"}}).Code)
	require.Contains(t, b.agent.Get("/admin/tasks?tab=ended").Body.String(), "Find the transfer")
	require.Contains(t, b.agent.Get(path(made)).Body.String(), "It is credited")
	require.Equal(t, http.StatusConflict, b.finance.Send(path(made, "taking"), nil).Code, "it has ended")
}

func TestGiveBackDeclineAndCancel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.asked(nil)
	require.Equal(t, http.StatusForbidden, b.finance.Send(path(made, "cancellation"), url.Values{"version": {"1"}}).Code, "only who asked cancels")
	require.Equal(t, http.StatusOK, b.finance.Send(path(made, "taking"), nil).Code)
	require.Contains(t, b.finance.Part(path(made, "return")).Body.String(), "Give TK-")
	require.Equal(t, http.StatusOK, b.finance.Send(path(made, "return"), url.Values{"version": {"2"}}).Code)
	require.Equal(t, http.StatusOK, b.other.Send(path(made, "refusal"), url.Values{"version": {"3"}, "text": {"Ask compliance"}}).Code)
	require.Contains(t, b.agent.Get(path(made)).Body.String(), "Ask compliance")
	made = b.asked(nil)
	require.Equal(t, http.StatusOK, b.agent.Send(path(made, "cancellation"), url.Values{"version": {"1"}}).Code)
}

// TestWhoReadsATask shows a task to nobody but who asked, whom it is for, and the auditor; its subject opens by the reader's own permissions.
func TestWhoReadsATask(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, http.StatusOK, b.agent.Part("/admin/chat/812/task").Code)
	answer := b.agent.Send("/admin/chat/812/task", b.form(nil))
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	require.Contains(t, answer.Body.String(), "Find the transfer", "the card of the conversation")
	list, err := b.tasks.About(t.Context(), task.Reader{All: true}, task.Conversation, 812, 1)
	require.NoError(t, err)
	made := list[0]
	require.Equal(t, b.trader, *made.TraderID, "the trader is bound too")
	for name, c := range map[string]struct {
		who   *desktest.Browser
		reads bool
		opens bool
	}{"asked": {b.agent, true, true}, "team": {b.finance, true, false}, "auditor": {b.auditor, true, true}, "another team": {b.risk, false, false}} {
		page := c.who.Get(path(made))
		require.Equal(t, c.reads, page.Code == http.StatusOK, name)
		require.Equal(t, c.reads, strings.Contains(c.who.Get("/admin/tasks?tab=open").Body.String(), "Find the transfer"), name)
		require.Equal(t, c.opens, strings.Contains(page.Body.String(), `href="/admin/chat/812"`), name)
		require.Equal(t, c.reads, strings.Contains(c.who.Part("/admin/chat/812/tasks").Body.String(), "Find the transfer"), name)
	}
	require.Equal(t, http.StatusForbidden, b.auditor.Send("/admin/tasks/request", b.form(nil)).Code, "the auditor only reads")
	require.NotContains(t, b.auditor.Get(path(made)).Body.String(), "comment", "and is offered nothing")
	require.Equal(t, http.StatusForbidden, b.SignIn(t, access.ContentEditor).Get("/admin/tasks").Code)
}

// TestASubjectIsWhatTheMemberMayOpen refuses numbers that are nothing, or of cases that the member may not open.
func TestASubjectIsWhatTheMemberMayOpen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	send := func(who *desktest.Browser, about string) int {
		return who.Send("/admin/tasks/request", b.form(url.Values{"about": {about}, "for": {"risk"}})).Code
	}
	number := fmt.Sprint(b.trader)
	require.Equal(t, http.StatusNoContent, send(b.agent, number))
	require.Equal(t, http.StatusNoContent, send(b.finance, "dp-"+number))
	for _, bad := range []string{"", "nothing", "99", "DP-x", "XX-" + number, "DP-" + number, "WD-" + number} { // agents open no deposits; this office knows no withdrawals
		require.Equal(t, http.StatusUnprocessableEntity, send(b.agent, bad), bad)
	}
	require.Equal(t, http.StatusUnprocessableEntity, b.finance.Send("/admin/chat/812/task", b.form(nil)).Code, "finance opens no conversations")
	require.Equal(t, http.StatusNotFound, b.agent.Send("/admin/traders/99/task", b.form(nil)).Code)
}

func TestCountsAndOverdue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.asked(nil)
	require.Contains(t, b.finance.Get("/admin/live").Body.String(), `count-tasks`)
	count := func(who *desktest.Browser) (n task.Counts) {
		n, err := b.tasks.Count(t.Context(), task.Reader{Actor: audit.Actor{ID: who.Person.ID, Roles: string(who.Person.Roles[0])}})
		require.NoError(t, err)
		return n
	}
	require.Equal(t, []int64{1, 0}, []int64{count(b.finance).Waiting, count(b.risk).Waiting})
	require.NotContains(t, b.finance.Get("/admin/tasks?tab=team&late=yes").Body.String(), "Find the transfer")
	b.Clock.Advance(5 * time.Hour)
	b.finance = b.SignInAs(t, b.finance.Person)
	require.Contains(t, b.finance.Get("/admin/tasks?tab=team&late=yes").Body.String(), "Find the transfer")
	require.True(t, count(b.finance).Late)
}

func TestMentions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Contains(t, b.agent.Part("/admin/colleagues/trader").Body.String(), "Finance 01")
	require.NotContains(t, b.agent.Part("/admin/colleagues/conversation").Body.String(), "Finance 01", "finance reads no conversations")
	require.NotContains(t, b.agent.Part("/admin/colleagues/trader").Body.String(), "Agent 01", "nobody mentions themselves")
	by := audit.Actor{Kind: audit.Staff, ID: b.agent.Person.ID, Name: "Agent 01"}
	mention := func(n task.Note) {
		require.NoError(t, b.DB.InTx(t.Context(), func(tx *db.Tx) error { return b.tasks.MentionTx(t.Context(), tx, by, n, []int64{b.finance.Person.ID}) }))
	}
	mention(task.Note{Place: task.AboutTrader, PlaceID: b.trader, NoteID: 5, Text: "@Finance 01 look at this"})
	mention(task.Note{Place: task.InConversation, PlaceID: 812, NoteID: 6, Text: "a secret of the chat"})
	require.Contains(t, b.finance.Get("/admin/tasks").Body.String(), "Mentions: 2 new")
	page := b.finance.Get("/admin/mentions").Body.String()
	require.Contains(t, page, "look at this")
	require.NotContains(t, page, "a secret of the chat", "who may not read the place reads no note of it")
	list, err := b.tasks.Mentions(t.Context(), b.finance.Person.ID, 0, 5)
	require.NoError(t, err)
	open := func(who *desktest.Browser, m task.Mention) (int, string) {
		answer := who.Get(fmt.Sprintf("/admin/mentions/%d", m.ID))
		return answer.Code, answer.Header().Get("Location")
	}
	code, to := open(b.finance, list[1])
	require.Equal(t, []any{http.StatusSeeOther, fmt.Sprintf("/admin/traders/%d/notes", b.trader)}, []any{code, to})
	code, _ = open(b.finance, list[0])
	require.Equal(t, http.StatusNotFound, code)
	code, _ = open(b.other, list[1])
	require.Equal(t, http.StatusNotFound, code, "somebody else's")
	require.Contains(t, b.finance.Get("/admin/tasks").Body.String(), "Mentions: 1 new")
}

// TestPayloads shows what people type as text and nothing else.
func TestPayloads(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, payload := range desktest.Payloads {
		title := payload
		if len([]rune(title)) > task.LongestTitle || len([]rune(strings.TrimSpace(title))) < 3 {
			title = "A title"
		}
		answer := b.agent.Send(fmt.Sprintf("/admin/traders/%d/task", b.trader), b.form(url.Values{"title": {title}, "note": {payload}, "for": {payload}, "due": {payload}, "priority": {payload}}))
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, payload)
		desktest.Harmless(t, "the form again", answer.Body.String(), payload)
		made := b.asked(url.Values{"title": {title}, "note": {payload}})
		desktest.Harmless(t, "list", b.finance.Get("/admin/tasks?tab=team").Body.String(), title)
		desktest.Harmless(t, "task", b.finance.Get(path(made)).Body.String(), payload)
		desktest.Harmless(t, "dialog", b.finance.Part(path(made, "refusal")).Body.String(), title)
		require.Equal(t, http.StatusOK, b.finance.Send(path(made, "refusal"), url.Values{"version": {"1"}, "text": {"The next one, please"}}).Code)
	}
}
