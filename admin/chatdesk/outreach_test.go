package chatdesk_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"candor/admin/access"
)

// TestANewConversationFromTheInbox: the trader is looked up, the message goes out once, and the page leads to the conversation.
func TestANewConversationFromTheInbox(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Contains(t, b.kim.Get("/admin/chat").Body.String(), "/admin/chat/new")
	find := func(words string) (int, string) {
		answer := b.kim.Send("/admin/chat/new/trader", url.Values{"q": {words}})
		return answer.Code, answer.Body.String()
	}
	code, body := find("nobody@trader.example")
	require.Equal(t, http.StatusUnprocessableEntity, code)
	require.Contains(t, body, "No trader found.")
	code, body = find("ann@trader.example")
	require.Equal(t, http.StatusOK, code)
	require.Contains(t, body, "Message to trader "+strconv.FormatInt(b.ann.TraderID, 10))
	form := url.Values{"trader": {strconv.FormatInt(b.ann.TraderID, 10)}, "id": {uuid.NewString()}, "text": {""}}
	require.Equal(t, http.StatusUnprocessableEntity, b.kim.Send("/admin/chat/new", form).Code)
	form.Set("text", "your document expires soon")
	for range 2 {
		require.Less(t, b.kim.Send("/admin/chat/new", form).Code, 400)
	}
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM chat_messages WHERE kind = 'text'`))
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM conversations WHERE agent_id = $1 AND state = 'waiting_customer'`, b.kim.Person.ID))
	require.Equal(t, http.StatusConflict, b.lee.Send("/admin/chat/new", url.Values{"trader": form["trader"], "id": {uuid.NewString()}, "text": {"hello"}}).Code)
	require.NotContains(t, b.seat("Auditor 02", access.Auditor).Get("/admin/chat").Body.String(), "/admin/chat/new")
}

// TestTurnedWordsStandAsTheyWereWritten: no character of a message turns the words around it.
func TestTurnedWordsStandAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	b.says(b.ann, "pay \u202e0001\u202c now, \u05e9\u05dc\u05d5\u05dd")
	for _, page := range []string{"/admin/chat", path(c.ID)} {
		body := b.kim.Get(page).Body.String()
		require.NotContains(t, body, "\u202e")
		require.Contains(t, body, "pay \ufffd0001\ufffd now, \u05e9\u05dc\u05d5\u05dd", "Hebrew stays")
	}
}

// TestMailAndCallsInTheThread: both stay with staff, say what they are, and a mail says how far it has come.
func TestMailAndCallsInTheThread(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	form := url.Values{"id": {uuid.NewString()}, "subject": {"Your deposit"}, "text": {"It has arrived."}}
	require.Equal(t, http.StatusConflict, b.lee.Send(path(c.ID, "mail"), form).Code, "only the owner")
	answer := b.kim.Send(path(c.ID, "mail"), form)
	require.Equal(t, http.StatusOK, answer.Code)
	for _, text := range []string{"Your deposit", "It has arrived.", "Not sent: no sender is configured"} {
		require.Contains(t, answer.Body.String(), text)
	}
	require.Equal(t, http.StatusUnprocessableEntity, b.kim.Send(path(c.ID, "mail"), url.Values{"id": {uuid.NewString()}, "text": {"x"}}).Code)
	call := url.Values{"id": {uuid.NewString()}, "direction": {"in"}, "minutes": {"abc"}, "said": {"She asks for her statement."}}
	require.Equal(t, http.StatusUnprocessableEntity, b.lee.Send(path(c.ID, "call"), call).Code)
	call.Set("minutes", "4")
	answer = b.lee.Send(path(c.ID, "call"), call)
	require.Contains(t, answer.Body.String(), "Incoming call, 4 min")
	require.Contains(t, answer.Body.String(), "She asks for her statement.")
	visitor := b.says(b.ann, "still there?")
	require.Equal(t, c.ID, visitor.ConversationID)
}
