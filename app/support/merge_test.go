package support_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/audit"
	"candor/app/support"
)

// adopts logs a trader in on a visitor's device.
func (b *bundle) adopts(who, visitor support.Customer) {
	b.Helper()
	require.NoError(b, b.chat.MergeVisitor(b.Context(), trading(who), visitor.Visitor))
}

func trading(who support.Customer) audit.Actor {
	return audit.Actor{Kind: audit.Trader, ID: who.TraderID, Name: "T***"}
}

func (b *bundle) audited(action string) (n int) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT count(*) FROM audit_entries WHERE action = $1`, action).Scan(&n))
	return n
}

// earlier reads all of a customer's closed conversations, page by page.
func (b *bundle) earlier(from support.Customer) (list []support.Message) {
	b.Helper()
	before := int64(1 << 62)
	for {
		page, more, err := b.chat.Earlier(b.Context(), from, before)
		require.NoError(b, err)
		list = append(page, list...)
		if !more {
			return list
		}
		before = page[0].ID
	}
}

// closed returns a closed conversation.
func (b *bundle) closed(from support.Customer) support.Conversation {
	b.Helper()
	c := b.resolved(from)
	b.clock.Set(b.clock.Now().Add(support.CloseAfter))
	require.NoError(b, b.chat.RouteQueue(b.Context()))
	require.Equal(b, support.Closed, b.get(c.ID).State)
	return b.get(c.ID)
}

func TestEarlier(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.False(t, b.thread(b.ann).Earlier)
	require.Empty(t, b.earlier(b.ann))
	first := b.closed(b.ann)
	_, err := b.chat.AddNote(t.Context(), b.lee, first.ID, words("between us"))
	require.NoError(t, err)
	require.True(t, b.thread(b.ann).Earlier)
	require.Empty(t, b.thread(b.ann).List)
	second := b.closed(b.ann)
	require.NotEqual(t, first.ID, second.ID)
	b.says(b.ann, "once more")
	require.Equal(t, []string{"once more"}, bodies(b.thread(b.ann).List))

	said := []string{"hello", "chat.claim", "done", "chat.resolve"}
	require.Equal(t, append(said, said...), bodies(b.earlier(b.ann)), "both, without notes, and not what goes on")
	list, more, err := b.chat.Earlier(t.Context(), b.ann, b.earlier(b.ann)[4].ID)
	require.NoError(t, err)
	require.False(t, more)
	require.Equal(t, said, bodies(list))
	require.Empty(t, b.earlier(b.bob), "what others said")
	_, _, err = b.chat.Earlier(t.Context(), support.Customer{Visitor: "eve"}, 1)
	require.Equal(t, support.ErrVisitor, err)

	_, err = b.db.Pool.Exec(t.Context(), `INSERT INTO chat_messages (conversation_id, client_id, author, kind, private, body, at)
		SELECT $1, gen_random_uuid(), 'customer', 'text', false, n::text, $2 FROM generate_series(1, 450) n`, second.ID, b.clock.Now())
	require.NoError(t, err)
	list, more, err = b.chat.Earlier(t.Context(), b.ann, 1<<62)
	require.NoError(t, err)
	require.True(t, more)
	require.Len(t, list, 200)
	require.Equal(t, []string{"251", "450"}, []string{list[0].Body, list[199].Body}, "the newest, the oldest of them first")
	all := b.earlier(b.ann)
	require.Len(t, all, 458)
	require.Equal(t, "hello", all[0].Body, "back to the very beginning")
}

func TestAdopt(t *testing.T) {
	t.Parallel()
	t.Run("TheThreadOfTheDeviceGoesOn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		over, c := b.closed(b.eve), b.claimed(b.eve)
		b.adopts(b.ann, b.eve)
		now := b.get(c.ID)
		require.Equal(t, b.ann.TraderID, *now.TraderID)
		require.Nil(t, now.Visitor)
		require.Equal(t, support.Open, now.State)
		require.True(t, now.OwnedBy(b.kim.ID))
		require.Equal(t, []string{"hello", "chat.claim"}, bodies(b.thread(b.ann).List))
		require.Len(t, b.earlier(b.ann), 4)
		require.Equal(t, b.ann.TraderID, *b.get(over.ID).TraderID)
		whole, _, err := b.chat.Messages(t.Context(), c.ID, 0)
		require.NoError(t, err)
		require.Equal(t, []string{"hello", "chat.claim", "chat.adopt"}, bodies(whole), "the agent sees it")
		require.Equal(t, 2, b.audited("chat.adopt"))
		b.answers(b.kim, c.ID, "welcome")

		b.says(b.eve, "somebody else on the device")
		require.Equal(t, []string{"somebody else on the device"}, bodies(b.thread(b.eve).List), "what is the trader's is no visitor's any more")
		require.Empty(t, b.earlier(b.eve))
	})
	t.Run("WhatIsATradersIsNeverMoved", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.asks(b.eve)
		b.adopts(b.ann, b.eve)
		b.adopts(b.bob, b.eve)
		require.Equal(t, b.ann.TraderID, *b.get(c.ID).TraderID)
		require.Empty(t, b.thread(b.bob).List)
		for _, columns := range []string{`trader_id = $2`, `trader_id = NULL, visitor = gen_random_uuid()`} {
			values := []any{c.ID, b.bob.TraderID}
			_, err := b.db.Pool.Exec(t.Context(), `UPDATE conversations SET `+columns+` WHERE id = $1 AND $2 <> 0::bigint`, values...)
			require.ErrorContains(t, err, "another customer's")
		}
		c = b.asks(support.Customer{Visitor: uuid.NewString(), IP: "192.0.2.1"})
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE conversations SET visitor = $2 WHERE id = $1`, c.ID, b.eve.Visitor)
		require.ErrorContains(t, err, "another customer's")
	})
	t.Run("OnlyTheDevicesSecretProves", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.asks(b.eve)
		b.adopts(b.ann, support.Customer{Visitor: uuid.NewString(), IP: b.eve.IP})
		require.Equal(t, support.ErrVisitor, b.chat.MergeVisitor(t.Context(), trading(b.ann), ""))
		require.Equal(t, support.ErrVisitor, b.chat.MergeVisitor(t.Context(), trading(b.ann), "88001"))
		require.Equal(t, b.eve.Visitor, *b.get(c.ID).Visitor)
		require.Zero(t, b.audited("chat.adopt"))
	})
	t.Run("OfManyAtOnceOneWins", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.asks(b.eve)
		var group errgroup.Group
		for _, who := range []support.Customer{b.ann, b.bob, b.ann, b.bob} {
			group.Go(func() error { return b.chat.MergeVisitor(t.Context(), trading(who), b.eve.Visitor) })
			group.Go(func() error {
				_, err := b.chat.Send(t.Context(), who, words("meanwhile"))
				return err
			})
		}
		require.NoError(t, group.Wait())
		require.NotNil(t, b.get(c.ID).TraderID)
		require.Equal(t, 1, b.audited("chat.adopt"))
		var two int
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM (SELECT FROM conversations WHERE state <> 'closed' GROUP BY trader_id HAVING count(*) > 1)`).Scan(&two))
		require.Zero(t, two)
	})
	t.Run("ATraderWhoIsAnsweredGoesOnThereAndWaitsForBoth", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		theirs := b.asks(b.eve)
		own := b.claimed(b.ann)
		b.answers(b.kim, own.ID, "anything else?")
		b.adopts(b.ann, b.eve)
		require.Equal(t, support.Closed, b.get(theirs.ID).State)
		require.Equal(t, b.ann.TraderID, *b.get(theirs.ID).TraderID)
		require.Nil(t, b.get(theirs.ID).WaitingSince)
		now := b.get(own.ID)
		require.Equal(t, support.Open, now.State)
		require.True(t, now.OwnedBy(b.kim.ID))
		require.Equal(t, theirs.WaitingSince.UTC(), now.WaitingSince.UTC(), "the wait goes on")
		require.Equal(t, []string{"hello"}, bodies(b.earlier(b.ann)))
		require.Equal(t, []string{"hello", "chat.claim", "anything else?"}, bodies(b.thread(b.ann).List))
		whole, _, err := b.chat.Messages(t.Context(), own.ID, 0)
		require.NoError(t, err)
		require.Equal(t, "chat.join", whole[len(whole)-1].Body)
		require.Equal(t, []int{1, 1, 1}, []int{b.audited("chat.join"), b.audited("chat.merge"), b.audited("chat.adopt")})
	})
	t.Run("WhatIsResolvedGivesWay", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		own, theirs := b.resolved(b.ann), b.asks(b.eve)
		b.adopts(b.ann, b.eve)
		require.Equal(t, support.Closed, b.get(own.ID).State)
		require.Equal(t, support.Queued, b.get(theirs.ID).State)
		require.Equal(t, []string{"hello"}, bodies(b.thread(b.ann).List))
	})
	t.Run("AResolvedOneStandsBehind", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		theirs, own := b.resolved(b.eve), b.asks(b.ann)
		b.adopts(b.ann, b.eve)
		require.Equal(t, support.Closed, b.get(theirs.ID).State)
		require.Equal(t, own.WaitingSince.UTC(), b.get(own.ID).WaitingSince.UTC())
		require.Equal(t, support.Queued, b.get(own.ID).State)
		require.Zero(t, b.audited("chat.merge"), "it was resolved before")
	})
	t.Run("AnAgentDoesNotKeepATraderThatTheyIntroduced", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE staff SET email = (SELECT email FROM traders WHERE id = $2) WHERE id = $1`, b.kim.ID, b.bob.TraderID)
		require.NoError(t, err)
		c := b.claimed(b.eve)
		b.adopts(b.bob, b.eve)
		now := b.get(c.ID)
		require.Equal(t, support.Queued, now.State)
		require.Nil(t, now.AgentID)
		require.NotNil(t, now.WaitingSince)
	})
}
