package complaint_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/complaint"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/trader"
)

func TestBusinessDays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from string
		n    int
		want string
	}{
		{"2026-11-20", 1, "2026-11-23"}, // over a weekend
		{"2026-11-20", 5, "2026-11-27"},
		{"2026-11-21", 1, "2026-11-23"}, // received on a Saturday
		{"2026-11-22", 5, "2026-11-27"},
		{"2026-11-20", 15, "2026-12-11"},
		{"2026-11-20", 35, "2027-01-08"},
		{"2026-11-20", 0, "2026-11-20"},
	} {
		require.Equal(t, c.want, complaint.AfterBusinessDays(day(c.from), c.n).Format(time.DateOnly), "%d days after %s", c.n, c.from)
	}
}

func TestRegister(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.request()
	claimed := int64(25_000_000)
	r.Claimed = &claimed
	c, err := b.complaints.Register(t.Context(), b.agent, r)
	require.NoError(t, err)
	require.Equal(t, []any{complaint.Received, "2026-11-27", "2026-12-11"}, []any{c.State, c.AcknowledgeDue.Format(time.DateOnly), c.AnswerDue.Format(time.DateOnly)})
	again, err := b.complaints.Register(t.Context(), b.agent, r)
	require.NoError(t, err)
	require.Equal(t, c.ID, again.ID, "one form registers once")
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM audit_entries WHERE action = 'complaint.register' AND target_id = $1`, fmt.Sprint(c.ID)))
	require.Zero(t, b.scan(`SELECT count(*) FROM audit_entries WHERE after LIKE '%stop loss%'`), "the log has none of the trader's words")
	conversation, zero := int64(1), int64(0)
	for want, change := range map[error]func(*complaint.Request){
		complaint.ErrChannel:  func(r *complaint.Request) { r.ConversationID = &conversation },
		complaint.ErrCategory: func(r *complaint.Request) { r.Category = "weather" },
		complaint.ErrProduct:  func(r *complaint.Request) { r.Product = strings.Repeat("X", 21) },
		complaint.ErrSummary:  func(r *complaint.Request) { r.Summary = "  short  " },
		complaint.ErrReceived: func(r *complaint.Request) { r.ReceivedOn = day("2026-11-21") },
		complaint.ErrClaimed:  func(r *complaint.Request) { r.Claimed = &zero },
		complaint.ErrKey:      func(r *complaint.Request) { r.Key = "short" },
	} {
		r := b.request()
		change(&r)
		_, err := b.complaints.Register(t.Context(), b.agent, r)
		require.Equal(t, errs.As(want).Fields, errs.As(err).Fields)
	}
}

// TestAComplaintIsStoredAfterADeadlock runs the transaction again: what the first try had made is not taken for an earlier complaint.
func TestAComplaintIsStoredAfterADeadlock(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.dbtest.DeadlockOnce(t, "complaints")
	r := b.request()
	made, err := b.complaints.Register(t.Context(), b.agent, r)
	require.NoError(t, err)
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM complaints WHERE id = $1 AND key = $2`, made.ID, r.Key))
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM audit_entries WHERE action = 'complaint.register'`))
}

func TestARepeatAtTheSameTimeGetsTheFirstComplaint(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.request()
	ids := make([]int64, 8)
	var group sync.WaitGroup
	for i := range ids {
		group.Go(func() {
			made, err := b.complaints.Register(t.Context(), b.agent, r)
			if ids[i] = made.ID; err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.NotZero(t, ids[0])
	require.Len(t, slices.Compact(ids), 1)
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM complaints`))
	other, err := b.complaints.Register(t.Context(), b.agent, b.request())
	require.NoError(t, err)
	require.NotEqual(t, ids[0], other.ID, "another form")
}

// TestTheMembersDayCounts: it is Saturday in Shanghai while it is Friday in UTC, and Thursday at the end of the world.
func TestTheMembersDayCounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	b.clock.Advance(5 * time.Hour) // Friday 17:00 in UTC
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	require.NoError(t, err)
	r := b.request()
	r.ReceivedOn = day("2026-11-21")
	_, err = b.complaints.Register(ctx, b.agent, r)
	require.Equal(t, errs.As(complaint.ErrReceived).Fields, errs.As(err).Fields, "tomorrow in UTC")
	r.Zone = shanghai
	c, err := b.complaints.Register(ctx, b.agent, r)
	require.NoError(t, err)
	r = b.request()
	r.Zone, r.ReceivedOn = shanghai, day("2026-11-22")
	_, err = b.complaints.Register(ctx, b.agent, r)
	require.Equal(t, errs.As(complaint.ErrReceived).Fields, errs.As(err).Fields, "tomorrow in Shanghai too")
	r.Zone, r.ReceivedOn = time.FixedZone("west", -18*3600), day("2026-11-20")
	_, err = b.complaints.Register(ctx, b.agent, r)
	require.Equal(t, errs.As(complaint.ErrReceived).Fields, errs.As(err).Fields, "not yet there")

	told := complaint.Letter{Way: complaint.WayPhone, Text: letter.Text, SentOn: day("2026-11-22"), Zone: shanghai}
	_, err = b.complaints.Acknowledge(ctx, b.first, c.ID, c.Version, told)
	require.Equal(t, errs.As(complaint.ErrSent).Fields, errs.As(err).Fields)
	told.SentOn = day("2026-11-21")
	_, err = b.complaints.Acknowledge(ctx, b.first, c.ID, c.Version, told)
	require.NoError(t, err)
}

