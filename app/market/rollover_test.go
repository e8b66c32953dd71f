package market

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func moment(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return at
}

func TestLastRollover(t *testing.T) {
	t.Parallel()
	day := func(text string) string { return LastRollover(moment(t, text)).Day.Format(time.DateOnly) }
	require.Equal(t, "2026-11-23", day("2026-11-24T21:59:59Z"), "16:59:59 in New York in winter")
	require.Equal(t, "2026-11-24", day("2026-11-24T22:00:00Z"))
	require.Equal(t, "2026-07-01", day("2026-07-01T21:00:00Z"), "17:00 in summer")
	require.Equal(t, "2026-06-30", day("2026-07-01T20:59:59Z"))
	require.Equal(t, "2026-11-24", day("2026-11-25T04:00:00Z"), "still the evening of that day in New York")
}

// nightsFrom lists the nights of each day from a Monday on.
func nightsFrom(t *testing.T, calendar string, triple *int, monday string, days int) (out []int) {
	t.Helper()
	first, err := time.Parse(time.DateOnly, monday)
	require.NoError(t, err)
	hours := defaultHours(t)
	for i := range days {
		out = append(out, hours.nights(calendar, triple, first.AddDate(0, 0, i)))
	}
	return out
}

func TestNights(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		calendar string
		triple   *int
		monday   string
		want     []int
	}{
		"ThreeOnWednesday":                  {calendarForex, weekday(time.Wednesday), "2026-11-09", []int{1, 1, 3, 1, 1, 0, 0}},
		"ThreeOnThursday":                   {calendarForex, weekday(time.Thursday), "2026-11-09", []int{1, 1, 1, 3, 1, 0, 0}},
		"ThreeOnFriday":                     {calendarNYSE, weekday(time.Friday), "2026-11-09", []int{1, 1, 1, 1, 3, 0, 0}},
		"EachDayForItself":                  {calendarCrypto, nil, "2026-11-09", []int{1, 1, 1, 1, 1, 1, 1}},
		"AHolidayIsPaidTheDayBefore":        {calendarNYSE, weekday(time.Friday), "2026-11-23", []int{1, 1, 2, 0, 3, 0, 0}},
		"ChristmasOnAFriday":                {calendarNYSE, weekday(time.Friday), "2026-12-21", []int{1, 1, 1, 4, 0, 0, 0}},
		"AHolidayMovesTheValueDateBeforeIt": {calendarForex, weekday(time.Wednesday), "2026-12-21", []int{1, 4, 1, 1, 0, 0, 0}},
		"AHalfDayIsABusinessDay":            {calendarUSIndex, weekday(time.Friday), "2026-11-23", []int{1, 1, 1, 1, 3, 0, 0}},
		"NewYear":                           {calendarForex, weekday(time.Wednesday), "2026-12-28", []int{1, 4, 1, 1, 0, 0, 0}},
		"UnknownCalendarsHaveWeekendsAlone": {"none", weekday(time.Wednesday), "2026-12-21", []int{1, 1, 3, 1, 1, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, nightsFrom(t, test.calendar, test.triple, test.monday, len(test.want)))
		})
	}
}

// TestNightsMakeUpTheCalendar checks that in the long run each night is charged once, regardless of holidays.
func TestNightsMakeUpTheCalendar(t *testing.T) {
	t.Parallel()
	for _, calendar := range []string{calendarForex, calendarNYSE, calendarHKEX, calendarMetal, calendarUSIndex} {
		for triple := 1; triple <= 5; triple++ {
			sum := 0
			for _, n := range nightsFrom(t, calendar, &triple, "2026-01-05", 7*52) {
				sum += n
			}
			require.InDelta(t, 7*52, sum, 4, "%s %d", calendar, triple)
		}
	}
}

func TestBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.time.Set(moment(t, "2026-11-24T21:59:58Z"))
	b.market.ingest(b.raw("EURUSD", "1.10000", "1.10010"), false)
	at := Rollover{At: RolloverOn(time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC))}.PricedAt()
	q, err := b.market.Before(eurusd, at)
	require.NoError(t, err)
	require.EqualValues(t, 1, q.Seq, "the newest one, while there is no later")
	b.time.Set(moment(t, "2026-11-24T21:59:59.5Z"))
	b.market.ingest(b.raw("EURUSD", "1.10010", "1.10020"), false)
	q, err = b.market.Before(eurusd, at)
	require.NoError(t, err)
	require.EqualValues(t, 1, q.Seq, "the last half second is too near to the rollover")
	b.time.Set(moment(t, "2026-11-24T22:00:01Z"))
	b.market.ingest(b.raw("EURUSD", "1.10020", "1.10030"), false)
	b.market.ingest(b.raw("EURUSD", "1.10030", "1.10040"), false)
	q, err = b.market.Before(eurusd, at)
	require.NoError(t, err)
	require.EqualValues(t, 1, q.Seq, "remembered when the day turned")
	require.NoError(t, b.market.tape.flush(t.Context()))
	b.crash()
	recalled := func(at time.Time) (Quote, error) {
		var forgotten ForgottenError
		_, err := b.market.Before(eurusd, at)
		require.ErrorAs(t, err, &forgotten)
		require.NoError(t, b.market.Recall(t.Context(), forgotten))
		return b.market.Before(eurusd, at)
	}
	q, err = recalled(at)
	require.NoError(t, err)
	require.EqualValues(t, 1, q.Seq, "found on the tape")
	_, err = recalled(moment(t, "2026-11-24T00:00:00Z"))
	require.ErrorIs(t, err, ErrNoPrice, "there was none yet")
	_, err = b.market.Before(999, at)
	require.ErrorIs(t, err, ErrNoPrice)
}
