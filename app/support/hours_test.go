package support_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/support"
)

// week has the same spans, as minutes since midnight in pairs, on some weekdays.
func week(zone string, days []time.Weekday, minutes ...int) (h support.Hours) {
	h.Zone = zone
	for _, day := range days {
		for i := 0; i < len(minutes); i += 2 {
			h.Week[day] = append(h.Week[day], support.Span{Opens: minutes[i], Closes: minutes[i+1]})
		}
	}
	return h
}

var wholeWeek = []time.Weekday{0, 1, 2, 3, 4, 5, 6}

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return at
}

func date(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.DateOnly, text)
	require.NoError(t, err)
	return at
}

func TestHours(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time { return moment(t, text) }
	days := week("Europe/Berlin", []time.Weekday{time.Friday, time.Monday}, 9*60, 18*60)
	none := support.Hours{}
	require.True(t, none.Open(start))
	require.True(t, none.Always())
	require.True(t, none.Next(start).IsZero())
	require.False(t, days.Always())
	require.True(t, days.Open(at("2026-11-20T08:00:00Z")))
	require.False(t, days.Open(at("2026-11-20T07:59:59Z")))
	require.False(t, days.Open(at("2026-11-20T17:00:00Z")))
	require.Equal(t, at("2026-11-23T08:00:00Z"), days.Next(at("2026-11-20T17:00:00Z")).UTC())
	require.Equal(t, at("2026-11-20T17:00:00Z"), days.Until(at("2026-11-20T12:00:00Z")).UTC())
	require.True(t, days.Until(at("2026-11-21T12:00:00Z")).IsZero(), "it is closed")
	require.Equal(t, 20*time.Minute, days.Worked(at("2026-11-20T16:50:00Z"), at("2026-11-23T08:10:00Z")))
	require.Equal(t, time.Hour, none.Worked(start, start.Add(time.Hour)))
	require.Zero(t, days.Worked(at("2026-11-21T00:00:00Z"), at("2026-11-22T00:00:00Z")))
	require.Zero(t, none.Worked(start, start.Add(-time.Hour)))
}

// TestADayHasSeveralSpans: the break between them is closed, and what touches at midnight is one.
func TestADayHasSeveralSpans(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time { return moment(t, text) }
	split := week("UTC", []time.Weekday{time.Friday}, 9*60, 12*60, 13*60, 18*60)
	require.True(t, split.Open(at("2026-11-20T11:59:59Z")))
	require.False(t, split.Open(at("2026-11-20T12:30:00Z")))
	require.Equal(t, at("2026-11-20T12:00:00Z"), split.Until(at("2026-11-20T10:00:00Z")))
	require.Equal(t, at("2026-11-20T13:00:00Z"), split.Next(at("2026-11-20T10:00:00Z")))
	require.Equal(t, 2*time.Hour, split.Worked(at("2026-11-20T11:00:00Z"), at("2026-11-20T14:00:00Z")))

	night := week("UTC", []time.Weekday{time.Thursday}, 22*60, 24*60)
	night.Week[time.Friday] = []support.Span{{Opens: 0, Closes: 6 * 60}}
	require.Equal(t, at("2026-11-20T06:00:00Z"), night.Until(at("2026-11-19T23:00:00Z")))
	require.Equal(t, 8*time.Hour, night.Worked(at("2026-11-19T00:00:00Z"), at("2026-11-21T00:00:00Z")))
	round := week("UTC", wholeWeek, 0, 24*60)
	require.True(t, round.Until(start).IsZero(), "it never closes")
	require.True(t, round.Next(start).IsZero())
	require.Equal(t, 48*time.Hour, round.Worked(start, start.AddDate(0, 0, 2)))
}