// TestFromReceiptToTheEnd is the whole way of a complaint, with each act refused in every other state.
func TestFromReceiptToTheEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	c := b.registered()
	refused := func(but string) {
		t.Helper()
		now, err := b.complaints.Read(ctx, c.ID)
		require.NoError(t, err)
		for act, do := range map[string]func() error{
			"acknowledge": func() error { _, err := b.complaints.Acknowledge(ctx, b.first, c.ID, now.Version, letter); return err },
			"investigate": func() error { _, err := b.complaints.Investigate(ctx, b.first, c.ID, now.Version); return err },
			"answer": func() error {
				_, err := b.complaints.RequestAnswer(ctx, b.first, c.ID, now.Version, answer)
				return err
			},
			"close": func() error {
				_, err := b.complaints.Close(ctx, b.first, c.ID, now.Version, day("2026-11-20"), nil)
				return err
			},
		} {
			if act != but {
				require.ErrorIs(t, do(), complaint.ErrState, "%s in %s", act, now.State)
			}
		}
	}
	refused("acknowledge")
	_, err := b.complaints.Acknowledge(ctx, b.first, c.ID, c.Version+1, letter)
	require.ErrorIs(t, err, complaint.ErrChanged)
	c, err = b.complaints.Acknowledge(ctx, b.first, c.ID, c.Version, letter)
	require.NoError(t, err)
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM outbox WHERE kind = 'complaint' AND recipient = 't@example.com'`))
	refused("investigate")
	c, err = b.complaints.Investigate(ctx, b.first, c.ID, c.Version)
	require.NoError(t, err)
	require.Equal(t, b.first.ID, *c.HandlerID)
	refused("answer")
	c, err = b.complaints.RequestAnswer(ctx, b.first, c.ID, c.Version, answer)
	require.NoError(t, err)
	_, err = b.complaints.RequestAnswer(ctx, b.first, c.ID, c.Version, answer)
	require.ErrorIs(t, err, complaint.ErrAsked)
	require.ErrorIs(t, b.complaints.ApproveAnswer(ctx, b.first, b.asked(c.ID)), approval.ErrSamePerson, "two people")
	_, err = b.db.Pool.Exec(ctx, `UPDATE complaints SET state = 'answered', answered_at = now(), outcome = 'upheld', redress = '', root_cause = 'x', answer = 'x', answer_way = 'mail' WHERE id = $1`, c.ID)
	require.ErrorContains(t, err, "nobody approved", "the database wants two people too")
	require.NoError(t, b.complaints.ApproveAnswer(ctx, b.second, b.asked(c.ID)))
	require.EqualValues(t, 2, b.scan(`SELECT count(*) FROM outbox WHERE kind = 'complaint'`))
	c, err = b.complaints.Read(ctx, c.ID)
	require.NoError(t, err)
	require.Equal(t, []any{complaint.Answered, complaint.Partly, "25 USDT", "2026-11-20"}, []any{c.State, *c.Outcome, *c.Redress, c.AnswerSentOn.Format(time.DateOnly)})
	refused("close")
	_, err = b.db.Pool.Exec(ctx, `UPDATE complaints SET outcome = 'upheld' WHERE id = $1`, c.ID)
	require.ErrorContains(t, err, "was given to something else", "what was agreed on stays")
	c, err = b.complaints.Close(ctx, b.first, c.ID, c.Version, time.Time{}, nil)
	require.NoError(t, err)
	require.Equal(t, complaint.Closed, c.State)
	refused("")
	require.EqualValues(t, 6, b.scan(`SELECT count(*) FROM audit_entries WHERE target_kind = 'complaint' AND target_id = $1::text`, fmt.Sprint(c.ID)),
		"register, acknowledge, investigate, request, approve, close")
}

func TestExtendOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.registered()
	why := complaint.Letter{Way: complaint.WayPhone, SentOn: day("2026-11-20"), Text: "The bank needs until January."}
	_, err := b.complaints.Extend(t.Context(), b.first, c.ID, c.Version, why)
	require.ErrorIs(t, err, complaint.ErrState, "not before the acknowledgement")
	c = b.acknowledged()
	c, err = b.complaints.Extend(t.Context(), b.first, c.ID, c.Version, why)
	require.NoError(t, err)
	require.Equal(t, "2027-01-08", c.AnswerDue.Format(time.DateOnly))
	_, err = b.complaints.Extend(t.Context(), b.first, c.ID, c.Version, why)
	require.ErrorIs(t, err, complaint.ErrExtended)
	told, err := b.complaints.Told(t.Context(), c.ID)
	require.NoError(t, err)
	require.Len(t, told, 2)
	require.Equal(t, []any{complaint.Extension, complaint.WayPhone, why.Text}, []any{told[1].Kind, told[1].Way, told[1].Text})
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM outbox`), "only the acknowledgement was mailed")
}

