package chatdesk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/support"
)

// agents hires an agent for each payload, with the payload as name.
func (b *bundle) agents() (ids []int64) {
	b.Helper()
	for _, name := range desktest.Payloads {
		ids = append(ids, b.Hire(b.T, name, access.SupportAgent).ID)
	}
	b.exec(`INSERT INTO chat_agents (staff_id, seen_at, accepting) SELECT unnest($1::bigint[]), $2, true`, ids, b.Clock.Now())
	return ids
}

func TestWordsInTheInboxStayWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	agents, now := b.agents(), b.Clock.Now()
	b.exec(`
		WITH c AS (INSERT INTO conversations (visitor, language, state, agent_id, waiting_since, created_at, moved_at)
			SELECT gen_random_uuid(), words, 'open', agent, $3, $3, $3 FROM unnest($1::text[], $2::bigint[]) list (words, agent) RETURNING id, language)
		INSERT INTO chat_messages (conversation_id, client_id, author, kind, private, body, at) SELECT id, gen_random_uuid(), 'customer', 'text', false, language, $3 FROM c`,
		desktest.Payloads, agents, now)
	for _, address := range []string{"/admin/chat", "/admin/chat/rows"} {
		body := b.kim.Get(address).Body.String()
		desktest.Harmless(t, address, body, desktest.Payloads...)
	}

	b.exec(`INSERT INTO chat_messages (conversation_id, client_id, author, staff_id, kind, private, body, at)
		SELECT id, gen_random_uuid(), 'agent', agent_id, 'note', true, language, $1 FROM conversations`, now)
	desktest.Harmless(t, "notes", b.kim.Get("/admin/chat").Body.String(), desktest.Payloads...)

	rows, err := b.chat.Inbox(t.Context(), support.Filter{})
	require.NoError(t, err)
	for i, row := range rows {
		require.NoError(t, b.chat.Typing(t.Context(), row.ID, support.Agent{StaffID: agents[i], Name: desktest.Payloads[i]}, true))
	}
	require.Eventually(t, func() bool { return len(b.chat.Activities(rows[len(rows)-1].ID)) > 0 }, 5*time.Second, 10*time.Millisecond)
	desktest.Harmless(t, "who types", b.kim.Get("/admin/chat").Body.String(), desktest.Payloads...)

	for i, words := range desktest.Payloads {
		query := url.QueryEscape(words)
		page := b.kim.Get([]string{"/admin/chat?q=", "/admin/chat?tab=mine&q=", "/admin/chat/answers?q="}[i%3] + query)
		require.Equal(t, http.StatusOK, page.Code)
		desktest.Harmless(t, "search", page.Body.String(), words)
		desktest.Harmless(t, "filter", b.kim.Get("/admin/chat/rows?q="+query+"&language="+query+"&state="+query+"&tab="+query+"&open="+query).Body.String())
	}
	for words := range slices.Chunk(desktest.Payloads, 6) {
		desktest.Harmless(t, "language", b.kim.Get("/admin/chat?language="+url.QueryEscape(words[0])).Body.String(), words[0])
	}
}

func TestWordsInAThreadStayWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	agents := b.agents()
	c := b.claimed(b.kim, b.ann)
	b.exec(`INSERT INTO chat_messages (conversation_id, client_id, author, staff_id, kind, private, body, at)
		SELECT $1, gen_random_uuid(), author, CASE WHEN author = 'agent' THEN agent END, kind, private, head || words, $4
		FROM (VALUES ('customer', 'text', false, ''), ('agent', 'text', false, ''), ('agent', 'note', true, ''), ('system', 'event', true, 'chat.rated.5 ')) kinds (author, kind, private, head),
			unnest($2::text[], $3::bigint[]) list (words, agent) ORDER BY head, private, author DESC`, c.ID, desktest.Payloads, agents, b.Clock.Now())
	b.exec(`INSERT INTO chat_messages (conversation_id, client_id, author, staff_id, kind, private, body, at)
		SELECT $1, gen_random_uuid(), 'system', unnest($2::bigint[]), 'event', false, 'chat.claim', $3`, c.ID, agents, b.Clock.Now())
	first, more, err := b.chat.Messages(t.Context(), c.ID, 0)
	require.NoError(t, err)
	require.True(t, more)
	for _, who := range []*desktest.Browser{b.kim, b.lee, b.seat("Auditor 01", access.Auditor)} {
		desktest.Harmless(t, "page", who.Get(path(c.ID)).Body.String(), desktest.Payloads...)
		desktest.Harmless(t, "part", who.Part(path(c.ID)).Body.String(), desktest.Payloads...)
		news := path(c.ID, "news?after="+strconv.FormatInt(first[len(first)-1].ID, 10))
		desktest.Harmless(t, "news", who.Part(news).Body.String(), desktest.Payloads...)
	}
	desktest.Harmless(t, "transfer", b.kim.Part(path(c.ID, "transfer")).Body.String(), desktest.Payloads...)
	desktest.Harmless(t, "labels", b.kim.Part(path(c.ID, "labels")).Body.String())
	desktest.Harmless(t, "snooze", b.kim.Part(path(c.ID, "snooze")).Body.String())
	for i, words := range desktest.Payloads {
		b.exec(`UPDATE conversations SET agent_id = $2, language = $3 WHERE id = $1`, c.ID, agents[i], words)
		desktest.Harmless(t, "owned by another", b.lee.Part(path(c.ID, "news?after=999999999")).Body.String(), words)
		for _, act := range []string{"claim", "take-over", "messages", "labels", "transfer", "snooze", "resolution"} {
			if i%7 == 0 {
				form := url.Values{"id": {words}, "text": {words}, "version": {words}, "label": {words}, "to": {words}, "until": {words}, "moment": {words}, "seen": {words}}
				desktest.Harmless(t, act, b.lee.Send(path(c.ID, act), form).Body.String())
			}
		}
	}
}

func TestWordsOfPreparedAnswersStayWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	const group = 6 // the palette shows eight
	b.exec(`INSERT INTO chat_replies (slug, language, category, body, changed_at) SELECT format('group-%s-%s', (n - 1) / $2::bigint, n), 'en', 'account', words, $3
		FROM unnest($1::text[]) WITH ORDINALITY list (words, n)`, desktest.Payloads, group, b.Clock.Now())
	desktest.Harmless(t, "answers", b.lead.Get("/admin/chat/answers").Body.String(), desktest.Payloads...)
	n := 0
	for words := range slices.Chunk(desktest.Payloads, group) {
		desktest.Harmless(t, "palette", b.kim.Part(path(c.ID, fmt.Sprintf("replies?q=group-%d-", n))).Body.String(), words...)
		n++
	}
	b.exec(`UPDATE chat_replies SET body = '{{hours}} {{agent}}'`)
	for i, words := range desktest.Payloads {
		id := b.count(`SELECT id FROM chat_replies ORDER BY id LIMIT 1 OFFSET $1`, i)
		b.exec(`UPDATE chat_replies SET body = $2, category = $2 WHERE id = $1`, id, words)
		desktest.Harmless(t, "editing", b.lead.Part(fmt.Sprint("/admin/chat/answers/", id)).Body.String(), words)
		form := url.Values{"slug": {words}, "language": {words}, "category": {words}, "body": {words}, "version": {"1"}}
		again := b.lead.Send("/admin/chat/answers", form)
		require.Equal(t, http.StatusUnprocessableEntity, again.Code)
		desktest.Harmless(t, "refused", again.Body.String(), words)
		desktest.Harmless(t, "palette", b.kim.Part(path(c.ID, "replies?q="+url.QueryEscape(words))).Body.String(), words)

		form = url.Values{"zone": {words}, "day-1-opens": {words}, "day-1-closes": {words}, "holiday-0-date": {words}, "holiday-0-name": {words}, "holiday-0-opens": {words}, "holiday-0-closes": {words}}
		hours := b.lead.Send("/admin/chat/hours", form)
		require.Equal(t, http.StatusUnprocessableEntity, hours.Code)
		desktest.Harmless(t, "hours", hours.Body.String(), words)

		times := b.lead.Send("/admin/chat/times", url.Values{"normal-first_reply": {words}})
		require.Equal(t, http.StatusUnprocessableEntity, times.Code)
		desktest.Harmless(t, "times", times.Body.String(), words)
		macro := b.lead.Send("/admin/chat/macros", url.Values{"name": {words}, "key": {words}, "reply": {words}, "priority": {words}, "label": {words}, "ending": {words}, "version": {"0"}})
		require.Equal(t, http.StatusUnprocessableEntity, macro.Code)
		desktest.Harmless(t, "macro", macro.Body.String(), words)
	}
	b.exec(`INSERT INTO chat_macros (name, reply, ending, changed_at) SELECT left(words, 60), 'group-0', 'resolve', now() FROM unnest($1::text[]) words ON CONFLICT DO NOTHING`, desktest.Payloads)
	b.exec(`UPDATE conversations SET agent_id = $1, state = 'open' WHERE id = $2`, b.kim.Person.ID, c.ID)
	for _, page := range []string{"/admin/chat/macros", path(c.ID, "macros")} {
		desktest.Harmless(t, page, b.kim.Part(page).Body.String(), desktest.Payloads[0])
	}
	b.exec(`INSERT INTO chat_hours (weekday, opens, closes, zone) VALUES (1, 0, 60, $1)`, desktest.Payloads[0])
	b.exec(`INSERT INTO chat_holidays (day, name) VALUES ('2099-12-25', $1)`, desktest.Payloads[0])
	b.exec(`UPDATE chat_replies SET body = '{{hours}}'`)
	desktest.Harmless(t, "set hours", b.lead.Get("/admin/chat/hours").Body.String(), desktest.Payloads[0])
	desktest.Harmless(t, "hours in an answer", b.kim.Part(path(c.ID, "replies?q=group-0")).Body.String(), desktest.Payloads[0])
}

func TestWordsAroundAConversationStayWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	now := b.Clock.Now()
	for words := range slices.Chunk(desktest.Payloads, 3) {
		from := b.trader(words[0])
		b.exec(`UPDATE traders SET email = lower($2), phone = $3 WHERE id = $1`, from.TraderID, words[1], words[2])
		b.exec(`INSERT INTO devices (trader_id, fingerprint, name, first_seen_at, last_seen_at, last_ip)
			SELECT $1, sha256(convert_to(words, 'UTF8')), words, $3, $3, words FROM unnest($2::text[]) words`, from.TraderID, words, now)
		b.exec(`INSERT INTO refusals (trader_id, code, call, trace_id, at) SELECT $1, words, words, words, $3 FROM unnest($2::text[]) words`, from.TraderID, words, now)
		b.exec(`
			WITH c AS (INSERT INTO conversations (trader_id, language, state, resolved_at, created_at, moved_at) SELECT $1, words, 'closed', $3, $3, $3 FROM unnest($2::text[]) words RETURNING id, language)
			INSERT INTO chat_messages (conversation_id, client_id, author, kind, private, body, at) SELECT id, gen_random_uuid(), 'customer', 'text', false, language, $3 FROM c`,
			from.TraderID, words, now)
		id := b.says(from, "hello").ConversationID
		body := b.kim.Get(path(id)).Body.String()
		desktest.Harmless(t, "context", body, words...)
		for _, card := range []string{"Recent refusals", "Devices", "Earlier chats"} {
			require.Contains(t, body, card)
		}
	}
}
