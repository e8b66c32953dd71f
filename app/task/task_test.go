package task_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/staff/member"
	"candor/app/task"
	"candor/app/trader"
)

func TestAsk(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.request()
	made, err := b.tasks.Ask(t.Context(), b.agent, r)
	require.NoError(t, err)
	require.Equal(t, []any{task.Open, task.Finance, 1}, []any{made.State, *made.Team, made.Version})
	again, err := b.tasks.Ask(t.Context(), b.agent, r)
	require.NoError(t, err)
	require.Equal(t, made.ID, again.ID, "one form asks once")
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM audit_entries WHERE action = 'task.ask' AND target_id = $1`, fmt.Sprint(made.ID)))
	require.Zero(t, b.scan(`SELECT count(*) FROM audit_entries WHERE after LIKE '%missing%'`), "readers of the log don't read the task")
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE staff SET state = 'disabled' WHERE id = $1`, b.risk.ID)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		want   error
		change func(*task.Request)
	}{
		"NoTitle":             {task.ErrTitle, func(r *task.Request) { r.Title = "  x  " }},
		"LongNote":            {task.ErrNote, func(r *task.Request) { r.Note = strings.Repeat("x", task.LongestText+1) }},
		"ForNobody":           {task.ErrFor, func(r *task.Request) { r.Team = "" }},
		"ForTwo":              {task.ErrFor, func(r *task.Request) { r.AssigneeID = b.finance.ID }},
		"ForAnUnknownTeam":    {task.ErrFor, func(r *task.Request) { r.Team = "kitchen" }},
		"ForADisabledMember":  {task.ErrFor, func(r *task.Request) { r.Team, r.AssigneeID = "", b.risk.ID }},
		"ForAMemberOfNoTeam":  {task.ErrFor, func(r *task.Request) { r.Team, r.AssigneeID = "", b.auditor.ID }},
		"ForAnUnknownMember":  {task.ErrFor, func(r *task.Request) { r.Team, r.AssigneeID = "", 1<<40 }},
		"UnknownPriority":     {task.ErrPriority, func(r *task.Request) { r.Priority = "low" }},
		"DueInThePast":        {task.ErrDue, func(r *task.Request) { r.DueAt = start }},
		"DueInYears":          {task.ErrDue, func(r *task.Request) { r.DueAt = start.AddDate(2, 0, 0) }},
		"AboutNothing":        {task.ErrAbout, func(r *task.Request) { r.Subject = task.Subject{} }},
		"WithoutAKeyOfAForm":  {task.ErrKey, func(r *task.Request) { r.Key = "x" }},
		"WithATextOfNoLetter": {task.ErrTitle, func(r *task.Request) { r.Title = "a\x00b c" }},
	} {
		r := b.request()
		c.change(&r)
		_, err := b.tasks.Ask(t.Context(), b.agent, r)
		require.NotNil(t, errs.As(err), name)
		require.Equal(t, errs.As(c.want).Fields, errs.As(err).Fields, name)
	}
	named := b.asked(func(r *task.Request) { r.Team, r.AssigneeID = "", b.other.ID })
	require.Equal(t, b.other.ID, *named.AssigneeID)
}

// TestATaskIsStoredAfterADeadlock runs the transaction again: what the first try had made is not taken for an earlier task.
func TestATaskIsStoredAfterADeadlock(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.dbtest.DeadlockOnce(t, "tasks")
	r := b.request()
	made, err := b.tasks.Ask(t.Context(), b.agent, r)
	require.NoError(t, err)
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM tasks WHERE id = $1 AND key = $2`, made.ID, r.Key))
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM audit_entries WHERE action = 'task.ask'`))
}

