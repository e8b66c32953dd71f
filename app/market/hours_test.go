package market

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func defaultHours(t testing.TB) *Hours {
	t.Helper()
	hours, err := NewHours(DefaultSessions(), DefaultHolidays())
	require.NoError(t, err)
	return hours
}

func utc(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04", text)
	require.NoError(t, err)
	return at
}

func TestState(t *testing.T) {
	t.Parallel()
	hours := defaultHours(t)
	tests := []struct {
		name, calendar, at string
		open               bool
		until              string
	}{
		{"ForexOpensOnSundayAtFiveInWinter", "forex", "2026-11-22 21:59", false, "2026-11-22 22:00"},
		{"ForexIsOpenFromTheOpeningMinute", "forex", "2026-11-22 22:00", true, "2026-11-27 22:00"},
		{"ForexIsClosedFromTheClosingMinute", "forex", "2026-11-27 22:00", false, "2026-11-29 22:00"},
		{"ForexStaysOpenOverMidnight", "forex", "2026-11-25 05:00", true, "2026-11-27 22:00"},
		{"ForexOpensAnHourEarlierOnTheSundayWhenSummerTimeBegins", "forex", "2026-03-08 20:59", false, "2026-03-08 21:00"},
		{"ForexClosesAtTenTheFridayBeforeSummerTime", "forex", "2026-03-06 12:00", true, "2026-03-06 22:00"},
		{"ForexClosesAtNineTheFridayBeforeWinterTime", "forex", "2026-10-30 12:00", true, "2026-10-30 21:00"},
		{"ForexOpensAtTenOnTheSundayWhenWinterTimeBegins", "forex", "2026-11-01 21:30", false, "2026-11-01 22:00"},
		{"ForexRestsAtChristmas", "forex", "2026-12-25 12:00", false, "2026-12-27 22:00"},
		{"ForexClosesWhenChristmasBegins", "forex", "2026-12-24 12:00", true, "2026-12-25 05:00"},
		{"MetalsBreakForAnHour", "metal", "2026-11-24 22:30", false, "2026-11-24 23:00"},
		{"MetalsTradeUntilTheBreak", "metal", "2026-11-24 23:00", true, "2026-11-25 22:00"},
		{"TheUSIndexRestsOnGoodFriday", "us_index", "2026-04-03 15:00", false, "2026-04-05 22:00"},
		{"StocksOpenAtHalfPastNineInWinter", "nyse", "2026-11-24 14:29", false, "2026-11-24 14:30"},
		{"StocksOpenAtHalfPastNineInSummer", "nyse", "2026-07-14 13:30", true, "2026-07-14 20:00"},
		{"StocksSkipThanksgivingAndCloseEarlyAfterIt", "nyse", "2026-11-25 21:00", false, "2026-11-27 14:30"},
		{"StocksCloseAtOneAfterThanksgiving", "nyse", "2026-11-27 15:00", true, "2026-11-27 18:00"},
		{"StocksAreClosedAfterOneOnAHalfDay", "nyse", "2026-11-27 18:00", false, "2026-11-30 14:30"},
		{"StocksRestOnGoodFriday", "nyse", "2026-04-03 15:00", false, "2026-04-06 13:30"},
		{"StocksTradeOnColumbusDay", "nyse", "2026-10-12 15:00", true, "2026-10-12 20:00"},
		{"StocksTradeOnVeteransDay", "nyse", "2026-11-11 15:00", true, "2026-11-11 21:00"},
		{"HongKongHasALunchBreak", "hkex", "2026-11-24 04:30", false, "2026-11-24 05:00"},
		{"HongKongTradesInTheMorning", "hkex", "2026-11-24 01:30", true, "2026-11-24 04:00"},
		{"HongKongHasNoAfternoonOnLunarNewYearsEve", "hkex", "2026-02-16 04:00", false, "2026-02-20 01:30"},
		{"HongKongRestsAtLunarNewYear", "hkex", "2026-02-18 03:00", false, "2026-02-20 01:30"},
		{"CryptoNeverCloses", "crypto", "2026-12-25 12:00", true, ""},
		{"AnUnknownCalendarNeverOpens", "moon", "2026-11-24 12:00", false, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			open, until := hours.State(test.calendar, utc(t, test.at))
			require.Equal(t, test.open, open)
			if test.until == "" {
				require.Zero(t, until)
				return
			}
			require.Equal(t, utc(t, test.until), until)
		})
	}
}