func TestWhatIsToldSaysHowAndWhen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for want, l := range map[error]complaint.Letter{
		complaint.ErrWay:  {Way: "pigeon", Text: letter.Text},
		complaint.ErrText: {Way: complaint.WayMail, Text: "short"},
		complaint.ErrSent: {Way: complaint.WayLetter, Text: letter.Text, SentOn: day("2026-11-19")}, // before it was received
	} {
		c := b.registered()
		_, err := b.complaints.Acknowledge(t.Context(), b.first, c.ID, c.Version, l)
		require.ErrorIs(t, err, want)
	}
	c := b.registered()
	_, err := b.complaints.Acknowledge(t.Context(), b.first, c.ID, c.Version, complaint.Letter{Way: complaint.WayLetter, Text: letter.Text, SentOn: day("2026-11-21")})
	require.ErrorIs(t, err, complaint.ErrSent, "tomorrow")
	b.trader = b.newTrader(nil)
	c = b.registered()
	_, err = b.complaints.Acknowledge(t.Context(), b.first, c.ID, c.Version, letter)
	require.ErrorIs(t, err, complaint.ErrNoAddress, "no e-mail address")
	require.Zero(t, b.scan(`SELECT count(*) FROM complaint_letters`), "nothing is recorded that was not sent")
	_, err = b.complaints.Acknowledge(t.Context(), b.first, c.ID, c.Version, complaint.Letter{Way: complaint.WayPhone, Text: letter.Text, SentOn: day("2026-11-20")})
	require.NoError(t, err)
}

// TestAnAnswerByLetterClosesWithItsDay wants the day on which an answer went out that no mail carried.
func TestAnAnswerByLetterClosesWithItsDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.investigating()
	a := answer
	a.AnswerWay = complaint.WayLetter
	c, err := b.complaints.RequestAnswer(t.Context(), b.first, c.ID, c.Version, a)
	require.NoError(t, err)
	require.NoError(t, b.complaints.ApproveAnswer(t.Context(), b.second, b.asked(c.ID)))
	c, err = b.complaints.Read(t.Context(), c.ID)
	require.NoError(t, err)
	require.Nil(t, c.AnswerSentOn)
	for _, bad := range []string{"2026-11-19", "2026-11-21"} {
		_, err = b.complaints.Close(t.Context(), b.first, c.ID, c.Version, day(bad), nil)
		require.ErrorIs(t, err, complaint.ErrSent, bad)
	}
	c, err = b.complaints.Close(t.Context(), b.first, c.ID, c.Version, day("2026-11-20"), nil)
	require.NoError(t, err)
	require.Equal(t, "2026-11-20", c.AnswerSentOn.Format(time.DateOnly))
}

