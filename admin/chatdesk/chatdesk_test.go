package chatdesk_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/chatdesk"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/support"
)

// asks sends a request of a route about a conversation and a prepared answer.
func asks(who *desktest.Browser, method, route string, id, reply int64) int {
	address := "/admin" + strings.NewReplacer(":id", strconv.FormatInt(id, 10), ":reply", strconv.FormatInt(reply, 10), ":name", "x").Replace(route)
	r := httptest.NewRequest(method, address, nil)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return who.Do(r).Code
}

func TestRoles(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	require.NoError(t, b.chat.SaveReply(t.Context(), actor(b.lead), support.Reply{Slug: "hello", Language: "en", Category: "account", Body: "Hello"}))
	reply := b.count(`SELECT id FROM chat_replies`)
	state := func() string {
		var text string
		require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `
			SELECT (SELECT string_agg(c::text, '') FROM conversations c) || (SELECT string_agg(m::text, '' ORDER BY id) FROM chat_messages m) || (SELECT string_agg(r::text, '') FROM chat_replies r)
			|| (SELECT count(*) FROM chat_hours) || (SELECT count(*) FROM chat_agents) || (SELECT count(*) FROM chat_pictures) || (SELECT count(*) FROM chat_uploads)`).Scan(&text))
		return text
	}
	before := state()

	t.Run("AnAuditorReadsAndDoesNotWrite", func(t *testing.T) {
		auditor := b.seat("Auditor 01", access.Auditor)
		for _, page := range []string{"/admin/chat", "/admin/chat/rows", path(c.ID), path(c.ID, "news?after=0"), "/admin/chat/answers", "/admin/chat/hours"} {
			require.Equal(t, http.StatusOK, auditor.Get(page).Code, page)
		}
		require.Contains(t, auditor.Get(path(c.ID)).Body.String(), "hello")
		for _, r := range chatdesk.Routes(chatdesk.Services{}) {
			if r.Method != http.MethodGet || r.Permission != access.ChatView {
				require.Equal(t, http.StatusForbidden, asks(auditor, r.Method, r.Path, c.ID, reply), "%s %s", r.Method, r.Path)
			}
		}
	})
	t.Run("AnEditorOfContentSeesNothing", func(t *testing.T) {
		editor := b.seat("Content editor 01", access.ContentEditor)
		for _, r := range chatdesk.Routes(chatdesk.Services{}) {
			require.Equal(t, http.StatusForbidden, asks(editor, r.Method, r.Path, c.ID, reply), "%s %s", r.Method, r.Path)
		}
	})
	t.Run("AnAgentDoesNotLead", func(t *testing.T) {
		for _, r := range chatdesk.Routes(chatdesk.Services{}) {
			if r.Permission == access.ChatLead {
				require.Equal(t, http.StatusForbidden, asks(b.kim, r.Method, r.Path, c.ID, reply), "%s %s", r.Method, r.Path)
			}
		}
	})
	require.Equal(t, before, state(), "nothing has changed")
}

// write sends an answer, or a note.
func write(who *desktest.Browser, id int64, mode, text string) *httptest.ResponseRecorder {
	return who.Send(path(id, "messages"), url.Values{"id": {uuid.NewString()}, "mode": {mode}, "seen": {"9000000"}, "text": {text}})
}

func TestOnlyTheOwnerAnswers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	require.Equal(t, http.StatusConflict, write(b.lee, c.ID, "reply", "from lee").Code)
	require.Equal(t, http.StatusConflict, write(b.lead, c.ID, "reply", "from the lead").Code)
	for _, act := range []string{"resolution", "snooze", "transfer"} {
		form := url.Values{"version": version(b.now(c.ID)), "seen": {"999999999"}, "until": {"hour"}, "to": {"0"}}
		require.Equal(t, http.StatusConflict, b.lee.Send(path(c.ID, act), form).Code, act)
	}
	require.Equal(t, support.Open, b.now(c.ID).State)
	require.Equal(t, http.StatusNoContent, write(b.kim, c.ID, "reply", "from kim").Code)
	require.Equal(t, []string{"hello", "chat.claim", "from kim"}, b.whole(c.ID))
}