// TestHolidays: a date with hours of its own has only those, closed all day without any; the days around it are as usual.
func TestHolidays(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time { return moment(t, text) }
	h := week("Europe/Berlin", wholeWeek, 9*60, 18*60)
	h.Holidays = []support.Holiday{
		{Date: date(t, "2026-12-24"), Name: "Christmas Eve", Spans: []support.Span{{Opens: 8 * 60, Closes: 12 * 60}}},
		{Date: date(t, "2026-12-25"), Name: "Christmas Day"},
	}
	require.True(t, h.Open(at("2026-12-24T07:00:00Z")), "an hour before the usual")
	require.False(t, h.Open(at("2026-12-24T11:00:00Z")))
	require.False(t, h.Open(at("2026-12-25T12:00:00Z")))
	require.True(t, h.Open(at("2026-12-26T12:00:00Z")))
	require.Equal(t, at("2026-12-26T08:00:00Z"), h.Next(at("2026-12-24T11:00:00Z")).UTC())
	require.Equal(t, 5*time.Hour, h.Worked(at("2026-12-24T00:00:00Z"), at("2026-12-26T09:00:00Z")))
	require.Equal(t, 18*time.Hour, week("Europe/Berlin", wholeWeek, 9*60, 18*60).Worked(at("2026-12-24T00:00:00Z"), at("2026-12-25T23:00:00Z")), "without holidays")
	require.Len(t, h.Coming(at("2026-12-24T12:00:00Z"), 14), 2)
	require.Len(t, h.Coming(at("2026-12-24T23:00:00Z"), 14), 1, "in Berlin it is the next day")
	require.Empty(t, h.Coming(at("2026-12-01T12:00:00Z"), 14))
	require.Len(t, h.On(date(t, "2026-12-24")), 1)
	require.Empty(t, h.On(date(t, "2026-12-25")))
}

// TestHoursFollowSummerTime: a span is by the clock on the wall, and one in the hour that is skipped is none.
func TestHoursFollowSummerTime(t *testing.T) {
	t.Parallel()
	h := week("Europe/Berlin", wholeWeek, 2*60, 3*60)
	require.Empty(t, h.On(date(t, "2026-03-29")))
	require.Len(t, h.On(date(t, "2026-03-30")), 1)
	office := week("Europe/Berlin", wholeWeek, 9*60, 18*60)
	require.Equal(t, moment(t, "2026-03-28T08:00:00Z"), office.On(date(t, "2026-03-28"))[0].From.UTC())
	require.Equal(t, moment(t, "2026-03-29T07:00:00Z"), office.On(date(t, "2026-03-29"))[0].From.UTC())
}

func TestUsualHoursInAnotherZone(t *testing.T) {
	t.Parallel()
	h := week("Europe/Berlin", []time.Weekday{time.Friday, time.Monday}, 9*60, 18*60)
	h.Holidays = []support.Holiday{{Date: date(t, "2026-11-20"), Name: "Closed"}}
	spans := func(zone string) (list []string) {
		there, err := time.LoadLocation(zone)
		require.NoError(t, err)
		for _, now := range []string{"2026-11-16T00:00:00Z", "2026-11-18T12:00:00Z", "2026-11-22T11:00:00Z"} { // the same at any moment of a week
			list = nil
			for _, p := range h.Usual(moment(t, now), there) {
				list = append(list, p.From.Format("Mon 15:04-")+p.To.Format("15:04"))
			}
			require.Len(t, list, 2, "%s at %s", zone, now)
		}
		return list
	}
	require.Equal(t, []string{"Mon 09:00-18:00", "Fri 09:00-18:00"}, spans("Europe/Berlin"))
	require.Equal(t, []string{"Mon 16:00-01:00", "Fri 16:00-01:00"}, spans("Asia/Shanghai"))
	require.Equal(t, []string{"Thu 22:00-07:00", "Sun 22:00-07:00"}, spans("Pacific/Honolulu"), "there it is the day before")
}