func TestStateFromTheCacheIsTheStateWithoutIt(t *testing.T) {
	t.Parallel()
	kept := defaultHours(t)
	for _, name := range []string{"forex", "metal", "nyse", "hkex", "crypto"} {
		for at := utc(t, "2026-02-14 00:07"); at.Before(utc(t, "2026-03-20 00:00")); at = at.Add(97 * time.Minute) {
			open, until := kept.State(name, at)
			want := kept.calendars[name].find(at)
			require.Equal(t, want.open, open, "%s at %s", name, at)
			require.Equal(t, want.until, until, "%s at %s", name, at)
		}
	}
}

func TestStateIsSafeForManyGoroutines(t *testing.T) {
	t.Parallel()
	hours := defaultHours(t)
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for i := range 500 {
				hours.State("nyse", utc(t, "2026-11-24 00:00").Add(time.Duration(n*500+i)*time.Hour))
			}
		})
	}
	all.Wait()
}

func TestWeek(t *testing.T) {
	t.Parallel()
	hours := defaultHours(t)
	interval := func(from, until string) Interval { return Interval{utc(t, from), utc(t, until)} }
	t.Run("IsCutAtBothEnds", func(t *testing.T) {
		require.Equal(t, []Interval{
			interval("2026-11-18 12:00", "2026-11-20 22:00"),
			interval("2026-11-22 22:00", "2026-11-25 12:00"),
		}, hours.Week("forex", utc(t, "2026-11-18 12:00")))
	})
	t.Run("LeavesOutHolidaysAndShortensHalfDays", func(t *testing.T) {
		require.Equal(t, []Interval{
			interval("2026-11-25 14:30", "2026-11-25 21:00"),
			interval("2026-11-27 14:30", "2026-11-27 18:00"),
			interval("2026-11-30 14:30", "2026-11-30 21:00"),
			interval("2026-12-01 14:30", "2026-12-01 21:00"),
		}, hours.Week("nyse", utc(t, "2026-11-25 03:00")))
	})
	t.Run("OfWhatNeverClosesIsOneInterval", func(t *testing.T) {
		require.Equal(t, []Interval{interval("2026-11-18 12:00", "2026-11-25 12:00")}, hours.Week("crypto", utc(t, "2026-11-18 12:00")))
	})
	t.Run("FollowsTheChangeToWinterTime", func(t *testing.T) {
		week := hours.Week("metal", utc(t, "2026-10-29 23:00"))
		require.Equal(t, interval("2026-10-29 23:00", "2026-10-30 21:00"), week[0])
		require.Equal(t, interval("2026-11-01 23:00", "2026-11-02 22:00"), week[1])
	})
	t.Run("OfAnUnknownCalendarIsEmpty", func(t *testing.T) {
		require.Empty(t, hours.Week("moon", utc(t, "2026-11-18 12:00")))
	})
}

func TestNewHoursRefuses(t *testing.T) {
	t.Parallel()
	minute := func(m int) *int { return &m }
	good := Session{"a", "UTC", 0, 60}
	tests := map[string]struct {
		sessions []Session
		holidays []Holiday
	}{
		"AnUnknownZone":                  {sessions: []Session{{"a", "Mars/Olympus", 0, 60}}},
		"ACalendarInTwoZones":            {sessions: []Session{good, {"a", "Asia/Hong_Kong", 60, 120}}},
		"ASessionThatEndsBeforeItBegins": {sessions: []Session{{"a", "UTC", 60, 60}}},
		"ASessionBeyondTheWeek":          {sessions: []Session{{"a", "UTC", 0, weekMinutes + 1}}},
		"OverlappingSessions":            {sessions: []Session{good, {"a", "UTC", 59, 120}}},
		"AHolidayOfNoCalendar":           {sessions: []Session{good}, holidays: []Holiday{{Calendar: "b"}}},
		"AHalfDayBeyondTheDay":           {sessions: []Session{good}, holidays: []Holiday{{Calendar: "a", CloseMinute: minute(dayMinutes)}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := NewHours(test.sessions, test.holidays)
			require.Error(t, err)
		})
	}
	_, err := NewHours([]Session{good, {"a", "UTC", 60, 120}}, []Holiday{{Calendar: "a", Day: time.Now(), CloseMinute: minute(30)}})
	require.NoError(t, err)
}

func TestDefaultHolidays(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, h := range DefaultHolidays() {
		key := h.Calendar + h.Day.Format(time.DateOnly)
		require.False(t, seen[key], "%s %s twice", key, h.Name)
		seen[key] = true
		require.NotEqual(t, time.Saturday, h.Day.Weekday(), "%s %s", key, h.Name)
		require.NotEqual(t, time.Sunday, h.Day.Weekday(), "%s %s", key, h.Name)
	}
}