func TestARepeatAtTheSameTimeGetsTheFirstTask(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.request()
	ids := make([]int64, 8)
	var group sync.WaitGroup
	for i := range ids {
		group.Go(func() {
			made, err := b.tasks.Ask(t.Context(), b.agent, r)
			if ids[i] = made.ID; err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.NotZero(t, ids[0])
	require.Len(t, slices.Compact(ids), 1)
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM tasks`))
	other, err := b.tasks.Ask(t.Context(), b.agent, b.request())
	require.NoError(t, err)
	require.NotEqual(t, ids[0], other.ID, "another form")
}

// TestFromOpenToDone is the way of a task, with every act that its state or its people refuse.
func TestFromOpenToDone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	made := b.asked()
	_, err := b.tasks.Take(ctx, b.risk, made.ID, made.Version)
	require.ErrorIs(t, err, task.ErrNotYours, "another team")
	_, err = b.tasks.Finish(ctx, b.finance, made.ID, made.Version, "Found it")
	require.ErrorIs(t, err, task.ErrState, "who does it takes it first")
	_, err = b.tasks.Take(ctx, b.finance, made.ID, made.Version+1)
	require.ErrorIs(t, err, task.ErrChanged)
	_, err = b.tasks.Take(ctx, b.finance, 1, 1)
	require.ErrorIs(t, err, task.ErrUnknown)
	made, err = b.tasks.Take(ctx, b.finance, made.ID, made.Version)
	require.NoError(t, err)
	_, err = b.tasks.Take(ctx, b.other, made.ID, made.Version)
	require.ErrorIs(t, err, task.ErrState, "taken by one")
	for name, do := range map[string]func() error{
		"Finish":   func() error { _, err := b.tasks.Finish(ctx, b.other, made.ID, made.Version, "Mine"); return err },
		"Decline":  func() error { _, err := b.tasks.Decline(ctx, b.other, made.ID, made.Version, "No time"); return err },
		"GiveBack": func() error { _, err := b.tasks.GiveBack(ctx, b.other, made.ID, made.Version); return err },
		"Comment":  func() error { _, err := b.tasks.Comment(ctx, b.risk, made.ID, made.Version, "Hello"); return err },
	} {
		require.ErrorIs(t, do(), task.ErrNotYours, name)
	}
	_, err = b.tasks.Cancel(ctx, b.finance, made.ID, made.Version)
	require.ErrorIs(t, err, task.ErrNotAsked)
	made, err = b.tasks.GiveBack(ctx, b.finance, made.ID, made.Version)
	require.NoError(t, err)
	made, err = b.tasks.Take(ctx, b.other, made.ID, made.Version)
	require.NoError(t, err)
	made, err = b.tasks.Comment(ctx, b.agent, made.ID, made.Version, "The trader called again")
	require.NoError(t, err)
	_, err = b.tasks.Finish(ctx, b.other, made.ID, made.Version, "")
	require.ErrorIs(t, err, task.ErrText)
	made, err = b.tasks.Finish(ctx, b.other, made.ID, made.Version, "The transfer is credited")
	require.NoError(t, err)
	require.Equal(t, []any{task.Done, "The transfer is credited", b.other.ID}, []any{made.State, made.Outcome, *made.EndedBy})
	_, err = b.tasks.Cancel(ctx, b.agent, made.ID, made.Version)
	require.ErrorIs(t, err, task.ErrState)
	_, err = b.tasks.Decline(ctx, b.other, made.ID, made.Version, "Never mind")
	require.ErrorIs(t, err, task.ErrState)
	comments, err := b.tasks.Comments(ctx, made.ID)
	require.NoError(t, err)
	require.Len(t, comments, 1)
	_, err = b.db.Pool.Exec(ctx, `UPDATE task_comments SET text = 'x'`)
	require.ErrorContains(t, err, "permission denied", "comments are only added")
	_, err = b.db.Pool.Exec(ctx, `UPDATE tasks SET title = 'x'`)
	require.ErrorContains(t, err, "permission denied", "what was asked stays")
	require.EqualValues(t, 6, b.scan(`SELECT count(*) FROM audit_entries WHERE target_kind = 'task'`), "every act that was done, and no other")
	require.Empty(t, b.told, "a task about a trader tells no conversation")
}

func TestDeclineAndCancel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.asked()
	_, err := b.tasks.Decline(t.Context(), b.risk, made.ID, made.Version, "Not ours")
	require.ErrorIs(t, err, task.ErrNotYours)
	made, err = b.tasks.Decline(t.Context(), b.finance, made.ID, made.Version, "It is for compliance")
	require.NoError(t, err)
	require.Equal(t, task.Declined, made.State)
	other := b.taken(b.finance)
	_, err = b.tasks.Cancel(t.Context(), b.other, other.ID, other.Version)
	require.ErrorIs(t, err, task.ErrNotAsked)
	other, err = b.tasks.Cancel(t.Context(), b.agent, other.ID, other.Version)
	require.NoError(t, err, "also while somebody works on it")
	require.Equal(t, task.Cancelled, other.State)
}

// TestAConversationIsTold tells the conversation what becomes of its task, and nothing of comments.
func TestAConversationIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.asked(func(r *task.Request) { r.SubjectKind, r.SubjectID = task.Conversation, 812 })
	made, err := b.tasks.Take(t.Context(), b.finance, made.ID, made.Version)
	require.NoError(t, err)
	made, err = b.tasks.Comment(t.Context(), b.finance, made.ID, made.Version, "I am at it")
	require.NoError(t, err)
	_, err = b.tasks.Finish(t.Context(), b.finance, made.ID, made.Version, "Done it")
	require.NoError(t, err)
	n := " " + made.Number()
	require.Equal(t, []string{"ask" + n, "take" + n, "finish" + n}, b.told)
}

func TestOfEightAtOnceOneTakesIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.asked()
	var done, refused atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			switch _, err := b.tasks.Take(t.Context(), b.finance, made.ID, made.Version); {
			case err == nil:
				done.Add(1)
			case errs.As(err) != nil && errs.As(err).Kind == errs.Conflict:
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.Equal(t, []int32{1, 7}, []int32{done.Load(), refused.Load()})
}

// TestNobodyWorksOnATaskAboutThemselves refuses the member whose own trader account the task concerns.
func TestNobodyWorksOnATaskAboutThemselves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.asked()
	_, err := b.db.Pool.Exec(t.Context(), `UPDATE staff SET email = 't@example.com' WHERE id = $1`, b.finance.ID)
	require.NoError(t, err)
	_, err = b.tasks.Take(t.Context(), b.finance, made.ID, made.Version)
	require.ErrorIs(t, err, trader.ErrOwn)
	_, err = b.tasks.Take(t.Context(), b.other, made.ID, made.Version)
	require.NoError(t, err, "somebody else may")
}

// TestWhoReadsATask lets only who asked, whom it is for and the auditor read a task, in every list.
func TestWhoReadsATask(t *testing.T) {
	t.Parallel()
	b := setup(t)
	team := b.asked()
	named := b.asked(func(r *task.Request) { r.Team, r.AssigneeID = "", b.other.ID })
	everything := task.Reader{Actor: b.auditor, All: true}
	for name, c := range map[string]struct {
		by   task.Reader
		sees []int64
	}{
		"Asked": {reads(b.agent), []int64{team.ID, named.ID}}, "Team": {reads(b.finance), []int64{team.ID}}, "Named": {reads(b.other), []int64{team.ID, named.ID}},
		"AnotherTeam": {reads(b.risk), nil}, "Auditor": {everything, []int64{team.ID, named.ID}}, "NoTeam": {reads(b.auditor), nil},
	} {
		var open, about, of []int64
		list, err := b.tasks.List(t.Context(), c.by, task.Search{Group: task.AllOpen}, task.Place{}, 9)
		require.NoError(t, err)
		for _, one := range list {
			open = append(open, one.ID)
		}
		list, err = b.tasks.About(t.Context(), c.by, task.Trader, b.trader, 9)
		require.NoError(t, err)
		for _, one := range list {
			about = append([]int64{one.ID}, about...)
		}
		list, err = b.tasks.OfTrader(t.Context(), c.by, b.trader, 0, 9)
		require.NoError(t, err)
		for _, one := range list {
			of = append([]int64{one.ID}, of...)
		}
		require.Equal(t, [][]int64{c.sees, c.sees, c.sees}, [][]int64{open, about, of}, name)
		for _, one := range []task.Task{team, named} {
			_, err = b.tasks.Read(t.Context(), c.by, one.ID)
			if len(c.sees) == 2 || len(c.sees) == 1 && one.ID == team.ID {
				require.NoError(t, err, name)
			} else {
				require.ErrorIs(t, err, task.ErrUnknown, name)
			}
		}
	}
}

func TestTheLists(t *testing.T) {
	t.Parallel()
	b := setup(t)
	later := b.asked(func(r *task.Request) { r.DueAt, r.Priority = start.Add(48*time.Hour), task.Urgent })
	sooner := b.asked()
	mine := b.taken(b.finance)
	ids := func(by audit.Actor, q task.Search, after task.Place, limit int) (out []int64) {
		list, err := b.tasks.List(t.Context(), reads(by), q, after, limit)
		require.NoError(t, err)
		for _, one := range list {
			out = append(out, one.ID)
		}
		return out
	}
	start2 := task.Place{}
	require.Equal(t, []int64{sooner.ID, mine.ID, later.ID}, ids(b.finance, task.Search{Group: task.ForTeams}, start2, 5), "the earliest deadline first")
	require.Equal(t, []int64{later.ID}, ids(b.finance, task.Search{Group: task.ForTeams}, task.Place{DueAt: mine.DueAt, ID: mine.ID}, 5))
	require.Equal(t, []int64{mine.ID}, ids(b.finance, task.Search{Group: task.ForMe}, start2, 5))
	require.Empty(t, ids(b.other, task.Search{Group: task.ForMe}, start2, 5))
	require.Equal(t, []int64{sooner.ID, mine.ID, later.ID}, ids(b.agent, task.Search{Group: task.Asked}, start2, 5))
	require.Equal(t, []int64{later.ID}, ids(b.agent, task.Search{Group: task.AllOpen, Priority: task.Urgent}, start2, 5))
	require.Empty(t, ids(b.agent, task.Search{Group: task.AllOpen, Team: task.Risk}, start2, 5))
	require.Empty(t, ids(b.agent, task.Search{Group: task.AllOpen, Late: true}, start2, 5))
	n, err := b.tasks.Count(t.Context(), reads(b.finance))
	require.NoError(t, err)
	require.Equal(t, task.Counts{Me: 1, Teams: 3, Waiting: 3}, n)
	n, err = b.tasks.Count(t.Context(), reads(b.other))
	require.NoError(t, err)
	require.Equal(t, task.Counts{Teams: 3, Waiting: 2}, n, "what a colleague took no longer waits")
	n, err = b.tasks.Count(t.Context(), reads(b.risk))
	require.NoError(t, err)
	require.Zero(t, n)
	b.clock.Set(start.Add(24 * time.Hour))
	n, err = b.tasks.Count(t.Context(), reads(b.finance))
	require.NoError(t, err)
	require.True(t, n.Late)
	require.Equal(t, []int64{sooner.ID, mine.ID}, ids(b.agent, task.Search{Group: task.AllOpen, Late: true}, start2, 5))
	_, err = b.tasks.Finish(t.Context(), b.finance, mine.ID, mine.Version, "Done it")
	require.NoError(t, err)
	require.Equal(t, []int64{mine.ID}, ids(b.agent, task.Search{Group: task.AllEnded}, start2, 5))
	require.Empty(t, ids(b.agent, task.Search{Group: task.AllEnded}, task.Place{ID: mine.ID}, 5))
}

func TestWhomATextNames(t *testing.T) {
	t.Parallel()
	people := []member.Member{{ID: 1, Name: "Ann"}, {ID: 2, Name: "Ann Lee"}, {ID: 3, Name: "Zoë"}}
	for text, want := range map[string][]int64{
		"@Ann please": {1}, "@Ann Lee please": {2}, "@Ann, @Ann Lee and @Zoë.": {1, 2, 3}, "@Ann @Ann": {1}, "@Annabel": nil, "Ann": nil, "@ann": nil, "": nil, "@": nil, "@@Zoë": {3}, "a@Ann": {1},
	} {
		require.Equal(t, want, task.Mentioned(text, people), text)
	}
}

func TestAMention(t *testing.T) {
	t.Parallel()
	b := setup(t)
	note := task.Note{Place: task.AboutTrader, PlaceID: b.trader, NoteID: 5, Text: "@Finance 01 have a look"}
	mention := func(n task.Note, ids ...int64) error {
		return b.db.InTx(t.Context(), func(tx *db.Tx) error { return b.tasks.MentionTx(t.Context(), tx, b.agent, n, ids) })
	}
	_, err := b.db.Pool.Exec(t.Context(), `UPDATE staff SET state = 'disabled' WHERE id = $1`, b.risk.ID)
	require.NoError(t, err)
	require.NoError(t, mention(note, b.finance.ID, b.agent.ID, b.risk.ID))
	require.NoError(t, mention(note))
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM mentions`), "neither the writer nor who left")
	n, err := b.tasks.Count(t.Context(), reads(b.finance))
	require.NoError(t, err)
	require.EqualValues(t, 1, n.Unread)
	list, err := b.tasks.Mentions(t.Context(), b.finance.ID, 0, 5)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, []any{note, b.agent.ID}, []any{list[0].Note, list[0].ByID})
	_, err = b.tasks.OpenMention(t.Context(), b.other, list[0].ID)
	require.ErrorIs(t, err, task.ErrUnknown, "somebody else's")
	for range 2 {
		_, err = b.tasks.OpenMention(t.Context(), b.finance, list[0].ID)
		require.NoError(t, err)
	}
	n, err = b.tasks.Count(t.Context(), reads(b.finance))
	require.NoError(t, err)
	require.Zero(t, n.Unread)
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM audit_entries WHERE action = 'mention.add'`))
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM audit_entries WHERE action = 'mention.read'`), "read once")
	list, err = b.tasks.Mentions(t.Context(), b.finance.ID, list[0].ID, 5)
	require.NoError(t, err)
	require.Empty(t, list)
}

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "task_state", ".", "State")
	d.RequireLabels(t, "task_team", ".", "Team")
	d.RequireLabels(t, "task_priority", ".", "Priority")
	d.RequireLabels(t, "task_subject", ".", "Kind")
	d.RequireLabels(t, "mention_place", ".", "PlaceKind")
}