func TestAnOfflineMessageWaitsForTheHours(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h := week("Europe/Berlin", []time.Weekday{time.Friday, time.Monday}, 9*60, 18*60)
	h.Holidays = []support.Holiday{{Date: date(t, "2026-11-23"), Name: "A holiday"}}
	require.NoError(t, b.sets("", h))
	b.clock.Set(moment(t, "2026-11-21T12:00:00Z"))
	c := b.asks(b.ann)
	require.Equal(t, support.OfflineMessage, c.State)
	for _, closed := range []string{"2026-11-21T12:00:00Z", "2026-11-23T12:00:00Z"} {
		b.clock.Set(moment(t, closed))
		require.NoError(t, b.chat.RouteQueue(t.Context()))
		require.Equal(t, support.OfflineMessage, b.get(c.ID).State, closed)
	}
	b.clock.Set(moment(t, "2026-11-27T08:00:00Z"))
	require.NoError(t, b.chat.RouteQueue(t.Context()))
	require.Equal(t, support.Queued, b.get(c.ID).State)
}

func TestHoursThatMeanNothingAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sound := func() support.Hours { return week("UTC", []time.Weekday{time.Friday}, 9*60, 18*60) }
	with := func(change func(*support.Hours)) support.Hours {
		h := sound()
		change(&h)
		return h
	}
	spans := func(list ...support.Span) func(*support.Hours) {
		return func(h *support.Hours) { h.Week[time.Friday] = list }
	}
	holidays := func(list ...support.Holiday) func(*support.Hours) {
		return func(h *support.Hours) { h.Holidays = list }
	}
	today := date(t, "2026-11-20")
	for field, list := range map[string][]support.Hours{
		"zone": {with(func(h *support.Hours) { h.Zone = "Mars/Olympus" }), with(func(h *support.Hours) { h.Zone = "" }), with(func(h *support.Hours) { h.Zone = "US/Eastern" })},
		"day-5": {
			with(spans(support.Span{Opens: 600, Closes: 600})), with(spans(support.Span{Opens: -1, Closes: 600})), with(spans(support.Span{Opens: 600, Closes: 24*60 + 1})),
			with(spans(support.Span{Opens: 540, Closes: 720}, support.Span{Opens: 719, Closes: 800})), with(spans(support.Span{Opens: 600, Closes: 700}, support.Span{Opens: 500, Closes: 590})),
			with(spans(slices.Repeat([]support.Span{{Opens: 0, Closes: 1}}, support.MostSpans+1)...)),
		},
		"holiday-0": {
			with(holidays(support.Holiday{Date: today.AddDate(0, 0, -1), Name: "Yesterday"})), with(holidays(support.Holiday{Date: today})), with(holidays(support.Holiday{Date: today, Name: "\x00"})),
			with(holidays(support.Holiday{Date: today, Name: "Backwards", Spans: []support.Span{{Opens: 600, Closes: 540}}})),
		},
		"holiday-1": {with(holidays(support.Holiday{Date: today, Name: "Once"}, support.Holiday{Date: today, Name: "Twice"}))},
		"hours":     {{Zone: "UTC", Holidays: []support.Holiday{{Date: today, Name: "Of a desk that never closes"}}}},
	} {
		for _, h := range list {
			refusal := errs.As(b.sets("", h))
			require.NotNil(t, refusal, field)
			require.Contains(t, refusal.Fields, field)
			require.Len(t, refusal.Fields, 1, field)
		}
	}
	table, err := b.chat.Timetable(t.Context())
	require.NoError(t, err)
	require.Empty(t, table)
	require.NoError(t, b.sets("", with(spans(support.Span{Opens: 540, Closes: 720}, support.Span{Opens: 720, Closes: 24 * 60}))), "spans may touch")
}