func TestARefusedAnswerIsProposedAnew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.investigating()
	for _, bad := range []func(*complaint.Answer){
		func(a *complaint.Answer) { a.Outcome = "maybe" }, func(a *complaint.Answer) { a.Redress = "" }, func(a *complaint.Answer) { a.RootCause = "" },
		func(a *complaint.Answer) { a.Answer = "" }, func(a *complaint.Answer) { a.AnswerWay = "" },
	} {
		a := answer
		bad(&a)
		_, err := b.complaints.RequestAnswer(t.Context(), b.first, c.ID, c.Version, a)
		require.NotNil(t, errs.As(err))
		require.NotEmpty(t, errs.As(err).Fields)
	}
	rejected := complaint.Answer{Outcome: complaint.Rejected, RootCause: answer.RootCause, Answer: answer.Answer, AnswerWay: complaint.WayMail}
	c, err := b.complaints.RequestAnswer(t.Context(), b.first, c.ID, c.Version, rejected)
	require.NoError(t, err, "a rejected complaint has no redress")
	require.ErrorIs(t, b.complaints.DeclineAnswer(t.Context(), b.second, b.asked(c.ID), ""), approval.ErrNote)
	require.NoError(t, b.complaints.DeclineAnswer(t.Context(), b.second, b.asked(c.ID), "Look at the quotes again"))
	c, err = b.complaints.Read(t.Context(), c.ID)
	require.NoError(t, err)
	require.Equal(t, []any{complaint.Investigating, (*int64)(nil)}, []any{c.State, c.Approval})
	_, err = b.complaints.RequestAnswer(t.Context(), b.first, c.ID, c.Version, answer)
	require.NoError(t, err)
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM outbox`), "only the acknowledgement: no refused answer is mailed")
}

// TestNobodyHandlesTheirOwnComplaint refuses a member whose own trader account the complaint is of.
func TestNobodyHandlesTheirOwnComplaint(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.registered()
	_, err := b.db.Pool.Exec(t.Context(), `UPDATE staff SET email = 't@example.com' WHERE id = $1`, b.first.ID)
	require.NoError(t, err)
	_, err = b.complaints.Acknowledge(t.Context(), b.first, c.ID, c.Version, letter)
	require.ErrorIs(t, err, trader.ErrOwn)
	_, err = b.complaints.Register(t.Context(), b.first, b.request())
	require.ErrorIs(t, err, trader.ErrOwn)
	_, err = b.complaints.Acknowledge(t.Context(), b.second, c.ID, c.Version, letter)
	require.NoError(t, err, "somebody else may")
}

func TestTheRegister(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.registered(), b.investigating()
	ids := func(q complaint.Search, after complaint.Place, limit int) (out []int64) {
		list, err := b.complaints.List(t.Context(), q, after, limit)
		require.NoError(t, err)
		for _, c := range list {
			out = append(out, c.ID)
		}
		return out
	}
	waiting := complaint.Search{Group: complaint.Waiting}
	require.Equal(t, []int64{first.ID, second.ID}, ids(waiting, complaint.Place{}, 5))
	require.Equal(t, []int64{second.ID}, ids(waiting, complaint.Place{AnswerDue: first.AnswerDue, ID: first.ID}, 5))
	require.Equal(t, []int64{second.ID, first.ID}, ids(complaint.Search{Group: complaint.All}, complaint.Place{}, 5))
	require.Equal(t, []int64{first.ID}, ids(complaint.Search{Group: complaint.All, State: complaint.Received}, complaint.Place{}, 5))
	require.Empty(t, ids(complaint.Search{Group: complaint.Ended}, complaint.Place{}, 5))
	require.Empty(t, ids(complaint.Search{Group: complaint.All, Category: complaint.Conduct}, complaint.Place{}, 5))
	require.Empty(t, ids(complaint.Search{Group: complaint.All, TraderID: 1}, complaint.Place{}, 5))
	require.Equal(t, []int64{first.ID}, ids(complaint.Search{Group: complaint.Waiting, DueUntil: day("2026-11-27")}, complaint.Place{}, 5), "only the acknowledgement is due by then")
	require.Empty(t, ids(complaint.Search{Group: complaint.Waiting, Overdue: true}, complaint.Place{}, 5))
	n, overdue, err := b.complaints.Count(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{int64(2), false}, []any{n, overdue})
	b.clock.Set(time.Date(2026, 11, 27, 23, 59, 0, 0, time.UTC))
	_, overdue, err = b.complaints.Count(t.Context())
	require.NoError(t, err)
	require.False(t, overdue, "the last day is not over")
	b.clock.Set(time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC))
	_, overdue, err = b.complaints.Count(t.Context())
	require.NoError(t, err)
	require.True(t, overdue)
	require.Equal(t, []int64{first.ID}, ids(complaint.Search{Group: complaint.Waiting, Overdue: true}, complaint.Place{}, 5))
	_, err = b.complaints.Read(t.Context(), 1)
	require.ErrorIs(t, err, complaint.ErrUnknown)
}

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "complaint_state", ".", "State")
	d.RequireLabels(t, "complaint_channel", ".", "Channel")
	d.RequireLabels(t, "complaint_category", ".", "Category")
	d.RequireLabels(t, "complaint_outcome", ".", "Outcome")
	d.RequireLabels(t, "complaint_letter", ".", "LetterKind")
	d.RequireLabels(t, "complaint_way", ".", "Way")
}
