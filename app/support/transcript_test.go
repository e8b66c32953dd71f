package support_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/audit"
	"candor/app/platform/mail"
	"candor/app/support"
	"candor/app/trader"
)

// acting is a trader as the author of a request.
func acting(c support.Customer) audit.Actor {
	return audit.Actor{Kind: audit.Trader, ID: c.TraderID, Name: "T"}
}

// mailed lists the transcripts in the outbox, newest first.
func (b *bundle) mailed() (list []mail.Message) {
	b.Helper()
	all, err := b.outbox.List(b.Context(), "", 100)
	require.NoError(b, err)
	for _, m := range all {
		if m.Kind == "chat_transcript" {
			list = append(list, m)
		}
	}
	return list
}

// transcript mails a conversation to its trader, and returns the mail.
func (b *bundle) transcript(from support.Customer, id int64) mail.Message {
	b.Helper()
	require.NoError(b, b.chat.MailTranscript(b.Context(), acting(from), id))
	list := b.mailed()
	require.NotEmpty(b, list)
	return list[0]
}

func (b *bundle) speaks(c support.Customer, language string) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), `UPDATE traders SET language = $2 WHERE id = $1`, c.TraderID, language)
	require.NoError(b, err)
}

func TestATranscriptHasWhatBothSidesWrote(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ann.Zone = "Asia/Kolkata"
	c := b.claimed(b.ann)
	b.answers(b.kim, c.ID, "Which one?")
	_, err := b.chat.AddNote(t.Context(), b.kim, c.ID, words("the customer is a friend of lee"))
	require.NoError(t, err)
	b.ownedCards[7] = b.ann.TraderID
	b.tick()
	card := support.Draft{ID: words("").ID, CardKind: "withdrawal", CardID: 7}
	_, err = b.chat.Send(t.Context(), b.ann, card)
	require.NoError(t, err)
	_, err = b.chat.Send(t.Context(), b.ann, support.Draft{ID: words("").ID, Picture: b.uploads(b.ann), Text: "my screen"})
	require.NoError(t, err)

	m := b.transcript(b.ann, c.ID)
	require.Equal(t, []any{mail.Mail, "Your conversation with Candor support"}, []any{m.Channel, m.Subject})
	require.Contains(t, m.Recipient, "@trader.example")
	require.Equal(t, fmt.Sprintf(`Here’s your copy of conversation %d with Candor support. Times are shown in Asia/Kolkata.

2026-11-20 17:30  You
hello

2026-11-20 17:30  kim
Which one?

2026-11-20 17:30  You
Withdrawal WD-7

2026-11-20 17:30  You
Picture (open the chat in the app to see it)
my screen
`, c.ID), m.Body)
	for _, text := range []string{"Asia/Kolkata", "hello", "Which one?", "Withdrawal WD-7", "my screen", "kim"} {
		require.Contains(t, m.HTML, text)
	}
	for _, body := range []string{m.Body, m.HTML} {
		require.NotContains(t, body, "friend of lee", "notes stay at the desk")
		require.NotContains(t, body, "desk@", "nor is an agent's address shown")
		require.NotContains(t, body, "chat.claim")
	}
	require.Equal(t, 1, b.audited("chat.transcript"))

	t.Run("AnUnknownZoneIsUTC", func(t *testing.T) {
		other := b.asks(b.bob)
		require.Contains(t, b.transcript(b.bob, other.ID).Body, "Times are shown in UTC.\n\n2026-11-20 12:0")
	})
}

func TestATranscriptIsWrittenInTheTradersLanguage(t *testing.T) {
	t.Parallel()
	for language, want := range map[string][]string{
		"ar":    {`<html lang="ar" dir="rtl">`, "محادثتك مع خدمة عملاء Candor", "أنت"},
		"zh_CN": {`<html lang="zh-CN" dir="ltr">`, "您与 Candor 客服的会话", "您"},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.speaks(b.ann, language)
			m := b.transcript(b.ann, b.asks(b.ann).ID)
			for _, text := range want {
				require.Contains(t, m.HTML+m.Subject, text)
			}
			require.NotContains(t, m.Body+m.HTML, "{{")
			require.NotContains(t, m.Body+m.HTML, "chat_transcript.")
		})
	}
}