// TestHolidaysThatAreOverStay: how long a customer waited doesn't change with the next year's dates.
func TestHolidaysThatAreOverStay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h := week("UTC", wholeWeek, 9*60, 18*60)
	first, second := support.Holiday{Date: date(t, "2026-11-20"), Name: "First"}, support.Holiday{Date: date(t, "2026-12-24"), Name: "Second", Spans: []support.Span{{Opens: 540, Closes: 600}, {Opens: 660, Closes: 720}}}
	h.Holidays = []support.Holiday{second, first}
	require.NoError(t, b.sets("", h))
	holidays := func() []support.Holiday {
		table, err := b.chat.Timetable(t.Context())
		require.NoError(t, err)
		return table.For("en").Holidays
	}
	require.Equal(t, []support.Holiday{first, second}, holidays())
	h.Holidays = nil
	require.NoError(t, b.sets("", h))
	require.Empty(t, holidays(), "today is not over")
	h.Holidays = []support.Holiday{first, second}
	require.NoError(t, b.sets("", h))
	b.clock.Set(moment(t, "2026-11-21T12:00:00Z"))
	h.Holidays = []support.Holiday{second}
	require.NoError(t, b.sets("", h))
	require.Equal(t, []support.Holiday{first, second}, holidays())
	require.NoError(t, b.sets("", support.Hours{}))
	require.Empty(t, holidays())
	var entries int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action = 'chat.set_hours' AND after LIKE '%2026-12-24 Second: 09:00-10:00 11:00-12:00%'`).Scan(&entries))
	require.Equal(t, 3, entries)
}

// TestHoursAreSetByOneAtATime: of many who saw the same hours one sets them; the others look again.
func TestHoursAreSetByOneAtATime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	seen := support.Hours{}.Version()
	results := make([]error, 8)
	var group sync.WaitGroup
	for n := range results {
		group.Go(func() {
			results[n] = b.chat.SetHours(t.Context(), b.lee, "", seen, week("UTC", []time.Weekday{time.Friday}, n*60, 18*60))
		})
	}
	group.Wait()
	winner := slices.Index(results, nil)
	require.NotEqual(t, -1, winner)
	for n, err := range results {
		if n != winner {
			require.Equal(t, db.ErrChanged, err)
		}
	}
	table, err := b.chat.Timetable(t.Context())
	require.NoError(t, err)
	require.Equal(t, winner*60, table.For("").Week[time.Friday][0].Opens)
	require.Equal(t, db.ErrChanged, b.chat.SetHours(t.Context(), b.lee, "", seen, support.Hours{}))
	require.NoError(t, b.chat.SetHours(t.Context(), b.lee, "zh_CN", seen, support.Hours{}), "another language's hours have not changed")
}

// sets sets the hours as somebody who has just read them.
func (b *bundle) sets(language string, h support.Hours) error {
	table, err := b.chat.Timetable(b.Context())
	require.NoError(b, err)
	return b.chat.SetHours(b.Context(), b.lee, language, table[language].Version(), h)
}

// TestALanguageHasHoursOfItsOwn: they decide between offline message and queue; the general hours apply to all other languages.
func TestALanguageHasHoursOfItsOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	general, shanghai := week("Europe/Berlin", wholeWeek, 9*60, 18*60), week("Asia/Shanghai", wholeWeek, 9*60, 18*60)
	require.NoError(t, b.sets("", general))
	require.NoError(t, b.sets("zh_CN", shanghai))
	table, err := b.chat.Timetable(t.Context())
	require.NoError(t, err)
	require.Equal(t, []support.Hours{general, shanghai, general}, []support.Hours{table.For(""), table.For("zh_CN"), table.For("ar")})

	b.ann.Language = "zh_CN"
	night, day := b.asks(b.ann).ID, b.asks(b.bob).ID // noon in Berlin is evening in Shanghai
	require.Equal(t, []support.State{support.OfflineMessage, support.Queued}, []support.State{b.get(night).State, b.get(day).State})
	b.present(b.kim)
	require.NoError(t, b.chat.RouteQueue(t.Context()))
	require.Equal(t, support.OfflineMessage, b.get(night).State)
	require.True(t, b.get(day).OwnedBy(b.kim.ID))

	b.clock.Set(time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC))
	evening := b.asks(b.trader()).ID
	require.Equal(t, support.OfflineMessage, b.get(evening).State)
	b.present(b.kim)
	require.NoError(t, b.chat.RouteQueue(t.Context()))
	require.True(t, b.get(night).OwnedBy(b.kim.ID))
	require.Equal(t, support.OfflineMessage, b.get(evening).State, "it is another queue's morning")

	require.NoError(t, b.sets("zh_CN", support.Hours{}))
	table, err = b.chat.Timetable(t.Context())
	require.NoError(t, err)
	require.Equal(t, general, table.For("zh_CN"), "without its own the general ones rule")
}
