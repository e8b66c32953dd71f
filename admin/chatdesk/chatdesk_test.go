package chatdesk_test

import (
	"bufio"
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
	"candor/app/platform/upload"
	"candor/app/support"
)

// asks requests a route about a conversation and a prepared answer.
func asks(who *desktest.Browser, method, route string, id, reply int64) int {
	address := "/admin" + strings.NewReplacer(":id", strconv.FormatInt(id, 10), ":reply", strconv.FormatInt(reply, 10), ":macro", strconv.FormatInt(reply, 10), ":flag", "1", ":name", "x").Replace(route)
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
			|| (SELECT count(*) FROM chat_hours) || (SELECT count(*) FROM chat_service_times) || (SELECT count(*) FROM chat_macros) || (SELECT count(*) FROM chat_agents) || (SELECT count(*) FROM chat_pictures) || (SELECT count(*) FROM chat_uploads) || (SELECT count(*) FROM conduct_flags)`).Scan(&text))
		return text
	}
	before := state()

	t.Run("AnAuditorReadsAndDoesNotWrite", func(t *testing.T) {
		auditor := b.seat("Auditor 01", access.Auditor)
		for _, page := range []string{"/admin/chat", "/admin/chat/rows", path(c.ID), path(c.ID, "news?after=0"), "/admin/chat/answers", "/admin/chat/hours", "/admin/chat/times", "/admin/chat/macros"} {
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
			if r.Permission == access.ChatLead || r.Permission == access.ChatFlags {
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

func TestASnoozeIsTakenBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	answer := b.kim.Send(path(c.ID, "snooze"), url.Values{"version": version(b.now(c.ID)), "until": {"hour"}})
	require.Equal(t, http.StatusOK, answer.Code)
	require.Contains(t, answer.Body.String(), path(c.ID, "waking"), "the undo")
	require.Equal(t, support.Snoozed, b.now(c.ID).State)
	require.Equal(t, http.StatusConflict, b.lee.Send(path(c.ID, "waking"), nil).Code)
	require.Equal(t, support.Snoozed, b.now(c.ID).State)
	require.Equal(t, http.StatusOK, b.kim.Send(path(c.ID, "waking"), nil).Code)
	require.Equal(t, support.Open, b.now(c.ID).State)
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
	require.Equal(t, http.StatusUnprocessableEntity, transfer(lee), "lee is there and takes no chats")
	require.Equal(t, http.StatusOK, b.lee.Send("/admin/chat/desk/accepting", url.Values{"taking": {"on"}}).Code)
	require.Equal(t, http.StatusOK, transfer(lee))
	require.True(t, b.now(c.ID).OwnedBy(b.lee.Person.ID))
	require.Contains(t, b.whole(c.ID), "over to you")
}

// TestTakingChatsIsASwitchOfOnesOwn: it is off at sign-in, says what it means, and every language of the app can be chosen.
func TestTakingChatsIsASwitchOfOnesOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Frame.SignedIn = b.chat.SignedIn
	page := func() string { return b.kim.Get("/admin/chat").Body.String() }
	takes := func() int64 { return b.count(`SELECT count(*) FROM chat_agents WHERE accepting`) }
	require.Contains(t, page(), "No chats are assigned to you.")
	require.Contains(t, b.kim.Send("/admin/chat/desk/accepting", url.Values{"taking": {"on"}}).Body.String(), "Choose your languages")
	require.EqualValues(t, 1, takes())
	dialog := httptest.NewRequest(http.MethodGet, "/admin/chat/desk/languages", nil)
	dialog.Header.Set("HX-Request", "true")
	require.Equal(t, 27, strings.Count(b.kim.Do(dialog).Body.String(), `name="language"`), "26 languages, and any other")
	require.Equal(t, http.StatusUnprocessableEntity, b.kim.Send("/admin/chat/desk/languages", url.Values{"language": {"xx"}}).Code)
	require.Contains(t, b.kim.Send("/admin/chat/desk/languages", url.Values{"language": {"de", support.AnyLanguage}}).Body.String(), "New chats are assigned to you: Any other language, Deutsch.")
	require.Contains(t, page(), "0 of 6 active")
	require.NotContains(t, b.lead.Get("/admin/chat").Body.String(), "New chats are assigned to you", "the switch is one's own")
	b.SignInAs(t, b.kim.Person)
	require.Zero(t, takes(), "a sign-in turns it off")
}

// TestWhyNobodyGetsAConversation: a queued one says why in the list and in the thread.
func TestWhyNobodyGetsAConversation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.says(b.ann, "hello").ConversationID
	both := func(text string) {
		require.Contains(t, b.kim.Get("/admin/chat").Body.String(), text)
		require.Contains(t, b.kim.Get(path(id)).Body.String(), text)
	}
	both("Nobody is taking chats")
	require.Equal(t, http.StatusOK, b.kim.Send("/admin/chat/desk/accepting", url.Values{"taking": {"on"}}).Code)
	both("No available agent speaks English")
	require.Equal(t, http.StatusOK, b.kim.Send("/admin/chat/desk/languages", url.Values{"language": {"en"}}).Code)
	require.NotContains(t, b.kim.Get(path(id)).Body.String(), "No available agent")
}

// TestSnoozedStandsApart: the tabs count what they list.
func TestSnoozedStandsApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	_, err := b.chat.Snooze(t.Context(), actor(b.kim), c.ID, 0, b.Clock.Now().Add(time.Hour))
	require.NoError(t, err)
	for _, tab := range []string{"mine", "all"} {
		require.NotContains(t, b.kim.Get("/admin/chat?tab="+tab).Body.String(), fmt.Sprintf("chat-%d", c.ID))
		require.Contains(t, b.kim.Get("/admin/chat?state=snoozed&tab="+tab).Body.String(), fmt.Sprintf("chat-%d", c.ID))
	}
	n, err := b.chat.Count(t.Context(), b.kim.Person.ID, "")
	require.NoError(t, err)
	require.Equal(t, []int{0, 0, 1, 1}, []int{n.Mine, n.All, n.MineSnoozed, n.Snoozed})
	n, err = b.chat.Count(t.Context(), b.lee.Person.ID, "")
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, []int{n.MineSnoozed, n.Snoozed})
}

func TestTheInboxOfALanguage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.claimed(b.kim, b.ann)
	arab := b.trader("Bob")
	arab.Language = "ar"
	b.says(arab, "salam")
	page := b.kim.Get("/admin/chat?language=ar").Body.String()
	require.Contains(t, page, "salam")
	require.NotContains(t, page, "hello")
	require.Contains(t, page, `data-again="/admin/chat/rows?language=ar"`)
	require.Regexp(t, `Unassigned\s*<span[^>]*>1<`, page)
	require.Regexp(t, `Mine\s*<span[^>]*>0<`, page)
	require.Regexp(t, `href="/admin/chat/\d+\?language=ar"`, page, "the list stays as it is beside a thread")
	for _, whole := range []string{"/admin/chat", "/admin/chat?language=tlh"} {
		page = b.kim.Get(whole).Body.String()
		require.Contains(t, page, "hello")
		require.Contains(t, page, "salam")
	}
	dialog := b.kim.Part("/admin/chat/filter").Body.String()
	require.Contains(t, dialog, "العربية")
	require.NotContains(t, dialog, "中文", "nobody waits there")
}

func TestAgentsSayWhatTheyTake(t *testing.T) {
	t.Parallel()
	b := setup(t)
	setLanguages := func(languages ...string) int {
		return b.kim.Send("/admin/chat/desk/languages", url.Values{"language": languages}).Code
	}
	require.Equal(t, http.StatusUnprocessableEntity, setLanguages("en", "tlh"))
	require.Zero(t, b.count(`SELECT count(*) FROM chat_agents WHERE languages <> ''`))
	require.Equal(t, http.StatusOK, setLanguages("zh_CN", "ar"))
	require.Regexp(t, `<input[^>]*value="ar" checked`, b.kim.Part("/admin/chat/desk/languages").Body.String())
	require.NotRegexp(t, `<input[^>]*value="en" checked`, b.kim.Part("/admin/chat/desk/languages").Body.String())
	require.NotRegexp(t, `<input[^>]*value="ar" checked`, b.lee.Part("/admin/chat/desk/languages").Body.String())
}

// TestWhoeverAnswersHearsOfItEverywhere: every chat page of an agent receives events and reports presence; pages of other staff only receive events.
func TestWhoeverAnswersHearsOfItEverywhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	auditor := b.seat("Auditor 01", access.Auditor)
	const stream, presence = `data-events="/admin/events"`, `data-presence="/admin/chat/desk/presence"`
	for _, page := range []string{"/admin/chat", "/admin/chat/answers", "/admin/chat/hours", "/admin/chat/times", "/admin/chat/macros"} {
		require.Contains(t, b.kim.Get(page).Body.String(), stream+" "+presence, page)
		require.NotContains(t, auditor.Get(page).Body.String(), presence, page)
		require.Contains(t, auditor.Get(page).Body.String(), stream, page)
	}
	mine := func(who *desktest.Browser) string { return who.Part("/admin/chat/mine").Body.String() }
	require.Contains(t, mine(b.kim), `data-waiting="1"`)
	require.Contains(t, mine(b.kim), fmt.Sprintf("New message from Trader %d", b.ann.TraderID))
	require.Contains(t, mine(b.kim), `href="`+path(c.ID)+`"`)
	require.Contains(t, mine(b.lee), `data-waiting="0"`)
	require.NotContains(t, mine(b.lee), "data-call")
	require.Equal(t, http.StatusOK, b.kim.Get(path(c.ID)).Code)
	require.Equal(t, http.StatusNoContent, b.kim.Send(path(c.ID, "seen"), url.Values{"last": {strconv.FormatInt(b.now(c.ID).LastMessageID, 10)}}).Code)
	require.Contains(t, mine(b.kim), `data-waiting="1"`, "read is not answered")
	require.NotContains(t, mine(b.kim), "New message from")
}

// readUntil reads a desk's stream up to a wanted line, and returns the lines before it.
func (b *bundle) readUntil(lines *bufio.Scanner, want string) (before []string) {
	b.Helper()
	for lines.Scan() {
		if lines.Text() == want {
			return before
		}
		before = append(before, lines.Text())
	}
	b.Fatalf("the stream ended without %q: %v", want, before)
	return nil
}

func TestTheStreamTellsOfTheMembersOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	other := b.claimed(b.lee, b.trader("Bob"))
	server := httptest.NewServer(b.Echo)
	t.Cleanup(server.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/admin/events", nil)
	require.NoError(t, err)
	r.AddCookie(b.kim.Cookie("candor_desk"))
	answer, err := server.Client().Do(r)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	lines := bufio.NewScanner(answer.Body)
	b.readUntil(lines, "event: hello")

	require.NoError(t, b.chat.Typing(t.Context(), c.ID, support.Agent{StaffID: b.lee.Person.ID, Name: "Lee"}, true))
	b.readUntil(lines, fmt.Sprint("data: ", c.ID))
	_, err = b.chat.Label(t.Context(), actor(b.lee), other.ID, 0, nil, support.Urgent)
	require.NoError(t, err)
	require.NotContains(t, b.readUntil(lines, fmt.Sprint("data: ", other.ID)), "event: mine", "who types, and what others own, is nothing to act on")
	b.says(b.ann, "hello again")
	require.NotContains(t, b.readUntil(lines, fmt.Sprint("data: ", c.ID)), "event: mine")
	b.readUntil(lines, "event: mine")
	_, err = b.chat.TakeOver(t.Context(), actor(b.lee), c.ID, 0)
	require.NoError(t, err)
	b.readUntil(lines, fmt.Sprint("data: ", c.ID))
	b.readUntil(lines, "event: mine")
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

func TestTheThreadSaysHowManyPagesAPDFHas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	sends := func(pages int) string {
		name, err := b.chat.Upload(t.Context(), b.ann, upload.Picture{Bytes: []byte("jpeg"), Width: 8, Height: 8, Pages: pages})
		require.NoError(t, err)
		_, err = b.chat.Send(t.Context(), b.ann, support.Draft{ID: uuid.NewString(), Picture: name})
		require.NoError(t, err)
		return b.kim.Get(path(c.ID)).Body.String()
	}
	require.NotContains(t, sends(0), "PDF, ", "a picture has none")
	require.Contains(t, sends(1), "PDF, 1 page<")
	require.Contains(t, sends(3), "PDF, 3 pages<")
	require.Contains(t, sends(4), "PDF, 4 pages, the first 3 shown")
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

func TestTheThreadSaysWhatTimeItIsForTheTrader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.claimed(b.kim, b.ann).ID
	bar := func() string { return b.kim.Part(path(id, "news?after=0")).Body.String() }
	require.NotContains(t, bar(), "local time")
	b.ann.Zone = "Mars/Olympus"
	b.says(b.ann, "where am I")
	require.NotContains(t, bar(), "local time")
	b.ann.Zone, b.ann.Language = "Asia/Kolkata", "ar"
	b.says(b.ann, "and now")
	kolkata, err := time.LoadLocation(b.ann.Zone)
	require.NoError(t, err)
	require.Contains(t, bar(), b.Clock.Now().In(kolkata).Format("15:04")+" local time, UTC+5:30")
	require.Contains(t, b.kim.Get(path(id)).Body.String(), "The trader reads العربية")
}

// TestTheAccountsAndTheOrdersOfATraderStandBesideTheirThread: practice accounts are marked as such, and an order card links to the trader's orders.
func TestTheAccountsAndTheOrdersOfATraderStandBesideTheirThread(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	require.NotContains(t, b.kim.Get(path(c.ID)).Body.String(), "Demo USDT")
	for _, account := range []string{`'contract', 'real', 1, 'USDT'`, `'contract', 'mock', 5, 'USDT'`, `'funding', 'real', 4, 'BTC'`} {
		b.exec(`INSERT INTO accounts (trader_id, kind, book, type, currency, created_at) VALUES ($1, `+account+`, now())`, b.ann.TraderID)
	}
	require.NotContains(t, b.kim.Get(path(c.ID)).Body.String(), "/orders")
	b.exec(`INSERT INTO chat_messages (conversation_id, client_id, author, kind, private, body, masked, card_kind, card_id, at)
		VALUES ($1, gen_random_uuid(), 'customer', 'card', false, '', false, 'order', 4711, now())`, c.ID)
	page := b.kim.Get(path(c.ID)).Body.String()
	for _, want := range []string{"Real USDT", "Demo USDT", "Funding BTC"} {
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
	require.NotContains(t, b.kim.Get(path(c.ID)).Body.String(), "The visitor logged in")
	signsIn := func() {
		require.NoError(t, b.chat.MergeVisitor(t.Context(), audit.Actor{Kind: audit.Trader, ID: b.ann.TraderID}, visitor.Visitor))
	}
	signsIn()
	page := b.kim.Get(path(c.ID)).Body.String()
	require.Contains(t, page, "The visitor logged in")
	require.Contains(t, page, fmt.Sprint("Trader ", b.ann.TraderID))

	again := b.says(visitor, "not signed in on my phone").ConversationID
	signsIn()
	require.Contains(t, b.kim.Get(path(c.ID)).Body.String(), "Their visitor messages are under earlier chats")
	require.Contains(t, b.kim.Get(path(again)).Body.String(), "the trader continued in another conversation")
}