func TestResolvingWantsTheNewestWordSeen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	seen := b.says(b.ann, "one thing")
	newer := b.says(b.ann, "and another")
	resolve := func(upTo string) int {
		return b.kim.Send(path(c.ID, "resolution"), url.Values{"seen": {upTo}}).Code
	}
	require.Equal(t, http.StatusConflict, resolve(strconv.FormatInt(seen.ID, 10)))
	require.Equal(t, http.StatusUnprocessableEntity, resolve(""))
	require.Equal(t, support.Open, b.now(c.ID).State)
	require.Equal(t, http.StatusOK, resolve(strconv.FormatInt(newer.ID, 10)))
	require.Equal(t, support.Resolved, b.now(c.ID).State)
}

func TestTransferOnlyToSomebodyThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	transfer := func(to string) int {
		return b.kim.Send(path(c.ID, "transfer"), url.Values{"version": version(b.now(c.ID)), "to": {to}, "note": {"over to you"}}).Code
	}
	lee := strconv.FormatInt(b.lee.Person.ID, 10)
	for _, nobody := range []string{lee, "1", "-1", "", "lee"} {
		require.Equal(t, http.StatusUnprocessableEntity, transfer(nobody), nobody)
	}
	require.True(t, b.now(c.ID).OwnedBy(b.kim.Person.ID))
	require.NotContains(t, b.whole(c.ID), "over to you", "the note goes with the transfer")

	require.Equal(t, http.StatusNoContent, b.lee.Send("/admin/chat/desk/presence", nil).Code)
	require.Equal(t, http.StatusOK, transfer(lee))
	require.True(t, b.now(c.ID).OwnedBy(b.lee.Person.ID))
	require.Contains(t, b.whole(c.ID), "over to you")
}

func TestHours(t *testing.T) {
	t.Parallel()
	b := setup(t)
	set := func(zone, opens, closes string) int {
		form := url.Values{"zone": {zone}, "day-1": {"on"}, "day-1-opens": {opens}, "day-1-closes": {closes}}
		return b.lead.Send("/admin/chat/hours", form).Code
	}
	hours := func() support.Hours {
		list, err := b.chat.Hours(t.Context())
		require.NoError(t, err)
		return list
	}
	for _, nonsense := range [][3]string{
		{"Mars/Olympus", "09:00", "18:00"}, {"", "09:00", "18:00"}, {"../../etc/passwd", "09:00", "18:00"}, {"Europe/Berlin", "18:00", "09:00"}, {"Europe/Berlin", "09:00", "09:00"},
		{"Europe/Berlin", "nine", "18:00"}, {"Europe/Berlin", "09:00", "25:00"}, {"Europe/Berlin", "", ""},
	} {
		require.Equal(t, http.StatusUnprocessableEntity, set(nonsense[0], nonsense[1], nonsense[2]), "%q", nonsense)
	}
	require.Empty(t, hours())
	require.Equal(t, http.StatusOK, set("Europe/Berlin", "09:00", "00:00"))
	require.Equal(t, support.Hours{{Weekday: time.Monday, Opens: 9 * 60, Closes: 24 * 60, Zone: "Europe/Berlin"}}, hours())
	require.Equal(t, http.StatusForbidden, b.kim.Send("/admin/chat/hours", url.Values{}).Code)
	require.Len(t, hours(), 1)
}

