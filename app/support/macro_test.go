package support_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/support"
	"candor/app/trader"
)

// macro saves a macro and returns it.
func (b *bundle) macro(m support.Macro) support.Macro {
	b.Helper()
	require.NoError(b, b.chat.SaveMacro(b.Context(), b.lee, m))
	list, err := b.chat.Macros(b.Context())
	require.NoError(b, err)
	for _, one := range list {
		if one.Name == m.Name {
			return one
		}
	}
	b.Fatal("the macro is not there")
	return m
}

// runs runs a macro on a conversation as kim sees it now.
func (b *bundle) runs(m support.Macro, id int64, text string) (support.Conversation, error) {
	c := b.get(id)
	b.tick()
	return b.chat.RunMacro(b.Context(), b.kim, support.MacroRun{Macro: m, ConversationID: id, Version: c.Version, Seen: c.LastMessageID, Text: text, Now: b.clock.Now()})
}

func (b *bundle) reply(name string) {
	b.Helper()
	require.NoError(b, b.chat.SaveReply(b.Context(), b.lee, support.Reply{Slug: name, Language: "en", Category: "account", Body: "Bye, {{agent}}"}))
}

func TestMacrosAreManaged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.reply("bye")
	sound := func() support.Macro {
		return support.Macro{Name: " Say  goodbye ", Key: new(1), Reply: "bye", Priority: new(support.High), Labels: "account,deposit", Ending: support.EndResolve}
	}
	for reason, wrong := range map[error]func(*support.Macro){
		support.ErrMacroName:  func(m *support.Macro) { m.Name = " " },
		support.ErrMacroKey:   func(m *support.Macro) { m.Key = new(10) },
		support.ErrMacroReply: func(m *support.Macro) { m.Reply = "hello" },
		support.ErrLabel:      func(m *support.Macro) { m.Labels = "gossip" },
		support.ErrPriority:   func(m *support.Macro) { m.Priority = new(support.Priority("dire")) },
		support.ErrMacroSteps: func(m *support.Macro) { *m = support.Macro{Name: "Nothing", Ending: support.NoEnding} },
		support.ErrMacroEnd:   func(m *support.Macro) { m.Ending, m.Snooze = support.EndSnooze, "never" },
	} {
		m := sound()
		wrong(&m)
		require.Equal(t, reason, b.chat.SaveMacro(t.Context(), b.lee, m))
	}
	m := sound()
	m.Ending, m.TransferTo = support.EndTransfer, new(int64(1<<40))
	require.Equal(t, support.ErrMacroEnd, b.chat.SaveMacro(t.Context(), b.lee, m), "nobody has this id")
	m.Ending = "explode"
	require.Equal(t, support.ErrMacroEnd, b.chat.SaveMacro(t.Context(), b.lee, m))

	require.NoError(t, b.chat.SaveMacro(t.Context(), b.lee, sound()))
	list, err := b.chat.Macros(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, []any{"Say goodbye", "deposit,account"}, []any{list[0].Name, list[0].Labels}, "labels in their own order")
	again := sound()
	again.Name, again.Key = "SAY GOODBYE", new(2)
	require.Equal(t, support.ErrMacroName, b.chat.SaveMacro(t.Context(), b.lee, again))
	again.Name, again.Key = "Another", new(1)
	require.Equal(t, support.ErrMacroKey, b.chat.SaveMacro(t.Context(), b.lee, again))

	changed := list[0]
	changed.Ending, changed.Snooze = support.EndSnooze, "monday"
	require.NoError(t, b.chat.SaveMacro(t.Context(), b.lee, changed))
	require.Equal(t, support.ErrChanged, b.chat.SaveMacro(t.Context(), b.lee, changed), "on a page of before")
	require.Equal(t, support.ErrChanged, b.chat.RemoveMacro(t.Context(), b.lee, changed.ID, changed.Version))
	require.NoError(t, b.chat.RemoveMacro(t.Context(), b.lee, changed.ID, changed.Version+1))
	_, err = b.chat.Macro(t.Context(), changed.ID)
	require.ErrorIs(t, err, support.ErrNoMacro)
	require.NoError(t, b.chat.SaveMacro(t.Context(), b.lee, sound()), "its name and key are free again")
	var entries int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action IN ('chat.save_macro', 'chat.remove_macro') AND actor_id = $1`, b.lee.ID).Scan(&entries))
	require.Equal(t, 4, entries)
}

// TestAMacroRunsItsSteps: the answer, priority and labels, and the ending, with one audit entry.
func TestAMacroRunsItsSteps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.reply("bye")
	m := b.macro(support.Macro{Name: "Goodbye", Reply: "bye", Priority: new(support.High), Labels: "account", Ending: support.EndResolve})
	c := b.claimed(b.ann)
	_, err := b.chat.Label(t.Context(), b.kim, c.ID, 0, []string{"deposit"}, support.Normal)
	require.NoError(t, err)
	entries := func() (n int) {
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE target_kind = 'conversation' AND target_id = $1`, fmt.Sprint(c.ID)).Scan(&n))
		return n
	}
	before := entries()
	c, err = b.runs(m, c.ID, "Bye, Kim")
	require.NoError(t, err)
	require.Equal(t, []any{support.Resolved, support.High, "deposit,account", b.kim.ID}, []any{c.State, c.Priority, c.Labels, *c.ResolvedBy})
	require.NotNil(t, c.AnsweredIn, "the answer is the first one")
	require.Nil(t, c.WaitingSince)
	require.True(t, c.Rateable())
	require.Equal(t, before+1, entries(), "one entry for all steps")
	var after string
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT after FROM audit_entries WHERE action = 'chat.run_macro'`).Scan(&after))
	require.JSONEq(t, `{"macro":"Goodbye","reply":"bye","priority":"high","labels":"account","ending":"resolve","state":"resolved"}`, after)
	whole, _, err := b.chat.Messages(t.Context(), c.ID, 0)
	require.NoError(t, err)
	require.Equal(t, []string{"hello", "chat.claim", "chat.label", "Bye, Kim", "chat.macro Goodbye", "chat.resolve"}, bodies(whole))
	require.Equal(t, []string{"hello", "chat.claim", "Bye, Kim", "chat.resolve"}, bodies(b.thread(b.ann).List), "customers don't see the macro")
}

// TestAMacroRunsWholeOrNotAtAll: a step that is refused undoes those before it.
func TestAMacroRunsWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.reply("bye")
	m := b.macro(support.Macro{Name: "Goodbye", Reply: "bye", Labels: "account", Ending: support.EndResolve})
	c := b.claimed(b.ann)
	refused := func(want error, run support.MacroRun) {
		t.Helper()
		was := b.get(c.ID)
		run.Macro, run.ConversationID, run.Now = m, c.ID, b.clock.Now()
		_, err := b.chat.RunMacro(t.Context(), b.kim, run)
		require.ErrorIs(t, err, want)
		require.Equal(t, was, b.get(c.ID))
		whole, _, err := b.chat.Messages(t.Context(), c.ID, 0)
		require.NoError(t, err)
		require.NotContains(t, bodies(whole), "Bye")
	}
	seen := b.get(c.ID).LastMessageID
	refused(support.ErrChanged, support.MacroRun{Version: c.Version - 1, Seen: seen, Text: "Bye"})
	refused(support.ErrVariable, support.MacroRun{Version: c.Version, Seen: seen, Text: "Bye, {{agent}}"})
	refused(support.ErrText, support.MacroRun{Version: c.Version, Seen: seen})
	b.says(b.ann, "wait")
	refused(support.ErrWaiting, support.MacroRun{Version: b.get(c.ID).Version, Seen: seen, Text: "Bye"})
	stale := m
	m.Labels = "deposit"
	require.NoError(t, b.chat.SaveMacro(t.Context(), b.lee, m))
	m = stale
	refused(support.ErrChanged, support.MacroRun{Version: b.get(c.ID).Version, Seen: b.get(c.ID).LastMessageID, Text: "Bye"})
	m.Version++
	_, err := b.chat.TakeOver(t.Context(), b.lee, c.ID, 0)
	require.NoError(t, err)
	refused(support.ErrNotOwned, support.MacroRun{Version: b.get(c.ID).Version, Seen: b.get(c.ID).LastMessageID, Text: "Bye"})
	require.NoError(t, b.chat.RemoveMacro(t.Context(), b.lee, m.ID, m.Version))
	refused(support.ErrNoMacro, support.MacroRun{Version: b.get(c.ID).Version, Text: "Bye"})
}

// TestAMacroRunsOnce: a second press of the same page is refused.
func TestAMacroRunsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.reply("bye")
	m := b.macro(support.Macro{Name: "Hello", Reply: "bye", Ending: support.NoEnding})
	c := b.claimed(b.ann)
	run := support.MacroRun{Macro: m, ConversationID: c.ID, Version: c.Version, Seen: c.LastMessageID, Text: "Bye", Now: b.clock.Now()}
	_, err := b.chat.RunMacro(t.Context(), b.kim, run)
	require.NoError(t, err)
	_, err = b.chat.RunMacro(t.Context(), b.kim, run)
	require.ErrorIs(t, err, support.ErrChanged)
}

func TestTheEndingsOfAMacro(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)) // a Friday
	snooze := b.macro(support.Macro{Name: "Until Monday", Ending: support.EndSnooze, Snooze: "monday"})
	c := b.claimed(b.ann)
	c, err := b.runs(snooze, c.ID, "")
	require.NoError(t, err)
	require.Equal(t, support.Snoozed, c.State)
	require.Equal(t, time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC), c.SnoozedUntil.UTC())

	queue := b.macro(support.Macro{Name: "Back", Ending: support.EndTransfer})
	c, err = b.runs(queue, c.ID, "")
	require.NoError(t, err)
	require.Equal(t, []any{support.Queued, (*int64)(nil)}, []any{c.State, c.AgentID})
	toLee := b.macro(support.Macro{Name: "To Lee", Ending: support.EndTransfer, TransferTo: &b.lee.ID})
	require.Equal(t, "lee", toLee.TransferName)
	_, err = b.runs(toLee, c.ID, "")
	require.ErrorIs(t, err, support.ErrNotOwned, "kim has given it back")
	c = b.claim(c.ID)
	_, err = b.runs(toLee, c.ID, "")
	require.ErrorIs(t, err, support.ErrAgent, "lee is away")
	b.present(b.lee)
	c, err = b.runs(toLee, c.ID, "")
	require.NoError(t, err)
	require.True(t, c.OwnedBy(b.lee.ID))
	run := support.MacroRun{Macro: queue, ConversationID: c.ID, Version: c.Version, Now: b.clock.Now()}
	_, err = b.chat.RunMacro(t.Context(), b.kim, run)
	require.ErrorIs(t, err, support.ErrNotOwned)
	run.Lead = true
	_, err = b.chat.RunMacro(t.Context(), b.kim, run)
	require.NoError(t, err, "a lead transfers the conversations of others")
}

func TestNobodyRunsMacrosOnTheirOwnConversation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.macro(support.Macro{Name: "Urgent", Priority: new(support.Urgent), Ending: support.NoEnding})
	c := b.asks(b.ann)
	_, err := b.db.Pool.Exec(t.Context(), `UPDATE staff SET email = (SELECT email FROM traders WHERE id = $1) WHERE id = $2`, b.ann.TraderID, b.kim.ID)
	require.NoError(t, err)
	_, err = b.runs(m, c.ID, "")
	require.ErrorIs(t, err, trader.ErrOwn)
	_, err = b.chat.RunMacro(t.Context(), audit.Actor{Kind: audit.Staff, ID: b.lee.ID, Name: "lee"}, support.MacroRun{Macro: m, ConversationID: c.ID, Version: c.Version, Now: b.clock.Now()})
	require.NoError(t, err)
}

func TestSnoozesByName(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Asia/Shanghai")
	require.NoError(t, err)
	monday := time.Date(2026, 11, 23, 8, 0, 0, 0, zone)
	for name, want := range map[string]time.Time{
		"hour": monday.Add(time.Hour), "hours": monday.Add(4 * time.Hour), "tomorrow": time.Date(2026, 11, 24, 9, 0, 0, 0, zone), "monday": time.Date(2026, 11, 30, 9, 0, 0, 0, zone),
	} {
		until, ok := support.SnoozeUntil(name, monday)
		require.True(t, ok)
		require.Equal(t, want, until, name)
	}
	_, ok := support.SnoozeUntil("never", monday)
	require.False(t, ok)
}

// TestRepliesAreReadTogether: in the customer's language where there is one, else in English, and without those that nobody has written.
func TestRepliesAreReadTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.reply("bye-now")
	b.reply("see-you")
	require.NoError(t, b.chat.SaveReply(t.Context(), b.lee, support.Reply{Slug: "bye-now", Language: "de", Category: "account", Body: "Tschüss"}))
	found, err := b.chat.RepliesFor(t.Context(), "de", "bye-now", "see-you", "no-such")
	require.NoError(t, err)
	require.Len(t, found, 2)
	require.Equal(t, []string{"Tschüss", "en"}, []string{found["bye-now"].Body, found["see-you"].Language})
}
