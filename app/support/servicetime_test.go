package support_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/support"
)

// times has the same targets, in minutes, for every priority; 0 for none.
func times(first, next, resolution int) support.ServiceTimes {
	out := support.ServiceTimes{}
	for _, p := range support.Priorities {
		out[p] = map[support.Target]time.Duration{
			support.FirstReply: time.Duration(first) * time.Minute, support.NextReply: time.Duration(next) * time.Minute, support.Resolution: time.Duration(resolution) * time.Minute,
		}
	}
	return out
}

// setsTimes sets service times as somebody who has just read them.
func (b *bundle) setsTimes(language string, t support.ServiceTimes) error {
	return b.chat.SetServiceTimes(b.Context(), b.lee, language, b.rules().Times[language].Version(), t)
}

func (b *bundle) rules() support.Rules {
	b.Helper()
	rules, err := b.chat.Rules(b.Context())
	require.NoError(b, err)
	return rules
}

func TestServiceTimesAreSetPerPriorityAndLanguage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, support.DefaultTimes(), b.rules().Times.For("de"))
	general, german := times(15, 20, 24*60), times(5, 0, 0)
	general[support.Urgent][support.FirstReply] = 2 * time.Minute
	require.NoError(t, b.setsTimes("", general))
	require.NoError(t, b.setsTimes("de", german))
	require.Equal(t, []support.ServiceTimes{general, german}, []support.ServiceTimes{b.rules().Times.For("en"), b.rules().Times.For("de")})
	var before, after string
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT before, after FROM audit_entries WHERE action = 'chat.set_service_times' AND actor_id = $1 ORDER BY id LIMIT 1`, b.lee.ID).Scan(&before, &after))
	require.JSONEq(t, `{"language":""}`, before)
	require.Contains(t, after, `"urgent-first_reply":"00:02"`)
	require.Contains(t, after, `"normal-resolution":"24:00"`)
	require.NoError(t, b.setsTimes("de", nil))
	require.Equal(t, general, b.rules().Times.For("de"), "without its own the general ones rule")
	require.NoError(t, b.setsTimes("", nil))
	require.Equal(t, support.DefaultTimes(), b.rules().Times.For("de"))
}

func TestServiceTimesThatMeanNothingAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for field, wrong := range map[string]func(support.ServiceTimes){
		"normal-first_reply": func(t support.ServiceTimes) { t[support.Normal][support.FirstReply] = 90 * time.Second },
		"high-next_reply":    func(t support.ServiceTimes) { t[support.High][support.NextReply] = -time.Minute },
		"urgent-resolution": func(t support.ServiceTimes) {
			t[support.Urgent][support.Resolution] = support.LongestTarget + time.Minute
		},
		"normal-joy": func(t support.ServiceTimes) { t[support.Normal]["joy"] = time.Minute },
		"dire-first_reply": func(t support.ServiceTimes) {
			t["dire"] = map[support.Target]time.Duration{support.FirstReply: time.Minute}
		},
	} {
		list := times(10, 10, 60)
		wrong(list)
		refusal := errs.As(b.setsTimes("", list))
		require.NotNil(t, refusal, field)
		require.Equal(t, map[string]string{field: "field.service_time"}, refusal.Fields)
	}
	require.Empty(t, b.rules().Times)
	seen := b.rules().Times[""].Version()
	require.NoError(t, b.chat.SetServiceTimes(t.Context(), b.lee, "", seen, times(10, 10, 0)))
	require.Equal(t, db.ErrChanged, b.chat.SetServiceTimes(t.Context(), b.kim, "", seen, times(20, 20, 0)), "on a page of before")
	require.Equal(t, times(10, 10, 0), b.rules().Times.For(""))
}

// TestTheClockOfAConversation: the first reply, then every next one, and the resolution all along; the one that is due first is shown.
func TestTheClockOfAConversation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.setsTimes("", times(10, 20, 60)))
	clock := func(id int64) (support.Target, time.Duration) {
		c, ok := b.rules().Clock(b.get(id), b.clock.Now())
		require.Equal(t, ok, c.Target != "")
		return c.Target, c.Left().Round(time.Minute)
	}
	is := func(id int64, target support.Target, minutes int) {
		t.Helper()
		what, left := clock(id)
		require.Equal(t, target, what)
		require.Equal(t, time.Duration(minutes)*time.Minute, left)
	}
	c := b.claimed(b.ann)
	is(c.ID, support.FirstReply, 10)
	b.clock.Advance(15 * time.Minute)
	is(c.ID, support.FirstReply, -5)
	b.answers(b.kim, c.ID, "hello")
	is(c.ID, support.Resolution, 45)
	b.says(b.ann, "and then?")
	is(c.ID, support.NextReply, 20)
	b.clock.Advance(15 * time.Minute)
	is(c.ID, support.NextReply, 5)
	b.answers(b.kim, c.ID, "then this")
	_, err := b.chat.Snooze(t.Context(), b.kim, c.ID, 0, b.clock.Now().Add(time.Hour))
	require.NoError(t, err)
	_, runs := b.rules().Clock(b.get(c.ID), b.clock.Now())
	require.False(t, runs, "snoozed")
	_, err = b.chat.Wake(t.Context(), b.kim, c.ID)
	require.NoError(t, err)
	_, err = b.chat.Resolve(t.Context(), b.kim, c.ID, 0, 1<<40)
	require.NoError(t, err)
	_, runs = b.rules().Clock(b.get(c.ID), b.clock.Now())
	require.False(t, runs, "resolved")
	b.says(b.ann, "again")
	is(c.ID, support.NextReply, 20)
	require.NoError(t, b.setsTimes("", times(0, 0, 0)))
	_, runs = b.rules().Clock(b.get(c.ID), b.clock.Now())
	require.False(t, runs, "no targets")
}

// TestTheClockCountsSupportHours: it stands still in the break and on the holiday.
func TestTheClockCountsSupportHours(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h := week("UTC", wholeWeek, 9*60, 12*60+30, 13*60+30, 18*60)
	h.Holidays = []support.Holiday{{Date: date(t, "2026-11-21"), Name: "A holiday"}}
	require.NoError(t, b.sets("", h))
	require.NoError(t, b.setsTimes("", times(60, 60, 0)))
	c := b.asks(b.ann) // at 12:00
	left := func() time.Duration {
		clock, ok := b.rules().Clock(b.get(c.ID), b.clock.Now())
		require.True(t, ok)
		return clock.Left().Round(time.Minute)
	}
	b.clock.Set(moment(t, "2026-11-20T13:00:00Z"))
	require.Equal(t, 30*time.Minute, left(), "the break doesn't count")
	b.clock.Set(moment(t, "2026-11-20T13:45:00Z"))
	require.Equal(t, 15*time.Minute, left())

	late := b.asks(b.bob)
	b.clock.Set(moment(t, "2026-11-22T09:10:00Z"))
	clock, _ := b.rules().Clock(b.get(late.ID), b.clock.Now())
	require.Equal(t, -(3*time.Hour + 25*time.Minute), clock.Left().Round(time.Minute), "the holiday doesn't count")
}

// TestHowLongItTookIsKept: in support hours, when it happens; later rules change no past figure.
func TestHowLongItTookIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.sets("", week("UTC", wholeWeek, 9*60, 12*60+30, 13*60+30, 18*60)))
	require.NoError(t, b.setsTimes("", times(30, 30, 60)))
	quick, slow := b.asks(b.ann), b.asks(b.bob) // at 12:00
	b.claim(quick.ID)
	b.claim(slow.ID)
	b.clock.Set(moment(t, "2026-11-20T12:20:00Z"))
	b.answers(b.kim, quick.ID, "at once")
	b.clock.Set(moment(t, "2026-11-20T13:45:00Z"))
	b.answers(b.kim, slow.ID, "later")
	got := func(id int64) (seconds int, late bool) {
		c := b.get(id)
		require.NotNil(t, c.AnsweredIn)
		return (*c.AnsweredIn + 30) / 60, c.AnsweredLate
	}
	minutes, late := got(quick.ID)
	require.Equal(t, 20, minutes)
	require.False(t, late)
	minutes, late = got(slow.ID)
	require.Equal(t, 45, minutes, "the break doesn't count")
	require.True(t, late)
	b.says(b.ann, "one more")
	b.clock.Advance(3 * time.Hour)
	b.answers(b.kim, quick.ID, "yes")
	minutes, _ = got(quick.ID)
	require.Equal(t, 20, minutes, "only the first answer counts")

	c, err := b.chat.Resolve(t.Context(), b.kim, slow.ID, 0, 1<<40)
	require.NoError(t, err)
	require.True(t, c.ResolvedLate)
	require.Equal(t, 225, (*c.ResolvedIn+30)/60, "from 12:00 to 16:45 without the break")
	b.says(b.bob, "again")
	b.clock.Advance(10 * time.Minute)
	c, err = b.chat.Claim(t.Context(), b.kim, slow.ID)
	require.NoError(t, err)
	c, err = b.chat.Resolve(t.Context(), b.kim, c.ID, 0, 1<<40)
	require.NoError(t, err)
	require.False(t, c.ResolvedLate, "since it was reopened")
	require.Equal(t, 10, (*c.ResolvedIn+30)/60)
	require.NoError(t, b.setsTimes("", times(1, 1, 1)))
	require.False(t, b.get(slow.ID).ResolvedLate)
}

// TestSilenceIsNoServiceTime: what resolves by itself measures nobody.
func TestSilenceIsNoServiceTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.setsTimes("", times(10, 10, 60)))
	c := b.claimed(b.ann)
	b.answers(b.kim, c.ID, "hello")
	b.clock.Advance(support.SilentAfter + time.Minute)
	require.NoError(t, b.chat.RouteQueue(t.Context()))
	c = b.get(c.ID)
	require.Equal(t, support.Resolved, c.State)
	require.Nil(t, c.ResolvedIn)
	require.False(t, c.ResolvedLate)
}

// TestTheQueueIsLate: by the service time of the conversation, in support hours.
func TestTheQueueIsLate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	queue := func() support.Queue {
		q, err := b.chat.Queue(t.Context())
		require.NoError(t, err)
		return q
	}
	require.Equal(t, support.Queue{}, queue())
	c := b.asks(b.ann)
	b.clock.Advance(9 * time.Minute)
	require.Equal(t, support.Queue{Waiting: 1, Longest: 9 * time.Minute}, queue())
	_, err := b.chat.Label(t.Context(), b.lee, c.ID, 0, nil, support.Urgent)
	require.NoError(t, err)
	require.True(t, queue().Late, "urgent within 3 minutes")
	require.NoError(t, b.sets("", week("UTC", wholeWeek, 0, 11*60)))
	require.Equal(t, support.Queue{Waiting: 1}, queue(), "support was closed all that time")
}

// TestPriorityRanksTheQueue: the urgent before the high, and those before the longest wait.
func TestPriorityRanksTheQueue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	normal, high, urgent := b.asks(b.ann), b.asks(b.bob), b.asks(b.trader())
	for id, p := range map[int64]support.Priority{high.ID: support.High, urgent.ID: support.Urgent} {
		_, err := b.chat.Label(t.Context(), b.lee, id, 0, nil, p)
		require.NoError(t, err)
	}
	require.Equal(t, []int{1, 2, 3}, []int{b.position(urgent), b.position(high), b.position(normal)})
	rows, err := b.chat.Inbox(t.Context(), support.Filter{})
	require.NoError(t, err)
	require.Equal(t, []int64{urgent.ID, high.ID, normal.ID}, []int64{rows[0].ID, rows[1].ID, rows[2].ID})
	var entry audit.Entry
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT after FROM audit_entries WHERE action = 'chat.label' AND target_id = $1`, fmt.Sprint(urgent.ID)).Scan(&entry.After))
	require.Contains(t, entry.After, `"priority":"urgent"`)
}