func TestVariables(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	save := func(slug, body string) int {
		return b.lead.Send("/admin/chat/answers", url.Values{"slug": {slug}, "language": {"en"}, "category": {"account"}, "body": {body}, "version": {"0"}}).Code
	}
	require.Equal(t, http.StatusUnprocessableEntity, save("bad", "Hello {{password}}"))
	require.Zero(t, b.count(`SELECT count(*) FROM chat_replies`))
	require.Equal(t, http.StatusOK, save("good", "Hello, this is {{agent}}"))
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM chat_replies`))

	for _, left := range []string{"Hello {{password}}", "It is at {{withdrawal.stage}}"} {
		require.Equal(t, http.StatusUnprocessableEntity, write(b.kim, c.ID, "reply", left).Code, left)
	}
	require.Equal(t, http.StatusNoContent, write(b.kim, c.ID, "reply", "Hello, this is {{agent}}").Code)
	require.Equal(t, []string{"hello", "chat.claim", "Hello, this is Kim Keller"}, b.whole(c.ID))
}

func TestNotesStayAtTheDesk(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	require.Equal(t, http.StatusNoContent, write(b.lee, c.ID, "note", "finance has it").Code, "whoever answers writes notes")
	require.Equal(t, http.StatusNoContent, write(b.kim, c.ID, "reply", "one moment").Code)
	require.Contains(t, b.whole(c.ID), "finance has it")
	require.Contains(t, b.lead.Get(path(c.ID)).Body.String(), "finance has it")

	read, err := b.chat.Read(t.Context(), b.ann, 0)
	require.NoError(t, err)
	var bodies []string
	for _, m := range read.List {
		require.NotEqual(t, support.Note, m.Kind)
		bodies = append(bodies, m.Body)
	}
	require.Equal(t, []string{"hello", "chat.claim", "one moment"}, bodies)
	unread, err := b.chat.Unread(t.Context(), b.ann)
	require.NoError(t, err)
	require.Equal(t, 1, unread, "a note is nothing to read")
}

func TestAnAnswerNamesWhatItsWriterHadSeen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	seen := b.now(c.ID).LastMessageID
	b.says(b.ann, "one more thing")
	form := url.Values{"id": {uuid.NewString()}, "text": {"so it is"}, "mode": {"reply"}}
	require.Equal(t, http.StatusUnprocessableEntity, b.kim.Send(path(c.ID, "messages"), form).Code)
	form.Set("seen", strconv.FormatInt(seen, 10))
	require.Equal(t, http.StatusNoContent, b.kim.Send(path(c.ID, "messages"), form).Code)
	require.Equal(t, support.Open, b.now(c.ID).State)
	require.NotNil(t, b.now(c.ID).WaitingSince)
}

func TestTheListShowsWhoLooks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	looks := func(who *desktest.Browser) bool {
		return strings.Contains(who.Part("/admin/chat/rows").Body.String(), `title="Lee Lang"`)
	}
	require.False(t, looks(b.kim))
	require.Equal(t, http.StatusNoContent, b.lee.Send("/admin/chat/desk/presence", url.Values{"open": {strconv.FormatInt(c.ID, 10)}}).Code)
	require.Eventually(t, func() bool { return looks(b.kim) }, 5*time.Second, 10*time.Millisecond)
	require.False(t, looks(b.lee), "nobody is told of themselves")
}

// TestTheAccountsAndTheOrdersOfATraderStandBesideTheirThread: what is practice money is told apart, and an order that was shown leads to the trader's orders.
func TestTheAccountsAndTheOrdersOfATraderStandBesideTheirThread(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	require.NotContains(t, b.kim.Get(path(c.ID)).Body.String(), "Practice USDT")
	for _, account := range []string{`'contract', 'real', 1, 'USDT'`, `'contract', 'mock', 5, 'USDT'`, `'funding', 'real', 4, 'BTC'`} {
		b.exec(`INSERT INTO accounts (trader_id, kind, book, type, currency, created_at) VALUES ($1, `+account+`, now())`, b.ann.TraderID)
	}
	require.NotContains(t, b.kim.Get(path(c.ID)).Body.String(), "/orders")
	b.exec(`INSERT INTO chat_messages (conversation_id, client_id, author, kind, private, body, masked, card_kind, card_id, at)
		VALUES ($1, gen_random_uuid(), 'customer', 'card', false, '', false, 'order', 4711, now())`, c.ID)
	page := b.kim.Get(path(c.ID)).Body.String()
	for _, want := range []string{"Real USDT", "Practice USDT", "Kept BTC"} {
		require.Contains(t, page, want)
	}
	require.Contains(t, page, fmt.Sprintf(`href="/admin/traders/%d/orders"`, b.ann.TraderID))
	require.Contains(t, page, "#4711")
}

func TestTheThreadTellsThatAVisitorHasSignedIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	visitor := support.Customer{Visitor: uuid.NewString(), Language: "en", IP: "192.0.2.1"}
	c := b.claimed(b.kim, visitor)
	require.NotContains(t, b.kim.Get(path(c.ID)).Body.String(), "has signed in")
	signsIn := func() {
		require.NoError(t, b.chat.Adopt(t.Context(), audit.Actor{Kind: audit.Trader, ID: b.ann.TraderID}, visitor.Visitor))
	}
	signsIn()
	page := b.kim.Get(path(c.ID)).Body.String()
	require.Contains(t, page, "The visitor has signed in")
	require.Contains(t, page, fmt.Sprint("Trader ", b.ann.TraderID))

	again := b.says(visitor, "not signed in on my phone").ConversationID
	signsIn()
	require.Contains(t, b.kim.Get(path(c.ID)).Body.String(), "that is among their earlier chats")
	require.Contains(t, b.kim.Get(path(again)).Body.String(), "the trader goes on in another conversation")
}
