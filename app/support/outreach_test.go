package support_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"candor/app/platform/mail"
	"candor/app/support"
	"candor/app/trader"
)

// TestAgentsWriteFirst: what an agent begins reaches the trader like any message, and belongs to that agent.
func TestAgentsWriteFirst(t *testing.T) {
	t.Parallel()
	t.Run("ANewConversation", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		draft := words("your document expires soon")
		m, err := b.chat.Start(t.Context(), b.kim, b.ann.TraderID, draft)
		require.NoError(t, err)
		c := b.get(m.ConversationID)
		require.True(t, c.OwnedBy(b.kim.ID))
		require.Equal(t, support.WaitingCustomer, c.State)
		require.Nil(t, c.AnsweredAt, "nobody has asked: it is no first reply")
		unread, err := b.chat.Unread(t.Context(), b.ann)
		require.NoError(t, err)
		require.Equal(t, 1, unread)
		require.Equal(t, []string{"your document expires soon"}, bodies(b.thread(b.ann).List), "the event stays with staff")
		again, err := b.chat.Start(t.Context(), b.kim, b.ann.TraderID, draft)
		require.NoError(t, err)
		require.Equal(t, m.ID, again.ID)
		b.says(b.ann, "which one?")
		require.Equal(t, support.Open, b.get(c.ID).State)
		require.NotNil(t, b.get(c.ID).WaitingSince)
		require.EqualValues(t, 1, b.audited("chat.start"))
	})
	t.Run("InTheOneThatIsThere", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		queued := b.asks(b.ann)
		m, err := b.chat.Start(t.Context(), b.kim, b.ann.TraderID, words("I have seen your question"))
		require.NoError(t, err)
		require.Equal(t, queued.ID, m.ConversationID)
		require.Nil(t, b.get(queued.ID).WaitingSince)
		require.NotNil(t, b.get(queued.ID).AnsweredAt)
		_, err = b.chat.Start(t.Context(), b.kim, b.ann.TraderID, words("and one more thing"))
		require.NoError(t, err, "one's own goes on")
		_, err = b.chat.Resolve(t.Context(), b.kim, queued.ID, 0, 1<<40)
		require.NoError(t, err)
		_, err = b.chat.Start(t.Context(), b.lee, b.ann.TraderID, words("it is solved"))
		require.NoError(t, err, "a resolved one is opened again")
		require.True(t, b.get(queued.ID).OwnedBy(b.lee.ID))
	})
	t.Run("Refusals", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.claimed(b.ann)
		_, err := b.chat.Start(t.Context(), b.lee, b.ann.TraderID, words("hello"))
		require.ErrorIs(t, err, support.ErrAnswered, "another agent is answering")
		require.True(t, b.get(c.ID).OwnedBy(b.kim.ID))
		_, err = b.chat.Start(t.Context(), b.lee, 1, words("hello"))
		require.ErrorIs(t, err, support.ErrUnknown)
		_, err = b.chat.Start(t.Context(), b.lee, b.bob.TraderID, words("  "))
		require.Equal(t, support.ErrText, err)
		_, err = b.chat.Start(t.Context(), b.lee, b.bob.TraderID, words("{{deposit.number}}"))
		require.ErrorIs(t, err, support.ErrVariable)
		_, err = b.db.Pool.Exec(t.Context(), `UPDATE staff SET email = (SELECT email FROM traders WHERE id = $1) WHERE id = $2`, b.bob.TraderID, b.lee.ID)
		require.NoError(t, err)
		_, err = b.chat.Start(t.Context(), b.lee, b.bob.TraderID, words("hello"))
		require.ErrorIs(t, err, trader.ErrOwn)
		require.Empty(t, b.thread(b.bob).List, "nothing of it is kept")
	})
	t.Run("NotWithoutEnd", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 30 {
			_, err := b.chat.Start(t.Context(), b.kim, b.trader().TraderID, words("hello"))
			require.NoError(t, err)
		}
		_, err := b.chat.Start(t.Context(), b.kim, b.ann.TraderID, words("hello"))
		require.ErrorIs(t, err, support.ErrStarts)
		_, err = b.chat.Start(t.Context(), b.lee, b.ann.TraderID, words("hello"))
		require.NoError(t, err, "agents are counted each by themselves")
		b.clock.Advance(time.Hour)
		_, err = b.chat.Start(t.Context(), b.kim, b.bob.TraderID, words("hello"))
		require.NoError(t, err)
	})
}