func TestATranscriptEscapesWhatPeopleWrote(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const attack = `</p><script>alert(1)</script><img src=x onerror=alert(1)> {{.Language}}`
	c := b.get(b.says(b.ann, attack).ConversationID)
	_, err := b.db.Pool.Exec(t.Context(), `UPDATE staff SET name = '<i>kim</i>' WHERE id = $1`, b.kim.ID)
	require.NoError(t, err)
	_, err = b.chat.Claim(t.Context(), b.kim, c.ID)
	require.NoError(t, err)
	b.answers(b.kim, c.ID, "ok")

	m := b.transcript(b.ann, c.ID)
	for _, markup := range []string{"<script", "<img", "<i>kim"} {
		require.NotContains(t, m.HTML, markup)
	}
	require.Contains(t, m.HTML, "&lt;script&gt;alert(1)&lt;/script&gt;")
	require.Contains(t, m.HTML, "&lt;i&gt;kim")
	require.Contains(t, m.Body, attack, "a text needs no escapes")
}

func TestALongTranscriptHasTheNewestMessages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.asks(b.ann)
	_, err := b.db.Pool.Exec(t.Context(), `
		INSERT INTO chat_messages (conversation_id, client_id, author, kind, private, body, at)
		SELECT $1, gen_random_uuid(), 'customer', 'text', false, 'line ' || n || '.', $2 FROM generate_series(1, 199) n`, c.ID, start)
	require.NoError(t, err)
	whole := b.transcript(b.ann, c.ID)
	require.Contains(t, whole.Body, "hello")
	require.NotContains(t, whole.Body, "newest")

	b.clock.Advance(10 * time.Minute)
	b.says(b.ann, "line 200.")
	cut := b.transcript(b.ann, c.ID)
	for _, body := range []string{cut.Body, cut.HTML} {
		require.Contains(t, body, "This copy has the latest 200 messages.")
		require.NotContains(t, body, "hello")
		require.Contains(t, body, "line 1.")
		require.Equal(t, 1, strings.Count(body, "line 200."))
	}
}

func TestATranscriptGoesToItsTraderOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	hers, visitors := b.asks(b.ann), b.asks(b.eve)
	for _, id := range []int64{hers.ID, visitors.ID, 1} {
		require.ErrorIs(t, b.chat.MailTranscript(t.Context(), acting(b.bob), id), support.ErrUnknown)
	}
	require.Empty(t, b.mailed())
	require.Nil(t, b.get(hers.ID).TranscriptAt, "her turn is not taken")
	require.Zero(t, b.audited("chat.transcript"))
	require.Contains(t, b.transcript(b.ann, hers.ID).Body, "hello")
}

func TestATranscriptNeedsAnEmailAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, change := range map[string]string{
		"telephone": `UPDATE traders SET email = NULL, phone = '+4915112345678' WHERE id = $1`,
		"guest":     `UPDATE traders SET type = 8, email = NULL, password_hash = NULL, country = NULL, invite_code = NULL, accepted_at = NULL WHERE id = $1`,
	} {
		who := b.trader()
		c := b.asks(who)
		_, err := b.db.Pool.Exec(t.Context(), change, who.TraderID)
		require.NoError(t, err, name)
		require.ErrorIs(t, b.chat.MailTranscript(t.Context(), acting(who), c.ID), trader.ErrNoEmail, name)
		require.Nil(t, b.get(c.ID).TranscriptAt, name)
	}
	list, err := b.outbox.List(t.Context(), "", 10)
	require.NoError(t, err)
	require.Empty(t, list, "neither a mail nor a text message")
}

func TestOneTranscriptInTenMinutes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.asks(b.ann)
	var at errgroup.Group
	refused := make(chan error, 8)
	for range cap(refused) {
		at.Go(func() error {
			err := b.chat.MailTranscript(t.Context(), acting(b.ann), c.ID)
			refused <- err
			return nil
		})
	}
	require.NoError(t, at.Wait())
	close(refused)
	sent := 0
	for err := range refused {
		if err == nil {
			sent++
			continue
		}
		require.ErrorIs(t, err, support.ErrTranscriptRecent)
	}
	require.Equal(t, 1, sent)
	require.Len(t, b.mailed(), 1)
	require.Equal(t, 1, b.audited("chat.transcript"))

	b.clock.Advance(10*time.Minute - time.Second)
	require.ErrorIs(t, b.chat.MailTranscript(t.Context(), acting(b.ann), c.ID), support.ErrTranscriptRecent)
	b.clock.Advance(time.Second)
	require.NoError(t, b.chat.MailTranscript(t.Context(), acting(b.ann), c.ID))
	other := b.asks(b.bob)
	require.NoError(t, b.chat.MailTranscript(t.Context(), acting(b.bob), other.ID), "each conversation has its own turn")
	require.Len(t, b.mailed(), 3)
}