// TestMailFromTheDesk: a mail goes out once, stays in the thread for staff with its delivery state, and only the owner sends one.
func TestMailFromTheDesk(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.ann)
	letter := support.Letter{ID: uuid.NewString(), Subject: "Your deposit", Text: "It has arrived."}
	m, err := b.chat.Mail(t.Context(), b.kim, c.ID, letter)
	require.NoError(t, err)
	again, err := b.chat.Mail(t.Context(), b.kim, c.ID, letter)
	require.NoError(t, err)
	require.Equal(t, m.ID, again.ID)
	sent, err := b.outbox.Read(t.Context(), *m.MailID)
	require.NoError(t, err)
	require.Equal(t, []string{"Your deposit", "It has arrived.", "chat_mail"}, []string{sent.Subject, sent.Body, sent.Kind})
	list, _, err := b.chat.Messages(t.Context(), c.ID, 0)
	require.NoError(t, err)
	states, err := b.chat.MailStates(t.Context(), list)
	require.NoError(t, err)
	require.Equal(t, map[int64]mail.State{*m.MailID: mail.Kept}, states)
	require.Equal(t, []string{"hello", "chat.claim"}, bodies(b.thread(b.ann).List), "the app does not show it")
	require.NotNil(t, b.get(c.ID).WaitingSince, "a mail is no answer in the chat")
	require.EqualValues(t, 1, b.audited("chat.mail"))

	letter.ID = uuid.NewString()
	_, err = b.chat.Mail(t.Context(), b.lee, c.ID, letter)
	require.ErrorIs(t, err, support.ErrNotOwned)
	for _, subject := range []string{"", " ", "a\nb", strings.Repeat("x", support.LongestSubject+1)} {
		_, err = b.chat.Mail(t.Context(), b.kim, c.ID, support.Letter{ID: letter.ID, Subject: subject, Text: "x"})
		require.Equal(t, support.ErrSubject, err, subject)
	}
	_, err = b.chat.Mail(t.Context(), b.kim, c.ID, support.Letter{ID: letter.ID, Subject: "x", Text: ""})
	require.Equal(t, support.ErrText, err)
	visitor, err := b.chat.Claim(t.Context(), b.kim, b.asks(b.eve).ID)
	require.NoError(t, err)
	_, err = b.chat.Mail(t.Context(), b.kim, visitor.ID, letter)
	require.ErrorIs(t, err, support.ErrVisitors)
	for range 4 {
		letter.ID = uuid.NewString()
		_, err = b.chat.Mail(t.Context(), b.kim, c.ID, letter)
		require.NoError(t, err)
	}
	letter.ID = uuid.NewString()
	_, err = b.chat.Mail(t.Context(), b.kim, c.ID, letter)
	require.ErrorIs(t, err, support.ErrMails, "five an hour to one trader")
	b.clock.Advance(time.Hour)
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE traders SET email = NULL, phone = '+4915112345678' WHERE id = $1`, b.ann.TraderID)
	require.NoError(t, err)
	_, err = b.chat.Mail(t.Context(), b.kim, c.ID, letter)
	require.ErrorIs(t, err, trader.ErrNoEmail)
}

// TestTheCallLog: whoever may answer writes down a call, once, for staff.
func TestTheCallLog(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.ann)
	call := support.CallNote{ID: uuid.NewString(), Direction: support.Outgoing, Minutes: 12, Said: "She sends the statement tomorrow."}
	for range 2 {
		m, err := b.chat.LogCall(t.Context(), b.lee, c.ID, call)
		require.NoError(t, err)
		require.Equal(t, support.PhoneCall, m.Kind)
	}
	list, _, err := b.chat.Messages(t.Context(), c.ID, 0)
	require.NoError(t, err)
	last := list[len(list)-1]
	require.Equal(t, 12, *last.Minutes)
	require.Equal(t, support.Outgoing, last.Direction)
	require.Len(t, list, 3)
	require.Len(t, b.thread(b.ann).List, 2)
	require.EqualValues(t, 1, b.audited("chat.call"))
	for refusal, change := range map[error]func(*support.CallNote){
		support.ErrWay:     func(n *support.CallNote) { n.Direction = "up" },
		support.ErrMinutes: func(n *support.CallNote) { n.Minutes = support.LongestCall + 1 },
		support.ErrText:    func(n *support.CallNote) { n.Said = "" },
		support.ErrReused:  func(n *support.CallNote) { n.Minutes = 13 },
	} {
		other := call
		change(&other)
		_, err := b.chat.LogCall(t.Context(), b.lee, c.ID, other)
		require.ErrorIs(t, err, refusal)
	}
}
